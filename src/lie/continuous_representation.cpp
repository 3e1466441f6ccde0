#include "intertwine/lie/continuous_representation.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>

#include "continuous_node.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine {

namespace {

using Kind = ContinuousNode::Kind;
constexpr std::uint64_t largest_dimension = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void too_large() {
  throw LimitError(fmt::format("the representation has more than {} dimensions, the most that tables have",
                               largest_dimension));
}

std::uint64_t bounded_product(std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > largest_dimension / b) too_large();
  return a * b;
}

/// C(n, k), or the limit is exceeded: every product on the way is smaller than the answer.
std::uint64_t bounded_binomial(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  Integer value = 1;
  for (std::uint64_t j = 1; j <= k; ++j) {
    value = value * Integer(n - k + j) / Integer(j);
    if (value > largest_dimension) too_large();
  }
  return static_cast<std::uint64_t>(value);
}

std::uint64_t functor_dimension(std::uint64_t d, const char* what) {
  if (d > ContinuousRepresentation::max_functor_dimension)
    throw LimitError(fmt::format("{} has dimension {}; functors of continuous groups have at most {}", what,
                                 d, ContinuousRepresentation::max_functor_dimension));
  return d;
}

void require_degree(unsigned k, const char* what) {
  constexpr unsigned most = 200;
  if (k > most)
    throw LimitError(fmt::format("{} has the degree {}; degrees are at most {} here", what, k, most));
}

ContinuousNode node_of(Kind kind, const ContinuousGroup& group, std::uint64_t dimension,
                       ContinuousNodes parts = {}, std::uint64_t number = 0) {
  return {kind, group, dimension, std::move(parts), number, {}, {}, {}, {}, {}};
}

ContinuousRepresentation made(ContinuousNode node) {
  return ContinuousRepresentation(std::make_shared<const ContinuousNode>(std::move(node)));
}

const ClassicalGroup& only_classical(const ContinuousGroup& G, const char* what) {
  if (G.is_product() || !std::holds_alternative<ClassicalGroup>(G.factors().front()))
    throw DomainError(fmt::format(
        "{} belongs to one classical group, not to {}; join the representations of the factors by #", what,
        G.name()));
  return std::get<ClassicalGroup>(G.factors().front());
}

void require_same(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  if (!(V.group() == W.group()))
    throw DomainError(fmt::format("the representations belong to different groups, {} and {}",
                                  V.group().name(), W.group().name()));
}

/// Monomials of degree k in n variables as exponents' index lists i_1 <= ... <= i_k (or < for exterior powers), lexicographic.
std::vector<std::vector<std::uint32_t>> index_lists(std::uint64_t n, std::uint64_t k, bool strict) {
  std::vector<std::vector<std::uint32_t>> lists;
  std::vector<std::uint32_t> list;
  const auto extend = [&](const auto& self, std::uint32_t from) -> void {
    if (list.size() == k) {
      lists.push_back(list);
      return;
    }
    const std::uint64_t end = strict ? (k - list.size() > n ? 0 : n - (k - list.size()) + 1) : n;
    for (std::uint32_t i = from; i < end; ++i) {
      list.push_back(i);
      self(self, strict ? i + 1 : i);
      list.pop_back();
    }
  };
  extend(extend, 0);
  return lists;
}

using Exponents = std::map<std::vector<unsigned>, Rational>;

/// Sum of the second derivatives in all coordinates but the last, with the signs of the form.
Exponents laplacian_without_last(const Exponents& polynomial, const ClassicalGroup& G) {
  Exponents out;
  for (const auto& [a, value] : polynomial)
    for (unsigned i = 0; i + 1 < G.dimension(); ++i) {
      if (a[i] < 2) continue;
      std::vector<unsigned> b = a;
      b[i] -= 2;
      out[b] += value * Rational(G.form(i)) * Rational(static_cast<std::int64_t>(a[i]) * (a[i] - 1));
    }
  return out;
}

