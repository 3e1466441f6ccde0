// Writes representations by matrices, and decompositions.
#include "intertwine/io/representation_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <map>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/npy.hpp"
#include "io/containers/text.hpp"
#include "io/text/indicator_text.hpp"
#include "io/text/json_values.hpp"
#include "io/text/latex_matrix.hpp"
#include "io/text/proof_values.hpp"
#include "io/text/system_values.hpp"

namespace intertwine {

namespace {

/// Rows between brackets, columns aligned to the right.
template <class Entry>
std::string bracketed(std::size_t rows, std::size_t cols, const std::string& indent, Entry entry) {
  std::vector<std::vector<std::string>> cells(rows, std::vector<std::string>(cols));
  std::vector<std::size_t> widths(cols, 1);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      const std::string value = entry(i, j);
      cells[i][j] = value == "0" ? "." : value;
      widths[j] = std::max(widths[j], cells[i][j].size());
    }
  std::string text;
  for (const auto& row : cells) {
    text += indent + "[";
    for (std::size_t j = 0; j < row.size(); ++j) text += fmt::format(" {:>{}}", row[j], widths[j]);
    text += " ]\n";
  }
  return text;
}

}  // namespace

std::string to_text(const FieldMatrix& A, const std::string& indent) {
  return bracketed(A.rows(), A.cols(), indent,
                   [&](std::size_t i, std::size_t j) { return to_string(A(i, j)); });
}

std::string to_text(const RootMatrix& A, const std::string& indent) {
  return bracketed(A.matrix.rows(), A.matrix.cols(), indent,
                   [&](std::size_t i, std::size_t j) { return A.entry(i, j); });
}

std::string latex_matrix(const std::vector<std::vector<std::string>>& cells) {
  constexpr std::size_t columns_of_pmatrix = 10;  // amsmath's MaxMatrixCols
  const std::size_t columns = cells.empty() ? 0 : cells.front().size();
  const bool wide = columns > columns_of_pmatrix;
  std::string text = wide ? "\\left(\\begin{array}{" + std::string(columns, 'r') + "}" : "\\begin{pmatrix}";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += i == 0 ? " " : " \\\\ ";
    for (std::size_t j = 0; j < columns; ++j) text += (j == 0 ? "" : " & ") + cells[i][j];
  }
  return text + (wide ? " \\end{array}\\right)" : " \\end{pmatrix}");
}

std::string to_latex(const FieldMatrix& A) {
  std::vector<std::vector<std::string>> cells(A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) cells[i].push_back(to_latex(A(i, j)));
  return latex_matrix(cells);
}

