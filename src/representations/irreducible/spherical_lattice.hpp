// The lattice that images of a spherical vector generate.
#pragma once
#include <cstdint>
#include <vector>

#include "spherical.hpp"

namespace intertwine {

/// All numbers times the same rational one, so that they are integers without a common factor; not all must be 0.
std::vector<std::vector<Integer>> without_common_factor(const std::vector<std::vector<Rational>>& lists,
                                                        const Task& task);

/// The numbers that occur as coordinates, as integral coordinates over K without a common factor.
class CodeTable {
 public:
  CodeTable(const SphericalVector& v, const AbelianField& K);

  const std::vector<Integer>& operator[](std::uint32_t code) const { return values_[code]; }
  std::size_t size() const { return values_.size(); }
  /// Every number times a.
  void multiply_by_generator();
  std::vector<std::uint64_t> reduced(const AbelianField::SplitPrime& prime) const;

 private:
  AbelianField K_;
  std::vector<std::vector<Integer>> values_;
};

/// Rows a^j x for the images x, the coordinates at a^l in columns l n, ..., l n + n - 1; m = [K : Q].
IntegerMatrix lattice_rows(const std::vector<SphericalVector::Codes>& images, CodeTable table, std::size_t m);

}  // namespace intertwine
