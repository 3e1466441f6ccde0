// Coset actions and induction.
#include <fmt/format.h>

#include "coset_space.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/actions.hpp"
#include "node.hpp"

namespace intertwine {

namespace {

void require_subgroup(const FiniteGroup& H, const FiniteGroup& G, const Task& task) {
  if (H.degree() != G.degree())
    throw DomainError(fmt::format(
        "cosets: {} permutes {} points and {} permutes {}, so that one is no subgroup of the other", H.name(),
        H.degree(), G.name(), G.degree()));
  const StabilizerChain& chain = G.chain(task);
  for (const Permutation& h : H.generators())
    if (!chain.contains(h))
      throw DomainError(fmt::format("cosets: {} is no subgroup of {}: its generator {} is no element",
                                    H.name(), G.name(), h.to_string()));
}

std::size_t base_length(const FiniteGroup& G, const Task& task) { return G.chain(task).length(); }

}  // namespace

CosetSpace::CosetSpace(const FiniteGroup& G, const FiniteGroup& H, const Task& task)
    : H_(H), keys_((require_subgroup(H, G, task), base_length(G, task))) {
  const StabilizerChain& chain_of_G = G.chain(task);
  const StabilizerChain& chain_of_H = H.chain(task);
  const Integer index = chain_of_G.order() / chain_of_H.order();
  if (index > max_degree)
    throw LimitError(
        fmt::format("cosets: {} has {} cosets in {}, more than 2^31 - 1", H.name(), index.str(), G.name()));
  const std::size_t degree = G.degree();
  task.require_memory(
      static_cast<std::uint64_t>(index) * (sizeof(Point) * (degree + chain_of_G.length() + 4) + 32),
      "the coset representatives");
  for (std::size_t l = 0; l < chain_of_G.length(); ++l) base_.push_back(chain_of_G.base_point(l));
  constexpr std::size_t kept_points = 1U << 24;
  std::size_t points = 0;
  for (std::size_t l = 0; l < chain_of_H.length(); ++l) {
    const auto orbit = chain_of_H.orbit(l);
    if (orbit.size() == 1) continue;
    Level level;
    level.base = chain_of_H.base_point(l);
    level.number = l;
    level.orbit.assign(orbit.begin(), orbit.end());
    points += orbit.size() * degree;
    if (points <= kept_points)
      for (const Point x : orbit) level.transversal.push_back(chain_of_H.transversal(l, x));
    levels_.push_back(std::move(level));
  }
  std::vector<Point> key;
  representatives_.push_back(Permutation::identity(degree));
  write_key(representatives_[0], key);
  keys_.insert(key);
  for (std::size_t i = 0; i < representatives_.size(); ++i) {
    task.progress("cosets", i, static_cast<std::uint64_t>(index));
    for (const Permutation& s : G.generators()) {
      Permutation g = s * representatives_[i];
      write_key(g, key);
      if (keys_.insert(key) == representatives_.size()) representatives_.push_back(std::move(g));
    }
  }
  if (representatives_.size() != index)
    throw InternalError(
        fmt::format("cosets: {} were found, but the index is {}", representatives_.size(), index.str()));
}

void CosetSpace::write_key(const Permutation& g, std::vector<Point>& key) const {
  std::vector<Point> image(g.images().begin(), g.images().end()), next(image.size());
  for (const Level& level : levels_) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < level.orbit.size(); ++i)
      if (image[level.orbit[i]] < image[level.orbit[best]]) best = i;
    if (level.orbit[best] == level.base) continue;
    const auto multiply = [&](const Permutation& t) {
      for (Point x = 0; x < next.size(); ++x) next[x] = image[t(x)];
    };
    if (level.transversal.empty())
      multiply(H_.chain().transversal(level.number, level.orbit[best]));
    else
      multiply(level.transversal[best]);
    image.swap(next);
  }
  key.clear();
  for (const Point b : base_) key.push_back(image[b]);
}

Point CosetSpace::coset_of(const Permutation& g) const {
  std::vector<Point> key;
  write_key(g, key);
  const Point i = keys_.find(key);
  if (i == FlatIndex::none)
    throw DomainError(fmt::format("cosets: {} is no element of the group", g.to_string()));
  return i;
}

