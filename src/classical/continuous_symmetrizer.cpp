// The projection on equivariant matrices for continuous groups.
#include "intertwine/classical/continuous_symmetrizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "classical/generator_lines.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"

namespace intertwine {

namespace {

template <class Number>
struct Term {
  std::uint32_t row, col;
  Number exact;
  double rounded;
};

/// Bases of Hom(V, U) and Hom(U, V) for a part of V and one of U, and the inverse of their Gram matrix. Number: Rational or
/// Cyclotomic.
template <class Number>
struct DualBases {
  using Square = std::conditional_t<std::is_same_v<Number, Rational>, RationalMatrix, FieldMatrix>;
  std::vector<std::vector<Term<Number>>> elements, dual;
  std::vector<Number> inverse;  ///< row-major
  std::vector<double> rounded_inverse;

  DualBases(const IntertwinerSpace& B, const IntertwinerSpace& D, const Task& task)
      : elements(terms_of(B)), dual(terms_of(D)) {
    const std::size_t n = elements.size();
    if (dual.size() != n)
      throw InternalError("ContinuousSymmetrizer: Hom(V, U) and Hom(U, V) have different dimensions");
    task.require_memory(std::uint64_t{n} * n * 128, "the Gram matrix of a basis and its dual one");
    std::unordered_map<std::uint64_t, std::vector<std::pair<std::size_t, const Number*>>> at;
    for (std::size_t l = 0; l < n; ++l)
      for (const auto& t : dual[l]) at[place(t.col, t.row)].emplace_back(l, &t.exact);
    std::vector<Number> gram(n * n);
    for (std::size_t k = 0; k < n; ++k) {
      task.poll();
      for (const auto& t : elements[k])
        if (const auto found = at.find(place(t.row, t.col)); found != at.end())
          for (const auto& [l, value] : found->second) gram[l * n + k] += *value * t.exact;
    }
    const Square found = intertwine::inverse(Square(n, n, gram), task);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t l = 0; l < n; ++l) {
        inverse.push_back(found(k, l));
        rounded_inverse.push_back(number_as<double>(inverse.back()));
      }
  }

 private:
  static std::uint64_t place(std::uint64_t row, std::uint64_t col) { return row << 32 | col; }
  static std::vector<std::vector<Term<Number>>> terms_of(const IntertwinerSpace& space) {
    std::vector<std::vector<Term<Number>>> list(space.params());
    for (std::uint64_t k = 0; k < space.params(); ++k)
      for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e) {
        const Cyclotomic value = space.value(e);
        list[k].push_back({space.row()[e], space.col()[e], number_as<Number>(value), number_as<double>(value)});
      }
    return list;
  }
};
/// [part of U][part of V]
template <class Number>
using Blocks = std::vector<std::vector<DualBases<Number>>>;

template <class Number>
Blocks<Number> blocks_of(const ContinuousRepresentation& V, const ContinuousRepresentation& U, const Task& task) {
  Blocks<Number> blocks;
  for (const auto& [out_copies, out] : U.parts()) {
    blocks.emplace_back();
    for (const auto& [in_copies, in] : V.parts())
      blocks.back().emplace_back(hom_basis(in, out, task).space(), hom_basis(out, in, task).space(), task);
  }
  return blocks;
}

/// A part of V or U: where it begins, how often it is there, its dimension.
struct Place {
  std::uint64_t first, copies, dimension;
};

std::vector<Place> places_of(const ContinuousRepresentation& V) {
  std::vector<Place> list;
  std::uint64_t first = 0;
  for (const auto& [copies, part] : V.parts()) {
    list.push_back({first, copies, part.dimension()});
    first += copies * part.dimension();
  }
  return list;
}

/// Entry by entry the difference A W - W B for generator g, given to `see`; W is asked by (i, j).
template <class Number, class Entry, class See>
void for_each_difference(const MatrixGenerators& generators, std::size_t g, const Entry& W, const See& see,
                         const Task& task = {}) {
  const auto left = generator_lines<Number>(generators.row, g, generators.field, false),
             right = generator_lines<Number>(generators.column, g, generators.field, true);
  for (std::size_t i = 0; i < left.size(); ++i)
    for (std::size_t j = 0; j < right.size(); ++j) {
      task.poll();
      Number sum(0);
      for (const auto& [k, value] : left[i]) sum += value * W(k, j);
      for (const auto& [k, value] : right[j]) sum -= W(i, k) * value;
      if (!see(sum)) return;
    }
}

}  // namespace

struct ContinuousSymmetrizer::State {
  ContinuousRepresentation V, U;
  MatrixGenerators generators;
  std::vector<Place> rows, cols;
  std::variant<Blocks<Rational>, Blocks<Cyclotomic>> blocks;

  void require_size(std::uint64_t m, std::uint64_t n) const {
    if (m != U.dimension() || n != V.dimension())
      throw DomainError(
          fmt::format("S(W) takes matrices of {} x {} entries, not {} x {}", U.dimension(), V.dimension(), m, n));
  }

  void require_real() const {
    if (!generators.field.is_real())
      throw DomainError(
          fmt::format("S(W) in double precision is for real matrices; those of maps from {} to {} are over {}: "
                      "symmetrize exact numbers",
                      V.to_string(), U.to_string(), generators.field.to_string()));
  }

