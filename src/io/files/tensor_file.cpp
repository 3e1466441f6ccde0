// Reads matrices of tensors.
#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/tensor_text.hpp"
#include "intertwine/io/weight_matrix_file.hpp"
#include "io/containers/text.hpp"
#include "io/expressions/atom_words.hpp"

namespace intertwine {

std::vector<double> read_tensor(const std::filesystem::path& path, std::size_t rows, std::size_t cols) {
  if (path.extension() == ".npy")
    return std::get<std::vector<double>>(read_weight_matrix(path, rows, cols, false).values);
  constexpr std::uint64_t largest_file = 1U << 20;
  const std::string text = read_file(path, largest_file), name = shown_path(path);
  std::vector<double> entries;
  std::size_t number = 0, found = 0;
  for (std::string_view rest = text; !rest.empty();) {
    std::string line(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    std::ranges::replace_if(
        line, [](char c) { return c == ',' || c == ';' || c == '\r' || c == '[' || c == ']'; }, ' ');
    const auto words = words_of_line(line);
    if (words.empty()) continue;
    if (words.size() != cols)
      throw FileError(
          fmt::format("{}: line {}: a row of this tensor has {} numbers in Voigt's notation, and here are {}", name,
                      number, cols, words.size()));
    for (const std::string_view word : words) {
      const auto value = decimal_number(word);
      if (!value) throw FileError(fmt::format("{}: line {}: '{}' is no number", name, number, shown(word, 40)));
      entries.push_back(*value);
    }
    ++found;
  }
  if (found != rows)
    throw FileError(fmt::format("{}: this tensor has {} rows of {} numbers in Voigt's notation, and the file has {}",
                                name, rows, cols, found));
  return entries;
}

}  // namespace intertwine
