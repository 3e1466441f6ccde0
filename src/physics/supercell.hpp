// A supercell and its symmetries: operations of the space group that keep its lattice, modulo that lattice.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "intertwine/physics/crystal.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Atoms are numbered by their atom of the primitive cell and their translation: atom = primitive * translations +
/// translation. The group has operations x translations elements.
struct Supercell {
  using Integral3 = std::array<std::array<int, 3>, 3>;

  CrystalStructure structure;  ///< as given, repeated: images of one atom behind one another, along a first
  Matrix3 edges;               ///< rows: edges of the standard cell in the axes of `structure`, symmetrized
  std::size_t primitive = 0, translations = 0;
  std::vector<std::uint32_t> given;              ///< the number in `structure` of every atom
  std::vector<std::uint32_t> internal;           ///< and the other way round
  std::vector<std::uint32_t> sums, differences;  ///< of translations, [translations][translations]
  struct Operation {
    Integral3 W, inverse;
    std::vector<std::uint32_t> image;  ///< of every atom
  };
  std::vector<Operation> operations;  ///< the identity first
  std::vector<double> distances;      ///< [primitive][atoms]: from an atom without translation to the nearest image

  std::size_t size() const { return primitive * translations; }
  std::uint32_t translation(std::uint32_t atom) const { return atom % static_cast<std::uint32_t>(translations); }
  std::uint32_t moved(std::uint32_t atom, std::uint32_t by) const {
    const auto t = translation(atom);
    return atom - t + sums[t * translations + by];
  }
  /// From one to another translation: to - from.
  std::uint32_t difference(std::uint32_t to, std::uint32_t from) const { return differences[to * translations + from]; }
  double distance(std::uint32_t a, std::uint32_t b) const {
    const auto t = translation(b);
    return distances[a / translations * size() + (b - t + difference(t, translation(a)))];
  }
};

/// \throws DomainError if a number of cells is 0; LimitError above 10,000 atoms, and for edges of more than 10,000 standard cells
Supercell make_supercell(const CrystalSymmetry& crystal, const std::array<unsigned, 3>& cells, const Task& task = {});

}  // namespace intertwine
