// Bases of Hom for continuous groups, with proofs.
#include "intertwine/classical/continuous_hom_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

#include "classical/generator_lines.hpp"
#include "continuous_hom.hpp"
#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"

namespace intertwine {

namespace {

/// Hom between V and U, term by term.
class HomAssembly {
 public:
  HomAssembly(const ContinuousRepresentation& V, const ContinuousRepresentation& U, const Task& task)
      : rows_(U.dimension()),
        cols_(V.dimension()),
        field_(AbelianField::compositum(V.field(), U.field())),
        task_(task) {
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
    const auto covers = [](const std::vector<ContinuousTerm>& terms, std::uint64_t dimension) {
      std::uint64_t sum = 0;
      for (const ContinuousTerm& term : terms) sum += term.size();
      return sum > dimension;
    };
    if (std::ranges::any_of(in, spread) || std::ranges::any_of(out, spread))
      sparsify_elements(covers(in, cols_) || covers(out, rows_));
  }

  IntertwinerSpace space() { return {rows_, cols_, std::move(elements_), field_}; }

 private:
  const FieldElements& factor_hom(std::size_t f, const ContinuousPiece& V, const ContinuousPiece& U) {
    if (homs_[f]) return (*homs_[f])(V, U, task_);
    const auto [found, fresh] = finite_[f].try_emplace({V.key(), U.key()});
    if (fresh) {
      const IntertwinerSpace space = intertwiner_space(*V.finite, *U.finite, task_);
      found->second = {space.field(), space.elements()};
    }
    return found->second;
  }

  void append(const ContinuousTerm& source, const ContinuousTerm& target) {
    std::vector<const FieldElements*> factors(homs_.size());
    std::vector<std::size_t> order(homs_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // Classical factors first: where they have no maps the finite ones, whose modules are larger, are not looked at.
    std::stable_partition(order.begin(), order.end(), [&](std::size_t f) { return homs_[f] != nullptr; });
    std::uint64_t count = 1, entries = 1;
    for (const std::size_t f : order) {
      factors[f] = &factor_hom(f, source.pieces[f], target.pieces[f]);
      const auto& elements = factors[f]->elements;
      if (elements.empty()) return;
      std::uint64_t most = 0;
      for (const auto& element : elements) most = std::max<std::uint64_t>(most, element.place.size());
      count *= elements.size();
      entries *= most;
      constexpr std::uint64_t most_elements = 1'000'000;
      if (count + elements_.size() > most_elements)
        throw LimitError(fmt::format("the basis has more than {} elements", most_elements));
      task_.require_memory(count * entries * 64, "the elements of a basis");
    }
    std::vector<std::size_t> choice(factors.size(), 0);
    for (std::uint64_t k = 0; k < count; ++k) {
      task_.poll();
      elements_.push_back(field_.is_rational() ? product<Integer, Rational>(source, target, factors, choice)
                                               : product<Cyclotomic, Cyclotomic>(source, target, factors, choice));
      for (std::size_t f = choice.size(); f-- > 0;) {
        if (++choice[f] < factors[f]->elements.size()) break;
        choice[f] = 0;
      }
    }
  }

  template <class Value>
  struct ProductEntry {
    std::uint64_t row, col;
    Value value;
  };
  /// Value: of the elements of factors; Number: of sums of their multiples by rational numbers.
  template <class Value, class Number>
  IntertwinerSpace::Element product(const ContinuousTerm& source, const ContinuousTerm& target,
                                    const std::vector<const FieldElements*>& factors,
                                    const std::vector<std::size_t>& choice) const {
    std::vector<ProductEntry<Value>> entries{{0, 0, Value(1)}};
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const auto& element = factors[f]->elements[choice[f]];
      const std::uint64_t m = target.pieces[f].dimension, n = source.pieces[f].dimension;
      std::vector<Value> values;
      for (std::size_t k = 0; k < element.place.size(); ++k)
        if constexpr (std::is_same_v<Value, Integer>)
          values.push_back(element.value(0, k));
        else
          values.push_back(value_of(factors[f]->field, element.value, k));
      std::vector<ProductEntry<Value>> next;
      next.reserve(entries.size() * element.place.size());
      for (const ProductEntry<Value>& e : entries)
        for (std::size_t k = 0; k < element.place.size(); ++k)
          next.push_back({e.row * m + element.place[k] / n, e.col * n + element.place[k] % n, e.value * values[k]});
      entries = std::move(next);
    }
    if (source.spread || target.spread) return spread_product<Number>(source, target, entries);
    std::vector<std::pair<std::uint64_t, std::size_t>> order;
    for (std::size_t k = 0; k < entries.size(); ++k)
      order.emplace_back(target.coordinates[entries[k].row] * cols_ + source.coordinates[entries[k].col], k);
    std::sort(order.begin(), order.end());
    std::vector<std::uint64_t> places;
    std::vector<Value> values;
    for (const auto& [place, k] : order) {
      places.push_back(place);
      values.push_back(std::move(entries[k].value));
    }
    return element_with(std::move(places), values);
  }