/// The basis of harmonic polynomials: Laplace's equation as a recursion in the powers of the last coordinate.
void fill_harmonic(ContinuousNode& node) {
  const ClassicalGroup& G = node.classical();
  const unsigned n = G.dimension();
  const auto lists = index_lists(n, node.number, false);
  std::map<std::vector<unsigned>, std::uint32_t> place;
  std::vector<std::vector<unsigned>> exponents;
  for (const auto& list : lists) {
    std::vector<unsigned> a(n);
    for (const std::uint32_t i : list) ++a[i];
    place.emplace(a, static_cast<std::uint32_t>(exponents.size()));
    exponents.push_back(std::move(a));
  }
  node.selected.assign(lists.size(), -1);
  std::uint32_t col = 0;
  for (std::size_t m = 0; m < exponents.size(); ++m) {
    const unsigned first = exponents[m].back();
    if (first > 1) continue;
    node.selected[m] = col;
    Exponents layer{{exponents[m], 1}};
    for (unsigned power = first; !layer.empty(); power += 2) {
      Exponents next = laplacian_without_last(layer, G);
      for (const auto& [a, value] : layer) node.harmonic.push_back({place.at(a), col, value});
      layer.clear();
      const Rational scale = Rational(-G.form(n - 1)) / Rational((power + 1) * (power + 2));
      for (auto& [a, value] : next) {
        if (value == 0) continue;
        std::vector<unsigned> b = a;
        b.back() = power + 2;
        layer.emplace(std::move(b), value * scale);
      }
    }
    ++col;
  }
}

/// The derivative of S_shape at the identity in the direction of every unit matrix: S_shape(1 + t E) is a polynomial in t of
/// degree at most |shape|, and its linear coefficient comes from its values at 0, 1, ..., |shape|.
void fill_schur(ContinuousNode& node, std::uint64_t base, const Task& task) {
  const SchurFunctor S(node.shape);
  const auto degree = static_cast<std::size_t>(node.shape.weight()), n = static_cast<std::size_t>(base);
  // The derivative at 0 of Lagrange's polynomial number j.
  std::vector<Rational> weight(degree + 1);
  for (std::size_t j = 0; j <= degree; ++j)
    for (std::size_t k = 0; k <= degree; ++k) {
      if (k == j) continue;
      Rational term = Rational(1) / Rational(static_cast<std::int64_t>(j) - static_cast<std::int64_t>(k));
      for (std::size_t l = 0; l <= degree; ++l)
        if (l != j && l != k)
          term *= Rational(-static_cast<std::int64_t>(l)) /
                  Rational(static_cast<std::int64_t>(j) - static_cast<std::int64_t>(l));
      weight[j] += term;
    }
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      task.poll();
      RationalMatrix derivative(static_cast<std::size_t>(node.dimension),
                                static_cast<std::size_t>(node.dimension));
      for (std::size_t j = 0; j <= degree; ++j) {
        if (weight[j] == 0) continue;
        IntegerMatrix X = IntegerMatrix::identity(n);
        X.set(a, b, Integer(X(a, b) + Integer(j)));
        derivative = derivative + weight[j] * S(RationalMatrix(std::move(X)), task);
      }
      for (std::size_t i = 0; i < derivative.rows(); ++i)
        for (std::size_t j = 0; j < derivative.cols(); ++j)
          if (const Rational value = derivative(i, j); value != 0)
            node.linear.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b),
                                   static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), value});
    }
}

template <class Field>
using List = EntryList<typename Field::Element>;

/// left (x) 1 + 1 (x) right, or with one side left out where it is empty.
template <class Field>
void append_beside(List<Field>& out, const List<Field>& X, std::uint64_t before, std::uint64_t size,
                   std::uint64_t after) {
  for (std::uint64_t i = 0; i < before; ++i)
    for (const auto& e : X.entries)
      for (std::uint64_t j = 0; j < after; ++j)
        out.entries.push_back({static_cast<std::uint32_t>((i * size + e.row) * after + j),
                               static_cast<std::uint32_t>((i * size + e.col) * after + j), e.value});
}

