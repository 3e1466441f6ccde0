// Semidefinite programs in files of modelling tools: by the names of files, and written.
#include "intertwine/io/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/sdpa_file.hpp"
#include "io/containers/text.hpp"
#include "io/files/written_number.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t most_model_bytes = std::uint64_t{1} << 30;

/// The blocks of the rows of a problem, and the first row of each.
struct RowsOfBlocks {
  std::vector<std::uint32_t> first, owner;
  explicit RowsOfBlocks(const sdp::Problem& problem) {
    for (std::size_t k = 0; k < problem.blocks().size(); ++k) {
      first.push_back(static_cast<std::uint32_t>(owner.size()));
      owner.insert(owner.end(), problem.blocks()[k].size, static_cast<std::uint32_t>(k));
    }
  }
};

class CbfWriter {
 public:
  CbfWriter(const sdp::Problem& problem, const Task& task) : problem_(problem), rows_(problem), task_(task) {
    std::uint32_t matrices = 0;
    scalar_.resize(rows_.owner.size());
    for (std::size_t k = 0; k < problem.blocks().size(); ++k) {
      const sdp::Block& block = problem.blocks()[k];
      matrix_.push_back(matrices);
      if (!block.diagonal && block.size > 0) ++matrices;
      if (block.diagonal)
        for (std::uint32_t i = 0; i < block.size; ++i) scalar_[rows_.first[k] + i] = scalars_++;
    }
    matrices_ = matrices;
  }

  std::string text(bool maximize, const Rational& constant) {
    std::string text = fmt::format("VER\n2\n\nOBJSENSE\n{}\n", maximize ? "MAX" : "MIN");
    if (matrices_ > 0) {
      text += fmt::format("\nPSDVAR\n{}\n", matrices_);
      for (const sdp::Block& block : problem_.blocks())
        if (!block.diagonal && block.size > 0) text += fmt::format("{}\n", block.size);
    }
    if (scalars_ > 0) text += fmt::format("\nVAR\n{0} 1\nL+ {0}\n", scalars_);
    const std::size_t m = problem_.right_sides().size();
    if (m > 0) text += fmt::format("\nCON\n{0} 1\nL= {0}\n", m);
    Section matrix{"OBJFCOORD"}, scalar{"OBJACOORD"};
    add(problem_.objective(), "", maximize ? -1 : 1, matrix, scalar);
    text += matrix.text() + scalar.text();
    if (constant != 0) text += "\nOBJBCOORD\n" + decimal_text(constant) + "\n";
    matrix = {"FCOORD"}, scalar = {"ACOORD"};
    for (std::size_t k = 0; k < m; ++k) add(problem_.constraints()[k], fmt::format("{} ", k), 1, matrix, scalar);
    text += matrix.text() + scalar.text();
    Section right{"BCOORD"};
    for (std::size_t k = 0; k < m; ++k)
      if (const Rational& b = problem_.right_sides()[k]; b != 0) right.add(fmt::format("{} {}\n", k, decimal_text(-b)));
    return text + right.text();
  }

 private:
  struct Section {
    std::string key, lines = {};
    std::size_t count = 0;
    void add(const std::string& line) { lines += line, ++count; }
    std::string text() const { return count == 0 ? "" : fmt::format("\n{}\n{}\n{}", key, count, lines); }
  };

  void add(const sdp::SymmetricMatrix& A, const std::string& head, int sign, Section& matrix, Section& scalar) {
    task_.poll();
    for (const sdp::SymmetricEntry& e : A) {
      const std::uint32_t k = rows_.owner[e.row];
      const std::string value = decimal_text(Rational(sign * e.value));
      if (problem_.blocks()[k].diagonal)
        scalar.add(fmt::format("{}{} {}\n", head, scalar_[e.row], value));
      else
        matrix.add(
            fmt::format("{}{} {} {} {}\n", head, matrix_[k], e.col - rows_.first[k], e.row - rows_.first[k], value));
    }
  }

  const sdp::Problem& problem_;
  const RowsOfBlocks rows_;
  const Task& task_;
  std::vector<std::uint32_t> matrix_, scalar_;  // numbers of matrix variables by block, of scalar ones by row
  std::uint32_t matrices_ = 0, scalars_ = 0;
};

class MofWriter {
 public:
  MofWriter(const sdp::Problem& problem, const Task& task) : problem_(problem), rows_(problem), task_(task) {}

