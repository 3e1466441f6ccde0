// The groups of linear molecules: C∞v = O(2), turns about an axis and mirrors through it, and D∞h = O(2) x Ci; their representations by characters.
#pragma once
#include <compare>
#include <map>
#include <string>
#include <string_view>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// An irreducible representation: Σ+, Σ-, of degree 1 (the sign under mirrors through the axis), Π, Δ, ..., of degree 2 (turns by t are turns by lambda t).
struct AxialIrrep {
  int parity = 0;      ///< the parity: 0 for C∞v; for D∞h 1 for g and -1 for u, the sign under the inversion
  int lambda = 0;      ///< 0 for Σ, 1 for Π, 2 for Δ, ...
  bool minus = false;  ///< Σ-
  int degree() const { return lambda == 0 ? 1 : 2; }
  /// g before u, then by lambda, + before -.
  friend std::strong_ordering operator<=>(const AxialIrrep& a, const AxialIrrep& b);
  friend bool operator==(const AxialIrrep&, const AxialIrrep&) = default;
};
/// "Σg+", "Π", "Γu"; from lambda = 5 on "E5g". [Herzberg 1945]
std::string to_string(const AxialIrrep& irrep);

/// A representation of one of the two groups, or a difference of representations. A value.
class AxialCharacter {
 public:
  using Terms = std::map<AxialIrrep, Integer>;      ///< none is 0
  static constexpr int max_lambda = 1'000'000'000;  ///< twice this is an int

  /// \param centre  of D∞h
  explicit AxialCharacter(bool centre) : centre_(centre) {}
  static AxialCharacter trivial(bool centre);
  /// \throws DomainError unless the group has it
  static AxialCharacter irrep(bool centre, const AxialIrrep& irrep);
  /// Harmonic polynomials of degree l >= 0 on R^3, as a representation of O(3) restricted: those of degree 1 are the vectors.
  static AxialCharacter harmonic(bool centre, int l);
  /// The determinant on R^3, restricted.
  static AxialCharacter parity(bool centre);

  bool has_centre() const { return centre_; }
  /// "C∞v" or "D∞h".
  std::string group() const { return centre_ ? "D∞h" : "C∞v"; }
  const Terms& terms() const { return terms_; }
  Integer dimension() const;

  friend AxialCharacter operator+(const AxialCharacter& a, const AxialCharacter& b);
  friend AxialCharacter operator*(const Integer& k, const AxialCharacter& a);
  friend bool operator==(const AxialCharacter&, const AxialCharacter&) = default;
  /// The character at g^k, k >= 1. \throws LimitError beyond max_lambda
  AxialCharacter adams(int k) const;

 private:
  void add(const AxialIrrep& irrep, const Integer& multiplicity);
  bool centre_;
  Terms terms_;
  friend AxialCharacter tensor_product(const AxialCharacter&, const AxialCharacter&, const Task&);
  friend AxialCharacter quotient(const AxialCharacter&, int);
};

/// \throws DomainError for characters of different groups; LimitError beyond max_lambda
AxialCharacter tensor_product(const AxialCharacter& a, const AxialCharacter& b, const Task& task = {});
/// By Newton's identities in the characters at powers.
AxialCharacter symmetric_power(int k, const AxialCharacter& a, const Task& task = {});
AxialCharacter exterior_power(int k, const AxialCharacter& a, const Task& task = {});
/// By the determinant of Jacobi and Trudi, in rows or in columns, whichever are fewer. \throws LimitError for more than 14 of both
AxialCharacter schur_functor(const Partition& shape, const AxialCharacter& a, const Task& task = {});

/// Is this C∞v, Coov or Cinfv, D∞h, Dooh or Dinfh?
bool names_axial_group(std::string_view text);
/// Does the group of this name have a centre? \throws DomainError unless names_axial_group
bool axial_group_has_centre(std::string_view text);
/// "Σg+", "Sigma_g+", "Pi_u", "E5g". \throws DomainError
AxialIrrep parse_axial_irrep(bool centre, std::string_view name);

}  // namespace intertwine
