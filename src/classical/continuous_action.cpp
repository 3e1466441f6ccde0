// How Lie algebras, components and finite factors act on representations of continuous groups.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "continuous_node.hpp"
#include "functor_words.hpp"
#include "intertwine/error.hpp"

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

using Node = ContinuousNode;
using Matrix = EntryList<Cyclotomic>;

template <class Field>
using List = EntryList<typename Field::Element>;

/// left (x) 1 + 1 (x) right, or with one side left out where it is empty.
template <class Field>
void append_beside(List<Field>& out, const List<Field>& X, std::uint64_t before, std::uint64_t size,
                   std::uint64_t after, const Field& field) {
  // An entry is put into a sparse matrix when all are known.
  field.limits().require_memory(
      (out.entries.size() + before * X.entries.size() * after) * (sizeof(X.entries[0]) + sizeof(SparseMatrix::Entry)),
      "the matrix of a generator");
  for (std::uint64_t i = 0; i < before; ++i)
    for (const auto& e : X.entries) {
      field.poll();
      for (std::uint64_t j = 0; j < after; ++j)
        out.entries.push_back({static_cast<std::uint32_t>((i * size + e.row) * after + j),
                               static_cast<std::uint32_t>((i * size + e.col) * after + j), e.value});
    }
}

/// X on the basis of a functor of a module of n dimensions: every letter in turn is replaced by its image.
template <class Field>
List<Field> functor_action(const Partition& shape, const List<Field>& X, std::uint64_t n, const Field& field) {
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
List<Field> restricted(const Node::Submodule& module, const List<Field>& X, const Field& field) {
  std::vector<std::vector<std::pair<std::uint32_t, typename Field::Element>>> rows(module.selected.size());
  for (const auto& e : module.entries) rows[e.monomial].emplace_back(e.col, field.from(e.value));
  List<Field> out;
  for (const auto& e : X.entries) {
    if (module.selected[e.row] < 0) continue;
    for (const auto& [col, value] : rows[e.col])
      out.entries.push_back({static_cast<std::uint32_t>(module.selected[e.row]), col, field.multiply(e.value, value)});
  }
  return out;
}

template <class Field>
List<Field> action(const Node& node, std::size_t factor, const List<Field>& X, const Field& field);

/// X on the real coordinates of a complex module: multiplication by r + i s for every entry.
List<CyclotomicOperations> realified(const Node& node, std::size_t factor, const List<CyclotomicOperations>& X,
                                     const CyclotomicOperations& field) {
  const Cyclotomic half(Rational(1, 2)), i = Cyclotomic::root_of_unity(4);
  List<CyclotomicOperations> out;
  for (const auto& e : action(*node.parts[0], factor, X, field).entries) {
    const Cyclotomic z = field.imaginary ? i * e.value : e.value, real = half * (z + z.conjugate()),
                     imaginary = i * half * (z.conjugate() - z);
    out.entries.push_back({2 * e.row, 2 * e.col, real});
    out.entries.push_back({2 * e.row + 1, 2 * e.col + 1, real});
    out.entries.push_back({2 * e.row, 2 * e.col + 1, -imaginary});
    out.entries.push_back({2 * e.row + 1, 2 * e.col, imaginary});
  }
  return out;
}

/// X on the real coordinates of a complex module whose entries are all real.
List<RationalOperations> realified(const Node& node, std::size_t factor, const List<RationalOperations>& X,
                                   const RationalOperations& field) {
  List<RationalOperations> out;
  for (const auto& e : action(*node.parts[0], factor, X, field).entries) {
    const std::uint32_t shift = field.imaginary ? 1 : 0;
    out.entries.push_back({2 * e.row, 2 * e.col + shift, field.imaginary ? Rational(-e.value) : e.value});
    out.entries.push_back({2 * e.row + 1, 2 * e.col + 1 - shift, e.value});
  }
  return out;
}

/// X on the real coordinates where i is in the field: X acts on x + i y as on the module, by R, and on x - i y as
/// -X^T does on the conjugate module, by S.
List<ModularOperations> realified(const Node& node, std::size_t factor, const List<ModularOperations>& X,
                                  const ModularOperations& field) {
  const PrimeField& F = field.field;
  const PrimeField::Element i = field.imaginary_unit(), half = F.inverse(F.from(std::int64_t{2}));
  List<ModularOperations> out;
  for (const bool conjugate : {false, true})
    for (const auto& e : (conjugate ? action(*node.parts[0], factor, dual_action(X, field), field.conjugate())
                                    : action(*node.parts[0], factor, X, field))
                             .entries) {
      const PrimeField::Element real = F.multiply(half, e.value),
                                turned = F.multiply(conjugate ? F.negative(i) : i, real);
      out.entries.push_back({2 * e.row, 2 * e.col, real});
      out.entries.push_back({2 * e.row + 1, 2 * e.col + 1, real});
      out.entries.push_back({2 * e.row, 2 * e.col + 1, turned});
      out.entries.push_back({2 * e.row + 1, 2 * e.col, F.negative(turned)});
    }
  return out;
}

/// The matrices of the parts along the diagonal.
template <class Element, class Part>
EntryList<Element> direct_sum(const Node& node, const Part& part) {
  EntryList<Element> out;
  std::uint32_t offset = 0;
  for (std::size_t k = 0; k < node.parts.size(); ++k) {
    for (auto& e : part(k).entries) out.entries.push_back({e.row + offset, e.col + offset, std::move(e.value)});
    offset += static_cast<std::uint32_t>(node.parts[k]->dimension);
  }
  return out;
}

template <class Field>
List<Field> linear_action(const Node::LinearAction& own, const List<Field>& X, const Field& field) {
  List<Field> out;
  std::map<std::pair<std::uint32_t, std::uint32_t>, typename Field::Element> base;
  for (const auto& e : (own.is_twisted ? dual_action(X, field) : X).entries) {
    const auto [found, fresh] = base.emplace(std::pair(e.row, e.col), e.value);
    if (!fresh) found->second = field.add(found->second, e.value);
  }
  for (const auto& l : own.entries)
    if (const auto found = base.find({l.a, l.b}); found != base.end())
      out.entries.push_back({l.row, l.col, field.multiply(found->second, field.from(l.value))});
  return out;
}

/// X on each factor of V_1 * V_2 * ... in turn.
template <class Field>
List<Field> product_action(const Node& node, std::size_t factor, const List<Field>& X, const Field& field) {
  List<Field> out, A;
  const ContinuousNodes factors = node.factors();
  std::uint64_t before = 1, after = node.dimension;
  for (std::size_t k = 0; k < factors.size() && node.dimension != 0; ++k) {
    if (k == 0 || factors[k] != factors[k - 1]) A = action<Field>(*factors[k], factor, X, field);
    after /= factors[k]->dimension;
    append_beside<Field>(out, A, before, factors[k]->dimension, after, field);
    before *= factors[k]->dimension;
  }
  return out;
}

template <class Field>
List<Field> external_action(const Node& node, std::size_t factor, const List<Field>& X, const Field& field) {
  List<Field> out;
  std::uint64_t before = 1, after = 1;
  for (std::size_t k = 0; k < node.parts.size(); ++k)
    (k < factor ? before : k > factor ? after : before) *= k == factor ? 1 : node.parts[k]->dimension;
  append_beside<Field>(out, action<Field>(*node.parts[factor], 0, X, field), before, node.parts[factor]->dimension,
                       after, field);
  return out;
}

template <class Field>
List<Field> action(const Node& node, std::size_t factor, const List<Field>& X, const Field& field) {
  using Result = List<Field>;
  const auto part = [&](std::size_t k) { return action<Field>(*node.parts[k], factor, X, field); };
  return std::visit(
      Overloaded{
          [](const Node::Trivial&) { return Result{}; }, [](const Node::Finite&) { return Result{}; },
          [&](const Node::Vector&) { return X; },
          [&](const Node::Determinant&) {
            Result trace;
            for (const auto& e : X.entries)
              if (e.row == e.col) trace.entries.push_back({0, 0, e.value});
            return trace;
          },
          [&](const Node::LinearAction& own) { return linear_action(own, X, field); },
          [&](const Node::PartOf& own) { return restricted(own.submodule(field.limits()), part(0), field); },
          [&](const Node::Dual&) { return dual_action(part(0), field); },
          [&](const Node::Real&) { return realified(node, factor, X, field); },
          [&](const Node::Functor& own) { return functor_action(own.shape, part(0), node.parts[0]->dimension, field); },
          [&](const Node::Sum&) { return direct_sum<typename Field::Element>(node, part); },
          [&](const Node::Multiple& own) {
            Result out;
            append_beside<Field>(out, part(0), own.times, node.parts[0]->dimension, 1, field);
            return out;
          },
          [&](const Node::Product&) { return product_action(node, factor, X, field); },
          [&](const Node::Power&) { return product_action(node, factor, X, field); },
          [&](const Node::External&) { return external_action(node, factor, X, field); }},
      node.form);
}

Matrix finite_matrix(const Representation& V, const Permutation& g) {
  Matrix out;
  if (V.is_monomial()) {
    const SignedPermutation image = V.image(g);
    for (Point i = 0; i < image.degree(); ++i)
      out.entries.push_back({image(i).point(), i, Cyclotomic(image(i).sign())});
    return out;
  }
  const FieldMatrix A = V.field_matrix(g);
  for (std::uint32_t i = 0; i < A.rows(); ++i)
    for (std::uint32_t j = 0; j < A.cols(); ++j)
      if (Cyclotomic value = A(i, j); !value.is_zero()) out.entries.push_back({i, j, std::move(value)});
  return out;
}

Matrix diagonal_entries(const std::vector<int>& signs) {
  Matrix out;
  for (std::uint32_t i = 0; i < signs.size(); ++i) out.entries.push_back({i, i, Cyclotomic(signs[i])});
  return out;
}

std::size_t component_number(const Node& node, const std::vector<int>& signs) {
  const auto all = node.classical().component_generators();
  return static_cast<std::size_t>(std::ranges::find(all, signs) - all.begin());
}

/// A functor of a matrix of n rows; diagonal ones multiply the letters of a word.
Matrix functor_matrix(const Partition& shape, const Matrix& A, std::uint64_t n, const Task& task) {
  Matrix out;
  FunctorWords words(shape, n, task);
  std::vector<std::vector<std::pair<std::uint32_t, Cyclotomic>>> columns(n);
  for (const auto& e : A.entries) columns[e.col].emplace_back(e.row, e.value);
  const bool diagonal = is_diagonal(A);
  for (std::uint32_t col = 0; col < words.size(); ++col) {
    if (diagonal) {
      Cyclotomic value(1);
      for (const std::uint32_t letter : words[col]) value = value * columns[letter].at(0).second;
      out.entries.push_back({col, col, std::move(value)});
      continue;
    }
    for (auto& [row, c] : image_of_word(words[col], columns, words, task))
      out.entries.push_back({row, col, std::move(c)});
  }
  return out;
}

}  // namespace

