// The common forms of answers of the commands on symmetric functions and coordinate rings.
#include "symmetric.hpp"

#include <algorithm>
#include <type_traits>

#include "intertwine/error.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "intertwine/io/answer_sheets.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/ring_text.hpp"
#include "intertwine/io/systems_text.hpp"

namespace intertwine::app {

namespace {

SymmetricFunction in_any_basis(const SchurSum& sum) { return to_symmetric_function(sum); }
const SymmetricFunction& in_any_basis(const SymmetricFunction& sum) { return sum; }

template <class Sum>
Forms forms_of_sum(const Document& document, Sum sum) {
  return [=, f = std::make_shared<Sum>(std::move(sum))](Format format, unsigned width) -> Answer {
    if (format == Format::json) {
      if constexpr (std::is_same_v<Sum, SchurSum>)
        return Document(document).add_piece("terms", [f](JsonWriter& json) { write_json(json, *f); });
      else
        return Document(document).add_text("terms", to_json(*f));
    }
    if (format == Format::text) return wrapped_sum(to_string(*f), width);
    if (format == Format::latex) return latex_equations({{"", to_latex(*f)}});
    if (is_system(format)) return statement(format, to_system(format, in_any_basis(*f)));
    return to_format({to_sheet(in_any_basis(*f))}, format);
  };
}

}  // namespace

void finish(const Forms& forms, Context& context) {
  context.deliver([&](Format format, unsigned width) {
    return forms(format, width == 0 ? std::max(context.width(), 40U) : width);
  });
}

Forms sum_forms(const Document& document, SymmetricFunction sum) {
  return forms_of_sum(document, std::move(sum));
}

Forms sum_forms(const std::string& command, const std::vector<std::pair<std::string, Partition>>& question,
                SchurSum sum) {
  Document document(command);
  for (const auto& [key, lambda] : question) document.add_text(key, to_json(lambda));
  return forms_of_sum(document, std::move(sum));
}

Partition schur_index(const std::string& text) {
  if (text.size() > 1 && std::string("hepmf").find(text[0]) != std::string::npos && text[1] == '[')
    throw DomainError("'" + text +
                      "' is no Schur function, and partitions name these here; `expand` takes others: expand "
                      "'h[2]*e[2]', expand 'h[2][h[3]]'");
  return parse_partition(text);
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
