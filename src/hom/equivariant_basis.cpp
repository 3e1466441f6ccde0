// The certified basis of Hom(V, U), part by part, for groups of every kind.
#include "intertwine/hom/equivariant_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

#include "block_metadata.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/equivariant/basis_methods.hpp"
#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/equivariant/table_proof.hpp"
#include "intertwine/error.hpp"
#include "intertwine/hom/series.hpp"
#include "intertwine/representations/actions.hpp"
#include "same_group.hpp"

namespace intertwine::hom {

struct Basis::State {
  Representation source, target;
  std::vector<Block> blocks;
  std::vector<Bias> biases;
  Certificate certificate;
};

namespace {

template <class Side>
using Part = std::pair<std::uint64_t, Side>;

/// The parts of V, (a, V_a) for a V_a: neighbours of the same multiplicity together, in the order of V. One part, with
/// the common divisor of the multiplicities, if `single`.
std::vector<Part<intertwine::Representation>> parts_of(const intertwine::Representation& V, bool single) {
  std::vector<Part<intertwine::Representation>> parts;
  auto summands = V.summands();
  std::erase_if(summands, [](const auto& s) { return s.multiplicity == 0 || s.representation.dimension() == 0; });
  std::uint64_t common = 0;
  for (const auto& s : summands) common = std::gcd(common, s.multiplicity);
  for (const auto& [multiplicity, site] : summands) {
    const std::uint64_t channels = single ? common : multiplicity;
    const intertwine::Representation part = multiplicity == channels ? site : (multiplicity / channels) * site;
    if (!parts.empty() && parts.back().first == channels)
      parts.back().second = parts.back().second + part;
    else
      parts.emplace_back(channels, part);
  }
  return parts;
}

std::vector<Part<ContinuousRepresentation>> parts_of(const ContinuousRepresentation& V, bool single) {
  if (single && V.dimension() != 0) return {V.as_multiple()};
  return V.parts();
}

HomBasis proved(const intertwine::Representation& V, const intertwine::Representation& U, const BasisOptions& options,
                const Task& task) {
  return hom_basis(V, U, task, options.max_checked);
}
HomBasis proved(const ContinuousRepresentation& V, const ContinuousRepresentation& U, const BasisOptions&,
                const Task& task) {
  return hom_basis(V, U, task);
}

/// The smallest field with those of V and U in it.
AbelianField common_field(const Representation& V, const Representation& U) {
  return with_matrices("equivariant maps", V, U,
                       [](const auto& a, const auto& b) { return AbelianField::compositum(a.field(), b.field()); });
}

/// Adds the routes that are not in the list "burnside-elements, weyl-characters".
void add_routes(std::string& list, std::string_view routes) {
  while (!routes.empty()) {
    const std::size_t end = std::min(routes.find(", "), routes.size());
    const std::string_view route = routes.substr(0, end);
    if ((", " + list + ", ").find(fmt::format(", {}, ", route)) == std::string::npos)
      list += fmt::format("{}{}", list.empty() ? "" : ", ", route);
    routes.remove_prefix(std::min(end + 2, routes.size()));
  }
}

/// The certificate of all blocks and biases.
Certificate certificate_of(const std::vector<Basis::Block>& blocks, const std::vector<Basis::Bias>& biases) {
  Certificate certificate;
  const auto add = [&](const HomCertificate& proof, Integer& dimension, std::string& routes) {
    dimension += proof.dimension;
    add_routes(routes, proof.route);
    certificate.every_entry_checked &= proof.commutation == Commutation::every_entry;
    certificate.independent &= proof.independence != Independence::unchecked;
  };
  for (const Basis::Block& block : blocks)
    add(block.weights.certificate(), certificate.character_dimension, certificate.route);
  for (const Basis::Bias& bias : biases)
    add(bias.basis.certificate(), certificate.bias_character_dimension, certificate.bias_route);
  // Nothing to count: V or U is zero.
  for (std::string* route : {&certificate.route, &certificate.bias_route})
    if (route->empty()) *route = "burnside-elements";
  return certificate;
}

template <class Range, class F>
auto sum_over(const Range& range, F f) {
  decltype(f(*range.begin())) sum = 0;
  for (const auto& x : range) sum += f(x);
  return sum;
}

}  // namespace

Basis equivariant_basis(const Representation& V, const Representation& U, const BasisOptions& options,
                        const Task& task) {
  auto state = std::make_shared<Basis::State>(Basis::State{V, U, {}, {}, {}});
  with_matrices("equivariant maps", V, U, [&]<class Side>(const Side& from, const Side& to) {
    if constexpr (std::is_same_v<Side, ContinuousRepresentation>) static_cast<void>(common_scalars(from, to));
    const Side trivial = trivial_representation(from.group());
    const auto inputs = parts_of(from, options.single_pattern), outputs = parts_of(to, options.single_pattern);
    for (const auto& [copies_out, target] : outputs) {
      std::vector<HomBasis> weights;
      for (const auto& input : inputs) weights.push_back(proved(input.second, target, options, task));
      const HomBasis bias = proved(trivial, target, options, task);
      for (std::size_t k = 0; k < inputs.size(); ++k)
        state->blocks.push_back({{copies_out, inputs[k].first}, inputs[k].second, target, std::move(weights[k]), bias});
      state->biases.push_back({copies_out, target, bias});
    }
  });
  state->certificate = certificate_of(state->blocks, state->biases);
  return Basis(std::move(state));
}

const Representation& Basis::source() const { return state_->source; }
const Representation& Basis::target() const { return state_->target; }
const std::vector<Basis::Block>& Basis::blocks() const { return state_->blocks; }
const std::vector<Basis::Bias>& Basis::biases() const { return state_->biases; }
const Certificate& Basis::certificate() const { return state_->certificate; }

Integer Basis::dimension() const {
  return sum_over(
      blocks(), [](const Block& b) -> Integer { return Integer(b.channels.in) * b.channels.out * b.weights.params(); });
}
Integer Basis::bias_dimension() const {
  return sum_over(biases(), [](const Bias& b) -> Integer { return Integer(b.multiplicity) * b.basis.params(); });
}
std::uint64_t Basis::params() const {
  return sum_over(blocks(), [](const Block& b) { return b.weights.params(); });
}
std::uint64_t Basis::bias_params() const {
  return sum_over(biases(), [](const Bias& b) { return b.basis.params(); });
}
std::uint64_t Basis::rows() const {
  return sum_over(biases(), [](const Bias& b) { return b.basis.rows(); });
}
std::uint64_t Basis::cols() const {
  // The blocks of the first part of U have every part of V once.
  return sum_over(std::span(blocks()).first(inputs()), [](const Block& b) { return b.weights.cols(); });
}
std::size_t Basis::inputs() const { return is_empty() ? 0 : blocks().size() / biases().size(); }

AbelianField Basis::Block::field() const { return common_field(source, target); }
AbelianField Basis::field() const { return common_field(source(), target()); }

bool Basis::has_isotypic_form() const { return source().group().as<FiniteGroup>() != nullptr; }

bool Basis::is_tied() const {
  return source().group().as<FiniteGroup>() != nullptr &&
         std::ranges::all_of(blocks(), [](const Block& b) { return b.weights.is_tied(); }) &&
         std::ranges::all_of(biases(), [](const Bias& b) { return b.basis.is_tied(); });
}

WeightBlock Basis::Block::table(const TableOptions& options, const Task& task) const {
  WeightBlock table;
  const AbelianField F = field();
  table.weights = weights.weight_pattern(F, task);
  // Weights and bias are of one kind.
  table.bias = weights.is_tied() ? bias.weight_pattern(F, task) : sparse_pattern(bias.over(F, task));
  table.channels = channels;
  table.metadata = block_metadata(*this, task);
  if (!options.proof) return table;
  if (const auto* V = source.as<intertwine::Representation>())
    return with_proof(std::move(table), *V, *target.as<intertwine::Representation>(), task);
  return with_proof(
      std::move(table),
      matrix_generators(*source.as<ContinuousRepresentation>(), *target.as<ContinuousRepresentation>(), task), task);
}

Basis Basis::single(const Task& task) const {
  return is_several() ? equivariant_basis(source(), target(), {.single_pattern = true}, task) : *this;
}

Basis Basis::sites(const Task& task) const {
  if (!is_several()) return *this;
  Representation V = blocks().front().source, U = blocks().front().target;
  for (std::size_t k = 1; k < inputs(); ++k) V = sum(V, blocks()[k].source, task);
  for (std::size_t k = 1; k < biases().size(); ++k) U = sum(U, biases()[k].target, task);
  return equivariant_basis(V, U, {.single_pattern = true}, task);
}

WeightTable Basis::table(const TableOptions& options, const Task& task) const {
  if (is_empty()) throw DomainError("V or U has dimension 0, there is no table");
  WeightTable table;
  for (std::size_t k = 0; k < blocks().size(); ++k) {
    if (k % inputs() == 0) table.blocks.emplace_back();
    table.blocks.back().push_back(blocks()[k].table(options, task));
  }
  return table;
}

void verify(const Basis& basis, const Task& task) {
  const Representation trivial = trivial_representation(basis.target().group());
  const auto prove = [&](const HomBasis& found, const Representation& V, const Representation& U) {
    with_matrices("verify", V, U, [&]<class Side>(const Side& from, const Side& to) {
      if constexpr (std::is_same_v<Side, intertwine::Representation>)
        if (found.is_tied()) return verify(found.pattern(), from, to, task);
      verify(found.space(), from, to, task);
    });
  };
  for (const Basis::Block& block : basis.blocks()) prove(block.weights, block.source, block.target);
  for (const Basis::Bias& bias : basis.biases()) prove(bias.basis, trivial, bias.target);
  const auto require = [&](const Representation& V, const Integer& dimension) {
    const Integer counted = hom_dimension(V, basis.target(), task);
    if (counted != dimension)
      throw VerificationError(
          fmt::format("verify: the blocks have dimension {} together, not {}", dimension.str(), counted.str()));
  };
  require(basis.source(), basis.dimension());
  require(trivial, basis.bias_dimension());
}

}  // namespace intertwine::hom
