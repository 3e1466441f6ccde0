#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "character_commands.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"

namespace intertwine::app {

namespace {

struct DecomposeOptions {
  std::string group, rep, over = "complex";
  bool basis = false;
};

BaseField field_of(const std::string& over) {
  return over == "real" ? BaseField::real : over == "rational" ? BaseField::rational : BaseField::complex;
}

std::string names_of(const CharacterTable& table, const std::vector<std::size_t>& rows) {
  std::string text;
  for (const std::size_t row : rows) text += (text.empty() ? "" : " + ") + table.name(row);
  return text;
}

Json component_json(const IsotypicComponent& part, const CharacterTable& table) {
  Json entry{{"irreps", part.irreps},
             {"name", names_of(table, part.irreps)},
             {"field", part.field.to_string()},
             {"degree", part.degree},
             {"multiplicity", part.multiplicity}};
  entry["matrices"] = Json::array();
  for (const FieldMatrix& A : part.matrices) entry["matrices"].push_back(to_json(A));
  entry["inclusion"] = to_json(part.inclusion);
  entry["projection"] = to_json(part.projection);
  return entry;
}

/// The change of basis as doubles, n x n.
NpyArray change_of_basis(const std::vector<IsotypicComponent>& components, std::size_t n) {
  std::vector<double> values(n * n);
  std::size_t first = 0;
  for (const IsotypicComponent& part : components) {
    if (!part.field.is_real())
      throw DomainError("decompose: the component of the irreducible representation in row " +
                        std::to_string(part.irreps.front()) + " is over " + part.field.to_string() +
                        ", and .npy files hold real numbers; decompose --over real, or write .json");
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < part.inclusion.cols(); ++j)
        values[i * n + first + j] = part.inclusion(i, j).to_complex().real();
    first += part.inclusion.cols();
  }
  return {{n, n}, std::move(values)};
}

/// What a column of the change of basis is: the columns of each copy of each constituent.
std::string basis_text(const std::vector<IsotypicComponent>& components, const CharacterTable& table) {
  constexpr std::size_t shown = 16;  // columns that fit a terminal
  std::string text =
      "change of basis T: its columns are the new basis vectors, T^-1 rho(g) T is block diagonal\n";
  std::size_t first = 1;
  for (const IsotypicComponent& part : components) {
    text += fmt::format("  columns {}-{}: {} x {} over {}\n", first, first + part.inclusion.cols() - 1,
                        part.multiplicity, names_of(table, part.irreps), part.field.to_string());
    first += part.inclusion.cols();
  }
  if (first - 1 > shown) return text + "  (large: write it with --output T.json or T.npy)\n";
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < first - 1; ++i) {
    rows.emplace_back(1, "  ");
    for (const IsotypicComponent& part : components)
      for (std::size_t j = 0; j < part.inclusion.cols(); ++j)
        rows.back().push_back(to_string(part.inclusion(i, j)));
  }
  return text + aligned(rows);
}

void run_decompose(const DecomposeOptions& options, Context& context) {
  for (const std::string& file : context.outputs)
    if (const auto type = std::filesystem::path(file).extension(); type != ".json" && type != ".npy")
      throw DomainError("decompose writes .json and .npy files, not " + file);
  const FiniteGroup G = parse_group(options.group);
  const Representation V = parse_representation(G, options.rep, {}, context.task);
  const CharacterTable table = table_of(G, context);
  const BaseField over = field_of(options.over);
  const auto parts = decompose(V, table, over, context.task);
  const bool explicit_basis = options.basis || !context.outputs.empty();
  std::vector<IsotypicComponent> components;
  if (explicit_basis) components = isotypic_decomposition(V, table, over, context.task);
  Json json = answer("decompose");
  json["group"] = G.name();
  json["rep"] = options.rep;
  json["dimension"] = std::to_string(V.dimension());
  json["over"] = options.over;
  json["constituents"] = Json::array();
  std::vector<std::vector<std::string>> rows{{"irrep", "degree", "multiplicity", "indicator"}};
  if (over == BaseField::rational) rows.front().push_back("Schur index");
  for (const Constituent& part : parts) {
    const std::size_t irrep = part.irreps.front();
    Json entry{{"irrep", irrep},
               {"degree", part.degree.str()},
               {"multiplicity", part.multiplicity.str()},
               {"indicator", table.indicator(irrep)},
               {"name", names_of(table, part.irreps)}};
    if (over == BaseField::rational) entry["schur_index"] = to_json(part.index);
    if (part.irreps.size() > 1) entry["conjugates"] = std::vector(part.irreps.begin() + 1, part.irreps.end());
    json["constituents"].push_back(std::move(entry));
    rows.push_back({std::to_string(irrep + 1) + "  " + names_of(table, part.irreps), part.degree.str(),
                    part.multiplicity.str(),
                    table.indicator(irrep) == 1   ? "+"
                    : table.indicator(irrep) == 0 ? "o"
                                                  : "-"});
    if (over == BaseField::rational) rows.back().push_back(to_text(part.index));
  }
  const auto is_npy = [](const std::string& file) {
    return std::filesystem::path(file).extension() == ".npy";
  };
  if (explicit_basis &&
      (context.json || !std::all_of(context.outputs.begin(), context.outputs.end(), is_npy))) {
    json["components"] = Json::array();
    for (const IsotypicComponent& part : components)
      json["components"].push_back(component_json(part, table));
  }
  for (const std::string& file : context.outputs) {
    if (is_npy(file))
      write_npy(file, change_of_basis(components, V.dimension()));
    else
      write_file(file, json.dump(2) + "\n");
  }
  context.finish_progress();
  if (context.json) return context.print(json);
  context.out << fmt::format("{} of {}: dimension {}, over the {} numbers\n", options.rep, G.name(),
                             V.dimension(), options.over)
              << aligned(rows);
  if (options.basis) context.out << basis_text(components, table);
}

