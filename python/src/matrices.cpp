// Exact matrices.
#include <nanobind/ndarray.h>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/tables/data_section.hpp"

namespace intertwine::python {

Matrix::Matrix(const FieldMatrix& A) : value_(SparseMatrix()) {
  if (!A.is_rational()) {
    value_ = A;
    return;
  }
  const RationalMatrix R = A.to_rational();
  std::vector<SparseMatrix::Entry> entries;
  for (std::size_t i = 0; i < R.rows(); ++i)
    for (std::size_t j = 0; j < R.cols(); ++j)
      if (R.numerator().sign(i, j) != 0) entries.push_back({i, j, R(i, j)});
  value_ = SparseMatrix(R.rows(), R.cols(), std::move(entries));
}

std::uint64_t Matrix::rows() const { return sparse() ? sparse()->rows() : dense()->rows(); }
std::uint64_t Matrix::cols() const { return sparse() ? sparse()->cols() : dense()->cols(); }

Cyclotomic Matrix::operator()(std::uint64_t i, std::uint64_t j) const {
  return sparse() ? Cyclotomic((*sparse())(i, j)) : (*dense())(i, j);
}

FieldMatrix Matrix::to_field(const Task& task) const {
  if (dense()) return *dense();
  if (rows() * cols() > (std::uint64_t{1} << 28))
    throw LimitError("a matrix of " + std::to_string(rows()) + " x " + std::to_string(cols()) +
                     " is too large to be written out");
  return FieldMatrix(to_dense(*sparse(), task));
}

std::vector<Matrix::Entry> Matrix::entries() const {
  std::vector<Entry> list;
  if (sparse()) {
    for (const auto& e : sparse()->entries()) list.push_back({e.row, e.col, Cyclotomic(e.value)});
    return list;
  }
  for (std::size_t i = 0; i < rows(); ++i)
    for (std::size_t j = 0; j < cols(); ++j)
      if (Cyclotomic a = (*dense())(i, j); !a.is_zero()) list.push_back({i, j, std::move(a)});
  return list;
}

std::vector<Matrix> elements_of(const IntertwinerSpace& space, const Task& task) {
  std::vector<Matrix> list;
  for (std::uint64_t k = 0; k < space.params(); ++k) {
    task.poll();
    if (space.field().is_rational()) {
      list.emplace_back(space[k]);
      continue;
    }
    task.require_memory(space.rows() * space.cols() * sizeof(Cyclotomic), "an element of the basis");
    std::vector<Cyclotomic> all(space.rows() * space.cols());
    for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e)
      all[space.row()[e] * space.cols() + space.col()[e]] = space.value(e);
    list.emplace_back(FieldMatrix(space.rows(), space.cols(), all));
  }
  return list;
}

namespace {

/// The matrix with these entries; entries in one place are added up.
Matrix matrix_with(std::uint64_t rows, std::uint64_t cols, std::vector<SparseMatrix::Entry> rational,
                   const std::vector<Matrix::Entry>& irrational) {
  Matrix sparse(SparseMatrix(rows, cols, std::move(rational)));
  if (irrational.empty()) return sparse;
  return Limits().run([&](const Task& task) {
    const std::uint64_t places = saturated_product(rows, cols);
    task.require_memory(saturated_product(places, sizeof(Cyclotomic)), "a matrix");
    std::vector<Cyclotomic> all(places);
    for (const Matrix::Entry& e : sparse.entries()) all[e.row * cols + e.col] = e.value;
    for (const Matrix::Entry& e : irrational) {
      if (e.row >= rows || e.col >= cols)
        throw DomainError("Matrix.from_entries: the place (" + std::to_string(e.row) + ", " + std::to_string(e.col) +
                          ") is outside");
      all[e.row * cols + e.col] += e.value;
    }
    // The field of entries from several fields may be large.
    const AbelianField K = AbelianField::generated_by(all);
    task.require_memory(saturated_product(places, 24 * K.degree()), "a matrix over " + K.to_string());
    std::vector<RationalMatrix> parts;
    for (std::uint64_t i = 0; i < rows; ++i) {
      task.poll();
      std::vector<Rational> row(K.degree() * cols);
      for (std::uint64_t j = 0; j < cols; ++j) {
        std::vector<Rational> at = K.coordinates(all[i * cols + j]);
        for (std::size_t t = 0; t < at.size(); ++t) row[t * cols + j] = std::move(at[t]);
      }
      parts.emplace_back(1, row.size(), row);
    }
    return Matrix(FieldMatrix(K, vertical_stack(parts), cols));
  });
}

}  // namespace

