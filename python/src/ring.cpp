// The coordinate ring of matrices: bitableaux, straightening, ideals of minors.
#include <nanobind/stl/tuple.h>

#include <limits>

#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/bitableau.hpp"
#include "intertwine/gl/coordinate_ring.hpp"
#include "intertwine/gl/determinantal.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/ring_text.hpp"
#include "records.hpp"

namespace intertwine::python {

namespace {

// --- Products of minors ------------------------------------------------------------------------------------------------------

using Minors = std::vector<std::pair<std::vector<int>, std::vector<int>>>;

struct BitableauTag {
  static constexpr auto name = nb::detail::const_name("Bitableau | str");
};

/// A Bitableau, or its text.
Bitableau bitableau_in(MatrixSize size, nb::handle o) {
  if (nb::isinstance<nb::str>(o)) return parse_bitableau(nb::cast<std::string>(o), size);
  if (!nb::isinstance<Bitableau>(o))
    throw DomainError("a product of minors is a Bitableau or a text such as '[1,2|1,3][2|2]', not " +
                      nb::cast<std::string>(nb::repr(o)).substr(0, 60));
  Bitableau b = *nb::inst_ptr<Bitableau>(o);
  b.require_inside(size);
  return b;
}

/// The product of minors of a text, which may have rows and columns in any order.
BitableauTerm product_in(MatrixSize size, nb::handle o) {
  if (nb::isinstance<nb::str>(o)) return parse_product_of_minors(nb::cast<std::string>(o), size);
  return {1, bitableau_in(size, o)};
}

std::vector<std::pair<Bitableau, Integer>> pairs_of(const std::vector<BitableauTerm>& terms) {
  std::vector<std::pair<Bitableau, Integer>> list;
  for (const BitableauTerm& t : terms) list.emplace_back(t.bitableau, t.coefficient);
  return list;
}

constexpr MatrixSize any_size{std::numeric_limits<int>::max(), std::numeric_limits<int>::max()};

struct MinorsTag {
  static constexpr auto name = nb::detail::const_name(
      "str | collections.abc.Sequence[tuple[collections.abc.Sequence[int], "
      "collections.abc.Sequence[int]]]");
};

Bitableau bitableau_of(const Typed<MinorsTag>& minors) {
  if (nb::isinstance<nb::str>(minors.object)) return bitableau_in(any_size, minors.object);
  Minors list;
  if (!nb::try_cast(minors.object, list))
    throw DomainError("a product of minors is a list of pairs (rows, columns), or a text such as '[1,2|1,3][2|2]'");
  std::vector<MatrixMinor> result;
  for (auto& [rows, cols] : list) result.push_back({std::move(rows), std::move(cols)});
  return Bitableau(std::move(result));
}

Hasher& add(Hasher& hasher, const std::vector<int>& list) {
  hasher.add(list.size());
  for (const int i : list) hasher.add(static_cast<std::size_t>(i));
  return hasher;
}

void bind_bitableau(nb::class_<Bitableau>& c) {
  c.def(
      "__init__", [](Bitableau* self, const Typed<MinorsTag>& minors) { new (self) Bitableau(bitableau_of(minors)); },
      nb::arg("minors"));
  c.def_prop_ro(
      "minors",
      [](const Bitableau& b) {
        Minors list;
        for (const MatrixMinor& minor : b.minors()) list.emplace_back(minor.rows, minor.cols);
        return list;
      },
      "The minors (rows, columns), 0-based, by size, then rows, then columns.");
  c.def_prop_ro("degree", &Bitableau::degree, "The sum of the sizes.");
  c.def_prop_ro("shape", &Bitableau::shape, "The partition whose conjugate lists the sizes.");
  c.def_prop_ro("is_standard", &Bitableau::is_standard,
                "Both tableaux strictly increasing along rows and weakly increasing down columns?");
  c.def(
      "__lt__", [](const Bitableau& a, const Bitableau& b) { return a < b; }, nb::is_operator(), nb::arg("other"));
  bind_value<Bitableau>(c, [](const Bitableau& b) {
    Hasher hasher;
    for (const MatrixMinor& minor : b.minors()) add(add(hasher, minor.rows), minor.cols);
    return hasher.value();
  });
  c.def(
      "to_latex", [](const Bitableau& b) { return to_latex(b); }, "The product in LaTeX.");
  c.def(
      "_repr_latex_", [](const Bitableau& b) { return "$" + to_latex(b) + "$"; }, "For notebooks.");
  c.def("__str__", [](const Bitableau& b) { return to_string(b); });
  const auto text = [](const Bitableau& b) {
    return b.minors().empty() ? std::string("Bitableau([])") : "Bitableau('" + to_string(b) + "')";
  };
  c.def("__repr__", text);
  c.def(
      "__reduce__",
      [](const Bitableau& b) {
        Minors list;
        for (const MatrixMinor& minor : b.minors()) list.emplace_back(minor.rows, minor.cols);
        return reduced(nb::type<Bitableau>(), list);
      },
      nb::sig(reduce_signature));
}

// --- Polynomials -------------------------------------------------------------------------------------------------------------

struct PolynomialTermsTag {
  static constexpr auto name = nb::detail::const_name(
      "collections.abc.Mapping[tuple[int, ...], int] | collections.abc.Iterable[tuple[tuple[int, ...], "
      "int]]");
};

struct ExponentsTag {
  static constexpr auto name = nb::detail::const_name("list[tuple[tuple[int, ...], int]]");
};

/// (exponents, coefficient).
nb::list exponents_of(const MatrixPolynomial& f) {
  nb::list list;
  for (const auto& [exponents, a] : f.terms) list.append(nb::make_tuple(nb::tuple(nb::cast(exponents)), to_python(a)));
  return list;
}

MatrixPolynomial polynomial_of(MatrixSize size, const Typed<PolynomialTermsTag>& terms) {
  if (size.rows < 0 || size.cols < 0) throw DomainError("MatrixPolynomial: a matrix has no negative side");
  MatrixPolynomial f{size, {}};
  const nb::object list = nb::hasattr(terms.object, "items") ? nb::object(terms.object.attr("items")()) : terms.object;
  for (const nb::handle term : nb::iter(list)) {
    std::pair<MatrixPolynomial::Exponents, Integer> found;
    if (!nb::try_cast(nb::object(nb::borrow(term)), found) ||
        found.first.size() != static_cast<std::size_t>(size.rows) * static_cast<std::size_t>(size.cols))
      throw DomainError(
          "MatrixPolynomial: a term is rows * cols exponents, row by row, with an integer "
          "coefficient, not " +
          nb::cast<std::string>(nb::repr(term)).substr(0, 60));
    f = f + MatrixPolynomial{size, found.second == 0 ? decltype(f.terms){} : decltype(f.terms){found}};
  }
  return f;
}

void bind_polynomial(nb::class_<MatrixPolynomial>& c) {
  using F = MatrixPolynomial;
  c.def(
      "__init__",
      [](F* self, int rows, int cols, const Typed<PolynomialTermsTag>& terms) {
        new (self) F(polynomial_of({rows, cols}, terms));
      },
      nb::arg("rows"), nb::arg("cols"), nb::arg("terms"));
  c.def_prop_ro(
      "shape", [](const F& f) { return std::pair(f.size.rows, f.size.cols); }, "(rows, columns) of the matrix.");
  c.def(
      "terms", [](const F& f) { return Typed<ExponentsTag>{exponents_of(f)}; },
      "(exponents of the entries row by row, coefficient).");
  c.def(
      "__add__", [](const F& f, const F& g) { return f + g; }, nb::is_operator(), nb::arg("other"));
  c.def(
      "__sub__", [](const F& f, const F& g) { return f + Integer(-1) * g; }, nb::is_operator(), nb::arg("other"));
  c.def("__neg__", [](const F& f) { return Integer(-1) * f; });
  c.def(
      "__mul__",
      [](const F& f, const F& g) { return Limits().run([&](const Task& task) { return f.times(g, task); }); },
      nb::is_operator(), nb::arg("other"));
  c.def(
      "__rmul__", [](const F& f, const Integer& a) { return a * f; }, nb::is_operator(), nb::arg("number"));
  c.def("__len__", [](const F& f) { return f.terms.size(); });
  c.def("__bool__", [](const F& f) { return !f.terms.empty(); });
  def_limited(
      c, "to_bitableaux",
      [](const Limits& limits, const F& f) {
        return pairs_of(limits.run([&](const Task& task) { return to_bitableaux(f, task); }));
      },
      "The polynomial in standard bitableaux: (bitableau, coefficient).");
  bind_value<F>(c, [](const F& f) {
    Hasher hasher;
    for (const auto& [exponents, a] : f.terms) {
      for (const auto e : exponents) hasher.add(e);
      hasher.add(Cyclotomic(Rational(a)).hash());
    }
    return hasher.value();
  });
  c.def(
      "to_latex", [](const F& f) { return to_latex(f); }, "The polynomial in LaTeX.");
  c.def(
      "_repr_latex_", [](const F& f) { return "$" + to_latex(f) + "$"; }, "For notebooks.");
  c.def("__str__", [](const F& f) { return to_string(f); });
  c.def("__repr__", [](const F& f) {
    return "MatrixPolynomial(" + std::to_string(f.size.rows) + ", " + std::to_string(f.size.cols) + ", " +
           nb::cast<std::string>(nb::repr(exponents_of(f))) + ")";
  });
  c.def(
      "__reduce__", [](const F& f) { return reduced(nb::type<F>(), f.size.rows, f.size.cols, exponents_of(f)); },
      nb::sig(reduce_signature));
}

// --- The ring ----------------------------------------------------------------------------------------------------------------

struct MinorNumbersTag {
  static constexpr auto name = nb::detail::const_name("int | collections.abc.Sequence[int]");
};

struct PieceValue {
  CoordinateRingDegree::Piece piece;
};

}  // namespace

template <>
inline constexpr auto members<CoordinateRingDegree::Piece> =
    std::tuple(&CoordinateRingDegree::Piece::shape, &CoordinateRingDegree::Piece::left_dimension,
               &CoordinateRingDegree::Piece::right_dimension, &CoordinateRingDegree::Piece::dimension,
               &CoordinateRingDegree::Piece::at_least_dimension);
template <>
inline constexpr auto members<PieceValue> = std::tuple(&PieceValue::piece);

namespace {

void bind_pieces(nb::module_& m) {
  nb::class_<PieceValue> c(m, "FiltrationPiece", nb::is_final(),
                           "A graded piece of the filtration of a degree of the ring by shape.");
  c.def_prop_ro(
      "shape", [](const PieceValue& p) { return p.piece.shape; }, "The partition.");
  c.def_prop_ro(
      "left_dimension", [](const PieceValue& p) { return p.piece.left_dimension; },
      "The dimension of the functor of C^rows.");
  c.def_prop_ro(
      "right_dimension", [](const PieceValue& p) { return p.piece.right_dimension; },
      "The dimension of the functor of C^cols.");
  c.def_prop_ro(
      "dimension", [](const PieceValue& p) { return p.piece.dimension; }, "Their product.");
  c.def_prop_ro(
      "at_least_dimension", [](const PieceValue& p) { return p.piece.at_least_dimension; },
      "The dimension of the part of the filtration that begins here.");
  c.def("__repr__", [](const PieceValue& p) {
    return "<FiltrationPiece " + partition_text(p.piece.shape) + " of dimension " + p.piece.dimension.str() + ">";
  });
  bind_record<PieceValue>(c);
}

void bind_straightening(nb::class_<MatrixSize>& c) {
  def_limited(
      c, "straighten",
      [](const Limits& limits, MatrixSize size, Typed<BitableauTag> product, bool check, bool graded) {
        const BitableauTerm b = product_in(size, product.object);
        return pairs_of(limits.run([&](const Task& task) {
          Straightening answer = straightening_of(b, size, graded, task);
          if (check) verify(answer, task);
          return answer.terms;
        }));
      },
      nb::arg("product"), nb::arg("check") = false, nb::arg("graded") = false,
      "A product of minors in standard bitableaux: (bitableau, coefficient); with check=True both sides are "
      "multiplied out and\n"
      "compared, and VerificationError says if they differ. In a text rows and columns may stand in any "
      "order, which "
      "changes the sign.\n"
      "graded=True: the product in the associated graded algebra, only the terms of its shape.");
  def_limited(
      c, "expand",
      [](const Limits& limits, MatrixSize size, Typed<BitableauTag> product) {
        const std::vector<BitableauTerm> b{product_in(size, product.object)};
        return limits.run([&](const Task& task) { return expand(b, size, task); });
      },
      nb::arg("product"), "A product of minors written out.");
  def_limited(
      c, "standard_bitableaux",
      [](const Limits& limits, MatrixSize size, std::variant<int, PartitionLike> what, std::size_t max_count) {
        if (const int* degree = std::get_if<int>(&what))
          return limits.run([&](const Task& task) { return standard_bitableaux(*degree, size, max_count, task); });
        const Partition shape = std::get<PartitionLike>(what).value();
        return limits.run([&](const Task& task) { return standard_bitableaux(shape, size, max_count, task); });
      },
      nb::arg("degree_or_shape"), nb::arg("max_count") = 1'000'000,
      "The standard bitableaux of a degree, or of a shape; LimitError if there are more.");
  def_limited(
      c, "standard_bitableaux_of_content",
      [](const Limits& limits, MatrixSize size, std::vector<int> rows, std::vector<int> cols, std::size_t max_count) {
        if (rows.size() != static_cast<std::size_t>(size.rows) || cols.size() != static_cast<std::size_t>(size.cols))
          throw DomainError("a content has one number for each row, and one for each column");
        return limits.run([&](const Task& task) { return standard_bitableaux(rows, cols, max_count, task); });
      },
      nb::arg("row_content"), nb::arg("col_content"), nb::arg("max_count") = 1'000'000,
      "Those of a weight space: row i occurs row_content[i] times, column j col_content[j] times.");
  def_limited(
      c, "graded_product",
      [](const Limits& limits, MatrixSize size, Typed<BitableauTag> a, Typed<BitableauTag> b) {
        const Bitableau left = bitableau_in(size, a.object), right = bitableau_in(size, b.object);
        return pairs_of(limits.run([&](const Task& task) { return graded_product(left, right, size, task); }));
      },
      nb::arg("a"), nb::arg("b"),
      "The product of standard bitableaux in the graded algebra of the filtration: (bitableau, "
      "coefficient).");
}

void bind_degrees(nb::class_<MatrixSize>& c) {
  c.def(
      "hilbert_function", [](MatrixSize size, int highest_degree) { return hilbert_function(size, highest_degree); },
      nb::arg("highest_degree"), "The dimensions of the pieces of degree 0 ... highest_degree.");
  def_limited(
      c, "pieces",
      [](const Limits& limits, MatrixSize size, int degree) {
        const auto found = limits.run([&](const Task& task) { return coordinate_ring_degree(degree, size, {}, task); });
        std::vector<PieceValue> list;
        for (const auto& piece : found.pieces) list.push_back({piece});
        return list;
      },
      nb::arg("degree"), "The pieces of a degree by shape: the Cauchy decomposition of the ring.");
  c.def(
      "filtration_dimension",
      [](MatrixSize size, const PartitionLike& shape) { return filtration_dimension(shape.value(), size); },
      nb::arg("shape"),
      "The dimension of the span of the standard bitableaux whose sizes of minors dominate those of "
      "`shape`.");
  c.def(
      "highest_weight_vector",
      [](MatrixSize size, const PartitionLike& shape) { return highest_weight_vector(shape.value(), size); },
      nb::arg("shape"), "The product of corner minors, one for each column of the shape.");
  def_limited(
      c, "isotypic_basis",
      [](const Limits& limits, MatrixSize size, PartitionLike partition, std::size_t max_count) {
        const Partition shape = partition.value();
        return limits.run([&](const Task& task) { return isotypic_basis(shape, size, max_count, task); });
      },
      nb::arg("shape"), nb::arg("max_count") = 100'000,
      "In characteristic 0: a basis of the isotypic piece of this shape, one polynomial for every pair of "
      "semistandard tableaux.");
  def_limited(
      c, "to_text",
      [](const Limits& limits, MatrixSize size, int degree) {
        return to_text(
            record(limits.run([&](const Task& task) { return coordinate_ring_degree(degree, size, {}, task); })));
      },
      nb::arg("degree"), "A degree by shape as a table of text.");
}

MinorIdeal power_of(MatrixSize size, const Typed<MinorNumbersTag>& minors, int power) {
  std::vector<int> list;
  if (const auto k = as_integer(minors.object))
    list.push_back(nb::cast<int>(minors.object));
  else if (!nb::try_cast(minors.object, list))
    throw DomainError("the sizes of minors are a number or a list of numbers");
  return MinorIdeal::power(size, std::move(list), power);
}

void bind_ring_class(nb::class_<MatrixSize>& c) {
  c.def(
      "__init__",
      [](MatrixSize* self, int rows, int cols) {
        if (rows < 0 || cols < 0) throw DomainError("CoordinateRing: a matrix has no negative side");
        new (self) MatrixSize{rows, cols};
      },
      nb::arg("rows"), nb::arg("cols"));
  c.def_ro("rows", &MatrixSize::rows, "Rows of the matrix: dim W.");
  c.def_ro("cols", &MatrixSize::cols, "Columns of the matrix: dim V.");
  bind_straightening(c);
  bind_degrees(c);
  c.def("ideal", &power_of, nb::arg("minors"), nb::arg("power") = 1,
        "The ideal of the minors of this size, or the product of such ideals for a list, to a power.");
  c.def(
      "symbolic_power",
      [](MatrixSize size, int minors, int exponent) { return MinorIdeal::symbolic_power(size, minors, exponent); },
      nb::arg("minors"), nb::arg("exponent"), "The symbolic power of the ideal of the minors of this size.");
  c.def(
      "invariant_ideal",
      [](MatrixSize size, const PartitionLike& shape) { return MinorIdeal::invariant(size, shape.value()); },
      nb::arg("shape"), "The ideal that the isotypic piece of this shape generates.");
  c.def(
      "hilbert_numerator", [](MatrixSize size, int k) { return determinantal_hilbert_numerator(size, k); },
      nb::arg("k"),
      "The numerator of the Hilbert series modulo the k-minors, over (1 - t)^((rows + cols - k + 1)(k - "
      "1)).");
  bind_value<MatrixSize>(c, [](MatrixSize size) {
    return Hasher().add(static_cast<std::size_t>(size.rows)).add(static_cast<std::size_t>(size.cols)).value();
  });
  c.def("__repr__", [](MatrixSize size) {
    return "CoordinateRing(" + std::to_string(size.rows) + ", " + std::to_string(size.cols) + ")";
  });
  c.def(
      "__reduce__", [](MatrixSize size) { return reduced(nb::type<MatrixSize>(), size.rows, size.cols); },
      nb::sig(reduce_signature));
}

// --- Ideals ------------------------------------------------------------------------------------------------------------------

struct ElementTag {
  static constexpr auto name =
      nb::detail::const_name("Partition | Bitableau | MatrixPolynomial | str | collections.abc.Sequence[int]");
};

bool contains(const Limits& limits, const MinorIdeal& I, Typed<ElementTag> element) {
  if (nb::isinstance<MatrixPolynomial>(element.object)) {
    const auto& f = *nb::inst_ptr<MatrixPolynomial>(element.object);
    return limits.run([&](const Task& task) { return I.contains(f, task); });
  }
  if (nb::isinstance<Bitableau>(element.object) || nb::isinstance<nb::str>(element.object)) {
    const BitableauTerm b = product_in(I.size(), element.object);
    return limits.run([&](const Task& task) { return I.contains(b, task); });
  }
  return I.contains(PartitionLike{element.object}.value());
}

nb::tuple recipe_of(const MinorIdeal& I) {
  const nb::object ring = nb::cast(I.size());
  if (I.is_invariant()) return reduced_by_method(ring, "invariant_ideal", I.generator());
  if (I.is_symbolic()) return reduced_by_method(ring, "symbolic_power", I.minors().at(0), I.exponent());
  return reduced_by_method(ring, "ideal", I.minors(), I.exponent());
}

std::string ideal_text(const MinorIdeal& I) {
  const std::string ring = nb::cast<std::string>(nb::repr(nb::cast(I.size())));
  if (I.is_invariant())
    return ring + ".invariant_ideal(" + nb::cast<std::string>(nb::repr(nb::cast(I.generator().parts()))) + ")";
  const std::string exponent = std::to_string(I.exponent());
  if (I.is_symbolic()) return ring + ".symbolic_power(" + std::to_string(I.minors().at(0)) + ", " + exponent + ")";
  const std::string minors =
      I.minors().size() == 1 ? std::to_string(I.minors()[0]) : nb::cast<std::string>(nb::repr(nb::cast(I.minors())));
  return ring + ".ideal(" + minors + (I.exponent() == 1 ? "" : ", " + exponent) + ")";
}

void bind_ideal(nb::class_<MinorIdeal>& c) {
  c.def_prop_ro("ring", &MinorIdeal::size, "The ring that it lies in.");
  def_limited(c, "contains", contains, nb::arg("element"),
              "Does it contain the pieces of a shape, a product of minors, or a polynomial?");
  c.def(
      "pieces", [](const MinorIdeal& I, int degree) { return I.pieces(degree); }, nb::arg("degree"),
      "The shapes of this degree whose pieces are in it.");
  def_limited(
      c, "hilbert_function",
      [](const Limits& limits, const MinorIdeal& I, int highest_degree) {
        return limits.run([&](const Task& task) { return I.hilbert_function(highest_degree, task); });
      },
      nb::arg("highest_degree"),
      "The dimensions of the pieces of degree 0 ... highest_degree of the ring modulo the ideal.");
  c.def(
      "primary_decomposition",
      [](const MinorIdeal& I) {
        std::vector<MinorIdeal> list;
        for (const SymbolicPower& p : I.primary_decomposition())
          list.push_back(MinorIdeal::symbolic_power(I.size(), p.minors, p.exponent));
        return list;
      },
      "The symbolic powers whose intersection it is, in characteristic 0.");
  c.def(
      "to_latex", [](const MinorIdeal& I) { return to_latex(I); }, "The ideal in LaTeX.");
  c.def(
      "_repr_latex_", [](const MinorIdeal& I) { return "$" + to_latex(I) + "$"; }, "For notebooks.");
  bind_value<MinorIdeal>(c, [](const MinorIdeal& I) { return std::hash<std::string>()(to_string(I)); });
  c.def("__str__", [](const MinorIdeal& I) { return to_string(I); });
  c.def("__repr__", &ideal_text);
  c.def("__reduce__", &recipe_of, nb::sig(reduce_signature));
}

}  // namespace

void bind_ring(nb::module_& m) {
  nb::class_<Bitableau> bitableau(m, "Bitableau", nb::is_final(),
                                  "A product of minors of a generic matrix: Bitableau('[1,2|1,3][2|2]'), rows | "
                                  "columns, 1-based in text;\n"
                                  "Bitableau([([0, 1], [0, 2]), ([1], [1])]) 0-based.");
  nb::class_<MatrixPolynomial> polynomial(
      m, "MatrixPolynomial", nb::is_final(),
      "A polynomial with integer coefficients in the entries of a generic matrix: f + g, f * g, 2 * f.");
  nb::class_<MatrixSize> ring(
      m, "CoordinateRing", nb::is_final(),
      R"(The ring of polynomials in the entries of a rows x cols matrix: the coordinate ring of Hom(V, W), under GL(W) x GL(V).

Parameters
----------
rows, cols : int
    the dimensions of W and V.

See Also
--------
intertwine.gl.cauchy_decomposition : the pieces of one degree.

Examples
--------
>>> from intertwine.gl import CoordinateRing
>>> ring = CoordinateRing(2, 3)
>>> ring.rows, ring.cols
(2, 3)
)");
  nb::class_<MinorIdeal> ideal(m, "MinorIdeal", nb::is_final(),
                               "An ideal of minors, a product or power of such, a symbolic power, or an "
                               "invariant ideal: see CoordinateRing.ideal().");
  bind_pieces(m);
  bind_bitableau(bitableau);
  bind_polynomial(polynomial);
  bind_ring_class(ring);
  bind_ideal(ideal);
}

}  // namespace intertwine::python