struct MolienOptions {
  std::string group, rep;
  std::size_t degree = 12, irrep = 1;
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
  const std::size_t row = irreducible_row(table, options.irrep);
  const MolienSeries series =
      molien_series(character_of(V, table, context.task), ClassFunction::irreducible(table, row),
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
  json["irrep"] = row;
  json["coefficients"] = strings(series.coefficients);
  json["numerator"] = series.numerator.empty() ? Json(nullptr) : Json(strings(series.numerator));
  json["denominator_degrees"] = series.degrees;
  for (const std::string& file : context.outputs) write_file(file, json.dump(2) + "\n");
  context.finish_progress();
  if (context.json) return context.print(json);
  context.out << fmt::format("{} of {}: how often {} occurs in Sym^k, k = 0 ... {}\n", options.rep, G.name(),
                             table.name(row), options.degree);
  std::string line = " ";
  for (const Integer& a : series.coefficients) line += " " + a.str();
  context.out << line << "\n";
  if (!series.numerator.empty()) context.out << "  = " << closed_form(series) << "\n";
}

}  // namespace

void add_decompose(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "decompose",
      "the irreducible constituents of a representation, and its isotypic components explicitly");
  const auto options = std::make_shared<DecomposeOptions>();
  command->add_option("GROUP", options->group, "a group expression, see `intertwine group --help`")
      ->type_name("")
      ->required();
  command->add_option("--rep", options->rep, "a representation, see below")->required()->type_name("REP");
  command->add_option("--over", options->over, "complex, real or rational")
      ->check(CLI::IsMember({"complex", "real", "rational"}))
      ->type_name("FIELD");
  command->add_flag(
      "--basis", options->basis,
      "the change of basis as well: exact matrices of the inclusions, the projections and the blocks");
  command->footer(
      "Irreducible characters are numbered from 1 (in JSON from 0) as in `intertwine chartable`. Over the "
      "real numbers a\n"
      "complex character (o) counts together with its conjugate, a quaternionic one (-) twice; over the\n"
      "rational numbers a character counts together with all its algebraic conjugates, as often as its Schur "
      "index:\n"
      "that of a division algebra, with the places (primes and inf) where it stays one.\n"
      "--output FILE.json has the change of basis, exactly, and FILE.npy as doubles.\n"
      "Representations:\n" +
      known_representations() +
      "\nExamples:\n  intertwine decompose S4 --rep perm^2\n  intertwine decompose D5 --rep perm --over real "
      "--basis");
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
  command
      ->add_option("--irrep", options->irrep,
                   "count irreducible character number I, from 1, instead of invariants")
      ->check(whole_number(1))
      ->type_name("I");
  command->footer("Representations:\n" + known_representations() +
                  "\nExamples:\n  intertwine molien S4 --rep perm\n  intertwine molien A5 --rep perm --irrep "
                  "2 --degree 20");
  command->callback([options, &context] { run_molien(*options, context); });
}

}  // namespace intertwine::app
