// Representations at wave vectors, and magnetic space groups: LittleGroup, MagneticSpaceGroup.
#include "little_groups.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "forms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/irrep_labels.hpp"
#include "intertwine/io/little_group_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/physics/crystal.hpp"
#include "intertwine/physics/kp_hamiltonian.hpp"
#include "records.hpp"

namespace intertwine::python {

namespace {

struct CharactersTag {
  static constexpr auto name = nb::detail::const_name("list[list[int | fractions.Fraction | Cyclotomic]]");
};
struct WaveVectorTag {
  static constexpr auto name =
      nb::detail::const_name("tuple[int | fractions.Fraction, int | fractions.Fraction, int | fractions.Fraction]");
};
struct TurnsTag {
  static constexpr auto name = nb::detail::const_name("list[tuple[int, tuple[int, int, int]]]");
};
struct LevelsTag {
  static constexpr auto name = nb::detail::const_name("list[tuple[int, ...]]");
};
struct LevelMatricesTag {
  static constexpr auto name = nb::detail::const_name("tuple[list[Matrix], list[Matrix]]");
};
struct KpTermsTag {
  static constexpr auto name = nb::detail::const_name("list[dict[tuple[int, int, int], Matrix]]");
};
struct AxesTag {
  static constexpr auto name = nb::detail::const_name(
      "Matrix | collections.abc.Sequence[collections.abc.Sequence[int | str | fractions.Fraction | "
      "Cyclotomic]]");
};
struct EitherGroupTag {
  static constexpr auto name = nb::detail::const_name("SpaceGroup | MagneticSpaceGroup");
};
struct MagneticSourceTag {
  static constexpr auto name =
      nb::detail::const_name("int | str | SpaceGroup | collections.abc.Iterable[tuple[object, object, bool]]");
};
struct MagneticOperationsTag {
  static constexpr auto name = nb::detail::const_name(
      "list[tuple[tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]], "
      "tuple[int | fractions.Fraction, int | fractions.Fraction, int | fractions.Fraction], bool]]");
};

nb::object group_of(const LittleGroup& l) {
  return std::visit([](const auto& group) { return nb::cast(group); }, l.group);
}
nb::tuple rational_tuple(const std::array<Rational, 3>& k) {
  return nb::make_tuple(to_python(k[0]), to_python(k[1]), to_python(k[2]));
}

/// (W, w, reverses_time) of Python.
MagneticOperation magnetic_operation(nb::handle o, std::size_t number) {
  const std::string which = "MagneticSpaceGroup: operation " + std::to_string(number) + " ";
  std::vector<nb::object> parts, rows, shift;
  bool reverses = false;
  if (!nb::try_cast(o, parts) || parts.size() != 3 || !nb::try_cast(parts[0], rows) || rows.size() != 3 ||
      !nb::try_cast(parts[1], shift) || shift.size() != 3 || !nb::try_cast(parts[2], reverses))
    throw DomainError(which + "is not (W, w, reverses_time): a matrix of integers, a translation, True or False");
  MagneticOperation g{{}, reverses};
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<nb::object> row;
    if (!nb::try_cast(rows[i], row) || row.size() != 3) throw DomainError(which + "has no 3 x 3 matrix");
    for (std::size_t j = 0; j < 3; ++j) {
      const auto x = as_integer(row[j]);
      if (!x || abs(*x) > 1'000'000) throw DomainError(which + "has a matrix whose numbers are not small integers");
      g.operation.W[i][j] = x->convert_to<int>();
    }
    const Cyclotomic w = exact_number(shift[i]);
    if (!w.is_rational() || denominator(w.to_rational() * 12) != 1)
      throw DomainError(which + "has a translation that is not in twelfths of the edges");
    const Integer twelfths = numerator(w.to_rational() * 12) % 12;
    g.operation.w[i] = twelfths.convert_to<int>();
  }
  return g;
}

std::vector<MagneticOperation> magnetic_operations(nb::handle list) {
  std::vector<MagneticOperation> operations;
  if (!nb::hasattr(list, "__iter__"))
    throw DomainError(
        "MagneticSpaceGroup: give a SpaceGroup for its grey group, a BNS symbol such as \"Pn'm'a\", a BNS "
        "number such as "
        "'62.448', a UNI number from 1 to 1651, or operations (W, w, reverses_time)");
  for (const nb::handle o : nb::iter(list)) operations.push_back(magnetic_operation(o, operations.size() + 1));
  return operations;
}

nb::list magnetic_list(const MagneticSpaceGroup& G, bool with_centring) {
  nb::list out;
  const auto add = [&](const nb::list& operations, bool reverses) {
    for (const nb::handle o : operations) out.append(nb::make_tuple(o[0], o[1], reverses));
  };
  add(operations_list(G.operations()), false);
  add(operations_list(G.antiunitary()), true);
  if (with_centring)
    for (const auto& t : G.centring())
      if (t != std::array<int, 3>{})
        out.append(nb::make_tuple(operations_list({G.operations().front()})[0][0], in_edges(t), false));
  return out;
}

void bind_time_reversal(nb::class_<LittleGroup>& c) {
  using L = const LittleGroup&;
  c.def_prop_ro(
      "antiunitary", [](L l) { return Typed<OperationsTag>{operations_list(l.antiunitary)}; },
      "(W, w) for every operation that leaves k where it is if time is reversed afterwards, modulo "
      "translations.");
  c.def_prop_ro(
      "types",
      [](L l) {
        std::vector<std::string> list;
        for (const auto& irrep : l.irreps) list.emplace_back(to_text(irrep.type));
        return list;
      },
      "What operations that reverse time make of every representation, by Wigner's criterion: 'a', nothing; "
      "'b', "
      "two copies\n"
      "of it belong together; 'c', it and a different one; 'x', no such operation leaves k where it is. "
      "Beside a "
      "SpaceGroup\n"
      "stands time reversal itself. Without spin a real representation is 'a' at k = -k, a quaternionic one "
      "'b'.");
  c.def_prop_ro(
      "corepresentations",
      [](L l) {
        nb::list out;
        for (const auto& level : l.corepresentations) {
          nb::list numbers;
          for (const std::size_t r : level.irreps) numbers.append(r);
          out.append(nb::tuple(numbers));
        }
        return Typed<LevelsTag>{out};
      },
      "The irreducible co-representations: numbers of one irreducible representation, of one twice, or of "
      "two.");
  c.def_prop_ro(
      "degeneracies",
      [](L l) {
        std::vector<unsigned> list;
        for (const auto& level : l.corepresentations) list.push_back(level.degree);
        return list;
      },
      "The dimensions of the co-representations: how degenerate levels are with time reversal.");
  c.def_prop_ro(
      "spinors", [](L l) { return l.spin == SpinKind::half; }, "Do rotations act on spin 1/2 too?");
  c.def_prop_ro(
      "turns",
      [](L l) {
        nb::list out;
        for (const SpinRotation& r : l.rotations)
          out.append(nb::make_tuple(r.order, nb::make_tuple(r.axis[0], r.axis[1], r.axis[2])));
        return Typed<TurnsTag>{out};
      },
      "With spinors, for every operation (n, axis): on spinors it is exp(-i pi/n axis.sigma), the axis in "
      "edges of a "
      "right-handed\n"
      "cell and made a unit vector. Inversion leaves spinors as they are. Characters are of these lifts.");
}

void bind_lines(nb::class_<LittleGroup>& c) {
  using L = const LittleGroup&;
  c.def_prop_ro(
      "direction", [](L l) { return l.direction ? nb::object(rational_tuple(*l.direction)) : nb::none(); },
      nb::sig("def direction(self) -> tuple[int | fractions.Fraction, int | fractions.Fraction, int | "
              "fractions.Fraction] | None"),
      "Of a line from k its direction, otherwise None: see `along`.");
  def_limited(
      c, "along",
      [](const Limits& limits, L l, const Typed<WaveVectorLikeTag>& direction) {
        const std::array<Rational, 3> d = wave_vector(direction.object);
        return limits.run([&](const Task& task) { return little_group_along(l, d, task); });
      },
      nb::arg("direction"),
      "The line from k in a direction, in the same basis, as near to k as one likes: a LittleGroup of the "
      "operations "
      "that\n"
      "leave the line where it is, in the limit at k.");
  c.def(
      "compatibility", [](L l, L line) { return compatibility(l, line); }, nb::arg("line"),
      "[irreps][irreps of the line]: how often each of the line is in each at k.\n\n"
      ">>> from intertwine import SpaceGroup\n"
      ">>> X = SpaceGroup('F d -3 m').irreps_at([1, 0, 0])\n"
      ">>> X.compatibility(X.along([1, 0, 0]))\n"
      "[[0, 0, 0, 0, 1], [0, 0, 0, 0, 1], [1, 1, 0, 0, 0], [0, 0, 1, 1, 0]]");
  def_limited(
      c, "kp_dimensions",
      [](const Limits& limits, L l, unsigned order) {
        return limits.run([&](const Task& task) { return kp_dimensions(l, order, task); });
      },
      nb::arg("order"),
      "For every co-representation the number of real parameters that symmetry leaves to the terms of this "
      "order in q "
      "of the\n"
      "Hermitian matrix H(k + q) on it: of a k.p Hamiltonian.\n\n"
      ">>> from intertwine import SpaceGroup\n"
      ">>> SpaceGroup('F d -3 m').irreps_at([0, 0, 0], spinors=True).kp_dimensions(2)  # Luttinger's three "
      "for G8\n"
      "[1, 1, 1, 1, 3, 3]");
}

void bind_hamiltonians(nb::class_<LittleGroup>& c) {
  using L = const LittleGroup&;
  def_limited(
      c, "matrices",
      [](const Limits& limits, L l, std::size_t level) {
        const LevelMatrices found = limits.run([&](const Task& task) { return level_matrices(l, level, task); });
        const auto listed = [](const std::vector<FieldMatrix>& matrices) {
          nb::list out;
          for (const FieldMatrix& A : matrices) out.append(nb::cast(Matrix(A)));
          return out;
        };
        return Typed<LevelMatricesTag>{nb::make_tuple(listed(found.operations), listed(found.antiunitary))};
      },
      nb::arg("level"),
      "The co-representation of this number by unitary matrices, exact: D(g) for `operations` and U(a) for "
      "`antiunitary`,\n"
      "which take x to D(g) x and to U(a) conj(x). Levels are those of `corepresentations`, from 0.\n\n"
      ">>> from intertwine import SpaceGroup\n"
      ">>> D, U = SpaceGroup('P 21 3').irreps_at([0, 0, 0]).matrices(0)\n"
      ">>> D[0], len(U)\n"
      "(Matrix([[1]]), 12)");
  def_limited(
      c, "kp",
      [](const Limits& limits, L l, std::size_t level, unsigned order, const Typed<AxesTag>& axes) {
        std::optional<FieldMatrix> edges;
        if (!axes.object.is_none()) edges = exact_matrix(axes.object).to_field();
        const auto terms = limits.run([&](const Task& task) { return kp_terms(l, level, order, edges, task); });
        nb::list out;
        for (const KpTerm& term : terms) {
          nb::dict monomials;
          for (const auto& [e, matrix] : term.monomials)
            monomials[nb::make_tuple(e[0], e[1], e[2])] = nb::cast(Matrix(matrix));
          out.append(monomials);
        }
        return Typed<KpTermsTag>{out};
      },
      nb::arg("level"), nb::arg("order"), nb::arg("axes") = nb::none(),
      "The terms of this order in q that symmetry allows in the Hermitian matrix H(k + q) of a level: of a "
      "k.p Hamiltonian.\n"
      "Each has a real parameter, and is the sum of q1^e1 q2^e2 q3^e3 times a matrix: {(e1, e2, e3): "
      "matrix}. "
      "H(k + g q) is\n"
      "D(g) H(k + q) D(g)^-1 with `matrices`, and H(k + a q) is U(a) conj(H(k + q)) U(a)^-1. Here g takes q "
      "to "
      "q W^-1 and a to\n"
      "-q W^-1, in the basis dual to the edges of the cell. With `axes`, the edges as rows, q is "
      "Cartesian.\n\n"
      ">>> from intertwine import SpaceGroup\n"
      ">>> SpaceGroup('P 4').irreps_at([0, 0, 0]).kp(0, 2)   # an effective mass across the axis and one "
      "along it\n"
      "[{(2, 0, 0): Matrix([[1]]), (0, 2, 0): Matrix([[1]])}, {(0, 0, 2): Matrix([[1]])}]");
}

void bind_little_group(nb::module_& m) {
  using L = const LittleGroup&;
  nb::class_<LittleGroup> c(
      m, "LittleGroup", nb::is_final(),
      "The operations of a space group that leave a wave vector k where it is, and their irreducible "
      "representations, exactly:\n"
      "see SpaceGroup.irreps_at and MagneticSpaceGroup.irreps_at.");
  c.def_prop_ro(
      "space_group", [](L l) { return Typed<EitherGroupTag>{group_of(l)}; }, "In the setting of k and the operations.");
  c.def_prop_ro(
      "k", [](L l) { return Typed<WaveVectorTag>{rational_tuple(l.k)}; },
      "In the basis dual to the edges of the cell.");
  c.def_prop_ro(
      "operations", [](L l) { return Typed<OperationsTag>{operations_list(l.operations)}; },
      "(W, w) for every operation modulo translations, the identity first: x -> W x + w.");
  c.def_prop_ro(
      "star", [](L l) { return l.star; }, "How many wave vectors the space group makes of k.");
  c.def_prop_ro(
      "co_group", [](L l) { return point_group_symbol(l.operations); },
      "The point group of the operations by Schoenflies: \"D4h\".");
  c.def_prop_ro(
      "dimensions",
      [](L l) {
        std::vector<unsigned> list;
        for (const auto& irrep : l.irreps) list.push_back(irrep.degree);
        return list;
      },
      "Of the irreducible representations: how degenerate levels are without time reversal.");
  c.def_prop_ro(
      "characters",
      [](L l) {
        nb::list rows;
        for (const auto& irrep : l.irreps) {
          nb::list row;
          for (const Cyclotomic& x : irrep.characters) row.append(to_python(x));
          rows.append(row);
        }
        return Typed<CharactersTag>{rows};
      },
      "[irreps][operations]: the traces of the operations as they stand, exact. A translation t is exp(-2 pi "
      "i k.t).");
  bind_time_reversal(c);
  bind_lines(c);
  bind_hamiltonians(c);
  c.def(
      "describe", [](L l) { return to_text(record(l)); }, "All of it for people, as the program says it.");
  c.def(
      "to_json", [](L l) { return to_json(record(l)); }, "All of it as a JSON object.");
  bind_own_format(c);
  c.def(
      "labels",
      [](L l) {
        const auto folder = nb::module_::import_("intertwine._labels").attr("label_folder")();
        return cdml_labels(l, nb::cast<std::string>(folder));
      },
      "The labels of Cracknell, Davies, Miller and Love, as the Bilbao server has them: ['X1', 'X2', 'X3', "
      "'X4']. "
      "They are read\n"
      "from the tables of the package irreptables, which has to be installed, by the characters. At the "
      "wave\n"
      "vectors of highest symmetry and their stars, in settings with the usual axes and any origin. Those of "
      "spinors\n"
      "begin with a hyphen: '-GM8'.");
  c.def("__len__", [](L l) { return l.irreps.size(); });
  c.def("__repr__", [](L l) {
    std::string list;
    for (const auto& irrep : l.irreps) list += (list.empty() ? "" : ", ") + std::to_string(irrep.degree);
    return "<LittleGroup of " + std::to_string(l.operations.size()) + " operations, " +
           (l.spin == SpinKind::half ? "spinor " : "") + "irreps of dimensions " + list + ">";
  });
  const auto question = [](L l) {
    return nb::make_tuple(group_of(l), rational_tuple(l.k), l.spin == SpinKind::half,
                          l.direction ? nb::object(rational_tuple(*l.direction)) : nb::none());
  };
  bind_by<LittleGroup>(c, question);
  c.def(
      "__reduce__",
      [question](L l) {
        const nb::tuple asked = question(l);
        if (l.direction) return reduced_by_method(asked[0].attr("irreps_at")(asked[1], asked[2]), "along", asked[3]);
        return reduced_by_method(asked[0], "irreps_at", asked[1], asked[2]);
      },
      nb::sig(reduce_signature));
}

void bind_magnetic(nb::module_& m) {
  using G = const MagneticSpaceGroup&;
  nb::class_<MagneticSpaceGroup> c(
      m, "MagneticSpaceGroup", nb::is_final(),
      "A space group some of whose operations reverse time. "
      "MagneticSpaceGroup(SpaceGroup(62)) is the grey group, "
      "with time\n"
      "reversal itself. MagneticSpaceGroup([(W, w, reverses_time), ...]) is "
      "generated by operations x -> W x + w, "
      "perhaps followed\n"
      "by time reversal, and by translations along the edges; w is in twelfths. "
      "A text is a symbol of Belov,\n"
      "Neronova and Smirnova, \"Pn'm'a\", 'P_c4/mnc', \"P21/c1'\" for a grey group, or of Opechowski and "
      "Guccione, \"P_2cmm'2'\", with 'og:' before the few that are a BNS symbol, too. "
      "MagneticSpaceGroup('62.448') is the group\n"
      "with this BNS number, '62.8.509' with this number of Opechowski and "
      "Guccione, and MagneticSpaceGroup(509) has this UNI\n"
      "number, in the usual setting, by the database of the library's spglib, or "
      "of the package.\n\n"
      ">>> from intertwine import SpaceGroup\n"
      ">>> from intertwine.chem import MagneticSpaceGroup\n"
      ">>> grey = MagneticSpaceGroup(SpaceGroup('P 21 21 21'))\n"
      ">>> grey.type, grey.irreps_at(['1/2', '1/2', '1/2']).degeneracies\n"
      "(2, [4])");
  c.def(
      "__init__",
      [](MagneticSpaceGroup* self, const Typed<MagneticSourceTag>& group) {
        if (nb::isinstance<SpaceGroup>(group.object)) {
          new (self) MagneticSpaceGroup(nb::cast<const SpaceGroup&>(group.object));
          return;
        }
        nb::object operations = group.object;
        const bool is_text = nb::isinstance<nb::str>(operations);
        if (is_text || as_integer(operations)) {
          const auto text = nb::cast<std::string>(nb::str(operations));
          const bool letters = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0;
          const auto og = has_magnetic_numbers() ? std::nullopt : uni_of_og_symbol(text);
          const bool number = !letters || (og && (text.starts_with("og:") || text.find('2') == 2));
          if (og && number) operations = nb::int_(*og);
          if (!number || has_magnetic_numbers()) {
            new (self) MagneticSpaceGroup(MagneticSpaceGroup::named(text));
            return;
          }
          operations = nb::module_::import_("intertwine._magnetic").attr("operations_of")(operations);
        }
        new (self) MagneticSpaceGroup(magnetic_operations(operations));
      },
      nb::arg("group"));
  c.def_prop_ro(
      "type", [](G g) { return g.type(); },
      "1: nothing reverses time; 2: grey, time reversal is an operation; 4: a translation reverses time; 3: "
      "all others.");
  c.def_prop_ro(
      "operations", [](G g) { return Typed<MagneticOperationsTag>{magnetic_list(g, false)}; },
      "(W, w, reverses_time): one for every matrix among those that do not reverse time, and one among those "
      "that do.");
  c.def_prop_ro(
      "centring",
      [](G g) {
        nb::list out;
        for (const auto& t : g.centring()) out.append(in_edges(t));
        return out;
      },
      nb::sig("def centring(self) -> list[tuple[int | fractions.Fraction, int | fractions.Fraction, int | "
              "fractions.Fraction]]"),
      "Translations within a cell that do not reverse time, in edges of the cell, 0 first.");
  def_limited(
      c, "irreps_at",
      [](const Limits& limits, G g, const Typed<WaveVectorLikeTag>& k, bool spinors) {
        const std::array<Rational, 3> at = wave_vector(k.object);
        return limits.run(
            [&](const Task& task) { return little_group(g, at, spinors ? SpinKind::half : SpinKind::none, task); });
      },
      nb::arg("k"), nb::arg("spinors") = false,
      "The irreducible representations and co-representations of a wave vector: LittleGroup. It is in the "
      "basis dual "
      "to the\n"
      "edges of the cell of this setting.");
  bind_value<MagneticSpaceGroup>(c, [](G g) {
    return Hasher().add(g.operations().size()).add(g.antiunitary().size()).add(g.centring().size()).value();
  });
  c.def(
      "__reduce__", [](G g) { return reduced(nb::type<MagneticSpaceGroup>(), nb::tuple(magnetic_list(g, true))); },
      nb::sig(reduce_signature));
  c.def("__repr__", [](G g) {
    return "<MagneticSpaceGroup of type " + std::to_string(g.type()) + ", " + std::to_string(g.operations().size()) +
           " operations and " + std::to_string(g.antiunitary().size()) + " that reverse time>";
  });
}

}  // namespace

std::array<Rational, 3> wave_vector(nb::handle k) {
  std::vector<nb::object> items;
  if (nb::isinstance<nb::str>(k) || !nb::try_cast(k, items) || items.size() != 3)
    throw DomainError("a wave vector or a direction is three rational numbers, such as [0, 0, '1/2']");
  std::array<Rational, 3> result;
  for (std::size_t i = 0; i < 3; ++i) {
    const Cyclotomic x = exact_number(items[i]);
    if (!x.is_rational())
      throw DomainError("a wave vector or a direction has rational coordinates, and coordinate " +
                        std::to_string(i + 1) + " is none");
    result[i] = x.to_rational();
  }
  return result;
}

nb::list operations_list(const std::vector<SpaceOperation>& operations) {
  nb::list out;
  for (const SpaceOperation& g : operations) {
    const auto row = [&](std::size_t i) { return nb::make_tuple(g.W[i][0], g.W[i][1], g.W[i][2]); };
    out.append(nb::make_tuple(nb::make_tuple(row(0), row(1), row(2)), in_edges(g.w)));
  }
  return out;
}

void bind_little_groups(nb::module_& m) {
  bind_little_group(m);
  bind_magnetic(m);
}

}  // namespace intertwine::python
