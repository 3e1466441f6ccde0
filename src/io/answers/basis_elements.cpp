// The elements of a basis as text.
#include "intertwine/io/basis_elements.hpp"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/systems_text.hpp"
#include "intertwine/tables/data_section.hpp"
#include "io/answers/latex_matrix.hpp"
#include "io/answers/number_arrays.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/system_values.hpp"

namespace intertwine {

namespace {

/// The most entries that a page of LaTeX shows.
constexpr std::uint64_t shown_entries = 4096;
/// About what an entry takes in memory, and a number of a dense matrix in a text.
constexpr std::uint64_t entry_bytes = 112, number_bytes = 4;

BasisElements::Family family_of(const IntertwinerSpace& space, const Task& task) {
  task.require_memory(saturated_product(entry_bytes, space.nonzeros()), "the elements of the basis");
  BasisElements::Family family{space.rows(), space.cols(), {}};
  for (std::uint64_t k = 0; k < space.params(); ++k) {
    auto& element = family.elements.emplace_back();
    for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e) {
      task.poll();
      element.push_back({space.row()[e], space.col()[e], space.value(e)});
    }
  }
  return family;
}

BasisElements::Family family_of(const HomBasis& basis, const Task& task) {
  if (!basis.is_tied()) return family_of(basis.space(), task);
  task.require_memory(saturated_product(2 * entry_bytes, saturated_product(basis.rows(), basis.cols())),
                      "the elements of the basis");
  BasisElements::Family family{basis.rows(), basis.cols(), {}};
  for (const SparseMatrix& matrix : basis.elements(task)) {
    auto& element = family.elements.emplace_back();
    for (const SparseMatrix::Entry& e : matrix.entries()) element.push_back({e.row, e.col, Cyclotomic(e.value)});
  }
  return family;
}

/// Sums of the parameters at every place, row by row.
std::vector<std::vector<std::string>> sums_of(const BasisElements::Family& family, const char* letter) {
  std::vector<std::vector<SumText>> sums(family.rows, std::vector<SumText>(family.cols, SumText(Notation::latex)));
  for (std::size_t k = 0; k < family.elements.size(); ++k)
    for (const BasisElements::Entry& e : family.elements[k])
      sums[e.row][e.col].add(e.value, fmt::format("\\{}_{{{}}}", letter, k + 1));
  std::vector<std::vector<std::string>> cells(family.rows);
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const SumText& sum : sums[i]) cells[i].push_back(sum.str());
  return cells;
}

FieldMatrix dense(const BasisElements::Family& family, const std::vector<BasisElements::Entry>& element) {
  std::vector<Cyclotomic> values(family.rows * family.cols);
  for (const BasisElements::Entry& e : element) values[e.row * family.cols + e.col] = e.value;
  return {family.rows, family.cols, values};
}

std::uint32_t conductor_of(const BasisElements::Family& family) {
  std::uint32_t n = 1;
  for (const auto& element : family.elements)
    for (const BasisElements::Entry& e : element) n = std::lcm(n, e.value.conductor());
  return n;
}

std::string matrices_of(Format system, const BasisElements::Family& family, std::uint32_t n, const Task& task) {
  return list_of(family.elements, ", ", [&](const auto& element) {
    task.poll();
    return system_matrix(system, dense(family, element), n, task);
  });
}

}  // namespace

BasisElements hom::basis_elements(const Basis& basis, const Task& task) {
  if (basis.is_empty()) throw DomainError("V or U has dimension 0, there are no elements");
  if (basis.is_several())
    throw DomainError(
        fmt::format("the basis has {} blocks, whose elements are of different sizes; ask for one pattern "
                    "(single_pattern)",
                    basis.blocks().size()));
  const Basis::Block& block = basis.blocks().front();
  return {fmt::format("Hom({}, {}) of {}", block.source.to_string(), block.target.to_string(),
                      basis.source().group().name()),
          family_of(block.weights, task), family_of(block.bias, task)};
}

