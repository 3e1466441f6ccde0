// Searches for the operations of measured points.
#include "physics/point_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "intertwine/error.hpp"
#include "intertwine/physics/space.hpp"

namespace intertwine {

using namespace space;

namespace {

/// Orthonormal axes: along a, then towards b, then across both; `sense` is the sign of their determinant. As columns.
Matrix3 point_axes(const Vector3& a, const Vector3& b, int sense) {
  const Vector3 x = unit(a), y = unit(across(b, x));
  return transpose({x, y, static_cast<double>(sense) * cross(x, y)});
}

}  // namespace

PointSet::PointSet(std::vector<Vector3> points, std::vector<std::uint32_t> kinds, double tolerance, double factor,
                   const Task& task)
    : points_(std::move(points)), kinds_(std::move(kinds)), tolerance_(tolerance), task_(task) {
  const std::size_t n = points_.size();
  double radius = 0;
  for (const Vector3& p : points_) radius = std::max(radius, length(p));
  // Cells of the reach of a search: first of twice the tolerance, to see that all points can be told apart.
  const auto fill = [&](double edge) {
    edge_ = std::max(edge, radius / 1e5);  // three numbers of a cell fit into 21 bits each
    cells_.clear();
    for (std::uint32_t i = 0; i < n; ++i) cells_.emplace_back(cell_of(points_[i], 0, 0, 0), i);
    std::sort(cells_.begin(), cells_.end());
  };
  const auto neighbours = [&](const Vector3& v, auto&& visit) {
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const std::uint64_t cell = cell_of(v, x, y, z);
          auto at = std::lower_bound(cells_.begin(), cells_.end(), std::pair<std::uint64_t, std::uint32_t>(cell, 0));
          for (; at != cells_.end() && at->first == cell; ++at) visit(at->second);
        }
  };
  // The least distance of two points, and of two of one kind, as far as they matter.
  const double wide = std::max(2 * factor * tolerance_, 1.0);
  fill(wide);
  double nearest = 2 * wide, closest = wide;
  for (std::uint32_t i = 0; i < n; ++i) {
    task_.poll();
    neighbours(points_[i], [&](std::uint32_t j) {
      if (j <= i) return;
      const double distance = length(points_[i] - points_[j]);
      if (distance < 2 * tolerance_)
        throw DomainError(
            fmt::format("atoms {} and {} are {:.4g} apart, less than twice the tolerance {:.4g}, which cannot tell "
                        "them apart; correct the file or lower the tolerance",
                        i + 1, j + 1, distance, tolerance_),
            Remedy::tolerance);
      closest = std::min(closest, distance);
      if (kinds_[i] == kinds_[j]) nearest = std::min(nearest, distance);
    });
  }
  widest_ = std::min(factor * tolerance_, closest / 2);
  reach_ = nearest / 2;
  fill(reach_);
}

std::uint64_t PointSet::cell_of(const Vector3& v, int x, int y, int z) const {
  constexpr double middle = 1 << 20;
  const auto part = [&](double a, int shift) {
    return static_cast<std::uint64_t>(std::clamp(std::floor(a / edge_) + shift + middle, 0.0, 2 * middle - 1));
  };
  return part(v[0], x) << 42U | part(v[1], y) << 21U | part(v[2], z);
}

double PointSet::off_line(Vector3& direction) const {
  Matrix3 moments{};
  for (const Vector3& p : points_)
    for (std::size_t i = 0; i < 3; ++i) moments[i] = moments[i] + p[i] * p;
  const auto longest = spectrum(moments).vectors.back();
  direction = {longest[0], longest[1], longest[2]};
  double deviation = 0;
  for (const Vector3& p : points_) deviation = std::max(deviation, 2 * length(across(p, direction)));
  return deviation;
}

