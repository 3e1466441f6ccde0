// What every representation must satisfy. Failures are reported through Catch's REQUIRE in the calling test.
#pragma once
#include <catch2/catch.hpp>
#include <set>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/representations/representation.hpp"

namespace laws {

/// The empty text if V obeys the laws on `trials` pairs of random elements; otherwise the law that fails.
/// \tparam V  has the interface of a Representation.
template <class Rep>
std::string broken_law(const Rep& V, intertwine::Rng& rng, int trials) {
  using namespace intertwine;
  const FiniteGroup& G = V.group();
  const SignedPermutation one = V.image(Permutation::identity(G.degree()));
  if (one.degree() != V.dimension()) return "an image has the dimension as its degree";
  if (!one.is_identity()) return "the identity maps to the identity";
  const auto images = V.generator_images();
  if (images.size() != G.generators().size()) return "there is one image a generator";
  bool is_unsigned = true;
  for (std::size_t k = 0; k < images.size(); ++k) {
    if (!(images[k] == V.image(G.generators()[k]))) return "generator_images are the images of the generators";
    is_unsigned = is_unsigned && images[k].is_unsigned();
  }
  if (is_unsigned != V.is_permutation()) return "is_permutation says whether signs occur";
  for (int trial = 0; trial < trials; ++trial) {
    const Permutation g = G.random_element(rng), h = G.random_element(rng);
    const SignedPermutation image = V.image(g);
    // A bijection; the constructor throws otherwise.
    static_cast<void>(SignedPermutation(std::vector<SignedPoint>(image.images().begin(), image.images().end())));
    if (!(image * V.image(h) == V.image(g * h))) return "rho(g) rho(h) = rho(gh)";
    if (V.character(g) != image.trace()) return "the character is the trace";
    if (V.character(g) != V.character(h * g * h.inverse())) return "the character is a class function";
  }
  std::set<std::string> labels;
  const std::uint64_t labelled = std::min<std::uint64_t>(V.dimension(), 300);
  for (std::uint64_t i = 0; i < labelled; ++i) labels.insert(V.basis_label(i));
  if (labels.size() != labelled) return "labels are distinct";
  Integer sum = 0;
  for (const auto& [multiplicity, part] : V.summands()) sum += Integer(multiplicity) * part.dimension();
  if (sum != V.dimension()) return "the summands add up";
  return {};
}

inline void require_representation(const intertwine::Representation& V, intertwine::Rng& rng, int trials = 4) {
  CAPTURE(V.to_string(), V.group().name(), V.dimension());
  REQUIRE(broken_law(V, rng, trials) == "");
}

}  // namespace laws
