// Writes branchings and Schur functors.
#include "intertwine/io/records.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "intertwine/gl/branching.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/io/systems_text.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/number_arrays.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/row_label_cell.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

using Json = OrderedJson;

/// The letters in front of a label, in text and in LaTeX, there with _ or ^.
struct Letters {
  const char *kind, *text, *latex;
};
Letters letters_of(Branching::Kind kind) {
  switch (kind) {
    case Branching::Kind::orthogonal:
      return {"orthogonal", "o", "o_"};
    case Branching::Kind::symplectic:
      return {"symplectic", "sp", "sp_"};
    case Branching::Kind::symmetric:
      return {"symmetric", "S^", "S^"};
    case Branching::Kind::finite:
      break;
  }
  return {"finite", "", "\\chi_"};
}

std::string times(const Integer& multiplicity) { return multiplicity == 1 ? "" : to_string(multiplicity) + " * "; }

Json constituents_json(const HomFunctor& answer, const std::vector<ProductConstituent>& parts) {
  Json list = Json::array();
  for (const ProductConstituent& part : parts)
    list.push_back({{"left", part.left},
                    {"right", part.right},
                    {"left_name", answer.restriction->left().table().name(part.left)},
                    {"right_name", answer.restriction->right().table().name(part.right)},
                    {"multiplicity", to_string(part.multiplicity)}});
  return list;
}

std::string pair_name(const HomFunctor& answer, std::size_t left, std::size_t right) {
  return answer.restriction->left().table().name(left) + " (x) " + answer.restriction->right().table().name(right);
}

std::string lines(const HomFunctor& answer, const std::vector<ProductConstituent>& parts, const char* indent) {
  std::string text;
  for (const ProductConstituent& part : parts)
    text += indent + times(part.multiplicity) + pair_name(answer, part.left, part.right) + "\n";
  return text;
}

Integer total(const std::vector<Integer>& numbers) {
  Integer sum = 0;
  for (const Integer& a : numbers) sum += a;
  return sum;
}

/// The dimension of every term, and the sum.
std::pair<std::vector<Integer>, Integer> dimensions(const HomFunctor& answer, const Task& task) {
  std::vector<Integer> each;
  for (const GlGlTerm& term : answer.terms) {
    task.poll();
    each.push_back(dimension(std::vector<GlGlTerm>{term}, answer.rows, answer.cols));
  }
  Integer sum = total(each);
  return {std::move(each), std::move(sum)};
}

/// "112/23": the rows of a tableau, 1-based; letters from 10 on are set off by commas. "-" for the empty one.
std::string name(const Tableau& T, bool commas) {
  std::string text;
  for (const auto& row : T.rows()) {
    if (!text.empty()) text += '/';
    for (std::size_t j = 0; j < row.size(); ++j) text += (commas && j > 0 ? "," : "") + std::to_string(row[j] + 1);
  }
  return text.empty() ? "-" : text;
}

Json tableaux_json(const std::vector<Tableau>& basis) {
  Json list = Json::array();
  for (const Tableau& T : basis) {
    Json rows = Json::array();
    for (std::vector<int> row : T.rows()) {
      for (int& entry : row) ++entry;
      rows.push_back(row);
    }
    list.push_back(std::move(rows));
  }
  return list;
}

OrderedJson fields_of(const Branching& branching) {
  Json json = {{"functor", json_value(branching.functor)},
               {"n", branching.n},
               {"group", branching.group},
               {"kind", letters_of(branching.kind).kind}};
  if (!branching.rep.empty()) json["rep"] = branching.rep;
  json["dimension"] = to_string(branching.dimension());
  Json& list = json["constituents"] = Json::array();
  for (const auto& part : branching.constituents) {
    Json entry = branching.kind == Branching::Kind::finite ? Json{{"irrep", part.row}, {"name", part.name}}
                                                           : Json{{"label", json_value(part.label)}};
    entry["multiplicity"] = to_string(part.multiplicity);
    entry["dimension"] = to_string(part.dimension);
    list.push_back(std::move(entry));
  }
  return json;
}

std::string text_of(const Branching& branching) {
  std::vector<std::vector<std::string>> rows{{"constituent", "multiplicity", "dimension"}};
  for (const auto& part : branching.constituents)
    rows.push_back({branching.kind == Branching::Kind::finite ? fmt::format("{}  {}", part.row + 1, part.name)
                                                              : letters_of(branching.kind).text + to_string(part.label),
                    to_string(part.multiplicity), to_string(part.dimension)});
  return fmt::format("S_{0}(C^{1}) restricted from GL({1}) to {2}{3}: dimension {4}\n", to_string(branching.functor),
                     branching.n, branching.group, branching.rep.empty() ? "" : " by " + branching.rep,
                     to_string(branching.dimension())) +
         (rows.size() == 1 ? "" : aligned(rows));
}