  /// S(W), row-major: see ContinuousSymmetrizer. `entry` is W by (i, j); Number is Exact or double.
  template <class Number, class Exact, class Entry>
  std::vector<Number> projected(const Blocks<Exact>& all, const Entry& entry, const Task& task) const {
    const auto value = [](const Term<Exact>& t) -> const Number& {
      if constexpr (std::is_same_v<Number, double>)
        return t.rounded;
      else
        return t.exact;
    };
    const std::size_t width = V.dimension();
    task.require_memory(U.dimension() * width * 2 * sizeof(Number), "the symmetrized matrix");
    std::vector<Number> out(U.dimension() * width, Number(0));
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = 0; b < cols.size(); ++b) {
        const DualBases<Exact>& block = all[a][b];
        const std::size_t n = block.elements.size();
        const std::vector<Number>* inverse = nullptr;
        if constexpr (std::is_same_v<Number, double>)
          inverse = &block.rounded_inverse;
        else
          inverse = &block.inverse;
        for (std::uint64_t o = 0; o < rows[a].copies; ++o)
          for (std::uint64_t i = 0; i < cols[b].copies; ++i) {
            task.poll();
            const std::uint64_t row = rows[a].first + o * rows[a].dimension,
                                col = cols[b].first + i * cols[b].dimension;
            std::vector<Number> traces(n, Number(0));
            for (std::size_t l = 0; l < n; ++l)
              for (const auto& t : block.dual[l]) traces[l] += value(t) * entry(row + t.col, col + t.row);
            for (std::size_t k = 0; k < n; ++k) {
              Number c(0);
              for (std::size_t l = 0; l < n; ++l) c += (*inverse)[k * n + l] * traces[l];
              for (const auto& t : block.elements[k]) out[(row + t.row) * width + col + t.col] += value(t) * c;
            }
          }
      }
    return out;
  }
};

ContinuousSymmetrizer::ContinuousSymmetrizer(const ContinuousRepresentation& V, const ContinuousRepresentation& U,
                                             const Task& task) {
  if (!(V.group() == U.group()))
    throw DomainError(
        fmt::format("the representations belong to different groups, {} and {}", V.group().name(), U.group().name()));
  static_cast<void>(common_scalars(V, U));
  State state{V, U, matrix_generators(V, U, task), places_of(U), places_of(V), {}};
  if (state.generators.field.is_rational())
    state.blocks = blocks_of<Rational>(V, U, task);
  else
    state.blocks = blocks_of<Cyclotomic>(V, U, task);
  state_ = std::make_shared<const State>(std::move(state));
}

const ContinuousRepresentation& ContinuousSymmetrizer::source() const { return state_->V; }
const ContinuousRepresentation& ContinuousSymmetrizer::target() const { return state_->U; }
std::size_t ContinuousSymmetrizer::rows() const { return state_->U.dimension(); }
std::size_t ContinuousSymmetrizer::cols() const { return state_->V.dimension(); }
AbelianField ContinuousSymmetrizer::field() const { return state_->generators.field; }
std::size_t ContinuousSymmetrizer::generators() const { return state_->generators.names.size(); }
std::string ContinuousSymmetrizer::method_text() const {
  return "dual bases of Hom(V, U) and Hom(U, V) under the trace";
}

FieldMatrix ContinuousSymmetrizer::operator()(const FieldMatrix& W, const Task& task) const {
  state_->require_size(W.rows(), W.cols());
  const auto entries_of = [](const auto& X) { return [&X](std::uint64_t i, std::uint64_t j) { return X(i, j); }; };
  if (const auto* blocks = std::get_if<Blocks<Rational>>(&state_->blocks))
    return by_coordinates(W, [&](const RationalMatrix& X) {
      return RationalMatrix(rows(), cols(), state_->projected<Rational>(*blocks, entries_of(X), task));
    });
  const FieldMatrix result(
      rows(), cols(), state_->projected<Cyclotomic>(std::get<Blocks<Cyclotomic>>(state_->blocks), entries_of(W), task));
  return result.over(AbelianField::compositum(field(), W.field()));
}

void ContinuousSymmetrizer::apply(std::span<const double> W, std::span<double> out, const Task& task) const {
  const std::size_t n = cols();
  if (W.size() != rows() * n || out.size() != W.size())
    throw DomainError(fmt::format("S(W) takes matrices of {} x {} entries, not arrays of {}", rows(), n, W.size()));
  state_->require_real();
  const auto entry = [&](std::uint64_t i, std::uint64_t j) { return W[i * n + j]; };
  std::visit(
      [&](const auto& blocks) { std::ranges::copy(state_->projected<double>(blocks, entry, task), out.begin()); },
      state_->blocks);
}

std::optional<std::size_t> ContinuousSymmetrizer::failing_generator(const FieldMatrix& W, const Task& task) const {
  state_->require_size(W.rows(), W.cols());
  const auto commutes = [&]<class Number>(std::size_t g, const auto& X, Number) {
    bool same = true;
    for_each_difference<Number>(
        state_->generators, g, [&](std::uint64_t i, std::uint64_t j) { return Number(X(i, j)); },
        [&](const Number& difference) { return same = difference == Number(0); }, task);
    return same;
  };
  const bool rational = field().is_rational() && W.field().is_rational();
  for (std::size_t g = 0; g < generators(); ++g)
    if (!(rational ? commutes(g, W.coefficients(), Rational()) : commutes(g, W, Cyclotomic()))) return g;
  return std::nullopt;
}

double ContinuousSymmetrizer::defect(std::span<const double> W, const Task& task) const {
  task.poll();
  state_->require_size(rows(), cols() == 0 ? 0 : W.size() / std::max<std::size_t>(rows(), 1));
  state_->require_real();
  double largest = 0;
  for (std::size_t g = 0; g < generators(); ++g)
    for_each_difference<double>(
        state_->generators, g, [&](std::uint64_t i, std::uint64_t j) { return W[i * cols() + j]; },
        [&](double difference) {
          largest = std::max(largest, std::abs(difference));
          return true;
        });
  return largest;
}

}  // namespace intertwine
