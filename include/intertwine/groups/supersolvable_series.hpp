// Chief series with factors of prime order.
#pragma once
#include <optional>

#include "intertwine/groups/polycyclic_series.hpp"

namespace intertwine {

/// A polycyclic series of G whose subgroups N_i are all normal in G: G is supersolvable.
class SupersolvableSeries : public PolycyclicSeries {
 public:
  /// The series; nothing if G is not supersolvable.
  ///
  /// \par Method  from below: an element outside N = N_i is replaced by commutators with generators of G' until G'
  ///              centralizes it modulo N (G' is nilpotent), by a power until it has prime order p modulo N, and, as
  ///              G/G' acts on the elements centralized by G' by commuting matrices with eigenvalues in the field
  ///              with p elements, by s v s^-1 v^-l for generators s and numbers l until it is an eigenvector of all
  ///              generators. In groups of prime power order commutators with generators lead to central elements.
  /// \par Cost    O(log|G|) elements, each by O(log|G|) products and membership tests for every generator, and by
  ///              O(p) tests for the largest primes. Elements are not listed.
  /// \throws LimitError by the task's limits.
  static std::optional<SupersolvableSeries> find(const FiniteGroup& G, const Task& task = {});

 private:
  friend class SeriesSearch;
  using PolycyclicSeries::PolycyclicSeries;
};

}  // namespace intertwine