/// X on monomials: every factor in turn is replaced by its image.
template <class Field>
List<Field> power_action(const List<Field>& X, std::uint64_t n, std::uint64_t k, bool strict,
                         const Field& field) {
  const auto lists = index_lists(n, k, strict);
  std::map<std::vector<std::uint32_t>, std::uint32_t> place;
  for (const auto& list : lists) place.emplace(list, static_cast<std::uint32_t>(place.size()));
  std::vector<std::vector<std::pair<std::uint32_t, typename Field::Element>>> columns(n);
  for (const auto& e : X.entries) columns[e.col].emplace_back(e.row, e.value);
  List<Field> out;
  for (std::size_t col = 0; col < lists.size(); ++col)
    for (std::size_t at = 0; at < k; ++at)
      for (const auto& [a, value] : columns[lists[col][at]]) {
        std::vector<std::uint32_t> image = lists[col];
        image[at] = a;
        bool odd = false, repeated = false;  // bring the new factor to its place
        for (std::size_t i = at; i > 0 && image[i] < image[i - 1]; --i)
          std::swap(image[i], image[i - 1]), odd = !odd;
        for (std::size_t i = at; i + 1 < k && image[i + 1] < image[i]; ++i)
          std::swap(image[i], image[i + 1]), odd = !odd;
        for (std::size_t i = 0; strict && i + 1 < k; ++i) repeated = repeated || image[i] == image[i + 1];
        if (repeated) continue;
        out.entries.push_back({place.at(image), static_cast<std::uint32_t>(col),
                               strict && odd ? field.negative(value) : value});
      }
  return out;
}

template <class Field>
List<Field> action(const ContinuousNode& node, std::size_t factor, const List<Field>& X, const Field& field) {
  List<Field> out;
  const auto part = [&](std::size_t k) { return action<Field>(*node.parts[k], factor, X, field); };
  switch (node.kind) {
    case Kind::trivial:
    case Kind::finite:
      return out;
    case Kind::vector:
      return X;
    case Kind::determinant:
      for (const auto& e : X.entries)
        if (e.row == e.col) out.entries.push_back({0, 0, e.value});
      return out;
    case Kind::dual:
      out = part(0);
      for (auto& e : out.entries) {
        std::swap(e.row, e.col);
        e.value = field.negative(e.value);
      }
      return out;
    case Kind::harmonic: {
      std::vector<std::vector<std::pair<std::uint32_t, typename Field::Element>>> rows(node.selected.size());
      for (const auto& e : node.harmonic) rows[e.monomial].emplace_back(e.col, field.from(e.value));
      for (const auto& e : power_action(X, node.classical().dimension(), node.number, false, field).entries) {
        if (node.selected[e.row] < 0) continue;
        for (const auto& [col, value] : rows[e.col])
          out.entries.push_back(
              {static_cast<std::uint32_t>(node.selected[e.row]), col, field.multiply(e.value, value)});
      }
      return out;
    }
    case Kind::sym:
    case Kind::alt:
      return power_action(part(0), node.parts[0]->dimension, node.number, node.kind == Kind::alt, field);
    case Kind::schur: {
      std::map<std::pair<std::uint32_t, std::uint32_t>, typename Field::Element> base;
      for (const auto& e : part(0).entries) {
        const auto [found, fresh] = base.emplace(std::pair(e.row, e.col), e.value);
        if (!fresh) found->second = field.add(found->second, e.value);
      }
      for (const auto& l : node.linear)
        if (const auto found = base.find({l.a, l.b}); found != base.end())
          out.entries.push_back({l.row, l.col, field.multiply(found->second, field.from(l.value))});
      return out;
    }
    case Kind::sum: {
      std::uint32_t offset = 0;
      for (std::size_t k = 0; k < node.parts.size(); ++k) {
        for (auto& e : part(k).entries)
          out.entries.push_back({e.row + offset, e.col + offset, std::move(e.value)});
        offset += static_cast<std::uint32_t>(node.parts[k]->dimension);
      }
      return out;
    }
    case Kind::multiple:
      append_beside<Field>(out, part(0), node.number, node.parts[0]->dimension, 1);
      return out;
    case Kind::product:
    case Kind::power: {
      const std::size_t count =
          node.kind == Kind::power ? static_cast<std::size_t>(node.number) : node.parts.size();
      std::uint64_t before = 1, after = node.dimension;
      List<Field> A;
      for (std::size_t k = 0; k < count && node.dimension != 0; ++k) {
        const std::size_t which = node.kind == Kind::power ? 0 : k;
        if (k == 0 || node.kind == Kind::product) A = part(which);
        const std::uint64_t size = node.parts[which]->dimension;
        after /= size;
        append_beside<Field>(out, A, before, size, after);
        before *= size;
      }
      return out;
    }
    case Kind::external: {
      std::uint64_t before = 1, after = 1;
      for (std::size_t k = 0; k < node.parts.size(); ++k)
        (k < factor ? before : k > factor ? after : before) *= k == factor ? 1 : node.parts[k]->dimension;
      append_beside<Field>(out, action<Field>(*node.parts[factor], 0, X, field), before,
                           node.parts[factor]->dimension, after);
      return out;
    }
  }
  return out;
}

