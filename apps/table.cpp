// `table`: a saved weight table, its facts, pictures of it, and the same in another form.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/answer_arrays.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/diagram_text.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/table_file.hpp"

namespace intertwine::app {

namespace {

struct TableFileOptions {
  std::string file, copy;
};

/// The ways to write a table: other tables, pictures, its codes.
enum class SavedAs { table, picture, codes };

SavedAs saved_as(const std::string& file) {
  refuse_hdf5_name(file);
  if (is_picture(file)) return SavedAs::picture;
  if (std::filesystem::path(file).extension() == ".npy") return SavedAs::codes;
  if (is_table_name(file)) return SavedAs::table;
  throw DomainError(
      fmt::format("table writes a saved table as {}, its codes as .npy, and pictures .svg, .png and .html, not {}",
                  listed_extensions(TableContents::tied, " and "), file));
}

std::string facts(const WeightBlock& table) {
  std::string text =
      fmt::format("  {} x {} entries, {} parameters, bias {}; {}\n", table.weights.rows, table.weights.cols,
                  table.weights.params, table.bias.params, table.is_tied() ? "tied" : "sparse elements");
  if (table.channels != Multiplicity{})
    text += fmt::format("  channels     {} out, {} in\n", table.channels.out, table.channels.in);
  for (const char* key : {"rep_in", "rep_out", "kernel", "producer"})
    if (const auto at = table.metadata.find(key); at != table.metadata.end())
      text += fmt::format("  {:<12} {}\n", key, at->second);
  return text;
}

Json facts_json(const WeightBlock& table) {
  return {{"rows", table.weights.rows},
          {"cols", table.weights.cols},
          {"params", table.weights.params},
          {"bias_params", table.bias.params},
          {"multiplicity_in", table.channels.in},
          {"multiplicity_out", table.channels.out},
          {"metadata", table.metadata}};
}

/// A file that was read: its kind, its facts and the way to write it.
struct Saved {
  std::string kind, text;
  Json json;
  std::function<void(const std::string& file, SavedAs form)> write;
  std::function<std::string()> drawn = {};  ///< in the terminal
};

Saved single(const std::string& kind, WeightBlock block, const Context& context) {
  const auto table = std::make_shared<WeightBlock>(std::move(block));
  Saved saved{kind, facts(*table), facts_json(*table), [table, &context](const std::string& to, SavedAs form) {
                if (form == SavedAs::codes) return context.save(to, codes_to_npy(*table, context.task));
                if (form == SavedAs::picture) return write_picture(to, *table, context.task);
                write_table(to, *table, context.task);
              }};
  if (table->is_tied())
    saved.drawn = [table, &context] { return terminal_picture(*table, context.width(), context.colours()); };
  return saved;
}

Saved several(const std::string& file, WeightTable blocks_of_file, const Context& context) {
  const auto table = std::make_shared<WeightTable>(std::move(blocks_of_file));
  std::string text;
  Json blocks = Json::array();
  for (std::size_t i = 0; i < table->blocks.size(); ++i)
    for (std::size_t j = 0; j < table->blocks[i].size(); ++j) {
      text += fmt::format("block ({}, {})\n", i, j) + facts(table->blocks[i][j]);
      blocks.push_back(facts_json(table->blocks[i][j]));
    }
  return {"blocks", text, {{"blocks", blocks}}, [table, file, &context](const std::string& to, SavedAs form) {
            if (form != SavedAs::table)
              throw DomainError(
                  fmt::format("{} holds several blocks, which are no one picture or array; tie GROUP IN OUT "
                              "--output {} makes it of all of them, or tie --single one table",
                              file, to));
            write_table(to, *table, context.task);
          }};
}

Saved one_size(const std::string& file, const std::string& kind, const Context& context) {
  WeightTable table = read_table(file, context.task);
  return table.is_single() ? single(kind, std::move(table).block(), context) : several(file, std::move(table), context);
}

Saved every_size(const std::string& file, const Context& context) {
  const auto table = std::make_shared<DiagramTable>(read_diagrams(file, context.task));
  return {"diagram", to_text(record(*table)), Json::parse(to_json(record(*table))),
          [table, file, &context](const std::string& to, SavedAs form) {
            if (form != SavedAs::table)
              throw DomainError(
                  fmt::format("{} is a layer for every size and has no entries to draw; tie with a size "
                              "draws, for example tie S5 perm perm --output {}",
                              file, to));
            write_diagrams(to, *table, context.task);
          }};
}

void run(const TableFileOptions& options, Context& context) {
  if (!names_a_file(options.file) && !std::filesystem::exists(options.file))
    throw DomainError(
        fmt::format("table takes a saved weight table such as layer.safetensors, not {}; say chartable for "
                    "characters, tie for weights",
                    options.file));
  if (!options.copy.empty()) context.outputs.push_back(options.copy);
  const Format printed = context.printed_format({Format::text, Format::json});
  for (const std::string& file : context.outputs) saved_as(file);
  const std::string kind = table_kind(options.file, context.task);
  const Saved saved = kind == "diagram" ? every_size(options.file, context) : one_size(options.file, kind, context);
  for (const std::string& file : context.outputs) saved.write(file, saved_as(file));
  context.finish_progress();
  if (context.silent() || context.streams.writes()) return;
  if (printed == Format::json) {
    Document document("table");
    document.add("file", options.file).add("kind", saved.kind).add_all(json_text(saved.json));
    return context.print(document.add("files", context.outputs));
  }
  std::string text = fmt::format("{}: {}\n{}", options.file, saved.kind, saved.text);
  for (const std::string& file : context.outputs)
    text += fmt::format("  {:<12} {}\n", saved_as(file) == SavedAs::picture ? "drew" : "wrote", file);
  if (context.outputs.empty() && saved.drawn) text += '\n' + saved.drawn();
  context.out << text;
}

}  // namespace

void add_table(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("table", "a saved weight table: what it holds, pictures of it, and other forms of it");
  const auto options = std::make_shared<TableFileOptions>();
  add_table_argument(*command, options->file);
  add_value(*command, "COPY", "", options->copy, "the same as --output COPY")->check(file_name());
  command->footer(
      "--output draws it as .svg, .png and .html, as basis and tie do, and writes the same table as "
      ".safetensors, .npz, .json and .hpp, its codes as .npy. What is read is checked for damage; `verify` "
      "proves what it claims.\nExamples:\n  intertwine table layer.safetensors\n  intertwine table layer.npz "
      "--output layer.svg --output layer.npz");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
