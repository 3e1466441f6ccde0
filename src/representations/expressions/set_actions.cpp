// Actions on an orbit of sets and on the set partitions of a shape: orbits that are stored and looked up.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/representations/actions.hpp"
#include "node.hpp"

namespace intertwine {

namespace {

std::string set_text(std::span<const Point> set) {
  std::string text;
  for (const Point x : set) text += (text.empty() ? "" : ",") + std::to_string(x + 1);
  return "{" + text + "}";
}

class SetOrbit final : public RepresentationNode {
 public:
  SetOrbit(const FiniteGroup& G, FlatIndex<Point> sets) : RepresentationNode(G, sets.size()), sets_(std::move(sets)) {}
  bool is_permutation() const override { return true; }
  Cyclotomic character(const Permutation& g) const override {
    std::uint64_t fixed = 0;
    std::vector<char> member(group().degree(), 0);
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      const std::span<const Point> set = sets_[i];
      for (const Point x : set) member[x] = 1;
      fixed += std::all_of(set.begin(), set.end(), [&](Point x) { return member[g(x)] != 0; });
      for (const Point x : set) member[x] = 0;
    }
    return Integer(fixed);
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    std::vector<Point> image(sets_.width());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::span<const Point> set = sets_[i];
      std::transform(set.begin(), set.end(), image.begin(), [&](Point x) { return g(x); });
      std::sort(image.begin(), image.end());
      const Point j = sets_.find(image);
      if (j == FlatIndex<Point>::none)
        throw DomainError("image: the element maps a set out of the orbit, so that it is not in the group");
      out[i] = SignedPoint(j);
    }
  }
  std::string text(TextForm) const override { return "orbit(" + set_text(sets_[0]) + ")"; }
  std::string label(std::uint64_t i) const override { return set_text(sets_[i]); }

 private:
  FlatIndex<Point> sets_;
};

/// n! / (prod s! for the sizes s) / (prod m! for their multiplicities m), one size at a time so that nothing
/// large is computed before the number is known to be too large.
std::uint64_t number_of_set_partitions(std::uint64_t n, const std::vector<unsigned>& shape) {
  Integer count = 1;
  std::uint64_t left = n;
  const auto grow = [&](std::uint64_t from, std::uint64_t choose) {
    count *= checked_binomial(from, choose, "partitions");
    static_cast<void>(checked_dimension(count, "partitions"));
  };
  for (std::size_t i = 0; i < shape.size();) {
    std::size_t j = i;
    while (j < shape.size() && shape[j] == shape[i]) ++j;
    const std::uint64_t size = shape[i];
    grow(left, size * (j - i));
    left -= size * (j - i);
    // The blocks of one size: the block of the least remaining point takes its other points.
    if (size > 1)
      for (std::uint64_t m = j - i; m > 1; --m) grow(m * size - 1, size - 1);
    i = j;
  }
  return checked_dimension(count, "partitions");
}

/// A set partition is stored as the number of the block of every point, blocks numbered by their least
/// points.
class SetPartitions final : public RepresentationNode {
 public:
  SetPartitions(const FiniteGroup& G, std::vector<unsigned> shape, FlatIndex<Point> partitions)
      : RepresentationNode(G, partitions.size()), shape_(std::move(shape)), partitions_(std::move(partitions)) {}
  bool is_permutation() const override { return true; }
  Cyclotomic character(const Permutation& g) const override {
    std::uint64_t fixed = 0;
    constexpr Point none = ~Point{0};
    std::vector<Point> image(shape_.size());
    for (std::size_t i = 0; i < partitions_.size(); ++i) {
      std::fill(image.begin(), image.end(), none);
      const std::span<const Point> block = partitions_[i];
      bool same = true;
      for (Point x = 0; same && x < block.size(); ++x) {
        Point& target = image[block[x]];
        if (target == none) target = block[g(x)];
        same = target == block[g(x)];
      }
      fixed += same;
    }
    return Integer(fixed);
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    constexpr Point none = ~Point{0};
    const Permutation inverse = g.inverse();
    std::vector<Point> image(group().degree()), name(shape_.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::span<const Point> block = partitions_[i];
      std::fill(name.begin(), name.end(), none);
      Point next = 0;
      for (Point y = 0; y < image.size(); ++y) {
        Point& renamed = name[block[inverse(y)]];
        if (renamed == none) renamed = next++;
        image[y] = renamed;
      }
      out[i] = SignedPoint(partitions_.find(image));
    }
  }
  std::string text(TextForm) const override { return fmt::format("partitions([{}])", fmt::join(shape_, ",")); }
  std::string label(std::uint64_t i) const override {
    const std::span<const Point> block = partitions_[i];
    std::string text = "{";
    for (Point b = 0; b < shape_.size(); ++b) {
      if (b != 0) text += '|';
      bool first = true;
      for (Point x = 0; x < block.size(); ++x) {
        if (block[x] != b) continue;
        text += (first ? "" : ",") + std::to_string(x + 1);
        first = false;
      }
    }
    return text + "}";
  }

 private:
  std::vector<unsigned> shape_;
  FlatIndex<Point> partitions_;
};