std::vector<int> beside(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> out;
  out.reserve(a.size() * b.size());
  for (const int x : a)
    for (const int y : b) out.push_back(x * y);
  return out;
}

SparseMatrix identity(std::uint64_t n) {
  std::vector<SparseMatrix::Entry> entries;
  for (std::uint64_t i = 0; i < n; ++i) entries.push_back({i, i, Rational(1)});
  return {n, n, std::move(entries)};
}

SparseMatrix kronecker(const SparseMatrix& A, const SparseMatrix& B) {
  std::vector<SparseMatrix::Entry> entries;
  entries.reserve(A.entries().size() * B.entries().size());
  for (const auto& a : A.entries())
    for (const auto& b : B.entries())
      entries.push_back({a.row * B.rows() + b.row, a.col * B.cols() + b.col, a.value * b.value});
  return {A.rows() * B.rows(), A.cols() * B.cols(), std::move(entries)};
}

SparseMatrix finite_matrix(const Representation& V, const Permutation& g) {
  std::vector<SparseMatrix::Entry> entries;
  if (V.is_monomial()) {
    const SignedPermutation image = V.image(g);
    for (Point i = 0; i < image.degree(); ++i)
      entries.push_back({image(i).point(), i, Rational(image(i).sign())});
  } else {
    const RationalMatrix A = V.matrix(g);
    for (std::size_t i = 0; i < A.rows(); ++i)
      for (std::size_t j = 0; j < A.cols(); ++j)
        if (A.numerator().sign(i, j) != 0) entries.push_back({i, j, A(i, j)});
  }
  return {V.dimension(), V.dimension(), std::move(entries)};
}

/// A permutation g of finite factor number `factor`; the other factors act as identities.
SparseMatrix finite_action(const ContinuousNode& node, std::size_t factor, const Permutation& g) {
  const auto part = [&](std::size_t k) { return finite_action(*node.parts[k], factor, g); };
  switch (node.kind) {
    case Kind::finite:
      return finite_matrix(*node.finite, g);
    case Kind::dual:
      return finite_action(*node.parts[0], factor, g.inverse()).transpose();
    case Kind::multiple:
      return kronecker(identity(node.number), part(0));
    case Kind::sum: {
      std::vector<SparseMatrix::Entry> entries;
      std::uint64_t offset = 0;
      for (std::size_t k = 0; k < node.parts.size(); ++k) {
        const SparseMatrix A = part(k);
        for (const auto& e : A.entries()) entries.push_back({e.row + offset, e.col + offset, e.value});
        offset += A.rows();
      }
      return {offset, offset, std::move(entries)};
    }
    case Kind::product:
    case Kind::power: {
      SparseMatrix out = identity(1);
      for (std::size_t k = 0; k < (node.kind == Kind::power ? node.number : node.parts.size()); ++k)
        out = kronecker(out, part(node.kind == Kind::power ? 0 : k));
      return out;
    }
    case Kind::external: {
      SparseMatrix out = identity(1);
      for (std::size_t k = 0; k < node.parts.size(); ++k)
        out = kronecker(
            out, k == factor ? finite_action(*node.parts[k], 0, g) : identity(node.parts[k]->dimension));
      return out;
    }
    default:
      return identity(node.dimension);  // of a classical factor
  }
}

}  // namespace

EntryList<Rational> lie_action(const ContinuousNode& node, std::size_t factor, const EntryList<Rational>& X,
                               const RationalOperations& field) {
  return action(node, factor, X, field);
}

EntryList<PrimeField::Element> lie_action(const ContinuousNode& node, std::size_t factor,
                                          const EntryList<PrimeField::Element>& X,
                                          const ModularOperations& field) {
  return action(node, factor, X, field);
}

