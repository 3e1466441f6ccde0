// The orbits of a group on all the entries of a matrix, each with a shortest word that carries its first entry to each of
// its entries: what a picture says of an entry, and an answer to "why are these two weights the same?".
//
// OrbitalPattern answers which parameter an entry has from one row of labels; here every entry is visited, so that the words
// are shortest.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "intertwine/combinatorics/signed_permutation.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A product of generators, the first letter acting last: k + 1 for generator k, -(k + 1) for its inverse.
using GeneratorWord = std::vector<std::int32_t>;

/// A group acts on the m rows and the n columns by signed permutations, so on the entries: g takes (i, j) to (g i, g j) with
/// the product of the two signs. Immutable and safe to read from many threads. Memory: about 13 bytes an entry.
class EntryOrbits {
 public:
  struct Orbit {
    MatrixEntry first;       ///< the smallest in row-major order
    std::uint64_t size = 0;  ///< entries
    /// An element that fixes `first` and negates it, if there is one: then every equivariant matrix is zero on the orbit.
    std::optional<GeneratorWord> negating;
  };

  /// \param row_images, col_images  the images of the same generators, of degrees rows and cols.
  /// \throws DomainError if the numbers or degrees of the images do not fit; LimitError for 2^32 - 1 entries or more, or
  /// through `task`.
  /// \par Cost  O(m n) steps a generator.
  EntryOrbits(std::uint64_t rows, std::uint64_t cols, std::vector<SignedPermutation> row_images,
              std::vector<SignedPermutation> col_images, const Task& task = {});

  /// By their first entries, in row-major order.
  const std::vector<Orbit>& orbits() const { return orbits_; }
  /// [m n] the number of the orbit of each entry, row-major.
  std::span<const std::uint32_t> orbit_of() const { return orbit_of_; }
  /// [m n] the last letter to act of word(): 0 at first entries, 1 + 2k for generator k, 2 + 2k for its inverse. The
  /// entry before it has a word shorter by this letter.
  std::span<const std::uint32_t> steps() const { return steps_; }
  /// The entry (row-major) to which the step of an entry takes it; the entry itself if it is a first one.
  std::uint64_t parent(std::uint64_t entry) const {
    if (steps_[entry] == 0) return entry;
    const Move& back = moves_[(steps_[entry] - 1) ^ 1U];
    return std::uint64_t{back.row[entry / cols_].point()} * cols_ + back.col[entry % cols_].point();
  }
  /// [m n] the sign with which word() takes the first entry to this one.
  const std::vector<bool>& negative() const { return negative_; }

  /// A shortest word for an element that takes the first entry of the orbit of (i, j) to (i, j). \throws DomainError for an
  /// entry outside of the matrix.
  GeneratorWord word(std::uint64_t i, std::uint64_t j) const;

 private:
  struct Move {
    std::vector<SignedPoint> row, col;
  };
  void explore(std::uint64_t root, std::vector<std::uint32_t>& queue, const Task& task);
  GeneratorWord word_at(std::uint64_t entry) const;

  std::uint64_t rows_, cols_;
  std::vector<Move> moves_;  ///< 2k: generator k, 2k + 1: its inverse
  std::vector<bool> other_;  ///< by move: it is not the same as the one before it
  std::vector<Orbit> orbits_;
  std::vector<std::uint32_t> orbit_of_, steps_;
  std::vector<bool> negative_;
};

}  // namespace intertwine
