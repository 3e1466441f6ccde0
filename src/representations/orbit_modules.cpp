// Monomial representations as sums over orbits of basis vectors.
#include "representations/orbit_modules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "representations/expressions/node.hpp"

namespace intertwine {

namespace {

using Images = std::vector<std::vector<SignedPoint>>;  ///< the images of the generators

/// The vectors of an orbit as a walk along the generators meets them, the first one and those on the way with the sign +.
struct OrbitWalk {
  std::vector<SignedPoint> vectors;
  Images images;  ///< in the numbering of `vectors`
};

class OrbitWalker {
 public:
  explicit OrbitWalker(const Representation& V) : node_(V.node()), place_(V.dimension(), outside) {
    for (const Permutation& s : V.group().generators()) node_.write_image(s, images_.emplace_back(V.dimension()));
  }

  OrbitWalk from(Point start, const Task& task) {
    OrbitWalk walk{{}, Images(images_.size())};
    const auto number = [&](SignedPoint y) {  // of a vector, given a number now if it has none
      if (place_[y.point()] == outside) {
        place_[y.point()] = static_cast<std::uint32_t>(walk.vectors.size());
        walk.vectors.push_back(y);
      }
      return SignedPoint(place_[y.point()], y.negative() != walk.vectors[place_[y.point()]].negative());
    };
    number(SignedPoint(start));
    for (std::size_t i = 0; i < walk.vectors.size(); ++i) {
      task.poll();
      for (std::size_t s = 0; s < images_.size(); ++s) walk.images[s].push_back(number(moved(s, walk, i)));
    }
    forget(walk);
    return walk;
  }

  /// The vectors of the orbit in the order of `other`, if the walk from `start` sees what that one saw; nothing as soon as it does not.
  std::optional<std::vector<SignedPoint>> like(const Images& other, Point start, const Task& task) {
    OrbitWalk walk{{SignedPoint(start)}, {}};
    place_[start] = 0;
    bool same = true;
    for (std::size_t i = 0; same && i < walk.vectors.size(); ++i) {
      task.poll();
      for (std::size_t s = 0; same && s < images_.size(); ++s) {
        const SignedPoint y = moved(s, walk, i), expected = other[s][i];
        std::uint32_t& place = place_[y.point()];
        if (place == outside && expected.point() == walk.vectors.size()) {
          place = expected.point();
          walk.vectors.push_back(y.flipped(expected.negative()));
        }
        same = place == expected.point() && (y.negative() != walk.vectors[place].negative()) == expected.negative();
      }
    }
    forget(walk);
    if (!same) return std::nullopt;
    return std::move(walk.vectors);
  }

 private:
  static constexpr std::uint32_t outside = ~std::uint32_t{0};

  SignedPoint moved(std::size_t s, const OrbitWalk& walk, std::size_t i) const {
    return images_[s][walk.vectors[i].point()].flipped(walk.vectors[i].negative());
  }
  void forget(const OrbitWalk& walk) {
    for (const SignedPoint x : walk.vectors) place_[x.point()] = outside;
  }

  const RepresentationNode& node_;
  Images images_;
  std::vector<std::uint32_t> place_;
};

/// V on the vectors of one orbit.
class OrbitModule final : public RepresentationNode {
 public:
  /// \param place  for every vector of V which one of its orbit it is; depth is not counted, since nothing nests these
  OrbitModule(const Representation& V, std::vector<SignedPoint> vectors, const Images& images,
              std::shared_ptr<const std::vector<SignedPoint>> place)
      : RepresentationNode(V.group(), vectors.size(), V.node().depth()), V_(V), place_(std::move(place)) {
    for (const auto& image : images) images_.push_back(SignedPermutation::unchecked(image));
    vectors_ = std::move(vectors);
  }

