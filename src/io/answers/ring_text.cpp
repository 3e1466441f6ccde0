// Writes answers on coordinate rings and their ideals.
#include "intertwine/io/ring_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/combinatorics/schur_products.hpp"
#include "intertwine/combinatorics/symmetric_function_bases.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "intertwine/gl/coordinate_ring.hpp"
#include "intertwine/gl/determinantal.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/systems_text.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

using Json = OrderedJson;

template <class List, class Write>
Json json_list(const List& items, Write write) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(write(item));
  return list;
}

std::vector<int> from_one(std::vector<int> indices) {
  for (int& i : indices) ++i;
  return indices;
}

/// " 1 4 10".
std::string spaced(const std::vector<Integer>& numbers) {
  std::string text;
  for (const Integer& a : numbers) text += " " + to_string(a);
  return text;
}

/// 1 + 4 t + ... as far as it is known.
std::string series_in_latex(const std::vector<Integer>& coefficients) {
  SumText series(Notation::latex);
  for (std::size_t d = 0; d < coefficients.size(); ++d)
    series.add(coefficients[d], d == 0 ? "" : d == 1 ? "t" : fmt::format("t^{{{}}}", d));
  return series.str() + " + \\cdots";
}

Sheet hilbert_sheet(const std::vector<Integer>& coefficients) {
  Sheet sheet{"Hilbert function", {"degree", "dimension"}, {}, "r"};
  for (std::size_t d = 0; d < coefficients.size(); ++d)
    sheet.rows.push_back({std::to_string(d), to_string(coefficients[d])});
  return sheet;
}

/// "-[1,2|1,2][1|2]"; "0" where a minor repeats a row or column.
std::string in_text(const BitableauTerm& product) {
  return SumText().add(product.coefficient, to_string(product.bitableau)).str();
}

std::string in_latex(const BitableauTerm& product) {
  return SumText(Notation::latex).add(product.coefficient, to_latex(product.bitableau)).str();
}

std::string heading(const Straightening& answer) {
  return in_text({answer.sign, answer.product}) + (answer.sign == 0 ? ", for a minor repeats a row or column" : "") +
         (answer.graded ? ", in the associated graded algebra" : "");
}

/// Two tableaux side by side, 1-based; "1" for the empty product.
std::string side_by_side(const Bitableau& b, const std::string& indent) {
  if (b.minors().empty()) return indent + "1\n";
  std::vector<std::string> left, right;
  std::size_t width = 0;
  for (const MatrixMinor& minor : b.minors()) {
    left.push_back(fmt::format("{}", fmt::join(from_one(minor.rows), " ")));
    right.push_back(fmt::format("{}", fmt::join(from_one(minor.cols), " ")));
    width = std::max(width, left.back().size());
  }
  std::string text;
  for (std::size_t k = 0; k < left.size(); ++k)
    text += fmt::format("{}{:<{}} | {}\n", indent, left[k], width, right[k]);
  return text;
}

}  // namespace

std::string to_json(const Partition& lambda) { return json_text(json_value(lambda)); }

std::string to_json(const Cyclotomic& a) { return json_text(json_value(a)); }

std::string to_json(const std::vector<Cyclotomic>& numbers) {
  return json_text(json_list(numbers, [](const Cyclotomic& a) { return json_value(a); }));
}

