// Beta-sets (first-column hook lengths with a fixed number of beads), the form in which ribbons are moves of
// one bead.
#pragma once
#include <algorithm>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"

namespace intertwine::detail {

/// lambda_i + beads - 1 - i, decreasing; beads >= length.
inline std::vector<int> beta_set(const Partition& lambda, int beads) {
  std::vector<int> beta(beads);
  for (int i = 0; i < beads; ++i) beta[i] = lambda[i] + beads - 1 - i;
  return beta;
}

/// The inverse; `beta` must be strictly decreasing.
inline Partition from_beta_set(const std::vector<int>& beta) {
  std::vector<int> parts(beta.size());
  const int beads = static_cast<int>(beta.size());
  for (int i = 0; i < beads; ++i) parts[i] = beta[i] - (beads - 1 - i);
  return Partition(std::move(parts));
}

/// The sign of the permutation that sorts `numbers`; 0 if two are equal. Sorts them decreasingly.
inline int sort_with_sign(std::vector<int>& numbers) {
  int sign = 1;
  for (std::size_t i = 1; i < numbers.size(); ++i)
    for (std::size_t j = i; j > 0 && numbers[j - 1] <= numbers[j]; --j) {
      if (numbers[j - 1] == numbers[j]) return 0;
      std::swap(numbers[j - 1], numbers[j]);
      sign = -sign;
    }
  return sign;
}

}  // namespace intertwine::detail
