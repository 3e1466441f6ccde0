// Finite groups: their state, structure, coordinates and chain.
#include "intertwine/groups/finite_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

struct FiniteGroup::State {
  std::size_t degree = 0;
  std::vector<Permutation> generators;
  std::string name;
  std::shared_ptr<const GroupStructure> structure;
  std::shared_ptr<const FiniteGroup> model;
  Coordinates coordinates;
  Integer known_order = 0;  // 0: unknown
  std::mutex mutex;
  std::shared_ptr<const StabilizerChain> chain;
};

FiniteGroup::FiniteGroup(std::size_t degree, std::vector<Permutation> generators, std::string name)
    : state_(std::make_shared<State>()) {
  if (degree > max_degree) throw DomainError(fmt::format("FiniteGroup: degree {} exceeds 2^31 - 1", degree));
  for (std::size_t k = 0; k < generators.size(); ++k)
    if (generators[k].degree() != degree)
      throw DomainError(
          fmt::format("FiniteGroup: generator {} permutes {} points, not {}", k + 1, generators[k].degree(), degree));
  if (name.empty()) {
    name = "<";
    for (const Permutation& g : generators) name += (name.size() > 1 ? "," : "") + g.to_string();
    name += generators.empty() ? "()>" : ">";
  }
  state_->degree = degree;
  state_->generators = std::move(generators);
  state_->structure = std::make_shared<const GroupStructure>(structure::Generators{name});
  state_->name = std::move(name);
}

FiniteGroup FiniteGroup::built_as(const GroupStructure& structure, std::size_t degree,
                                  std::vector<Permutation> generators, const Integer& order) {
  FiniteGroup G(degree, std::move(generators), to_string(structure));
  G.state_->known_order = order;
  G.state_->structure = std::make_shared<const GroupStructure>(structure);
  if (const auto* product = structure.as<structure::Product>(); product != nullptr && order == 0) {
    G.state_->known_order = 1;  // 0 where a factor needs a chain
    for (const Factor& factor : product->factors) G.state_->known_order *= factor.group.state_->known_order;
  }
  return G;
}

FiniteGroup FiniteGroup::with_known_order(std::size_t degree, std::vector<Permutation> generators, std::string name,
                                          const Integer& order) {
  FiniteGroup G(degree, std::move(generators), std::move(name));
  G.state_->known_order = order;
  return G;
}

std::size_t FiniteGroup::degree() const { return state_->degree; }
const std::vector<Permutation>& FiniteGroup::generators() const { return state_->generators; }
const std::string& FiniteGroup::name() const { return state_->name; }
const GroupStructure& FiniteGroup::structure() const { return *state_->structure; }
const Integer& FiniteGroup::order(const Task& task) const {
  return state_->known_order == 0 ? chain(task).order() : state_->known_order;
}
bool FiniteGroup::contains(const Permutation& g, const Task& task) const {
  return g.degree() == degree() && chain(task).contains(g);
}
Permutation FiniteGroup::random_element(Rng& rng) const { return chain().random_element(rng); }

const StabilizerChain& FiniteGroup::chain(const Task& task) const {
  const std::lock_guard lock(state_->mutex);
  if (!state_->chain) {
    const State& s = *state_;
    state_->chain = std::make_shared<StabilizerChain>(
        s.known_order == 0 ? StabilizerChain(s.degree, s.generators, {}, task)
                           : StabilizerChain::with_known_order(s.degree, s.generators, s.known_order, {}, task));
  }
  return *state_->chain;
}

FiniteGroup FiniteGroup::copy() const {
  FiniteGroup G(state_->degree, state_->generators, state_->name);
  G.state_->structure = state_->structure;
  G.state_->model = state_->model;
  G.state_->known_order = state_->known_order;
  G.state_->coordinates = state_->coordinates;
  return G;
}

FiniteGroup FiniteGroup::with_coordinates(Coordinates coordinates) const {
  FiniteGroup G = copy();
  G.state_->coordinates = std::move(coordinates);
  return G;
}

FiniteGroup FiniteGroup::with_model(FiniteGroup model) const {
  if (model.generators().size() != generators().size())
    throw DomainError(fmt::format("with_model: {} generators for the {} of {}", model.generators().size(),
                                  generators().size(), name()));
  FiniteGroup G = copy();
  G.state_->model = std::make_shared<const FiniteGroup>(std::move(model));
  return G;
}

