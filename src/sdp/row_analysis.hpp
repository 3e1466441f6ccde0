// The rows of a problem under its group: orbits of blocks and of entries, and the irreducible representations on them.
#pragma once
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/representations/first_rows.hpp"
#include "intertwine/sdp/semidefinite_problem.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"
#include "intertwine/task.hpp"

namespace intertwine::sdp {

using Complex = std::complex<double>;

/// A dense square matrix of doubles, row-major.
struct Square {
  std::size_t n = 0;
  std::vector<Complex> entries;
  explicit Square(std::size_t size) : n(size), entries(size * size) {}
  Complex& operator()(std::size_t i, std::size_t j) { return entries[i * n + j]; }
  const Complex& operator()(std::size_t i, std::size_t j) const { return entries[i * n + j]; }
};

/// L with G = L L^*.
Square cholesky(const Square& G);

/// An entry (row, column, value) of L^{-1} (the matrix of an orbit of entries) in the basis of first rows.
struct BlockEntry {
  std::uint32_t row, col;
  Complex value;
};

/// One irreducible representation on the rows of a block.
struct Component {
  std::size_t block = 0;   ///< the first place in the reduced problem
  std::size_t copies = 0;  ///< m
  bool is_complex = false;
  double weight = 1;                            ///< <A, X> is the sum of weight <block of A, Z> over all components
  Square L{0};                                  ///< of the Gram matrix of the first rows
  std::vector<std::vector<BlockEntry>> orbits;  ///< for every orbit of entries E: B with E X = X B
  std::shared_ptr<const FirstRows> exact;       ///< X itself, while a problem is reduced; none for a block of size 1
};

/// An orbit of blocks under the group, by its first block.
struct BlockOrbit {
  std::uint32_t size = 0;
  std::vector<std::uint32_t> units;
  std::vector<std::vector<SignedPoint>> images;   ///< of every unit: where the rows of the first one go
  std::shared_ptr<const OrbitalPattern> pattern;  ///< none for blocks of size 1
  std::vector<std::int64_t> orbit_sizes = {1};
  struct Coordinate {
    std::uint32_t number = 0;
    int sign = 0;  ///< 0: symmetric matrices vanish on the orbit
  };
  std::vector<Coordinate> coordinates = {{0, 1}};  ///< of every orbit of entries
  std::size_t first_coordinate = 0;
  std::vector<Component> components;

  /// Plus or minus an orbit of entries, from 1; 0 where invariant matrices vanish.
  std::int64_t label(std::uint32_t i, std::uint32_t j) const { return pattern ? pattern->label(i, j) : 1; }
};

struct RowPlace {
  std::uint32_t orbit = 0;
  SignedPoint local;  ///< the row of the first block that the group takes here, with the sign
};

struct RowAnalysis {
  std::vector<BlockOrbit> orbits;
  std::vector<RowPlace> places;
  std::vector<ReducedBlock> blocks;
  std::size_t coordinates = 0;
  std::uint64_t variables = 0;  ///< that the blocks hold
};

/// The rows of a problem under a group that takes blocks to blocks.
RowAnalysis analysed_rows(const Problem& problem, const Representation& rows, const Task& task);

/// The mean of a matrix over the group: the sums of its entries over the orbits, of every orbit of blocks.
using OrbitSums = std::map<std::pair<std::uint32_t, std::size_t>, Rational>;
OrbitSums orbit_sums(const SymmetricMatrix& A, const RowAnalysis& analysis);

}  // namespace intertwine::sdp
