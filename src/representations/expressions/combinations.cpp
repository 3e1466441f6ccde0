// Images of k-subsets, k-vectors and monomials under signed permutations, with their ranks.
#include "combinations.hpp"

#include <algorithm>

#include "intertwine/exact/integer.hpp"

namespace intertwine {

namespace {

/// C(m, j) for m <= n, j <= k, where C(n, k) is known to be below 2^31 and k <= n / 2, so that all of them
/// are.
class BinomialTable {
 public:
  BinomialTable(std::size_t n, std::size_t k) : width_(n + 1), values_((k + 1) * (n + 1), 0) {
    for (std::size_t m = 0; m <= n; ++m) values_[m] = 1;
    for (std::size_t j = 1; j <= k; ++j)
      for (std::size_t m = j; m <= n; ++m)
        values_[j * width_ + m] = values_[j * width_ + m - 1] + values_[(j - 1) * width_ + m - 1];
  }
  std::uint32_t operator()(std::size_t m, std::size_t j) const { return values_[j * width_ + m]; }

 private:
  std::size_t width_;
  std::vector<std::uint32_t> values_;
};

/// Walks through the lists in lexicographic order, keeping the image of the current prefix sorted. A list c_0
/// < ... < c_{k-1} out of n has rank C(n, k) - 1 - sum_i C(n - 1 - c_i, k - i); weakly increasing lists
/// become strict by adding i to c_i. For the last entry the sum splits into a part below and a part above its
/// place in the prefix.
class ListWalk {
 public:
  ListWalk(std::span<const SignedPoint> image, std::size_t k, Combination kind, std::span<SignedPoint> out)
      : image_(image),
        k_(k),
        kind_(kind),
        step_(kind == Combination::symmetric ? 1 : 0),
        n_(image.size() + step_ * (k - 1)),
        binomial_(n_, k),
        sorted_(k * k),
        below_(k),
        above_(k),
        out_(out) {}

  void run() { descend(0, 0, false); }

 private:
  bool sign_of(Point v) const { return kind_ != Combination::subset && image_[v].negative(); }

  /// Number of entries of the sorted prefix before the place of y.
  static std::size_t place(const Point* prefix, std::size_t length, Point y) {
    std::size_t p = 0;
    for (std::size_t i = 0; i < length; ++i) p += prefix[i] < y;
    return p;
  }

  /// Extends prefixes of length d by entries v >= start; recursion is k deep, and k is at most 16.
  void descend(std::size_t d, Point start, bool negative) {
    const Point* prefix = &sorted_[d * k_];
    if (d + 1 == k_) {
      finish(prefix, start, negative);
      return;
    }
    const std::size_t end = image_.size() - (step_ == 1 ? 0 : k_ - 1 - d);
    Point* next = &sorted_[(d + 1) * k_];
    for (Point v = start; v < end; ++v) {
      const Point y = image_[v].point();
      const std::size_t p = place(prefix, d, y);
      std::copy(prefix, prefix + p, next);
      next[p] = y;
      std::copy(prefix + p, prefix + d, next + p + 1);
      descend(d + 1, step_ == 1 ? v : v + 1, negative ^ sign_of(v) ^ sorting_sign(d, p));
    }
  }

  bool sorting_sign(std::size_t length, std::size_t p) const {
    return kind_ == Combination::alternating && (length - p) % 2 == 1;
  }

  void finish(const Point* prefix, Point start, bool negative) {
    const std::size_t last = k_ - 1;
    const auto weight = [&](std::size_t i, std::size_t at) {
      return binomial_(n_ - 1 - (prefix[i] + step_ * at), k_ - at);
    };
    std::uint32_t sum = 0;
    for (std::size_t p = 0; p <= last; ++p) {
      below_[p] = sum;
      if (p < last) sum += weight(p, p);
    }
    sum = 0;
    for (std::size_t p = last;; --p) {
      above_[p] = sum;
      if (p == 0) break;
      sum += weight(p - 1, p);
    }
    const auto total = static_cast<std::uint32_t>(out_.size());
    for (Point v = start; v < image_.size(); ++v) {
      const Point y = image_[v].point();
      const std::size_t p = place(prefix, last, y);
      const std::uint32_t rank = total - 1 - below_[p] - above_[p] - binomial_(n_ - 1 - (y + step_ * p), k_ - p);
      out_[written_++] = SignedPoint(rank, negative ^ sign_of(v) ^ sorting_sign(last, p));
    }
  }

