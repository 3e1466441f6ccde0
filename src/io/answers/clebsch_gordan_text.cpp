// Writes Clebsch-Gordan coefficients.
#include "intertwine/io/records.hpp"

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "intertwine/classical/compact_clebsch_gordan.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/reductive/wigner_symbols.hpp"
#include "intertwine/representations/clebsch_gordan.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/number_arrays.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/system_values.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

/// Tables of coefficients, with the names of representations and of their vectors.
struct CouplingView {
  std::string group;
  bool real = false, symbols = false;
  struct Entry {
    std::string m1, m2, m;
    SignedRoot value;
  };
  struct Table {
    std::string j1, j2, j;
    std::vector<Entry> entries;
  };
  std::vector<Table> list;
};

CouplingView view_of(const SpinCouplings& couplings) {
  CouplingView view{couplings.group,
                    couplings.list.front().basis == CouplingBasis::real,
                    couplings.list.front().form == CouplingForm::symbols,
                    {}};
  for (const Coupling& c : couplings.list) {
    view.list.push_back({to_string(c.j1), to_string(c.j2), to_string(c.j), {}});
    for (const auto& e : c.entries)
      view.list.back().entries.push_back({to_string(e.m1), to_string(e.m2), to_string(e.m), e.value});
  }
  return view;
}

CouplingView view_of(const LorentzCouplings& couplings) {
  CouplingView view{couplings.group, false, false, {}};
  const auto pair = [](HalfInteger a, HalfInteger b) { return to_string(LorentzSpin{a, b}); };
  for (const LorentzCoupling& c : couplings.list) {
    view.list.push_back({to_string(c.left()), to_string(c.right()), to_string(c.constituent()), {}});
    for (const auto& a : c.first.entries)
      for (const auto& b : c.second.entries)
        view.list.back().entries.push_back({pair(a.m1, b.m1), pair(a.m2, b.m2), pair(a.m, b.m), a.value * b.value});
  }
  return view;
}

std::string coupling_text(const CouplingView& view) {
  std::string text;
  for (const CouplingView::Table& c : view.list) {
    text += fmt::format("{}: {} (x) {} -> {}, {}, {} basis\n", view.group, c.j1, c.j2, c.j,
                        view.symbols ? "3j symbols" : "coefficients <j1 m1 j2 m2|j m>", view.real ? "real" : "complex");
    if (c.entries.empty()) {  // Two vectors alone may have none; a whole table has some.
      text += "  0 for every m\n";
      continue;
    }
    Cells rows{{"m", "m1", "m2", "value"}};
    for (const auto& e : c.entries) rows.push_back({e.m, e.m1, e.m2, to_string(e.value)});
    text += aligned(rows);
  }
  return text;
}

OrderedJson coupling_json(const CouplingView& view) {
  OrderedJson list = OrderedJson::array();
  for (const CouplingView::Table& c : view.list) {
    OrderedJson entries = OrderedJson::array();
    for (const auto& e : c.entries)
      entries.push_back(
          {{"m1", e.m1}, {"m2", e.m2}, {"m", e.m}, {"sign", e.value.sign()}, {"square", to_string(e.value.square())}});
    list.push_back({{"j1", c.j1}, {"j2", c.j2}, {"j", c.j}, {"entries", std::move(entries)}});
  }
  return OrderedJson{{"group", view.group},
                     {"basis", view.real ? "real" : "complex"},
                     {"form", view.symbols ? "3j" : "coefficients"},
                     {"couplings", std::move(list)}};
}

Sheet coupling_sheet(const CouplingView& view) {
  Sheet sheet{"Couplings of " + view.group, {"j1", "j2", "j", "m1", "m2", "m", "sign", "square", "value"}, {}, "r"};
  for (const CouplingView::Table& c : view.list)
    for (const auto& e : c.entries)
      sheet.rows.push_back({c.j1, c.j2, c.j, e.m1, e.m2, e.m, std::to_string(e.value.sign()),
                            to_string(e.value.square()), fmt::format("{}", e.value.to_double())});
  return sheet;
}

