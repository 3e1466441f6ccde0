// Recognised forms of groups: direct products, wreath products and signed permutations.
#include "intertwine/groups/group_form.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "groups/chain/block_tower.hpp"
#include "groups/chain/giant.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

Permutation ProductForm::component(const Permutation& g, std::size_t part) const {
  const std::vector<Point>& points = parts[part].points;
  std::vector<Point> images(points.size());
  for (std::size_t i = 0; i < images.size(); ++i) images[i] = place[g(points[i])];
  return Permutation::unchecked(std::move(images));
}

Permutation WreathForm::component(const Permutation& g, std::size_t b) const {
  std::vector<Point> images(width());
  for (std::size_t i = 0; i < images.size(); ++i)
    images[i] = static_cast<Point>(place[g(points[b * width() + i])] % width());
  return Permutation::unchecked(std::move(images));
}

std::vector<WreathForm::Cycle> WreathForm::cycles(const Permutation& g) const {
  std::vector<Cycle> result;
  std::vector<char> seen(blocks, 0);
  for (std::size_t start = 0; start < blocks; ++start) {
    if (seen[start]) continue;
    Cycle cycle{0, Permutation::identity(width())};
    for (std::size_t b = start; !seen[b]; b = image_of_block(g, b)) {
      seen[b] = 1;
      ++cycle.length;
      cycle.product = component(g, b) * cycle.product;
    }
    result.push_back(std::move(cycle));
  }
  return result;
}

void WreathForm::put_cycle(std::vector<Point>& images, std::size_t b, std::size_t length,
                           const Permutation& product) const {
  for (std::size_t k = 0; k < length; ++k) {
    const bool last = k + 1 == length;
    const std::size_t next = last ? b : b + k + 1;
    for (std::size_t i = 0; i < width(); ++i)
      images[points[(b + k) * width() + i]] = points[next * width() + (last ? product(static_cast<Point>(i)) : i)];
  }
}

EvenSignedForm::Type EvenSignedForm::type(const Permutation& g) {
  const auto axes = static_cast<Point>(g.degree() / 2);
  std::vector<int> lengths[2];
  std::vector<char> seen(axes, 0);
  unsigned signs = 0;
  for (Point start = 0; start < axes; ++start) {
    if (seen[start]) continue;
    int length = 0;
    Point x = start;
    do {
      seen[x % axes] = 1;
      signs += x >= axes;
      ++length;
      x = g(x);
    } while (x % axes != start);
    lengths[x == start ? 0 : 1].push_back(length);
  }
  for (auto& list : lengths) std::sort(list.begin(), list.end(), std::greater<>());
  Type result{Partition(std::move(lengths[0])), Partition(std::move(lengths[1])), false, signs % 2 != 0};
  result.splits = result.negative.empty() &&
                  std::all_of(result.positive.begin(), result.positive.end(), [](int part) { return part % 2 == 0; });
  result.second = result.second && result.splits;
  return result;
}

