// The common part of the commands on functors, symmetric functions and coordinate rings: an answer in the forms it can
// be written in, and the options that several of them have.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "context.hpp"
#include "intertwine/combinatorics/symmetric_function_bases.hpp"
#include "intertwine/gl/bitableau.hpp"
#include "intertwine/io/format.hpp"
#include "intertwine/io/sheet.hpp"

namespace intertwine::app {

void add_lr(CLI::App& app, Context& context);
void add_skew(CLI::App& app, Context& context);
void add_coproduct(CLI::App& app, Context& context);
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

/// An answer in the formats that its command has.
using Forms = std::function<Answer(Format, unsigned width)>;
/// Writes the files in the formats of their extensions, and prints the answer in the format asked for.
void finish(const Forms& forms, Context& context);
/// The command runs `run`: its formats are checked, then it answers, then the answer is written.
template <class Options>
void set_run(CLI::App* command, const std::shared_ptr<Options>& options, Context& context,
             Forms (*run)(const Options&, Context&), const std::vector<Format>& formats = all_formats) {
  command->callback([=, &context] {
    context.require_formats(command->get_name(), formats);
    finish(run(*options, context), context);
  });
}

/// The forms of a record, whose answer is its own.
Forms forms_of(const Document& document, Record record, const Context& context);
/// The forms of a sum of Schur functions as the answer to a question about partitions.
Forms sum_forms(const std::string& command, const std::vector<std::pair<std::string, Partition>>& question,
                SchurSum sum, const Context& context);

/// The partition of a Schur function, [2,1] or s[2,1]. \throws ParseError; DomainError for other symmetric functions, which
/// `expand` takes
Partition schur_index(const std::string& text);

/// Options --rows and --cols that bound the partitions of an answer.
void add_box(CLI::App& command, PartitionBox& box);
/// Required options --rows and --cols, the size of a matrix.
void add_matrix_size(CLI::App& command, MatrixSize& size);

}  // namespace intertwine::app
