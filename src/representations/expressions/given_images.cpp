// Representations known by the images of the generators: +-1 characters and signed permutations.
#include <fmt/format.h>

#include <algorithm>

#include "intertwine/groups/homomorphism.hpp"
#include "intertwine/representations/actions.hpp"
#include "node.hpp"

namespace intertwine {

namespace {

class GivenImages final : public RepresentationNode {
 public:
  GivenImages(const FiniteGroup& G, std::vector<SignedPermutation> images, std::string text, const Task& task)
      : RepresentationNode(G, images.empty() ? 0 : images[0].degree()),
        map_(G, images, task),
        images_(std::move(images)),
        text_(std::move(text)) {}

  bool is_permutation() const override {
    return std::all_of(images_.begin(), images_.end(), [](const SignedPermutation& g) { return g.is_unsigned(); });
  }
  bool is_proved() const override { return true; }
  Cyclotomic character(const Permutation& g) const override { return map_(g).trace(); }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    const SignedPermutation image = map_(g);
    std::copy(image.images().begin(), image.images().end(), out.begin());
  }
  std::string text(TextForm) const override { return text_.empty() ? images_text(images_, dimension()) : text_; }
  std::string label(std::uint64_t i) const override { return fmt::format("e{}", i + 1); }

 private:
  SignedHomomorphism map_;
  std::vector<SignedPermutation> images_;
  std::string text_;
};

}  // namespace

Representation monomial_representation(const FiniteGroup& G, std::vector<SignedPermutation> images, std::string text,
                                       const Task& task) {
  return Representation(std::make_shared<GivenImages>(G, std::move(images), std::move(text), task));
}

Representation linear_character(const FiniteGroup& G, const std::vector<int>& signs) {
  const auto& generators = G.generators();
  if (signs.size() != generators.size())
    throw DomainError(fmt::format("linear_character: {} signs are given for the {} generators of {}", signs.size(),
                                  generators.size(), G.name()));
  bool trivial = true, parity = true;
  std::vector<SignedPermutation> images;
  for (std::size_t k = 0; k < signs.size(); ++k) {
    if (signs[k] != 1 && signs[k] != -1)
      throw DomainError(
          fmt::format("linear_character: the value {} at generator {} is neither 1 nor -1", signs[k], k + 1));
    trivial = trivial && signs[k] == 1;
    parity = parity && signs[k] == generators[k].sign();
    images.push_back(SignedPermutation::unchecked({SignedPoint(0, signs[k] < 0)}));
  }
  // These two need no proof.
  if (trivial) return trivial_representation(G);
  if (parity) return sign_representation(G);
  return monomial_representation(G, std::move(images), fmt::format("character({})", fmt::join(signs, ",")));
}

}  // namespace intertwine