  bool is_permutation() const override {
    return std::ranges::all_of(images_, [](const SignedPermutation& g) { return g.is_unsigned(); });
  }
  Cyclotomic character(const Permutation& g) const override {
    std::vector<SignedPoint> image(dimension());
    write_image(g, image);
    return SignedPermutation::unchecked(std::move(image)).trace();
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    const SignedPermutation whole = V_.image(g);
    for (std::size_t i = 0; i < vectors_.size(); ++i) {
      const SignedPoint y = whole(vectors_[i]);
      out[i] = (*place_)[y.point()].flipped(y.negative());
    }
  }
  std::string text(TextForm) const override { return images_text(images_, dimension()); }
  std::string label(std::uint64_t i) const override { return fmt::format("e{}", i + 1); }

 private:
  Representation V_;
  std::shared_ptr<const std::vector<SignedPoint>> place_;
  std::vector<SignedPoint> vectors_;
  std::vector<SignedPermutation> images_;
};

}  // namespace

OrbitModules::OrbitModules(const Representation& V, const Task& task) : dimension_(V.dimension()) {
  if (V.is_monomial() && V.dimension() > 0) {
    task.require_memory((12 * V.group().generators().size() + 24) * V.dimension(), "the orbits of basis vectors");
    OrbitWalker walker(V);
    const auto place =
        std::make_shared<std::vector<SignedPoint>>(V.dimension());             // one for all kinds: orbits are disjoint
    std::map<std::size_t, std::vector<std::pair<std::size_t, Images>>> known;  // by length
    std::vector<char> seen(V.dimension(), 0);
    for (Point start = 0; start < V.dimension(); ++start) {
      if (seen[start] != 0) continue;
      OrbitWalk walk = walker.from(start, task);
      for (const SignedPoint x : walk.vectors) seen[x.point()] = 1;
      auto& alike = known[walk.vectors.size()];
      std::optional<std::vector<SignedPoint>> vectors;
      for (auto candidate = alike.begin(); candidate != alike.end() && !vectors; ++candidate)
        for (std::size_t k = 0; k < walk.vectors.size() && !vectors; ++k)
          if ((vectors = walker.like(candidate->second, walk.vectors[k].point(), task)))
            places_.push_back({candidate->first, *vectors});
      if (vectors) continue;
      if (walk.vectors.size() == V.dimension()) break;
      for (std::uint32_t i = 0; i < walk.vectors.size(); ++i)
        (*place)[walk.vectors[i].point()] = SignedPoint(i, walk.vectors[i].negative());
      kinds_.push_back(Representation(std::make_shared<OrbitModule>(V, walk.vectors, walk.images, place)));
      alike.emplace_back(kinds_.size() - 1, std::move(walk.images));
      places_.push_back({kinds_.size() - 1, std::move(walk.vectors)});
    }
  }
  if (kinds_.empty()) {
    kinds_.push_back(V);
    places_.push_back({0, {}});
  }
  counts_.resize(kinds_.size());
  for (const Place& place : places_) ++counts_[place.kind];
}

FieldMatrix OrbitModules::side_by_side(std::span<const FieldMatrix> blocks, const AbelianField& K) const {
  if (places_.size() == 1) return blocks[0];
  Integer denominator = 1;
  for (const FieldMatrix& block : blocks) denominator = lcm(denominator, block.coefficients().denominator());
  std::size_t width = 0, at = 0;
  for (const Place& place : places_) width += blocks[place.kind].cols();
  IntegerMatrix whole(dimension_, K.degree() * width);
  for (const Place& place : places_) {
    const RationalMatrix& block = blocks[place.kind].coefficients();
    const IntegerMatrix& entries = block.numerator();
    const Integer scale = denominator / block.denominator();
    const std::size_t cols = blocks[place.kind].cols();
    for (std::size_t i = 0; i < entries.rows(); ++i)
      for (std::size_t j = 0; j < entries.cols(); ++j)
        if (entries.sign(i, j) != 0)
          whole.set(place.vectors[i].point(), j / cols * width + at + j % cols,
                    Integer(place.vectors[i].sign() * scale * entries(i, j)));
    at += cols;
  }
  return {K, RationalMatrix(std::move(whole), denominator), width};
}

}  // namespace intertwine