std::vector<int> component_action(const ContinuousNode& node, std::size_t factor,
                                  const std::vector<int>& signs) {
  const auto part = [&](std::size_t k) { return component_action(*node.parts[k], factor, signs); };
  std::vector<int> out;
  switch (node.kind) {
    case Kind::trivial:
    case Kind::finite:
      return std::vector<int>(node.dimension, 1);
    case Kind::vector:
      return signs;
    case Kind::determinant:
      out = {1};
      for (const int s : signs) out[0] *= s;
      return out;
    case Kind::dual:
      return part(0);
    case Kind::harmonic:
    case Kind::sym:
    case Kind::alt: {
      const std::vector<int> base = node.kind == Kind::harmonic ? signs : part(0);
      const auto lists = index_lists(base.size(), node.number, node.kind == Kind::alt);
      for (std::size_t m = 0; m < lists.size(); ++m) {
        if (node.kind == Kind::harmonic && node.selected[m] < 0) continue;
        int sign = 1;
        for (const std::uint32_t i : lists[m]) sign *= base[i];
        out.push_back(sign);
      }
      return out;
    }
    case Kind::schur: {
      const std::vector<int> base = part(0);
      for (const auto& weight : SchurFunctor(node.shape).weights(static_cast<int>(base.size()))) {
        int sign = 1;
        for (std::size_t i = 0; i < base.size(); ++i)
          if (weight[i] % 2 != 0) sign *= base[i];
        out.push_back(sign);
      }
      return out;
    }
    case Kind::sum:
      for (std::size_t k = 0; k < node.parts.size(); ++k) {
        const std::vector<int> more = part(k);
        out.insert(out.end(), more.begin(), more.end());
      }
      return out;
    case Kind::multiple:
      return beside(std::vector<int>(node.number, 1), part(0));
    case Kind::product:
    case Kind::power:
      out = {1};
      for (std::size_t k = 0; k < (node.kind == Kind::power ? node.number : node.parts.size()); ++k)
        out = beside(out, part(node.kind == Kind::power ? 0 : k));
      return out;
    case Kind::external:
      out = {1};
      for (std::size_t k = 0; k < node.parts.size(); ++k)
        out = beside(out, k == factor ? component_action(*node.parts[k], 0, signs)
                                      : std::vector<int>(node.parts[k]->dimension, 1));
      return out;
  }
  return out;
}

const ContinuousGroup& ContinuousRepresentation::group() const { return node_->group; }
std::uint64_t ContinuousRepresentation::dimension() const { return node_->dimension; }

std::vector<SparseMatrix> ContinuousRepresentation::generator_matrices(const Task& task) const {
  const std::uint64_t n = dimension();
  task.require_memory(n * 64, "the matrix of a generator");
  std::vector<SparseMatrix> out;
  for (std::size_t f = 0; f < group().factors().size(); ++f) {
    task.poll();
    if (const auto* finite = std::get_if<FiniteGroup>(&group().factors()[f])) {
      for (const Permutation& g : finite->generators()) out.push_back(finite_action(*node_, f, g));
      continue;
    }
    const auto& classical = std::get<ClassicalGroup>(group().factors()[f]);
    for (const SparseMatrix& X : classical.lie_generators()) {
      EntryList<Rational> list;
      for (const auto& e : X.entries())
        list.entries.push_back(
            {static_cast<std::uint32_t>(e.row), static_cast<std::uint32_t>(e.col), e.value});
      std::vector<SparseMatrix::Entry> entries;
      for (auto& e : lie_action(*node_, f, list, RationalOperations{}).entries)
        entries.push_back({e.row, e.col, std::move(e.value)});
      out.emplace_back(n, n, std::move(entries));
    }
    for (const std::vector<int>& signs : classical.component_generators()) {
      std::vector<SparseMatrix::Entry> entries;
      const std::vector<int> diagonal = component_action(*node_, f, signs);
      for (std::size_t i = 0; i < diagonal.size(); ++i) entries.push_back({i, i, Rational(diagonal[i])});
      out.emplace_back(n, n, std::move(entries));
    }
  }
  return out;
}

std::pair<std::uint64_t, ContinuousRepresentation> ContinuousRepresentation::as_multiple() const {
  if (node_->kind != Kind::multiple) return {1, *this};
  return {node_->number, ContinuousRepresentation(node_->parts[0])};
}