Matrix exact_matrix(nb::handle o) {
  if (nb::isinstance<Matrix>(o)) return *nb::inst_ptr<Matrix>(o);
  nb::object list = nb::borrow(o);
  if (nb::hasattr(o, "tolist")) list = o.attr("tolist")();  // NumPy, SymPy
  if (!nb::isinstance<nb::sequence>(list) || nb::isinstance<nb::str>(list))
    throw DomainError(
        "a matrix is a list of rows of exact numbers, or a two-dimensional array of integers; this is a " +
        python_type(o));
  std::vector<SparseMatrix::Entry> rational;
  std::vector<Matrix::Entry> irrational;
  std::size_t asked = 4096;  // entries without a question
  const std::size_t rows = nb::len(list);
  std::size_t cols = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const nb::object row = nb::borrow<nb::sequence>(list)[i];
    if (!nb::isinstance<nb::sequence>(row) || nb::isinstance<nb::str>(row))
      throw DomainError("row " + std::to_string(i) + " (0-based) of the matrix is no list of numbers but a " +
                        python_type(row));
    const std::size_t length = nb::len(row);
    if (i == 0) cols = length;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (length != cols)
      throw DomainError("the rows of the matrix have different lengths: row " + std::to_string(i) + " (0-based) has " +
                        std::to_string(length) + " entries, row 0 has " + std::to_string(cols));
    if (rational.size() + irrational.size() > asked) {
      asked = rational.size() + irrational.size() + 4096;
      // With the limbs of a number, and twice where the list grows.
      Limits().run([&](const Task& task) { task.require_memory(asked * 160, "the entries of a matrix"); });
    }
    for (std::size_t j = 0; j < length; ++j) {
      try {
        Cyclotomic value = exact_number(nb::borrow<nb::sequence>(row)[j]);
        if (value.is_zero()) continue;
        if (value.is_rational())
          rational.push_back({i, j, value.to_rational()});
        else
          irrational.push_back({i, j, std::move(value)});
      } catch (const DomainError& e) {
        throw DomainError("entry (" + std::to_string(i) + ", " + std::to_string(j) + ") of the matrix: " + e.what());
      }
    }
  }
  return matrix_with(rows, cols, std::move(rational), irrational);
}

