// Representations of space groups at a wave vector: the small representations of its little group, exactly.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/groups/space_groups.hpp"
#include "intertwine/physics/magnetic_space_group.hpp"
#include "intertwine/physics/spin_lifts.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Are amplitudes numbers, or do rotations act on their spin 1/2 too?
enum class SpinKind { none, half };

/// A representation under operations that reverse time: a, it extends to them; b, two copies of it belong together; c,
/// it and another one belong together; x, no such operation leaves the wave vector where it is.
/// [Wigner 1959; Herring 1937]
enum class WignerType { a, b, c, x };
std::string_view to_text(WignerType type);  ///< "a", "b", "c", "x"

/// The operations of a space group that leave a wave vector where it is modulo the reciprocal lattice, and their
/// irreducible representations in which a translation t is exp(-2 pi i k.t). A value.
struct LittleGroup {
  /// A space group has time reversal beside it: antiunitary operations and co-representations are those of its grey
  /// group.
  std::variant<SpaceGroup, MagneticSpaceGroup> group;
  /// In the basis dual to the edges of the group's cell.
  std::array<Rational, 3> k;
  SpinKind spin;
  /// The direction that little_group_along was given: the operations leave the line from k along it where it is, and
  /// the representations are those in the limit at k.
  std::optional<std::array<Rational, 3>> direction;
  std::vector<SpaceOperation> operations;  ///< modulo translations, the identity first; of group.operations()
  /// Operations that leave k where it is if time is reversed afterwards. Time reversal takes k to -k.
  std::vector<SpaceOperation> antiunitary;
  std::vector<SpinRotation> rotations;  ///< with spin, of `operations`: how characters' signs are chosen
  std::uint64_t star;                   ///< how many vectors the group makes of k, without reversing time
  struct Irrep {
    unsigned degree;
    std::vector<Cyclotomic> characters;  ///< of `operations`
    WignerType type;
  };
  /// By degree, then by the character table of the extension. The squares of their degrees add up to the number of
  /// operations.
  std::vector<Irrep> irreps;
  struct Corepresentation {
    std::vector<std::size_t> irreps;  ///< numbers of one, of one twice, or of two
    unsigned degree;                  ///< how degenerate levels are
  };
  /// Irreducible ones of the operations with the antiunitary ones, in the order of their first irreps.
  std::vector<Corepresentation> corepresentations;

  const std::vector<SpaceOperation>& group_operations() const;  ///< those of `group`
};

/// \par Method  On the operations modulo translations these representations are projective. They are ordinary ones of a
///              central extension by the roots of unity exp(-2 pi i k.t) of the translations t in products of
///              operations, and the signs of their lifts to SU(2); its character table is found, and of its rows those
///              are taken in which the roots are themselves. [Bradley & Cracknell 1972] Types are by the sum of
///              characters of squares of antiunitary operations; time reversal itself has the square 1, or -1 with
///              spin. [Dimmock & Wheeler 1962]
/// \par Cost    a character table of a group of at most 48 m elements, where m is the order of these roots. Where it
///              would exceed 24, the factors exp(-2 pi i k.w) of operations x -> W x + w are taken out before, and m
///              is at most 12 for any k.
/// \throws DomainError for rods and layers; LimitError for characters of a conductor above Cyclotomic::max_conductor
LittleGroup little_group(const SpaceGroup& group, const std::array<Rational, 3>& k, SpinKind spin = SpinKind::none,
                         const Task& task = {});
/// \throws LimitError likewise
LittleGroup little_group(const MagneticSpaceGroup& group, const std::array<Rational, 3>& k,
                         SpinKind spin = SpinKind::none, const Task& task = {});

/// The line from the wave vector of `at` in a direction, in the same basis, as near to it as one likes: levels of `at`
/// split into those of the line. \throws DomainError if the direction is 0, or `at` is a line
LittleGroup little_group_along(const LittleGroup& at, const std::array<Rational, 3>& direction, const Task& task = {});
/// Compatibility: [irrep of at][irrep of line], how often the second is in the first.
/// \throws DomainError unless `line` is little_group_along of `at`
std::vector<std::vector<unsigned>> compatibility(const LittleGroup& at, const LittleGroup& line);

/// For every co-representation the number of real parameters that symmetry leaves to the terms of this order in q of
/// its Hermitian matrix H(k + q). [Bir & Pikus 1974] \throws LimitError for orders above 100
/// \par Method  Characters: of the symmetric power of q on all operations, times |chi|^2 or, of an antiunitary a,
///              chi(a^2).
std::vector<std::uint64_t> kp_dimensions(const LittleGroup& little, unsigned order, const Task& task = {});

}  // namespace intertwine
