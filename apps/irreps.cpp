// irreps: irreducible representations by matrices.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "character_commands.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/irreducible.hpp"

namespace intertwine::app {

namespace {

struct IrrepsOptions {
  std::string group, over = "complex", format = "text";
  std::optional<std::size_t> index;  ///< from 1
};

/// One representation of the answer.
struct Entry {
  IrreducibleRepresentation complex;
  IrreducibleForm form;
};

struct Answer {
  CharacterTable table;
  std::string over;
  std::vector<Entry> entries;
};

Entry entry_of(IrreducibleRepresentation R, const CharacterTable& table, const std::string& over) {
  IrreducibleForm form = over == "real"       ? real_form(R, table)
                         : over == "rational" ? rational_form(R, table)
                                              : IrreducibleForm{{R.row}, 1, R.representation};
  return {std::move(R), std::move(form)};
}

Answer answer_to(const IrrepsOptions& options, const Context& context) {
  const FiniteGroup G = parse_group(options.group);
  Answer result{table_of(G, context), options.over, {}};
  if (options.index) {
    if (*options.index == 0 || *options.index > result.table.size())
      throw DomainError(
          fmt::format("irreps: there is no --index {}: {} has the irreducible characters 1 to {}",
                      *options.index, G.name(), result.table.size()));
    result.entries.push_back(
        entry_of(irreducible_representation(result.table, *options.index - 1, context.task), result.table,
                 options.over));
    return result;
  }
  for (auto& R : irreducible_representations(result.table, context.task)) {
    const std::size_t row = R.row;
    Entry entry = entry_of(std::move(R), result.table, options.over);
    if (entry.form.rows.front() == row)
      result.entries.push_back(std::move(entry));  // one of every conjugate family
  }
  return result;
}

std::vector<FieldMatrix> images_of(const Representation& V) {
  std::vector<FieldMatrix> images;
  for (const Permutation& s : V.group().generators()) images.push_back(V.field_matrix(s));
  return images;
}

/// "X.2 + X.3", "2*X.4".
std::string constituents(const Answer& answer, const IrreducibleForm& form) {
  std::string text;
  for (const std::size_t row : form.rows)
    text += (text.empty() ? "" : " + ") +
            (form.multiplicity == 1 ? "" : fmt::format("{}*", form.multiplicity)) + answer.table.name(row);
  return text;
}

Json entry_json(const Answer& answer, const Entry& entry) {
  const Representation& V = entry.form.representation;
  Json names = Json::array(), seed_generators = Json::array(), seed_values = Json::array();
  for (const std::size_t row : entry.form.rows) names.push_back(answer.table.name(row));
  const MultiplicityOneSeed& seed = entry.complex.seed;
  for (const Permutation& h : seed.generators) seed_generators.push_back(h.to_string());
  for (const Cyclotomic& value : seed.values) seed_values.push_back(to_json(value));
  Json json{{"irrep", entry.complex.row},
            {"name", answer.table.name(entry.complex.row)},
            {"indicator", answer.table.indicator(entry.complex.row)},
            {"rows", entry.form.rows},
            {"names", names},
            {"multiplicity", entry.form.multiplicity},
            {"degree", std::to_string(V.dimension())},
            {"field", {{"name", V.field().to_string()}, {"degree", V.field().degree()}}},
            {"over_character_field", entry.complex.over_character_field},
            {"construction", entry.complex.construction},
            {"matrices", Json::array()}};
  for (const FieldMatrix& A : images_of(V)) json["matrices"].push_back(to_json(A));
  json["seed"] = {{"generators", seed_generators},
                  {"values", seed_values},
                  {"vector", to_json(entry.complex.seed.vector.transpose())[0]}};
  return json;
}

Json json_of(const Answer& answer) {
  const FiniteGroup& G = answer.table.group();
  Json json = app::answer("irreps");
  json["group"] = G.name();
  json["order"] = G.order().str();
  json["generators"] = Json::array();
  for (const Permutation& s : G.generators()) json["generators"].push_back(s.to_string());
  json["over"] = answer.over;
  json["irreps"] = Json::array();
  for (const Entry& entry : answer.entries) json["irreps"].push_back(entry_json(answer, entry));
  return json;
}

std::string text_of(const Answer& answer) {
  std::string text;
  for (const Entry& entry : answer.entries) {
    const Representation& V = entry.form.representation;
    text += fmt::format("\n{}: degree {}, over {}{}\n  {}\n", constituents(answer, entry.form), V.dimension(),
                        V.field().to_string(),
                        entry.complex.over_character_field || answer.over != "complex"
                            ? ""
                            : ", larger than the field of the character",
                        entry.complex.construction);
    const auto images = images_of(V);
    for (std::size_t k = 0; k < images.size(); ++k)
      text += "  " + V.group().generators()[k].to_string() + "\n" + to_text(images[k], "    ");
  }
  return text;
}

std::string latex_of(const Answer& answer) {
  std::string text;
  for (const Entry& entry : answer.entries) {
    const Representation& V = entry.form.representation;
    text +=
        "% " + constituents(answer, entry.form) + ", over " + V.field().to_string() + "\n\\begin{align*}\n";
    const auto images = images_of(V);
    for (std::size_t k = 0; k < images.size(); ++k)
      text += V.group().generators()[k].to_string() + " &\\mapsto " + to_latex(images[k]) +
              (k + 1 < images.size() ? " \\\\\n" : "\n");
    text += "\\end{align*}\n";
  }
  return text;
}

std::string gap_of(const Answer& answer) {
  std::string text = "[";
  for (const Entry& entry : answer.entries) {
    const Representation& V = entry.form.representation;
    text += (text.size() == 1 ? "\n# " : ",\n# ") + constituents(answer, entry.form) + "\n" +
            to_gap(V.group(), images_of(V), static_cast<std::size_t>(V.dimension()));
  }
  return text + "\n];\n";
}

std::string in_format(const Answer& answer, const std::string& format) {
  if (format == "json") return json_of(answer).dump(2) + "\n";
  if (format == "latex") return latex_of(answer);
  if (format == "gap") return gap_of(answer);
  return text_of(answer);
}

void run_irreps(const IrrepsOptions& options, Context& context) {
  const Answer answer = answer_to(options, context);
  for (const std::string& file : context.outputs) {
    const std::string by_name = file.ends_with(".json")                          ? "json"
                                : file.ends_with(".tex")                         ? "latex"
                                : file.ends_with(".g") || file.ends_with(".gap") ? "gap"
                                                                                 : options.format;
    write_file(file, in_format(answer, by_name));
  }
  context.finish_progress();
  if (context.json || options.format == "json") return context.print(json_of(answer));
  const std::string text =
      in_format(answer, options.format);  // before anything is printed: it may be too large
  if (options.format == "text")
    context.out << fmt::format("{}, order {}: {} over the {} numbers\n", answer.table.group().name(),
                               answer.table.group().order().str(),
                               counted(std::to_string(answer.entries.size()), "irreducible representation",
                                       "irreducible representations"),
                               answer.over);
  context.out << text;
}

}  // namespace

void add_irreps(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("irreps", "matrices of the irreducible representations of a group");
  const auto options = std::make_shared<IrrepsOptions>();
  command->add_option("GROUP", options->group, "a group expression, see `intertwine group --help`")
      ->type_name("")
      ->required();
  command->add_option("--index", options->index, "only row K of the character table, from 1: irrep(K)")
      ->check(whole_number(1))
      ->type_name("K");
  command->add_option("--over", options->over, "complex, real or rational (complex)")
      ->check(CLI::IsMember({"complex", "real", "rational"}))
      ->type_name("FIELD");
  command->add_option("--format", options->format, "text, json, latex or gap (input that GAP reads)")
      ->check(CLI::IsMember({"text", "json", "latex", "gap"}))
      ->type_name("FORMAT");
  command->footer(
      "The images of the generators, over the field of the character wherever the representation exists "
      "there, with\n"
      "small entries. Each is verified: a homomorphism, with the character of its row. Over the real or "
      "rational\n"
      "numbers conjugate characters belong to one representation. Dots are zeros, E(n) is exp(2 pi i / n).\n"
      "Examples:\n  intertwine irreps A5\n  intertwine irreps 'SL(2,3)' --index 4 --over real\n"
      "  intertwine irreps M11 --output m11.json --output m11.g --quiet");
  command->callback([options, &context] { run_irreps(*options, context); });
}

}  // namespace intertwine::app
