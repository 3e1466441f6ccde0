// Writes irreducible representations by matrices.
#include <fmt/format.h>

#include <optional>

#include "intertwine/io/latex.hpp"
#include "intertwine/io/lean_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "intertwine/representations/representation_proof.hpp"
#include "io/answers/matrix_values.hpp"
#include "io/answers/number_arrays.hpp"
#include "io/answers/proof_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/system_values.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

/// "X.2 + X.3", "2*X.4".
std::string constituents(const CharacterTable& table, const IrreducibleForm& form) {
  std::string text;
  for (const std::size_t row : form.rows)
    text += (text.empty() ? "" : " + ") + (form.multiplicity == 1 ? "" : fmt::format("{}*", form.multiplicity)) +
            table.name(row);
  return text;
}

std::vector<FieldMatrix> images_of(const Representation& V) {
  std::vector<FieldMatrix> images;
  for (const Permutation& s : V.group().generators()) images.push_back(V.field_matrix(s));
  return images;
}

std::vector<RootMatrix> unitary_images(const Representation& V, const OrthonormalBasis& basis) {
  std::vector<RootMatrix> images;
  for (const Permutation& s : V.group().generators()) images.push_back(basis.matrix(V.field_matrix(s)));
  return images;
}

void write_orthonormal(JsonWriter& json, const Representation& V, const OrthonormalBasis& basis) {
  json.key("orthonormal").open_object();
  write_rows(json.key("form"), basis.form);
  write_rows(json.key("columns"), basis.columns);
  write_member(json, "norms", json_value(basis.norms));
  write_unitary(json, unitary_images(V, basis));
  json.close();
}

/// \param basis  nullptr: without one
void write_entry(JsonWriter& json, const CharacterTable& table, const IrreducibleForms::Entry& entry,
                 const OrthonormalBasis* basis) {
  const auto& [complex, form] = entry;
  const Representation& V = form.representation;
  OrderedJson names = OrderedJson::array();
  for (const std::size_t row : form.rows) names.push_back(table.name(row));
  const OrderedJson before{{"irrep", complex.row},
                           {"name", table.name(complex.row)},
                           {"indicator", table.indicator(complex.row)},
                           {"rows", form.rows},
                           {"names", std::move(names)},
                           {"multiplicity", form.multiplicity},
                           {"degree", std::to_string(V.dimension())},
                           {"field", {{"name", V.field().to_string()}, {"degree", V.field().degree()}}},
                           {"over_character_field", complex.over_character_field},
                           {"construction", complex.construction}};
  json.open_object().members(json_text(before)).key("matrices").open_list();
  for (const Permutation& s : V.group().generators()) write_rows(json, V.field_matrix(s));
  json.close();
  write_member(json, "seed",
               {{"generators", json_value(complex.seed.generators)},
                {"values", json_value(complex.seed.values)},
                {"vector", json_value(complex.seed.vector.transpose())[0]}});
  if (basis != nullptr) write_orthonormal(json, V, *basis);
  json.close();
}

std::string forms_text(const IrreducibleForms& forms, bool heading, const std::vector<OrthonormalBasis>* bases,
                       const Task& task) {
  const FiniteGroup& G = forms.table.group();
  std::string text;
  if (heading)
    text = fmt::format(
        "{}, order {}: {} over the {} numbers{}\n", G.name(), G.order().str(),
        counted(std::to_string(forms.entries.size()), "irreducible representation", "irreducible representations"),
        to_string(forms.over), bases == nullptr ? "" : ", in orthonormal bases");
  for (std::size_t k = 0; k < forms.entries.size(); ++k) {
    const auto& [complex, form] = forms.entries[k];
    const Representation& V = form.representation;
    text += fmt::format(
        "\n{}: degree {}, over {}{}\n  {}\n", constituents(forms.table, form), V.dimension(), V.field().to_string(),
        complex.over_character_field || forms.over != BaseField::complex ? ""
                                                                         : ", larger than the field of the character",
        complex.construction);
    if (bases != nullptr && !((*bases)[k].form == FieldMatrix::identity(AbelianField(), V.dimension())))
      text += "  orthonormal for the invariant form\n" + to_text((*bases)[k].form, "    ");
    for (const Permutation& s : V.group().generators()) {
      require_matrix(V, text.size(), task);
      text += "  " + s.to_string() + "\n" +
              (bases == nullptr ? to_text(V.field_matrix(s), "    ")
                                : to_text((*bases)[k].matrix(V.field_matrix(s)), "    "));
    }
  }
  for (const auto& [row, reason] : forms.missing)
    text += fmt::format("\n{}: missing\n  {}\n", forms.table.name(row), reason);
  return text;
}

void write_forms(JsonWriter& json, const IrreducibleForms& forms, const std::vector<OrthonormalBasis>* bases) {
  const FiniteGroup& G = forms.table.group();
  write_member(json, "group", G.name());
  write_member(json, "order", G.order().str());
  write_member(json, "generators", json_value(G.generators()));
  write_member(json, "over", to_string(forms.over));
  json.key("irreps").open_list();
  for (std::size_t k = 0; k < forms.entries.size(); ++k)
    write_entry(json, forms.table, forms.entries[k], bases == nullptr ? nullptr : &(*bases)[k]);
  json.close();
  if (forms.missing.empty()) return;
  json.key("missing");
  write_list(json, forms.missing, [&](const MissingForm& missing) {
    return OrderedJson{{"irrep", missing.row}, {"name", forms.table.name(missing.row)}, {"reason", missing.reason}};
  });
}