namespace {

/// How tightly the text binds: 0 a sum, 1 an external product, 2 a product or a multiple, 3 a power, 4 an atom.
std::string text_of(const ContinuousNode& node, int least) {
  std::string text;
  int binds = 4;
  const auto join = [&](const char* between, int inner) {
    for (const auto& part : node.parts) text += (text.empty() ? "" : between) + text_of(*part, inner);
  };
  switch (node.kind) {
    case Kind::trivial:
      text = "trivial";
      break;
    case Kind::vector:
      text = "vector";
      break;
    case Kind::determinant:
      text = "det";
      break;
    case Kind::harmonic:
      text = fmt::format("harmonic({})", node.number);
      break;
    case Kind::finite:
      text = node.finite->to_string(TextForm::checked);
      if (text.find_first_of("+#") != std::string::npos) text = "(" + text + ")";
      break;
    case Kind::dual:
      text = "dual(" + text_of(*node.parts[0], 0) + ")";
      break;
    case Kind::sym:
      text = fmt::format("sym({}, {})", node.number, text_of(*node.parts[0], 0));
      break;
    case Kind::alt:
      text = fmt::format("alt({}, {})", node.number, text_of(*node.parts[0], 0));
      break;
    case Kind::schur:
      text = fmt::format("schur({}, {})", to_string(node.shape), text_of(*node.parts[0], 0));
      break;
    case Kind::sum:
      join(" + ", 1), binds = 0;
      break;
    case Kind::external:
      join(" # ", 2), binds = 1;
      break;
    case Kind::multiple:
      text = fmt::format("{}*{}", node.number, text_of(*node.parts[0], 3)), binds = 2;
      break;
    case Kind::product:
      join("*", 3), binds = 2;
      break;
    case Kind::power:
      text = fmt::format("{}^{}", text_of(*node.parts[0], 4), node.number), binds = 3;
      break;
  }
  return binds < least ? "(" + text + ")" : text;
}

}  // namespace

std::string ContinuousRepresentation::to_string() const { return text_of(*node_, 0); }

bool operator==(const ContinuousRepresentation& V, const ContinuousRepresentation& U) {
  return V.node_ == U.node_ || (V.group() == U.group() && V.to_string() == U.to_string());
}

ContinuousRepresentation trivial_representation(const ContinuousGroup& G) {
  return made(node_of(Kind::trivial, G, 1));
}

ContinuousRepresentation natural_representation(const ContinuousGroup& G) {
  std::vector<ContinuousRepresentation> operands;
  for (const ContinuousGroup::Factor& factor : G.factors()) {
    if (const auto* finite = std::get_if<FiniteGroup>(&factor))
      operands.push_back(finite_representation(natural_permutation_representation(*finite)));
    else
      operands.push_back(made(
          node_of(Kind::vector, ContinuousGroup({factor}), std::get<ClassicalGroup>(factor).dimension())));
  }
  return G.is_product() ? external_product(G, operands) : operands.front();
}

ContinuousRepresentation determinant_representation(const ContinuousGroup& G) {
  only_classical(G, "det");
  return made(node_of(Kind::determinant, G, 1));
}

ContinuousRepresentation harmonic_representation(const ContinuousGroup& G, unsigned degree) {
  const ClassicalGroup& classical = only_classical(G, "harmonic(l)");
  if (!classical.is_orthogonal())
    throw DomainError(
        fmt::format("harmonic(l) is a representation of orthogonal groups, not of {}", G.name()));
  require_degree(degree, "harmonic(l)");
  const std::uint64_t n = classical.dimension();
  const std::uint64_t all = bounded_binomial(n + degree - 1, degree),
                      trace = degree < 2 ? 0 : bounded_binomial(n + degree - 3, degree - 2);
  functor_dimension(all / (n < 4 ? 4 : 1), "harmonic(l)");  // Sym^l is written down on the way
  ContinuousNode node = node_of(Kind::harmonic, G, functor_dimension(all - trace, "harmonic(l)"), {}, degree);
  fill_harmonic(node);
  return made(std::move(node));
}

ContinuousRepresentation finite_representation(const Representation& V) {
  if (!V.field().is_rational())
    throw DomainError(
        fmt::format("in a product with a continuous group finite representations are rational; {} is over {}",
                    V.to_string(), V.field().to_string()));
  if (V.dimension() > largest_dimension) too_large();
  ContinuousNode node = node_of(Kind::finite, ContinuousGroup({V.group()}), V.dimension());
  node.finite = V;
  return made(std::move(node));
}

