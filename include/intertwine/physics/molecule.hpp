// The point group of a molecule, found from measured positions within a stated tolerance, and the frame it stands in.
//
// The places of the atoms are measured: here alone in the library doubles decide, and every decision is reported with
// the largest deviation. From then on the group is one of the library's point groups, acting on the atoms by permutations and on
// vectors by the exact matrices of its coordinates.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

using Vector3 = std::array<double, 3>;
using Matrix3 = std::array<Vector3, 3>;  ///< rows

struct Atom {
  std::string element;  ///< "C"; isotopes of hydrogen are D and T
  Vector3 position;     ///< any unit of length; that of the tolerance
};

/// The number of an element by its symbol, 1 to 118; 1 for D and T, 0 if there is none. Upper and lower case as usual: "Cl".
unsigned atomic_number(std::string_view symbol);
/// "Cl" for 17. \throws DomainError outside 1 ... 118.
std::string element_symbol(unsigned number);

/// cartesian_representation (orthonormal_basis.hpp) of a point group on its generators, as doubles.
/// \throws DomainError unless G is a point group with coordinates
std::vector<Matrix3> cartesian_matrices(const FiniteGroup& G);

enum class MoleculeKind { nonlinear, linear, atom };

/// A group that a molecule has within a distance.
struct SymmetryRung {
  std::string schoenflies;
  std::uint64_t order;  ///< 0 for groups without end
  double deviation;     ///< the largest distance of an atom, taken along by an operation, from an atom
  friend bool operator==(const SymmetryRung&, const SymmetryRung&) = default;
};

/// A molecule in the frame of its point group. A value.
struct MolecularSymmetry {
  std::vector<Atom> atoms;  ///< the atoms as they were given
  double tolerance;
  MoleculeKind kind;
  std::string schoenflies;      ///< "C2v"; "C∞v", "D∞h" for linear molecules, "Kh" for an atom
  std::string hermann_mauguin;  ///< "mm2", "∞m"
  /// The point group; for linear molecules C8v or D8h, for an atom Oh, in which nothing falls together that vectors, and tensors of
  /// up to three indices, contain.
  FiniteGroup group;
  std::vector<Permutation> images;  ///< the images of the atoms under group.generators()
  std::vector<Matrix3> matrices;    ///< the matrices of group.generators() in the frame
  /// The elements of the group, the identity first: where each takes the atoms, and its matrix in the frame.
  struct Operation {
    Permutation element, atoms;
    Matrix3 matrix;
  };
  std::vector<Operation> operations;
  Vector3 centre;                    ///< the mean of the positions, the origin of the frame
  Matrix3 rotation;                  ///< position in the frame = rotation (position - centre); its determinant is 1
  std::vector<Vector3> oriented;     ///< the atoms in the frame, not moved against one another
  std::vector<Vector3> symmetrized;  ///< the means over the group: the nearest molecule with exactly this symmetry
  /// The orbits of equivalent atoms: the number of its orbit for every atom, in the order of first atoms.
  std::vector<std::uint32_t> orbits;
  double deviation;     ///< the largest distance of an atom, taken along by an operation, from an atom: <= tolerance
  double displacement;  ///< the largest distance of an atom from its symmetrized place
  /// The largest groups within ever smaller distances, from four times the tolerance (less where atoms are nearer to
  /// one another than eight times it) down to a fiftieth of it, without those within nearly the same distance as a
  /// larger one. The group of the molecule is the first one within the tolerance.
  std::vector<SymmetryRung> ladder;

  /// The permutation representation on the atoms, checked to be one.
  Representation atom_representation(const Task& task = {}) const;
};

/// The largest group of rotations and reflections about the mean of the positions that take every atom to within
/// `tolerance` of one of the same element, each atom to another one. The matrix of an operation is fitted to all atoms
/// by least squares. Which groups there are within more and within less is said by the ladder.
///
/// Frame: the main axis is z, chosen as in cartesian_representation. Where that leaves names open they are Mulliken's [Mulliken 1955]:
/// σv and C2' go through the most atoms (then the heavier ones); a planar molecule of C2v lies in yz, of D2h too, with z through
/// the most atoms. Otherwise the molecule is turned as little as possible. C1 and Ci keep the axes of the file.
///
/// \par Method   Two atoms that are not in line with the centre, with few others like them, are taken to all pairs that look alike;
///               each such rotation, with and without reflection, is fitted to all atoms that it pairs [Horn 1987].
///               Operations within the tolerance that are no group together are searched for the largest one that
///               they contain.
/// \par Cost     the pairs times the number of atoms.
/// \throws DomainError if there is no atom, an element is unknown, a position is no number, the tolerance is not positive, or two
///         atoms are closer than twice the tolerance; LimitError above 100,000 atoms
MolecularSymmetry molecular_symmetry(std::vector<Atom> atoms, double tolerance = 0.05, const Task& task = {});
/// With the group of this symbol ("C3v", "D∞h" or "Dooh"), one of the ladder at this tolerance: with the tolerance of its rung.
/// \throws DomainError with those of the ladder for others, and as above
MolecularSymmetry molecular_symmetry_towards(std::vector<Atom> atoms, const std::string& schoenflies,
                                             double tolerance = 0.05, const Task& task = {});

}  // namespace intertwine
