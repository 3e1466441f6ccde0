// The algebras that LieRepresentationParser reads expressions into: characters of connected groups, of O(n) on a finite
// subgroup, and of C∞v and D∞h, and matrices of the last two.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/classical/linear_molecules.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/lie_expression.hpp"

namespace intertwine {

inline constexpr std::uint64_t max_lie_dimension = 100'000;

/// A character, and whether its matrices may be real: either where a sum takes them for both, as the trivial ones of SU(n).
struct LieReading {
  LieCharacter character;
  Scalars scalars;
  friend LieReading operator+(const LieReading& a, const LieReading& b) {
    return {a.character + b.character, joined(a.scalars, b.scalars)};
  }
  static Scalars joined(Scalars a, Scalars b) { return a == Scalars::complex || b == Scalars::either ? a : b; }
};

/// The characters of a connected group. Names mean the same as for representations by matrices: spinor and irrep are
/// the complex modules, whatever their type, and real(V) is V over the real numbers.
struct LieAlgebra {
  using Value = LieReading;
  const LieGroup& G;
  const Task& task;

  static constexpr std::string_view known =
      "trivial, vector, adjoint, spinor, harmonic(l), irrep([..]), dual, sym, alt, schur and real";
  /// Groups whose representations are complex unless real(V) makes them real.
  bool is_complex() const { return G.family() == "SU" || G.family() == "U"; }
  Value of(LieCharacter character) const {
    return {std::move(character), is_complex() ? Scalars::complex : Scalars::real};
  }
  /// Split groups have real matrices; those of the orthogonal ones are real where the indicators of all constituents are +.
  Value of_weights(LieCharacter character) const {
    if (is_complex()) {
      const bool trivial = character == G.trivial();
      return {std::move(character), trivial ? Scalars::either : Scalars::complex};
    }
    const bool orthogonal = G.family() == "SO" || G.family() == "Spin";
    const bool real = !orthogonal || std::ranges::all_of(character.terms(), [&](const WeightTerm& term) {
      return G.type().indicator(term.weight) == 1;
    });
    return {std::move(character), real ? Scalars::real : Scalars::complex};
  }
  Value multiple(const Integer& k) const { return {k * G.trivial(), is_complex() ? Scalars::either : Scalars::real}; }
  Value tensor(const Value& a, const Value& b) const {
    return {tensor_product(a.character, b.character, task), Value::joined(a.scalars, b.scalars)};
  }
  Value dual(const Value& a) const { return {a.character.dual(), a.scalars}; }
  Value sym(int k, const Value& a) const { return {symmetric_power(k, a.character, task), a.scalars}; }
  Value alt(int k, const Value& a) const { return {exterior_power(k, a.character, task), a.scalars}; }
  Value schur(const Partition& shape, const Value& a) const {
    return {schur_functor(shape, a.character, task), a.scalars};
  }
  /// V and its conjugate, unless V is real.
  Value real(const Value& a) const {
    if (G.family().empty())
      throw DomainError(
          fmt::format("real(V) is V as a real representation, of classical groups such as SU(3); {} is known "
                      "by its type alone",
                      G.name()));
    if (a.scalars != Scalars::complex) return a;
    return {a.character + a.character.dual(), Scalars::real};
  }
  /// The character of V where V has a real form.
  Value real_form(const Value& a) const {
    if (!is_complex() || a.scalars != Scalars::complex) return real(a);
    if (a.character.terms().size() != 1 || a.character.terms()[0].coefficient != 1 ||
        G.type().indicator(a.character.terms()[0].weight) != 1)
      throw DomainError("realform(V) is for an irreducible V of indicator +, such as adjoint");
    return {a.character, Scalars::real};
  }
  std::optional<Value> named(std::string_view word) const {
    if (word == "trivial") return multiple(1);
    if (word == "vector") return of(G.vector());
    if (word == "adjoint") return of(G.adjoint());
    if (word == "spinor") return spinor();
    return {};
  }
  /// The sum of the half-spinors is real where these are conjugate.
  Value spinor() const {
    const LieCharacter S = G.spinor();
    return G.family() == "Spin" && G.degree() % 4 == 2 ? of(S) : of_weights(S);
  }
  /// The half with an even (+) or an odd (-) number of minus signs in its weights.
  Value half_spinor(int sign) const {
    const LieCharacter S = G.spinor();
    if (S.terms().size() != 2)
      throw DomainError(
          fmt::format("the spinor of {} has no halves; those of Spin(4), Spin(6), Spin(8), ... have", G.name()));
    Weight weight(static_cast<std::size_t>(G.type().rank()), 0);
    weight[weight.size() - (sign > 0 ? 1 : 2)] = 1;
    return of_weights(G.irrep(weight));
  }
  Value irrep(const std::vector<int>& list, bool partition) const {
    return of_weights(G.irrep(partition ? G.weight_of_partition(list) : list));
  }
  Value of_dimension(std::uint64_t d, bool dual) const {
    return of_weights(G.irrep(weight_of_dimension(G, d, dual, task)));
  }
  Value of_dimensions(const std::vector<std::pair<std::uint64_t, bool>>& dimensions,
                      const std::vector<int>& charges) const {
    return of_weights(G.irrep(weight_of_dimensions(G, dimensions, charges, task)));
  }
  /// Whether a number of this size names representations, by their dimension.
  bool has_dimension(std::uint64_t d) const {
    if (d > max_lie_dimension) return false;
    try {
      of_dimension(d, false);
      return true;
    } catch (const DomainError&) {
      return false;
    }
  }
  /// A double cover of the rotations of space, or these: numbers are spins to some and dimensions to others.
  bool has_spins() const { return G.type().torus_rank() == 0 && G.type().rank() == 1; }
  Value half_spin(std::uint64_t twice) const {
    if (!has_spins()) throw DomainError(fmt::format("spins such as 1/2 are of SU(2), and not of {}", G.name()));
    return irrep({static_cast<int>(twice)}, false);
  }
  Value harmonic(int l) const {
    if (G.family() != "SO" && G.family() != "Spin")
      throw DomainError(fmt::format("harmonic polynomials are of SO(n), Spin(n) and O(n), not of {}", G.name()));
    if (G.degree() == 1) return multiple(l < 2 ? 1 : 0);
    const LieCharacter own = irrep({l}, true).character;
    return of(G.degree() == 2 && l > 0 ? own + own.dual() : own);  // in the plane (x + iy)^l and its conjugate
  }
};

/// The characters of O(n) on a finite subgroup.
struct OrthogonalAlgebra {
  using Value = ClassFunction;
  const OrthogonalEmbedding& f;
  const Task& task;