const FiniteGroup* FiniteGroup::model() const { return state_->model.get(); }

const FiniteGroup::Coordinates& FiniteGroup::coordinates() const { return state_->coordinates; }

std::span<const FiniteGroup::Factor> FiniteGroup::direct_factors() const {
  const auto* product = structure().as<structure::Product>();
  return product ? std::span<const Factor>(product->factors) : std::span<const Factor>();
}

namespace {

/// The construction of the group, if representations depend on it: turns of the plane and of space, and the axes of
/// pictures. Empty for all others.
std::string geometry_of(const FiniteGroup& G) {
  const GroupStructure& built = G.structure();
  const bool is_geometric = built.as<structure::Cyclic>() || built.as<structure::Dihedral>() ||
                            built.as<structure::PointGroup>() || built.as<structure::DoubleGroup>() ||
                            built.as<structure::Grid>() || built.as<structure::Pixels>();
  return is_geometric ? to_string(built) : std::string();
}

bool have_equal_coordinates(const FiniteGroup::Coordinates& a, const FiniteGroup::Coordinates& b) {
  if (!a.matrices || !b.matrices) return !a.matrices && !b.matrices;
  return a.dimension == b.dimension && a.matrices() == b.matrices();
}

}  // namespace

bool operator==(const FiniteGroup& G, const FiniteGroup& H) {
  if (G.state_ == H.state_) return true;
  if (!permute_alike(G, H)) return false;
  const auto a = G.direct_factors(), b = H.direct_factors();
  if (!a.empty() || !b.empty())
    return std::ranges::equal(a, b, {}, &FiniteGroup::Factor::group, &FiniteGroup::Factor::group);
  const std::string geometry = geometry_of(G);
  return geometry == geometry_of(H) && (!geometry.empty() || have_equal_coordinates(G.coordinates(), H.coordinates()));
}

bool permute_alike(const FiniteGroup& G, const FiniteGroup& H) {
  return G.degree() == H.degree() && G.generators() == H.generators();
}

namespace {

/// The direct sum of the coordinates of the factors.
FiniteGroup::Coordinates coordinates_of_product(const std::vector<FiniteGroup>& factors) {
  FiniteGroup::Coordinates sum;
  for (const FiniteGroup& factor : factors) {
    if (!factor.coordinates().matrices) return {0, {}, factor.coordinates().obstacle};
    sum.dimension += factor.coordinates().dimension;
  }
  if (factors.empty()) return {};
  sum.matrices = [factors, dimension = sum.dimension] {
    std::vector<FieldMatrix> matrices;
    std::size_t before = 0;
    for (const FiniteGroup& factor : factors) {
      const std::size_t d = factor.coordinates().dimension;
      for (const FieldMatrix& A : factor.coordinates().matrices()) {
        const FieldMatrix parts[] = {RationalMatrix::identity(before), A,
                                     RationalMatrix::identity(dimension - before - d)};
        matrices.push_back(intertwine::direct_sum(parts));
      }
      before += d;
    }
    return matrices;
  };
  return sum;
}

}  // namespace

FiniteGroup direct_product(const std::vector<FiniteGroup>& factors) {
  std::size_t degree = 0;
  for (const FiniteGroup& factor : factors) degree += factor.degree();
  if (degree > max_degree) throw LimitError(fmt::format("direct_product: degree {} exceeds 2^31 - 1", degree));
  std::vector<Permutation> generators;
  std::vector<FiniteGroup::Factor> list;
  std::size_t offset = 0;
  for (const FiniteGroup& factor : factors) {
    for (const Permutation& g : factor.generators()) {
      std::vector<Point> images(degree);
      for (std::size_t i = 0; i < degree; ++i) images[i] = static_cast<Point>(i);
      for (std::size_t i = 0; i < factor.degree(); ++i)
        images[offset + i] = static_cast<Point>(offset + g(static_cast<Point>(i)));
      generators.push_back(Permutation::unchecked(std::move(images)));
    }
    list.push_back({factor, offset});
    offset += factor.degree();
  }
  return FiniteGroup::built_as(structure::Product{std::move(list)}, degree, std::move(generators))
      .with_coordinates(coordinates_of_product(factors));
}

}  // namespace intertwine
