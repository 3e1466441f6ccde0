// Which reader an expression is for: the one place that tells kinds of groups apart by their names.
#include "intertwine/io/any_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/representation_expression.hpp"

namespace intertwine {

namespace {

/// The representation that `read` gives, or nothing where it refuses the text; limits of the task bind.
template <class Read>
std::optional<hom::Representation> if_read(Read read, const Task& task) {
  try {
    return read();
  } catch (const LimitError&) {
    task.poll();
  } catch (const Error&) {
  }
  return std::nullopt;
}

hom::Representation by_matrices(const ContinuousGroup& G, const LieGroup& weights, std::string_view text,
                                const Task& task) {
  const auto with_reason = [&](const std::string& why) {
    return if_read([&] { return hom::Representation(G, parse_lie_representation(weights, text, task), why); }, task);
  };
  try {
    return parse_representation(G, text, task);
  } catch (const LimitError& e) {
    task.poll();
    if (auto V = with_reason(e.what())) return *V;
    throw;
  } catch (const Error& e) {
    if (auto V = with_reason(e.what())) return *V;
    throw;
  }
}

hom::Representation by_character(const ContinuousGroup& G, const LieGroup& weights, std::string_view text,
                                 const Task& task) {
  const auto matrices = [&]() -> hom::Representation { return parse_representation(G, text, task); };
  try {
    return {G, parse_lie_representation(weights, text, task)};
  } catch (const ParseError& e) {
    if (text.substr(std::min(e.position(), text.size())).starts_with("rep")) return matrices();
    if (auto V = if_read(matrices, task)) return *V;
    throw;
  }
}

/// The matrices of a representation of C∞v or D∞h where these are wanted and not too large, otherwise its character.
hom::Representation axial_representation(bool centre, const ContinuousGroup& G, std::string_view text, Form form,
                                         const Task& task) {
  std::string reason;
  if (form == Form::matrices) try {
      return parse_representation(G, text, task);
    } catch (const LimitError& e) {
      task.poll();
      reason = e.what();
    }
  return {parse_axial_representation(centre, text, false, task), reason};
}

/// A classical group that is too large says how large it may be.
[[noreturn]] void refuse_matrices(const hom::Group& G, const Task& task) {
  if (names_continuous_group(G.name())) parse_continuous_group(G.name(), task);
  throw DomainError("representations of " + G.name() +
                    " are known by their characters only, and equivariant maps need matrices; decompose takes them");
}

/// SO(3) where SE(3) was meant, SU(2) where ISpin(3) was.
[[noreturn]] void refuse_without_translations(const hom::Group& G) {
  const auto* known = G.as<ContinuousGroup>();
  const auto* one =
      known == nullptr || known->is_product() ? nullptr : std::get_if<ClassicalGroup>(&known->factors().front());
  if (one != nullptr && *one == ClassicalGroup(ClassicalGroup::Family::SU, 2))
    throw DomainError(
        "SU(2) turns R^3 as Spin(3); kernels takes it together with the translations of R^3, as ISpin(3), "
        "whose spinor is C^2 as R^4");
  if (one == nullptr || !one->is_orthogonal() || one->positive() != one->dimension() || one->dimension() < 2)
    throw DomainError(
        fmt::format("kernels takes SE(n), E(n), ISpin(n) and finite groups, and {} is none of them", G.name()));
  throw DomainError(fmt::format("{} fixes a point; kernels takes it together with the translations of R^{}, as {}",
                                G.name(), one->dimension(), EuclideanGroup(*known, 0).name()));
}

}  // namespace

hom::Group parse_group(std::string_view text, const Task& task) {
  if (names_continuous_group(text) && !names_only_lie_groups(text)) return parse_continuous_group(text, task);
  if (names_lie_group(text)) return parse_lie_group(text);
  if (names_euclidean_group(text))
    throw ParseError(
        "SE(n), E(n) and ISpin(n) have translations, and no representations here: take SO(n), O(n) or "
        "Spin(n); "
        "p4m(8,8) has the motions of a torus; `kernels` takes SE(3), E(2) and ISpin(3), for convolutions on "
        "R^n",
        std::string(text), 0);
  return parse_finite_group(text, task);
}

KernelGroup parse_kernel_group(std::string_view text, const Task& task) {
  if (names_orthogonal_action(text)) return parse_orthogonal_action(text, task);
  if (names_euclidean_group(text)) return parse_euclidean_group(text, task);
  const hom::Group G = parse_group(text, task);
  if (const auto* finite = G.as<FiniteGroup>()) return *finite;
  refuse_without_translations(G);
}

hom::Representation parse_representation(const hom::Group& G, std::string_view text, Form form, const Task& task) {
  if (const auto* H = G.as<FiniteGroup>()) return parse_representation(*H, text, task);
  if (form == Form::only_matrices && G.as<ContinuousGroup>() == nullptr) refuse_matrices(G, task);
  if (const auto* H = G.as<LieGroup>()) return {G, parse_lie_representation(*H, text, task)};
  const auto& H = *G.as<ContinuousGroup>();
  const auto weights = G.reductive();
  if (const auto centre = G.centre_of_linear_molecule(); centre && form != Form::only_matrices)
    return axial_representation(*centre, H, text, form, task);
  if (!weights || form == Form::only_matrices) return parse_representation(H, text, task);
  return form == Form::matrices ? by_matrices(H, *weights, text, task) : by_character(H, *weights, text, task);
}

}  // namespace intertwine
