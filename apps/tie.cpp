// Command `tie`: weight tables of equivariant layers as files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_maps.hpp"
#include "intertwine/io/basis_elements.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/diagram_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/io/verify_table.hpp"
#include "layer.hpp"

namespace intertwine::app {

namespace {

struct TieOptions : LayerOptions {
  bool no_closure = false, isotypic = false, proof = false, sum = false, single = false;
  std::string kernel, blocks;
};

constexpr double max_closure_seconds = 1;

std::string describe_kernel(const WeightBlock& table, const std::vector<std::uint64_t>& sizes) {
  std::uint64_t sites = 1;
  for (const std::uint64_t size : sizes) sites *= size;
  return fmt::format("  kernel       [{}, {}, {}]: the weights as a convolution takes them\n",
                     table.channels.out * table.weights.rows, table.channels.in * table.weights.cols / sites,
                     fmt::join(sizes, ", "));
}

/// The files asked for, wrong extensions refused before the work.
struct Files {
  Files(const std::vector<std::string>& names, const std::string& blocks, bool proof) {
    if (!blocks.empty() && !is_picture(blocks))
      throw DomainError("--blocks draws a picture, .svg, .png or .html, not " + blocks);
    for (const std::string& file : names) {
      const LayerFile kind = layer_file(file, "tie", true);
      if (kind == LayerFile::table && table_format(file) == TableFormat::cpp_header && proof)
        throw DomainError("C++ headers hold no proofs; write " + file + " without --proof, or " +
                          listed_extensions(TableContents::any, ", "));
      (kind == LayerFile::picture ? pictures : kind == LayerFile::table ? tables : answers).push_back(file);
    }
  }
  /// Is the pattern asked for entry by entry?
  bool of_elements(Format printed) const {
    return is_of_elements(printed) || std::any_of(answers.begin(), answers.end(), [](const std::string& file) {
             return is_of_elements(format_of_file(file));
           });
  }
  std::vector<std::string> tables, pictures, answers;
};

/// The formats in which tie prints the elements, as basis does.
constexpr std::array printed_formats = {Format::text, Format::json,  Format::latex, Format::gap,
                                        Format::sage, Format::magma, Format::csv,   Format::markdown};

/// Elements are of one matrix.
void require_single(const std::string& group, bool several) {
  if (several)
    throw DomainError(
        fmt::format("{}: the multiplicities differ, which makes several blocks, and LaTeX, arrays, tables of "
                    "entries and GAP, Sage and Magma take one matrix; add --single",
                    group));
}

/// The answers in files, and what is printed; true where that was not the report, which is text, or nothing is to be
/// printed.
template <class Elements, class Table>
bool deliver_elements(const Files& files, Format printed, const std::string& report, Elements elements, Table table,
                      Context& context) {
  std::optional<BasisElements> known;
  const auto answer = [&](Format format) -> Answer {
    if (format == Format::text) return report;
    if (format == Format::npy) return codes_to_npy(table(), context.task);
    if (!known) known = elements();
    return in_format(record(*known), format, 80, context.task);
  };
  for (const std::string& file : files.answers) context.save(file, answer(format_of_file(file)));
  context.finish_progress();
  if (context.silent() || context.streams.writes()) return true;
  if (!is_of_elements(printed)) return false;
  context.print(answer(printed));
  return true;
}

std::string theta_line(const hom::Basis& basis) {
  return fmt::format("  theta        [{}], bias [{}]: those of the blocks, one after the other\n",
                     basis.dimension().str(), basis.bias_dimension().str());
}

/// \throws DomainError naming a header, which holds one tied table
void refuse_headers(const hom::Basis& basis, const Files& files) {
  if (basis.is_tied() && !basis.is_several()) return;
  for (const std::string& file : files.tables)
    if (table_format(file) == TableFormat::cpp_header)
      throw DomainError(
          basis.is_tied()
              ? fmt::format("{}: the multiplicities differ, which makes several blocks, and C++ headers hold one "
                            "table; write it with --single, or {}",
                            file, listed_extensions(TableContents::any, ", "))
              : fmt::format("{}: C++ headers hold tied tables only; write a sparse basis as {}", file,
                            listed_extensions(TableContents::any)));
}

/// Writes a table; gives the digests.
std::vector<std::string> write(const WeightBlock& table, const Files& files, const Task& task) {
  std::vector<std::string> digests;
  for (const std::string& file : files.tables) digests.push_back(write_table(file, table, task));
  return digests;
}
/// Writes the blocks; gives the digests.
std::vector<std::string> write_several(const hom::Basis& basis, const TieOptions& options, const Files& files,
                                       const Task& task) {
  std::vector<std::string> digests;
  if (files.tables.empty()) return digests;
  WeightTable table = basis.table({.proof = options.proof}, task);
  if (options.isotypic)
    for (auto& row : table.blocks)
      for (WeightBlock& block : row) block = with_isotypic_form(std::move(block), task);
  for (const std::string& file : files.tables) digests.push_back(write_table(file, table, task));
  return digests;
}

/// A line for each table and picture.
std::string wrote(const Files& files, const std::vector<std::string>& digests) {
  std::string text;
  for (std::size_t k = 0; k < files.tables.size(); ++k)
    text += fmt::format("  wrote        {} ({}), sha256 {}\n", files.tables[k],
                        format_bytes(std::filesystem::file_size(files.tables[k])), digests[k]);
  for (const std::string& file : files.answers) text += fmt::format("  wrote        {}\n", file);
  for (const std::string& file : files.pictures) text += fmt::format("  drew         {}\n", file);
  return text;
}

void run_every_size(const TieOptions& options, DiagramTable diagrams, const Files& files, Format printed,
                    Context& context) {
  if (!files.answers.empty() || is_of_elements(printed))
    throw DomainError(
        fmt::format("{}: layers for every size are lists of diagrams, which tie prints as text and JSON and "
                    "writes as {}; "
                    "name a size, for example S5, for other forms",
                    options.group, listed_extensions(TableContents::any, " and ")));
  if (!files.pictures.empty() || !options.blocks.empty() || options.isotypic || options.proof ||
      !options.kernel.empty())
    throw DomainError(
        fmt::format("pictures, --isotypic, --blocks, --kernel and --proof are for one size; for {} tie "
                    "writes the table alone",
                    options.group));
  const DiagramProof found = verify(std::move(diagrams), context.task);
  std::vector<std::string> digests;
  for (const std::string& file : files.tables) digests.push_back(write_diagrams(file, found.table, context.task));
  context.finish_progress();
  if (context.silent()) return;
  if (context.json) {
    context.print(Document("tie")
                      .add("group", options.group)
                      .add_all(proof_record(found), context.task)
                      .add_all(record(found.table), context.task)
                      .add("files", context.outputs));
    return;
  }
  context.out << options.group << ", for every n\n"
              << to_text(proof_record(found)) << to_text(record(found.table)) << wrote(files, digests);
  if (files.tables.empty())
    context.out << "  nothing was written; --output layer.safetensors (or .npz, .json) writes the table\n";
}

/// With --blocks the table in its isotypic coordinates.
void draw(const TieOptions& options, const BasisNames& names, const Files& files, const WeightBlock& table,
          const hom::Basis& sites, const Context& context) {
  for (const std::string& file : files.pictures)
    write_picture(file, table, picture_text(shown(names, context), table, sites), context.task);
  if (options.blocks.empty()) return;
  IsotypicPicture picture = isotypic_picture(options.isotypic ? table : with_isotypic_form(table, context.task));
  picture.text.title = picture_text(shown(names, context), table).title;
  write_picture(options.blocks, picture.table, picture.text, context.task);
}

/// The document that --json prints.
Document document_of(const TieOptions& options, const TimedBasis& layer, const std::optional<LargestGroup>& largest,
                     const std::vector<std::string>& digests, const Context& context) {
  Document document("tie");
  document.add_all(record(layer.basis), context.task);
  document.add("files", context.outputs);
  if (!options.blocks.empty()) document.add("blocks", options.blocks);
  if (!layer.kernel.empty()) document.add("kernel", layer.kernel);
  document.add("closure_order", largest ? Json(largest->order.str()) : Json());
  document.add("closure_index", largest && largest->index ? Json(largest->index->str()) : Json());
  return document.add("sha256", digests.empty() ? Json() : Json(digests.front()));
}

/// The isotypic form is known where there is a character table.
void require_isotypic_form(const TieOptions& options, const hom::Basis& basis) {
  if (!basis.has_isotypic_form() && (!options.blocks.empty() || options.isotypic))
    throw DomainError(
        fmt::format("--isotypic, --blocks and --kernel are for finite groups; for {} tie writes "
                    "and draws the table alone",
                    options.group));
}

void run_one_size(const TieOptions& options, const Files& files, Format printed, Context& context) {
  // A kernel is one array, whatever the multiplicities.
  const TimedBasis layer = make_layer(options, context, options.single || !options.kernel.empty(), options.kernel);
  const std::vector<std::uint64_t>& sizes = layer.kernel;
  require_isotypic_form(options, layer.basis);
  if (layer.basis.is_empty())
    throw DomainError("tie: one of the representations has dimension 0, there is nothing to tie");
  const bool several = layer.basis.is_several();
  if (files.of_elements(printed)) require_single(options.group, several);
  refuse_headers(layer.basis, files);
  const bool draws = !files.pictures.empty() || !options.blocks.empty();
  const bool closes = layer.basis.is_tied() && !options.no_closure;
  // The one pattern of several tables is there to be looked at.
  std::optional<hom::Basis> sites;
  WeightBlock table;
  if (!several || draws || closes) {
    sites = layer.basis.sites(context.task);
    table = sites->table({.proof = options.proof && !several}, context.task).block();
    if (!sizes.empty()) table.metadata["kernel"] = json_text(Json(sizes), -1);
    if (options.isotypic) table = with_isotypic_form(std::move(table), context.task);
  }
  const std::vector<std::string> digests =
      several ? write_several(layer.basis, options, files, context.task) : write(table, files, context.task);
  if (draws) draw(options, layer.names, files, table, *sites, context);
  std::optional<LargestGroup> largest;
  if (closes) largest = hom::largest_group(*sites, table, max_closure_seconds, context.task);
  const Record found =
      record(layer.basis, BasisForm{.names = layer.names, .time = format_seconds(layer.seconds), .features = true});
  const std::string report = to_text(found, 80, context.task) + (several ? theta_line(layer.basis) : "") +
                             (sizes.empty() ? "" : describe_kernel(table, sizes)) + (largest ? to_text(*largest) : "");
  const auto elements = [&] { return basis_elements(layer.basis, context.task); };
  if (deliver_elements(
          files, printed, report, elements, [&]() -> const WeightBlock& { return table; }, context))
    return;
  if (context.json) return context.print(document_of(options, layer, largest, digests, context));
  context.out << report << wrote(files, digests);
  if (!options.blocks.empty()) context.out << "  drew         " << options.blocks << ", the isotypic blocks\n";
  if (context.outputs.empty() && options.blocks.empty() && layer.basis.has_isotypic_form())
    context.out << "  nothing was written; --output layer.safetensors (or .npz, .json, .hpp) writes the "
                   "table, .svg, .png and .html draw it\n";
}

void run(TieOptions& options, Context& context) {
  context.open_picture(options.blocks, "--blocks");
  const Files files(context.outputs, options.blocks, options.proof);
  const Format printed = context.printed_format({printed_formats.begin(), printed_formats.end()});
  if (auto diagrams = parse_diagrams(options.group, options.in_given ? options.in : "",
                                     options.out_given ? options.out : "", !options.sum, context.task))
    return run_every_size(options, std::move(*diagrams), files, printed, context);
  if (options.sum) throw DomainError("--sum is for groups of every size, such as 'S(n)'");
  run_one_size(options, files, printed, context);
}

}  // namespace

void add_tie(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("tie", "the weight-tying table, written for numeric layers");
  const auto options = std::make_shared<TieOptions>();
  add_layer_options(*command, *options);
  command->add_flag("--no-closure", options->no_closure,
                    "do not look for the largest group that the table is equivariant to");
  command->add_flag("--isotypic", options->isotypic, "store the isotypic form as well, for `run --mode isotypic`");
  command->add_flag("--proof", options->proof,
                    "store the generators' images as well, from which checkers/check_table.py, which knows "
                    "nothing of this program, proves the table complete");
  command
      ->add_option("--blocks", options->blocks,
                   "draw W in the coordinates where it falls into one block for each irreducible "
                   "representation: .svg, .png or .html")
      ->type_name("FILE");
  add_kernel_option(*command, options->kernel);
  command->add_flag("--single", options->single,
                    "one table also where multiplicities differ (16*perm + 33*trivial), its pattern repeated "
                    "for the copies; otherwise a table for each pair of parts");
  command->add_flag("--sum", options->sum, "over 'S(n)' and its kin, sums over points stay sums instead of means");
  command->footer(
      "Representations:\n" + indented(known_representations()) + "\n" + continuous_groups_help() +
      "\nGroups of every size, S(n) B(n) O(n) Sp(n) GL(n) U(n) and their products, also with SO(3), SL(3), "
      "SU(3) and others of one size, have layers for\nall n at once, of diagrams; representations are powers "
      "and products of perm (S), coordinates, unsigned (B), vector, dual(vector).\n"
      "--output takes .safetensors, .npz, .json, .hpp (C++ header, large arrays beside it), the pictures "
      ".svg, .png and .html (a page to look around in: point at an entry and see its orbit), the codes as "
      ".npy, the elements as .csv, .tex, .md, .g, .sage and .m, as basis does, and .txt; repeat it for "
      "several.\n"
      "Example:\n  intertwine tie S4 '8*perm^2' '16*perm^2' --output graph.safetensors --output graph.svg\n"
      "  intertwine tie D4 '8*regular' '16*regular' --kernel 3x3 --output kernel.safetensors\n"
      "  intertwine tie 'S5 x O(3)' '8*(perm # vector)' --output cloud.safetensors\n"
      "  intertwine tie 'S(n)' '8*perm^2' '16*perm' --output sizes.safetensors");
  command->callback([options, &context] {
    complete(*options);
    run(*options, context);
  });
}

}  // namespace intertwine::app