Matrix identity_entries(std::uint64_t n) { return diagonal_entries(std::vector<int>(n, 1)); }

bool is_diagonal(const Matrix& A) {
  return std::ranges::all_of(A.entries, [](const auto& e) { return e.row == e.col; });
}

SparseMatrix diagonal_matrix(const std::vector<int>& signs) {
  std::vector<SparseMatrix::Entry> entries;
  for (std::size_t i = 0; i < signs.size(); ++i) entries.push_back({i, i, Rational(signs[i])});
  return {signs.size(), signs.size(), std::move(entries)};
}

SparseMatrix identity_matrix(std::uint64_t n) { return diagonal_matrix(std::vector<int>(n, 1)); }

Matrix kronecker_product(const Matrix& A, const Matrix& B, std::uint64_t size, const Task& task) {
  task.require_memory(A.entries.size() * B.entries.size() * sizeof(A.entries[0]), "the matrix of a component");
  Matrix out;
  out.entries.reserve(A.entries.size() * B.entries.size());
  for (const auto& a : A.entries)
    for (const auto& b : B.entries)
      out.entries.push_back({static_cast<std::uint32_t>(a.row * size + b.row),
                             static_cast<std::uint32_t>(a.col * size + b.col), a.value * b.value});
  return out;
}

SparseMatrix sparse_matrix(const FieldMatrix& A) {
  const RationalMatrix R = A.to_rational();
  std::vector<SparseMatrix::Entry> entries;
  for (std::size_t i = 0; i < R.rows(); ++i)
    for (std::size_t j = 0; j < R.cols(); ++j)
      if (R.numerator().sign(i, j) != 0) entries.push_back({i, j, R(i, j)});
  return {R.rows(), R.cols(), std::move(entries)};
}

