#include "intertwine/equivariant/intertwiner_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "equivariant/induced_blocks.hpp"
#include "equivariant/isotypic_homs.hpp"
#include "equivariant/module_split.hpp"
#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "representations/node.hpp"

namespace intertwine {

namespace {

using Element = IntertwinerSpace::Element;

constexpr std::size_t max_lattice = 150;  ///< elements; sparsify reduces lattices up to a little more
/// Dimension from which isotypic components are faster than splitting into modules, where they are easy to have.
constexpr std::uint64_t least_isotypic = 100;

bool comes_before(const Element& a, const Element& b) {
  const std::size_t common = std::min(a.place.size(), b.place.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (a.place[i] != b.place[i]) return a.place[i] < b.place[i];
    for (std::size_t c = 0; c < a.value.rows(); ++c) {
      const Integer x = a.value(c, i), y = b.value(c, i);
      if (x != y) return x < y;
    }
  }
  return a.place.size() < b.place.size();
}

/// The sign of an entry: of the real number; otherwise of its first coordinate that is not 0.
int sign_of(const IntegerMatrix& value, std::size_t e, const AbelianField& field) {
  if (value.rows() == 1) return value.sign(0, e);
  if (field.is_real()) return value_of(field, value, e).sign();
  for (std::size_t c = 0; c < value.rows(); ++c)
    if (const int sign = value.sign(c, e); sign != 0) return sign;
  return 0;
}

/// Divided by the common factor, with first entry positive.
void normalize(Element& element, const AbelianField& field) {
  Integer content = element.value.content();
  if (sign_of(element.value, 0, field) < 0) content = -content;
  if (content != 1) element.value = exact_quotient(element.value, content);
}

bool has_zero_column(const IntegerMatrix& value) {
  for (std::size_t e = 0; e < value.cols(); ++e) {
    bool zero = true;
    for (std::size_t c = 0; c < value.rows() && zero; ++c) zero = value.sign(c, e) == 0;
    if (zero) return true;
  }
  return false;
}

Element element_of(const IntegerMatrix& W) {
  const IntegerMatrix flat = W.reshape(1, W.rows() * W.cols());
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < flat.cols(); ++i)
    if (flat.sign(0, i) != 0) places.push_back(i);
  Element out;
  out.value = flat.select_cols(places);
  out.place.assign(places.begin(), places.end());
  return out;
}

/// The elements of Hom(V, U) for two monomial summands.
std::vector<Element> tied_elements(const Representation& V, const Representation& U, const Task& task) {
  const OrbitalPattern pattern(U.dimension(), V.dimension(), U.generator_images(), V.generator_images(),
                               V.group().order(), task);
  if (!pattern.check(task)) throw InternalError("intertwiner_space: an orbital pattern does not commute");
  const IntertwinerSpace space(pattern, task);
  std::vector<Element> elements;
  for (std::uint64_t k = 0; k < space.params(); ++k) elements.push_back(space.element(k));
  return elements;
}

/// Hom(V, U) by splitting V. The elements are products b a of verified intertwiners a: V -> S, b: S -> U;
/// they are independent because the a are the rows of a regular matrix and the b of each S are independent.
std::vector<RationalMatrix> split_elements(const Representation& V, const Representation& U,
                                           const Task& task) {
  const RepresentationAction source(V), dual_source(dual(V)), target(U);
  std::vector<RationalMatrix> elements, all_projections;
  for (const ModulePart& part : split(source, dual_source, task)) {
    const std::vector<RationalMatrix> homs = homomorphisms(part.module, target, task);
    std::vector<RationalMatrix> rows;
    for (const RationalMatrix& b : homs) rows.push_back(b.reshape(1, b.rows() * b.cols()));
    if (!rows.empty() && modular_rank(rows) != rows.size())
      throw InternalError("intertwiner_space: homomorphisms are dependent modulo a prime");
    task.require_memory(16 * homs.size() * part.projections.size() * V.dimension() * U.dimension(),
                        "the basis of a block");
    for (const RationalMatrix& a : part.projections) {
      all_projections.push_back(a);
      for (const RationalMatrix& b : homs) {
        task.poll();
        elements.push_back(b * a);
      }
    }
  }
  if (modular_rank(all_projections) != V.dimension())
    throw InternalError("intertwiner_space: the parts of a module do not make the whole");
  return elements;
}

/// The same space with sparser, smaller elements, found on the places where some element is not zero.
std::vector<Element> sparsified(const std::vector<Element>& elements, const Task& task) {
  std::vector<std::uint64_t> support;
  for (const Element& element : elements)
    support.insert(support.end(), element.place.begin(), element.place.end());
  std::sort(support.begin(), support.end());
  support.erase(std::unique(support.begin(), support.end()), support.end());
  IntegerMatrix all(elements.size(), support.size());
  for (std::size_t k = 0; k < elements.size(); ++k)
    for (std::size_t e = 0; e < elements[k].place.size(); ++e) {
      const auto at = std::lower_bound(support.begin(), support.end(), elements[k].place[e]);
      all.set(k, static_cast<std::size_t>(at - support.begin()), elements[k].value(0, e));
    }
  // From the echelon basis, so that the answer is a function of the space, not of the way to it; but where there are
  // too many elements for lattice reduction, from the short ones at hand.
  const IntegerMatrix reduced =
      sparsify(all.rows() <= max_lattice ? reduced_echelon(all, task).matrix.numerator() : all, task);
  std::vector<Element> result;
  for (std::size_t k = 0; k < reduced.rows(); ++k) {
    Element element = element_of(reduced.block(k, 0, 1, reduced.cols()));
    for (std::uint64_t& place : element.place) place = support[place];
    result.push_back(std::move(element));
  }
  return result;
}

/// Hom(V, U) through the irreducible representations.
std::vector<Element> isotypic_elements(const Representation& V, const Representation& U,
                                       const AbelianField& F, IrreducibleCache& irreducibles,
                                       const Task& task) {
  std::vector<Element> elements;
  for (const FieldMatrix& W : isotypic_homs(V, U, F, irreducibles, task)) {
    const std::size_t width = W.rows() * W.cols(), f = F.degree();
    // [A_0 | A_1 | ...] as rows of coordinates, each of all entries in row-major order.
    const IntegerMatrix& all = W.coefficients().numerator();
    std::vector<IntegerMatrix> flat;
    for (std::size_t c = 0; c < f; ++c)
      flat.push_back(all.block(0, c * W.cols(), W.rows(), W.cols()).reshape(1, width));
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < width; ++i)
      if (std::any_of(flat.begin(), flat.end(),
                      [&](const IntegerMatrix& row) { return row.sign(0, i) != 0; }))
        places.push_back(i);
    elements.push_back({{places.begin(), places.end()}, vertical_stack(flat).select_cols(places)});
  }
  return elements;
}