std::string text_of(const IrreducibleForms& forms, bool heading, const Task& task) {
  return forms_text(forms, heading, nullptr, task);
}

std::string text_of(const OrthonormalForms& found, bool heading, const Task& task) {
  return forms_text(found.forms, heading, &found.bases, task);
}

void write_fields(JsonWriter& json, const IrreducibleForms& forms) { write_forms(json, forms, nullptr); }

void write_fields(JsonWriter& json, const OrthonormalForms& found) { write_forms(json, found.forms, &found.bases); }

void write_fields(JsonWriter& json, const ProvedForms& proved) {
  write_forms(json, proved.forms, nullptr);
  OrderedJson proof = json_proof("representations", proved.forms.table.group(), proved.order);
  proof["classes"] = json_classes(proved.forms.table.classes());
  write_member(json, "proof", proof);
}

std::string latex_of(const IrreducibleForms& forms) {
  std::string text;
  for (const auto& [complex, form] : forms.entries) {
    const Representation& V = form.representation;
    text += latex_words(constituents(forms.table, form) + ", over " + V.field().to_string()) + to_latex(V);
  }
  for (const auto& [row, reason] : forms.missing)
    text += latex_words(fmt::format("{}: missing: {}", forms.table.name(row), reason));
  return text;
}

Sheet sheet_of(const IrreducibleForms& forms) {
  const auto in_rows = [](const FieldMatrix& A) {
    std::string text;
    for (std::size_t i = 0; i < A.rows(); ++i) {
      text += i == 0 ? "[[" : ", [";
      for (std::size_t j = 0; j < A.cols(); ++j) text += (j == 0 ? "" : ", ") + to_string(A(i, j));
      text += "]";
    }
    return text + "]";
  };
  Sheet sheet{"Irreducible representations of " + forms.table.group().name(), {"irrep", "degree", "field"}, {}, "lrl"};
  for (const Permutation& g : forms.table.group().generators()) sheet.head.emplace_back(g.to_string());
  for (const auto& [complex, form] : forms.entries) {
    const Representation& V = form.representation;
    sheet.rows.push_back({constituents(forms.table, form), std::to_string(V.dimension()), V.field().to_string()});
    for (const FieldMatrix& A : images_of(V)) sheet.rows.back().emplace_back(in_rows(A));
  }
  for (const auto& [row, reason] : forms.missing)
    sheet.rows.push_back({forms.table.name(row), to_string(forms.table.degree(row)), "missing: " + reason});
  return sheet;
}

std::string gap_of(const IrreducibleForms& forms, const Task& task) {
  std::string text = "[";
  for (const auto& [complex, form] : forms.entries) {
    const Representation& V = form.representation;
    text += (text.size() == 1 ? "\n# " : ",\n# ") + constituents(forms.table, form) + "\n" + to_gap(V, task);
  }
  for (const auto& [row, reason] : forms.missing)
    text += fmt::format("\n# {}: missing: {}", forms.table.name(row), reason);
  return text + "\n]";
}

AnswerArray generators_of(const FiniteGroup& G) {
  std::vector<std::int64_t> images;
  for (const Permutation& g : G.generators()) add_images(images, g, G.degree());
  return {"generators", {G.generators().size(), G.degree()}, std::move(images)};
}

AnswerArrays arrays_of(const IrreducibleForms& forms, const Task& task) {
  const FiniteGroup& G = forms.table.group();
  AnswerArrays answer{{}, described({{"group", G.name()}, {"over", to_string(forms.over)}})};
  OrderedJson names = OrderedJson::array();
  for (const auto& [complex, form] : forms.entries) {
    const Representation& V = form.representation;
    const std::uint64_t d = V.dimension();
    Numbers values(saturated_product(G.generators().size(), saturated_product(d, d)), task);
    for (const Permutation& g : G.generators()) values.add_matrix(V.field_matrix(g), task);
    answer.arrays.push_back({fmt::format("irrep.{}", answer.arrays.size() + 1),
                             {G.generators().size(), d, d},
                             std::move(values).over(V.field().is_real())});
    std::string name;
    for (const std::size_t row : form.rows) name += (name.empty() ? "" : " + ") + forms.table.name(row);
    names.push_back(name);
  }
  answer.metadata.emplace("irreps", json_text(names, -1));
  if (answer.arrays.size() != 1) answer.several = "the matrices of one representation: --index K";
  answer.arrays.push_back(generators_of(G));
  return answer;
}

}  // namespace

Record record(Kept<IrreducibleForms> forms) {
  return {.fields = piecewise([=](JsonWriter& json) { write_fields(json, *forms); }),
          .text = [=](unsigned width, const Task& task) { return text_of(*forms, width != 0, task); },
          .latex = [=](const Task&) { return latex_of(*forms); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*forms)}; },
          .expression =
              [=](Format system, const Task& task) {
                return system == Format::gap ? gap_of(*forms, task) : system_of(system, *forms, task);
              },
          .arrays = [=](const Task& task) { return arrays_of(*forms, task); },
          .lean = [=](const Task& task) { return to_lean(*forms, task); }};
}

Record record(Kept<OrthonormalForms> forms) {
  return {.fields = piecewise([=](JsonWriter& json) { write_fields(json, *forms); }),
          .text = [=](unsigned width, const Task& task) { return text_of(*forms, width != 0, task); }};
}

Record record(Kept<ProvedForms> proved) {
  return {.fields = piecewise([=](JsonWriter& json) { write_fields(json, *proved); }),
          .text = [=](unsigned width, const Task& task) { return text_of(proved->forms, width != 0, task); }};
}

}  // namespace intertwine
