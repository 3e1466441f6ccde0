#include "intertwine/lie/continuous_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "continuous_hom.hpp"
#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/version.hpp"

namespace intertwine {

namespace {

using Elements = std::vector<IntertwinerSpace::Element>;

/// Hom between V and U, term by term.
class HomAssembly {
 public:
  HomAssembly(const ContinuousRepresentation& V, const ContinuousRepresentation& U, const Task& task)
      : rows_(U.dimension()), cols_(V.dimension()), task_(task) {
    for (const auto& factor : V.group().factors()) {
      const auto* classical = std::get_if<ClassicalGroup>(&factor);
      homs_.push_back(classical != nullptr ? std::make_unique<ClassicalHom>(*classical) : nullptr);
    }
    finite_.resize(homs_.size());
    if (rows_ == 0 || cols_ == 0) return;
    const auto in = terms_of(V.node(), task), out = terms_of(U.node(), task);
    for (const ContinuousTerm& target : out)
      for (const ContinuousTerm& source : in) {
        task.poll();
        append(source, target);
      }
    const auto spread = [](const ContinuousTerm& term) { return term.spread != nullptr; };
    if (std::ranges::any_of(in, spread) || std::ranges::any_of(out, spread))
      elements_ = sparsified(std::move(elements_), task);
  }

  IntertwinerSpace space() { return {rows_, cols_, std::move(elements_)}; }

 private:
  const Elements& factor_hom(std::size_t f, const ContinuousPiece& V, const ContinuousPiece& U) {
    if (homs_[f]) return (*homs_[f])(V, U, task_);
    const auto [found, fresh] = finite_[f].try_emplace({V.key(), U.key()});
    if (fresh) found->second = intertwiner_space(*V.finite, *U.finite, task_).elements();
    return found->second;
  }

  void append(const ContinuousTerm& source, const ContinuousTerm& target) {
    std::vector<const Elements*> factors;
    std::uint64_t count = 1, entries = 1;
    for (std::size_t f = 0; f < homs_.size(); ++f) {
      factors.push_back(&factor_hom(f, source.pieces[f], target.pieces[f]));
      if (factors.back()->empty()) return;
      std::uint64_t most = 0;
      for (const auto& element : *factors.back()) most = std::max<std::uint64_t>(most, element.place.size());
      count *= factors.back()->size();
      entries *= most;
      constexpr std::uint64_t most_elements = 1'000'000;
      if (count + elements_.size() > most_elements)
        throw LimitError(fmt::format("the basis has more than {} elements", most_elements));
      task_.require_memory(count * entries * 64, "the elements of a basis");
    }
    std::vector<std::size_t> choice(factors.size(), 0);
    for (std::uint64_t k = 0; k < count; ++k) {
      task_.poll();
      elements_.push_back(product(source, target, factors, choice));
      for (std::size_t f = choice.size(); f-- > 0;) {
        if (++choice[f] < factors[f]->size()) break;
        choice[f] = 0;
      }
    }
  }

  struct ProductEntry {
    std::uint64_t row, col;
    Integer value;
  };
  IntertwinerSpace::Element product(const ContinuousTerm& source, const ContinuousTerm& target,
                                    const std::vector<const Elements*>& factors,
                                    const std::vector<std::size_t>& choice) const {
    std::vector<ProductEntry> entries{{0, 0, 1}};
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const auto& element = (*factors[f])[choice[f]];
      const std::uint64_t m = target.pieces[f].dimension, n = source.pieces[f].dimension;
      std::vector<ProductEntry> next;
      next.reserve(entries.size() * element.place.size());
      for (const ProductEntry& e : entries)
        for (std::size_t k = 0; k < element.place.size(); ++k)
          next.push_back({e.row * m + element.place[k] / n, e.col * n + element.place[k] % n,
                          e.value * element.value(0, k)});
      entries = std::move(next);
    }
    if (source.spread || target.spread) return spread_product(source, target, entries);
    std::vector<std::pair<std::uint64_t, std::size_t>> order;
    for (std::size_t k = 0; k < entries.size(); ++k)
      order.emplace_back(target.coordinates[entries[k].row] * cols_ + source.coordinates[entries[k].col], k);
    std::sort(order.begin(), order.end());
    IntertwinerSpace::Element out;
    std::vector<Integer> values;
    for (const auto& [place, k] : order) {
      out.place.push_back(place);
      values.push_back(std::move(entries[k].value));
    }
    out.value = IntegerMatrix(1, values.size(), values);
    return out;
  }