std::string latex_of(const Branching& branching) {
  SumText sum(Notation::latex);
  for (const auto& part : branching.constituents)
    sum.add(part.multiplicity, fmt::format("{}{{{}}}", letters_of(branching.kind).latex,
                                           branching.kind == Branching::Kind::finite ? std::to_string(part.row + 1)
                                                                                     : to_latex(part.label)));
  return latex_equations(
      {{fmt::format("S_{{{}}}(\\mathbb{{C}}^{{{}}})", to_latex(branching.functor), branching.n), sum.str()}});
}

OrderedJson fields_of(const HomFunctor& answer, const Task& task) {
  const auto [each, all] = dimensions(answer, task);
  Json json = {{"functor", json_value(answer.functor)},
               {"rows", answer.rows},
               {"cols", answer.cols},
               {"dimension", to_string(all)},
               {"terms", Json::array()}};
  for (std::size_t k = 0; k < answer.terms.size(); ++k) {
    const GlGlTerm& term = answer.terms[k];
    json["terms"].push_back({{"left", json_value(term.left)},
                             {"right", json_value(term.right)},
                             {"multiplicity", to_string(term.multiplicity)},
                             {"dimension", to_string(each[k])}});
    if (!answer.by_term.empty()) json["terms"].back()["constituents"] = constituents_json(answer, answer.by_term[k]);
  }
  if (!answer.restriction) return json;
  json["left_group"] = {{"group", answer.restriction->left().table().group().name()}, {"rep", answer.left_rep}};
  json["right_group"] = {{"group", answer.restriction->right().table().group().name()}, {"rep", answer.right_rep}};
  json["constituents"] = constituents_json(answer, answer.constituents);
  if (answer.checked) json["checked"] = true;
  if (!answer.pair) return json;
  Json list = Json::array();
  for (std::size_t k = 0; k < answer.terms.size(); ++k)
    if (answer.pair->multiplicities[k] != 0)
      list.push_back({{"left", json_value(answer.terms[k].left)},
                      {"right", json_value(answer.terms[k].right)},
                      {"multiplicity", to_string(answer.pair->multiplicities[k])}});
  json["pair"] = {{"left", answer.pair->left},
                  {"right", answer.pair->right},
                  {"multiplicity", to_string(total(answer.pair->multiplicities))},
                  {"terms", std::move(list)}};
  return json;
}

std::string text_of(const HomFunctor& answer, const Task& task) {
  const auto [each, all] = dimensions(answer, task);
  std::string text = fmt::format("S{}(Hom(V, W)) for dim W = {}, dim V = {}, as S_left(W) (x) S_right(V*)\n",
                                 to_string(answer.functor), answer.rows, answer.cols);
  for (std::size_t k = 0; k < answer.terms.size(); ++k) {
    const GlGlTerm& term = answer.terms[k];
    text += fmt::format("  {}s{} (x) s{}   dimension {}\n", times(term.multiplicity), to_string(term.left),
                        to_string(term.right), to_string(each[k]));
    if (!answer.by_term.empty()) text += lines(answer, answer.by_term[k], "    ");
  }
  text += fmt::format("dimension {}\n", to_string(all));
  if (!answer.restriction) return text;
  text += fmt::format("restricted to {} by {} on W and {} by {} on V (dual on V*)\n",
                      answer.restriction->left().table().group().name(), answer.left_rep,
                      answer.restriction->right().table().group().name(), answer.right_rep) +
          lines(answer, answer.constituents, "  ");
  if (!answer.pair) return text;
  text += pair_name(answer, answer.pair->left, answer.pair->right) + " occurs in\n";
  for (std::size_t k = 0; k < answer.terms.size(); ++k)
    if (answer.pair->multiplicities[k] != 0)
      text += fmt::format("  s{} (x) s{}   {}\n", to_string(answer.terms[k].left), to_string(answer.terms[k].right),
                          to_string(answer.pair->multiplicities[k]));
  return text + fmt::format("  in all {}\n", to_string(total(answer.pair->multiplicities)));
}