Matrix element_action(const Node& node, std::size_t factor, const std::variant<std::vector<int>, Permutation>& element,
                      const Task& task) {
  const auto part = [&](std::size_t k) { return element_action(*node.parts[k], factor, element, task); };
  const auto* signs = std::get_if<std::vector<int>>(&element);
  const auto product = [&] {
    Matrix out = identity_entries(1);
    for (const auto& one : node.factors())
      out = kronecker_product(out, element_action(*one, factor, element, task), one->dimension, task);
    return out;
  };
  return std::visit(
      Overloaded{
          [&](const Node::Trivial&) { return identity_entries(node.dimension); },
          [&](const Node::Spinor&) { return identity_entries(node.dimension); },  // Spin(n) is connected
          [&](const Node::Vector&) { return diagonal_entries(*signs); },
          [&](const Node::Determinant&) {
            return diagonal_entries({static_cast<int>(std::ranges::count(*signs, -1) % 2 == 0 ? 1 : -1)});
          },
          [&](const Node::Finite& own) { return finite_matrix(own.V, std::get<Permutation>(element)); },
          [&](const Node::Given& own) { return own.matrices->components[component_number(node, *signs)]; },
          [&](const Node::Adjoint&) {  // by conjugation
            std::vector<int> out;
            for (const SparseMatrix& B : node.classical().lie_algebra())
              out.push_back((*signs)[B.entries()[0].row] * (*signs)[B.entries()[0].col]);
            return diagonal_entries(out);
          },
          [&](const Node::PartOf& own) { return restricted(own.submodule(task), part(0), CyclotomicOperations{}); },
          [&](const Node::Dual&) {  // signs are their own inverses
            Matrix out = signs != nullptr
                             ? part(0)
                             : element_action(*node.parts[0], factor, std::get<Permutation>(element).inverse(), task);
            for (auto& e : out.entries) std::swap(e.row, e.col);
            return out;
          },
          // SU(n) and U(n) are connected: an element of another factor.
          [&](const Node::Real&) { return kronecker_product(part(0), identity_entries(2), 2, task); },
          [&](const Node::Functor& own) { return functor_matrix(own.shape, part(0), node.parts[0]->dimension, task); },
          [&](const Node::Sum&) { return direct_sum<Cyclotomic>(node, part); },
          [&](const Node::Multiple& own) {
            return kronecker_product(identity_entries(own.times), part(0), node.parts[0]->dimension, task);
          },
          [&](const Node::Product&) { return product(); }, [&](const Node::Power&) { return product(); },
          [&](const Node::External&) {
            Matrix out = identity_entries(1);
            for (std::size_t k = 0; k < node.parts.size(); ++k) {
              const Node& one = *node.parts[k];
              out = kronecker_product(
                  out, k == factor ? element_action(one, 0, element, task) : identity_entries(one.dimension),
                  one.dimension, task);
            }
            return out;
          }},
      node.form);
}

