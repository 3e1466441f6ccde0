// Orthonormal bases of representations and of their components.
#include <complex>

#include "arrays.hpp"
#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "intertwine/representations/representation.hpp"
#include "over.hpp"
#include "records.hpp"

namespace intertwine::python {

template <>
inline constexpr auto members<RootMatrix> =
    std::tuple(&RootMatrix::matrix, &RootMatrix::row_norms, &RootMatrix::col_norms);
template <>
inline constexpr auto members<OrthonormalBasis> =
    std::tuple(&OrthonormalBasis::form, &OrthonormalBasis::columns, &OrthonormalBasis::norms);
template <>
inline constexpr auto members<OrthonormalComponent> =
    std::tuple(&OrthonormalComponent::vectors, &OrthonormalComponent::norms, &OrthonormalComponent::matrices);

namespace {

struct NumbersTag {
  static constexpr auto name =
      nb::detail::const_name("numpy.typing.NDArray[numpy.float64] | numpy.typing.NDArray[numpy.complex128]");
};

template <class Number>
nb::object numbers_as_array(const RootMatrix& A) {
  const std::size_t rows = A.matrix.rows(), cols = A.matrix.cols();
  std::vector<Number> numbers(rows * cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < cols; ++k) {
      const std::complex<double> value = A(i, k);
      if constexpr (std::is_same_v<Number, double>)
        numbers[i * cols + k] = value.real();
      else
        numbers[i * cols + k] = value;
    }
  return owned_array<Number>(std::move(numbers), {rows, cols});
}

/// float64 where the exact matrix is over a real field.
Typed<NumbersTag> as_numbers(const RootMatrix& A) {
  return {A.matrix.field().is_real() ? numbers_as_array<double>(A) : numbers_as_array<std::complex<double>>(A)};
}

std::vector<Exact> numbers_of(const std::vector<Cyclotomic>& norms) {
  std::vector<Exact> list;
  for (const Cyclotomic& norm : norms) list.push_back({norm});
  return list;
}

}  // namespace

void bind_orthonormal_bases(nb::module_& m) {
  nb::class_<OrthonormalBasis> b(m, "OrthonormalBasis", nb::is_final(),
                                 "An orthonormal basis for the invariant form H of a representation: the vectors "
                                 "columns[:, k] / sqrt(norms[k]),\n"
                                 "columns^* H columns = diag(norms) exactly.");
  b.def_prop_ro(
      "form", [](const OrthonormalBasis& b) { return Matrix(b.form); },
      "H, positive definite: rho(g)^* H rho(g) = H, H[0, 0] = 1.");
  b.def_prop_ro(
      "columns", [](const OrthonormalBasis& b) { return Matrix(b.columns); },
      "The vectors before the roots, upper triangular with ones on the diagonal.");
  b.def_prop_ro(
      "norms", [](const OrthonormalBasis& b) { return numbers_of(b.norms); }, "The squares of their lengths, exactly.");
  b.def(
      "vectors", [](const OrthonormalBasis& b) { return as_numbers(b.vectors()); },
      "T in doubles: its columns are the orthonormal vectors.");
  b.def(
      "matrix",
      [](const OrthonormalBasis& b, Typed<MatrixTag> A) {
        const FieldMatrix given = exact_matrix(A.object).to_field();
        if (given.rows() != b.norms.size() || given.cols() != b.norms.size())
          throw DomainError("OrthonormalBasis.matrix: the basis has " + std::to_string(b.norms.size()) +
                            " vectors, and the matrix is " + std::to_string(given.rows()) + " x " +
                            std::to_string(given.cols()));
        return as_numbers(b.matrix(given));
      },
      nb::arg("matrix"),
      "T^-1 A T in doubles of a matrix A in the basis of the representation: unitary for A = rho(g).");
  b.def("__len__", [](const OrthonormalBasis& b) { return b.norms.size(); });
  b.def("__repr__", [](const OrthonormalBasis& b) {
    return "<OrthonormalBasis of " + std::to_string(b.norms.size()) + " vectors>";
  });
  bind_record<OrthonormalBasis>(b);

  nb::class_<OrthonormalComponent> k(m, "OrthonormalComponent", nb::is_final(),
                                     "An isotypic component by orthonormal vectors, copy after copy of one "
                                     "irreducible representation by unitary "
                                     "matrices.");
  k.def_prop_ro(
      "vectors", [](const OrthonormalComponent& c) { return Matrix(c.vectors); },
      "dim V x (multiplicity * degree): the vectors before the roots, exactly.");
  k.def_prop_ro(
      "norms", [](const OrthonormalComponent& c) { return numbers_of(c.norms); },
      "The squares of their lengths, exactly.");
  k.def(
      "basis", [](const OrthonormalComponent& c) { return as_numbers(c.basis()); },
      "The orthonormal vectors in doubles, as columns.");
  k.def(
      "matrices",
      [](const OrthonormalComponent& c) {
        std::vector<Typed<NumbersTag>> list;
        for (const RootMatrix& A : c.matrices) list.push_back(as_numbers(A));
        return list;
      },
      "The unitary matrices of the generators on every copy, in doubles.");
  k.def("__repr__", [](const OrthonormalComponent& c) {
    return "<OrthonormalComponent of " + std::to_string(c.norms.size()) + " vectors>";
  });
  bind_record<OrthonormalComponent>(k);
  auto V = class_of<hom::Representation>();
  def_limited(
      V, "orthonormal_basis",
      [](const Limits& limits, const Representation& V) {
        return limits.run([&](const Task& task) {
          OrthonormalBasis basis = orthonormal_basis(invariant_hermitian_form(V, task), task);
          std::vector<FieldMatrix> images;
          for (const Permutation& g : V.group().generators()) images.push_back(V.field_matrix(g));
          verify(basis, images, task);
          return basis;
        });
      },
      "A basis that is orthonormal for an invariant form, in which the matrices are unitary (orthogonal over "
      "real "
      "fields): exact\n"
      "under square roots, and verified. The form is the identity where they are unitary already, otherwise "
      "the mean of "
      "rho(g)^* rho(g).");
  def_limited(
      V, "orthonormal_isotypic",
      [](const Limits& limits, const Representation& V, Typed<OverTag> over) {
        const BaseField field = base_field_of(over);
        return limits.run([&](const Task& task) {
          const auto parts = isotypic_decomposition(V, table_of(V.group(), task), field, task);
          return orthonormal_decomposition(V, parts, field, task).components;
        });
      },
      nb::arg("over") = "real",
      "The components of isotypic() by orthonormal vectors, those of different copies and components "
      "orthogonal too: the "
      "arrays\n"
      "basis() side by side are a unitary matrix where V is unitary, as permutations are; otherwise for the "
      "form of "
      "orthonormal_basis().\n"
      "over: 'real' or 'complex'.");
}

}  // namespace intertwine::python