namespace {

std::string latex_of(const BasisElements& elements) {
  const std::uint64_t entries = saturated_product(elements.weights.rows, elements.weights.cols);
  if (entries > shown_entries)
    throw LimitError(
        fmt::format("{}: a matrix of {} x {} entries is too large for a page of LaTeX, which holds {}; write "
                    ".csv, .npy, .svg or a table",
                    elements.title, elements.weights.rows, elements.weights.cols, shown_entries));
  std::string text = latex_words(elements.title + ":");
  text += latex_display("W = " + latex_matrix(sums_of(elements.weights, "theta")));
  if (!elements.bias.elements.empty()) text += latex_display("b = " + latex_matrix(sums_of(elements.bias, "beta")));
  return text;
}

Sheet sheet_of(const BasisElements& elements) {
  Sheet sheet{elements.title, {"part", "element", "row", "column", "value"}, {}, "lrrrr"};
  const auto add = [&](const char* part, const BasisElements::Family& family) {
    for (std::size_t k = 0; k < family.elements.size(); ++k)
      for (const BasisElements::Entry& e : family.elements[k])
        sheet.rows.push_back({part, std::to_string(k + 1), std::to_string(e.row + 1), std::to_string(e.col + 1),
                              Cell::formula(to_string(e.value), to_latex(e.value))});
  };
  add("weight", elements.weights);
  add("bias", elements.bias);
  return sheet;
}

std::string system_of(Format system, const BasisElements& elements, const Task& task) {
  const std::uint64_t entries = saturated_product(elements.weights.rows, elements.weights.cols);
  task.require_memory(saturated_product(number_bytes, saturated_product(entries, elements.weights.elements.size())),
                      "the elements of the basis as matrices");
  const std::uint32_t n = std::lcm(conductor_of(elements.weights), conductor_of(elements.bias));
  return with_roots(
      system,
      fmt::format(fmt::runtime(system == Format::magma ? "[* [{}], [{}] *]" : "[[{}], [{}]]"),
                  matrices_of(system, elements.weights, n, task), matrices_of(system, elements.bias, n, task)),
      n);
}

AnswerArray family_array(const char* name, const BasisElements::Family& family, bool column, const Task& task) {
  const std::uint64_t size = saturated_product(family.rows, family.cols);
  task.require_memory(
      saturated_product(sizeof(std::complex<double>) * 2, saturated_product(size, family.elements.size())),
      "the elements of the basis as dense matrices");
  std::vector<std::complex<double>> values(family.elements.size() * size);
  bool is_real = true;
  for (std::size_t k = 0; k < family.elements.size(); ++k)
    for (const BasisElements::Entry& e : family.elements[k]) {
      task.poll();
      const std::complex<double> a = e.value.to_complex();
      values[k * size + e.row * family.cols + e.col] = a;
      is_real = is_real && a.imag() == 0;
    }
  std::vector<std::uint64_t> shape{family.elements.size(), family.rows};
  if (!column) shape.push_back(family.cols);
  if (!is_real) return {name, std::move(shape), std::move(values)};
  std::vector<double> parts;
  parts.reserve(values.size());
  for (const std::complex<double>& a : values) parts.push_back(a.real());
  return {name, std::move(shape), std::move(parts)};
}

AnswerArrays arrays_of(const BasisElements& elements, const Task& task) {
  return {{family_array("weights", elements.weights, false, task), family_array("bias", elements.bias, true, task)},
          described({{"title", elements.title}})};
}

}  // namespace

Record record(Kept<BasisElements> elements) {
  return {.latex = [=](const Task&) { return latex_of(*elements); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*elements)}; },
          .expression = [=](Format system, const Task& task) { return system_of(system, *elements, task); },
          .arrays = [=](const Task& task) { return arrays_of(*elements, task); }};
}

}  // namespace intertwine
