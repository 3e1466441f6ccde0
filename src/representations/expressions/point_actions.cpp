// Trivial and sign representations, and the actions on points, tuples, arrangements and subsets: everything
// that only needs to know how g permutes the points.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "combinations.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/representations/actions.hpp"
#include "node.hpp"

namespace intertwine {

namespace {

class Trivial final : public RepresentationNode {
 public:
  explicit Trivial(const FiniteGroup& G) : RepresentationNode(G, 1) {}
  bool is_permutation() const override { return true; }
  Cyclotomic character(const Permutation&) const override { return 1; }
  void write_image(const Permutation&, std::span<SignedPoint> out) const override { out[0] = SignedPoint(0); }
  std::string text(TextForm) const override { return "trivial"; }
  std::string label(std::uint64_t) const override { return "1"; }
};

class Sign final : public RepresentationNode {
 public:
  explicit Sign(const FiniteGroup& G) : RepresentationNode(G, 1) {}
  bool is_permutation() const override {
    const auto& generators = group().generators();
    return std::all_of(generators.begin(), generators.end(), [](const Permutation& g) { return g.is_even(); });
  }
  Cyclotomic character(const Permutation& g) const override { return g.sign(); }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    out[0] = SignedPoint(0, !g.is_even());
  }
  std::string text(TextForm) const override { return "sign"; }
  std::string label(std::uint64_t) const override { return "e"; }
};

class Natural final : public RepresentationNode {
 public:
  explicit Natural(const FiniteGroup& G) : RepresentationNode(G, G.degree()) {}
  bool is_permutation() const override { return true; }
  Cyclotomic character(const Permutation& g) const override { return Integer(g.number_of_fixed_points()); }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    std::transform(g.images().begin(), g.images().end(), out.begin(), [](Point x) { return SignedPoint(x); });
  }
  std::vector<std::uint64_t> axes() const override {
    if (const auto* grid = group().structure().as<structure::Grid>()) return {grid->h, grid->w};
    if (const auto* pixels = group().structure().as<structure::Pixels>()) return {pixels->h, pixels->w};
    return {dimension()};
  }
  std::string text(TextForm) const override { return "perm"; }
  std::string label(std::uint64_t i) const override { return std::to_string(i + 1); }
};

class Tuples final : public RepresentationNode {
 public:
  Tuples(const FiniteGroup& G, unsigned k)
      : RepresentationNode(G, checked_power(G.degree(), k, fmt::format("tuples({})", k))), k_(k) {}
  bool is_permutation() const override { return true; }
  Cyclotomic character(const Permutation& g) const override {
    const std::uint64_t fixed = g.number_of_fixed_points();
    // 0^0 = 1: the empty tuple is fixed. A degree of 1 allows any k.
    return fixed <= 1 ? Integer(k_ == 0 || fixed == 1 ? 1 : 0) : pow(Integer(fixed), k_);
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    if (out.empty()) return;
    std::vector<SignedPoint> factor;
    for (const Point x : g.images()) factor.emplace_back(x);
    out[0] = SignedPoint(0);
    for (std::size_t size = 1; size < out.size(); size *= factor.size()) tensor_in_place(out, size, factor);
  }
  std::vector<std::uint64_t> axes() const override {
    if (dimension() <= 1) return {dimension()};  // k may be anything
    return std::vector<std::uint64_t>(k_, group().degree());
  }
  std::string text(TextForm) const override { return fmt::format("tuples({})", k_); }
  std::string label(std::uint64_t i) const override {
    constexpr unsigned longest = 1000;
    if (k_ > longest) return fmt::format("(1)^{}", k_);  // only a single point has so long tuples
    std::string text;
    for (unsigned j = 0; j < k_; ++j) {
      text = std::to_string(i % group().degree() + 1) + (j == 0 ? "" : ",") + text;
      i /= group().degree();
    }
    return "(" + text + ")";
  }

 private:
  unsigned k_;
};

std::uint64_t number_of_arrangements(std::uint64_t n, unsigned k) {
  Integer count = 1;
  if (k > n) return 0;
  if (k > 1000) throw LimitError(fmt::format("arrangements({}): the dimension {}!/{}! exceeds 2^64 - 1", k, n, n - k));
  for (unsigned i = 0; i < k; ++i) count *= n - i;
  return checked_dimension(count, fmt::format("arrangements({})", k));
}

