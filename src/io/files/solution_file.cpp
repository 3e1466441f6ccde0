// Solutions of semidefinite programs: the files of CSDP and SDPA, and matrices in JSON.
#include "intertwine/io/solution_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "io/answers/json_values.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

using SolutionMatrices = std::vector<std::vector<double>>;

constexpr std::uint64_t most_solution_bytes = std::uint64_t{1} << 30;

bool is_solution_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == ',' || c == '{' || c == '}'; }

class SolutionReader {
 public:
  SolutionReader(const std::string& text, const std::string& name, const sdp::ReducedProblem& problem, const Task& task)
      : text_(text), name_(name), problem_(problem), task_(task) {
    std::uint64_t entries = 0;
    for (const sdp::ReducedBlock& block : problem.blocks) entries += block.size * block.size;
    task.require_memory(sizeof(double) * entries, "the entries of a solution");
    for (const sdp::ReducedBlock& block : problem.blocks) Z_.emplace_back(block.size * block.size, 0.0);
  }

  SolutionMatrices read() && {
    const std::size_t y = text_.rfind("yMat");
    skip();
    if (y != std::string::npos)
      sdpa(y);
    else if (at_ < text_.size() && text_[at_] == '[')
      json();
    else
      csdp();
    return std::move(Z_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw FileError(fmt::format("{}, line {}: {}", name_, line_, why));
  }
  void skip() {
    while (at_ < text_.size() && is_solution_blank(text_[at_])) line_ += text_[at_++] == '\n' ? 1 : 0;
  }
  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_solution_blank(text_[at_])) ++at_;
    return std::string_view(text_).substr(begin, at_ - begin);
  }
  double number(const std::string& what) {
    skip();
    if (at_ == text_.size()) fail("the file ends before " + what);
    const std::string_view given = word();
    const std::string_view digits = given.substr(given.starts_with('+') ? 1 : 0);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
      fail(fmt::format("{} is {}, which is no finite number", what, shown(given)));
    return value;
  }
  std::size_t index(const std::string& what, std::size_t most) {
    const double value = number(what);
    if (value != std::floor(value) || value < 1 || value > static_cast<double>(most))
      fail(fmt::format("{} is {}, and goes from 1 to {}", what, value, most));
    return static_cast<std::size_t>(value);
  }

  /// The multipliers are the first line, which is blank where there are none.
  void csdp() {
    at_ = 0;
    line_ = 1;
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    std::size_t multipliers = 0;
    while (true) {
      while (at_ < end && is_solution_blank(text_[at_])) ++at_;
      if (at_ >= end) break;
      number(fmt::format("multiplier {}", ++multipliers));
    }
    if (multipliers != problem_.A.size())
      fail(
          fmt::format("there are {} multipliers, and the reduced problem has {} constraints: solve the file that "
                      "--output writes, with the same group",
                      multipliers, problem_.A.size()));
    for (skip(); at_ < text_.size(); skip()) {
      task_.poll();
      const std::size_t matrix = index("the matrix", 2), block = index("the block", problem_.blocks.size());
      const std::size_t size = problem_.blocks[block - 1].size;
      const std::size_t i = index("the row", size) - 1, j = index("the column", size) - 1;
      const double value = number("the value of an entry");
      if (matrix == 2) Z_[block - 1][i * size + j] = Z_[block - 1][j * size + i] = value;
    }
  }

  /// The entries of yMat, all rows of all blocks.
  void sdpa(std::size_t begin) {
    for (std::size_t k = 0; k < begin; ++k) line_ += text_[k] == '\n' ? 1 : 0;
    at_ = text_.find('{', begin);
    if (at_ == std::string::npos) fail("there is no matrix after yMat");
    std::size_t end = at_, depth = 0;
    do {
      if (text_[end] == '{') ++depth;
      if (text_[end] == '}') --depth;
      ++end;
    } while (depth > 0 && end < text_.size());
    if (depth > 0) fail("yMat has no end");
    const auto more = [&] {
      skip();
      return at_ < end;
    };
    for (std::size_t k = 0; k < Z_.size(); ++k)
      for (double& value : Z_[k]) {
        task_.poll();
        if (!more()) fail(fmt::format("yMat ends in block {} of {}", k + 1, Z_.size()));
        value = number("an entry of yMat");
      }
    if (more()) fail(fmt::format("yMat has more entries than the {} blocks of the reduced problem", Z_.size()));
    symmetric();
  }

  void json() {
    const nlohmann::json document = parse_strict_json(text_, name_);
    if (document.size() != Z_.size())
      throw FileError(fmt::format("{}: there are {} matrices, and the reduced problem has {} blocks", name_,
                                  document.size(), Z_.size()));
    for (std::size_t k = 0; k < Z_.size(); ++k) {
      const std::size_t size = problem_.blocks[k].size;
      const auto wrong = [&] {
        throw FileError(
            fmt::format("{}: block {} (from 1) is a list of {} rows of as many numbers", name_, k + 1, size));
      };
      if (!document[k].is_array() || document[k].size() != size) wrong();
      for (std::size_t i = 0; i < size; ++i) {
        const nlohmann::json& row = document[k][i];
        if (!row.is_array() || row.size() != size) wrong();
        for (std::size_t j = 0; j < size; ++j) {
          if (!row[j].is_number()) wrong();
          Z_[k][i * size + j] = row[j].get<double>();
        }
      }
    }
    symmetric();
  }

  /// Solvers round, so that the two entries of a place may differ a little: their mean is taken.
  void symmetric() {
    for (std::size_t k = 0; k < Z_.size(); ++k) {
      const std::size_t size = problem_.blocks[k].size;
      double largest = 0;
      for (const double value : Z_[k]) largest = std::max(largest, std::abs(value));
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < i; ++j) {
          double &a = Z_[k][i * size + j], &b = Z_[k][j * size + i];
          if (std::abs(a - b) > 1e-3 * largest)
            throw FileError(fmt::format("{}: block {} (from 1) is not symmetric in row {} and column {}", name_, k + 1,
                                        i + 1, j + 1));
          a = b = (a + b) / 2;
        }
    }
  }

  const std::string& text_;
  const std::string& name_;
  const sdp::ReducedProblem& problem_;
  const Task& task_;
  SolutionMatrices Z_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace

std::vector<std::vector<double>> parse_solution(const std::string& text, const std::string& name,
                                                const sdp::ReducedProblem& problem, const Task& task) {
  return SolutionReader(text, name, problem, task).read();
}

std::vector<std::vector<double>> read_solution(const std::filesystem::path& path, const sdp::ReducedProblem& problem,
                                               const Task& task) {
  return parse_solution(read_file(path, most_solution_bytes), shown_path(path), problem, task);
}

}  // namespace intertwine
