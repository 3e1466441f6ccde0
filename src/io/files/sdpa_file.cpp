// SDPA-sparse files.
#include "intertwine/io/sdpa_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "io/answers/json_values.hpp"
#include "io/containers/text.hpp"
#include "io/files/written_number.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t most_sdpa_bytes = std::uint64_t{1} << 30;

class SdpaReader {
 public:
  SdpaReader(const std::string& text, const std::string& name, const Task& task)
      : text_(text), name_(name), task_(task) {}

  sdp::Problem read() {
    const std::uint64_t m = first_number("the number of constraints", 10'000'000);
    const std::uint64_t count = first_number("the number of blocks", 1'000'000);
    std::vector<sdp::Block> blocks;
    std::vector<std::uint32_t> first;
    std::uint64_t rows = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
      const Rational size = number(fmt::format("the size of block {}", k + 1));
      if (boost::multiprecision::denominator(size) != 1 || size == 0 || abs(size) > 100'000'000)
        fail(fmt::format("block {} has the size {}; it is a whole number, negative for a diagonal block", k + 1,
                         size.str()));
      const auto n = static_cast<std::uint32_t>(abs(size).convert_to<std::uint64_t>());
      first.push_back(static_cast<std::uint32_t>(rows));
      rows += n;
      if (rows > 100'000'000) fail("the blocks have more than 100,000,000 rows together");
      blocks.push_back({n, size < 0});
    }
    std::vector<Rational> b;
    for (std::uint64_t k = 0; k < m; ++k) b.push_back(number(fmt::format("number {} of the right sides", k + 1)));
    sdp::SymmetricMatrix F0;
    std::vector<sdp::SymmetricMatrix> A(m);
    while (more()) {
      task_.poll();
      const std::uint64_t matrix = index("the matrix", 0, m), block = index("the block", 1, count);
      const sdp::Block& in = blocks[block - 1];
      std::uint64_t i = index("the row", 1, in.size), j = index("the column", 1, in.size);
      const Rational value = number("the value of an entry");
      if (i > j) std::swap(i, j);
      if (in.diagonal && i != j) fail(fmt::format("block {} is diagonal and has an entry off the diagonal", block));
      const auto row = static_cast<std::uint32_t>(first[block - 1] + i - 1),
                 col = static_cast<std::uint32_t>(first[block - 1] + j - 1);
      if (matrix == 0)
        F0.push_back({row, col, Rational(-value)});
      else
        A[matrix - 1].push_back({row, col, value});
    }
    try {
      return sdp::Problem(std::move(blocks), std::move(F0), std::move(A), std::move(b));
    } catch (const DomainError& e) {
      throw FileError(name_ + ": " + e.what());
    }
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw FileError(fmt::format("{}, line {}: {}", name_, line_, why));
  }
  static bool is_blank(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0 || c == ',' || c == '{' || c == '}' || c == '(' || c == ')';
  }
  /// Past blanks; comments are lines that begin with " or *.
  bool more() {
    while (at_ < text_.size()) {
      const bool line_start = at_ == 0 || text_[at_ - 1] == '\n';
      if (line_start && (text_[at_] == '"' || text_[at_] == '*')) {
        skip_line();
      } else if (is_blank(text_[at_])) {
        if (text_[at_] == '\n') ++line_;
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }
  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  std::string_view word(const std::string& what) {
    if (!more()) fail("the file ends before " + what);
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    return std::string_view(text_).substr(begin, at_ - begin);
  }
  Rational number(const std::string& what) {
    const std::string_view text = word(what);
    const auto value = written_number(text);
    if (!value) fail(fmt::format("{} is {}, which is no number", what, shown(text)));
    return *value;
  }
  std::uint64_t index(const std::string& what, std::uint64_t least, std::uint64_t most) {
    const Rational value = number(what);
    if (boost::multiprecision::denominator(value) != 1 || value < least || value > most)
      fail(fmt::format("{} is {}, and goes from {} to {}", what, value.str(), least, most));
    return value.convert_to<std::uint64_t>();
  }
  /// The first number of a line, the rest of which is words.
  std::uint64_t first_number(const std::string& what, std::uint64_t most) {
    const std::uint64_t value = index(what, 0, most);
    skip_line();
    return value;
  }

  const std::string& text_;
  const std::string& name_;
  const Task& task_;
  std::size_t at_ = 0, line_ = 1;
};

std::string head(const std::string& comment, std::size_t constraints, const std::vector<std::string>& sizes) {
  std::string text = fmt::format("\"{}\n{}\n{}\n", comment, constraints, sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) text += (k == 0 ? "" : " ") + sizes[k];
  return text + "\n";
}

std::string double_text(const Rational& value) { return fmt::format("{:.17g}", value.convert_to<double>()); }

std::string right_sides(const std::vector<Rational>& b) {
  std::string text;
  for (const Rational& value : b) text += (text.empty() ? "" : " ") + double_text(value);
  return text + "\n";
}

}  // namespace

sdp::Problem parse_sdpa(const std::string& text, const std::string& name, const Task& task) {
  return SdpaReader(text, name, task).read();
}

sdp::Problem read_sdpa(const std::filesystem::path& path, const Task& task) {
  return parse_sdpa(read_file(path, most_sdpa_bytes), shown_path(path), task);
}

std::string to_sdpa(const sdp::ReducedProblem& problem, const std::string& comment) {
  // Blocks of size 1 side by side are diagonal blocks to every reader.
  std::vector<std::string> sizes;
  for (const sdp::ReducedBlock& block : problem.blocks) sizes.push_back(std::to_string(block.size));
  std::string text = head(comment, problem.A.size(), sizes) + right_sides(problem.b);
  const auto add = [&](std::size_t matrix, const std::vector<sdp::NumericEntry>& entries, double sign) {
    for (const sdp::NumericEntry& e : entries)
      text += fmt::format("{} {} {} {} {:.17g}\n", matrix, e.block + 1, e.row + 1, e.col + 1, sign * e.value);
  };
  add(0, problem.C, -1);
  for (std::size_t k = 0; k < problem.A.size(); ++k) add(k + 1, problem.A[k], 1);
  return text;
}

std::string to_sdpa(const sdp::Problem& problem, const std::string& comment) {
  std::vector<std::string> sizes;
  std::vector<std::uint32_t> first;
  std::uint32_t rows = 0;
  for (const sdp::Block& block : problem.blocks()) {
    sizes.push_back((block.diagonal ? "-" : "") + std::to_string(block.size));
    first.push_back(rows);
    rows += block.size;
  }
  std::string text = head(comment, problem.constraints().size(), sizes) + right_sides(problem.right_sides());
  const auto add = [&](std::size_t matrix, const sdp::SymmetricMatrix& entries, int sign) {
    for (const sdp::SymmetricEntry& e : entries) {
      const auto block = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), e.row) - first.begin());
      text += fmt::format("{} {} {} {} {}\n", matrix, block, e.row - first[block - 1] + 1, e.col - first[block - 1] + 1,
                          double_text(Rational(e.value * sign)));
    }
  };
  add(0, problem.objective(), -1);
  for (std::size_t k = 0; k < problem.constraints().size(); ++k) add(k + 1, problem.constraints()[k], 1);
  return text;
}

}  // namespace intertwine