class Arrangements final : public RepresentationNode {
 public:
  Arrangements(const FiniteGroup& G, unsigned k)
      : RepresentationNode(G, number_of_arrangements(G.degree(), k)), k_(k) {}
  bool is_permutation() const override { return true; }
  Cyclotomic character(const Permutation& g) const override {
    const std::uint64_t fixed = g.number_of_fixed_points();
    if (k_ > fixed) return 0;
    Integer count = 1;
    for (unsigned i = 0; i < k_; ++i) count *= fixed - i;
    return count;
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    if (out.empty()) return;
    Walk walk{g, k_, out, std::vector<char>(g.degree(), 0), {}, 0};
    walk.descend(0);
  }
  std::string text(TextForm) const override { return fmt::format("arrangements({})", k_); }
  std::string label(std::uint64_t i) const override {
    std::vector<std::uint64_t> used;
    std::string text;
    std::uint64_t block = dimension();
    for (unsigned j = 0; j < k_; ++j) {
      block /= group().degree() - j;
      std::uint64_t x = i / block;
      i %= block;
      // x counts unused points; `used` is sorted.
      std::size_t at = 0;
      for (; at < used.size() && used[at] <= x; ++at) ++x;
      used.insert(used.begin() + static_cast<std::ptrdiff_t>(at), x);
      text += (j == 0 ? "" : ",") + std::to_string(x + 1);
    }
    return "(" + text + ")";
  }

 private:
  /// The arrangements in lexicographic order, with the rank of the image of the current prefix in mixed
  /// radix: the digit of an entry is the number of smaller unused points.
  struct Walk {
    const Permutation& g;
    unsigned k;
    std::span<SignedPoint> out;
    std::vector<char> used;
    std::vector<Point> images;
    std::size_t written;

    void descend(std::uint32_t rank) {
      const auto d = images.size();
      if (d == k) {
        out[written++] = SignedPoint(rank);
        return;
      }
      const auto n = static_cast<Point>(used.size());
      const auto radix = static_cast<std::uint32_t>(n - d);
      for (Point v = 0; v < n; ++v) {
        if (used[v]) continue;
        const Point y = g(v);
        Point digit = y;
        for (const Point z : images) digit -= z < y;
        if (d + 1 == k) {
          out[written++] = SignedPoint(rank * radix + digit);
          continue;
        }
        used[v] = 1;
        images.push_back(y);
        descend(rank * radix + digit);
        images.pop_back();
        used[v] = 0;
      }
    }
  };
  unsigned k_;
};

class Subsets final : public RepresentationNode {
 public:
  Subsets(const FiniteGroup& G, unsigned k)
      : RepresentationNode(G, checked_binomial(G.degree(), k, fmt::format("subsets({})", k))), k_(k) {}
  bool is_permutation() const override { return true; }
  /// The number of fixed k-subsets: the coefficient of t^k in the product of (1 + t^l) over the cycles.
  Cyclotomic character(const Permutation& g) const override {
    if (dimension() == 0) return 0;
    // A set is fixed exactly when its complement is.
    const std::uint64_t k = std::min<std::uint64_t>(k_, g.degree() - k_);
    std::map<std::uint64_t, std::uint64_t> cycles;
    for (const Point length : g.cycle_type())
      if (length <= k) ++cycles[length];
    std::vector<Integer> series(k + 1);
    series[0] = 1;
    for (const auto& [length, count] : cycles) {
      std::vector<Integer> next(k + 1);
      for (std::uint64_t j = 0; j <= count && j * length <= k; ++j) {
        const Integer ways = binomial(count, j);
        for (std::uint64_t i = j * length; i <= k; ++i) next[i] += ways * series[i - j * length];
      }
      series = std::move(next);
    }
    return series[k];
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    if (out.empty()) return;
    std::vector<SignedPoint> image;
    for (const Point x : g.images()) image.emplace_back(x);
    write_combination_images(image, k_, Combination::subset, out);
  }
  std::string text(TextForm) const override { return fmt::format("subsets({})", k_); }
  std::string label(std::uint64_t i) const override {
    std::string text;
    for (const std::uint64_t v : combination_of_rank(group().degree(), k_, Combination::subset, i))
      text += (text.empty() ? "" : ",") + std::to_string(v + 1);
    return "{" + text + "}";
  }

 private:
  unsigned k_;
};

}  // namespace

Representation trivial_representation(const FiniteGroup& G) { return Representation(std::make_shared<Trivial>(G)); }

Representation natural_permutation_representation(const FiniteGroup& G) {
  return Representation(std::make_shared<Natural>(G));
}

Representation sign_representation(const FiniteGroup& G) { return Representation(std::make_shared<Sign>(G)); }

Representation tuple_action(const FiniteGroup& G, unsigned k) { return Representation(std::make_shared<Tuples>(G, k)); }

Representation arrangement_action(const FiniteGroup& G, unsigned k) {
  return Representation(std::make_shared<Arrangements>(G, k));
}

Representation subset_action(const FiniteGroup& G, unsigned k) {
  return Representation(std::make_shared<Subsets>(G, k));
}

}  // namespace intertwine