namespace {

std::string number_text(const Cyclotomic& a) { return a.is_integer() ? to_string(a) : "'" + to_string(a) + "'"; }

std::string text(const Matrix& A) {
  if (A.rows() == 0 || A.cols() == 0)
    return "Matrix.zero(" + std::to_string(A.rows()) + ", " + std::to_string(A.cols()) + ")";
  const auto entries = A.entries();
  if (A.rows() * A.cols() > 10'000) {  // by its entries
    std::string out = "Matrix.from_entries(" + std::to_string(A.rows()) + ", " + std::to_string(A.cols()) + ", [";
    for (const auto& e : entries)
      out += (out.back() == '[' ? "(" : ", (") + std::to_string(e.row) + ", " + std::to_string(e.col) + ", " +
             number_text(e.value) + ")";
    return out + "])";
  }
  std::string out = "Matrix([";
  std::size_t k = 0;
  for (std::uint64_t i = 0; i < A.rows(); ++i) {
    out += i == 0 ? "[" : ", [";
    for (std::uint64_t j = 0; j < A.cols(); ++j) {
      const bool here = k < entries.size() && entries[k].row == i && entries[k].col == j;
      out += (j == 0 ? "" : ", ") + (here ? number_text(entries[k++].value) : "0");
    }
    out += "]";
  }
  return out + "])";
}

nb::list rows_of(const Matrix& A) {
  nb::list rows;
  const auto entries = A.entries();
  std::size_t k = 0;
  for (std::uint64_t i = 0; i < A.rows(); ++i) {
    nb::list row;
    for (std::uint64_t j = 0; j < A.cols(); ++j) {
      if (j % 4096 == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
      const bool here = k < entries.size() && entries[k].row == i && entries[k].col == j;
      row.append(here ? to_python(entries[k++].value) : to_python(Integer(0)));
    }
    rows.append(row);
  }
  return rows;
}

template <class Number, class Convert>
nb::object filled(const Matrix& A, Convert convert) {
  if (A.rows() * A.cols() > (std::uint64_t{1} << 36))
    throw LimitError("an array of " + std::to_string(A.rows()) + " x " + std::to_string(A.cols()) +
                     " numbers is too large; take entries()");
  const std::size_t size = A.rows() * A.cols();
  auto data = std::make_unique<std::vector<Number>>(size);
  for (const auto& e : A.entries()) (*data)[e.row * A.cols() + e.col] = convert(e.value);
  Number* const first = data->data();
  const nb::capsule owner(data.release(), [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Number, nb::ndim<2>, nb::c_contig>(first, {A.rows(), A.cols()}, owner));
}

/// Integers as int64 where they fit; without a dtype nothing is rounded.
nb::object to_array(const Matrix& A, nb::handle dtype) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  std::string kind;
  if (dtype.is_none()) {
    kind = "i";
    for (const auto& e : A.entries()) {
      const std::int64_t* small = e.value.small_integer();
      if (!small) kind = "O";
    }
  } else {
    kind = nb::cast<std::string>(numpy.attr("dtype")(dtype).attr("kind"));
  }
  nb::object array;
  if (kind == "O") {
    array = numpy.attr("empty")(nb::make_tuple(A.rows(), A.cols()), "object");
    if (A.rows() * A.cols() != 0) array[nb::slice(nb::none(), nb::none(), nb::none())] = rows_of(A);
    return array;
  }
  if (kind == "c") {
    array = filled<std::complex<double>>(A, [](const Cyclotomic& a) { return a.to_complex(); });
  } else if (kind == "f") {
    array = filled<double>(A, [](const Cyclotomic& a) {
      if (!a.is_real()) throw DomainError("the entry " + to_string(a) + " is not real; take dtype=complex");
      return a.to_complex().real();
    });
  } else {
    array = filled<std::int64_t>(A, [](const Cyclotomic& a) {
      const std::int64_t* small = a.small_integer();
      if (!small)
        throw DomainError("the entry " + to_string(a) + " is no integer of 62 bits; take dtype=float or dtype=object");
      return *small;
    });
  }
  return dtype.is_none() ? array : array.attr("astype")(dtype, nb::arg("copy") = false);
}

struct DtypeTag {
  static constexpr auto name = nb::detail::const_name("numpy.typing.DTypeLike | None");
};
struct ArrayTag {
  static constexpr auto name = nb::detail::const_name("numpy.typing.NDArray[typing.Any]");
};
struct EntriesTag {
  static constexpr auto name =
      nb::detail::const_name("collections.abc.Sequence[tuple[int, int, int | str | fractions.Fraction | Cyclotomic]]");
};
std::size_t hash_of_matrix(const Matrix& A) {
  Hasher hasher;
  hasher.add(A.rows()).add(A.cols());
  for (const auto& e : A.entries()) hasher.add(e.row).add(e.col).add(e.value.hash());
  return hasher.value();
}

Matrix product(const Matrix& A, const Matrix& B) {
  return Limits().run([&](const Task& task) {
    // An entry costs a sparse product some twenty times what it costs a dense one.
    const auto dense = [&] {
      const double inner = static_cast<double>(std::max<std::uint64_t>(A.cols(), 1));
      return 20.0 * static_cast<double>(A.sparse()->entries().size()) / inner *
                 static_cast<double>(B.sparse()->entries().size()) >
             static_cast<double>(A.rows()) * inner * static_cast<double>(B.cols());
    };
    if (A.sparse() && B.sparse() && !dense()) return Matrix(A.sparse()->times(*B.sparse(), task));
    return Matrix(A.to_field(task).times(B.to_field(task), task));
  });
}

Matrix sum(const Matrix& A, const Matrix& B) {
  const nb::gil_scoped_release unlocked;
  if (A.sparse() && B.sparse()) return Matrix(*A.sparse() + *B.sparse());
  return Matrix(A.to_field() + B.to_field());
}

Matrix multiple(const Cyclotomic& c, const Matrix& A) {
  const nb::gil_scoped_release unlocked;
  if (c.is_rational() && A.sparse()) return Matrix(c.to_rational() * *A.sparse());
  return Matrix(c * A.to_field());
}

Matrix matrix_of_entries(std::uint64_t rows, std::uint64_t cols, const Typed<EntriesTag>& entries) {
  std::vector<SparseMatrix::Entry> list;
  std::vector<Matrix::Entry> irrational;
  for (const nb::handle e : nb::iter(entries.object)) {
    const auto row = nb::cast<std::uint64_t>(e[0]), col = nb::cast<std::uint64_t>(e[1]);
    const Cyclotomic value = exact_number(nb::object(e[2]));
    if (value.is_rational())
      list.push_back({row, col, value.to_rational()});
    else
      irrational.push_back({row, col, value});
  }
  return matrix_with(rows, cols, std::move(list), irrational);
}

void bind_linear_algebra(nb::class_<Matrix>& c) {
  def_limited(
      c, "rank",
      [](const Limits& limits, const Matrix& A) {
        return limits.run([&](const Task& task) { return matrix_rank(A.to_field(task), task); });
      },
      "The rank.");
  def_limited(
      c, "kernel",
      [](const Limits& limits, const Matrix& A) {
        return limits.run([&](const Task& task) { return Matrix(null_space(A.to_field(task), task)); });
      },
      "A basis of {x : A x = 0}, as rows: one free variable 1 and the others 0.");
  def_limited(
      c, "solve",
      [](const Limits& limits, const Matrix& A, const Matrix& B) -> std::optional<Matrix> {
        return limits.run([&](const Task& task) -> std::optional<Matrix> {
          const auto X = linear_solve(A.to_field(task), B.to_field(task), task);
          return X ? std::optional(Matrix(*X)) : std::nullopt;
        });
      },
      nb::arg("right"), "A solution X of A X = B, with zeros in rows that are free to choose; None if there is none.");
  def_limited(
      c, "inverse",
      [](const Limits& limits, const Matrix& A) {
        return limits.run([&](const Task& task) { return Matrix(inverse(A.to_field(task), task)); });
      },
      "The inverse; DomainError unless A is square and regular.");
}

}  // namespace

void bind_matrices(nb::module_& m) {
  nb::class_<Matrix> c(m, "Matrix", nb::is_final(),
                       R"(An exact matrix, immutable; indices are 0-based.

numpy.array(A) is int64 where all entries are integers and an array of objects otherwise; with a dtype the entries are
rounded to it.

Parameters
----------
rows : Sequence of Sequence
    rows of int, Fraction, Cyclotomic, or text of one, such as '1/2' and 'E(3)'; or an array of integers.

Raises
------
DomainError
    for rows of different lengths, and for floats, which are no exact numbers.

Examples
--------
>>> from intertwine import Matrix
>>> A = Matrix([[1, 0], ['1/2', 'E(4)']])
>>> A.shape, A[1, 0], (A @ A)[1, 1]
((2, 2), Fraction(1, 2), -1)
)");
  c.def(
      "__init__", [](Matrix* self, const Typed<MatrixTag>& rows) { new (self) Matrix(exact_matrix(rows.object)); },
      nb::arg("rows"));
  c.def_static(
      "zero", [](std::uint64_t rows, std::uint64_t cols) { return Matrix(SparseMatrix(rows, cols, {})); },
      nb::arg("rows"), nb::arg("cols"), "The zero matrix.");
  c.def_static(
      "identity",
      [](std::uint64_t n) {
        return Limits().run([&](const Task& task) {
          constexpr std::uint64_t bytes_of_entry = 200;
          task.require_memory(saturated_product(n, bytes_of_entry), "an identity matrix");
          std::vector<SparseMatrix::Entry> entries;
          for (std::uint64_t i = 0; i < n; ++i) {
            task.poll();
            entries.push_back({i, i, 1});
          }
          return Matrix(SparseMatrix(n, n, std::move(entries)));
        });
      },
      nb::arg("n"), "The identity matrix.");
  c.def_static("from_entries", matrix_of_entries, nb::arg("rows"), nb::arg("cols"), nb::arg("entries"),
               "The matrix with these entries (row, column, number); others are 0.");
  c.def_prop_ro(
      "shape", [](const Matrix& A) { return std::pair(A.rows(), A.cols()); }, "(rows, columns).");
  c.def(
      "entries",
      [](const Matrix& A) {
        nb::list out;
        for (auto& e : A.entries()) out.append(nb::make_tuple(e.row, e.col, to_python(e.value)));
        return out;
      },
      nb::sig("def entries(self) -> list[tuple[int, int, int | fractions.Fraction | Cyclotomic]]"),
      "The entries that are not 0, (row, column, number), in row-major order.");
  c.def("tolist", &rows_of, nb::sig("def tolist(self) -> list[list[int | fractions.Fraction | Cyclotomic]]"),
        "All entries, a list of rows.");
  c.def(
      "__getitem__",
      [](const Matrix& A, std::pair<std::int64_t, std::int64_t> place) {
        return Exact{A(index_below(place.first, A.rows()), index_below(place.second, A.cols()))};
      },
      nb::arg("place"));
  c.def(
      "__getitem__",
      [](const Matrix& A, std::int64_t row) {
        const std::size_t i = index_below(row, A.rows());
        nb::list out;
        for (std::uint64_t j = 0; j < A.cols(); ++j) out.append(to_python(A(i, j)));
        return out;
      },
      nb::arg("row"), nb::sig("def __getitem__(self, row: int) -> list[int | fractions.Fraction | Cyclotomic]"));
  c.def(
      "__iter__", [](const Matrix& A) { return nb::iter(rows_of(A)); },
      nb::sig("def __iter__(self) -> collections.abc.Iterator[list[int | fractions.Fraction | Cyclotomic]]"));
  c.def(
      "__array__",
      [](const Matrix& A, const Typed<DtypeTag>& dtype, std::optional<bool> copy) {
        if (copy && !*copy) throw nb::value_error("an exact matrix cannot be an array without a copy");
        return Typed<ArrayTag>{to_array(A, dtype.object)};
      },
      nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(), "For numpy.array and numpy.asarray.");
  c.def_prop_ro(
      "T",
      [](const Matrix& A) { return A.sparse() ? Matrix(A.sparse()->transpose()) : Matrix(A.dense()->transpose()); },
      "The transpose.");
  c.def(
      "trace", [](const Matrix& A) { return Exact{A.to_field().trace()}; }, "The sum of the diagonal.");
  c.def("__matmul__", &product, nb::is_operator(), nb::arg("other"));
  c.def("__add__", &sum, nb::is_operator(), nb::arg("other"));
  c.def(
      "__sub__", [](const Matrix& A, const Matrix& B) { return sum(A, multiple(-1, B)); }, nb::is_operator(),
      nb::arg("other"));
  c.def("__neg__", [](const Matrix& A) { return multiple(-1, A); });
  c.def(
      "__mul__", [](const Matrix& A, const Exact& c) { return multiple(c.value, A); }, nb::is_operator(),
      nb::arg("number"));
  c.def(
      "__rmul__", [](const Matrix& A, const Exact& c) { return multiple(c.value, A); }, nb::is_operator(),
      nb::arg("number"));
  bind_linear_algebra(c);
  c.def(
      "to_latex", [](const Matrix& A) { return to_latex(A.to_field()); }, "The matrix in LaTeX.");
  c.def(
      "_repr_latex_",
      [](const Matrix& A) -> std::optional<std::string> {
        if (A.rows() > 32 || A.cols() > 32) return std::nullopt;
        return "$" + to_latex(A.to_field()) + "$";
      },
      "For notebooks, up to 32 x 32.");
  bind_systems(c, "The matrix");
  def_python(c, "to_sympy", "intertwine._gates", "matrix_to_sympy", "def to_sympy(self) -> typing.Any",
             "The matrix in SymPy.");
  bind_value<Matrix>(c, [](const Matrix& A) { return hash_of_matrix(A); });
  c.def("__repr__", &text);
  c.def(
      "__reduce__",
      [](const Matrix& A) {
        nb::list entries;
        for (const auto& e : A.entries()) entries.append(nb::make_tuple(e.row, e.col, to_python(e.value)));
        return reduced_by_method(nb::type<Matrix>(), "from_entries", A.rows(), A.cols(), entries);
      },
      nb::sig(reduce_signature));
}

}  // namespace intertwine::python
