// How Lie algebras, components and finite factors act on representations of continuous groups.
#include <algorithm>
#include <map>

#include "continuous_node.hpp"
#include "functor_words.hpp"

namespace intertwine {

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

namespace {

using Kind = ContinuousNode::Kind;

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

/// X on the basis of a functor of a module of n dimensions: every letter in turn is replaced by its image.
template <class Field>
List<Field> functor_action(const Partition& shape, const List<Field>& X, std::uint64_t n,
                           const Field& field) {
  const Task task = field.limits();
  FunctorWords words(shape, n, task);
  std::vector<std::vector<std::pair<std::uint32_t, typename Field::Element>>> columns(n);
  for (const auto& e : X.entries) columns[e.col].emplace_back(e.row, e.value);
  List<Field> out;
  for (std::size_t col = 0; col < words.size(); ++col) {
    field.poll();
    for (std::size_t at = 0; at < words.degree(); ++at) {
      LetterWord image(words[col].begin(), words[col].end());
      for (const auto& [a, value] : columns[words[col][at]]) {
        image[at] = a;
        for (const auto& [row, c] : words.element(image, task))
          out.entries.push_back({row, static_cast<std::uint32_t>(col), field.multiply(value, field.from(c))});
      }
    }
  }
  return out;
}

/// -X^T
template <class Field>
List<Field> dual_action(List<Field> X, const Field& field) {
  for (auto& e : X.entries) {
    std::swap(e.row, e.col);
    e.value = field.negative(e.value);
  }
  return X;
}

/// X on a submodule whose basis vectors are known by one coordinate each.
template <class Field>
List<Field> restricted(const ContinuousNode& node, const List<Field>& X, const Field& field) {
  std::vector<std::vector<std::pair<std::uint32_t, typename Field::Element>>> rows(node.selected.size());
  for (const auto& e : node.harmonic) rows[e.monomial].emplace_back(e.col, field.from(e.value));
  List<Field> out;
  for (const auto& e : X.entries) {
    if (node.selected[e.row] < 0) continue;
    for (const auto& [col, value] : rows[e.col])
      out.entries.push_back(
          {static_cast<std::uint32_t>(node.selected[e.row]), col, field.multiply(e.value, value)});
  }
  return out;
}

template <class Field>
List<Field> action(const ContinuousNode& node, std::size_t factor, const List<Field>& X, const Field& field);

/// X on the real coordinates of a complex module: multiplication by r + i s for every entry.
List<RationalOperations> realified(const ContinuousNode& node, std::size_t factor,
                                   const List<RationalOperations>& X, const RationalOperations& field) {
  List<RationalOperations> out;
  for (const auto& e : action(*node.parts[0], factor, X, field).entries) {
    const std::uint32_t shift = field.imaginary ? 1 : 0;
    out.entries.push_back({2 * e.row, 2 * e.col + shift, field.imaginary ? Rational(-e.value) : e.value});
    out.entries.push_back({2 * e.row + 1, 2 * e.col + 1 - shift, e.value});
  }
  return out;
}

/// The same where i is in the field: X acts on x + i y as on the module, by R, and on x - i y as -X^T does, by S.
List<ModularOperations> realified(const ContinuousNode& node, std::size_t factor,
                                  const List<ModularOperations>& X, const ModularOperations& field) {
  const PrimeField& F = field.field;
  const PrimeField::Element i = F.root_of_unity(4), half = F.inverse(F.from(std::int64_t{2}));
  List<ModularOperations> out;
  for (const bool conjugate : {false, true})
    for (const auto& e :
         action(*node.parts[0], factor, conjugate ? dual_action(X, field) : X, field).entries) {
      const PrimeField::Element real = F.multiply(half, e.value),
                                turned = F.multiply(conjugate ? F.negative(i) : i, real);
      out.entries.push_back({2 * e.row, 2 * e.col, real});
      out.entries.push_back({2 * e.row + 1, 2 * e.col + 1, real});
      out.entries.push_back({2 * e.row, 2 * e.col + 1, turned});
      out.entries.push_back({2 * e.row + 1, 2 * e.col, F.negative(turned)});
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
      return dual_action(part(0), field);
    case Kind::harmonic:
      return restricted(node, functor_action(functor_shape(node), X, node.classical().dimension(), field),
                        field);
    case Kind::irrep:
      return restricted(node, part(0), field);
    case Kind::real:
      return realified(node, factor, X, field);
    case Kind::sym:
    case Kind::alt:
    case Kind::schur:
      return functor_action(functor_shape(node), part(0), node.parts[0]->dimension, field);
    case Kind::spinor:
    case Kind::adjoint:
    case Kind::given: {
      std::map<std::pair<std::uint32_t, std::uint32_t>, typename Field::Element> base;
      const bool twisted = node.kind != Kind::spinor && node.number == 1;
      for (const auto& e : (twisted ? dual_action(X, field) : X).entries) {
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
SparseMatrix finite_action(const ContinuousNode& node, std::size_t factor, const Permutation& g,
                           const Task& task) {
  const auto part = [&](std::size_t k) { return finite_action(*node.parts[k], factor, g, task); };
  switch (node.kind) {
    case Kind::finite:
      return finite_matrix(*node.finite, g);
    case Kind::dual:
      return finite_action(*node.parts[0], factor, g.inverse(), task).transpose();
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
        out = kronecker(out, k == factor ? finite_action(*node.parts[k], 0, g, task)
                                         : identity(node.parts[k]->dimension));
      return out;
    }
    case Kind::sym:
    case Kind::alt:
    case Kind::schur: {
      std::vector<ContinuousTerm::Vector> columns(node.parts[0]->dimension);
      const SparseMatrix A = part(0);
      for (const auto& e : A.entries())
        columns[e.col].emplace_back(static_cast<std::uint32_t>(e.row), e.value);
      FunctorWords words(functor_shape(node), columns.size(), task);
      std::vector<SparseMatrix::Entry> entries;
      for (std::size_t col = 0; col < words.size(); ++col)
        for (auto& [row, c] : image_of_word(words[col], columns, words, task))
          entries.push_back({row, col, std::move(c)});
      return {words.size(), words.size(), std::move(entries)};
    }
    default:
      return identity(node.dimension);  // of a classical factor
  }
}

}  // namespace

namespace {

std::size_t component_number(const ContinuousNode& node, const std::vector<int>& signs) {
  const auto all = node.classical().component_generators();
  return static_cast<std::size_t>(std::ranges::find(all, signs) - all.begin());
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
    case Kind::spinor:  // Spin(n) is connected
    case Kind::real:    // and so are SU(n) and U(n)
      return std::vector<int>(node.dimension, 1);
    case Kind::vector:
      return signs;
    case Kind::determinant:
      out = {1};
      for (const int s : signs) out[0] *= s;
      return out;
    case Kind::dual:
      return part(0);
    case Kind::given:
      return node.given->components.at(component_number(node, signs));
    case Kind::adjoint:  // by conjugation
      for (const SparseMatrix& B : node.classical().lie_algebra())
        out.push_back(signs[B.entries()[0].row] * signs[B.entries()[0].col]);
      return out;
    case Kind::irrep: {
      const std::vector<int> base = part(0);
      for (std::size_t k = 0; k < base.size(); ++k)
        if (node.selected[k] >= 0) out.push_back(base[k]);
      return out;
    }
    case Kind::harmonic:
    case Kind::sym:
    case Kind::alt:
    case Kind::schur: {
      const std::vector<int> base = node.kind == Kind::harmonic ? signs : part(0);
      const FunctorWords words(functor_shape(node), base.size(), {});
      for (std::size_t m = 0; m < words.size(); ++m) {
        if (node.kind == Kind::harmonic && node.selected[m] < 0) continue;
        int sign = 1;
        for (const std::uint32_t i : words[m]) sign *= base[i];
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

std::vector<SparseMatrix> ContinuousRepresentation::generator_matrices(const Task& task) const {
  const std::uint64_t n = dimension();
  const bool real = scalars() == Scalars::real;
  task.require_memory(n * 64, "the matrix of a generator");
  std::vector<SparseMatrix> out;
  for (std::size_t f = 0; f < group().factors().size(); ++f) {
    task.poll();
    if (const auto* finite = std::get_if<FiniteGroup>(&group().factors()[f])) {
      for (const Permutation& g : finite->generators()) out.push_back(finite_action(*node_, f, g, task));
      continue;
    }
    const auto& classical = std::get<ClassicalGroup>(group().factors()[f]);
    const auto add = [&](const SparseMatrix& X, bool imaginary) {
      EntryList<Rational> list;
      for (const auto& e : X.entries())
        list.entries.push_back(
            {static_cast<std::uint32_t>(e.row), static_cast<std::uint32_t>(e.col), e.value});
      std::vector<SparseMatrix::Entry> entries;
      for (auto& e : lie_action(*node_, f, list, RationalOperations{imaginary, &task}).entries)
        entries.push_back({e.row, e.col, std::move(e.value)});
      out.emplace_back(n, n, std::move(entries));
    };
    if (classical.is_complex() && real)
      for (const auto& [X, imaginary] : classical.compact_generators()) add(X, imaginary);
    else
      for (const SparseMatrix& X : classical.lie_generators()) add(X, false);
    for (const std::vector<int>& signs : classical.component_generators()) {
      std::vector<SparseMatrix::Entry> entries;
      const std::vector<int> diagonal = component_action(*node_, f, signs);
      for (std::size_t i = 0; i < diagonal.size(); ++i) entries.push_back({i, i, Rational(diagonal[i])});
      out.emplace_back(n, n, std::move(entries));
    }
  }
  return out;
}

}  // namespace intertwine
