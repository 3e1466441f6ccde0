#include "symmetric.hpp"

#include "intertwine/exact/sum_text.hpp"
#include "intertwine/io/ring_text.hpp"
#include "intertwine/io/table_file.hpp"

namespace intertwine::app {

Document::Document(const std::string& command) : text_(answer(command).dump(2)) {
  text_.resize(text_.size() - 2);  // the closing brace
}

Document& Document::add_text(const std::string& key, const std::string& value) {
  text_ += ",\n  " + Json(key).dump() + ": ";
  for (const char c : value) {
    text_ += c;
    if (c == '\n') text_ += "  ";  // none of these is inside a string: JSON escapes them
  }
  return *this;
}

Document& Document::add_all(const std::string& object) {
  text_ += "," + object.substr(1, object.size() - 3);  // from "{\n" to "\n}"
  return *this;
}

void finish(const Forms& forms, Format format, const Context& context) {
  const auto written = [&](Format f) {
    return f == Format::json ? forms.json() : f == Format::latex ? forms.latex() : forms.text();
  };
  for (const std::string& file : context.outputs)
    write_file(file,
               written(format_of_file(file, {Format::text, Format::json, Format::latex}, "intertwine")));
  context.finish_progress();
  context.out << written(context.json ? Format::json : format);
}

void require_formats(const Context& context, const std::string& command, bool latex) {
  for (const std::string& file : context.outputs)
    latex ? format_of_file(file, {Format::text, Format::json, Format::latex}, command)
          : format_of_file(file, {Format::text, Format::json}, command);
}

void add_format(CLI::App& command, Format& format) {
  command.add_flag_callback(
      "--latex", [&format] { format = Format::latex; }, "the same as --format latex");
  command
      .add_option_function<std::string>(
          "--format",
          [&format](const std::string& name) {
            format = parse_format(name, {Format::text, Format::json, Format::latex});
          },
          "text, json or latex")
      ->type_name("FORMAT");
}

Forms sum_forms(const std::string& command, const std::vector<std::pair<std::string, Partition>>& question,
                SchurSum sum, const Context& context) {
  const auto f = std::make_shared<SchurSum>(std::move(sum));
  return {[=] {
            Document document(command);
            for (const auto& [key, lambda] : question) document.add_text(key, to_json(lambda));
            return document.add_text("terms", to_json(*f)).str();
          },
          [f, &context] { return wrapped(to_string(*f), context.width()); },
          [f, &context] { return wrapped(to_latex(*f), context.width()); }};
}

void add_box(CLI::App& command, PartitionBox& box) {
  command.add_option("--rows", box.rows, "keep only partitions with at most this many rows")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--cols", box.cols, "keep only partitions with at most this many columns")
      ->check(CLI::NonNegativeNumber);
}

void add_matrix_size(CLI::App& command, MatrixSize& size) {
  command.add_option("--rows", size.rows, "rows of the generic matrix")
      ->required()
      ->check(CLI::NonNegativeNumber);
  command.add_option("--cols", size.cols, "columns of the generic matrix")
      ->required()
      ->check(CLI::NonNegativeNumber);
}

}  // namespace intertwine::app
