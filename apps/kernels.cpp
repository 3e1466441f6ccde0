// `kernels`: equivariant maps between homogeneous spaces, by double cosets.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/kernel_picture.hpp"
#include "intertwine/io/kernels_file.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"

namespace intertwine::app {

namespace {

struct KernelsOptions {
  std::string group, from = "trivial", to, from_subgroup, to_subgroup;
  std::optional<unsigned> degree;
  bool elements = false;
};

/// The subgroup that an expression means, on the points of G: G itself if it is empty.
FiniteGroup subgroup_on_points(const FiniteGroup& G, const std::string& expression, const Task& task) {
  return expression.empty() ? G : on_points_of(G, parse_finite_group(expression, task), task);
}

KernelPicture drawn(const KernelSpace& kernels, const Task& task) { return kernel_picture(kernels, task); }
template <class Kernels>
KernelPicture drawn(const Kernels& kernels, const Task& task) {
  constexpr unsigned radius = 4;
  return kernel_picture(kernels, radius, task);
}

/// Files that are pictures are drawn; the others are left to be written as answers.
template <class Kernels>
void draw_kernels(const Kernels& kernels, Context& context) {
  std::vector<std::string> answers;
  for (const std::string& file : context.outputs) {
    if (!is_picture(file)) {
      answers.push_back(file);
      continue;
    }
    const KernelPicture picture = drawn(kernels, context.task);
    write_picture(file, picture.table, picture.text, context.task);
  }
  if (context.outputs.size() == answers.size()) return;
  context.drew();
  context.outputs = std::move(answers);
}

/// Finds kernels, and answers with them and the time that this took.
template <class Find>
void answer_kernels(const Find& find, const KernelsOptions& options, Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const auto kernels = find();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  draw_kernels(kernels, context);
  deliver_answer(context, "kernels", record(kernels, KernelForm{options.elements, format_seconds(seconds.count())}));
}

void refuse_subgroups(const KernelsOptions& options) {
  if (!options.from_subgroup.empty() || !options.to_subgroup.empty())
    throw DomainError(
        "--from-subgroup and --to-subgroup are for finite groups; fields on R^n have the stabilizer of the origin");
}

/// Kernels on R^n under a finite group, up to some degree.
void run_on(const OrthogonalAction& G, const KernelsOptions& options, Context& context) {
  refuse_subgroups(options);
  constexpr unsigned usual_degree = 4;
  const Representation V = parse_representation(G.group(), options.from, context.task),
                       U = parse_representation(G.group(), options.to, context.task);
  answer_kernels([&] { return point_kernels(G, V, U, options.degree.value_or(usual_degree), context.task); }, options,
                 context);
}

void refuse_degree(const KernelsOptions& options) {
  if (options.degree)
    throw DomainError(
        "--degree is for kernels on R^n under finite groups, as 'R^2 : C4'; there are finitely many of "
        "others, and all of them are given");
}

/// Kernels on R^n that commute with a Euclidean group.
void run_on(const EuclideanGroup& G, const KernelsOptions& options, Context& context) {
  refuse_degree(options);
  refuse_subgroups(options);
  const ContinuousRepresentation V = parse_representation(G.point_group(), options.from, context.task),
                                 U = parse_representation(G.point_group(), options.to, context.task);
  answer_kernels([&] { return steerable_kernels(G, V, U, context.task); }, options, context);
}

/// The representation of a subgroup, told by an option; S3 in its place is the subgroup itself.
Representation of_subgroup(const FiniteGroup& H, const std::string& text, std::string_view option, const Task& task) {
  try {
    return parse_representation(H, text, task);
  } catch (const ParseError&) {
    std::optional<FiniteGroup> group;
    try {
      group = parse_finite_group(text, task);
    } catch (const ParseError&) {  // no group either: what was wrong with the representation is the answer
    } catch (const DomainError&) {
    }
    if (!group) throw;
    throw DomainError(
        fmt::format("{0} is a group, and {1} takes a representation of the subgroup, such as trivial; write "
                    "{1}-subgroup {0}",
                    text, option));
  }
}

/// Kernels between homogeneous spaces of a finite group.
void run_on(const FiniteGroup& G, const KernelsOptions& options, Context& context) {
  refuse_degree(options);
  const FiniteGroup K = subgroup_on_points(G, options.from_subgroup, context.task),
                    H = subgroup_on_points(G, options.to_subgroup, context.task);
  const Representation sigma = of_subgroup(K, options.from, "--from", context.task),
                       rho = of_subgroup(H, options.to, "--to", context.task);
  answer_kernels([&] { return mackey_basis(G, H, K, rho, sigma, context.task); }, options, context);
}

void run(const KernelsOptions& options, Context& context) {
  context.require_formats("kernels", all_formats, with_arrays(all_formats), true);
  std::visit([&](const auto& G) { run_on(G, options, context); }, parse_kernel_group(options.group, context.task));
}

}  // namespace

void add_kernels(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "kernels", "kernels of equivariant maps: between homogeneous spaces of finite groups, and steerable ones on R^n");
  const auto options = std::make_shared<KernelsOptions>();
  add_group_argument(*command, options->group);
  add_value(*command, "--from,--in,FROM", "R", options->from,
            "the representation sigma of the subgroup K that inputs are made of")
      ->capture_default_str();
  add_value(*command, "--from-subgroup", "K", options->from_subgroup, "the subgroup K: inputs live on GROUP/K (GROUP)");
  add_value(*command, "--to,--out,TO", "R", options->to,
            "the representation rho of the subgroup H that outputs are made of (default: that of --from)");
  add_value(*command, "--to-subgroup", "H", options->to_subgroup, "the subgroup H: outputs live on GROUP/H (GROUP)");
  add_value(*command, "--degree", "L", options->degree,
            "of kernels on R^n under a finite group, the largest degree of polynomials (4)");
  command->add_flag("--elements", options->elements, "list the matrices kappa(g) as well (in JSON they always are)");
  command->footer(
      "The maps (Phi f)(g) = sum over g' of kappa(g^-1 g') f(g') with kappa(h g k) = rho(h) kappa(g) sigma(k) are\n"
      "all equivariant linear maps from the induced representation of sigma to that of rho. On a double coset H g K "
      "kappa is known by\n"
      "kappa(g), any matrix that commutes with the stabilizer, the meet of H and g K g^-1. The number of kernels is "
      "counted twice:\n"
      "by double cosets (Mackey) and by the inner product of the induced characters. A subgroup on fewer points fixes "
      "the others, and\n"
      "its representations are those on the points of GROUP; C1 is the trivial subgroup.\n"
      "Representations:\n" +
      indented(known_representations()) +
      "\nSE(n) and E(n), also in products such as S5 x SE(3): steerable kernels kappa(h x) = rho(h) kappa(x) "
      "sigma(h)^-1 on R^n for fields of\n"
      "type sigma and rho, representations of SO(n) or O(n); ISpin(n): those of Spin(n), for fields of "
      "spinors. Each is a radial function times kappa_k(x / |x|); kappa_k is a homogeneous harmonic\n"
      "polynomial. Their number is counted again as dim Hom over the stabilizer of a "
      "point.\nRepresentations:\n" +
      indented(known_continuous_representations()) +
      "\nR^n : G, a finite group that turns R^n, as R^2 : C4, R^2 : D6, R^3 : Oh or R^3 : S4 by sign*std: "
      "there are kernels of every degree, and\n"
      "those up to --degree L are given; their number is counted again by characters, degree by degree. x, "
      "y, z are the axes of `cartesian`;\n"
      "`vector` (coordinates) is another basis of them where that of the group is a lattice or a polygon.\n"
      "--output FILE.svg, .png and .html draw the kernels, those on R^n as stamps. FILE.npz has the kernels "
      "as arrays: their values at the representatives, or coefficients and exponents.\nExamples:\n  "
      "intertwine kernels S4 --from-subgroup S3 --to-subgroup S3\n"
      "  intertwine kernels S4 --from-subgroup 'A4' --from 'irrep(2)' --to-subgroup '<(1,2,3,4)>' --to "
      "'irrep(2)' --elements\n  intertwine kernels 'SE(3)' --in vector --out 'harmonic(2)' --elements\n"
      "  intertwine kernels 'ISpin(3)' --in spinor --out spinor\n"
      "  intertwine kernels 'R^3 : Oh' --in trivial --out cartesian --degree 6");
  command->callback([options, &context] {
    if (options->to.empty()) options->to = options->from;
    run(*options, context);
  });
}

}  // namespace intertwine::app