  static constexpr std::string_view known =
      "trivial, vector, adjoint, parity (det), harmonic(l), irrep([..] as partition), dual, sym, alt and "
      "schur";
  Value multiple(const Integer& k) const { return ClassFunction::constant(f.table(), Cyclotomic(k)); }
  Value tensor(const Value& a, const Value& b) const { return a * b; }
  Value dual(const Value& a) const { return a; }
  Value sym(int k, const Value& a) const { return symmetric_power(static_cast<unsigned>(k), a); }
  Value alt(int k, const Value& a) const { return exterior_power(static_cast<unsigned>(k), a); }
  Value schur(const Partition& shape, const Value& a) const { return schur_power(shape, a); }
  std::optional<Value> named(std::string_view word) const {
    if (word == "trivial") return multiple(1);
    if (word == "vector") return f.vector();
    if (word == "adjoint") return exterior_power(2, f.vector());
    if (word == "parity" || word == "det") return f.parity();
    return {};
  }
  Value irrep(const std::vector<int>& list, bool partition) const {
    if (!partition)
      throw DomainError(
          fmt::format("O({0}) is not connected, and has no highest weights: write irrep([2] as partition)", f.n()));
    return f.irrep(Partition(list), task);
  }
  Value of_dimension(std::uint64_t, bool) const { return irrep({}, false); }
  Value harmonic(int l) const { return irrep({l}, true); }
};

/// The characters of C∞v and D∞h; restricted from O(3), only what has a name there.
struct AxialAlgebra {
  using Value = AxialCharacter;
  bool centre, of_orthogonal;
  const Task& task;

