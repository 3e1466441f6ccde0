// Searches for the operations of measured points.
#include "physics/point_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "intertwine/error.hpp"
#include "physics/space.hpp"

namespace intertwine {

using namespace space;

namespace {

/// Orthonormal axes: along a, then towards b, then across both; `sense` is the sign of their determinant. As columns.
Matrix3 point_axes(const Vector3& a, const Vector3& b, int sense) {
  const Vector3 x = unit(a), y = unit(across(b, x));
  return transpose({x, y, static_cast<double>(sense) * cross(x, y)});
}

}  // namespace

PointSet::PointSet(std::vector<Vector3> points, std::vector<std::uint32_t> kinds, double tolerance,
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
          auto at = std::lower_bound(cells_.begin(), cells_.end(),
                                     std::pair<std::uint64_t, std::uint32_t>(cell, 0));
          for (; at != cells_.end() && at->first == cell; ++at) visit(at->second);
        }
  };
  // The least distance of two points of one kind, as far as it matters, from ever larger cells.
  const double wide = std::max(4 * tolerance_, 1.0);
  fill(wide);
  double nearest = 2 * wide;
  for (std::uint32_t i = 0; i < n; ++i) {
    task_.poll();
    neighbours(points_[i], [&](std::uint32_t j) {
      if (j <= i) return;
      const double distance = length(points_[i] - points_[j]);
      if (distance < 2 * tolerance_)
        throw DomainError(
            fmt::format(
                "atoms {} and {} are {:.4g} apart, less than twice the tolerance {:.4g}, which cannot tell "
                "them apart; correct the file or lower the tolerance",
                i + 1, j + 1, distance, tolerance_),
            Remedy::tolerance);
      if (kinds_[i] == kinds_[j]) nearest = std::min(nearest, distance);
    });
  }
  reach_ = nearest / 2;
  fill(reach_);
}

std::uint64_t PointSet::cell_of(const Vector3& v, int x, int y, int z) const {
  constexpr double middle = 1 << 20;
  const auto part = [&](double a, int shift) {
    return static_cast<std::uint64_t>(
        std::clamp(std::floor(a / edge_) + shift + middle, 0.0, 2 * middle - 1));
  };
  return part(v[0], x) << 42U | part(v[1], y) << 21U | part(v[2], z);
}

bool PointSet::on_a_line(Vector3& direction, double& deviation) const {
  Matrix3 moments{};
  for (const Vector3& p : points_)
    for (std::size_t i = 0; i < 3; ++i) moments[i] = moments[i] + p[i] * p;
  const auto longest = spectrum(moments).vectors.back();
  direction = {longest[0], longest[1], longest[2]};
  deviation = 0;
  for (const Vector3& p : points_) deviation = std::max(deviation, 2 * length(across(p, direction)));
  return deviation <= tolerance_;
}

/// Finds the image of every point under the matrix: the nearest one of its kind, if it is within reach and nobody
/// else's.
bool PointSet::paired(const Matrix3& matrix, std::vector<std::uint32_t>& images) const {
  const std::size_t n = points_.size();
  images.assign(n, 0);
  std::vector<bool> taken(n, false);
  for (std::size_t i = 0; i < n; ++i) {
    const Vector3 v = matrix * points_[i];
    double best = std::max(reach_, tolerance_) * (1 + 1e-12);
    bool found = false;
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const std::uint64_t cell = cell_of(v, x, y, z);
          auto at = std::lower_bound(cells_.begin(), cells_.end(),
                                     std::pair<std::uint64_t, std::uint32_t>(cell, 0));
          for (; at != cells_.end() && at->first == cell; ++at) {
            const std::uint32_t j = at->second;
            const double distance = length(v - points_[j]);
            if (kinds_[j] == kinds_[i] && distance <= best) best = distance, images[i] = j, found = true;
          }
        }
    if (!found || taken[images[i]]) return false;
    taken[images[i]] = true;
  }
  return true;
}

