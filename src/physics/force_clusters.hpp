// Sets of atoms of a supercell up to symmetry, and the tensors that their stabilizers leave fixed.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "intertwine/task.hpp"
#include "physics/supercell.hpp"

namespace intertwine {

/// Sets of n atoms, which may repeat, all closer to one another than a cutoff.
class ForceClusters {
 public:
  static constexpr std::size_t most = 4;
  using Tuple = std::array<std::uint32_t, most>;  ///< the first n are used
  using Tensor = std::vector<std::int64_t>;       ///< 3^n entries, the first index slowest
  using SparseTensor = std::vector<std::pair<std::uint8_t, std::int64_t>>;

  struct Orbit {
    Tuple atoms;                      ///< the first set, as a tuple
    std::vector<SparseTensor> basis;  ///< independent tensors of this tuple that its stabilizer leaves fixed
    std::size_t first;                ///< the number of the first of them among those of all orbits
    std::uint64_t sets;               ///< in the supercell
  };
  /// A set up to translations: operation `operation` and a translation take the tuple of an orbit to `atoms`.
  struct Image {
    Tuple atoms;
    std::uint32_t orbit, operation, repeats;  ///< repeats: translations that take the set to itself
  };

  /// \param tensors  are the tensors wanted? \throws DomainError for a distance that is too near to the cutoff; LimitError
  ForceClusters(const Supercell& cell, unsigned n, std::optional<double> cutoff, bool tensors, const Task& task);

  const std::vector<Orbit>& orbits() const { return orbits_; }
  const std::vector<Image>& images() const { return images_; }
  /// Tensors of all orbits.
  std::size_t size() const { return size_; }
  bool near(std::uint32_t a, std::uint32_t b) const { return !cutoff_ || cell_->distance(a, b) < *cutoff_; }
  /// The image that is this set up to a translation, and for every index of its tuple the place in `tuple` that is its own.
  std::pair<const Image*, std::array<std::uint8_t, most>> find(const Tuple& tuple) const;
  /// The tensor of an image, its indices in the order of Image::atoms.
  Tensor moved(const SparseTensor& tensor, const Image& image) const;

 private:
  std::uint64_t key(const Tuple& tuple, std::uint32_t* by) const;
  void visit(std::vector<std::uint32_t>& chosen, const std::vector<std::uint32_t>& candidates, std::size_t from,
             bool tensors, const Task& task);
  void add_orbit(const Tuple& tuple, bool tensors, const Task& task);
  std::vector<SparseTensor> fixed_tensors(const Tuple& tuple, const Task& task) const;

  const Supercell* cell_;
  std::size_t n_;
  std::optional<double> cutoff_;
  std::vector<Orbit> orbits_;
  std::vector<Image> images_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::size_t size_ = 0;
  std::uint64_t entries_ = 0;  ///< of all tensors, for limits of memory
};

}  // namespace intertwine