std::string coupling_latex(const CouplingView& view) {
  std::string text;
  for (const CouplingView::Table& c : view.list) {
    Cells cells{{"m_1", "m_2", view.symbols ? "m_3" : "m",
                 view.symbols ? fmt::format("\\begin{{pmatrix}} {} & {} & {} \\\\ m_1 & m_2 & m_3 \\end{{pmatrix}}",
                                            c.j1, c.j2, c.j)
                              : fmt::format("\\langle {}\\,m_1\\,{}\\,m_2|{}\\,m\\rangle", c.j1, c.j2, c.j)}};
    for (const auto& e : c.entries) {
      std::string value = to_string(e.value);
      if (const std::size_t at = value.find("sqrt("); at != std::string::npos)
        value = value.substr(0, at) + "\\sqrt{" + value.substr(at + 5, value.size() - at - 6) + "}";
      cells.push_back({e.m1, e.m2, e.m, value});
    }
    text += latex_table(cells, 1, "r");
  }
  return text;
}

/// The common view of answers for finite and for compact groups.
struct ProductView {
  struct Factor {
    std::string name;
    std::optional<std::size_t> row;  ///< the row of a character table
    const FieldMatrix* form;
  };
  std::string group;
  Factor left, right;
  std::vector<std::pair<Factor, const OrthogonalCopies*>> constituents;
};

/// \param named  the name and the row of a representation
/// \param of     the representation of a constituent
template <class Product, class Named, class Of>
ProductView view_by(const Product& answer, const std::string& group, Named named, Of of) {
  const auto factor = [&](const auto& V, const FieldMatrix& form) {
    const auto [name, row] = named(V);
    return ProductView::Factor{name, row, &form};
  };
  ProductView view{group, factor(answer.left, answer.left_form), factor(answer.right, answer.right_form), {}};
  for (const auto& part : answer.constituents) view.constituents.emplace_back(factor(of(part), part.form), &part);
  return view;
}

using NamedRow = std::pair<std::string, std::optional<std::size_t>>;

ProductView view_of(const FiniteClebschGordan& answer) {
  return view_by(
      answer, answer.table.group().name(),
      [&](const IrreducibleRepresentation& R) {
        return NamedRow{answer.table.name(R.row), R.row};
      },
      [](const TensorConstituent& part) -> const auto& { return part.irreducible; });
}

ProductView view_of(const CompactClebschGordan& answer) {
  return view_by(
      answer, answer.left.group().name(),
      [](const ContinuousRepresentation& V) {
        return NamedRow{V.to_string(), {}};
      },
      [](const CompactConstituent& part) -> const auto& { return part.representation; });
}

OrderedJson factor_json(const ProductView::Factor& factor) {
  OrderedJson json;
  if (factor.row) json["irrep"] = *factor.row + 1;
  json["name"] = factor.name;
  json["degree"] = factor.form->rows();
  json["form"] = json_value(*factor.form);
  return json;
}

std::string product_text(const ProductView& view) {
  std::string sum;
  for (const auto& [factor, copies] : view.constituents)
    sum += fmt::format("{}{}{}", sum.empty() ? "" : " + ",
                       copies->maps.size() == 1 ? "" : fmt::format("{} ", copies->maps.size()), factor.name);
  std::string text = fmt::format("{}: {} (x) {} -> {}\n", shortened(view.group), view.left.name, view.right.name, sum);
  std::set<std::string> shown;
  const auto show_form = [&](const ProductView::Factor& factor) {
    if (shown.insert(factor.name).second &&
        !(*factor.form == FieldMatrix::identity(AbelianField(), factor.form->rows())))
      text += fmt::format("  {} leaves this form fixed:\n", factor.name) + to_text(*factor.form, "    ");
  };
  show_form(view.left);
  show_form(view.right);
  for (const auto& [factor, copies] : view.constituents) {
    show_form(factor);
    for (std::size_t a = 0; a < copies->maps.size(); ++a) {
      const char* symmetry[] = {", alternating", "", ", symmetric"};
      text += fmt::format("{}{}{}: norm {}\n", factor.name,
                          copies->maps.size() == 1 ? "" : fmt::format(" number {}", a + 1),
                          symmetry[copies->symmetries[a] + 1], to_string(copies->norms[a])) +
              to_text(copies->maps[a], "    ");
    }
  }
  return text;
}