bool PointSet::fitted(std::vector<std::uint32_t> images, int determinant, PointOperation& found) const {
  Matrix3 correlation{};
  for (std::size_t i = 0; i < points_.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      correlation[k] = correlation[k] + (determinant * points_[images[i]][k]) * points_[i];
  Matrix3 matrix = nearest_rotation(correlation);
  if (determinant < 0) matrix = negative(matrix);
  double deviation = 0;
  for (std::size_t i = 0; i < points_.size(); ++i)
    deviation = std::max(deviation, length(matrix * points_[i] - points_[images[i]]));
  found = {std::move(images), determinant, matrix, deviation};
  return deviation <= tolerance_;
}

bool PointSet::admits(const Matrix3& matrix, PointOperation& found) const {
  found = {{}, determinant(matrix) > 0 ? 1 : -1, matrix, 0};
  if (!paired(matrix, found.images)) return false;
  for (std::size_t i = 0; i < points_.size(); ++i)
    found.deviation = std::max(found.deviation, length(matrix * points_[i] - points_[found.images[i]]));
  return found.deviation <= tolerance_;
}

/// The operation that is nearest to an orthogonal matrix, if there is one within the tolerance.
bool PointSet::operation_near(const Matrix3& matrix, PointOperation& found) const {
  std::vector<std::uint32_t> images;
  if (!paired(matrix, images)) return false;
  const int determinant = space::determinant(matrix) > 0 ? 1 : -1;
  constexpr int rounds = 4;  // the first matrix comes from two points, the next ones from all
  for (int k = 0; k < rounds; ++k) {
    const bool within = fitted(images, determinant, found);
    std::vector<std::uint32_t> again;
    if (!paired(found.matrix, again)) return within;
    if (again == images) return within;
    images = std::move(again);
  }
  return fitted(images, determinant, found);
}

/// The points that an operation may take this one to, by kind and distance from the origin.
std::vector<std::uint32_t> PointSet::alike(std::uint32_t point) const {
  std::vector<std::uint32_t> result;
  for (std::uint32_t j = 0; j < points_.size(); ++j)
    if (kinds_[j] == kinds_[point] && std::abs(length(points_[j]) - length(points_[point])) <= tolerance_)
      result.push_back(j);
  return result;
}

struct PointSet::Reference {
  std::uint32_t a, b;
};

/// Two points not in line with the origin, far enough out to fix an operation well, and with few that look like them.
PointSet::Reference PointSet::reference() const {
  // Sorted by kind and distance, the points alike are an interval.
  const std::size_t n = points_.size();
  std::vector<std::pair<std::uint32_t, double>> keys;
  for (std::size_t i = 0; i < n; ++i) keys.emplace_back(kinds_[i], length(points_[i]));
  std::vector<std::pair<std::uint32_t, double>> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  const auto number_alike = [&](std::size_t i) {
    const auto& [kind, r] = keys[i];
    return std::upper_bound(sorted.begin(), sorted.end(), std::pair(kind, r + tolerance_)) -
           std::lower_bound(sorted.begin(), sorted.end(), std::pair(kind, r - tolerance_));
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
      if (number < fewest || (number == fewest && size(i) > largest + tolerance_))
        fewest = number, best = i, largest = size(i);
    }
    return best;
  };
  const std::uint32_t a = choose([&](std::uint32_t i) { return keys[i].second; });
  const Vector3 axis = unit(points_[a]);
  return {a, choose([&](std::uint32_t i) { return length(across(points_[i], axis)); })};
}

std::vector<PointOperation> PointSet::candidates() const {
  const auto [a, b] = reference();
  const auto images_of_a = alike(a), images_of_b = alike(b);
  const double apart = length(points_[a] - points_[b]);
  std::set<std::pair<std::vector<std::uint32_t>, int>> seen;
  std::vector<PointOperation> found;
  const Matrix3 from = transpose(point_axes(points_[a], points_[b], 1));
  for (const std::uint32_t c : images_of_a)
    for (const std::uint32_t d : images_of_b) {
      task_.poll();
      if (c == d || std::abs(length(points_[c] - points_[d]) - apart) > 2 * tolerance_) continue;
      if (length(across(points_[d], unit(points_[c]))) < tolerance_) continue;
      for (const int sense : {1, -1}) {
        PointOperation operation;
        if (!operation_near(point_axes(points_[c], points_[d], sense) * from, operation)) continue;
        if (seen.emplace(operation.images, operation.determinant).second)
          found.push_back(std::move(operation));
      }
    }
  std::stable_sort(found.begin(), found.end(), [](const PointOperation& g, const PointOperation& h) {
    return g.deviation < h.deviation;
  });
  return found;
}

/// The group generated by a group, given with its generators, and one more operation; unchanged if that goes beyond the tolerance.
void PointSet::enlarge(std::vector<PointOperation>& group, std::vector<PointOperation>& generators,
                       const PointOperation& by) const {
  std::vector<PointOperation> larger = group, steps = generators;
  steps.push_back(by);
  std::set<std::pair<std::vector<std::uint32_t>, int>> seen;
  for (const PointOperation& g : group) seen.emplace(g.images, g.determinant);
  if (seen.contains({by.images, by.determinant})) return;
  for (std::size_t k = 0; k < larger.size(); ++k)
    for (std::size_t s = k < group.size() ? generators.size() : 0; s < steps.size(); ++s) {
      task_.poll();
      std::vector<std::uint32_t> images(points_.size());
      for (std::size_t i = 0; i < images.size(); ++i) images[i] = steps[s].images[larger[k].images[i]];
      const int determinant = steps[s].determinant * larger[k].determinant;
      if (!seen.emplace(images, determinant).second) continue;
      PointOperation product;
      if (!fitted(std::move(images), determinant, product)) return;
      larger.push_back(std::move(product));
    }
  group = std::move(larger);
  generators = std::move(steps);
}

std::vector<PointOperation> PointSet::group() const {
  PointOperation first;
  std::vector<std::uint32_t> fixed(points_.size());
  std::iota(fixed.begin(), fixed.end(), 0U);
  fitted(std::move(fixed), 1, first);
  std::vector<PointOperation> group{first}, generators;
  for (const PointOperation& operation : candidates()) enlarge(group, generators, operation);
  return group;
}

}  // namespace intertwine