/// All irreducible representations of a symmetric group are at hand over Q, each with a seed.
bool has_specht_modules(const FiniteGroup& G, const Task& task) {
  return G.degree() <= 33 && G.chain(task).is_giant() && G.order() == factorial(G.degree());
}

/// Hom(V, U) for V and U that are neither sums nor multiples.
std::vector<Element> block_elements(const Representation& V, const Representation& U, const AbelianField& F,
                                    IrreducibleCache& irreducibles, const Task& task,
                                    const IntertwinerOptions& options) {
  if (V.dimension() == 0 || U.dimension() == 0) return {};
  if (!F.is_rational()) return isotypic_elements(V, U, F, irreducibles, task);
  if (V.is_monomial() && U.is_monomial()) return tied_elements(V, U, task);
  const LocalSolver solve = [&](const Representation& N, const Representation& M) {
    return intertwiner_space(N, M, task, options).elements();
  };
  if (auto induced = induced_elements(V, U, solve, task)) return std::move(*induced);
  if (has_specht_modules(V.group(), task) && std::min(V.dimension(), U.dimension()) >= least_isotypic)
    return isotypic_elements(V, U, F, irreducibles, task);
  std::vector<Element> elements;
  if (V.dimension() <= U.dimension()) {
    for (const RationalMatrix& W : split_elements(V, U, task)) elements.push_back(element_of(W.numerator()));
  } else {
    for (const RationalMatrix& W : split_elements(dual(U), dual(V), task))
      elements.push_back(element_of(W.numerator().transpose()));
  }
  const std::uint64_t entries = V.dimension() * U.dimension();
  if (!elements.empty() && elements.size() <= options.max_sparsified / std::max<std::uint64_t>(entries, 1)) {
    elements = sparsified(elements, task);
    if (first_that_does_not_commute({U.dimension(), V.dimension(), elements}, V, U, task))
      throw InternalError("intertwiner_space: a sparsified element does not commute");
  }
  return elements;
}