namespace {

/// "X.2 + X.3", "2*X.4".
std::string constituents(const CharacterTable& table, const IrreducibleForm& form) {
  std::string text;
  for (const std::size_t row : form.rows)
    text += (text.empty() ? "" : " + ") +
            (form.multiplicity == 1 ? "" : fmt::format("{}*", form.multiplicity)) + table.name(row);
  return text;
}

/// Before a matrix of V is made and written: its entries, and a cell of text for each.
void require_matrix(const Representation& V, std::uint64_t written, const Task& task) {
  task.poll();
  task.require_memory(written + 48 * V.dimension() * V.dimension() * V.field().degree(),
                      "the matrices as text");
}

std::vector<FieldMatrix> images_of(const Representation& V) {
  std::vector<FieldMatrix> images;
  for (const Permutation& s : V.group().generators()) images.push_back(V.field_matrix(s));
  return images;
}

void write_numbers(JsonWriter& json, const RootMatrix& A) {
  json.open_list();
  for (std::size_t i = 0; i < A.matrix.rows(); ++i) {
    OrderedJson row = OrderedJson::array();
    for (std::size_t k = 0; k < A.matrix.cols(); ++k) {
      const std::complex<double> z = A(i, k);
      row.push_back(A.matrix.field().is_real() ? OrderedJson(z.real())
                                               : OrderedJson::array({z.real(), z.imag()}));
    }
    json.value(json_text(row, -1));
  }
  json.close();
}

/// Entry (i, k) is that of the exact matrix times sqrt(norms[i] / norms[k]); the same in doubles.
void write_unitary(JsonWriter& json, const std::vector<RootMatrix>& matrices) {
  json.key("matrices").open_list();
  for (const RootMatrix& A : matrices) write_rows(json, A.matrix);
  json.close().key("numbers").open_list();
  for (const RootMatrix& A : matrices) write_numbers(json, A);
  json.close();
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

/// The transposed matrix as a list of its rows.
template <class Entry>
std::string transposed_rows(std::size_t rows, std::size_t cols, const Task& task, Entry entry) {
  const auto listed = [](std::size_t count, auto text) {
    std::string list = "[";
    for (std::size_t k = 0; k < count; ++k) list += (k == 0 ? "" : ",") + text(k);
    return list + "]";
  };
  return listed(cols, [&](std::size_t j) {
    task.poll();
    return listed(rows, [&](std::size_t i) { return to_string(entry(i, j)); });
  });
}

std::string gap_matrix(const FieldMatrix& A, bool in_coordinates, const Task& task) {
  if (!in_coordinates)
    return transposed_rows(A.rows(), A.cols(), task, [&](std::size_t i, std::size_t j) { return A(i, j); });
  std::string text;
  for (std::size_t c = 0; c < A.field().degree(); ++c)
    text += (c == 0 ? "[" : ",\n ") +
            transposed_rows(A.rows(), A.cols(), task, [&](std::size_t i, std::size_t j) -> Rational {
              return A.coefficients()(i, c * A.cols() + j);
            });
  return text + "]";
}

}  // namespace

std::string to_gap(const Representation& V, const Task& task) {
  const std::vector<Permutation>& of_group = V.group().generators();
  if (of_group.empty())
    return fmt::format("GroupHomomorphismByImages(Group(()),Group(IdentityMat({0})),[()],[IdentityMat({0})])",
                       V.dimension());
  std::string generators, matrices;
  const bool in_coordinates = has_long_entries(V);
  for (std::size_t k = 0; k < of_group.size(); ++k) {
    require_matrix(V, 2 * matrices.size(), task);
    const FieldMatrix A = V.field_matrix(of_group[k]).over(V.field());
    generators += (k == 0 ? "" : ",") + of_group[k].to_string();
    matrices += (k == 0 ? "" : ",\n ") + gap_matrix(A, in_coordinates, task);
  }
  matrices = "[" + matrices + "]";
  if (in_coordinates)
    matrices = fmt::format(
        "CallFuncList(function(c,a) return List(c,A->Sum([1..Length(A)],k->a^(k-1)*A[k])); end,\n[{},\n{}])",
        matrices, to_string(V.field().generator()));
  return fmt::format(
      "CallFuncList(function(g,m) return\n"
      "GroupHomomorphismByImagesNC(Group(g),GroupWithGenerators(m),g,m); end,\n"
      "[[{}],\n{}])",
      generators, matrices);
}

namespace {

std::string forms_text(const IrreducibleForms& forms, bool heading,
                       const std::vector<OrthonormalBasis>* bases, const Task& task) {
  const FiniteGroup& G = forms.table.group();
  std::string text;
  if (heading)
    text = fmt::format("{}, order {}: {} over the {} numbers{}\n", G.name(), G.order().str(),
                       counted(std::to_string(forms.entries.size()), "irreducible representation",
                               "irreducible representations"),
                       to_string(forms.over), bases == nullptr ? "" : ", in orthonormal bases");
  for (std::size_t k = 0; k < forms.entries.size(); ++k) {
    const auto& [complex, form] = forms.entries[k];
    const Representation& V = form.representation;
    text += fmt::format("\n{}: degree {}, over {}{}\n  {}\n", constituents(forms.table, form), V.dimension(),
                        V.field().to_string(),
                        complex.over_character_field || forms.over != BaseField::complex
                            ? ""
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

void write_forms(JsonWriter& json, const IrreducibleForms& forms,
                 const std::vector<OrthonormalBasis>* bases) {
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
    return OrderedJson{
        {"irrep", missing.row}, {"name", forms.table.name(missing.row)}, {"reason", missing.reason}};
  });
}

}  // namespace

std::string to_text(const IrreducibleForms& forms, bool heading, const Task& task) {
  return forms_text(forms, heading, nullptr, task);
}
std::string to_text(const OrthonormalForms& found, bool heading, const Task& task) {
  return forms_text(found.forms, heading, &found.bases, task);
}
void write_json(JsonWriter& json, const IrreducibleForms& forms) { write_forms(json, forms, nullptr); }
void write_json(JsonWriter& json, const OrthonormalForms& found) {
  write_forms(json, found.forms, &found.bases);
}

void write_json(JsonWriter& json, const ProvedForms& proved) {
  write_json(json, proved.forms);
  OrderedJson proof = json_proof("representations", proved.forms.table.group(), proved.order);
  proof["classes"] = json_classes(proved.forms.table.classes());
  write_member(json, "proof", proof);
}

std::string to_json(const IrreducibleForms& forms) { return object_text(forms); }
std::string to_json(const ProvedForms& proved) { return object_text(proved); }
std::string to_json(const OrthonormalForms& found) { return object_text(found); }

std::string to_latex(const Representation& V, const Task& task) {
  std::vector<Permutation> of_group = V.group().generators();
  if (of_group.empty()) of_group.push_back(Permutation::identity(V.group().degree()));
  std::string text = "\\begin{align*}\n";
  for (std::size_t k = 0; k < of_group.size(); ++k) {
    require_matrix(V, text.size(), task);
    text += of_group[k].to_string() + " &\\mapsto " + to_latex(V.field_matrix(of_group[k])) +
            (k + 1 < of_group.size() ? " \\\\\n" : "\n");
  }
  return text + "\\end{align*}\n";
}

std::string to_latex(const IrreducibleForms& forms) {
  std::string text;
  for (const auto& [complex, form] : forms.entries) {
    const Representation& V = form.representation;
    text += latex_words(constituents(forms.table, form) + ", over " + V.field().to_string()) + to_latex(V);
  }
  for (const auto& [row, reason] : forms.missing)
    text += latex_words(fmt::format("{}: missing: {}", forms.table.name(row), reason));
  return text;
}

Sheet to_sheet(const IrreducibleForms& forms) {
  const auto in_rows = [](const FieldMatrix& A) {
    std::string text;
    for (std::size_t i = 0; i < A.rows(); ++i) {
      text += i == 0 ? "[[" : ", [";
      for (std::size_t j = 0; j < A.cols(); ++j) text += (j == 0 ? "" : ", ") + to_string(A(i, j));
      text += "]";
    }
    return text + "]";
  };
  Sheet sheet{"Irreducible representations of " + forms.table.group().name(),
              {"irrep", "degree", "field"},
              {},
              "lrl"};
  for (const Permutation& g : forms.table.group().generators()) sheet.head.emplace_back(g.to_string());
  for (const auto& [complex, form] : forms.entries) {
    const Representation& V = form.representation;
    sheet.rows.push_back(
        {constituents(forms.table, form), std::to_string(V.dimension()), V.field().to_string()});
    for (const FieldMatrix& A : images_of(V)) sheet.rows.back().emplace_back(in_rows(A));
  }
  for (const auto& [row, reason] : forms.missing)
    sheet.rows.push_back({forms.table.name(row), to_string(forms.table.degree(row)), "missing: " + reason});
  return sheet;
}

std::string to_gap(const IrreducibleForms& forms, const Task& task) {
  std::string text = "[";
  for (const auto& [complex, form] : forms.entries) {
    const Representation& V = form.representation;
    text += (text.size() == 1 ? "\n# " : ",\n# ") + constituents(forms.table, form) + "\n" + to_gap(V, task);
  }
  for (const auto& [row, reason] : forms.missing)
    text += fmt::format("\n# {}: missing: {}", forms.table.name(row), reason);
  return text + "\n]";
}

std::string to_text(const Decomposition& d, bool columns) {
  constexpr std::size_t shown = 16;  // columns that fit a terminal
  Cells rows{{"irrep", "degree", "multiplicity", "indicator"}};
  if (d.over == BaseField::rational)
    for (const char* title : {"Schur index", "division algebra"}) rows.front().emplace_back(title);
  for (const Constituent& part : d.constituents) {
    const std::size_t row = part.irreps.front();
    const int indicator = d.table.indicator(row);
    rows.push_back({fmt::format("{}  {}", row + 1, row_names(d.table, part.irreps)), part.degree.str(),
                    part.multiplicity.str(), indicator_text(indicator)});
    if (d.over == BaseField::rational)
      for (const std::string& text :
           {to_text(part.index), to_text(division_algebra(part.index, part.irreps.size()))})
        rows.back().push_back(text);
  }
  std::string text = fmt::format("{} of {}: dimension {}, over the {} numbers\n", d.representation,
                                 d.table.group().name(), d.dimension, to_string(d.over)) +
                     aligned(rows);
  if (!d.components || !columns) return text;
  text += "change of basis T: its columns are the new basis vectors, T^-1 rho(g) T is block diagonal" +
          std::string(d.orthonormal ? ",\nand unitary: the vectors are orthonormal" : "") + "\n";
  std::size_t first = 1;
  Cells matrix(static_cast<std::size_t>(d.dimension), {"  "});
  if (d.orthonormal && !(d.orthonormal->form == FieldMatrix::identity(AbelianField(), d.dimension)))
    text += "  for the invariant form\n" + to_text(d.orthonormal->form, "    ");
  for (std::size_t c = 0; c < d.components->size(); ++c) {
    const IsotypicComponent& part = (*d.components)[c];
    const std::size_t n = part.inclusion.cols();
    const auto T = d.orthonormal ? std::optional(d.orthonormal->components[c].basis()) : std::nullopt;
    text += fmt::format("  columns {}-{}: {} x {} over {}\n", first, first + n - 1, part.multiplicity,
                        row_names(d.table, part.irreps), part.field.to_string());
    first += n;
    for (std::size_t i = 0; d.dimension <= shown && i < d.dimension; ++i)
      for (std::size_t j = 0; j < n; ++j)
        matrix[i].push_back(T ? T->entry(i, j) : to_string(part.inclusion(i, j)));
  }
  return text +
         (d.dimension <= shown ? aligned(matrix) : "  (large: write it with --output T.json or T.npy)\n");
}

namespace {

OrderedJson constituent_json(const Decomposition& d, const Constituent& part) {
  const std::size_t row = part.irreps.front();
  OrderedJson entry{{"irrep", row},
                    {"degree", part.degree.str()},
                    {"multiplicity", part.multiplicity.str()},
                    {"indicator", d.table.indicator(row)},
                    {"name", row_names(d.table, part.irreps)}};
  if (d.over == BaseField::rational) {
    entry["schur_index"] = json_value(part.index);
    entry["division_algebra"] = json_value(division_algebra(part.index, part.irreps.size()));
  }
  if (part.irreps.size() > 1) entry["conjugates"] = std::vector(part.irreps.begin() + 1, part.irreps.end());
  return entry;
}

void write_orthonormal(JsonWriter& json, const OrthonormalComponent& part) {
  json.key("orthonormal").open_object();
  write_rows(json.key("vectors"), part.vectors);
  write_member(json, "norms", json_value(part.norms));
  write_numbers(json.key("basis"), part.basis());
  write_unitary(json, part.matrices);
  json.close();
}

}  // namespace

void write_json(JsonWriter& json, const Decomposition& d) {
  write_member(json, "group", d.table.group().name());
  write_member(json, "rep", d.representation);
  write_member(json, "dimension", std::to_string(d.dimension));
  write_member(json, "over", to_string(d.over));
  json.key("constituents");
  write_list(json, d.constituents, [&](const Constituent& part) { return constituent_json(d, part); });
  if (!d.components) return;
  if (d.orthonormal) write_rows(json.key("form"), d.orthonormal->form);
  json.key("components").open_list();
  for (std::size_t c = 0; c < d.components->size(); ++c) {
    const IsotypicComponent& part = (*d.components)[c];
    json.open_object();
    write_member(json, "irreps", part.irreps);
    write_member(json, "name", row_names(d.table, part.irreps));
    write_member(json, "field", part.field.to_string());
    write_member(json, "degree", part.degree);
    write_member(json, "multiplicity", part.multiplicity);
    json.key("matrices").open_list();
    for (const FieldMatrix& A : part.matrices) write_rows(json, A);
    json.close();
    write_rows(json.key("inclusion"), part.inclusion);
    write_rows(json.key("projection"), part.projection);
    if (d.orthonormal) write_orthonormal(json, d.orthonormal->components[c]);
    json.close();
  }
  json.close();
}

std::string to_json(const Decomposition& d) { return object_text(d); }

std::string to_npy(const Decomposition& d) {
  if (!d.components) throw DomainError("to_npy: the decomposition has no components");
  const auto n = static_cast<std::size_t>(d.dimension);
  std::vector<double> values(n * n);
  std::size_t first = 0;
  for (std::size_t c = 0; c < d.components->size(); ++c) {
    const IsotypicComponent& part = (*d.components)[c];
    const auto T = d.orthonormal ? std::optional(d.orthonormal->components[c].basis()) : std::nullopt;
    if (!part.field.is_real())
      throw DomainError("decompose: the component of the irreducible representation in row " +
                        std::to_string(part.irreps.front()) + " is over " + part.field.to_string() +
                        ", and .npy files hold real numbers; decompose --over real, or write .json");
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < part.inclusion.cols(); ++j)
        values[i * n + first + j] = (T ? (*T)(i, j) : part.inclusion(i, j).to_complex()).real();
    first += part.inclusion.cols();
  }
  return to_npy(NpyArray{{n, n}, std::move(values)});
}

namespace {

/// "1 - 2t + t^3".
std::string polynomial(const std::vector<Integer>& coefficients) {
  std::string text;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    const Integer& c = coefficients[k];
    if (c == 0) continue;
    const Integer size = abs(c);
    text += c < 0 ? (text.empty() ? "-" : " - ") : text.empty() ? "" : " + ";
    const std::string power = k == 0 ? "" : k == 1 ? "t" : "t^" + std::to_string(k);
    text += size != 1 || k == 0 ? size.str() + power : power;
  }
  return text.empty() ? "0" : text;
}

}  // namespace

