// Products of minors of the first rows of a generic matrix.
#include "intertwine/gl/minor_products.hpp"

#include <algorithm>

namespace intertwine {

RowWordSum<std::int64_t> product_of_column_minors(const RowWords& filling, const Task& task) {
  RowWordSum<std::int64_t> sum{{RowWords(filling.size()), 1}};
  for (std::size_t j = 0; !filling.empty() && j < filling[0].size(); ++j) {
    std::vector<int> column;
    for (const auto& row : filling)
      if (j < row.size()) column.push_back(row[j]);
    bool negative = false;  // the sign of the arrangement, kept up as next_permutation cannot
    std::vector<int> sorted = column;
    for (std::size_t i = 1; i < sorted.size(); ++i)
      for (std::size_t k = i; k > 0 && sorted[k] < sorted[k - 1]; --k)
        std::swap(sorted[k], sorted[k - 1]), negative = !negative;
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return {};
    RowWordSum<std::int64_t> next;
    for (const auto& [rows, c] : sum) {
      task.poll();
      std::vector<int> permuted = sorted;  // entry i goes to row i
      do {
        bool odd = negative;
        for (std::size_t i = 0; i < permuted.size(); ++i)
          for (std::size_t k = i + 1; k < permuted.size(); ++k) odd = odd != (permuted[i] > permuted[k]);
        RowWords longer = rows;
        for (std::size_t i = 0; i < permuted.size(); ++i)
          longer[i].insert(std::upper_bound(longer[i].begin(), longer[i].end(), permuted[i]), permuted[i]);
        next[std::move(longer)] += odd ? -c : c;
      } while (std::next_permutation(permuted.begin(), permuted.end()));
    }
    std::erase_if(next, [](const auto& term) { return term.second == 0; });
    sum = std::move(next);
  }
  return sum;
}

bool is_semistandard_filling(const RowWords& filling) {
  for (std::size_t i = 0; i < filling.size(); ++i)
    for (std::size_t j = 0; j < filling[i].size(); ++j) {
      if (j > 0 && filling[i][j] < filling[i][j - 1]) return false;
      if (i > 0 && filling[i][j] <= filling[i - 1][j]) return false;
    }
  return true;
}

}  // namespace intertwine
