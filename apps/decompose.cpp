#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "character_commands.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/decomposition.hpp"

namespace intertwine::app {

namespace {

struct DecomposeOptions {
  std::string group, rep, over = "complex";
};

void run_decompose(const DecomposeOptions& options, Context& context) {
  const FiniteGroup G = parse_group(options.group);
  const Representation V = parse_representation(G, options.rep, {}, context.task);
  const CharacterTable table = table_of(G, context);
  const BaseField over = options.over == "real" ? BaseField::real : BaseField::complex;
  const auto parts = decompose(V, table, over, context.task);
  const auto name = [&](const Constituent& part) {
    return table.name(part.irrep) + (part.partner != part.irrep ? " + " + table.name(part.partner) : "");
  };
  Json json = answer("decompose");
  json["group"] = G.name();
  json["rep"] = options.rep;
  json["dimension"] = std::to_string(V.dimension());
  json["over"] = options.over;
  json["constituents"] = Json::array();
  std::vector<std::vector<std::string>> rows{{"irrep", "degree", "multiplicity", "indicator"}};
  for (const Constituent& part : parts) {
    Json entry{{"irrep", part.irrep},
               {"degree", part.degree.str()},
               {"multiplicity", part.multiplicity.str()},
               {"indicator", table.indicator(part.irrep)},
               {"name", name(part)}};
    if (part.partner != part.irrep) entry["conjugate"] = part.partner;
    json["constituents"].push_back(std::move(entry));
    rows.push_back({std::to_string(part.irrep) + "  " + name(part), part.degree.str(),
                    part.multiplicity.str(),
                    table.indicator(part.irrep) == 1   ? "+"
                    : table.indicator(part.irrep) == 0 ? "o"
                                                       : "-"});
  }
  for (const std::string& file : context.outputs) write_file(file, json.dump(2) + "\n");
  context.finish_progress();
  if (context.json) return print(json);
  std::cout << fmt::format("{} of {}: dimension {}, over the {} numbers\n", options.rep, G.name(),
                           V.dimension(), options.over)
            << aligned(rows);
}

struct MolienOptions {
  std::string group, rep;
  std::size_t degree = 12, irrep = 0;
};

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

std::string closed_form(const MolienSeries& series) {
  std::string below;
  for (const std::uint64_t d : series.degrees) below += d == 1 ? "(1 - t)" : fmt::format("(1 - t^{})", d);
  return "(" + polynomial(series.numerator) + ") / (" + below + ")";
}

void run_molien(const MolienOptions& options, Context& context) {
  const FiniteGroup G = parse_group(options.group);
  const Representation V = parse_representation(G, options.rep, {}, context.task);
  const CharacterTable table = table_of(G, context);
  const MolienSeries series =
      molien_series(character_of(V, table, context.task), ClassFunction::irreducible(table, options.irrep),
                    options.degree + 1, context.task);
  Json json = answer("molien");
  const auto strings = [](const std::vector<Integer>& list) {
    std::vector<std::string> result;
    for (const Integer& a : list) result.push_back(a.str());
    return result;
  };
  json["group"] = G.name();
  json["rep"] = options.rep;
  json["dimension"] = std::to_string(V.dimension());
  json["irrep"] = options.irrep;
  json["coefficients"] = strings(series.coefficients);
  json["numerator"] = series.numerator.empty() ? Json(nullptr) : Json(strings(series.numerator));
  json["denominator_degrees"] = series.degrees;
  for (const std::string& file : context.outputs) write_file(file, json.dump(2) + "\n");
  context.finish_progress();
  if (context.json) return print(json);
  std::cout << fmt::format("{} of {}: how often {} occurs in Sym^k, k = 0 ... {}\n", options.rep, G.name(),
                           table.name(options.irrep), options.degree);
  std::string line = " ";
  for (const Integer& a : series.coefficients) line += " " + a.str();
  std::cout << line << "\n";
  if (!series.numerator.empty()) std::cout << "  = " << closed_form(series) << "\n";
}

}  // namespace

void add_decompose(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("decompose", "the irreducible constituents of a representation");
  const auto options = std::make_shared<DecomposeOptions>();
  command->add_option("GROUP", options->group, "a group expression, see `intertwine group --help`")
      ->type_name("")
      ->required();
  command->add_option("--rep", options->rep, "a representation, see below")->required()->type_name("REP");
  command->add_option("--over", options->over, "complex or real")
      ->check(CLI::IsMember({"complex", "real"}))
      ->type_name("FIELD");
  command->footer(
      "Irreducible characters are numbered from 0 as in `intertwine chartable`. Over the real numbers a\n"
      "complex character (o) counts together with its conjugate, a quaternionic one (-) twice.\n"
      "Representations:\n" +
      known_representations() + "\nExample:\n  intertwine decompose S4 --rep perm^2");
  command->callback([options, &context] { run_decompose(*options, context); });
}

void add_molien(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("molien", "the number of invariant or equivariant polynomials of each degree");
  const auto options = std::make_shared<MolienOptions>();
  command->add_option("GROUP", options->group, "a group expression, see `intertwine group --help`")
      ->type_name("")
      ->required();
  command->add_option("--rep", options->rep, "a representation, see below")->required()->type_name("REP");
  command->add_option("--degree", options->degree, "the last degree (12)")
      ->check(CLI::Range(0, 99'999))
      ->type_name("K");
  command->add_option("--irrep", options->irrep, "count this irreducible character instead of invariants")
      ->check(CLI::NonNegativeNumber)
      ->type_name("I");
  command->footer("Representations:\n" + known_representations() +
                  "\nExamples:\n  intertwine molien S4 --rep perm\n  intertwine molien A5 --rep perm --irrep "
                  "1 --degree 20");
  command->callback([options, &context] { run_molien(*options, context); });
}

}  // namespace intertwine::app
