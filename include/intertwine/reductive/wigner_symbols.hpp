// Clebsch-Gordan coefficients and Wigner's symbols of SU(2) and SO(3), exactly, for complex and for real bases; those of SL(2,C) and SO+(1,3).
//
// Complex bases are |j m>, m = -j, ..., j, with the phases of Condon and Shortley: <j1 j1 j2 (j-j1)|j j> > 0 and J_+ |j m> =
// sqrt((j-m)(j+m+1)) |j m+1>. Real bases, for integers l, are the real spherical harmonics in the order m = -l, ..., l,
//   l = 1: y, z, x;   l = 2: xy, yz, 2z^2-x^2-y^2, xz, x^2-y^2 (each times its norm): m < 0 has sin |m| phi, m > 0 has cos m phi,
// all of them positive multiples of what is written here, without the sign (-1)^m. In e3nn the same components belong to harmonics
// with polar axis y: x, y, z there stand for y, z, x here, and for l = 1 its basis is x, y, z. Coefficients are the same.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/exact/signed_root.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// j or m: half an integer, by its double.
struct HalfInteger {
  int twice = 0;
  bool is_integer() const { return twice % 2 == 0; }
  friend auto operator<=>(const HalfInteger&, const HalfInteger&) = default;
};
/// "2", "-3/2".
std::string to_string(HalfInteger a);
/// Reads "2", "3/2", "1.5". \throws DomainError for other text, and beyond max_spin in size
HalfInteger parse_half_integer(std::string_view text);

/// The largest j that is taken: the sums have some 3 j bits.
inline constexpr int max_spin = 1000;

/// <j1 m1 j2 m2|j m>: 0 unless m1 + m2 = m, |m| <= j and |j1 - j2| <= j <= j1 + j2.
/// \throws DomainError unless j1, j2, j >= 0, and j - m, j1 - m1 and j2 - m2 are integers; LimitError above max_spin
/// \par Method  Racah's sum [Racah 1942] as a sum of products of three binomial coefficients, of one sign in front of one root.
SignedRoot clebsch_gordan(HalfInteger j1, HalfInteger m1, HalfInteger j2, HalfInteger m2, HalfInteger j, HalfInteger m);
/// Wigner's 3j symbol: (-1)^(j1-j2-m3) / sqrt(2 j3 + 1) <j1 m1 j2 m2|j3 -m3>. \throws as clebsch_gordan
SignedRoot wigner_3j(HalfInteger j1, HalfInteger j2, HalfInteger j3, HalfInteger m1, HalfInteger m2, HalfInteger m3);
/// Wigner's 6j symbol {j1 j2 j3; j4 j5 j6}: 0 unless (j1 j2 j3), (j1 j5 j6), (j4 j2 j6) and (j4 j5 j3) are triangles with integral
/// sums. \throws DomainError for negative ones, LimitError above max_spin
SignedRoot wigner_6j(HalfInteger j1, HalfInteger j2, HalfInteger j3, HalfInteger j4, HalfInteger j5, HalfInteger j6);

enum class CouplingBasis { complex, real };
/// The form of a table of coefficients.
enum class CouplingForm {
  /// <j1 m1 j2 m2|j m>: the map V1 (x) V2 -> V, whose rows are orthonormal.
  coefficients,
  /// The invariant vector of norm 1 in V1 (x) V2 (x) V: Wigner's 3j symbols in complex bases (their third m is -m), and in real
  /// ones the coefficients over sqrt(2 j + 1), which e3nn calls wigner_3j.
  symbols
};

/// The coefficients of j1 (x) j2 -> j that are not 0.
struct Coupling {
  HalfInteger j1, j2, j;
  CouplingBasis basis;
  CouplingForm form;
  struct Entry {
    HalfInteger m1, m2, m;
    SignedRoot value;
  };
  std::vector<Entry> entries;  ///< by m, then m1, then m2, increasing