namespace {

void place_points(ProductForm& form, std::size_t degree) {
  form.place.resize(degree);
  for (const auto& part : form.parts)
    for (std::size_t i = 0; i < part.points.size(); ++i) form.place[part.points[i]] = static_cast<Point>(i);
}

/// Sym(n) on its n points, or transitive of prime order.
std::optional<WreathForm::Top> top_of(const FiniteGroup& H, const Task& task) {
  const std::size_t n = H.degree();
  if (n == 0) return std::nullopt;
  const Integer& order = H.order(task);
  if (H.chain(task).length() + 1 >= n && order == factorial(n)) return WreathForm::Top::symmetric;
  if (is_prime(n) && order == n) return WreathForm::Top::cyclic;
  return std::nullopt;
}

void invert_points(WreathForm& form) {
  form.place.resize(form.points.size());
  for (std::size_t k = 0; k < form.points.size(); ++k) form.place[form.points[k]] = static_cast<Point>(k);
}

/// Blocks along the cycle of a generator of the top group, if that is cyclic.
std::vector<std::size_t> order_of_blocks(const FiniteGroup& H, WreathForm::Top top) {
  std::vector<std::size_t> order(H.degree());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (top == WreathForm::Top::symmetric) return order;
  for (const Permutation& h : H.generators()) {
    if (h.is_identity()) continue;
    for (std::size_t k = 1; k < order.size(); ++k) order[k] = h(static_cast<Point>(order[k - 1]));
    break;
  }
  return order;
}

std::optional<WreathForm> built_wreath(const structure::Wreath& parts, const Task& task) {
  if (parts.base.degree() == 0) return std::nullopt;
  const auto top = top_of(parts.top, task);
  if (!top) return std::nullopt;
  WreathForm form{parts.base, parts.top.degree(), *top, {}, {}};
  for (const std::size_t b : order_of_blocks(parts.top, *top))
    for (std::size_t i = 0; i < form.width(); ++i) form.points.push_back(static_cast<Point>(b * form.width() + i));
  invert_points(form);
  return form;
}

/// A cyclic top is carried along by one generator alone.
std::vector<Permutation> carriers(const FiniteGroup& G, const FiniteGroup& H, WreathForm::Top top) {
  if (top != WreathForm::Top::cyclic) return G.generators();
  for (std::size_t k = 0; k < H.generators().size(); ++k)
    if (!H.generators()[k].is_identity()) return {G.generators()[k]};
  return {};
}

std::optional<WreathForm> wreath_by_blocks(const FiniteGroup& G, const Task& task) {
  const std::vector<Point> block = maximal_block_system(G, task);
  const std::size_t n = *std::max_element(block.begin(), block.end()) + 1;
  if (n == G.degree() || n < 2) return std::nullopt;
  const FiniteGroup H = action_on_blocks(G, block);
  const auto top = top_of(H, task);
  if (!top) return std::nullopt;
  const Integer rest = G.order() / H.order();
  Integer root;
  if (mpz_root(root.backend().data(), rest.backend().data(), n) == 0) return std::nullopt;
  WreathForm form{G, n, *top, carried_points(G, block, carriers(G, H, *top)), {}};
  invert_points(form);
  form.base = action_on_one_block(G, form.points, G.degree() / n);
  if (form.base.order(task) != root) return std::nullopt;
  return form;
}

std::optional<ProductForm> product_by_orbits(const FiniteGroup& G, const std::vector<std::vector<Point>>& orbits,
                                             const Task& task) {
  ProductForm form;
  Integer order = 1;
  std::vector<Point> fixed;
  for (const auto& orbit : orbits) {
    if (orbit.size() == 1) {
      fixed.push_back(orbit[0]);
      continue;
    }
    const FiniteGroup all = restriction(G, orbit);
    std::set<Permutation> generators(all.generators().begin(), all.generators().end());
    generators.erase(Permutation::identity(orbit.size()));
    form.parts.push_back(
        {FiniteGroup(orbit.size(), std::vector<Permutation>(generators.begin(), generators.end())), orbit});
    order *= form.parts.back().group.order(task);
    if (order > G.order()) return std::nullopt;
  }
  if (form.parts.empty()) return std::nullopt;
  if (!fixed.empty()) {
    FiniteGroup trivial(fixed.size(), {});
    form.parts.push_back({std::move(trivial), std::move(fixed)});
  }
  place_points(form, G.degree());
  return form;
}

/// 2 where all signed permutations of the axes are in the group, 1 where those with an even number of signs are, 0 for
/// other groups; points i and i + n are the ends of axis i.
unsigned signed_permutations(const FiniteGroup& G, const Task& task) {
  const std::size_t n = G.degree() / 2;
  if (G.degree() % 2 != 0 || n < 2) return 0;
  bool even = true;
  for (const Permutation& g : G.generators()) {
    std::size_t signs = 0;
    for (Point i = 0; i < n; ++i) {
      if (g(i) % n != g(static_cast<Point>(i + n)) % n) return 0;
      signs += g(i) >= n;
    }
    even = even && signs % 2 == 0;
  }
  const Integer half = factorial(n) << (n - 1);
  if (even) return G.order(task) == half ? 1 : 0;
  return G.order(task) == half * 2 ? 2 : 0;
}

WreathForm all_signed_permutations(std::size_t n) {
  WreathForm form{cyclic_group(2), n, WreathForm::Top::symmetric, {}, {}};
  for (std::size_t b = 0; b < n; ++b)
    for (const std::size_t end : {b, b + n}) form.points.push_back(static_cast<Point>(end));
  invert_points(form);
  return form;
}

}  // namespace