namespace {

std::string written(const Coproduct& answer, Notation notation) {
  SumText sum(notation);
  for (const SymmetricPair& pair : answer.terms)
    sum.add(pair.coefficient, notation == Notation::latex
                                  ? fmt::format("s_{{{}}} \\otimes s_{{{}}}", to_latex(pair.left), to_latex(pair.right))
                                  : fmt::format("s{} # s{}", to_string(pair.left), to_string(pair.right)));
  return sum.str();
}

OrderedJson fields_of(const Coproduct& answer) {
  const Json terms = json_list(answer.terms, [](const SymmetricPair& pair) {
    return Json{{"left", json_value(pair.left)},
                {"right", json_value(pair.right)},
                {"coefficient", to_string(pair.coefficient)}};
  });
  return Json{{"terms", terms}};
}

std::string text_of(const Coproduct& answer, unsigned width) {
  return wrapped_sum(written(answer, Notation::text), width);
}

std::string latex_of(const Coproduct& answer) {
  return latex_equations({{"\\Delta(" + to_latex(answer.function) + ")", written(answer, Notation::latex)}});
}

Sheets sheets_of(const Coproduct& answer) {
  Sheet sheet{"Coproduct of " + to_string(answer.function), {"left", "right", "coefficient"}, {}, "llr"};
  for (const SymmetricPair& pair : answer.terms)
    sheet.rows.push_back({to_string(pair.left), to_string(pair.right), to_string(pair.coefficient)});
  return {sheet};
}

OrderedJson fields_of(const Straightening& answer) {
  const auto term = [](const BitableauTerm& t) {
    const auto& minors = t.bitableau.minors();
    return Json{{"coefficient", to_string(t.coefficient)},
                {"rows", json_list(minors, [](const MatrixMinor& m) { return from_one(m.rows); })},
                {"columns", json_list(minors, [](const MatrixMinor& m) { return from_one(m.cols); })}};
  };
  Json json = {{"rows", answer.size.rows},
               {"cols", answer.size.cols},
               {"product", in_text({answer.sign, answer.product})},
               {"terms", json_list(answer.terms, term)}};
  if (answer.graded) json["graded"] = true;
  if (answer.checked) json["checked"] = true;
  return json;
}

std::string text_of(const Straightening& answer) {
  std::string text = heading(answer) + "\n";
  for (const BitableauTerm& term : answer.terms)
    text += fmt::format("{} {} *\n", term.coefficient < 0 ? "-" : "+", to_string(Integer(abs(term.coefficient)))) +
            side_by_side(term.bitableau, "    ");
  return text;
}

std::string latex_of(const Straightening& answer) {
  SumText sum(Notation::latex);
  const auto latex = [&](const Bitableau& b) {
    return answer.graded ? "\\overline{" + to_latex(b) + "}" : to_latex(b);
  };
  for (const BitableauTerm& term : answer.terms) sum.add(term.coefficient, latex(term.bitableau));
  SumText product(Notation::latex);
  product.add(answer.sign, latex(answer.product));
  return latex_equations({{product.str(), sum.str()}});
}

Sheets sheets_of(const Straightening& answer) {
  Sheet sheet{heading(answer), {"coefficient", "bitableau"}, {}, "rl"};
  for (const BitableauTerm& term : answer.terms)
    sheet.rows.push_back({to_string(term.coefficient), to_string(term.bitableau)});
  return {sheet};
}

OrderedJson fields_of(const CoordinateRingDegree& answer) {
  const auto text = [](const auto& item) { return to_string(item); };
  Json json = {{"rows", answer.size.rows},
               {"cols", answer.size.cols},
               {"degree", answer.degree},
               {"dimension", to_string(answer.dimension)},
               {"pieces", Json::array()}};
  for (const auto& piece : answer.pieces) {
    Json entry = {{"shape", json_value(piece.shape)},
                  {"dimension", to_string(piece.dimension)},
                  {"left_dimension", to_string(piece.left_dimension)},
                  {"right_dimension", to_string(piece.right_dimension)},
                  {"at_least_dimension", to_string(piece.at_least_dimension)}};
    if (piece.highest_weight_vector) entry["highest_weight_vector"] = to_string(*piece.highest_weight_vector);
    if (piece.standard_bitableaux) entry["standard_bitableaux"] = json_list(*piece.standard_bitableaux, text);
    if (piece.isotypic_basis) entry["isotypic_basis"] = json_list(*piece.isotypic_basis, text);
    json["pieces"].push_back(std::move(entry));
  }
  if (answer.hilbert_function) json["hilbert_function"] = json_value(*answer.hilbert_function);
  return json;
}

std::string text_of(const CoordinateRingDegree& answer) {
  std::string text = fmt::format("degree {} of the coordinate ring of {} x {} matrices, by shape\n", answer.degree,
                                 answer.size.rows, answer.size.cols);
  const auto add = [&](const auto& list) {
    for (const auto& item : list) text += "    " + to_string(item) + "\n";
  };
  for (const auto& piece : answer.pieces) {
    text += fmt::format("  s{}   dimension {} = {} * {}\n", to_string(piece.shape), to_string(piece.dimension),
                        to_string(piece.left_dimension), to_string(piece.right_dimension));
    if (piece.highest_weight_vector)
      text += fmt::format("    highest weight vector {}\n", to_string(*piece.highest_weight_vector));
    if (piece.standard_bitableaux) add(*piece.standard_bitableaux);
    if (piece.isotypic_basis) add(*piece.isotypic_basis);
  }
  text += fmt::format("dimension {}\n", to_string(answer.dimension));
  if (answer.hilbert_function) text += "Hilbert function" + spaced(*answer.hilbert_function) + "\n";
  return text;
}

std::string latex_of(const CoordinateRingDegree& answer) {
  Cells cells{{"\\lambda", "\\dim", "\\dim S_\\lambda W^*", "\\dim S_\\lambda V"}};
  std::string lists;
  const auto add = [&](const char* title, const Partition& shape, const auto& list) {
    lists += latex_words(fmt::format("{} of {}", title, to_string(shape)));
    std::vector<std::pair<std::string, std::string>> lines;
    for (const auto& item : list) lines.emplace_back("", to_latex(item));
    lists += latex_equations(lines);
  };
  for (const auto& piece : answer.pieces) {
    cells.push_back({"(" + to_latex(piece.shape) + ")", to_string(piece.dimension), to_string(piece.left_dimension),
                     to_string(piece.right_dimension)});
    if (piece.highest_weight_vector)
      add("highest-weight vector", piece.shape, std::vector{*piece.highest_weight_vector});
    if (piece.standard_bitableaux) add("standard bitableaux", piece.shape, *piece.standard_bitableaux);
    if (piece.isotypic_basis) add("basis of the isotypic piece", piece.shape, *piece.isotypic_basis);
  }
  std::string text = latex_table(cells, 1, "lr") + lists;
  if (answer.hilbert_function) text += latex_equations({{"H(R, t)", series_in_latex(*answer.hilbert_function)}});
  return text;
}

Sheets sheets_of(const CoordinateRingDegree& answer) {
  Sheets sheets{{fmt::format("Degree {} of the coordinate ring of {} x {} matrices", answer.degree, answer.size.rows,
                             answer.size.cols),
                 {"shape", "dimension", "left", "right"},
                 {},
                 "lr"}};
  Sheet lists{"Elements", {"shape", "kind", "element"}, {}, "l"};
  for (const auto& piece : answer.pieces) {
    sheets[0].rows.push_back({to_string(piece.shape), to_string(piece.dimension), to_string(piece.left_dimension),
                              to_string(piece.right_dimension)});
    const auto add = [&](const char* kind, const auto& list) {
      for (const auto& item : list) lists.rows.push_back({to_string(piece.shape), kind, to_string(item)});
    };
    if (piece.highest_weight_vector) add("highest-weight vector", std::vector{*piece.highest_weight_vector});
    if (piece.standard_bitableaux) add("standard bitableau", *piece.standard_bitableaux);
    if (piece.isotypic_basis) add("isotypic basis", *piece.isotypic_basis);
  }
  if (!lists.rows.empty()) sheets.push_back(lists);
  if (answer.hilbert_function) sheets.push_back(hilbert_sheet(*answer.hilbert_function));
  return sheets;
}

OrderedJson fields_of(const MinorIdealAnswer& answer) {
  const MinorIdeal& ideal = answer.ideal;
  Json json = {{"rows", ideal.size().rows}, {"cols", ideal.size().cols}};
  if (ideal.is_invariant()) {
    json["invariant"] = json_value(ideal.generator());
  } else {
    json["minors"] = ideal.minors().size() > 1 ? Json(ideal.minors()) : Json(ideal.minors()[0]);
    json["power"] = ideal.exponent();
    json["symbolic"] = ideal.is_symbolic();
  }
  if (answer.hilbert_function) json["hilbert_function"] = json_value(*answer.hilbert_function);
  if (answer.degree)
    json["pieces"] = json_list(answer.pieces, [](const Partition& shape) { return json_value(shape); });
  if (answer.product) json["member"] = answer.member;
  if (answer.primary_decomposition)
    json["primary_decomposition"] = json_list(*answer.primary_decomposition, [](const SymbolicPower& power) {
      return Json{{"minors", power.minors}, {"exponent", power.exponent}};
    });
  return json;
}

std::string text_of(const MinorIdealAnswer& answer) {
  const MinorIdeal& ideal = answer.ideal;
  std::string text = fmt::format("{} of a {} x {} matrix\n", to_string(ideal), ideal.size().rows, ideal.size().cols);
  if (answer.hilbert_function) text += "Hilbert function of the quotient:" + spaced(*answer.hilbert_function) + "\n";
  if (answer.degree) {
    text += fmt::format("pieces of degree {}:", *answer.degree);
    for (const Partition& shape : answer.pieces) text += " s" + to_string(shape);
    text += answer.pieces.empty() ? " none\n" : "\n";
  }
  if (answer.product) text += in_text(*answer.product) + (answer.member ? " lies in it\n" : " does not lie in it\n");
  if (answer.primary_decomposition) {
    text += "primary components:";
    for (const SymbolicPower& power : *answer.primary_decomposition)
      text += fmt::format(" I_{}^({})", power.minors, power.exponent);
    text += "\n";
  }
  return text;
}

std::string latex_of(const MinorIdealAnswer& answer) {
  const std::string ideal = to_latex(answer.ideal);
  std::string text;
  if (answer.hilbert_function)
    text += latex_equations({{"H(R/" + ideal + ", t)", series_in_latex(*answer.hilbert_function)}});
  if (answer.degree) {
    std::string sum;
    for (const Partition& shape : answer.pieces)
      sum += fmt::format("{0}S_{{{1}}}V \\otimes S_{{{1}}}W^*", sum.empty() ? "" : " \\oplus ", to_latex(shape));
    text += latex_equations({{fmt::format("({})_{{{}}}", ideal, *answer.degree), sum.empty() ? "0" : sum}});
  }
  if (answer.product)
    text += latex_display(in_latex(*answer.product) + (answer.member ? " \\in " : " \\notin ") + ideal);
  if (answer.primary_decomposition) {
    std::string sum;
    for (const SymbolicPower& power : *answer.primary_decomposition)
      sum += fmt::format("{}I_{{{}}}^{{({})}}", sum.empty() ? "" : " \\cap ", power.minors, power.exponent);
    text += latex_equations({{ideal, sum}});
  }
  return text;
}

Sheets sheets_of(const MinorIdealAnswer& answer) {
  const std::string ideal = to_string(answer.ideal);
  Sheets sheets;
  if (answer.hilbert_function) sheets.push_back(hilbert_sheet(*answer.hilbert_function));
  if (answer.degree) {
    sheets.push_back({fmt::format("Pieces of degree {} of {}", *answer.degree, ideal), {"shape"}, {}, "l"});
    for (const Partition& shape : answer.pieces) sheets.back().rows.push_back({to_string(shape)});
  }
  if (answer.product)
    sheets.push_back({"Membership in " + ideal,
                      {"product", "member"},
                      {{in_text(*answer.product), answer.member ? "yes" : "no"}},
                      "l"});
  if (answer.primary_decomposition) {
    sheets.push_back({"Primary components of " + ideal, {"minors", "symbolic power"}, {}, "r"});
    for (const SymbolicPower& power : *answer.primary_decomposition)
      sheets.back().rows.push_back({std::to_string(power.minors), std::to_string(power.exponent)});
  }
  return sheets;
}

}  // namespace

