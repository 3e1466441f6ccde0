// The symmetry operations of measured points.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "intertwine/physics/molecule.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// An operation about the origin. Determined by where it takes the points and by its determinant (which matters where the points
/// lie in a plane), so that products of operations are exact.
struct PointOperation {
  std::vector<std::uint32_t> images;
  int determinant;
  Matrix3 matrix;    ///< the nearest orthogonal one
  double deviation;  ///< the largest distance of an image from the point at its place
};

/// Points of several kinds about their mean.
class PointSet {
 public:
  /// \param kinds  a number for every point; only points of one kind are taken to one another
  /// \throws DomainError if two points are closer than twice the tolerance, naming them, counted from 1
  PointSet(std::vector<Vector3> points, std::vector<std::uint32_t> kinds, double tolerance, const Task& task);

  /// Do all turns about one direction keep every point within the tolerance? \param deviation  the largest distance that a point
  /// goes, twice its distance from the line
  bool on_a_line(Vector3& direction, double& deviation) const;
  /// Is this very matrix an operation within the tolerance?
  bool admits(const Matrix3& matrix, PointOperation& found) const;
  /// A group of operations as molecular_symmetry describes it, the identity first. The points are on no line.
  std::vector<PointOperation> group() const;

 private:
  struct Reference;
  Reference reference() const;
  std::vector<PointOperation> candidates() const;
  bool paired(const Matrix3& matrix, std::vector<std::uint32_t>& images) const;
  bool operation_near(const Matrix3& matrix, PointOperation& found) const;
  bool fitted(std::vector<std::uint32_t> images, int determinant, PointOperation& found) const;
  void enlarge(std::vector<PointOperation>& group, std::vector<PointOperation>& generators,
               const PointOperation& by) const;
  std::vector<std::uint32_t> alike(std::uint32_t point) const;
  std::uint64_t cell_of(const Vector3& v, int x, int y, int z) const;

  std::vector<Vector3> points_;
  std::vector<std::uint32_t> kinds_;
  double tolerance_, reach_ = 0, edge_ = 1;
  Task task_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> cells_;  ///< (cell, point), sorted
};

}  // namespace intertwine
