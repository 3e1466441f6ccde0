// Answers as arrays of numbers.
#include "intertwine/io/answer_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/tables/data_section.hpp"
#include "intertwine/version.hpp"
#include "io/answers/number_arrays.hpp"
#include "io/containers/npy_header.hpp"
#include "io/containers/table_container.hpp"

namespace intertwine {

namespace {

Dtype dtype_of(const AnswerArray& array) {
  constexpr Dtype types[] = {Dtype::f64, Dtype::c128, Dtype::i64};
  return types[array.values.index()];
}

std::span<const std::byte> contents_of(const AnswerArray& array) {
  return std::visit([](const auto& values) { return std::as_bytes(std::span(values)); }, array.values);
}

}  // namespace

std::string to_bytes(const AnswerArrays& answer, Format format, const Task& task) {
  if (!is_of_arrays(format)) throw DomainError("to_bytes writes npy and npz, not " + to_string(format));
  std::uint64_t total = 0;
  std::vector<PlannedArray> arrays;
  for (const AnswerArray& array : answer.arrays) {
    const std::span<const std::byte> contents = contents_of(array);
    arrays.push_back({array.name, dtype_of(array), array.shape, contents, contents.size()});
    total += contents.size();
  }
  task.require_memory(2 * total, "the file of the arrays");
  if (format == Format::npy) {
    if (!answer.several.empty())
      throw DomainError(".npy holds one array, " + answer.several + "; .npz holds all of them");
    const PlannedArray& array = arrays.front();
    std::string bytes = npy_header(std::string(npy_descr(array.dtype)), array.shape);
    bytes.append(reinterpret_cast<const char*>(array.contents.data()), array.contents.size());
    return bytes;
  }
  Metadata metadata;
  for (const auto& [key, value] : answer.metadata) metadata.emplace("intertwine." + key, value);
  return file_bytes(TableFormat::npz, metadata, arrays);
}

std::string codes_to_npy(const WeightBlock& table, const Task& task) {
  const WeightPattern& pattern = table.weights;
  if (!pattern.is_tied())
    throw DomainError(
        "a sparse basis has no codes for a .npy file; basis writes its elements there, and tie writes .npz "
        "and .safetensors");
  task.require_memory(saturated_product(2 * code_bytes(pattern.params), saturated_product(pattern.rows, pattern.cols)),
                      "the codes of the table");
  return std::visit(
      [&](auto codes) {
        return to_npy(NpyArray{{pattern.rows, pattern.cols}, std::move(codes)});
      },
      all_codes(*pattern.tied().codes, pattern.params, task));
}

std::map<std::string, std::string> described(std::initializer_list<std::pair<const std::string, std::string>> more) {
  std::map<std::string, std::string> metadata(more);
  metadata.emplace("producer", "intertwine " INTERTWINE_VERSION);
  return metadata;
}

AnswerArray::Values whole_numbers(const std::vector<Integer>& numbers) {
  const Integer most = Integer(std::int64_t{1} << 62);
  if (std::all_of(numbers.begin(), numbers.end(), [&](const Integer& a) { return a <= most; })) {
    std::vector<std::int64_t> values;
    for (const Integer& a : numbers) values.push_back(static_cast<std::int64_t>(a));
    return values;
  }
  std::vector<double> values;
  for (const Integer& a : numbers) values.push_back(Cyclotomic(Rational(a)).to_complex().real());
  return values;
}

void add_images(std::vector<std::int64_t>& values, const Permutation& g, std::size_t degree) {
  for (std::size_t p = 0; p < degree; ++p) values.push_back(static_cast<std::int64_t>(g(static_cast<Point>(p))));
}

}  // namespace intertwine