ContinuousRepresentation external_product(const ContinuousGroup& G,
                                          const std::vector<ContinuousRepresentation>& V) {
  if (V.size() != G.factors().size())
    throw DomainError(fmt::format("{} has {} factors, and {} representations are joined by #", G.name(),
                                  G.factors().size(), V.size()));
  std::uint64_t dimension = 1;
  ContinuousNodes parts;
  for (std::size_t k = 0; k < V.size(); ++k) {
    if (V[k].group().is_product() || !(V[k].group().factors().front() == G.factors()[k]))
      throw DomainError(
          fmt::format("representation {} of an external product belongs to {}, not to factor {} of {}", k + 1,
                      V[k].group().name(), k + 1, G.name()));
    dimension = bounded_product(dimension, V[k].dimension());
    parts.push_back(V[k].handle());
  }
  return made(node_of(Kind::external, G, dimension, std::move(parts)));
}

ContinuousRepresentation operator+(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  require_same(V, W);
  if (V.dimension() + W.dimension() > largest_dimension) too_large();
  ContinuousNodes parts;
  for (const auto* side : {&V, &W}) {
    if (side->node().kind == Kind::sum)
      parts.insert(parts.end(), side->node().parts.begin(), side->node().parts.end());
    else
      parts.push_back(side->handle());
  }
  return made(node_of(Kind::sum, V.group(), V.dimension() + W.dimension(), std::move(parts)));
}

ContinuousRepresentation operator*(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  require_same(V, W);
  ContinuousNodes parts;
  for (const auto* side : {&V, &W}) {
    if (side->node().kind == Kind::product)
      parts.insert(parts.end(), side->node().parts.begin(), side->node().parts.end());
    else
      parts.push_back(side->handle());
  }
  return made(
      node_of(Kind::product, V.group(), bounded_product(V.dimension(), W.dimension()), std::move(parts)));
}

ContinuousRepresentation operator*(std::uint64_t k, const ContinuousRepresentation& V) {
  return made(node_of(Kind::multiple, V.group(), bounded_product(k, V.dimension()), {V.handle()}, k));
}

ContinuousRepresentation tensor_power(const ContinuousRepresentation& V, unsigned k) {
  std::uint64_t dimension = 1;
  for (unsigned j = 0; j < k && V.dimension() > 1; ++j) dimension = bounded_product(dimension, V.dimension());
  if (V.dimension() == 0 && k > 0) dimension = 0;
  require_degree(k, "V^k");
  return made(node_of(Kind::power, V.group(), dimension, {V.handle()}, k));
}

ContinuousRepresentation dual(const ContinuousRepresentation& V) {
  return made(node_of(Kind::dual, V.group(), V.dimension(), {V.handle()}));
}

ContinuousRepresentation sym(unsigned k, const ContinuousRepresentation& V) {
  only_classical(V.group(), "sym(k, V)");
  require_degree(k, "sym(k, V)");
  const std::uint64_t n = V.dimension(), d = n == 0 ? (k == 0 ? 1 : 0) : bounded_binomial(n + k - 1, k);
  return made(node_of(Kind::sym, V.group(), functor_dimension(d, "sym(k, V)"), {V.handle()}, k));
}

ContinuousRepresentation alt(unsigned k, const ContinuousRepresentation& V) {
  only_classical(V.group(), "alt(k, V)");
  return made(node_of(Kind::alt, V.group(),
                      functor_dimension(bounded_binomial(V.dimension(), k), "alt(k, V)"), {V.handle()}, k));
}

ContinuousRepresentation schur_power(const Partition& shape, const ContinuousRepresentation& V,
                                     const Task& task) {
  only_classical(V.group(), "schur(shape, V)");
  constexpr std::uint64_t largest_base = 12;
  if (V.dimension() > largest_base)
    throw LimitError(fmt::format("schur({}, V) takes V of dimension at most {} here, not {}",
                                 to_string(shape), largest_base, V.dimension()));
  const Integer d = SchurFunctor(shape).dimension(static_cast<int>(V.dimension()));
  if (d > largest_dimension) too_large();
  ContinuousNode node =
      node_of(Kind::schur, V.group(), functor_dimension(static_cast<std::uint64_t>(d), "schur(shape, V)"),
              {V.handle()});
  node.shape = shape;
  if (d > 0) fill_schur(node, V.dimension(), task);
  return made(std::move(node));
}

}  // namespace intertwine
