// The left regular representation, numbered by the stabilizer chain.
#include <fmt/format.h>

#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/actions.hpp"
#include "node.hpp"

namespace intertwine {

namespace {

std::uint64_t regular_dimension(const FiniteGroup& G) {
  const Integer& order = G.order();
  if (order > max_degree)
    throw LimitError(fmt::format("regular: the order {} of {} exceeds 2^31 - 1", order.str(), G.name()));
  return static_cast<std::uint64_t>(order);
}

class Regular final : public RepresentationNode {
 public:
  explicit Regular(const FiniteGroup& G) : RepresentationNode(G, regular_dimension(G)) {
    const StabilizerChain& chain = G.chain();
    std::size_t points = 0;
    std::uint64_t stride = dimension();
    for (std::size_t l = 0; l < chain.length(); ++l) {
      const auto orbit = chain.orbit(l);
      if (orbit.size() == 1) continue;
      stride /= orbit.size();
      Level level;
      level.number = l;
      level.stride = static_cast<std::uint32_t>(stride);
      level.orbit.assign(orbit.begin(), orbit.end());
      level.base = chain.base_point(l);
      level.position.assign(G.degree(), 0);
      for (std::uint32_t i = 0; i < orbit.size(); ++i) level.position[orbit[i]] = i;
      // The last level needs no transversal.
      points += 2 * orbit.size() * G.degree();
      if (stride > 1 && points <= (1U << 24))
        for (const Point x : orbit) {
          level.transversal.push_back(chain.transversal(l, x));
          level.inverse.push_back(level.transversal.back().inverse());
        }
      levels_.push_back(std::move(level));
    }
  }

  bool is_permutation() const override { return true; }
  Cyclotomic character(const Permutation& g) const override {
    return g.is_identity() ? Integer(dimension()) : Integer(0);
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    if (!group().contains(g))
      throw DomainError(fmt::format("image: {} is no element of {}", g.to_string(), group().name()));
    if (levels_.empty())
      out[0] = SignedPoint(0);
    else
      descend(0, {g.images().begin(), g.images().end()}, 0, 0, out);
  }
  std::string text(TextForm) const override { return "regular"; }
  std::string label(std::uint64_t i) const override { return group().chain().unrank(Integer(i)).to_string(); }

 private:
  struct Level {
    std::size_t number = 0;
    Point base = 0;
    std::uint32_t stride = 1;  ///< rank = sum of stride * position
    std::vector<Point> orbit;
    std::vector<std::uint32_t> position;
    std::vector<Permutation> transversal, inverse;  ///< empty when they would take too much memory
  };

  /// s in the stabilizer of level l acts on the elements u_x h, h further down, by s u_x = u_{s x} s' with
  /// s' = u_{s x}^{-1} s u_x further down: the block of x goes to the block of s x, and s' acts inside. The
  /// last level costs a look-up an element. Recursion is as deep as the group has base points that matter, at
  /// most 31.
  void descend(std::size_t l, const std::vector<Point>& s, std::uint32_t from, std::uint32_t to,
               std::span<SignedPoint> out) const {
    const Level& level = levels_[l];
    std::vector<Point> below(s.size());
    for (std::uint32_t i = 0; i < level.orbit.size(); ++i) {
      const std::uint32_t j = level.position[s[level.orbit[i]]];
      const std::uint32_t source = from + i * level.stride, target = to + j * level.stride;
      if (l + 1 == levels_.size()) {
        out[source] = SignedPoint(target);
        continue;
      }
      const auto conjugate = [&](const Permutation& t, const Permutation& inverse) {
        for (Point x = 0; x < below.size(); ++x) below[x] = inverse(s[t(x)]);
      };
      if (level.transversal.empty()) {
        const StabilizerChain& chain = group().chain();
        conjugate(chain.transversal(level.number, level.orbit[i]),
                  chain.transversal(level.number, level.orbit[j]).inverse());
      } else {
        conjugate(level.transversal[i], level.inverse[j]);
      }
      descend(l + 1, below, source, target, out);
    }
  }

  std::vector<Level> levels_;
};

}  // namespace

Representation regular_representation(const FiniteGroup& G) { return Representation(std::make_shared<Regular>(G)); }

}  // namespace intertwine