  /// Where the terms are not spanned by basis vectors.
  IntertwinerSpace::Element spread_product(const ContinuousTerm& source, const ContinuousTerm& target,
                                           const std::vector<ProductEntry>& entries) const {
    std::map<std::uint64_t, Rational> sum;
    for (const ProductEntry& e : entries) {
      task_.poll();
      const ContinuousTerm::Vector covector = source.projected(e.col);
      for (const auto& [row, a] : target.included(e.row))
        for (const auto& [col, b] : covector) sum[row * cols_ + col] += Rational(e.value) * a * b;
    }
    std::erase_if(sum, [](const auto& term) { return term.second == 0; });
    Integer denominator = 1;
    for (const auto& [place, value] : sum)
      denominator = lcm(denominator, Integer(boost::multiprecision::denominator(value)));
    IntertwinerSpace::Element out;
    std::vector<Integer> values;
    for (const auto& [place, value] : sum) {
      out.place.push_back(place);
      values.emplace_back(boost::multiprecision::numerator(value * Rational(denominator)));
    }
    out.value = IntegerMatrix(1, values.size(), values);
    return out;
  }

  /// The same space with more zeros, where the natural maps of functors have mixed it.
  static Elements sparsified(Elements elements, const Task& task) {
    std::map<std::uint64_t, std::size_t> column;
    for (const auto& element : elements)
      for (const std::uint64_t place : element.place) column.try_emplace(place, 0);
    constexpr std::uint64_t most_sparsified = 300'000;
    if (elements.size() < 2 || elements.size() * column.size() > most_sparsified) return elements;
    std::vector<std::uint64_t> places;
    for (auto& [place, at] : column) {
      at = places.size();
      places.push_back(place);
    }
    IntegerMatrix A(elements.size(), places.size());
    for (std::size_t k = 0; k < elements.size(); ++k)
      for (std::size_t e = 0; e < elements[k].place.size(); ++e)
        A.set(k, column.at(elements[k].place[e]), elements[k].value(0, e));
    A = sparsify(A, task);
    Elements out;
    for (std::size_t k = 0; k < A.rows(); ++k) {
      IntertwinerSpace::Element element;
      std::vector<Integer> values;
      for (std::size_t j = 0; j < A.cols(); ++j)
        if (A.sign(k, j) != 0) {
          element.place.push_back(places[j]);
          values.push_back(A(k, j));
        }
      element.value = IntegerMatrix(1, values.size(), values);
      out.push_back(std::move(element));
    }
    return out;
  }

