#include "symmetric.hpp"

#include "intertwine/exact/sum_text.hpp"
#include "intertwine/io/answer_sheets.hpp"
#include "intertwine/io/ring_text.hpp"
#include "intertwine/io/systems_text.hpp"

namespace intertwine::app {

void finish(const Forms& forms, Context& context) {
  context.deliver([&](Format f, unsigned) -> Answer {
    if (f == Format::json) return forms.json();
    if (f == Format::latex) return forms.latex();
    if (f == Format::text) return forms.text();
    return is_system(f) ? Answer(statement(f, forms.system(f))) : Answer(to_format({forms.sheet()}, f));
  });
}

Forms sum_forms(const std::string& command, const std::vector<std::pair<std::string, Partition>>& question,
                SchurSum sum, const Context& context) {
  const auto f = std::make_shared<SchurSum>(std::move(sum));
  return {[=] {
            Document document(command);
            for (const auto& [key, lambda] : question) document.add_text(key, to_json(lambda));
            return document.add_piece("terms", [f](JsonWriter& json) { write_json(json, *f); });
          },
          [f, &context] { return wrapped(to_string(*f), context.width()); },
          [f, &context] { return wrapped(to_latex(*f), context.width()); },
          [f] { return to_sheet(to_symmetric_function(*f)); },
          [f](Format system) { return to_system(system, to_symmetric_function(*f)); }};
}

void add_box(CLI::App& command, PartitionBox& box) {
  command.add_option("--rows", box.rows, "keep only partitions with at most this many rows")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--cols", box.cols, "keep only partitions with at most this many columns")
      ->check(CLI::NonNegativeNumber);
}

void add_matrix_size(CLI::App& command, MatrixSize& size) {
  command.add_option("--rows,ROWS", size.rows, "rows of the generic matrix")
      ->required()
      ->check(CLI::NonNegativeNumber);
  command.add_option("--cols,COLS", size.cols, "columns of the generic matrix")
      ->required()
      ->check(CLI::NonNegativeNumber);
}

}  // namespace intertwine::app