EntryList<Rational> lie_action(const Node& node, std::size_t factor, const EntryList<Rational>& X,
                               const RationalOperations& field) {
  return action(node, factor, X, field);
}

EntryList<Cyclotomic> lie_action(const Node& node, std::size_t factor, const EntryList<Cyclotomic>& X,
                                 const CyclotomicOperations& field) {
  return action(node, factor, X, field);
}

EntryList<PrimeField::Element> lie_action(const Node& node, std::size_t factor, const EntryList<PrimeField::Element>& X,
                                          const ModularOperations& field) {
  return action(node, factor, X, field);
}

namespace {

/// X on V, by its entries over the rational numbers or over cyclotomic ones.
template <class Field>
List<Field> matrix_entries(const Node& node, std::size_t factor, const SparseMatrix& X, const Field& field) {
  List<Field> list;
  for (const auto& e : X.entries())
    list.entries.push_back({static_cast<std::uint32_t>(e.row), static_cast<std::uint32_t>(e.col), field.from(e.value)});
  return lie_action(node, factor, list, field);
}

/// Are all matrices given in it rational? real(V) and realform(V) are over Q also where those of V are not.
bool is_made_of_rationals(const Node& node) {
  if (const auto* given = node.as<Node::Given>()) return given->matrices->field.is_rational();
  return std::ranges::all_of(node.parts, [](const auto& part) { return is_made_of_rationals(*part); });
}

/// Appends a matrix of n rows, for every power of the generator of K its coefficient.
template <class Number>
void append_coefficients(EntryList<Number> matrix, std::uint64_t n, const AbelianField& K,
                         std::vector<SparseMatrix>& out) {
  std::vector<std::vector<SparseMatrix::Entry>> entries(K.degree());
  for (auto& e : matrix.entries)
    if constexpr (std::is_same_v<Number, Rational>) {
      entries[0].push_back({e.row, e.col, std::move(e.value)});
    } else if (e.value.is_rational()) {
      entries[0].push_back({e.row, e.col, e.value.to_rational()});
    } else {
      std::vector<Rational> coordinates = K.coordinates(e.value);
      for (std::size_t t = 0; t < coordinates.size(); ++t)
        if (coordinates[t] != 0) entries[t].push_back({e.row, e.col, std::move(coordinates[t])});
    }
  for (auto& list : entries) out.emplace_back(n, n, std::move(list));
}

}  // namespace