  /// Index of an m of j: m + j.
  static std::size_t index(HalfInteger j, HalfInteger m) { return static_cast<std::size_t>((j.twice + m.twice) / 2); }
};

/// In real bases the phase is (-i)^(l1+l2-l) times that of the complex harmonics, which makes all coefficients real.
/// \throws DomainError unless j is in j1 (x) j2, for negative ones, and for halves in real bases; LimitError above max_spin
Coupling coupling(HalfInteger j1, HalfInteger j2, HalfInteger j, CouplingBasis basis = CouplingBasis::complex,
                  CouplingForm form = CouplingForm::coefficients, const Task& task = {});
/// The couplings for all j = |j1 - j2|, ..., j1 + j2.
std::vector<Coupling> couplings(HalfInteger j1, HalfInteger j2, CouplingBasis basis = CouplingBasis::complex,
                                CouplingForm form = CouplingForm::coefficients, const Task& task = {});

/// Two basis vectors, by which one coefficient is asked for without its table.
struct Projections {
  HalfInteger m1, m2;
};
/// The coefficients at these vectors alone. \throws DomainError as coupling, and unless |m1| <= j1, |m2| <= j2 and
/// j1 - m1, j2 - m2 are integers
Coupling coupling(HalfInteger j1, HalfInteger j2, HalfInteger j, CouplingBasis basis, CouplingForm form,
                  const Projections& at, const Task& task = {});
std::vector<Coupling> couplings(HalfInteger j1, HalfInteger j2, CouplingBasis basis, CouplingForm form,
                                const Projections& at, const Task& task = {});

/// An irreducible representation (a, b) of finite dimension (2a+1)(2b+1) of SL(2,C), the double cover of SO+(1,3), on the vectors
/// |a alpha> (x) |b beta>: rotations J and boosts K act by J = A + B and K = -i (A - B), where A are the matrices of spin a on the first factor and
/// B those of spin b on the second. (1/2,0) and (0,1/2) are the spinors of Weyl, (1/2,1/2) is the vector, (1,0) + (0,1) the antisymmetric tensor. It is one of
/// SO+(1,3) if a + b is an integer.
struct LorentzSpin {
  HalfInteger a, b;
  friend bool operator==(const LorentzSpin&, const LorentzSpin&) = default;
};
/// "(1/2,0)".
std::string to_string(const LorentzSpin& s);
/// \throws DomainError for other text than two spins in parentheses, LimitError beyond max_spin
LorentzSpin parse_lorentz_spin(std::string_view text);

/// (a1, b1) (x) (a2, b2) -> (a, b): the coefficient of alpha1, beta1, alpha2, beta2 and alpha, beta is the product of <a1 alpha1 a2 alpha2|a alpha> and <b1 beta1
/// b2 beta2|b beta>. The map commutes with the group; that its rows are orthonormal is said by the compact form SU(2) x SU(2), which has the same modules.
struct LorentzCoupling {
  Coupling first, second;
  LorentzSpin left() const { return {first.j1, second.j1}; }
  LorentzSpin right() const { return {first.j2, second.j2}; }
  LorentzSpin constituent() const { return {first.j, second.j}; }
};
/// All constituents, each of which occurs once, or only the one asked for. \throws as coupling
std::vector<LorentzCoupling> lorentz_couplings(const LorentzSpin& left, const LorentzSpin& right,
                                               const std::optional<LorentzSpin>& only = {}, const Task& task = {});

/// Coefficients of SU(2) or SO(3).
struct SpinCouplings {
  std::string group;
  std::vector<Coupling> list;  ///< the couplings of one basis and form
};
/// Coefficients of SL(2,C) or SO+(1,3): j and m below are pairs "(1/2,0)", the basis is "complex" and the form
/// "coefficients".
struct LorentzCouplings {
  std::string group;
  std::vector<LorentzCoupling> list;
};

}  // namespace intertwine
