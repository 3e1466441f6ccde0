// Answers how a product of two irreducible representations holds the others, for groups of every kind.
#include "intertwine/io/couplings_question.hpp"

#include <fmt/format.h>

#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/row_name.hpp"
#include "intertwine/reductive/wigner_symbols.hpp"

namespace intertwine {

namespace {

SpinCouplings spin_couplings(const CouplingsQuestion& question, const std::string& group, const Task& task) {
  const CouplingBasis basis = question.basis == "real" ? CouplingBasis::real : CouplingBasis::complex;
  const CouplingForm form = question.symbols ? CouplingForm::symbols : CouplingForm::coefficients;
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
  if (question.m1.empty() != question.m2.empty())
    throw DomainError("a single coefficient has two vectors: give m1 and m2");
  if (question.up_to >= 0) {
    const int step = group == "SO(3)" || basis == CouplingBasis::real ? 2 : 1;
    for (int j1 = 0; j1 <= 2 * question.up_to; j1 += step)
      for (int j2 = 0; j2 <= 2 * question.up_to; j2 += step) add({j1}, {j2});
  } else if (!question.m1.empty()) {
    const HalfInteger j1 = spin(question.left), j2 = spin(question.right);
    const Projections at{parse_half_integer(question.m1), parse_half_integer(question.m2)};
    if (question.index.empty())
      out.list = couplings(j1, j2, basis, form, at, task);
    else
      out.list.push_back(coupling(j1, j2, spin(question.index), basis, form, at, task));
  } else if (question.index.empty()) {
    add(spin(question.left), spin(question.right));
  } else {
    out.list.push_back(coupling(spin(question.left), spin(question.right), spin(question.index), basis, form, task));
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

LorentzCouplings lorentz_couplings_of(const CouplingsQuestion& question, const std::string& group, const Task& task) {
  const auto spin = [&](const std::string& text) {
    const LorentzSpin s = parse_lorentz_spin(text);
    if (group == "SO+(1,3)" && (s.a.twice + s.b.twice) % 2 != 0)
      throw DomainError(
          fmt::format("SO+(1,3) has the representations (a,b) with an integer a + b; {} is one of SL(2,C)", text));
    return s;
  };
  const LorentzSpin left = spin(question.left), right = spin(question.right);
  return {group, lorentz_couplings(left, right,
                                   question.index.empty() ? std::nullopt : std::optional(spin(question.index)), task)};
}

/// Spins where the group should be.
void require_group(const CouplingsQuestion& question) {
  const auto integral = [](const std::string& text) {
    try {
      return std::optional(parse_half_integer(text).is_integer());
    } catch (const Error&) {
      return std::optional<bool>();
    }
  };
  std::string spins;
  bool all_integral = true;
  for (const std::string& text : {question.group, question.left, question.right, question.index}) {
    if (text.empty()) continue;
    const auto found = integral(text);
    if (!found) return;
    all_integral = all_integral && *found;
    spins += " " + text;
  }
  throw DomainError(fmt::format("'{}' is no group, and the group comes first: '{}'{}", question.group,
                                all_integral ? "SO(3)" : "SU(2)", spins));
}

void require_no_spins(const CouplingsQuestion& question) {
  if (question.of_spins())
    throw DomainError(
        "real bases, 3j symbols, single coefficients and all products up to a spin are for SU(2) and SO(3)");
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
CompactClebschGordan compact_coefficients(const ContinuousGroup& G, const CouplingsQuestion& question,
                                          const Task& task) {
  const auto is_partition = [](const std::string& text) { return text.starts_with('['); };
  if (is_partition(question.left) && is_partition(question.right) &&
      (question.index.empty() || is_partition(question.index)))
    return clebsch_gordan(G, parse_partition(question.left), parse_partition(question.right),
                          question.index.empty() ? std::nullopt : std::optional(parse_partition(question.index)), task);
  if (question.index.empty() && (G.name().starts_with("SU(") || G.name().starts_with("SL(")) && !G.is_product()) {
    const LieGroup L = parse_lie_group(G.name());
    const auto left = partition_of(L, question.left, task), right = partition_of(L, question.right, task);
    if (left && right) return clebsch_gordan(G, *left, *right, std::nullopt, task);
  }
  if (question.index.empty())
    throw DomainError(
        fmt::format("Clebsch-Gordan coefficients of {0} take two partitions, for example '[2,1]' and "
                    "'[2,1]', where {0} is "
                    "SU(n), U(n), SL(n) or GL(n), or irreducible representations of SU(n) such as adjoint; "
                    "others need an index, the name of a constituent",
                    G.name()));
  const auto rep = [&](const std::string& text) {
    return parse_representation(G, is_partition(text) ? "schur(" + text + ", vector)" : text, task);
  };
  return clebsch_gordan(rep(question.left), rep(question.right), {rep(question.index)}, task);
}

FiniteClebschGordan finite_couplings(const FiniteGroup& G, const CouplingsQuestion& question, const Task& task) {
  const CharacterTable table = character_table(G, task);
  const std::size_t i = irreducible_row(table, question.left), j = irreducible_row(table, question.right);
  return clebsch_gordan(
      table, i, j, question.index.empty() ? std::nullopt : std::optional(irreducible_row(table, question.index)), task);
}

}  // namespace

CouplingsAnswer answer_couplings(const CouplingsQuestion& question, const Task& task) {
  require_group(question);
  if (question.up_to < 0 && (question.left.empty() || question.right.empty()))
    throw DomainError("Clebsch-Gordan coefficients take two irreducible representations, for example 'SO(3)' 2 1");
  if (question.up_to >= 0 && !(question.left.empty() && question.index.empty() && question.m1.empty()))
    throw DomainError("all products up to a spin leave out representations, an index, m1 and m2");
  if (const auto lorentz = lorentz_group(question.group)) {
    require_no_spins(question);
    return lorentz_couplings_of(question, *lorentz, task);
  }
  const hom::Group G = parse_group(question.group, task);
  const auto* H = G.as<ContinuousGroup>();
  if (H != nullptr && (H->name() == "SU(2)" || H->name() == "SO(3)")) return spin_couplings(question, H->name(), task);
  require_no_spins(question);
  if (H != nullptr) return compact_coefficients(*H, question, task);
  if (const auto* finite = G.as<FiniteGroup>()) return finite_couplings(*finite, question, task);
  throw DomainError("representations of " + G.name() +
                    " are known by their characters only, and Clebsch-Gordan coefficients are matrices");
}

}  // namespace intertwine