std::string molien_heading(const MolienReport& report) {
  return fmt::format(
      fmt::runtime(report.row ? "{} of {}: how often {} occurs in Sym^k" : "{} of {}: dim Hom(Sym^k, {})"),
      report.representation, report.group, report.target);
}

std::string to_text(const MolienSeries& series) {
  std::string text(" ");
  for (const Integer& a : series.coefficients) text += " " + a.str();
  text += "\n";
  if (series.numerator.empty()) return text;
  std::map<std::uint64_t, std::size_t> powers;
  for (const std::uint64_t d : series.degrees) ++powers[d];
  std::string below;
  for (const auto& [d, times] : powers)
    below +=
        (d == 1 ? "(1 - t)" : fmt::format("(1 - t^{})", d)) + (times == 1 ? "" : fmt::format("^{}", times));
  constexpr unsigned width = 100;
  const std::string above = "  = (" + polynomial(series.numerator) + ")",
                    divided = below.empty() ? "" : " / (" + below + ")";
  if (above.size() + divided.size() <= width) return text + above + divided + "\n";
  return text + wrapped_sum(above, width) + (divided.empty() ? "" : " " + divided + "\n");
}

std::string to_text(const MolienReport& report) {
  return fmt::format("{}, k = 0 ... {}\n", molien_heading(report), report.series.coefficients.size() - 1) +
         to_text(report.series);
}

std::string to_json(const MolienReport& report) {
  const MolienSeries& series = report.series;
  OrderedJson json;
  json["group"] = report.group;
  json["rep"] = report.representation;
  json["dimension"] = std::to_string(report.dimension);
  if (report.row)
    json["irrep"] = *report.row;
  else
    json["out"] = report.target;
  json["coefficients"] = json_value(series.coefficients);
  json["numerator"] = series.numerator.empty() ? OrderedJson() : json_value(series.numerator);
  json["denominator_degrees"] = series.degrees;
  return json_text(json);
}

}  // namespace intertwine
