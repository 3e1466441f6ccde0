// What the commands on functors, symmetric functions and coordinate rings share: an answer in the forms it can be written
// in, and the options that several of them have.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "context.hpp"
#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/gl/bitableau.hpp"
#include "intertwine/io/format.hpp"
#include "intertwine/io/sheet.hpp"

namespace intertwine::app {

void add_lr(CLI::App& app, Context& context);
void add_skew(CLI::App& app, Context& context);
void add_plethysm(CLI::App& app, Context& context);
void add_kronecker(CLI::App& app, Context& context);
void add_cauchy(CLI::App& app, Context& context);
void add_coordinate_ring(CLI::App& app, Context& context);
void add_straighten(CLI::App& app, Context& context);
void add_determinantal(CLI::App& app, Context& context);
void add_schur_functor(CLI::App& app, Context& context);
void add_expand(CLI::App& app, Context& context);
void add_branch(CLI::App& app, Context& context);
void add_polynomials(CLI::App& app, Context& context);

/// An answer in its forms, made when they are asked for; one that is empty cannot be had.
struct Forms {
  std::function<Answer()> json, text, latex;
  std::function<Sheet()> sheet = {};               ///< for CSV, Markdown and HTML
  std::function<std::string(Format)> system = {};  ///< an expression of GAP, Sage, Magma
};
/// Writes the files in the formats of their extensions, and prints the answer in the format asked for.
void finish(const Forms& forms, Context& context);
/// What most of these commands write.
inline const std::vector<Format> text_json_latex = {Format::text, Format::json, Format::latex};
/// What those write whose answer is a table, and those whose answer is a symmetric function.
inline const std::vector<Format> table_forms = {Format::text, Format::json,     Format::latex,
                                                Format::csv,  Format::markdown, Format::html};
inline const std::vector<Format> sum_formats = {Format::text, Format::json,     Format::latex,
                                                Format::gap,  Format::sage,     Format::magma,
                                                Format::csv,  Format::markdown, Format::html};
/// The command runs `run`: its formats are checked, then it answers, then the answer is written.
template <class Options>
void set_run(CLI::App* command, const std::shared_ptr<Options>& options, Context& context,
             Forms (*run)(const Options&, Context&), const std::vector<Format>& formats = text_json_latex) {
  command->callback([=, &context] {
    context.require_formats(command->get_name(), formats);
    const Forms forms = run(*options, context);
    finish(forms, context);
  });
}

/// The forms of an answer whose writers are to_json (the keys that follow those of `document`), to_text and to_latex.
template <class Answer>
Forms forms_of(const Document& document, Answer answer, const Context& context) {
  const auto found = std::make_shared<Answer>(std::move(answer));
  constexpr bool asks = requires { to_text(*found, 80U, context.task); };  // the writers of long answers
  const auto json = [&, found] {  // context is for the writers of long answers alone
    if constexpr (asks)
      return to_json(*found, context.task);
    else
      return to_json(*found);
  };
  const auto text = [found, &context] {
    if constexpr (asks)
      return to_text(*found, context.width(), context.task);
    else
      return to_text(*found, context.width());
  };
  return {[=] { return Document(document).add_all(json()).str(); }, text,
          [found, &context] { return to_latex(*found, context.width()); }};
}

/// A sum of Schur functions as the answer to a question about partitions.
Forms sum_forms(const std::string& command, const std::vector<std::pair<std::string, Partition>>& question,
                SchurSum sum, const Context& context);

/// Options --rows and --cols that bound the partitions of an answer.
void add_box(CLI::App& command, PartitionBox& box);
/// Required options --rows and --cols, the size of a matrix.
void add_matrix_size(CLI::App& command, MatrixSize& size);

}  // namespace intertwine::app
