// Answers what a representation becomes on a subgroup, for groups of every kind.
#include "intertwine/io/restriction_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/correlation_text.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/row_name.hpp"
#include "intertwine/io/tensor_text.hpp"
#include "intertwine/physics/correlation.hpp"
#include "intertwine/reductive/axial_character.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "io/expressions/group_factors.hpp"

namespace intertwine {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The n of "GL(4)", "GL4" or "GL 4", of at most six digits, for one of these families.
std::optional<int> size_of(std::string_view text, std::initializer_list<std::string_view> families) {
  const std::string_view whole = trimmed({text, 0}).text;
  const auto letters = static_cast<std::size_t>(std::ranges::find_if_not(whole, is_letter) - whole.begin());
  if (std::ranges::find(families, whole.substr(0, letters)) == families.end()) return std::nullopt;
  std::string_view number = trimmed({whole.substr(letters), 0}).text;
  if (number.starts_with('(') && number.ends_with(')') && number.size() > 2)
    number = trimmed({number.substr(1, number.size() - 2), 0}).text;
  if (number.empty() || number.size() > 6 || !std::ranges::all_of(number, is_digit)) return std::nullopt;
  return std::stoi(std::string(number));
}

/// Has the group a factor of infinitely many elements, by its name?
bool is_continuous(const std::string& text) { return names_lie_group(text) || names_continuous_group(text); }

/// The restrictions of C^n that are given; none if they are the usual ones.
std::vector<ClassFunction> given_vectors(const RestrictionQuestion& question, const CharacterTable& table,
                                         const Task& task) {
  if (!question.to.irrep.empty() && !question.embeddings.empty())
    throw DomainError("an embedding and an irrep both say what the vector representation becomes; give one of them");
  if (!question.to.irrep.empty()) return {ClassFunction::irreducible(table, irreducible_row(table, question.to.irrep))};
  std::vector<ClassFunction> result;
  for (const std::string& rep : question.embeddings)
    result.push_back(character_of(parse_representation(table.group(), rep, task), table, task));
  return result;
}

hom::Restriction to_finite(const RestrictionQuestion& question, const Task& task) {
  if (question.of_reductive())
    throw DomainError(
        "matrix, vector, principal and maximal are for reductive subgroups; how a finite one acts is said by "
        "embedding, a representation of it");
  const CharacterTable table = character_table(parse_finite_group(question.to.group, task), task);
  const std::vector<ClassFunction> vectors = given_vectors(question, table, task);
  const std::string& rep = question.to.rep;
  if (const auto n = size_of(question.from, {"O"})) {
    if (vectors.size() > 1) throw DomainError(fmt::format("O({}) takes one embedding", *n));
    const OrthogonalEmbedding f =
        vectors.empty() ? usual_orthogonal_embedding(*n, table, task) : OrthogonalEmbedding(vectors[0], task);
    if (f.n() != *n)
      throw DomainError(fmt::format("the representation of {} has dimension {}, but O({}) acts on R^{}",
                                    question.to.group, f.n(), *n, *n));
    return hom::restriction(parse_orthogonal_representation(f, rep, task), fmt::format("O({})", *n), f.how(), rep);
  }
  const LieGroup from = parse_lie_group(question.from);
  const FiniteEmbedding f = hom::finite_embedding(from, table, vectors, task);
  return hom::restriction(f.restrict(parse_lie_representation(from, rep, task), task), from.name(), f.how(), rep);
}

/// To C∞v and D∞h.
hom::Restriction to_axial(const RestrictionQuestion& question, const Task& task) {
  if (size_of(question.from, {"O"}) != 3)
    throw DomainError(fmt::format("{} lies in O(3), not in {}", question.to.group, question.from));
  if (question.of_reductive() || !question.embeddings.empty() || !question.to.irrep.empty())
    throw DomainError(question.to.group + " lies in O(3) in one way: leave out how it is embedded");
  const bool centre = axial_group_has_centre(question.to.group);
  return {"O(3)", question.to.rep, "",
          hom::decompose(parse_axial_representation(centre, question.to.rep, true, task), BaseField::complex, task)};
}

/// To O(n), SO+(p,q) or a product with a finite group, along a representation of it.
hom::Restriction along_vector(const RestrictionQuestion& question, const Task& task) {
  const auto& [group, rep, irrep] = question.to;
  if (!size_of(question.from, {"SU", "SL", "U", "GL"}))
    throw DomainError(fmt::format("SU(n), SL(n), U(n) and GL(n) are restricted to {}, along a vector, and not {}",
                                  group, question.from));
  if (question.vector.empty() || question.matrix || question.principal || question.maximal)
    throw DomainError(
        fmt::format("how {} lies in {} is said by vector, what the vector representation becomes, for "
                    "example harmonic(2)",
                    group, question.from));
  const ContinuousGroup from = parse_continuous_group(question.from, task), to = parse_continuous_group(group, task);
  const ContinuousRepresentation vector = parse_representation(to, question.vector, task);
  const ContinuousRepresentation V = parse_representation(from, rep, task);
  return {from.name(), rep, "vector = " + vector.to_string(),
          hom::decompose(restricted_along(V, vector, task), BaseField::complex, task)};
}

hom::Restriction to_reductive_as_named(const RestrictionQuestion& question, const Task& task) {
  const auto& [group, rep, irrep] = question.to;
  if (!irrep.empty() || !question.embeddings.empty())
    throw DomainError("irrep and embedding are for finite subgroups; how " + group +
                      " is embedded is said by vector, matrix, principal or maximal");
  if (size_of(question.from, {"O"}))
    throw DomainError(question.from + " is restricted to finite groups here; for " + group +
                      " take SO(n) in its place");
  const LieGroup from = parse_lie_group(question.from), to = parse_lie_group(group);
  hom::EmbeddingChoice choice{std::nullopt, question.matrix, question.principal, question.maximal};
  if (!question.vector.empty()) choice.vector = parse_lie_representation(to, question.vector, task);
  const LieRestriction along = hom::lie_restriction(from, to, choice, task);
  return hom::restriction(parse_lie_representation(from, rep, task), along, rep, task);
}

/// "Spin(10) x U(1)" for "SO(10) x U(1)".
std::string with_spin_groups(std::string text) {
  for (std::size_t at = 0; (at = text.find("SO(", at)) != std::string::npos; at += 3)
    if (at == 0 || !is_letter(text[at - 1])) text.replace(at, 2, "Spin");
  return text;
}

/// The restriction, or nothing and why it is refused.
std::optional<hom::Restriction> attempted(const RestrictionQuestion& question, std::exception_ptr& refusal,
                                          const Task& task) {
  try {
    return to_reductive_as_named(question, task);
  } catch (const DomainError&) {
    refusal = std::current_exception();
  } catch (const ParseError&) {
    refusal = std::current_exception();
  }
  return std::nullopt;
}

/// To a reductive subgroup. Spin(n) stands for SO(n), in the subgroup and then in both groups, where spinors occur that
/// SO(n) does not have; the answer says so.
hom::Restriction to_reductive(const RestrictionQuestion& question, const Task& task) {
  std::exception_ptr refusal, other;
  if (auto found = attempted(question, refusal, task)) return *found;
  RestrictionQuestion covered = question;
  for (std::string* name : {&covered.to.group, &covered.from}) {
    const std::string written = std::exchange(*name, with_spin_groups(*name));
    if (*name == written) continue;
    if (auto found = attempted(covered, other, task)) {
      found->how += fmt::format("{}Spin is meant by SO, since spinors occur", found->how.empty() ? "" : "; ");
      return *found;
    }
  }
  std::rethrow_exception(refusal);
}

/// A representation of a group with continuous parts.
hom::Restriction of_continuous(const RestrictionQuestion& question, const Task& task) {
  if (!question.functor.empty())
    throw DomainError("a partition is for GL(n); of " + question.from + " a representation is restricted");
  if (question.to.rep.empty())
    throw DomainError("a representation of " + question.from + " is missing, such as adjoint");
  const std::string& to = question.to.group;
  if (names_axial_group(to)) return to_axial(question, task);
  if (names_continuous_group(to) && !names_only_lie_groups(to)) return along_vector(question, task);
  return names_lie_group(to) ? to_reductive(question, task) : to_finite(question, task);
}

bool is_point_group(const std::string& text) {
  try {
    parse_point_or_double_group(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// How the species of one point group become those of a subgroup.
CorrelationReport of_point_groups(const RestrictionQuestion& question, const Task& task) {
  CorrelationReport report{correlation_table(parse_point_or_double_group(question.from),
                                             parse_point_or_double_group(question.to.group), task),
                           {}};
  const std::string& rep = question.to.irrep.empty() ? question.to.rep : question.to.irrep;
  if (!rep.empty()) report.rep = {rep, species_of(report.table.from, rep, task)};
  return report;
}

Branching branching_of(const RestrictionQuestion& question, const Task& task) {
  using Kind = Branching::Kind;
  const Partition lambda = parse_partition(question.functor);
  const FiniteSide& to = question.to;
  if (to.rep.empty() && to.irrep.empty())
    for (const auto& [name, kind] :
         {std::pair{"O", Kind::orthogonal}, {"Sp", Kind::symplectic}, {"S", Kind::symmetric}})
      if (const auto n = size_of(to.group, {name})) {
        Branching result = branching(lambda, kind, *n, task);
        if (kind == Kind::symmetric) result.rep = "perm";
        return result;
      }
  const SideCharacter side = parse_side(to, task);
  Branching result = branching(lambda, side.character);
  result.rep = side.rep;
  return result;
}

/// The Schur functor of GL(n), whose n is what the subgroup acts for.
Branching of_functor(const RestrictionQuestion& question, const Task& task) {
  Branching found = branching_of(question, task);
  found.group = question.to.group;
  if (!question.from.empty()) {
    const auto n = size_of(question.from, {"GL"});
    if (!n) throw DomainError("a Schur functor is restricted from GL(n), for example GL(4), not " + question.from);
    if (*n != found.n)
      throw DomainError(fmt::format("{}{} acts on a space of dimension {}, so that it is no subgroup of GL({})",
                                    found.group, found.rep.empty() ? "" : " by " + found.rep, found.n, *n));
  }
  verify(found);
  return found;
}

/// A partition of GL(n) or U(n), and a reductive subgroup or one that lies in it in a way of its own.
bool is_partition_of_reductive(const RestrictionQuestion& question) {
  if (question.functor.empty() || !question.to.rep.empty()) return false;
  const bool reductive = !size_of(question.to.group, {"Sp"}) && names_lie_group(question.to.group);
  if (question.from.empty()) return reductive;
  return size_of(question.from, {"U"}) || question.of_reductive() || !question.embeddings.empty() || reductive;
}

}  // namespace

SideCharacter parse_side(const FiniteSide& side, const Task& task) {
  const FiniteGroup G = parse_finite_group(side.group, task);
  if (!side.irrep.empty()) {
    if (!side.rep.empty()) throw DomainError("a representation and the number of an irreducible one are both given");
    const CharacterTable table = character_table(G, task);
    return {ClassFunction::irreducible(table, irreducible_row(table, side.irrep)),
            fmt::format("irrep({})", side.irrep)};
  }
  const std::string rep = !side.rep.empty() ? side.rep : G.coordinates().matrices ? "coordinates" : "perm";
  return {character_of(parse_representation(G, rep, task), character_table(G, task), task), rep};
}

void place_words(RestrictionQuestion& question, const std::string& subgroup) {
  auto& [group, rep, irrep] = question.to;
  if (!question.from.empty()) throw DomainError("the group is given apart: one subgroup and a representation follow");
  if (question.functor.empty() || (is_continuous(group) && rep.empty())) {
    question.from = std::exchange(group, subgroup);
    const bool partition = question.functor.starts_with('[') && size_of(question.from, {"GL", "U"});
    if (!partition) rep += std::exchange(question.functor, {});
  } else {
    if (!rep.empty()) throw DomainError("a partition is restricted to one group, by one representation");
    rep = subgroup;
  }
}

void make_special(RestrictionQuestion& question) {
  bool found = false;
  for (std::string* text : {&question.from, &question.to.group})
    for (std::size_t i = 0; i < text->size(); ++i) {
      if (!is_letter((*text)[i]) || (i > 0 && (is_letter((*text)[i - 1]) || is_digit((*text)[i - 1])))) continue;
      const std::string_view rest = std::string_view(*text).substr(i);
      const std::size_t letters = rest.starts_with("GL") ? 2 : rest.starts_with("U") ? 1 : 0;
      const std::string_view number = trimmed({rest.substr(letters), 0}).text;
      if (letters == 0 || number.empty() || (number[0] != '(' && !is_digit(number[0]))) continue;
      text->replace(i, letters, letters == 2 ? "SL" : "SU");
      found = true;
    }
  if (!found) throw DomainError("GL(n) is taken as SL(n), U(n) as SU(n), and neither group is one of these");
}

std::optional<hom::Group> with_spinors(const hom::Group& group, const Task& task) {
  const std::string name = group.name(), covered = with_spin_groups(name);
  if (covered == name || !group.reductive()) return std::nullopt;
  return parse_group(covered, task);
}

RestrictionAnswer answer_restriction(const RestrictionQuestion& given, const Task& task) {
  RestrictionQuestion question = given;
  if (is_partition_of_reductive(question)) {
    if (question.from.empty())
      throw DomainError(fmt::format("the group that {} lies in is missing, for example GL({})", question.to.group,
                                    size_of(question.to.group, {"GL"}).value_or(3) + 1));
    question.to.rep = fmt::format("irrep({} as partition)", std::exchange(question.functor, {}));
  }
  if ((names_lie_group(question.from) || size_of(question.from, {"O"})) &&
      (question.functor.empty() || !size_of(question.from, {"GL"})))
    return of_continuous(question, task);
  if (question.of_reductive() || !question.embeddings.empty())
    throw DomainError(
        "matrix, vector, principal, maximal and embedding are for a reductive group, such as SU(4), that a "
        "representation is restricted from");
  if (!question.functor.empty()) return of_functor(question, task);
  if (is_point_group(question.from) && is_point_group(question.to.group)) return of_point_groups(question, task);
  if (!question.from.empty())
    throw DomainError(fmt::format(
        "{} is no reductive group; characters of finite groups are restricted by their tables (chartable {} "
        "--subgroup {})",
        question.from, question.from, question.to.group));
  throw DomainError("a partition such as [3,1] is missing");
}

}  // namespace intertwine
