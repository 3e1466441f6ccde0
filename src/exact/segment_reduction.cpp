// Reduces lattice bases segment by segment, in doubles.
#include "segment_reduction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace intertwine {

namespace {

using RealRow = std::vector<double>;

constexpr double largest_exact = 0x1p52;

double inner_product(const RealRow& u, const RealRow& v) {
  std::array<double, 8> sums{};  // in an order that does not depend on the width of vectors
  std::size_t i = 0;
  for (; i + sums.size() <= u.size(); i += sums.size())
    for (std::size_t l = 0; l < sums.size(); ++l) sums[l] += u[i + l] * v[i + l];
  for (; i < u.size(); ++i) sums[0] += u[i] * v[i];
  double total = 0;
  for (const double x : sums) total += x;
  return total;
}
/// u += c v in the first `count` entries.
void add_multiple(RealRow& u, double c, const RealRow& v, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) u[i] += c * v[i];
}
double largest_entry(const RealRow& u) {
  double largest = 0;
  for (const double x : u) largest = std::max(largest, std::abs(x));
  return largest;
}

/// Numbers left the range where integers are exact, or there is no end.
struct DoublesFailed {};

/// The nearest integer, but 0 up to a little more than 1/2: lattices have many such, which rounding errors would turn to and fro without end.
double nearest_multiple(double ratio) { return std::abs(ratio) < 0.51 ? 0 : std::nearbyint(ratio); }

/// The triangular coordinates of the vectors of a segment (parts orthogonal to all rows before it), and what is done to them.
class Segment {
 public:
  /// Rows of coordinates; the i-th has i + 1 of them.
  Segment(std::vector<RealRow> coordinates, double tiny)
      : coordinates_(std::move(coordinates)), tiny_(tiny), multiples_(coordinates_.size()) {
    for (std::size_t i = 0; i < size(); ++i) {
      coordinates_[i].resize(size(), 0);
      multiples_[i].assign(size(), 0);
      multiples_[i][i] = 1;
    }
  }

  std::size_t size() const { return coordinates_.size(); }
  const RealRow& coordinates(std::size_t i) const { return coordinates_[i]; }
  /// The i-th new row is the sum of multiples(i)[j] times the j-th old one.
  const RealRow& multiples(std::size_t i) const { return multiples_[i]; }
  bool is_changed() const { return changed_; }
  /// Was it left before it is reduced, since the multiples became too large for the accuracy of the coordinates?
  bool is_unfinished() const { return unfinished_; }

  void reduce() {
    for (std::size_t k = 1; k < size() && !unfinished_;) {
      shorten(k, k - 1);
      const double left = coordinates_[k - 1][k - 1], across = coordinates_[k][k - 1], own = coordinates_[k][k];
      if (across * across + own * own < 0.99 * left * left) {
        swap_with_previous(k);
        k = std::max<std::size_t>(k - 1, 1);
      } else {
        for (std::size_t j = k - 1; j-- > 0;) shorten(k, j);
        ++k;
      }
    }
  }

 private:
  static constexpr double largest_multiple = 1e6;

  void shorten(std::size_t k, std::size_t j) {
    const double length = coordinates_[j][j];
    if (std::abs(length) < tiny_) return;
    const double q = nearest_multiple(coordinates_[k][j] / length);
    if (q == 0) return;
    if (!(std::abs(q) * largest_multiple < largest_exact / 1024)) throw DoublesFailed();
    add_multiple(coordinates_[k], -q, coordinates_[j], j + 1);
    add_multiple(multiples_[k], -q, multiples_[j], size());
    changed_ = true;
    unfinished_ |= largest_entry(multiples_[k]) > largest_multiple;
  }

