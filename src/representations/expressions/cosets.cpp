// Coset actions and induction.
#include <fmt/format.h>

#include <numeric>

#include "intertwine/groups/coset_space.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/block_action.hpp"
#include "node.hpp"

namespace intertwine {

namespace {

std::string coset_text(const Permutation& t) { return t.is_identity() ? "H" : t.to_string() + "H"; }

class Cosets final : public RepresentationNode {
 public:
  Cosets(const FiniteGroup& G, CosetSpace cosets) : RepresentationNode(G, cosets.size()), cosets_(std::move(cosets)) {}
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
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = SignedPoint(cosets_.coset_of(g * cosets_.representative(i)));
  }
  std::string text(TextForm) const override { return "cosets(" + generators_text(cosets_.subgroup()) + ")"; }
  std::string label(std::uint64_t i) const override { return coset_text(cosets_.representative(i)); }

 private:
  CosetSpace cosets_;
};

/// The copies of a module in what is induced from it: g t_i = t_j h takes block i to block j by rho(h).
class InducedCopies final : public BlockAction {
 public:
  InducedCopies(CosetSpace cosets, Representation V) : cosets_(std::move(cosets)), V_(std::move(V)) {}
  const CosetSpace& cosets() const { return cosets_; }
  const Representation& part() const { return V_; }
  std::uint64_t size() const override { return cosets_.size(); }
  std::vector<std::uint64_t> places(std::uint64_t block) const override {
    std::vector<std::uint64_t> out(V_.dimension());
    std::iota(out.begin(), out.end(), block * V_.dimension());
    return out;
  }
  /// j and h.
  std::pair<Point, Permutation> moved(const Permutation& g, std::uint64_t block) const {
    const Permutation product = g * cosets_.representative(block);
    const Point j = cosets_.coset_of(product);
    return {j, cosets_.representative(j).inverse() * product};
  }
  std::function<Move(std::uint64_t)> at(const Permutation& g) const override {
    return [this, g](std::uint64_t block) {
      const auto [j, h] = moved(g, block);
      return Move{j, V_.matrix(h)};
    };
  }

 private:
  CosetSpace cosets_;
  Representation V_;
};

class Induced final : public RepresentationNode {
 public:
  Induced(const FiniteGroup& G, CosetSpace cosets, const Representation& V)
      : RepresentationNode(G, checked_dimension(Integer(cosets.size()) * V.dimension(), "induction"),
                           V.node().depth() + 1, V.field()),
        copies_(std::make_shared<InducedCopies>(std::move(cosets), V)),
        cosets_(copies_->cosets()),
        V_(V) {}
  bool is_permutation() const override { return V_.is_permutation() || generator_images_are_unsigned(); }
  bool is_monomial() const override { return V_.is_monomial(); }
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
      const auto [j, h] = copies_->moved(g, i);
      const std::span<SignedPoint> part = out.subspan(i * n, n);
      V_.node().write_image(h, part);
      const auto shift = static_cast<std::uint32_t>(2 * n * j);
      for (SignedPoint& x : part) x = SignedPoint::from_code(x.code() + shift);
    }
  }
  std::string text(TextForm form) const override {
    return fmt::format("induced({}, {})", generators_text(cosets_.subgroup()), text_over_generators(V_, form));
  }
  std::string label(std::uint64_t i) const override {
    return fmt::format("{}.{}", coset_text(cosets_.representative(i / V_.dimension())),
                       V_.basis_label(i % V_.dimension()));
  }
  std::shared_ptr<const BlockAction> blocks() const override { return V_.field().is_rational() ? copies_ : nullptr; }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    const std::size_t n = V_.dimension();
    std::vector<FieldMatrix> blocks(cosets_.size());
    for (std::size_t i = 0; i < cosets_.size(); ++i) {
      const auto [j, h] = copies_->moved(g, i);
      const std::size_t source = transposed ? j : i, target = transposed ? i : j;
      blocks[target] = V_.node().apply(h, X.block(source * n, 0, n, X.cols()), transposed);
    }
    return vertical_stack(blocks);
  }
  std::shared_ptr<const InducedCopies> copies_;
  const CosetSpace& cosets_;  ///< theirs
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
