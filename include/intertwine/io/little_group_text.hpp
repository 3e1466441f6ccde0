// Representations at a wave vector as text, JSON, LaTeX.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/physics/kp_hamiltonian.hpp"
#include "intertwine/physics/little_group.hpp"
#include "intertwine/physics/magnetic_structure.hpp"

namespace intertwine {

/// Three rational numbers, "1/2,0,0". \throws DomainError naming the coordinate that is none
std::array<Rational, 3> parse_wave_vector(std::string_view text);

/// The co-group by Schoenflies, the star, the degeneracies with time reversal, and characters, a line for every
/// operation.
std::string to_text(const LittleGroup& little);
/// A JSON object with the key `space_group` where it is one, and `k` with the coordinates, the star, operations,
/// `irreps` and `levels`.
std::string to_json(const LittleGroup& little);
/// A table in LaTeX: operations as rows, representations as columns.
std::string to_latex(const LittleGroup& little);

/// The answers to the questions about a wave vector.
struct WaveVectorReport {
  LittleGroup at;
  std::vector<std::string> labels = {};  ///< of the irreps at k, by cdml_labels; empty if none were asked for
  std::optional<LittleGroup> line = {};  ///< along a direction
  /// [level][order, from 0]; empty if none were asked for.
  std::vector<std::vector<std::vector<KpTerm>>> kp = {};
  std::string name = {};                  ///< the magnetic group as it was asked for
  std::optional<MagneticKind> kind = {};  ///< its names in tables, where spglib has them
};
/// The terms of all levels up to an order. \throws LimitError for orders above 20
std::vector<std::vector<std::vector<KpTerm>>> kp_of_levels(const LittleGroup& little, unsigned order,
                                                           const Task& task = {});
/// "q1^2 + (1+E(3)) q1 q2": an entry of a term's matrix.
std::string kp_entry(const KpTerm& term, std::size_t row, std::size_t column);
/// The text of a LittleGroup, then the line and how levels split on it, and matrices of k.p Hamiltonians.
std::string to_text(const WaveVectorReport& report);
/// The document of a LittleGroup, with `line` and its `compatibility`, and `kp` inside of `k`.
std::string to_json(const WaveVectorReport& report);
/// The table of the LittleGroup, that of the line, and the matrices of k.p Hamiltonians H_level^(order, parameter).
std::string to_latex(const WaveVectorReport& report);

}  // namespace intertwine