/// All set partitions of a shape in lexicographic order of their lists of blocks; a block that ends comes
/// before one that goes on. Iterative, since a partition has as many decisions as points.
class SetPartitionWalk {
 public:
  SetPartitionWalk(std::size_t degree, const std::vector<unsigned>& shape) : block_(degree, none), left_(1, 0) {
    left_.resize(shape.empty() ? 1 : shape[0] + std::size_t{1}, 0);
    for (const unsigned size : shape) ++left_[size];
  }

  template <class F>
  void run(F found) {
    // A step puts a point into a block. Before a step, the current block (if any) may be closed.
    if (block_.empty()) {
      found(block_);
      return;
    }
    open(0);
    for (;;) {
      if (advance()) {
        if (assigned_ == block_.size() && size_ == 0) {
          found(block_);
          if (!back()) return;
        }
      } else if (!back()) {
        return;
      }
    }
  }

 private:
  static constexpr Point none = ~Point{0};
  struct Step {
    Point point;
    bool closes;  ///< a step that closed the block and did not add a point
  };

  void put(Point x) {
    block_[x] = blocks_;
    steps_.push_back({x, false});
    ++size_;
    ++assigned_;
  }
  void open(Point x) { put(x); }

  bool closable() const { return size_ < left_.size() && left_[size_] != 0; }
  bool growable() const {
    for (std::size_t s = size_ + 1; s < left_.size(); ++s)
      if (left_[s] != 0) return true;
    return false;
  }
  Point free_after(Point x) const {
    while (x < block_.size() && block_[x] != none) ++x;
    return x;
  }

  /// The first continuation of the current state. False if there is none.
  bool advance() {
    if (size_ == 0) {
      open(free_after(0));
      return true;
    }
    if (closable()) {
      --left_[size_];
      sizes_.push_back(size_);
      steps_.push_back({steps_.back().point, true});
      ++blocks_;
      size_ = 0;
      return true;
    }
    return grow(steps_.back().point + 1);
  }

  bool grow(Point from) {
    if (!growable()) return false;
    const Point x = free_after(from);
    if (x == block_.size()) return false;
    put(x);
    return true;
  }

  /// Undoes steps until one has an alternative, and takes that. False when all is done.
  bool back() {
    while (!steps_.empty()) {
      const Step step = steps_.back();
      steps_.pop_back();
      if (step.closes) {
        --blocks_;
        size_ = sizes_.back();
        sizes_.pop_back();
        ++left_[size_];
        if (grow(step.point + 1)) return true;
        continue;
      }
      block_[step.point] = none;
      --assigned_;
      --size_;
      // The first point of a block is forced; another one may be exchanged for a later one.
      if (size_ != 0 && grow(step.point + 1)) return true;
    }
    return false;
  }

  std::vector<Point> block_;
  std::vector<std::size_t> left_;  ///< by size: blocks still to come
  std::vector<std::size_t> sizes_;
  std::vector<Step> steps_;
  Point blocks_ = 0;
  std::size_t size_ = 0, assigned_ = 0;
};

}  // namespace

Representation set_orbit_action(const FiniteGroup& G, const std::vector<Point>& set, const Task& task) {
  std::vector<Point> start = set;
  std::sort(start.begin(), start.end());
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (start[i] >= G.degree())
      throw DomainError(fmt::format("orbit: the point {} (1-based) is not among the {} points of {}",
                                    std::uint64_t{start[i]} + 1, G.degree(), G.name()));
    if (i != 0 && start[i] == start[i - 1])
      throw DomainError(fmt::format("orbit: the point {} (1-based) is in the set twice", std::uint64_t{start[i]} + 1));
  }
  FlatIndex<Point> sets(start.size());
  sets.insert(start);
  std::vector<Point> image(start.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (i % 256 == 0) {
      task.progress("orbit of a set", i, 0);
      task.require_memory(2 * sets.bytes(), "the orbit of the set");
    }
    for (const Permutation& g : G.generators()) {
      const std::span<const Point> from = sets[i];
      std::transform(from.begin(), from.end(), image.begin(), [&](Point x) { return g(x); });
      std::sort(image.begin(), image.end());
      sets.insert(image);
    }
  }
  return Representation(std::make_shared<SetOrbit>(G, sets.sorted()));
}

Representation set_partition_action(const FiniteGroup& G, const std::vector<unsigned>& given, const Task& task) {
  std::vector<unsigned> shape = given;
  std::sort(shape.begin(), shape.end(), std::greater<>());
  const std::uint64_t sum = std::accumulate(shape.begin(), shape.end(), std::uint64_t{0});
  if (sum != G.degree() || (!shape.empty() && shape.back() == 0))
    throw DomainError(
        fmt::format("partitions([{}]): the sizes must be positive and add up to the degree {} of {}, not to {}",
                    fmt::join(given, ","), G.degree(), G.name(), sum));
  const std::uint64_t count = number_of_set_partitions(G.degree(), shape);
  require_indexable(count, "partitions");
  task.require_memory(count * (G.degree() + 4) * sizeof(Point), "the set partitions");
  FlatIndex<Point> partitions(G.degree());
  SetPartitionWalk(G.degree(), shape).run([&](const std::vector<Point>& block) {
    if (partitions.size() % 1024 == 0) task.progress("set partitions", partitions.size(), count);
    partitions.insert(block);
  });
  if (partitions.size() != count)
    throw InternalError(fmt::format("partitions: {} were found, but there are {}", partitions.size(), count));
  return Representation(std::make_shared<SetPartitions>(G, std::move(shape), std::move(partitions)));
}

}  // namespace intertwine
