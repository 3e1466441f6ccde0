// Closed forms of series with poles at roots of unity alone.
#include "intertwine/characters/hilbert_series.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

namespace intertwine::hilbert {

std::vector<std::uint64_t> common_denominator(CyclotomicFactors need) {
  std::vector<std::uint64_t> degrees;
  while (!need.empty()) {
    const std::uint64_t d = need.rbegin()->first;
    degrees.push_back(d);
    for (auto at = need.begin(); at != need.end();) {
      if (d % at->first == 0) --at->second;
      at = at->second <= 0 ? need.erase(at) : std::next(at);
    }
  }
  std::sort(degrees.begin(), degrees.end());
  return degrees;
}

std::vector<Integer> numerator_of(const std::vector<Integer>& coefficients, const std::vector<std::uint64_t>& degrees,
                                  std::int64_t degree) {
  const std::uint64_t sum = std::accumulate(degrees.begin(), degrees.end(), std::uint64_t{0});
  const std::ptrdiff_t terms = static_cast<std::ptrdiff_t>(sum) + degree + 1;
  if (terms <= 0) return {};
  std::vector<Integer> result(coefficients.begin(), coefficients.begin() + terms);
  for (const std::uint64_t d : degrees)
    for (std::size_t k = result.size(); k-- > d;) result[k] -= result[k - d];
  while (!result.empty() && result.back() == 0) result.pop_back();
  return result;
}

std::uint64_t largest_parameter_tried(std::uint64_t count) {
  constexpr std::uint64_t largest[] = {0, 30, 30, 30, 30, 16, 12, 10, 9, 8, 7};  // 10^4 lists, of four 4 * 10^4
  return count < std::size(largest) ? largest[count] : 0;
}

std::vector<std::uint64_t> parameter_degrees(const CyclotomicFactors& need, const std::vector<Integer>& coefficients,
                                             std::uint64_t count, std::int64_t degree) {
  const std::uint64_t largest = largest_parameter_tried(count);
  if (largest == 0) return {};
  std::vector<std::vector<std::uint64_t>> candidates;
  std::vector<std::uint64_t> d;
  const auto covers = [&] {
    return std::all_of(need.begin(), need.end(), [&](const auto& factor) {
      return std::count_if(d.begin(), d.end(), [&](std::uint64_t x) { return x % factor.first == 0; }) >= factor.second;
    });
  };
  const std::function<void(std::uint64_t)> extend = [&](std::uint64_t least) {
    if (d.size() == count) {
      if (covers()) candidates.push_back(d);
      return;
    }
    for (std::uint64_t x = least; x <= largest; ++x) {
      d.push_back(x);
      extend(x);
      d.pop_back();
    }
  };
  extend(1);
  // By product, then sum.
  const auto size = [](const std::vector<std::uint64_t>& list) {
    return std::pair(std::accumulate(list.begin(), list.end(), std::uint64_t{1}, std::multiplies<>()),
                     std::accumulate(list.begin(), list.end(), std::uint64_t{0}));
  };
  std::ranges::stable_sort(candidates, {}, size);
  for (const auto& degrees : candidates) {
    const auto numerator = numerator_of(coefficients, degrees, degree);
    if (std::none_of(numerator.begin(), numerator.end(), [](const Integer& c) { return c < 0; })) return degrees;
  }
  return {};
}

}  // namespace intertwine::hilbert
