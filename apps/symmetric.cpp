// The common forms of answers of the commands on symmetric functions and coordinate rings.
#include "symmetric.hpp"

#include <algorithm>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/ring_text.hpp"

namespace intertwine::app {

void finish(const Forms& forms, Context& context) {
  context.deliver([&](Format format, unsigned width) {
    return forms(format, width == 0 ? std::max(context.width(), 40U) : width);
  });
}

Forms forms_of(const Document& document, Record record, const Context& context) {
  return [=, &context, kept = std::move(record)](Format format, unsigned width) {
    return answer_in(format, width, document, kept, context.task);
  };
}

Forms sum_forms(const std::string& command, const std::vector<std::pair<std::string, Partition>>& question,
                SchurSum sum, const Context& context) {
  Document document(command);
  for (const auto& [key, lambda] : question) document.add_text(key, to_json(lambda));
  return forms_of(document, record(std::move(sum)), context);
}

Partition schur_index(const std::string& text) {
  if (text.size() > 1 && std::string("hepmf").find(text[0]) != std::string::npos && text[1] == '[')
    throw DomainError("'" + text +
                      "' is no Schur function, and partitions name these here; `expand` takes others: expand "
                      "'h[2]*e[2]', expand 'h[2][h[3]]'");
  return parse_partition(text);
}

void add_box(CLI::App& command, PartitionBox& box) {
  add_checked(command, "--rows", box.rows, CLI::NonNegativeNumber, "keep only partitions with at most this many rows");
  add_checked(command, "--cols", box.cols, CLI::NonNegativeNumber,
              "keep only partitions with at most this many columns");
}

void add_matrix_size(CLI::App& command, MatrixSize& size) {
  command.add_option("--rows,ROWS", size.rows, "rows of the generic matrix")->required()->check(CLI::NonNegativeNumber);
  command.add_option("--cols,COLS", size.cols, "columns of the generic matrix")
      ->required()
      ->check(CLI::NonNegativeNumber);
}

}  // namespace intertwine::app
