// clebsch-gordan: how a product of two irreducible representations holds the others, by exact coefficients.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/clebsch_gordan_text.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/row_name.hpp"

namespace intertwine::app {

namespace {

struct ClebschGordanOptions {
  std::string group, left, right, index, basis;
  bool symbols = false;
  int up_to = -1;
};

SpinCouplings spin_couplings(const ClebschGordanOptions& options, const std::string& group,
                             const Task& task) {
  const CouplingBasis basis = options.basis == "real" ? CouplingBasis::real : CouplingBasis::complex;
  const CouplingForm form = options.symbols ? CouplingForm::symbols : CouplingForm::coefficients;
  const auto spin = [&](const std::string& text) {
    const HalfInteger j = parse_half_integer(text);
    if (group == "SO(3)" && !j.is_integer())
      throw DomainError(
          fmt::format("SO(3) has the representations l = 0, 1, 2, ..., not {}, which is one of SU(2)", text));
    return j;
  };
  SpinCouplings out{group, {}};
  const auto add = [&](HalfInteger j1, HalfInteger j2) {
    for (Coupling& c : couplings(j1, j2, basis, form, task)) out.list.push_back(std::move(c));
  };
  if (options.up_to >= 0) {
    const int step = group == "SO(3)" || basis == CouplingBasis::real ? 2 : 1;
    for (int j1 = 0; j1 <= 2 * options.up_to; j1 += step)
      for (int j2 = 0; j2 <= 2 * options.up_to; j2 += step) add({j1}, {j2});
  } else if (options.index.empty()) {
    add(spin(options.left), spin(options.right));
  } else {
    out.list.push_back(
        coupling(spin(options.left), spin(options.right), spin(options.index), basis, form, task));
  }
  return out;
}

/// SO+(1,3), also as SO(1,3), and SL(2,C); nothing for other groups.
std::optional<std::string> lorentz_group(const std::string& text) {
  for (const char* name : {"SO(1,3)", "SO+(1,3)", "SO+(3,1)", "SO(3,1)"})
    if (text == name) return "SO+(1,3)";
  for (const char* name : {"SL(2,C)", "Spin(1,3)", "Spin+(1,3)"})
    if (text == name) return "SL(2,C)";
  return std::nullopt;
}

LorentzCouplings lorentz_couplings_of(const ClebschGordanOptions& options, const std::string& group,
                                      const Task& task) {
  const auto spin = [&](const std::string& text) {
    const LorentzSpin s = parse_lorentz_spin(text);
    if (group == "SO+(1,3)" && (s.a.twice + s.b.twice) % 2 != 0)
      throw DomainError(fmt::format(
          "SO+(1,3) has the representations (a,b) with an integer a + b; {} is one of SL(2,C)", text));
    return s;
  };
  const LorentzSpin left = spin(options.left), right = spin(options.right);
  return {group,
          lorentz_couplings(left, right,
                            options.index.empty() ? std::nullopt : std::optional(spin(options.index)), task)};
}

/// Spins where the group should be.
void require_group(const ClebschGordanOptions& options) {
  const auto integral = [](const std::string& text) {
    try {
      return std::optional(parse_half_integer(text).is_integer());
    } catch (const Error&) {
      return std::optional<bool>();
    }
  };
  std::string spins;
  bool all_integral = true;
  for (const std::string& text : {options.group, options.left, options.right, options.index}) {
    if (text.empty()) continue;
    const auto found = integral(text);
    if (!found) return;
    all_integral = all_integral && *found;
    spins += " " + text;
  }
  throw DomainError(
      fmt::format("'{}' is no group, and the group comes first: intertwine clebsch-gordan '{}'{}",
                  options.group, all_integral ? "SO(3)" : "SU(2)", spins));
}

void require_no_spins(const ClebschGordanOptions& options) {
  if (!options.basis.empty() || options.symbols || options.up_to >= 0)
    throw DomainError("--basis, --3j and --up-to are for SU(2) and SO(3)");
}

/// The partition of an irreducible representation of SU(n) or SL(n) by another name, adjoint or irrep([1,1]); nothing
/// if it is none.
std::optional<Partition> partition_of(const LieGroup& G, const std::string& text, const Task& task) {
  if (text.starts_with('[')) return parse_partition(text);
  if (text == "1") return {};  // who writes 1 means a spin, or the vector by its row
  try {
    const LieCharacter chi = parse_lie_representation(G, text, task);
    if (chi.size() != 1 || chi.terms()[0].coefficient != 1) return {};
    std::vector<int> rows = chi.terms()[0].weight;
    for (std::size_t i = rows.size() - 1; i-- > 0;) rows[i] += rows[i + 1];
    return Partition(rows);
  } catch (const ParseError&) {
    return {};
  }
}

/// Partitions of SU(n) and U(n), or representations as they are written.
CompactClebschGordan compact_coefficients(const ContinuousGroup& G, const ClebschGordanOptions& options,
                                          const Task& task) {
  const auto is_partition = [](const std::string& text) { return text.starts_with('['); };
  if (is_partition(options.left) && is_partition(options.right) &&
      (options.index.empty() || is_partition(options.index)))
    return clebsch_gordan(
        G, parse_partition(options.left), parse_partition(options.right),
        options.index.empty() ? std::nullopt : std::optional(parse_partition(options.index)), task);
  if (options.index.empty() && (G.name().starts_with("SU(") || G.name().starts_with("SL(")) &&
      !G.is_product()) {
    const LieGroup L = parse_lie_group(G.name());
    const auto left = partition_of(L, options.left, task), right = partition_of(L, options.right, task);
    if (left && right) return clebsch_gordan(G, *left, *right, std::nullopt, task);
  }
  if (options.index.empty())
    throw DomainError(
        fmt::format("clebsch-gordan {0} takes two partitions, for example '[2,1]' '[2,1]', where {0} is "
                    "SU(n), U(n), SL(n) or GL(n), or irreducible representations of SU(n) such as adjoint; "
                    "others need --index, which names the constituent",
                    G.name()));
  const auto rep = [&](const std::string& text) {
    return parse_continuous_representation(G, is_partition(text) ? "schur(" + text + ", vector)" : text,
                                           task);
  };
  return clebsch_gordan(rep(options.left), rep(options.right), {rep(options.index)}, task);
}

template <class Found>
void deliver_coefficients(const Found& found, Context& context) {
  deliver_answer(context, "clebsch-gordan", found);
}

void run_clebsch_gordan(const ClebschGordanOptions& options, Context& context) {
  context.require_formats("clebsch-gordan", all_formats, with_arrays(all_formats));
  require_group(options);
  if (options.up_to < 0 && (options.left.empty() || options.right.empty()))
    throw DomainError(
        "clebsch-gordan takes two irreducible representations, for example clebsch-gordan 'SO(3)' 2 1");
  if (options.up_to >= 0 && !(options.left.empty() && options.index.empty()))
    throw DomainError("--up-to L is all products at once; it goes with no representations and no --index");
  if (const auto lorentz = lorentz_group(options.group)) {
    require_no_spins(options);
    return deliver_coefficients(lorentz_couplings_of(options, *lorentz, context.task), context);
  }
  const hom::Group G = parse_any_group(options.group, context.task);
  if (const auto* H = G.as<ContinuousGroup>()) {
    if (H->name() == "SU(2)" || H->name() == "SO(3)")
      return deliver_coefficients(spin_couplings(options, H->name(), context.task), context);
    require_no_spins(options);
    return deliver_coefficients(compact_coefficients(*H, options, context.task), context);
  }
  require_no_spins(options);
  const auto* H = G.as<FiniteGroup>();
  if (H == nullptr)
    throw DomainError("clebsch-gordan: representations of " + G.name() +
                      " are known by their characters only, and coefficients are matrices");
  const CharacterTable table = character_table(*H, context.task);
  const std::size_t i = irreducible_row(table, options.left), j = irreducible_row(table, options.right);
  deliver_coefficients(options.index.empty()
                           ? clebsch_gordan(table, i, j, {}, context.task)
                           : clebsch_gordan(table, i, j, irreducible_row(table, options.index), context.task),
                       context);
}

}  // namespace

void add_clebsch_gordan(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("clebsch-gordan",
                                     "exact Clebsch-Gordan coefficients of SU(2), SO(3), SO+(1,3), SU(n), "
                                     "... and every finite group; 3j symbols");
  const auto options = std::make_shared<ClebschGordanOptions>();
  add_argument(*command, "GROUP", options->group,
               "SU(2), SO(3), SO+(1,3), SU(n), O(n), ... or a group expression");
  command
      ->add_option("LEFT", options->left,
                   "j1 such as 2 or 3/2; of finite groups a row of the character table, or its name; of "
                   "SU(n) a partition; of others a representation")
      ->check(expression());
  command->add_option("RIGHT", options->right, "j2 likewise")->check(expression());
  add_value(*command, "--index,K", "K", options->index,
            "only this constituent: j, a row of the table, a partition or a representation (all)");
  add_value(*command, "--basis", "BASIS", options->basis,
            "complex: |j m> with the phases of Condon and Shortley; real: real spherical harmonics (complex)")
      ->check(CLI::IsMember({"complex", "real"}));
  command->add_flag("--3j", options->symbols, "Wigner's 3j symbols; with --basis real e3nn's wigner_3j");
  add_value(*command, "--up-to", "L", options->up_to, "all products of spins up to L, at most 20")
      ->check(CLI::Range(0, 20));
  command->footer(
      "SU(2), SO(3): <j1 m1 j2 m2|j m> = sign sqrt(square), by Racah's formula; m runs from -j to j. Real "
      "spherical harmonics are in the order m = -l, ..., l:\n"
      "y, z, x for l = 1; their coefficients are real by the phase (-i)^(l1+l2-l), and equal to e3nn's.\n"
      "SO+(1,3), SL(2,C): representations (a,b), such as (1/2,0) for spinors and (1/2,1/2) for vectors (or "
      "vector); coefficients are products of those of the spins a and b, m is the pair (alpha,beta).\n"
      "Finite groups: matrices T with (R_i (x) R_j)(g) T = T R_k(g) for the matrices of `irreps`, one for "
      "each copy of R_k. Their columns are the vectors of the copy in the basis e_a (x) f_b. They are "
      "orthogonal, and T divided by the root of its norm is an isometry for the forms that the "
      "representations leave fixed.\n"
      "SU(n), U(n), SO(n), O(n), Sp(2n): the same for irreducible representations. Those of SU(n) and U(n) "
      "are partitions (of SU(n) adjoint and irrep([1,1]) too), and all constituents are found; others are "
      "written as for `basis`, and --index says which constituent.\n"
      "Examples:\n  intertwine clebsch-gordan 'SU(2)' 1 1/2\n  intertwine clebsch-gordan 'SO(3)' 2 1 --index "
      "2 --basis real\n"
      "  intertwine clebsch-gordan 'SO+(1,3)' '(1/2,1/2)' '(1/2,1/2)' --index '(1,0)'\n"
      "  intertwine clebsch-gordan 'SO(3)' --up-to 10 --output table.csv --quiet\n  intertwine "
      "clebsch-gordan S4 4 4 --index '[3,1]'\n  intertwine clebsch-gordan 'SU(3)' '[2,1]' '[2,1]' --index "
      "'[2,1]'\n"
      "  intertwine clebsch-gordan 'SO(4)' vector vector --index 'harmonic(2)'");
  command->callback([options, &context] { run_clebsch_gordan(*options, context); });
}

}  // namespace intertwine::app