std::string latex_of(const HomFunctor& answer) {
  SumText sum(Notation::latex);
  if (answer.restriction)
    for (const ProductConstituent& part : answer.constituents)
      sum.add(part.multiplicity, fmt::format("\\chi_{{{}}} \\otimes \\psi_{{{}}}", part.left + 1, part.right + 1));
  else
    for (const GlGlTerm& term : answer.terms)
      sum.add(term.multiplicity,
              fmt::format("S_{{{}}}W \\otimes S_{{{}}}V^*", to_latex(term.left), to_latex(term.right)));
  return latex_equations({{fmt::format("S_{{{}}}(W \\otimes V^*)", to_latex(answer.functor)), sum.str()}});
}

Sheet sheet_of(const HomFunctor& answer, const Task& task) {
  Sheet sheet{
      fmt::format("S{}(Hom(V, W)), dim W = {}, dim V = {}", to_string(answer.functor), answer.rows, answer.cols),
      {"left", "right", "multiplicity"},
      {},
      "llr"};
  if (answer.restriction) {
    const CharacterTable &left = answer.restriction->left().table(), &right = answer.restriction->right().table();
    for (const ProductConstituent& part : answer.constituents)
      sheet.rows.push_back(
          {label_cell(left.label(part.left)), label_cell(right.label(part.right)), to_string(part.multiplicity)});
    return sheet;
  }
  sheet.head.emplace_back("dimension");
  const std::vector<Integer> each = dimensions(answer, task).first;
  for (std::size_t k = 0; k < answer.terms.size(); ++k) {
    const GlGlTerm& term = answer.terms[k];
    sheet.rows.push_back(
        {to_string(term.left), to_string(term.right), to_string(term.multiplicity), to_string(each[k])});
  }
  return sheet;
}

OrderedJson fields_of(const SchurFunctorMatrix& answer, std::span<const std::string> files) {
  Json json = {{"partition", json_value(answer.shape)},
               {"source", answer.source},
               {"target", answer.target},
               {"rows", answer.matrix.rows()},
               {"cols", answer.matrix.cols()},
               {"trace", answer.trace ? Json(to_string(*answer.trace)) : Json(nullptr)},
               {"row_tableaux", tableaux_json(answer.row_tableaux)},
               {"column_tableaux", tableaux_json(answer.column_tableaux)},
               {"files", files}};
  if (files.empty()) json["matrix"] = json_value(answer.matrix);
  return json;
}

std::string text_of(const SchurFunctorMatrix& answer) {
  const RationalMatrix& B = answer.matrix;
  // The first row and the first column are the names.
  std::vector<std::vector<std::string>> cells(B.rows() + 1, {""});
  std::vector<std::size_t> width(B.cols() + 1);
  for (const Tableau& T : answer.column_tableaux) cells[0].push_back(name(T, answer.source > 9));
  for (std::size_t i = 0; i < B.rows(); ++i) {
    cells[i + 1][0] = name(answer.row_tableaux[i], answer.target > 9);
    for (std::size_t j = 0; j < B.cols(); ++j) cells[i + 1].push_back(to_string(B(i, j)));
  }
  for (const auto& line : cells)
    for (std::size_t j = 0; j < line.size(); ++j) width[j] = std::max(width[j], line[j].size());
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += fmt::format("  {:<{}} |", cells[i][0], width[0]);
    for (std::size_t j = 1; j < width.size(); ++j) text += fmt::format(" {:>{}}", cells[i][j], width[j]);
    text += '\n';
    if (i > 0) continue;
    std::size_t line = 0;
    for (std::size_t j = 1; j < width.size(); ++j) line += width[j] + 1;
    text += "  " + std::string(width[0] + 1, '-') + "+" + std::string(line, '-') + '\n';
  }
  return text;
}

std::string latex_of(const SchurFunctorMatrix& answer) {
  return latex_display(fmt::format("S_{{{}}}(A) = {}", to_latex(answer.shape), to_latex(FieldMatrix(answer.matrix))));
}

Sheet sheet_of(const SchurFunctorMatrix& answer) {
  const RationalMatrix& B = answer.matrix;
  Sheet sheet{"S_" + to_string(answer.shape) + "(A)", {""}, {}, "lr"};
  for (const Tableau& T : answer.column_tableaux) sheet.head.emplace_back(name(T, answer.source > 9));
  for (std::size_t i = 0; i < B.rows(); ++i) {
    sheet.rows.push_back({name(answer.row_tableaux[i], answer.target > 9)});
    for (std::size_t j = 0; j < B.cols(); ++j)
      sheet.rows.back().push_back(Cell::formula(to_string(B(i, j)), to_latex(Cyclotomic(B(i, j)))));
  }
  return sheet;
}