  std::span<const SignedPoint> image_;
  std::size_t k_;
  Combination kind_;
  std::size_t step_, n_;
  BinomialTable binomial_;
  std::vector<Point> sorted_;  ///< row d: the sorted image of the first d entries
  std::vector<std::uint32_t> below_, above_;
  std::span<SignedPoint> out_;
  std::size_t written_ = 0;
};

/// k-subsets for k > n/2 through their complements, which come in the opposite order. For signs: the minor of
/// g with columns S is det(g) times the minor of the complement T times (-1)^(sum of T and of g(T)) [Jacobi].
void write_by_complements(std::span<const SignedPoint> image, std::size_t k, Combination kind,
                          std::span<SignedPoint> out) {
  const std::size_t n = image.size();
  std::vector<SignedPoint> twisted(image.begin(), image.end());
  bool negative = false;
  if (kind == Combination::alternating) {
    negative = determinant(image) < 0;
    for (Point v = 0; v < n; ++v) twisted[v] = image[v].flipped(((v ^ image[v].point()) & 1U) != 0);
  }
  write_combination_images(twisted, n - k, kind, out);
  const auto total = static_cast<std::uint32_t>(out.size());
  std::reverse(out.begin(), out.end());
  for (SignedPoint& x : out) x = SignedPoint(total - 1 - x.point(), x.negative() != negative);
}

/// Monomials of a degree k >= n through their exponents: n - 1 bars among k + n - 1 places, in the opposite
/// order.
void write_by_exponents(std::span<const SignedPoint> image, std::size_t k, std::span<SignedPoint> out) {
  const std::size_t n = image.size();
  const std::size_t places = n + k - 1;
  const BinomialTable binomial(places, n - 1);
  std::vector<std::size_t> exponent(n, 0), moved(n);
  exponent[0] = k;
  for (std::size_t written = 0;;) {
    bool negative = false;
    for (std::size_t i = 0; i < n; ++i) {
      moved[image[i].point()] = exponent[i];
      negative = negative != (image[i].negative() && exponent[i] % 2 == 1);
    }
    std::uint32_t rank = 0;
    std::size_t sum = 0;
    for (std::size_t i = 1; i < n; ++i) {
      sum += moved[i - 1];
      rank += binomial(places - 1 - (sum + i - 1), n - i);
    }
    out[written++] = SignedPoint(rank, negative);
    if (written == out.size()) return;
    // The next monomial: one unit of the last exponent that can move goes right, and takes the tail along.
    std::size_t i = n - 2;
    while (exponent[i] == 0) --i;
    const std::size_t tail = exponent[n - 1];
    exponent[n - 1] = 0;
    --exponent[i];
    exponent[i + 1] = tail + 1;
  }
}

}  // namespace

int determinant(std::span<const SignedPoint> image) {
  std::vector<Point> points;
  bool negative = false;
  for (const SignedPoint x : image) {
    negative = negative != x.negative();
    points.push_back(x.point());
  }
  return Permutation::unchecked(std::move(points)).sign() * (negative ? -1 : 1);
}

void write_combination_images(std::span<const SignedPoint> image, std::uint64_t k, Combination kind,
                              std::span<SignedPoint> out) {
  const std::size_t n = image.size();
  if (k == 0) {
    out[0] = SignedPoint(0);
  } else if (kind != Combination::symmetric) {
    if (2 * k > n)
      write_by_complements(image, k, kind, out);
    else
      ListWalk(image, k, kind, out).run();
  } else if (k >= n) {
    write_by_exponents(image, k, out);
  } else {
    ListWalk(image, k, kind, out).run();
  }
}

std::vector<std::uint64_t> combination_of_rank(std::uint64_t n, std::uint64_t k, Combination kind, std::uint64_t rank) {
  const std::uint64_t step = kind == Combination::symmetric ? 1 : 0;
  const std::uint64_t places = n + step * (k == 0 ? 0 : k - 1);
  std::vector<std::uint64_t> list;
  Integer left = rank;
  std::uint64_t x = 0;
  for (std::uint64_t i = 0; i < k; ++i, ++x) {
    // The number of lists that go on with x.
    for (Integer count = binomial(places - 1 - x, k - 1 - i); count <= left;
         count = binomial(places - 1 - x, k - 1 - i)) {
      left -= count;
      ++x;
    }
    list.push_back(x - step * i);
  }
  return list;
}

}  // namespace intertwine