/// The summands of V one by one with their places, and the number of each among the different ones.
struct Summands {
  explicit Summands(const Representation& V) {
    V.node().append_places(0, placed);
    for (const auto& summand : placed) {
      std::size_t number = 0;
      while (number < different.size() && &different[number].node() != &summand.representation.node())
        ++number;
      if (number == different.size()) different.push_back(summand.representation);
      numbers.push_back(number);
    }
  }
  std::vector<RepresentationNode::PlacedSummand> placed;
  std::vector<std::size_t> numbers;
  std::vector<Representation> different;
};

}  // namespace

IntertwinerSpace::IntertwinerSpace(std::uint64_t rows, std::uint64_t cols, std::vector<Element> elements,
                                   AbelianField field)
    : rows_(rows), cols_(cols), field_(std::move(field)), start_{0} {
  if (rows > max_degree || cols > max_degree)
    throw LimitError(fmt::format("IntertwinerSpace: {} x {} matrices have sides above 2^31 - 1", rows, cols));
  for (Element& element : elements) {
    const bool increasing = std::adjacent_find(element.place.begin(), element.place.end(),
                                               std::greater_equal<>()) == element.place.end();
    if (element.place.empty() || !increasing || element.place.back() >= rows * cols ||
        element.value.rows() != field_.degree() || element.value.cols() != element.place.size() ||
        has_zero_column(element.value))
      throw DomainError("IntertwinerSpace: an element is not a list of non-zero values at increasing places");
    normalize(element, field_);
  }
  std::sort(elements.begin(), elements.end(), comes_before);
  std::vector<IntegerMatrix> values;
  for (Element& element : elements) {
    for (const std::uint64_t place : element.place) {
      row_.push_back(static_cast<std::uint32_t>(place / cols));
      col_.push_back(static_cast<std::uint32_t>(place % cols));
    }
    values.push_back(std::move(element.value));
    start_.push_back(row_.size());
  }
  values_ = values.empty() ? IntegerMatrix(field_.degree(), 0) : horizontal_stack(values);
}

IntertwinerSpace::IntertwinerSpace(const OrbitalPattern& pattern, const Task& task)
    : rows_(pattern.rows()), cols_(pattern.cols()), start_{0} {
  // The parameters are in canonical order and + at their smallest entry already.
  for (const std::int64_t size : pattern.orbit_size())
    start_.push_back(start_.back() + static_cast<std::uint64_t>(size));
  task.require_memory(16 * start_.back(), "the entries of all basis elements");
  row_.resize(start_.back());
  col_.resize(start_.back());
  values_ = IntegerMatrix(1, start_.back());
  std::vector<std::uint64_t> next(start_.begin(), start_.end() - 1);
  const auto rows = pattern.view();
  std::vector<std::int32_t> codes(cols_);
  const auto P = static_cast<std::int32_t>(pattern.params());
  for (std::uint32_t i = 0; i < rows_; ++i) {
    task.poll();
    rows->row(i, codes);
    for (std::uint32_t j = 0; j < cols_; ++j) {
      if (codes[j] == 0) continue;
      const std::uint64_t e =
          next[static_cast<std::size_t>(codes[j] > P ? codes[j] - P - 1 : codes[j] - 1)]++;
      row_[e] = i;
      col_[e] = j;
      values_.set(0, e, codes[j] > P ? -1L : 1L);
    }
  }
}