OrderedJson product_json(const ProductView& view) {
  OrderedJson list = OrderedJson::array();
  for (const auto& [factor, copies] : view.constituents) {
    OrderedJson entry = factor_json(factor);
    entry["multiplicity"] = copies->maps.size();
    entry["maps"] = json_value(copies->maps);
    entry["norms"] = json_value(copies->norms);
    entry["symmetries"] = copies->symmetries;
    list.push_back(std::move(entry));
  }
  return OrderedJson{{"group", view.group},
                     {"left", factor_json(view.left)},
                     {"right", factor_json(view.right)},
                     {"constituents", std::move(list)}};
}

Sheet product_sheet(const ProductView& view) {
  Sheet sheet{fmt::format("{} (x) {} of {}", view.left.name, view.right.name, view.group),
              {"irrep", "copy", "row1", "row2", "column", "value", "norm"},
              {},
              "lr"};
  const std::size_t d = view.right.form->rows();
  for (const auto& [factor, copies] : view.constituents)
    for (std::size_t a = 0; a < copies->maps.size(); ++a)
      for (std::size_t i = 0; i < copies->maps[a].rows(); ++i)
        for (std::size_t j = 0; j < copies->maps[a].cols(); ++j)
          if (const Cyclotomic value = copies->maps[a](i, j); !value.is_zero())
            sheet.rows.push_back({factor.name, std::to_string(a + 1), std::to_string(i / d + 1),
                                  std::to_string(i % d + 1), std::to_string(j + 1), to_string(value),
                                  to_string(copies->norms[a])});
  return sheet;
}

std::string product_latex(const ProductView& view) {
  std::string text;
  for (const auto& [factor, copies] : view.constituents)
    for (std::size_t a = 0; a < copies->maps.size(); ++a)
      text += latex_words(fmt::format("{} (x) {} -> {}, copy {} of {}", view.left.name, view.right.name, factor.name,
                                      a + 1, copies->maps.size())) +
              latex_display(
                  fmt::format("{}, \\quad \\text{{norm }} {}", to_latex(copies->maps[a]), to_latex(copies->norms[a])));
  return text;
}

std::string product_system(Format system, const ProductView& view) {
  std::uint32_t n = 1;
  for (const auto& [factor, copies] : view.constituents) {
    for (const FieldMatrix& T : copies->maps) n = std::lcm(n, conductor_of(T));
    for (const Cyclotomic& norm : copies->norms) n = std::lcm(n, norm.conductor());
  }
  const std::string list = list_of(view.constituents, ",\n", [&](const auto& part) {
    const OrthogonalCopies& copies = *part.second;
    const std::string entries = fmt::format(
        "{}, [{}], [{}]", quoted_words(part.first.name),
        list_of(copies.maps, ", ", [&](const FieldMatrix& T) { return system_matrix(system, T.transpose(), n); }),
        list_of(copies.norms, ", ", [&](const Cyclotomic& a) { return system_number(system, a, n); }));
    return system == Format::gap    ? "[" + entries + "]"
           : system == Format::sage ? "(" + entries + ")"
                                    : "<" + entries + ">";
  });
  return with_roots(system, system == Format::magma ? "[* " + list + " *]" : "[" + list + "]", n);
}

std::string text_of(const SpinCouplings& couplings) { return coupling_text(view_of(couplings)); }

OrderedJson fields_of(const SpinCouplings& couplings) { return coupling_json(view_of(couplings)); }

std::string latex_of(const SpinCouplings& couplings) { return coupling_latex(view_of(couplings)); }

Sheet sheet_of(const SpinCouplings& couplings) { return coupling_sheet(view_of(couplings)); }

std::string text_of(const LorentzCouplings& couplings) { return coupling_text(view_of(couplings)); }