  std::uint64_t rows_, cols_;
  const Task& task_;
  std::vector<std::unique_ptr<ClassicalHom>> homs_;
  std::vector<std::map<std::pair<std::string, std::string>, Elements>> finite_;
  Elements elements_;
};

/// The rows of a matrix times the least common multiple of its denominators.
struct IntegralRows {
  Integer denominator = 1;
  std::vector<std::vector<std::pair<std::uint64_t, Integer>>> rows;
  explicit IntegralRows(const SparseMatrix& A) : rows(A.rows()) {
    for (const auto& e : A.entries())
      denominator = lcm(denominator, Integer(boost::multiprecision::denominator(e.value)));
    for (const auto& e : A.entries())
      rows[e.row].emplace_back(e.col,
                               Integer(boost::multiprecision::numerator(e.value * Rational(denominator))));
  }
};

/// Does W commute, g_U W = W g_V? Sums of Integers, place by place.
bool commutes(const IntertwinerSpace::Element& W, std::uint64_t n, const IntegralRows& left_columns,
              const IntegralRows& right_rows) {
  std::vector<std::pair<std::uint64_t, Integer>> defect;
  for (std::size_t e = 0; e < W.place.size(); ++e) {
    const std::uint64_t i = W.place[e] / n, j = W.place[e] % n;
    const Integer w = W.value(0, e), left = w * right_rows.denominator, right = w * left_columns.denominator;
    for (const auto& [k, a] : left_columns.rows[i]) defect.emplace_back(k * n + j, a * left);
    for (const auto& [k, b] : right_rows.rows[j]) defect.emplace_back(i * n + k, -b * right);
  }
  std::sort(defect.begin(), defect.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < defect.size();) {
    const std::uint64_t place = defect[k].first;
    Integer sum = 0;
    for (; k < defect.size() && defect[k].first == place; ++k) sum += defect[k].second;
    if (sum != 0) return false;
  }
  return true;
}

/// The proof of one space: commutation, independence, the count. What fails is thrown as Failure.
template <class Failure>
void prove(const IntertwinerSpace& space, const ContinuousRepresentation& V,
           const ContinuousRepresentation& U, const Integer& dimension, const char* what, const Task& task) {
  if (const auto k = first_that_does_not_commute(space, V, U, task))
    throw Failure(
        fmt::format("element {} (0-based) of the {} does not commute with every generator", *k, what));
  if (!are_independent(space, task))
    throw Failure(fmt::format("the elements of the {} are linearly dependent", what));
  if (dimension != space.params())
    throw Failure(fmt::format("the {} have {} elements, but characters count {}", what, space.params(),
                              dimension.str()));
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

std::optional<std::uint64_t> first_that_does_not_commute(const IntertwinerSpace& space,
                                                         const ContinuousRepresentation& V,
                                                         const ContinuousRepresentation& U,
                                                         const Task& task) {
  if (space.rows() != U.dimension() || space.cols() != V.dimension())
    throw DomainError(
        fmt::format("the matrices are {} x {}, and the representations have dimensions {} -> {}",
                    space.rows(), space.cols(), V.dimension(), U.dimension()));
  if (space.params() == 0) return std::nullopt;
  const auto right = V.generator_matrices(task), left = U.generator_matrices(task);
  for (std::size_t g = 0; g < left.size(); ++g) {
    const IntegralRows columns(left[g].transpose()), rows(right[g]);
    for (std::uint64_t k = 0; k < space.params(); ++k) {
      task.progress("checking that the elements commute", g * space.params() + k,
                    left.size() * space.params());
      if (!commutes(space.element(k), space.cols(), columns, rows)) return k;
    }
  }
  return std::nullopt;
}

namespace {

using Part = std::pair<std::uint64_t, ContinuousRepresentation>;

void require_same_group(const ContinuousRepresentation& V, const ContinuousRepresentation& U) {
  if (!(V.group() == U.group()))
    throw DomainError(fmt::format("the representations belong to different groups, {} and {}",
                                  V.group().name(), U.group().name()));
  static_cast<void>(common_scalars(V, U));
}

/// `same` has the target of this one, and its bias.
ContinuousBasis basis_between(const ContinuousRepresentation& V, const Part& in,
                              const ContinuousRepresentation& U, const Part& out, const ContinuousBasis* same,
                              const Task& task) {
  const auto& [channels_in, source] = in;
  const auto& [channels_out, target] = out;
  const ContinuousRepresentation trivial = trivial_representation(V.group());
  ContinuousCertificate certificate{
      continuous_hom_dimension(source, target, task),
      same != nullptr ? same->certificate.bias : continuous_hom_dimension(trivial, target, task)};
  IntertwinerSpace weights = HomAssembly(source, target, task).space();
  IntertwinerSpace bias = same != nullptr ? same->bias : HomAssembly(trivial, target, task).space();
  prove<InternalError>(weights, source, target, certificate.weights.dimension, "weights", task);
  if (same == nullptr) prove<InternalError>(bias, trivial, target, certificate.bias.dimension, "bias", task);
  return {V,
          U,
          source,
          target,
          {channels_out, channels_in},
          std::move(weights),
          std::move(bias),
          std::move(certificate)};
}

ContinuousRepresentation product_of(const Part& part) {
  return part.first == 1 ? part.second : part.first * part.second;
}

}  // namespace

ContinuousBasis continuous_basis(const ContinuousRepresentation& V, const ContinuousRepresentation& U,
                                 const Task& task) {
  require_same_group(V, U);
  return basis_between(V, V.as_multiple(), U, U.as_multiple(), nullptr, task);
}

ContinuousBlocks continuous_blocks(const ContinuousRepresentation& V, const ContinuousRepresentation& U,
                                   const Task& task) {
  require_same_group(V, U);
  ContinuousBlocks result{V, U, {}};
  const auto inputs = V.parts(), outputs = U.parts();
  if (inputs.empty()) return result;
  for (const Part& out : outputs) {
    auto& row = result.blocks.emplace_back();
    for (const Part& in : inputs)
      row.push_back(basis_between(product_of(in), in, product_of(out), out,
                                  row.empty() ? nullptr : &row.front(), task));
  }
  return result;
}

Integer ContinuousBlocks::dimension() const {
  Integer sum = 0;
  for (const auto& row : blocks)
    for (const ContinuousBasis& block : row) sum += block.dimension();
  return sum;
}

Integer ContinuousBlocks::bias_dimension() const {
  Integer sum = 0;
  for (const auto& row : blocks) sum += row.front().bias_dimension();
  return sum;
}

ContinuousBasis ContinuousBlocks::sites(const Task& task) const {
  if (blocks.empty()) throw DomainError("V or U has dimension 0, there is no table");
  if (blocks.size() == 1 && blocks.front().size() == 1) return blocks.front().front();
  ContinuousRepresentation in = blocks.front().front().pattern_source,
                           out = blocks.front().front().pattern_target;
  for (std::size_t j = 1; j < blocks.front().size(); ++j) in = in + blocks.front()[j].pattern_source;
  for (std::size_t i = 1; i < blocks.size(); ++i) out = out + blocks[i].front().pattern_target;
  return continuous_basis(in, out, task);
}

BlockTable ContinuousBlocks::table(const Task& task, const TableOptions& options) const {
  if (blocks.empty()) throw DomainError("V or U has dimension 0, there is no table");
  BlockTable table;
  for (const auto& row : blocks) {
    table.blocks.emplace_back();
    for (const ContinuousBasis& block : row) table.blocks.back().push_back(block.table(task, options));
  }
  return table;
}

void verify(const ContinuousBasis& basis, const Task& task) {
  const ContinuousRepresentation trivial = trivial_representation(basis.source.group());
  const auto proved = [&](const IntertwinerSpace& space, const ContinuousRepresentation& V,
                          const char* what) {
    const Integer dimension = continuous_hom_dimension(V, basis.pattern_target, task).dimension;
    prove<VerificationError>(space, V, basis.pattern_target, dimension, what, task);
  };
  proved(basis.weights, basis.pattern_source, "weights");
  proved(basis.bias, trivial, "bias");
}

std::string continuous_group_json(const ContinuousGroup& G, Scalars scalars, const Task& task) {
  const bool complex = G.is_complex() && scalars != Scalars::real;
  const ContinuousRepresentation natural = natural_representation(G, !complex);
  const auto names = G.generator_names();
  const auto matrices = natural.generator_matrices(task);
  std::string generators;
  for (std::size_t g = 0; g < matrices.size(); ++g) {
    std::string entries;
    for (const auto& e : matrices[g].entries())
      entries +=
          fmt::format("{}[{},{},\"{}\"]", entries.empty() ? "" : ",", e.row, e.col, to_string(e.value));
    generators +=
        fmt::format("{}{{\"name\":{},\"entries\":[{}]}}", g == 0 ? "" : ",", quoted(names[g]), entries);
  }
  return fmt::format(
      R"({{"expression":{},"continuous":true,"scalars":"{}","natural":{},"dimension":{},"generators":[{}]}})",
      quoted(G.name()), complex ? "complex" : "real", quoted(natural.to_string()), natural.dimension(),
      generators);
}

MatrixGenerators matrix_generators(const ContinuousRepresentation& V, const ContinuousRepresentation& U,
                                   const Task& task) {
  MatrixGenerators out{
      V.group().generator_names(), {}, U.generator_matrices(task), V.generator_matrices(task)};
  for (const auto& factor : V.group().factors()) {
    const auto* classical = std::get_if<ClassicalGroup>(&factor);
    if (classical != nullptr) out.algebra.insert(out.algebra.end(), classical->lie_generators().size(), true);
    const std::size_t others = classical != nullptr ? classical->component_generators().size()
                                                    : std::get<FiniteGroup>(factor).generators().size();
    out.algebra.insert(out.algebra.end(), others, false);
  }
  return out;
}

WeightTable ContinuousBasis::table(const Task& task, const TableOptions& options) const {
  if (source.dimension() == 0 || target.dimension() == 0)
    throw DomainError("V or U has dimension 0, there is no table");
  WeightTable table;
  table.weights = sparse_pattern(weights);
  table.bias = sparse_pattern(bias);
  table.channels = channels;
  table.metadata = {
      {"convention", table_convention},
      {"group", continuous_group_json(source.group(), common_scalars(source, target), task)},
      {"rep_in", pattern_source.to_string()},
      {"rep_out", pattern_target.to_string()},
      {"field", "Q"},
      {"order", "by smallest row-major entry"},
      {"sign_rule", "the smallest entry is +"},
      {"certificate",
       fmt::format(R"({{"character_dimension":"{}","bias_character_dimension":"{}","commutes":true,)"
                   R"("independent":true,"route":"{}"{}}})",
                   certificate.weights.dimension.str(), certificate.bias.dimension.str(),
                   certificate.weights.route,
                   certificate.bias.route == certificate.weights.route
                       ? ""
                       : fmt::format(R"(,"bias_route":"{}")", certificate.bias.route))},
      {"producer", "intertwine " INTERTWINE_VERSION}};
  if (options.proof)
    table = with_proof(std::move(table), matrix_generators(pattern_source, pattern_target, task), task);
  return table;
}

}  // namespace intertwine