std::vector<SparseMatrix> ContinuousRepresentation::generator_matrices(const Task& task) const {
  const AbelianField K = field();
  if (!K.is_rational())
    throw DomainError(fmt::format("{} is given by matrices over {}, where rational ones are needed here", to_string(),
                                  K.to_string()));
  return generator_coefficients(K, task);
}

std::vector<SparseMatrix> ContinuousRepresentation::generator_coefficients(const AbelianField& K,
                                                                           const Task& task) const {
  if (!K.contains(field()))
    throw DomainError(fmt::format("the field of {} is {}, not in {}", to_string(), field().to_string(), K.to_string()));
  const std::uint64_t n = dimension();
  const bool real = scalars() == Scalars::real;
  find_submodules(*node_, task);
  task.require_memory(n * 64, "the matrix of a generator");
  std::vector<SparseMatrix> out;
  const bool rational = is_made_of_rationals(*node_);
  const auto add_lie = [&](std::size_t f, const SparseMatrix& X, bool imaginary) {
    if (rational)
      append_coefficients(matrix_entries(*node_, f, X, RationalOperations{imaginary, &task}), n, K, out);
    else
      append_coefficients(matrix_entries(*node_, f, X, CyclotomicOperations{imaginary, &task}), n, K, out);
  };
  const auto add = [&](std::size_t f, const auto& element) {
    append_coefficients(element_action(*node_, f, element, task), n, K, out);
  };
  for (std::size_t f = 0; f < group().factors().size(); ++f) {
    task.poll();
    if (const auto* finite = std::get_if<FiniteGroup>(&group().factors()[f])) {
      for (const Permutation& g : finite->generators()) add(f, g);
      continue;
    }
    const auto& classical = std::get<ClassicalGroup>(group().factors()[f]);
    if (classical.is_complex() && real)
      for (const auto& [X, imaginary] : classical.compact_generators()) add_lie(f, X, imaginary);
    else
      for (const SparseMatrix& X : classical.lie_generators()) add_lie(f, X, false);
    for (const std::vector<int>& signs : classical.component_generators()) add(f, signs);
  }
  return out;
}

}  // namespace intertwine