OrderedJson fields_of(const LorentzCouplings& couplings) { return coupling_json(view_of(couplings)); }

std::string latex_of(const LorentzCouplings& couplings) { return coupling_latex(view_of(couplings)); }

Sheet sheet_of(const LorentzCouplings& couplings) { return coupling_sheet(view_of(couplings)); }

std::string text_of(const FiniteClebschGordan& answer) { return product_text(view_of(answer)); }

OrderedJson fields_of(const FiniteClebschGordan& answer) { return product_json(view_of(answer)); }

std::string latex_of(const FiniteClebschGordan& answer) { return product_latex(view_of(answer)); }

Sheet sheet_of(const FiniteClebschGordan& answer) { return product_sheet(view_of(answer)); }

std::string system_of(Format system, const FiniteClebschGordan& answer) {
  return product_system(system, view_of(answer));
}

std::string text_of(const CompactClebschGordan& answer) { return product_text(view_of(answer)); }

OrderedJson fields_of(const CompactClebschGordan& answer) { return product_json(view_of(answer)); }

std::string latex_of(const CompactClebschGordan& answer) { return product_latex(view_of(answer)); }

Sheet sheet_of(const CompactClebschGordan& answer) { return product_sheet(view_of(answer)); }

std::string system_of(Format system, const CompactClebschGordan& answer) {
  return product_system(system, view_of(answer));
}

std::size_t place_of(HalfInteger m, HalfInteger j) { return static_cast<std::size_t>((m.twice + j.twice) / 2); }
std::uint64_t size_of(HalfInteger j) { return static_cast<std::uint64_t>(j.twice) + 1; }

/// Adds an array to those of couplings. \param fill  sets the entries of doubles [d1, d2, d]
template <class Spin, class Fill>
void add_coupling(AnswerArrays& answer, OrderedJson& names, const Spin& left, const Spin& right, const Spin& of,
                  const std::array<std::uint64_t, 3>& sizes, const Fill& fill, const Task& task) {
  const std::uint64_t size = saturated_product(sizes[0], saturated_product(sizes[1], sizes[2]));
  task.require_memory(saturated_product(2 * sizeof(double), size), "the coefficients as arrays");
  std::vector<double> values(size);
  fill(values);
  answer.arrays.push_back(
      {fmt::format("coupling.{}", answer.arrays.size() + 1), {sizes[0], sizes[1], sizes[2]}, std::move(values)});
  names.push_back({to_string(left), to_string(right), to_string(of)});
}

AnswerArrays finished(AnswerArrays answer, const char* key, const OrderedJson& names) {
  answer.metadata.emplace(key, json_text(names, -1));
  if (names.size() != 1) answer.several = "the coefficients of one constituent: --index K";
  return answer;
}

/// The maps and norms of orthogonal copies. \param name  of a constituent
template <class Product, class Name>
AnswerArrays arrays_of_product(const Product& product, AnswerArrays answer, const Name& name, const Task& task) {
  OrderedJson names = OrderedJson::array();
  for (const auto& part : product.constituents) {
    const std::size_t k = names.size() + 1, copies = part.maps.size();
    const std::uint64_t rows = part.maps.front().rows(), cols = part.maps.front().cols();
    Numbers maps(saturated_product(copies, saturated_product(rows, cols)), task), norms(copies, task);
    bool is_real = true;
    for (std::size_t a = 0; a < copies; ++a) {
      maps.add_matrix(part.maps[a], task);
      norms.add(part.norms[a]);
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j)
          is_real = is_real && part.maps[a](i, j) == part.maps[a](i, j).conjugate();
    }
    answer.arrays.push_back({fmt::format("maps.{}", k), {copies, rows, cols}, std::move(maps).over(is_real)});
    answer.arrays.push_back({fmt::format("norms.{}", k), {copies}, std::move(norms).real()});
    names.push_back(name(part));
  }
  return finished(std::move(answer), "constituents", names);
}