/// The nearest point of its kind to the image of a point, if there is one within reach.
std::optional<std::uint32_t> PointSet::nearest(std::uint32_t point, const Matrix3& matrix) const {
  const Vector3 v = matrix * points_[point];
  double best = std::max(reach_, widest_) * (1 + 1e-12);
  std::optional<std::uint32_t> found;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        const std::uint64_t cell = cell_of(v, x, y, z);
        auto at = std::lower_bound(cells_.begin(), cells_.end(), std::pair<std::uint64_t, std::uint32_t>(cell, 0));
        for (; at != cells_.end() && at->first == cell; ++at) {
          const double distance = length(v - points_[at->second]);
          if (kinds_[at->second] == kinds_[point] && distance <= best) best = distance, found = at->second;
        }
      }
  return found;
}

/// Finds the image of every point under the matrix: the nearest one of its kind, if it is within reach and nobody
/// else's.
bool PointSet::paired(const Matrix3& matrix, std::vector<std::uint32_t>& images) const {
  images.assign(points_.size(), 0);
  std::vector<bool> taken(points_.size(), false);
  for (std::uint32_t i = 0; i < points_.size(); ++i) {
    const auto found = nearest(i, matrix);
    if (!found || taken[*found]) return false;
    images[i] = *found;
    taken[images[i]] = true;
  }
  return true;
}

/// Corrects a matrix that two points gave, by the points that it takes near others: two points of many may be off by
/// more than half the distance of neighbours. False if it takes too few of them near others.
bool PointSet::roughly_paired(Matrix3& matrix) const {
  constexpr std::size_t looked_at = 64;
  const std::size_t step = 1 + (points_.size() - 1) / looked_at, all = 1 + (points_.size() - 1) / step;
  const double sense = determinant(matrix) > 0 ? 1 : -1;
  std::vector<std::uint32_t> taken;
  Matrix3 correlation{};
  std::size_t missed = 0;
  for (std::size_t i = 0; i < points_.size(); i += step) {
    const auto found = nearest(static_cast<std::uint32_t>(i), matrix);
    if (!found || std::ranges::find(taken, *found) != taken.end()) {
      if (++missed > all / 2) return false;
      continue;
    }
    taken.push_back(*found);
    for (std::size_t k = 0; k < 3; ++k) correlation[k] = correlation[k] + (sense * points_[*found][k]) * points_[i];
  }
  if (missed == 0) return true;  // paired() does the rest
  matrix = nearest_rotation(correlation);
  if (sense < 0) matrix = negative(matrix);
  return true;
}