SparseMatrix IntertwinerSpace::operator[](std::uint64_t k) const {
  if (k >= params()) throw DomainError(fmt::format("basis element {} of {} (0-based)", k, params()));
  if (!field_.is_rational())
    throw DomainError("IntertwinerSpace: the elements are over " + field_.to_string() +
                      ", not rational; ask for the values of their entries");
  std::vector<SparseMatrix::Entry> entries;
  for (std::uint64_t e = start_[k]; e < start_[k + 1]; ++e)
    entries.push_back({row_[e], col_[e], Rational(values_(0, e))});
  return {rows_, cols_, std::move(entries)};
}

Cyclotomic IntertwinerSpace::value(std::uint64_t e) const {
  return field_.is_rational() ? Cyclotomic(values_(0, e)) : value_of(field_, values_, e);
}

IntertwinerSpace IntertwinerSpace::over(const AbelianField& K) const {
  if (K == field_) return *this;
  std::vector<Element> all = elements();
  for (Element& element : all) {
    const std::size_t width = element.place.size();
    const FieldMatrix values(field_, RationalMatrix(element.value.reshape(1, field_.degree() * width)),
                             width);
    element.value = values.over(K).coefficients().numerator().reshape(K.degree(), width);
  }
  return {rows_, cols_, std::move(all), K};
}

IntertwinerSpace::Element IntertwinerSpace::element(std::uint64_t k) const {
  if (k >= params()) throw DomainError(fmt::format("basis element {} of {} (0-based)", k, params()));
  Element result;
  for (std::uint64_t e = start_[k]; e < start_[k + 1]; ++e)
    result.place.push_back(std::uint64_t{row_[e]} * cols_ + col_[e]);
  result.value = values_.block(0, start_[k], values_.rows(), start_[k + 1] - start_[k]);
  return result;
}

std::vector<IntertwinerSpace::Element> IntertwinerSpace::elements() const {
  std::vector<Element> all;
  for (std::uint64_t k = 0; k < params(); ++k) all.push_back(element(k));
  return all;
}

double IntertwinerSpace::density() const {
  const double all = static_cast<double>(params()) * static_cast<double>(rows_) * static_cast<double>(cols_);
  return all == 0 ? 0 : static_cast<double>(nonzeros()) / all;
}

IntertwinerSpace intertwiner_space(const Representation& V, const Representation& U, const Task& task,
                                   const IntertwinerOptions& options) {
  if (!(V.group() == U.group()))
    throw DomainError("intertwiner_space: the input representation belongs to " + V.group().name() +
                      ", the output one to " + U.group().name());
  const std::uint64_t m = U.dimension(), n = V.dimension();
  if (m > max_degree || n > max_degree)
    throw LimitError(fmt::format("intertwiner_space: {} x {} matrices have sides above 2^31 - 1", m, n));
  const AbelianField F = AbelianField::compositum(V.field(), U.field());
  IrreducibleCache irreducibles(V.group());
  const Summands in(V), out(U);
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Element>> solved;
  std::vector<Element> elements;
  for (std::size_t t = 0; t < out.placed.size(); ++t)
    for (std::size_t s = 0; s < in.placed.size(); ++s) {
      const auto& [row_offset, B] = out.placed[t];
      const auto& [col_offset, A] = in.placed[s];
      const auto [at, fresh] = solved.try_emplace({out.numbers[t], in.numbers[s]});
      if (fresh) at->second = block_elements(A, B, F, irreducibles, task, options);
      for (Element element : at->second) {
        for (std::uint64_t& place : element.place)
          place = (row_offset + place / A.dimension()) * n + col_offset + place % A.dimension();
        elements.push_back(std::move(element));
      }
    }
  return {m, n, std::move(elements), F};
}

}  // namespace intertwine