  IntertwinerSpace::Element element_with(std::vector<std::uint64_t> places, const std::vector<Integer>& values) const {
    return {std::move(places), IntegerMatrix(1, values.size(), values)};
  }
  /// Times the common denominator of all coordinates.
  template <class Number>
  IntertwinerSpace::Element element_with(std::vector<std::uint64_t> places, const std::vector<Number>& values) const {
    const std::size_t degree = field_.degree();
    std::vector<Rational> numbers(degree * values.size());
    Integer common = 1;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::vector<Rational> coordinates = field_.coordinates(Cyclotomic(values[k]));
      for (std::size_t c = 0; c < degree; ++c) {
        common = lcm(common, Integer(denominator(coordinates[c])));
        numbers[c * values.size() + k] = coordinates[c];
      }
    }
    std::vector<Integer> integers;
    for (const Rational& x : numbers) integers.emplace_back(numerator(x * Rational(common)));
    return {std::move(places), IntegerMatrix(degree, values.size(), integers)};
  }

  /// The element of a product whose terms are not spanned by basis vectors.
  template <class Number, class Value>
  IntertwinerSpace::Element spread_product(const ContinuousTerm& source, const ContinuousTerm& target,
                                           const std::vector<ProductEntry<Value>>& entries) const {
    std::map<std::uint64_t, Number> sum;
    for (const ProductEntry<Value>& e : entries) {
      task_.poll();
      const ContinuousTerm::Vector covector = source.projected(e.col);
      for (const auto& [row, a] : target.included(e.row))
        for (const auto& [col, b] : covector) sum[row * cols_ + col] += Number(e.value) * Number(a) * Number(b);
    }
    std::vector<std::uint64_t> places;
    std::vector<Number> values;
    for (auto& [place, value] : sum)
      if (value != Number(0)) {
        places.push_back(place);
        values.push_back(std::move(value));
      }
    return element_with(std::move(places), values);
  }

  /// Gives the elements more zeros, where the natural maps of functors have mixed them. \param dependent  they span it
  void sparsify_elements(bool dependent) {
    std::map<std::uint64_t, std::size_t> column;
    for (const auto& element : elements_)
      for (const std::uint64_t place : element.place) column.try_emplace(place, 0);
    const std::size_t f = field_.degree();
    constexpr std::uint64_t most_entries = 300'000;
    if (elements_.empty()) return;
    const bool many = f * f * elements_.size() * column.size() > most_entries;
    if (!dependent && (elements_.size() < 2 || many)) return;
    task_.require_memory(f * elements_.size() * column.size() * sizeof(Integer), "the elements of a basis");
    std::vector<std::uint64_t> places;
    for (auto& [place, at] : column) {
      at = places.size();
      places.push_back(place);
    }
    IntegerMatrix A(elements_.size(), f * places.size());
    for (std::size_t k = 0; k < elements_.size(); ++k)
      for (std::size_t e = 0; e < elements_[k].place.size(); ++e)
        for (std::size_t c = 0; c < f; ++c)
          A.set(k, c * places.size() + column.at(elements_[k].place[e]), elements_[k].value(c, e));
    FieldMatrix rows(field_, RationalMatrix(std::move(A)), places.size());
    if (dependent) rows = reduced_echelon(rows, task_).matrix;
    elements_ = sparse_elements(rows, task_).elements;
    for (auto& element : elements_)
      for (std::uint64_t& place : element.place) place = places[place];
  }

  std::uint64_t rows_, cols_;
  AbelianField field_;
  const Task& task_;
  std::vector<std::unique_ptr<ClassicalHom>> homs_;
  std::vector<std::map<std::pair<std::string, std::string>, FieldElements>> finite_;
  std::vector<IntertwinerSpace::Element> elements_;
};

/// The lines of a matrix times a common denominator.
template <class Number>
struct MatrixLines {
  Number denominator{1};
  std::vector<std::vector<std::pair<std::uint64_t, Number>>> lines;
};

MatrixLines<Integer> integral_rows(const SparseMatrix& A) {
  MatrixLines<Integer> out{1, {}};
  out.lines.resize(A.rows());
  for (const auto& e : A.entries())
    out.denominator = lcm(out.denominator, Integer(boost::multiprecision::denominator(e.value)));
  for (const auto& e : A.entries())
    out.lines[e.row].emplace_back(e.col,
                                  Integer(boost::multiprecision::numerator(e.value * Rational(out.denominator))));
  return out;
}

/// Does W commute, g_U W = W g_V? Sums place by place, the left matrix given by its columns.
template <class Number>
bool commutes(const std::vector<std::uint64_t>& places, const std::vector<Number>& values, std::uint64_t n,
              const MatrixLines<Number>& left_columns, const MatrixLines<Number>& right_rows) {
  std::vector<std::pair<std::uint64_t, Number>> defect;
  for (std::size_t e = 0; e < places.size(); ++e) {
    const std::uint64_t i = places[e] / n, j = places[e] % n;
    const Number left = values[e] * right_rows.denominator, right = values[e] * left_columns.denominator;
    for (const auto& [k, a] : left_columns.lines[i]) defect.emplace_back(k * n + j, a * left);
    for (const auto& [k, b] : right_rows.lines[j]) defect.emplace_back(i * n + k, -b * right);
  }
  std::sort(defect.begin(), defect.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < defect.size();) {
    const std::uint64_t place = defect[k].first;
    Number sum(0);
    for (; k < defect.size() && defect[k].first == place; ++k) sum += defect[k].second;
    if (!(sum == Number(0))) return false;
  }
  return true;
}

/// Commutation, independence, the count. A step that fails throws Failure.
template <class Failure>
void prove(const IntertwinerSpace& space, const ContinuousRepresentation& V, const ContinuousRepresentation& U,
           const Integer& dimension, const Task& task) {
  if (const auto k = first_that_does_not_commute(space, V, U, task))
    throw Failure(fmt::format("element {} (0-based) of Hom({}, {}) does not commute with every generator", *k,
                              V.to_string(), U.to_string()));
  if (!are_independent(space, task))
    throw Failure(fmt::format("the elements of Hom({}, {}) are linearly dependent", V.to_string(), U.to_string()));
  if (dimension != space.params())
    throw Failure(fmt::format("Hom({}, {}) has {} elements here, but characters count {}", V.to_string(), U.to_string(),
                              space.params(), dimension.str()));
}

}  // namespace

