// The distance of words, to offer the nearest known one.
#include "intertwine/io/edit_distance.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace intertwine {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        best[i][j] = 2 * (i + j);
        continue;
      }
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
      best[i][j] = std::min({best[i - 1][j - 1] + change, best[i - 1][j] + 2, best[i][j - 1] + 2});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best[i][j] = std::min(best[i][j], best[i - 2][j - 2] + 2);
    }
  return best[a.size()][b.size()];
}

}  // namespace intertwine
