#include "intertwine/io/ring_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/exact/sum_text.hpp"
#include "io/text/json_values.hpp"

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

std::string to_json(const Partition& lambda) { return json_value(lambda).dump(2); }

std::string to_json(const Cyclotomic& a) { return json_value(a).dump(2); }

std::string to_json(const std::vector<Cyclotomic>& numbers) {
  return json_list(numbers, [](const Cyclotomic& a) { return json_value(a); }).dump(2);
}

void write_json(JsonWriter& json, const SchurSum& f) {
  write_list(json, f, [](const SchurTerm& term) {
    return Json{{"partition", json_value(term.partition)}, {"multiplicity", to_string(term.coefficient)}};
  });
}

std::string to_json(const std::vector<QuantumTerm>& terms) {
  return json_list(terms,
                   [](const QuantumTerm& term) {
                     return Json{{"partition", json_value(term.partition)},
                                 {"multiplicity", to_string(term.coefficient)},
                                 {"degree", term.degree}};
                   })
      .dump(2);
}

std::string to_json(const SymmetricFunction& f) {
  return json_list(
             f.terms,
             [](const auto& term) {
               return Json{{"partition", json_value(term.first)}, {"coefficient", to_string(term.second)}};
             })
      .dump(2);
}

std::string to_json(const Straightening& answer) {
  const auto term = [](const BitableauTerm& t) {
    const auto& minors = t.bitableau.minors();
    return Json{{"coefficient", to_string(t.coefficient)},
                {"rows", json_list(minors, [](const MatrixMinor& m) { return from_one(m.rows); })},
                {"columns", json_list(minors, [](const MatrixMinor& m) { return from_one(m.cols); })}};
  };
  Json json = {{"rows", answer.size.rows},
               {"cols", answer.size.cols},
               {"product", to_string(answer.product)},
               {"terms", json_list(answer.terms, term)}};
  if (answer.checked) json["checked"] = true;
  return json.dump(2);
}

std::string to_text(const Straightening& answer, unsigned) {
  std::string text = to_string(answer.product) + "\n";
  for (const BitableauTerm& term : answer.terms)
    text += fmt::format("{} {} *\n", term.coefficient < 0 ? "-" : "+",
                        to_string(Integer(abs(term.coefficient)))) +
            side_by_side(term.bitableau, "    ");
  return text;
}

std::string to_latex(const Straightening& answer, unsigned width) {
  SumText sum(Notation::latex);
  for (const BitableauTerm& term : answer.terms) sum.add(term.coefficient, to_latex(term.bitableau));
  return wrapped(to_latex(answer.product) + " = " + sum.str(), width);
}

std::string to_json(const CoordinateRingDegree& answer) {
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
  return json.dump(2);
}

std::string to_text(const CoordinateRingDegree& answer, unsigned) {
  std::string text = fmt::format("degree {} of the coordinate ring of {} x {} matrices, by shape\n",
                                 answer.degree, answer.size.rows, answer.size.cols);
  const auto add = [&](const auto& list) {
    for (const auto& item : list) text += "    " + to_string(item) + "\n";
  };
  for (const auto& piece : answer.pieces) {
    text +=
        fmt::format("  s{}   dimension {} = {} * {}\n", to_string(piece.shape), to_string(piece.dimension),
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

std::string to_latex(const CoordinateRingDegree& answer, unsigned width) {
  std::string table, lists;
  const auto add = [&](const char* title, const Partition& shape, const auto& list) {
    lists += fmt::format("% {} of ({})\n", title, to_latex(shape));
    for (const auto& item : list) lists += wrapped(to_latex(item), width);
  };
  bool vectors = false;
  for (const auto& piece : answer.pieces) {
    table += fmt::format("({}) & {} & {} & {}", to_latex(piece.shape), to_string(piece.dimension),
                         to_string(piece.left_dimension), to_string(piece.right_dimension));
    if (piece.highest_weight_vector) table += " & " + to_latex(*piece.highest_weight_vector), vectors = true;
    table += " \\\\\n";
    if (piece.standard_bitableaux) add("standard bitableaux", piece.shape, *piece.standard_bitableaux);
    if (piece.isotypic_basis) add("basis of the isotypic piece", piece.shape, *piece.isotypic_basis);
  }
  std::string text = fmt::format(
      "\\begin{{array}}{{lrrr{}}}\n\\lambda & \\dim & \\dim S_\\lambda W^* & \\dim S_\\lambda V{} \\\\ "
      "\\hline\n{}\\end{{array}}\n{}",
      vectors ? "l" : "", vectors ? " & \\text{highest-weight vector}" : "", table, lists);
  if (answer.hilbert_function) text += "% Hilbert function:" + spaced(*answer.hilbert_function) + "\n";
  return text;
}

std::string to_json(const MinorIdealAnswer& answer) {
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
  return json.dump(2);
}

std::string to_text(const MinorIdealAnswer& answer, unsigned) {
  const MinorIdeal& ideal = answer.ideal;
  std::string text =
      fmt::format("{} of a {} x {} matrix\n", to_string(ideal), ideal.size().rows, ideal.size().cols);
  if (answer.hilbert_function)
    text += "Hilbert function of the quotient:" + spaced(*answer.hilbert_function) + "\n";
  if (answer.degree) {
    text += fmt::format("pieces of degree {}:", *answer.degree);
    for (const Partition& shape : answer.pieces) text += " s" + to_string(shape);
    text += answer.pieces.empty() ? " none\n" : "\n";
  }
  if (answer.product)
    text += to_string(*answer.product) + (answer.member ? " lies in it\n" : " does not lie in it\n");
  if (answer.primary_decomposition) {
    text += "primary components:";
    for (const SymbolicPower& power : *answer.primary_decomposition)
      text += fmt::format(" I_{}^({})", power.minors, power.exponent);
    text += "\n";
  }
  return text;
}

std::string to_latex(const MinorIdealAnswer& answer, unsigned width) {
  const std::string ideal = to_latex(answer.ideal);
  std::string text;
  if (answer.hilbert_function) {
    SumText series(Notation::latex);
    for (std::size_t d = 0; d < answer.hilbert_function->size(); ++d)
      series.add((*answer.hilbert_function)[d], d == 0 ? "" : d == 1 ? "t" : fmt::format("t^{{{}}}", d));
    text += wrapped("H(R/" + ideal + ", t) = " + series.str() + " + \\cdots", width);
  }
  if (answer.degree) {
    std::string sum;
    for (const Partition& shape : answer.pieces)
      sum +=
          fmt::format("{0}S_{{{1}}}V \\otimes S_{{{1}}}W^*", sum.empty() ? "" : " \\oplus ", to_latex(shape));
    text += fmt::format("({})_{{{}}} = {}\n", ideal, *answer.degree, sum.empty() ? "0" : sum);
  }
  if (answer.product)
    text += to_latex(*answer.product) + (answer.member ? " \\in " : " \\notin ") + ideal + "\n";
  if (answer.primary_decomposition) {
    std::string sum;
    for (const SymbolicPower& power : *answer.primary_decomposition)
      sum += fmt::format("{}I_{{{}}}^{{({})}}", sum.empty() ? "" : " \\cap ", power.minors, power.exponent);
    text += ideal + " = " + sum + "\n";
  }
  return text;
}

}  // namespace intertwine