std::optional<std::uint64_t> first_that_does_not_commute(const IntertwinerSpace& space,
                                                         const ContinuousRepresentation& V,
                                                         const ContinuousRepresentation& U, const Task& task) {
  if (space.rows() != U.dimension() || space.cols() != V.dimension())
    throw DomainError(fmt::format("the matrices are {} x {}, and the representations have dimensions {} -> {}",
                                  space.rows(), space.cols(), V.dimension(), U.dimension()));
  if (space.params() == 0) return std::nullopt;
  const AbelianField K = AbelianField::compositum(space.field(), AbelianField::compositum(V.field(), U.field()));
  const std::size_t f = K.degree();
  const auto right = V.generator_coefficients(K, task), left = U.generator_coefficients(K, task);
  const auto first_that_fails = [&]<class Number>(std::size_t g, const MatrixLines<Number>& columns,
                                                  const MatrixLines<Number>& rows) -> std::optional<std::uint64_t> {
    for (std::uint64_t k = 0; k < space.params(); ++k) {
      task.progress("checking that the elements commute", g * space.params() + k, left.size() / f * space.params());
      const IntertwinerSpace::Element W = space.element(k);
      std::vector<Number> values;
      for (std::size_t e = 0; e < W.place.size(); ++e)
        if constexpr (std::is_same_v<Number, Integer>)
          values.push_back(W.value(0, e));
        else
          values.push_back(value_of(space.field(), W.value, e));
      if (!commutes(W.place, values, space.cols(), columns, rows)) return k;
    }
    return std::nullopt;
  };
  for (std::size_t g = 0; g < left.size() / f; ++g) {
    const auto lines = [&](const std::vector<SparseMatrix>& all, bool columns) {
      return MatrixLines<Cyclotomic>{1, generator_lines<Cyclotomic>(all, g, K, columns)};
    };
    const auto k = K.is_rational() ? first_that_fails(g, integral_rows(left[g].transpose()), integral_rows(right[g]))
                                   : first_that_fails(g, lines(left, true), lines(right, false));
    if (k) return k;
  }
  return std::nullopt;
}

HomBasis hom_basis(const ContinuousRepresentation& V, const ContinuousRepresentation& U, const Task& task) {
  if (!(V.group() == U.group()))
    throw DomainError(
        fmt::format("the representations belong to different groups, {} and {}", V.group().name(), U.group().name()));
  static_cast<void>(common_scalars(V, U));
  CountedDimension counted = continuous_hom_dimension(V, U, task);
  IntertwinerSpace space = HomAssembly(V, U, task).space();
  prove<InternalError>(space, V, U, counted.dimension, task);
  return {std::move(space),
          {std::move(counted.dimension), std::move(counted.route), Commutation::every_entry, Independence::rank}};
}

void verify(const IntertwinerSpace& basis, const ContinuousRepresentation& V, const ContinuousRepresentation& U,
            const Task& task) {
  prove<VerificationError>(basis, V, U, continuous_hom_dimension(V, U, task).dimension, task);
}

MatrixGenerators matrix_generators(const ContinuousRepresentation& V, const ContinuousRepresentation& U,
                                   const Task& task) {
  const AbelianField K = AbelianField::compositum(V.field(), U.field());
  MatrixGenerators out{
      V.group().generator_names(), {}, U.generator_coefficients(K, task), V.generator_coefficients(K, task), K};
  for (const auto& factor : V.group().factors()) {
    const auto* classical = std::get_if<ClassicalGroup>(&factor);
    if (classical != nullptr) out.algebra.insert(out.algebra.end(), classical->lie_generators().size(), true);
    const std::size_t others = classical != nullptr ? classical->component_generators().size()
                                                    : std::get<FiniteGroup>(factor).generators().size();
    out.algebra.insert(out.algebra.end(), others, false);
  }
  return out;
}

}  // namespace intertwine
