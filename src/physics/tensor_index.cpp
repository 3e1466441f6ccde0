// The indices of tensor properties.
#include "physics/tensor_index.hpp"

#include <algorithm>

namespace intertwine {

namespace {

using TensorPlace = std::vector<std::size_t>;

constexpr std::size_t pairs_of_voigt[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
constexpr std::size_t other_pairs[3][2] = {{2, 1}, {2, 0}, {1, 0}};
constexpr std::size_t triples[10][3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {1, 2, 2}, {1, 1, 2},
                                        {0, 2, 2}, {0, 0, 2}, {0, 1, 1}, {0, 0, 1}, {0, 1, 2}};

std::string digits_of(const TensorPlace& place) {
  std::string text;
  for (const std::size_t axis : place) text += static_cast<char>('1' + axis);
  return text;
}

/// All orders of the axes of a place, itself first.
std::vector<TensorPlace> orders_of(const TensorPlace& place) {
  std::vector<TensorPlace> all{place};
  for (TensorPlace next = place; std::next_permutation(next.begin(), next.end());) all.push_back(next);
  return all;
}

TensorIndex symmetric_pairs(bool in_full) {
  TensorIndex index;
  for (std::size_t p = 0; p < 6; ++p) {
    const TensorPlace place{pairs_of_voigt[p][0], pairs_of_voigt[p][1]};
    index.classes.push_back(orders_of(place));
    index.names.push_back(in_full ? digits_of(place) : digits_of({p}));
  }
  return index;
}

/// Pairs I <= J of symmetric pairs, "12" for the pairs 1 and 2 of Voigt.
TensorIndex pairs_of_pairs() {
  const TensorIndex pairs = symmetric_pairs(false);
  TensorIndex index;
  for (std::size_t p = 0; p < 6; ++p)
    for (std::size_t q = p; q < 6; ++q) {
      std::vector<TensorPlace> places;
      for (const auto& [first, second] : {std::pair(p, q), std::pair(q, p)}) {
        for (TensorPlace place : pairs.classes[first])
          for (const TensorPlace& more : pairs.classes[second]) {
            TensorPlace whole = place;
            whole.insert(whole.end(), more.begin(), more.end());
            places.push_back(std::move(whole));
          }
        if (p == q) break;
      }
      index.classes.push_back(std::move(places));
      index.names.push_back(pairs.names[p] + pairs.names[q]);
    }
  return index;
}

}  // namespace

TensorIndex tensor_index(std::size_t dimension, bool in_full) {
  if (dimension == 6) return symmetric_pairs(in_full);
  if (dimension == 21) return pairs_of_pairs();
  TensorIndex index;
  const auto add = [&](const std::vector<TensorPlace>& places) {
    index.classes.push_back(places);
    index.names.push_back(digits_of(places.front()));
  };
  if (dimension == 1) add({{}});
  for (std::size_t axis = 0; dimension == 3 && axis < 3; ++axis) add({{axis}});
  if (dimension == 9) {
    for (const auto& pair : pairs_of_voigt) add({{pair[0], pair[1]}});
    for (const auto& pair : other_pairs) add({{pair[0], pair[1]}});
  }
  for (std::size_t k = 0; dimension == 10 && k < 10; ++k) add(orders_of({triples[k][0], triples[k][1], triples[k][2]}));
  return index;
}

}  // namespace intertwine
