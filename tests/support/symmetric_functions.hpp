// Reads the reference values of tests/data/symmetric_functions.
#pragma once
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/random.hpp"
#include "support/paths.hpp"

inline nlohmann::json reference_entries(const std::string& name) {
  std::ifstream in(test_data() + "/symmetric_functions/" + name);
  if (!in) throw intertwine::FileError("cannot open the reference file " + name);
  return nlohmann::json::parse(in).at("entries");
}

inline intertwine::Partition partition_of(const nlohmann::json& parts) {
  return intertwine::Partition(parts.get<std::vector<int>>());
}

inline intertwine::Integer integer_of(const nlohmann::json& value) {
  return value.is_string() ? intertwine::Integer(value.get<std::string>()) : intertwine::Integer(value.get<long>());
}

inline intertwine::SchurSum schur_sum_of(const nlohmann::json& terms) {
  std::vector<intertwine::SchurTerm> result;
  for (const auto& term : terms) result.push_back({partition_of(term[0]), integer_of(term[1])});
  return intertwine::SchurSum(std::move(result));
}

/// A random partition of a weight up to `most`; small and degenerate ones come up often.
inline intertwine::Partition random_partition(intertwine::Rng& rng, int most) {
  int left = static_cast<int>(rng.below(most + 1));
  std::vector<int> parts;
  while (left > 0) {
    const int bound = parts.empty() ? left : std::min(left, parts.back());
    parts.push_back(1 + static_cast<int>(rng.below(bound)));
    left -= parts.back();
  }
  return intertwine::Partition(std::move(parts));
}
