// The conjugate of a representation of a subgroup.
#include <fmt/format.h>

#include "node.hpp"

namespace intertwine {

namespace {

/// x acts as rho(g^{-1} x g).
class Conjugation final : public RepresentationNode {
 public:
  Conjugation(Representation V, FiniteGroup group, const Permutation& g)
      : RepresentationNode(std::move(group), V.dimension(), V.node().depth() + 1, V.field()),
        V_(std::move(V)),
        g_(g),
        inverse_(g.inverse()) {}

  bool is_permutation() const override { return V_.is_permutation(); }
  bool is_monomial() const override { return V_.is_monomial(); }
  FieldMatrix dense(const Permutation& x) const override { return V_.node().dense(back(x)); }
  Cyclotomic character(const Permutation& x) const override { return V_.node().character(back(x)); }
  void write_image(const Permutation& x, std::span<SignedPoint> out) const override {
    V_.node().write_image(back(x), out);
  }
  std::vector<std::uint64_t> axes() const override { return V_.node().axes(); }
  /// The generators are the conjugates of those of V's group, in their order, and so are their images.
  std::string text(TextForm) const override {
    if (V_.group().generators().empty()) return fmt::format("{}*trivial", dimension());
    if (V_.is_monomial()) return images_text(V_.generator_images(), dimension());
    std::vector<FieldMatrix> images;
    for (const Permutation& x : V_.group().generators()) images.push_back(V_.field_matrix(x));
    return matrices_text(images);
  }
  std::string label(std::uint64_t i) const override { return V_.basis_label(i); }

 private:
  Permutation back(const Permutation& x) const { return inverse_ * x * g_; }
  FieldMatrix apply_to(const Permutation& x, const FieldMatrix& X, bool transposed) const override {
    return V_.node().apply(back(x), X, transposed);
  }
  Representation V_;
  Permutation g_, inverse_;
};

}  // namespace

Representation conjugation(const Representation& V, const Permutation& g) {
  const FiniteGroup& H = V.group();
  if (g.degree() != H.degree())
    throw DomainError(fmt::format("conjugation: {} permutes {} points, and {} permutes {}", g.to_string(), g.degree(),
                                  H.name(), H.degree()));
  const Permutation inverse = g.inverse();
  std::vector<Permutation> generators;
  for (const Permutation& h : H.generators()) generators.push_back(g * h * inverse);
  return Representation(std::make_shared<Conjugation>(
      V, FiniteGroup::with_known_order(H.degree(), std::move(generators), {}, H.order()), g));
}

}  // namespace intertwine