  void swap_with_previous(std::size_t k) {
    std::swap(coordinates_[k], coordinates_[k - 1]);
    std::swap(multiples_[k], multiples_[k - 1]);
    changed_ = true;
    const double b = coordinates_[k - 1][k - 1], c = coordinates_[k - 1][k], length = std::hypot(b, c);
    if (length == 0) return;
    for (std::size_t j = k - 1; j < size(); ++j) {
      const double x = coordinates_[j][k - 1], y = coordinates_[j][k];
      coordinates_[j][k - 1] = (b * x + c * y) / length;
      coordinates_[j][k] = (b * y - c * x) / length;
    }
    coordinates_[k - 1][k] = 0;
  }

  std::vector<RealRow> coordinates_;
  double tiny_;
  std::vector<RealRow> multiples_;
  bool changed_ = false, unfinished_ = false;
};

class SegmentReduction {
 public:
  SegmentReduction(const IntegerMatrix& rows, const Task& task)
      : task_(task), rows_(rows.rows(), RealRow(rows.cols())), directions_(rows_), triangle_(rows.rows()) {
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < rows.cols(); ++j) {
        rows_[i][j] = mpz_get_d(rows(i, j).backend().data());
        if (!(std::abs(rows_[i][j]) < 0x1p40)) throw DoublesFailed();
      }
  }

  IntegerMatrix reduced() {
    orthogonalize(0, size());
    // The last rows may be dependent as far as doubles show, until others are short: nothing is reduced by such.
    for (const double accuracy : {1e-5, 1e-9}) {
      double longest = 0;
      for (std::size_t i = 0; i < size(); ++i) longest = std::max(longest, std::abs(triangle_[i][i]));
      tiny_ = accuracy * longest;
      sweep_until_reduced();
    }
    IntegerMatrix result(size(), rows_[0].size());
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < rows_[i].size(); ++j)
        if (rows_[i][j] != 0) result.set(i, j, static_cast<long>(rows_[i][j]));
    return result;
  }

 private:
  static constexpr std::size_t width = 64;

  std::size_t size() const { return rows_.size(); }

  /// From right to left, each segment having half of the next one in common, until nothing changes.
  void sweep_until_reduced() {
    std::vector<std::size_t> starts;
    for (std::size_t s = 0; s + width < size(); s += width / 2) starts.push_back(s);
    starts.push_back(size() > width ? size() - width : 0);
    std::vector<char> open(starts.size(), 1);
    constexpr int most_sweeps = 2000;
    for (int sweep = 0; std::find(open.begin(), open.end(), 1) != open.end(); ++sweep) {
      if (sweep == most_sweeps) throw DoublesFailed();
      for (std::size_t i = starts.size(); i-- > 0;) {
        if (!open[i]) continue;
        task_.poll();
        const bool changed = reduce_segment(starts[i], std::min(starts[i] + width, size()));
        open[i] = unfinished_;
        if (!changed) continue;
        for (std::size_t j = 0; j < starts.size(); ++j)
          if (j != i && starts[j] < starts[i] + width && starts[i] < starts[j] + width) open[j] = 1;
      }
    }
    shorten_rows(0, size());
  }

  /// Makes directions_ and triangle_ right for these rows; those before are.
  void orthogonalize(std::size_t first, std::size_t last) {
    for (std::size_t from = std::min(first, known_); from < last; from = known_) {
      const std::size_t to = std::min(from + width, last);  // together, while they are near
      for (std::size_t k = from; k < to; ++k) {
        directions_[k] = rows_[k];
        triangle_[k].assign(k + 1, 0);
      }
      for (int pass = 0; pass < 2; ++pass)  // the second takes away what the first leaves by rounding
        for (std::size_t i = 0; i < from; ++i)
          for (std::size_t k = from; k < to; ++k) remove_direction(i, k);
      for (std::size_t k = from; k < to; ++k) {
        for (int pass = 0; pass < 2; ++pass)
          for (std::size_t i = from; i < k; ++i) remove_direction(i, k);
        RealRow& u = directions_[k];
        const double length = std::sqrt(inner_product(u, u));
        triangle_[k][k] = length;
        for (double& x : u) x = length > 0 ? x / length : 0;
      }
      known_ = to;
    }
    known_ = last;
  }
  void remove_direction(std::size_t i, std::size_t k) {
    const double c = inner_product(directions_[i], directions_[k]);
    triangle_[k][i] += c;
    add_multiple(directions_[k], -c, directions_[i], directions_[k].size());
  }

  bool reduce_segment(std::size_t first, std::size_t last) {
    orthogonalize(first, last);
    std::vector<RealRow> coordinates;
    for (std::size_t i = first; i < last; ++i)
      coordinates.emplace_back(triangle_[i].begin() + static_cast<std::ptrdiff_t>(first), triangle_[i].end());
    Segment segment(std::move(coordinates), tiny_);
    segment.reduce();
    unfinished_ = segment.is_unfinished();
    if (!segment.is_changed()) return false;
    apply(segment, first);
    shorten_rows(first, last);
    known_ = first;
    return true;
  }

  void apply(const Segment& segment, std::size_t first) {
    std::vector<RealRow> rows(segment.size()), triangle(segment.size());
    double largest = 0;
    for (std::size_t j = 0; j < segment.size(); ++j) largest = std::max(largest, largest_entry(rows_[first + j]));
    for (std::size_t i = 0; i < segment.size(); ++i) {
      double bound = 0;
      for (const double c : segment.multiples(i)) bound += std::abs(c) * largest;
      if (!(bound < largest_exact)) throw DoublesFailed();
      rows[i].assign(rows_[0].size(), 0);
      triangle[i].assign(first, 0);
      for (std::size_t j = 0; j < segment.size(); ++j)
        if (const double c = segment.multiples(i)[j]; c != 0) {
          add_multiple(rows[i], c, rows_[first + j], rows[i].size());
          add_multiple(triangle[i], c, triangle_[first + j], first);
        }
      const RealRow& inside = segment.coordinates(i);
      triangle[i].insert(triangle[i].end(), inside.begin(), inside.begin() + static_cast<std::ptrdiff_t>(i + 1));
    }
    std::move(rows.begin(), rows.end(), rows_.begin() + static_cast<std::ptrdiff_t>(first));
    std::move(triangle.begin(), triangle.end(), triangle_.begin() + static_cast<std::ptrdiff_t>(first));
  }

  /// By all rows before them.
  void shorten_rows(std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k)
      for (std::size_t j = k; j-- > 0;) {
        if (std::abs(triangle_[j][j]) < tiny_) continue;
        const double q = nearest_multiple(triangle_[k][j] / triangle_[j][j]);
        if (q == 0) continue;
        if (!(std::abs(q) * largest_entry(rows_[j]) + largest_entry(rows_[k]) < largest_exact)) throw DoublesFailed();
        add_multiple(triangle_[k], -q, triangle_[j], j + 1);
        add_multiple(rows_[k], -q, rows_[j], rows_[k].size());
      }
  }

  const Task& task_;
  std::vector<RealRow> rows_;        ///< integers
  std::vector<RealRow> directions_;  ///< orthonormal: of each row what is orthogonal to those before
  std::vector<RealRow> triangle_;    ///< the coordinates of row i in directions 0 to i
  std::size_t known_ = 0;            ///< so many rows have the right directions
  double tiny_ = 0;
  bool unfinished_ = false;
};

}  // namespace

std::optional<IntegerMatrix> segment_reduction(const IntegerMatrix& rows, const Task& task) {
  if (rows.rows() == 0) return rows;
  task.require_memory(std::uint64_t{8} * rows.rows() * (2 * rows.cols() + rows.rows()), "a reduced lattice");
  try {
    return SegmentReduction(rows, task).reduced();
  } catch (const DoublesFailed&) {
    return std::nullopt;
  }
}

}  // namespace intertwine