  static constexpr std::string_view known =
      "trivial, vector, adjoint, parity (det), harmonic(l), irrep(..), dual, sym, alt and schur";
  Value multiple(const Integer& k) const { return k * AxialCharacter::trivial(centre); }
  Value tensor(const Value& a, const Value& b) const { return tensor_product(a, b, task); }
  Value dual(const Value& a) const { return a; }
  Value sym(int k, const Value& a) const { return symmetric_power(k, a, task); }
  Value alt(int k, const Value& a) const { return exterior_power(k, a, task); }
  Value schur(const Partition& shape, const Value& a) const { return schur_functor(shape, a, task); }
  std::optional<Value> named(std::string_view word) const {
    if (word == "trivial") return multiple(1);
    if (word == "vector") return harmonic(1);
    if (word == "adjoint") return alt(2, harmonic(1));
    if (word == "parity" || word == "det") return AxialCharacter::parity(centre);
    return {};
  }
  /// The labels of O(3) are [l], [l,1], which is [l] times the determinant, and [1,1,1].
  Value irrep(const std::vector<int>& list, bool partition) const {
    if (!of_orthogonal || !partition)
      throw DomainError(of_orthogonal
                            ? "O(3) is not connected, and has no highest weights: write irrep([2] as partition)"
                            : fmt::format("irreducible representations of {} have names, as in irrep({})",
                                          AxialCharacter(centre).group(), centre ? "Πu" : "Π"));
    const Partition shape(list);
    if (shape == Partition({1, 1, 1})) return AxialCharacter::parity(centre);
    if (shape.length() > 2 || (shape.length() == 2 && shape[1] > 1))
      throw DomainError("the first two columns of a partition for O(3) have at most 3 cells together");
    const Value found = harmonic(shape.length() == 0 ? 0 : shape[0]);
    return shape.length() == 2 ? tensor(found, AxialCharacter::parity(centre)) : found;
  }
  Value irrep(std::string_view name) const { return AxialCharacter::irrep(centre, parse_axial_irrep(centre, name)); }
  Value harmonic(int l) const {
    if (l > 10'000) throw LimitError("harmonic(l) of C∞v and D∞h goes up to l = 10000");
    return AxialCharacter::harmonic(centre, l);
  }
};

/// A representation by matrices, and how many copies it stands for in front of another where it is a number.
struct AxialReading {
  ContinuousRepresentation V;
  std::optional<std::uint64_t> copies = {};
  friend AxialReading operator+(const AxialReading& a, const AxialReading& b) { return {a.V + b.V}; }
};

/// The representations of C∞v and D∞h by matrices, under the same names.
struct AxialMatrices {
  using Value = AxialReading;
  bool centre;
  const Task& task;

  static constexpr std::string_view known = AxialAlgebra::known;
  Value multiple(const Integer& k) const {
    const ContinuousRepresentation one = trivial_representation(linear_molecule_group(centre));
    const auto copies = static_cast<std::uint64_t>(k);
    return {copies == 1 ? one : copies * one, copies};
  }
  Value tensor(const Value& a, const Value& b) const {
    if (!a.copies) return {a.V * b.V};
    return {*a.copies == 1 ? b.V : *a.copies * b.V};
  }
  Value power(const Value& a, std::uint64_t k) const { return {tensor_power(a.V, static_cast<unsigned>(k))}; }
  Value dual(const Value& a) const { return {intertwine::dual(a.V)}; }
  Value sym(int k, const Value& a) const { return {intertwine::sym(static_cast<unsigned>(k), a.V)}; }
  Value alt(int k, const Value& a) const { return {intertwine::alt(static_cast<unsigned>(k), a.V)}; }
  Value schur(const Partition& shape, const Value& a) const { return {schur_power(shape, a.V, task)}; }
  std::optional<Value> named(std::string_view word) const {
    if (word == "trivial") return Value{trivial_representation(linear_molecule_group(centre))};
    if (word == "vector") return harmonic(1);
    if (word == "adjoint") return alt(2, harmonic(1));
    if (word == "parity" || word == "det") return Value{axial_parity(centre)};
    return {};
  }
  Value irrep(const std::vector<int>& list, bool partition) const {
    static_cast<void>(AxialAlgebra{centre, false, task}.irrep(list, partition));  // refuses it
    return multiple(1);
  }
  Value irrep(std::string_view name) const { return {axial_irrep(centre, parse_axial_irrep(centre, name))}; }
  Value harmonic(int l) const { return {axial_harmonic(centre, static_cast<unsigned>(l))}; }
};

}  // namespace intertwine