GroupForm group_form(const FiniteGroup& G, const Task& task) {
  constexpr unsigned large_order = 500;
  constexpr std::size_t largest_degree = 2000;
  if (!G.direct_factors().empty()) {
    ProductForm form;
    for (const auto& factor : G.direct_factors()) {
      std::vector<Point> points(factor.group.degree());
      std::iota(points.begin(), points.end(), static_cast<Point>(factor.offset));
      form.parts.push_back({factor.group, std::move(points)});
    }
    place_points(form, G.degree());
    return form;
  }
  if (const auto* parts = G.structure().as<structure::Wreath>())
    if (auto form = built_wreath(*parts, task)) return *form;
  if (G.model()) return ModelForm{};
  const StabilizerChain& chain = G.chain(task);
  if (chain.order() >= 6 && is_symmetric(chain)) return SymmetricForm{};
  if (chain.order() > 6 && is_alternating(chain)) return AlternatingForm{};
  if (const unsigned index = signed_permutations(G, task); index == 2)
    return all_signed_permutations(G.degree() / 2);
  else if (index == 1)
    return EvenSignedForm{};
  if (auto form = dihedral_form(G, task)) return *form;
  if (chain.order() <= large_order) return std::monostate{};
  if (auto form = LinearForm::of(G, task)) return *form;
  if (auto form = SuzukiForm::of(G, task)) return *form;
  if (G.degree() > largest_degree || is_abelian(G, task)) return std::monostate{};
  const auto parts = orbits(G.degree(), G.generators());
  if (parts.size() > 1) {
    if (auto form = product_by_orbits(G, parts, task)) return *form;
  } else if (auto form = wreath_by_blocks(G, task)) {
    return *form;
  }
  return std::monostate{};
}

ModelMap::ModelMap(const FiniteGroup& G, const Task& task) : degree_(G.degree()), model_degree_(G.model()->degree()) {
  std::vector<Permutation> generators;
  for (std::size_t k = 0; k < G.generators().size(); ++k) {
    std::vector<Point> images(G.generators()[k].images().begin(), G.generators()[k].images().end());
    for (const Point x : G.model()->generators()[k].images()) images.push_back(static_cast<Point>(degree_ + x));
    generators.push_back(Permutation::unchecked(std::move(images)));
  }
  const auto build = [&](const StabilizerChain& own, std::size_t offset) {
    std::vector<Point> base;
    for (std::size_t l = 0; l < own.length(); ++l) base.push_back(static_cast<Point>(offset + own.base_point(l)));
    return std::make_shared<const StabilizerChain>(
        StabilizerChain::with_known_order(degree_ + model_degree_, generators, own.order(), base, task));
  };
  chain_ = build(G.chain(task), 0);
  model_chain_ = build(G.model()->chain(task), degree_);
  if (chain_->order() != model_chain_->order()) throw InternalError("the model of " + G.name() + " has another order");
}

Permutation ModelMap::moved(const StabilizerChain& chain, const Permutation& g, std::size_t from, std::size_t to,
                            std::size_t degree) const {
  std::vector<Point> images;
  for (std::size_t l = 0; l < chain.length(); ++l)
    images.push_back(static_cast<Point>(from + g(static_cast<Point>(chain.base_point(l) - from))));
  Permutation product = Permutation::identity(degree_ + model_degree_);
  for (std::size_t l = 0; l < chain.length(); ++l) {
    const Permutation u = chain.transversal(l, images[l]), back = u.inverse();
    product = product * u;
    for (std::size_t m = l + 1; m < images.size(); ++m) images[m] = back(images[m]);
  }
  std::vector<Point> result(degree);
  for (std::size_t i = 0; i < degree; ++i) result[i] = static_cast<Point>(product(static_cast<Point>(to + i)) - to);
  return Permutation::unchecked(std::move(result));
}

Permutation ModelMap::to_model(const Permutation& g) const { return moved(*chain_, g, 0, degree_, model_degree_); }
Permutation ModelMap::from_model(const Permutation& g) const { return moved(*model_chain_, g, degree_, 0, degree_); }

}  // namespace intertwine
