#include "intertwine/io/clebsch_gordan_text.hpp"

#include <fmt/format.h>

#include "intertwine/io/representation_text.hpp"
#include "io/containers/text.hpp"
#include "io/text/json_values.hpp"

namespace intertwine {

namespace {

const char* coupling_basis_name(CouplingBasis basis) {
  return basis == CouplingBasis::complex ? "complex" : "real";
}
const char* coupling_form_name(CouplingForm form) {
  return form == CouplingForm::coefficients ? "coefficients" : "3j";
}

OrderedJson irreducible_json(const FiniteClebschGordan& answer, const IrreducibleRepresentation& R,
                             const FieldMatrix& form) {
  return {{"irrep", R.row + 1},
          {"name", answer.table.name(R.row)},
          {"degree", R.representation.dimension()},
          {"form", json_value(form)}};
}

bool is_identity(const FieldMatrix& A) { return A == FieldMatrix::identity(AbelianField(), A.rows()); }

}  // namespace

std::string to_text(const SpinCouplings& couplings) {
  std::string text;
  for (const Coupling& c : couplings.list) {
    const bool symbol = c.form == CouplingForm::symbols;
    text +=
        fmt::format("{}: {} (x) {} -> {}, {}, {} basis\n", couplings.group, to_string(c.j1), to_string(c.j2),
                    to_string(c.j), symbol ? "3j symbols" : "coefficients <j1 m1 j2 m2|j m>",
                    coupling_basis_name(c.basis));
    Cells rows{{"m", "m1", "m2", "value"}};
    for (const auto& e : c.entries)
      rows.push_back({to_string(e.m), to_string(e.m1), to_string(e.m2), to_string(e.value)});
    text += aligned(rows);
  }
  return text;
}

std::string to_json(const SpinCouplings& couplings) {
  OrderedJson list = OrderedJson::array();
  for (const Coupling& c : couplings.list) {
    OrderedJson entries = OrderedJson::array();
    for (const auto& e : c.entries)
      entries.push_back({{"m1", to_string(e.m1)},
                         {"m2", to_string(e.m2)},
                         {"m", to_string(e.m)},
                         {"sign", e.value.sign()},
                         {"square", to_string(e.value.square())}});
    list.push_back({{"j1", to_string(c.j1)},
                    {"j2", to_string(c.j2)},
                    {"j", to_string(c.j)},
                    {"entries", std::move(entries)}});
  }
  return OrderedJson{{"group", couplings.group},
                     {"basis", coupling_basis_name(couplings.list.front().basis)},
                     {"form", coupling_form_name(couplings.list.front().form)},
                     {"couplings", std::move(list)}}
      .dump(2);
}

std::string to_csv(const SpinCouplings& couplings) {
  Cells rows{{"j1", "j2", "j", "m1", "m2", "m", "sign", "square", "value"}};
  for (const Coupling& c : couplings.list)
    for (const auto& e : c.entries)
      rows.push_back({to_string(c.j1), to_string(c.j2), to_string(c.j), to_string(e.m1), to_string(e.m2),
                      to_string(e.m), std::to_string(e.value.sign()), to_string(e.value.square()),
                      fmt::format("{}", e.value.to_double())});
  return to_csv(rows);
}

std::string to_text(const FiniteClebschGordan& answer) {
  const auto& table = answer.table;
  std::string sum;
  for (const TensorConstituent& part : answer.constituents)
    sum += fmt::format("{}{}{}", sum.empty() ? "" : " + ",
                       part.maps.size() == 1 ? "" : fmt::format("{} ", part.maps.size()),
                       table.name(part.irreducible.row));
  const std::string name = shortened(table.group().name());
  std::string text = fmt::format("{}: {} (x) {} -> {}\n", name, table.name(answer.left.row),
                                 table.name(answer.right.row), sum);
  const auto show_form = [&](const IrreducibleRepresentation& R, const FieldMatrix& form) {
    if (!is_identity(form))
      text += fmt::format("  {} leaves this form fixed:\n", table.name(R.row)) + to_text(form, "    ");
  };
  show_form(answer.left, answer.left_form);
  if (answer.right.row != answer.left.row) show_form(answer.right, answer.right_form);
  for (const TensorConstituent& part : answer.constituents) {
    if (part.irreducible.row != answer.left.row && part.irreducible.row != answer.right.row)
      show_form(part.irreducible, part.form);
    for (std::size_t a = 0; a < part.maps.size(); ++a) {
      const char* symmetry[] = {", alternating", "", ", symmetric"};
      text += fmt::format("{}{}{}: norm {}\n", table.name(part.irreducible.row),
                          part.maps.size() == 1 ? "" : fmt::format(" number {}", a + 1),
                          symmetry[part.symmetries[a] + 1], to_string(part.norms[a])) +
              to_text(part.maps[a], "    ");
    }
  }
  return text;
}

std::string to_json(const FiniteClebschGordan& answer) {
  OrderedJson list = OrderedJson::array();
  for (const TensorConstituent& part : answer.constituents) {
    OrderedJson entry = irreducible_json(answer, part.irreducible, part.form);
    entry["multiplicity"] = part.maps.size();
    entry["maps"] = json_value(part.maps);
    entry["norms"] = json_value(part.norms);
    entry["symmetries"] = part.symmetries;
    list.push_back(std::move(entry));
  }
  return OrderedJson{{"group", answer.table.group().name()},
                     {"left", irreducible_json(answer, answer.left, answer.left_form)},
                     {"right", irreducible_json(answer, answer.right, answer.right_form)},
                     {"constituents", std::move(list)}}
      .dump(2);
}

std::string to_csv(const FiniteClebschGordan& answer) {
  Cells rows{{"irrep", "copy", "row1", "row2", "column", "value", "norm"}};
  const std::size_t d = answer.right.representation.dimension();
  for (const TensorConstituent& part : answer.constituents)
    for (std::size_t a = 0; a < part.maps.size(); ++a)
      for (std::size_t i = 0; i < part.maps[a].rows(); ++i)
        for (std::size_t j = 0; j < part.maps[a].cols(); ++j) {
          const Cyclotomic value = part.maps[a](i, j);
          if (!value.is_zero())
            rows.push_back({answer.table.name(part.irreducible.row), std::to_string(a + 1),
                            std::to_string(i / d + 1), std::to_string(i % d + 1), std::to_string(j + 1),
                            to_string(value), to_string(part.norms[a])});
        }
  return to_csv(rows);
}

}  // namespace intertwine