  std::string text(bool maximize, const Rational& constant) const {
    std::string variables, constraints;
    for (std::size_t k = 0; k < problem_.blocks().size(); ++k) {
      const sdp::Block& block = problem_.blocks()[k];
      const std::uint32_t n = block.size, at = rows_.first[k];
      std::string names;
      const auto add_name = [&](std::uint32_t i, std::uint32_t j) {
        const std::string label = quoted_name(at + i, at + j);
        variables += (variables.empty() ? "{\"name\": " : ", {\"name\": ") + label + "}";
        names += (names.empty() ? "" : ", ") + label;
      };
      for (std::uint32_t j = 0; j < n; ++j) {
        task_.poll();
        for (std::uint32_t i = block.diagonal ? j : 0; i <= j; ++i) add_name(i, j);
      }
      constraints += fmt::format(
          R"({}{{"function": {{"type": "VectorOfVariables", "variables": [{}]}}, "set": {{"type": "{}", "{}": {}}}}})",
          constraints.empty() ? "" : ",\n", names, block.diagonal ? "Nonnegatives" : "PositiveSemidefiniteConeTriangle",
          block.diagonal ? "dimension" : "side_dimension", n);
    }
    for (std::size_t k = 0; k < problem_.constraints().size(); ++k)
      constraints += fmt::format(R"({}{{"function": {}, "set": {{"type": "EqualTo", "value": {}}}}})",
                                 constraints.empty() ? "" : ",\n", function(problem_.constraints()[k], 1, 0),
                                 decimal_text(problem_.right_sides()[k]));
    return fmt::format(
        "{{\"version\": {{\"major\": 1, \"minor\": 0}},\n\"variables\": [{}],\n\"objective\": "
        "{{\"sense\": \"{}\", \"function\": {}}},\n\"constraints\": [{}]}}\n",
        variables, maximize ? "max" : "min", function(problem_.objective(), maximize ? -1 : 1, constant), constraints);
  }

 private:
  std::string quoted_name(std::uint32_t row, std::uint32_t col) const {
    const std::uint32_t k = rows_.owner[row], at = rows_.first[k];
    return problem_.blocks()[k].diagonal ? fmt::format("\"X{}[{}]\"", k + 1, row - at + 1)
                                         : fmt::format("\"X{}[{},{}]\"", k + 1, row - at + 1, col - at + 1);
  }
  std::string function(const sdp::SymmetricMatrix& A, int sign, const Rational& constant) const {
    task_.poll();
    std::string terms;
    for (const sdp::SymmetricEntry& e : A)
      terms +=
          fmt::format(R"({}{{"coefficient": {}, "variable": {}}})", terms.empty() ? "" : ", ",
                      decimal_text(Rational((e.row == e.col ? sign : 2 * sign) * e.value)), quoted_name(e.row, e.col));
    return fmt::format(R"({{"type": "ScalarAffineFunction", "terms": [{}], "constant": {}}})", terms,
                       decimal_text(constant));
  }

  const sdp::Problem& problem_;
  const RowsOfBlocks rows_;
  const Task& task_;
};

}  // namespace

ModelFormat model_format(const std::filesystem::path& path) {
  std::string name = path.string();
  if (name.ends_with(".dat-s")) return ModelFormat::sdpa;
  if (name.ends_with(".mof.json")) return ModelFormat::mof;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (name.ends_with(".cbf")) return ModelFormat::cbf;
  throw DomainError(shown_path(path) + " ends in none of .dat-s, .cbf and .mof.json");
}

sdp::Model read_model(const std::filesystem::path& path, const Task& task) {
  const ModelFormat format = model_format(path);
  if (format == ModelFormat::sdpa) return {read_sdpa(path, task)};
  const std::string text = read_file(path, most_model_bytes), name = shown_path(path);
  if (!is_utf8(text)) throw FileError(name + " is no text in UTF-8");
  return format == ModelFormat::cbf ? parse_cbf(text, name, task) : parse_mof(text, name, task);
}

std::string to_model_text(const sdp::Problem& problem, bool maximize, const Rational& constant, ModelFormat format,
                          const Task& task) {
  if (format == ModelFormat::cbf) return CbfWriter(problem, task).text(maximize, constant);
  if (format == ModelFormat::mof) return MofWriter(problem, task).text(maximize, constant);
  if (maximize || constant != 0)
    throw DomainError("the format of SDPA has neither a sense nor a constant; write .cbf or .mof.json");
  return to_sdpa(problem, "minimize <C, X>: matrix 0 is -C");
}

namespace sdp {

Problem to_problem(const ReducedProblem& problem, const Task& task) {
  std::vector<Block> blocks;
  std::vector<std::uint32_t> first;
  std::uint32_t rows = 0;
  for (const ReducedBlock& block : problem.blocks) {
    first.push_back(rows);
    blocks.push_back({static_cast<std::uint32_t>(block.size), false});
    rows += blocks.back().size;
  }
  const auto exact = [](double value) { return written_number(fmt::format("{:.17g}", value)).value(); };
  const auto matrix = [&](const std::vector<NumericEntry>& entries) {
    task.poll();
    SymmetricMatrix A;
    A.reserve(entries.size());
    for (const NumericEntry& e : entries) A.push_back({first[e.block] + e.row, first[e.block] + e.col, exact(e.value)});
    return A;
  };
  std::vector<SymmetricMatrix> A;
  for (const std::vector<NumericEntry>& entries : problem.A) A.push_back(matrix(entries));
  std::vector<Rational> b;
  for (const Rational& value : problem.b) b.push_back(exact(value.convert_to<double>()));
  return Problem(std::move(blocks), matrix(problem.C), std::move(A), std::move(b));
}

}  // namespace sdp

}  // namespace intertwine