Record record(Kept<Coproduct> answer) {
  return {.fields = at_once([=](const Task&) { return fields_of(*answer); }),
          .text = [=](unsigned width, const Task&) { return text_of(*answer, width); },
          .latex = [=](const Task&) { return latex_of(*answer); },
          .sheets = [=](const Task&) { return sheets_of(*answer); }};
}

Record record(Kept<Straightening> answer) {
  return {.fields = at_once([=](const Task&) { return fields_of(*answer); }),
          .text = [=](unsigned, const Task&) { return text_of(*answer); },
          .latex = [=](const Task&) { return latex_of(*answer); },
          .sheets = [=](const Task&) { return sheets_of(*answer); }};
}

Record record(Kept<CoordinateRingDegree> answer) {
  return {.fields = at_once([=](const Task&) { return fields_of(*answer); }),
          .text = [=](unsigned, const Task&) { return text_of(*answer); },
          .latex = [=](const Task&) { return latex_of(*answer); },
          .sheets = [=](const Task&) { return sheets_of(*answer); }};
}

Record record(Kept<MinorIdealAnswer> answer) {
  return {.fields = at_once([=](const Task&) { return fields_of(*answer); }),
          .text = [=](unsigned, const Task&) { return text_of(*answer); },
          .latex = [=](const Task&) { return latex_of(*answer); },
          .sheets = [=](const Task&) { return sheets_of(*answer); }};
}