namespace {

std::string coset_text(const Permutation& t) { return t.is_identity() ? "H" : t.to_string() + "H"; }

class Cosets final : public RepresentationNode {
 public:
  Cosets(const FiniteGroup& G, CosetSpace cosets)
      : RepresentationNode(G, cosets.size()), cosets_(std::move(cosets)) {}
  bool is_permutation() const override { return true; }
  /// g t H = t H exactly when t^{-1} g t is in H.
  Cyclotomic character(const Permutation& g) const override {
    std::uint64_t fixed = 0;
    for (std::size_t i = 0; i < cosets_.size(); ++i) {
      const Permutation& t = cosets_.representative(i);
      fixed += cosets_.subgroup().contains(t.inverse() * g * t);
    }
    return Integer(fixed);
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = SignedPoint(cosets_.coset_of(g * cosets_.representative(i)));
  }
  std::string text() const override { return "cosets(" + generators_text(cosets_.subgroup()) + ")"; }
  std::string label(std::uint64_t i) const override { return coset_text(cosets_.representative(i)); }

 private:
  CosetSpace cosets_;
};

class Induced final : public RepresentationNode {
 public:
  Induced(const FiniteGroup& G, CosetSpace cosets, const Representation& V)
      : RepresentationNode(G, checked_dimension(Integer(cosets.size()) * V.dimension(), "induction"),
                           V.node().depth() + 1, V.field()),
        cosets_(std::move(cosets)),
        V_(V) {}
  bool is_permutation() const override { return V_.is_permutation() || generator_images_are_unsigned(); }
  bool is_monomial() const override { return V_.is_monomial(); }
  RationalMatrix apply(const Permutation& g, const RationalMatrix& X) const override {
    return on_cosets(g, X, false);
  }
  RationalMatrix apply_transpose(const Permutation& g, const RationalMatrix& X) const override {
    return on_cosets(g, X, true);
  }
  /// The sum of chi_V(t^{-1} g t) over the t with t^{-1} g t in H.
  Cyclotomic character(const Permutation& g) const override {
    Cyclotomic sum;
    for (std::size_t i = 0; i < cosets_.size(); ++i) {
      const Permutation& t = cosets_.representative(i);
      const Permutation h = t.inverse() * g * t;
      if (cosets_.subgroup().contains(h)) sum += V_.node().character(h);
    }
    return sum;
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    const std::size_t n = V_.dimension();
    if (n == 0) return;
    for (std::size_t i = 0; i < cosets_.size(); ++i) {
      const Permutation moved = g * cosets_.representative(i);
      const Point j = cosets_.coset_of(moved);
      const std::span<SignedPoint> part = out.subspan(i * n, n);
      V_.node().write_image(cosets_.representative(j).inverse() * moved, part);
      const auto shift = static_cast<std::uint32_t>(2 * n * j);
      for (SignedPoint& x : part) x = SignedPoint::from_code(x.code() + shift);
    }
  }
  std::string text() const override {
    return fmt::format("induced({}, {})", generators_text(cosets_.subgroup()), text_over_generators(V_));
  }
  std::string label(std::uint64_t i) const override {
    return fmt::format("{}.{}", coset_text(cosets_.representative(i / V_.dimension())),
                       V_.basis_label(i % V_.dimension()));
  }

 private:
  FieldMatrix apply_over_field(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return on_cosets(g, X, transposed);
  }
  /// g t_i = t_j h: block i goes to block j by rho(h).
  template <class Matrix>
  Matrix on_cosets(const Permutation& g, const Matrix& X, bool transposed) const {
    const std::size_t n = V_.dimension();
    std::vector<Matrix> blocks(cosets_.size());
    for (std::size_t i = 0; i < cosets_.size(); ++i) {
      const Permutation moved = g * cosets_.representative(i);
      const Point j = cosets_.coset_of(moved);
      const Permutation h = cosets_.representative(j).inverse() * moved;
      const std::size_t source = transposed ? j : i, target = transposed ? i : j;
      blocks[target] = act(V_, h, X.block(source * n, 0, n, X.cols()), transposed);
    }
    return vertical_stack(blocks);
  }
  CosetSpace cosets_;
  Representation V_;
};

}  // namespace

Representation coset_action(const FiniteGroup& G, const FiniteGroup& H, const Task& task) {
  return Representation(std::make_shared<Cosets>(G, CosetSpace(G, H, task)));
}

Representation induction(const Representation& V, const FiniteGroup& G, const Task& task) {
  return Representation(std::make_shared<Induced>(G, CosetSpace(G, V.group(), task), V));
}

}  // namespace intertwine
