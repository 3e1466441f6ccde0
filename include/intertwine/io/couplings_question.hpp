// Clebsch-Gordan coefficients, asked in words: the one place that tells which groups are meant and how their
// representations are written.
#pragma once
#include <string>
#include <variant>

#include "intertwine/classical/compact_clebsch_gordan.hpp"
#include "intertwine/reductive/wigner_symbols.hpp"
#include "intertwine/representations/clebsch_gordan.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The product of two irreducible representations, as people write them; an empty text is one that is not given.
struct CouplingsQuestion {
  std::string group;
  /// Spins of SU(2) and SO(3), pairs of spins of SL(2,C), rows of finite groups, partitions of SU(n), representations.
  std::string left, right;
  std::string index;     ///< the constituent; empty: all
  std::string basis;     ///< "complex" or "real", of spins
  std::string m1, m2;    ///< two basis vectors of spins, whose coefficients alone are wanted
  bool symbols = false;  ///< Wigner's 3j symbols, of spins
  int up_to = -1;        ///< all products of spins up to this one; -1: the product that is given

  bool of_spins() const { return !basis.empty() || !m1.empty() || !m2.empty() || symbols || up_to >= 0; }
};

using CouplingsAnswer = std::variant<SpinCouplings, LorentzCouplings, CompactClebschGordan, FiniteClebschGordan>;
/// \throws DomainError if the question has no answer, saying what is missing; what the readers and the couplings throw
CouplingsAnswer answer_couplings(const CouplingsQuestion& question, const Task& task = {});

}  // namespace intertwine