namespace {

void write_fields(JsonWriter& json, const SchurSum& f) {
  json.key("terms");
  write_list(json, f, [](const SchurTerm& term) {
    return Json{{"partition", json_value(term.partition)}, {"multiplicity", to_string(term.coefficient)}};
  });
}

OrderedJson fields_of(const SymmetricFunction& f) {
  return {{"terms", json_list(f.terms, [](const auto& term) {
             return Json{{"partition", json_value(term.first)}, {"coefficient", to_string(term.second)}};
           })}};
}

Sheet sheet_of(const SymmetricFunction& f) {
  Sheet sheet{to_string(f), {"partition", "coefficient"}, {}, "lr"};
  for (const auto& [partition, coefficient] : f.terms)
    sheet.rows.push_back({to_string(partition), to_string(coefficient)});
  return sheet;
}

OrderedJson fields_of(const QuantumProduct& answer) {
  const Json terms = json_list(answer.terms, [](const QuantumTerm& term) {
    return Json{{"partition", json_value(term.partition)},
                {"multiplicity", to_string(term.coefficient)},
                {"degree", term.degree}};
  });
  return Json{{"lambda", json_value(answer.lambda)}, {"mu", json_value(answer.mu)}, {"terms", terms}};
}

std::string latex_of(const QuantumProduct& answer) {
  SumText sum(Notation::latex);
  for (const QuantumTerm& term : answer.terms)
    sum.add(term.coefficient, fmt::format("q^{{{}}} s_{{{}}}", term.degree, to_latex(term.partition)));
  return latex_equations({{"", sum.str()}});
}

Sheets sheets_of(const QuantumProduct& answer) {
  Sheet sheet{"Quantum product", {"partition", "degree", "coefficient"}, {}, "lr"};
  for (const QuantumTerm& term : answer.terms)
    sheet.rows.push_back({to_string(term.partition), std::to_string(term.degree), to_string(term.coefficient)});
  return {sheet};
}

/// The terms are one line.
void write_fields(JsonWriter& json, const SpecialLinearProduct& answer) {
  std::string terms;
  for (const SpecialLinearProduct::Term& term : answer.terms)
    terms +=
        fmt::format("{}{{\"partition\": {}, \"degree\": \"{}\", \"multiplicity\": \"{}\"}}", terms.empty() ? "" : ", ",
                    to_string(term.partition), to_string(term.degree), to_string(term.multiplicity));
  json.key("lambda").value(to_json(answer.lambda)).key("mu").value(to_json(answer.mu));
  json.key("sl").value(std::to_string(answer.n)).key("terms").value("[" + terms + "]");
}

std::string text_of(const SpecialLinearProduct& answer) {
  std::string text;
  for (const SpecialLinearProduct::Term& term : answer.terms)
    text += fmt::format("{}{} of degree {}\n", term.multiplicity == 1 ? "" : to_string(term.multiplicity) + " ",
                        to_string(term.partition), to_string(term.degree));
  return text;
}

Sheets sheets_of(const SpecialLinearProduct& answer) {
  Sheet sheet{fmt::format("Product of modules of SL({})", answer.n), {"partition", "degree", "multiplicity"}, {}, "lr"};
  for (const SpecialLinearProduct::Term& term : answer.terms)
    sheet.rows.push_back({to_string(term.partition), to_string(term.degree), to_string(term.multiplicity)});
  return {sheet};
}

template <class Sum>
std::string equation_of(const Sum& sum) {
  return latex_equations({{"", to_latex(sum)}});
}

}  // namespace