std::string numbers_of(const SchurValue& answer) {
  std::string text;
  for (const Cyclotomic& a : answer.at) text += (text.empty() ? "" : ", ") + to_string(a);
  return text;
}

OrderedJson fields_of(const SchurValue& answer) {
  Json json = {{"partition", json_value(answer.shape)}};
  if (answer.rows) {
    json["source"] = *answer.rows;
    json["target"] = *answer.rows;
    json["trace"] = json_value(answer.value);
  } else {
    json["at"] = Json::array();
    for (const Cyclotomic& a : answer.at) json["at"].push_back(json_value(a));
    json["value"] = json_value(answer.value);
  }
  return json;
}

std::string text_of(const SchurValue& answer) {
  if (answer.rows)
    return fmt::format("trace of S_{}(A) for the {} x {} matrix of {}: {}\n", to_string(answer.shape), *answer.rows,
                       *answer.rows, answer.matrix, to_string(answer.value));
  return fmt::format("s{}({}) = {}\n", to_string(answer.shape), numbers_of(answer), to_string(answer.value));
}

std::string latex_of(const SchurValue& answer) {
  if (answer.rows)
    return latex_equations(
        {{fmt::format("\\operatorname{{tr}} S_{{{}}}(A)", to_latex(answer.shape)), to_latex(answer.value)}});
  std::string numbers;
  for (const Cyclotomic& a : answer.at) numbers += (numbers.empty() ? "" : ", ") + to_latex(a);
  return latex_equations({{fmt::format("s_{{{}}}({})", to_latex(answer.shape), numbers), to_latex(answer.value)}});
}

Sheet sheet_of(const SchurValue& answer) {
  const std::string at = answer.rows ? "the eigenvalues of the matrix of " + answer.matrix : numbers_of(answer);
  return {"s" + to_string(answer.shape),
          {"partition", "at", answer.rows ? "trace" : "value"},
          {{to_string(answer.shape), at, Cell::formula(to_string(answer.value), to_latex(answer.value))}},
          "llr"};
}

Sheet sheet_of(const Branching& branching) {
  Sheet sheet{fmt::format("S_{0}(C^{1}) restricted from GL({1}) to {2}", to_string(branching.functor), branching.n,
                          branching.group),
              {"constituent", "multiplicity", "dimension"},
              {},
              "lr"};
  for (const Branching::Constituent& part : branching.constituents)
    sheet.rows.push_back({branching.kind == Branching::Kind::finite ? part.name : to_string(part.label),
                          to_string(part.multiplicity), to_string(part.dimension)});
  return sheet;
}

AnswerArrays arrays_of(const SchurFunctorMatrix& answer, const Task& task) {
  Numbers values(saturated_product(answer.matrix.rows(), answer.matrix.cols()), task);
  values.add_matrix(FieldMatrix(answer.matrix), task);
  return {{{"matrix", {answer.matrix.rows(), answer.matrix.cols()}, std::move(values).real()}},
          described({{"partition", to_string(answer.shape)}})};
}

}  // namespace

Record record(Kept<Branching> branching) {
  return {.fields = at_once([=](const Task&) { return fields_of(*branching); }),
          .text = [=](unsigned, const Task&) { return text_of(*branching); },
          .latex = [=](const Task&) { return latex_of(*branching); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*branching)}; }};
}

Record record(Kept<HomFunctor> answer) {
  return {.fields = at_once([=](const Task& task) { return fields_of(*answer, task); }),
          .text = [=](unsigned, const Task& task) { return text_of(*answer, task); },
          .latex = [=](const Task&) { return latex_of(*answer); },
          .sheets = [=](const Task& task) { return Sheets{sheet_of(*answer, task)}; }};
}

Record record(Kept<SchurFunctorMatrix> answer, const std::vector<std::string>& files) {
  return {.fields = at_once([=](const Task&) { return fields_of(*answer, files); }),
          .text = [=](unsigned, const Task&) { return text_of(*answer); },
          .latex = [=](const Task&) { return latex_of(*answer); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*answer)}; },
          .expression = [=](Format system,
                            const Task& task) { return to_system(system, FieldMatrix(answer->matrix), task); },
          .arrays = [=](const Task& task) { return arrays_of(*answer, task); }};
}

Record record(Kept<SchurValue> answer) {
  return {.fields = at_once([=](const Task&) { return fields_of(*answer); }),
          .text = [=](unsigned, const Task&) { return text_of(*answer); },
          .latex = [=](const Task&) { return latex_of(*answer); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*answer)}; },
          .expression = [=](Format system, const Task&) { return to_system(system, answer->value); }};
}

}  // namespace intertwine
