// The symmetry operations of measured points.
#pragma once
#include <cstdint>
#include <optional>
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
  /// \param factor  operations may be asked for up to so many tolerances, as far as points can be told apart
  /// \throws DomainError if two points are closer than twice the tolerance, naming them, counted from 1
  PointSet(std::vector<Vector3> points, std::vector<std::uint32_t> kinds, double tolerance, double factor,
           const Task& task);

  /// The largest deviation that may be asked for: at least the tolerance, at most half the least distance of two
  /// points.
  double widest() const { return widest_; }

  /// The largest distance that turns about the line nearest to the points take one of them, twice its distance from
  /// that line.
  double off_line(Vector3& direction) const;
  /// Is this very matrix an operation within this distance, at most widest()?
  bool admits(const Matrix3& matrix, double within, PointOperation& found) const;
  /// The operations within this distance, at most widest(), those of the least deviation first, the identity too. The
  /// points are farther than that from any line. Of a group within it at least generators are found.
  std::vector<PointOperation> operations(double within) const;
  /// The operation with these images: the matrix that is nearest to them by least squares.
  PointOperation fitted(std::vector<std::uint32_t> images, int determinant) const;

 private:
  struct Reference;
  Reference reference(double within) const;
  std::optional<std::uint32_t> nearest(std::uint32_t point, const Matrix3& matrix) const;
  bool paired(const Matrix3& matrix, std::vector<std::uint32_t>& images) const;
  bool roughly_paired(Matrix3& matrix) const;
  bool operation_near(Matrix3 matrix, double within, PointOperation& found) const;
  std::vector<std::uint32_t> alike(std::uint32_t point, double within) const;
  std::uint64_t cell_of(const Vector3& v, int x, int y, int z) const;

  std::vector<Vector3> points_;
  std::vector<std::uint32_t> kinds_;
  double tolerance_, widest_ = 0, reach_ = 0, edge_ = 1;
  Task task_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> cells_;  ///< (cell, point), sorted
};

}  // namespace intertwine