Record record(Kept<SymmetricFunction> sum) {
  return {.fields = at_once([=](const Task&) { return fields_of(*sum); }),
          .text = [=](unsigned width, const Task&) { return wrapped_sum(to_string(*sum), width); },
          .latex = [=](const Task&) { return equation_of(*sum); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*sum)}; },
          .expression = [=](Format system, const Task&) { return to_system(system, *sum); }};
}

Record record(Kept<QuantumProduct> answer) {
  return {.fields = at_once([=](const Task&) { return fields_of(*answer); }),
          .text = [=](unsigned width, const Task&) { return wrapped_sum(to_string(answer->terms), width); },
          .latex = [=](const Task&) { return latex_of(*answer); },
          .sheets = [=](const Task&) { return sheets_of(*answer); }};
}

Record record(Kept<SpecialLinearProduct> answer) {
  return {.fields = piecewise([=](JsonWriter& json) { write_fields(json, *answer); }),
          .text = [=](unsigned, const Task&) { return text_of(*answer); },
          .sheets = [=](const Task&) { return sheets_of(*answer); }};
}

Record record(Kept<SchurSum> sum) {
  const auto in_any_basis = [=] { return to_symmetric_function(*sum); };
  return {.fields = piecewise([=](JsonWriter& json) { write_fields(json, *sum); }),
          .text = [=](unsigned width, const Task&) { return wrapped_sum(to_string(*sum), width); },
          .latex = [=](const Task&) { return equation_of(*sum); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(in_any_basis())}; },
          .expression = [=](Format system, const Task&) { return to_system(system, in_any_basis()); }};
}

}  // namespace intertwine
