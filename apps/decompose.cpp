// decompose.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/hom/constituents.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/point_group_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/physics/printed_classes.hpp"
#include "intertwine/reductive/lie_weights.hpp"
#include "intertwine/representations/first_rows.hpp"

namespace intertwine::app {

namespace {

struct DecomposeOptions {
  std::string group, rep = "perm";
  BaseField over = BaseField::complex;
  bool basis = false, orthonormal = false, weights = false, first_rows = false;
  std::string arcs;
  std::optional<std::string> characters;
};

/// A character that the user has, by its values.
void run_decompose_values(const DecomposeOptions& options, Context& context) {
  if (options.basis || options.orthonormal || options.weights || !options.arcs.empty())
    throw DomainError("--characters gives no matrices; leave out --basis, --orthonormal, --weights and --arcs");
  context.require_formats("decompose", all_formats);
  const CharacterTable table = character_table(parse_finite_group(options.group, context.task), context.task);
  const ClassFunction f = parse_class_function(table, *options.characters, context.task);
  const std::vector<Constituent> parts = decompose(f, options.over, context.task);
  const Integer degree = f.degree().to_integer();
  if (degree > Integer(std::numeric_limits<std::int64_t>::max()))
    throw LimitError("decompose --characters: a degree has at most 63 bits");
  const auto dimension = static_cast<std::uint64_t>(degree);
  const Decomposition d{values_by_name(f, context.task), dimension, table, options.over, parts, {}};
  const Record found = record(d, false);
  context.deliver([&](Format format, unsigned width) -> Answer {
    if (format != Format::json) return in_format(found, format, width, context.task);
    return Document("decompose").add_all(found, context.task).add_text("characters", to_json(f, context.task));
  });
}

/// The weights of a representation whose group has highest weights.
void run_decompose_weights(const DecomposeOptions& options, const hom::Representation& V, Context& context) {
  const LieWeights weights{*V.group().reductive(), options.rep,
                           dominant_character(hom::character(V, context.task), context.task)};
  deliver_answer(context, "decompose", record(weights));
}

/// A basis of one vector a copy, without the other rows of the irreducible representations.
void run_first_rows(const DecomposeOptions& options, Context& context) {
  if (options.basis || options.orthonormal || options.weights || options.characters || !options.arcs.empty())
    throw DomainError(
        "--symmetry-adapted gives one vector a copy; leave out --basis, --orthonormal, --weights, --arcs and "
        "--characters");
  context.require_formats("decompose --symmetry-adapted", {Format::text, Format::json},
                          std::vector{Format::text, Format::json, Format::npz});
  const hom::Group G = parse_group(options.group, context.task);
  hom::require_components(G, "--symmetry-adapted is");
  const hom::Representation V = parse_representation(G, options.rep, Form::character, context.task);
  SymmetryAdaptedBasis basis = hom::symmetry_adapted_basis(V, options.over, context.task);
  basis.representation = options.rep;
  deliver_answer(context, "decompose", record(basis));
}

/// Is a file written that holds matrices?
bool writes(const Context& context, Format wanted) {
  return std::ranges::any_of(context.outputs, [&](const std::string& file) { return format_of_file(file) == wanted; });
}

void run_decompose(DecomposeOptions& options, Context& context) {
  if (options.first_rows) return run_first_rows(options, context);
  if (options.characters) return run_decompose_values(options, context);
  const hom::Group G = parse_group(options.group, context.task);
  if (options.weights && !G.reductive())
    throw DomainError("--weights is for connected groups such as SU(3), G2 and SU(2) x E6, which " + options.group +
                      " is not");
  if (options.orthonormal && options.over == BaseField::rational)
    throw DomainError("--orthonormal takes square roots; it goes with --over real or complex");
  context.open_picture(options.arcs, "--arcs");
  std::vector<Format> files = all_formats;
  files.push_back(Format::npy);
  context.require_formats("decompose", all_formats, files);
  const bool wants_bases = options.basis || options.orthonormal || writes(context, Format::npy);
  if (wants_bases || !options.arcs.empty())
    hom::require_components(G, "--basis, --orthonormal, --arcs and .npy files are");
  const hom::Representation V = parse_representation(G, options.rep, Form::character, context.task);
  if (options.weights) return run_decompose_weights(options, V, context);
  hom::Decomposition d = hom::decompose(V, options.over, context.task);
  d.written = options.rep;
  if (d.finite) d.finite->representation = options.rep;
  if (wants_bases || (d.finite && writes(context, Format::json)))
    hom::add_components(d, V, options.over, options.orthonormal, context.task);
  if (!options.arcs.empty()) write_picture(options.arcs, V, context.task);
  context.deliver([&](Format format, unsigned width) -> Answer {
    if (format == Format::npy) return to_npy(*d.finite);
    return answer_in(format, width, Document("decompose"), record(d, options.basis || options.orthonormal),
                     context.task);
  });
}

}  // namespace

void add_decompose(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "decompose", "the irreducible constituents of a representation, and its isotypic components explicitly");
  const auto options = std::make_shared<DecomposeOptions>();
  add_group_argument(*command, options->group);
  auto* rep =
      add_checked(*command, "--rep,REP", options->rep, expression(), "a representation, see below; by default perm");
  add_value(*command, "--characters", "VALUES", options->characters,
            "a character by its values in place of a representation: by the names of classes, 'E:9 C2:-1 "
            "sv(xz):1 sv(yz):3', or all in the order of a printed table, '9 -1 1 3', which for point groups is "
            "that of `chartable --notation schoenflies`")
      ->excludes(rep);
  add_over(*command, options->over, "complex, real or rational");
  command->add_flag("--basis", options->basis,
                    "the change of basis as well: exact matrices of the inclusions, the projections and the blocks");
  command->add_flag("--orthonormal", options->orthonormal,
                    "the change of basis by orthonormal vectors, of which those of different copies are "
                    "orthogonal too (with square roots)");
  command->add_flag("--symmetry-adapted", options->first_rows,
                    "in place of the constituents a sparse basis of one vector for every copy, the first row of each: "
                    "what block-diagonalizes matrices and semidefinite programs; FILE.npz has it as sparse columns");
  command->add_flag("--weights", options->weights,
                    "of a reductive group the weights in place of constituents: the dominant ones, how often each "
                    "weight of their orbit occurs, and how many these are");
  add_value(*command, "--arcs", "FILE", options->arcs,
            "draw how the generators move the basis vectors, one strip of arcs a generator: .svg or .png");
  command->footer(
      "Irreducible characters are numbered from 1 (in JSON from 0) as in `intertwine chartable`. Over the real numbers "
      "a\n"
      "complex character (o) counts together with its conjugate, a quaternionic one (-) twice; over the\n"
      "rational numbers a character counts together with all its algebraic conjugates, as often as its Schur index:\n"
      "that of a division algebra, with the places (primes and inf) where it stays one.\n"
      "--output FILE.json has the change of basis, exactly, and FILE.npy as doubles: with --orthonormal a unitary "
      "matrix where the\n"
      "representation is unitary, as permutations are, otherwise for the invariant form that is printed.\n"
      "Representations:\n" +
      known_representations() + "Reductive groups, by characters:\n" + indented(known_lie_groups()) +
      "and their representations:\n" + indented(known_lie_representations()) +
      "O(n), SO+(p,q), O(p,q) and products with finite groups, such as S3 x SO(3), have the representations "
      "of `intertwine basis`:\n" +
      indented(known_continuous_representations()) +
      "\nLinear molecules, C∞v and D∞h (Coov, Dooh): irrep(Πu) or irrep(Pi_u), Σ with + or -, vector and "
      "harmonic(l) of R^3, parity.\n"
      "\nExamples:\n  intertwine decompose S4 perm^2\n  intertwine decompose C2v --characters '9 -1 1 3'\n  "
      "intertwine decompose D5 perm --over real --basis\n  "
      "intertwine decompose 'SU(3)' 'irrep([1,1])^2'\n  intertwine decompose 'D∞h' 'irrep(Πu)^2'\n  "
      "intertwine decompose 'O(3)' 'harmonic(2)*vector'\n  intertwine decompose 'S3 x SO(3)' 'perm # "
      "vector^2'\n  intertwine decompose G2 adjoint --weights");
  command->callback([options, &context] { run_decompose(*options, context); });
}

}  // namespace intertwine::app