AnswerArrays arrays_of(const SpinCouplings& couplings, const Task& task) {
  const bool real = couplings.list.front().basis == CouplingBasis::real,
             symbols = couplings.list.front().form == CouplingForm::symbols;
  AnswerArrays answer{{},
                      described({{"group", couplings.group},
                                 {"basis", real ? "real" : "complex"},
                                 {"form", symbols ? "3j" : "coefficients"}})};
  OrderedJson names = OrderedJson::array();
  for (const Coupling& c : couplings.list) {
    task.poll();
    add_coupling(
        answer, names, c.j1, c.j2, c.j, {size_of(c.j1), size_of(c.j2), size_of(c.j)},
        [&](std::vector<double>& values) {
          for (const auto& e : c.entries)
            values[(place_of(e.m1, c.j1) * size_of(c.j2) + place_of(e.m2, c.j2)) * size_of(c.j) + place_of(e.m, c.j)] =
                e.value.to_double();
        },
        task);
  }
  return finished(std::move(answer), "couplings", names);
}

AnswerArrays arrays_of(const LorentzCouplings& couplings, const Task& task) {
  AnswerArrays answer{{}, described({{"group", couplings.group}, {"basis", "complex"}, {"form", "coefficients"}})};
  OrderedJson names = OrderedJson::array();
  for (const LorentzCoupling& c : couplings.list) {
    task.poll();
    const Coupling &a = c.first, &b = c.second;
    const std::array<std::uint64_t, 3> sizes{size_of(a.j1) * size_of(b.j1), size_of(a.j2) * size_of(b.j2),
                                             size_of(a.j) * size_of(b.j)};
    add_coupling(
        answer, names, c.left(), c.right(), c.constituent(), sizes,
        [&](std::vector<double>& values) {
          for (const auto& x : a.entries)
            for (const auto& y : b.entries)
              values[((place_of(x.m1, a.j1) * size_of(b.j1) + place_of(y.m1, b.j1)) * sizes[1] +
                      place_of(x.m2, a.j2) * size_of(b.j2) + place_of(y.m2, b.j2)) *
                         sizes[2] +
                     place_of(x.m, a.j) * size_of(b.j) + place_of(y.m, b.j)] = (x.value * y.value).to_double();
        },
        task);
  }
  return finished(std::move(answer), "couplings", names);
}

AnswerArrays arrays_of(const FiniteClebschGordan& answer, const Task& task) {
  const auto name = [&](const auto& V) { return answer.table.name(V.row); };
  return arrays_of_product(
      answer,
      {{},
       described({{"group", answer.table.group().name()}, {"left", name(answer.left)}, {"right", name(answer.right)}})},
      [&](const auto& part) { return name(part.irreducible); }, task);
}

AnswerArrays arrays_of(const CompactClebschGordan& answer, const Task& task) {
  return arrays_of_product(
      answer,
      {{},
       described({{"group", answer.left.group().name()},
                  {"left", answer.left.to_string()},
                  {"right", answer.right.to_string()}})},
      [](const auto& part) { return part.representation.to_string(); }, task);
}

/// All but the expressions of programs.
template <class Couplings>
Record coupling_record(Kept<Couplings> couplings) {
  return {.fields = at_once([=](const Task&) { return fields_of(*couplings); }),
          .text = [=](unsigned, const Task&) { return text_of(*couplings); },
          .latex = [=](const Task&) { return latex_of(*couplings); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*couplings)}; },
          .arrays = [=](const Task& task) { return arrays_of(*couplings, task); }};
}

}  // namespace

Record record(Kept<SpinCouplings> couplings) { return coupling_record(couplings); }
Record record(Kept<LorentzCouplings> couplings) { return coupling_record(couplings); }

Record record(Kept<FiniteClebschGordan> answer) {
  Record made = coupling_record(answer);
  made.expression = [=](Format system, const Task&) { return system_of(system, *answer); };
  return made;
}

Record record(Kept<CompactClebschGordan> answer) {
  Record made = coupling_record(answer);
  made.expression = [=](Format system, const Task&) { return system_of(system, *answer); };
  return made;
}

}  // namespace intertwine