PointOperation PointSet::fitted(std::vector<std::uint32_t> images, int determinant) const {
  Matrix3 correlation{};
  for (std::size_t i = 0; i < points_.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      correlation[k] = correlation[k] + (determinant * points_[images[i]][k]) * points_[i];
  Matrix3 matrix = nearest_rotation(correlation);
  if (determinant < 0) matrix = negative(matrix);
  double deviation = 0;
  for (std::size_t i = 0; i < points_.size(); ++i)
    deviation = std::max(deviation, length(matrix * points_[i] - points_[images[i]]));
  return {std::move(images), determinant, matrix, deviation};
}

bool PointSet::admits(const Matrix3& matrix, double within, PointOperation& found) const {
  found = {{}, determinant(matrix) > 0 ? 1 : -1, matrix, 0};
  if (!paired(matrix, found.images)) return false;
  for (std::size_t i = 0; i < points_.size(); ++i)
    found.deviation = std::max(found.deviation, length(matrix * points_[i] - points_[found.images[i]]));
  return found.deviation <= within;
}

/// The operation that is nearest to an orthogonal matrix, if there is one within this distance.
bool PointSet::operation_near(Matrix3 matrix, double within, PointOperation& found) const {
  const int determinant = space::determinant(matrix) > 0 ? 1 : -1;
  constexpr int rounds = 4;  // the first matrix comes from two points, the next ones from all
  std::vector<std::uint32_t> images;
  for (int k = 0; k < rounds; ++k) {
    if (paired(matrix, images)) break;
    if (k + 1 == rounds || !roughly_paired(matrix)) return false;
  }
  for (int k = 0; k < rounds; ++k) {
    found = fitted(images, determinant);
    std::vector<std::uint32_t> again;
    if (!paired(found.matrix, again) || again == images) break;
    images = std::move(again);
  }
  return found.deviation <= within;
}

/// The points that an operation may take this one to, by kind and distance from the origin.
std::vector<std::uint32_t> PointSet::alike(std::uint32_t point, double within) const {
  std::vector<std::uint32_t> result;
  for (std::uint32_t j = 0; j < points_.size(); ++j)
    if (kinds_[j] == kinds_[point] && std::abs(length(points_[j]) - length(points_[point])) <= within)
      result.push_back(j);
  return result;
}

struct PointSet::Reference {
  std::uint32_t a, b;
};

/// Two points not in line with the origin, far enough out to fix an operation well, and with few that look like them.
PointSet::Reference PointSet::reference(double within) const {
  // Sorted by kind and distance, the points alike are an interval.
  const std::size_t n = points_.size();
  std::vector<std::pair<std::uint32_t, double>> keys;
  for (std::size_t i = 0; i < n; ++i) keys.emplace_back(kinds_[i], length(points_[i]));
  std::vector<std::pair<std::uint32_t, double>> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  const auto number_alike = [&](std::size_t i) {
    const auto& [kind, r] = keys[i];
    return std::upper_bound(sorted.begin(), sorted.end(), std::pair(kind, r + within)) -
           std::lower_bound(sorted.begin(), sorted.end(), std::pair(kind, r - within));
  };
  const auto choose = [&](auto&& size) {
    double most = 0;
    for (std::uint32_t i = 0; i < n; ++i) most = std::max(most, size(i));
    std::uint32_t best = 0;
    auto fewest = std::numeric_limits<std::ptrdiff_t>::max();
    double largest = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (size(i) < 0.3 * most) continue;
      const auto number = number_alike(i);
      if (number < fewest || (number == fewest && size(i) > largest + within))
        fewest = number, best = i, largest = size(i);
    }
    return best;
  };
  const std::uint32_t a = choose([&](std::uint32_t i) { return keys[i].second; });
  const Vector3 axis = unit(points_[a]);
  return {a, choose([&](std::uint32_t i) { return length(across(points_[i], axis)); })};
}

std::vector<PointOperation> PointSet::operations(double within) const {
  const auto [a, b] = reference(within);
  const auto images_of_a = alike(a, within), images_of_b = alike(b, within);
  const double apart = length(points_[a] - points_[b]);
  std::vector<std::uint32_t> fixed(points_.size());
  std::iota(fixed.begin(), fixed.end(), 0U);
  std::vector<PointOperation> found{fitted(fixed, 1)};
  std::set<std::pair<std::vector<std::uint32_t>, int>> seen{{std::move(fixed), 1}};
  const Matrix3 from = transpose(point_axes(points_[a], points_[b], 1));
  constexpr double in_line = 1e-6;  // of two points whose image cannot be turned as they are
  for (const std::uint32_t c : images_of_a)
    for (const std::uint32_t d : images_of_b) {
      task_.poll();
      if (c == d || std::abs(length(points_[c] - points_[d]) - apart) > 2 * within) continue;
      if (length(across(points_[d], unit(points_[c]))) < in_line * length(points_[d])) continue;
      for (const int sense : {1, -1}) {
        PointOperation operation;
        if (!operation_near(point_axes(points_[c], points_[d], sense) * from, within, operation)) continue;
        if (seen.emplace(operation.images, operation.determinant).second) found.push_back(std::move(operation));
      }
    }
  std::stable_sort(found.begin() + 1, found.end(),
                   [](const PointOperation& g, const PointOperation& h) { return g.deviation < h.deviation; });
  return found;
}

}  // namespace intertwine
