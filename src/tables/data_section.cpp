// The arrays of a table file and their types.
#include "intertwine/tables/data_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "intertwine/tables/sha256.hpp"

namespace intertwine {
namespace {

using namespace array_names;

static_assert(std::endian::native == std::endian::little, "table files are written as the arrays lie in memory");

struct DtypeSpelling {
  std::string_view name, descr;
  unsigned bytes;
};
constexpr std::array<DtypeSpelling, 6> dtypes = {{{"U8", "|u1", 1},
                                                  {"U16", "<u2", 2},
                                                  {"I32", "<i4", 4},
                                                  {"F64", "<f8", 8},
                                                  {"I64", "<i8", 8},
                                                  {"C128", "<c16", 16}}};

const DtypeSpelling& spelling(Dtype dtype) { return dtypes[static_cast<std::size_t>(dtype)]; }

// 1 + the place in `dtypes`, 0 for types that are not there.
std::size_t dtype_rank(std::string_view name) {
  const auto found = std::find_if(dtypes.begin(), dtypes.end(), [&](const DtypeSpelling& d) { return d.name == name; });
  return found == dtypes.end() ? 0 : 1 + static_cast<std::size_t>(found - dtypes.begin());
}

Dtype code_dtype(std::uint64_t params) { return code_bytes(params) == 1 ? Dtype::u8 : Dtype::i32; }

template <class Item>
std::span<const std::byte> bytes_of(const std::vector<Item>& items) {
  return std::as_bytes(std::span(items));
}

std::span<const std::byte> bytes_of(const Codes& codes) {
  return std::visit([](const auto& items) { return bytes_of(items); }, codes);
}

// The decimal numbers of the values, each with a line feed behind it, if one of them is no double; empty otherwise.
std::string value_text(const SparseElements& elements, const Task& task) {
  std::string out;
  if (!elements.first_beyond_double()) return out;
  for (std::size_t e = 0; e < elements.value.size(); ++e) {
    task.poll();
    out += elements.integer(e) + '\n';
  }
  return out;
}

std::span<const std::byte> values_of(const SparseElements& elements, const std::string& text) {
  return text.empty() ? bytes_of(elements.value) : std::as_bytes(std::span(text));
}

// Codes that do not lie in memory: all together if they come in order, as those of a file do, otherwise row after row.
void add_rows(Sha256& sha256, const CodeRows& rows, unsigned width, const Task& task) {
  Sha256 ordered = sha256;
  std::uint64_t next = 0;
  bool in_order = true;
  rows.for_each_row(
      width,
      [&](std::uint64_t row, std::span<const std::byte> bytes) {
        in_order = in_order && row == next++;
        if (in_order) ordered.add(bytes);
      },
      task);
  if (in_order && next == rows.rows()) {
    sha256 = ordered;
    return;
  }
  std::vector<std::int32_t> codes(rows.cols());
  std::vector<std::uint8_t> narrow(width == 1 ? codes.size() : 0);
  for (std::uint64_t i = 0; i < rows.rows(); ++i) {
    task.progress("hashing the table", i, rows.rows());
    rows.row(i, codes);
    std::transform(codes.begin(), codes.begin() + static_cast<std::ptrdiff_t>(narrow.size()), narrow.begin(),
                   [](std::int32_t code) { return static_cast<std::uint8_t>(code); });
    sha256.add(width == 1 ? bytes_of(narrow) : bytes_of(codes));
  }
}

}  // namespace

unsigned item_bytes(Dtype dtype) { return spelling(dtype).bytes; }
std::string_view dtype_name(Dtype dtype) { return spelling(dtype).name; }
std::string_view npy_descr(Dtype dtype) { return spelling(dtype).descr; }

std::optional<Dtype> dtype_of_descr(std::string_view descr) {
  for (std::size_t k = 0; k < dtypes.size(); ++k)
    if (dtypes[k].descr == descr) return static_cast<Dtype>(k);
  return std::nullopt;
}

bool earlier_in_section(std::string_view dtype_a, std::string_view name_a, std::string_view dtype_b,
                        std::string_view name_b) {
  const std::size_t a = dtype_rank(dtype_a);
  const std::size_t b = dtype_rank(dtype_b);
  return a != b ? a > b : name_a < name_b;
}

std::vector<PlannedArray> in_section_order(std::vector<PlannedArray> arrays) {
  for (PlannedArray& array : arrays) {
    array.bytes = item_bytes(array.dtype);
    for (const std::uint64_t side : array.shape) array.bytes = saturated_product(array.bytes, side);
  }
  std::sort(arrays.begin(), arrays.end(), [](const PlannedArray& a, const PlannedArray& b) {
    return earlier_in_section(dtype_name(a.dtype), a.name, dtype_name(b.dtype), b.name);
  });
  return arrays;
}

std::vector<PlannedArray> planned_arrays(const WeightBlock& table, const SectionSizes& sizes) {
  const WeightPattern &weights = table.weights, &bias = table.bias;
  std::vector<PlannedArray> arrays;
  if (table.is_tied()) {
    arrays = {{weight_code, code_dtype(weights.params), {weights.rows, weights.cols}},
              {orbit_size, Dtype::i64, {weights.params}},
              {bias_code, code_dtype(bias.params), {weights.rows}}};
  } else {
    arrays = {{basis_ptr, Dtype::i64, {weights.params + 1}}, {basis_row, Dtype::i32, {sizes.entries}},
              {basis_col, Dtype::i32, {sizes.entries}},      {basis_val, Dtype::f64, {sizes.entries}},
              {bias_ptr, Dtype::i64, {bias.params + 1}},     {bias_row, Dtype::i32, {sizes.bias_entries}},
              {bias_val, Dtype::f64, {sizes.bias_entries}}};
    if (sizes.degree > 1) {
      arrays.push_back({basis_coordinates, Dtype::i64, {sizes.degree, sizes.entries}});
      arrays.push_back({bias_coordinates, Dtype::i64, {sizes.degree, sizes.bias_entries}});
    }
  }
  if (sizes.isotypic_blocks != 0) {
    arrays.push_back({isotypic_blocks, Dtype::i64, {sizes.isotypic_blocks, 4}});
    arrays.push_back({T_out, Dtype::f64, {weights.rows, weights.rows}});
    arrays.push_back({T_in, Dtype::f64, {weights.cols, weights.cols}});
  }
  return in_section_order(std::move(arrays));
}

std::vector<PlannedArray> proof_arrays(const GeneratorImages& proof, std::uint64_t rows, std::uint64_t cols) {
  const std::uint64_t g = proof.generators.size();
  std::vector<PlannedArray> arrays;
  if (const auto* images = std::get_if<GeneratorImages::Signed>(&proof.images)) {
    arrays = {{row_images, Dtype::i32, {g, rows}, bytes_of(images->row)},
              {column_images, Dtype::i32, {g, cols}, bytes_of(images->column)}};
  } else {
    const auto& general = std::get<GeneratorImages::General>(proof.images);
    for (const auto& [names, part] :
         {std::pair(std::span(row_matrices), &general.row), {std::span(column_matrices), &general.column}}) {
      const std::uint64_t entries = part->row.size();
      arrays.push_back({names[0], Dtype::i64, {g + 1}, bytes_of(part->start)});
      arrays.push_back({names[1], Dtype::i32, {entries}, bytes_of(part->row)});
      arrays.push_back({names[2], Dtype::i32, {entries}, bytes_of(part->col)});
      arrays.push_back({names[3], Dtype::i64, {general.degree, entries}, bytes_of(part->numerator)});
      arrays.push_back({names[4], Dtype::i64, {entries}, bytes_of(part->denominator)});
    }
  }
  return arrays;
}

DataSection::DataSection(const WeightBlock& table, const Task& task) {
  SectionSizes sizes;
  std::vector<std::pair<std::string_view, std::span<const std::byte>>> contents;
  if (table.is_tied()) {
    const TiedEntries &weights = table.weights.tied(), &bias = table.bias.tied();
    contents.emplace_back(orbit_size, bytes_of(weights.orbit_size));
    if (const Codes* codes = weights.codes->in_memory()) contents.emplace_back(weight_code, bytes_of(*codes));
    const Codes* codes = bias.codes->in_memory();
    if (codes == nullptr) bias_ = all_codes(*bias.codes, table.bias.params, task);
    contents.emplace_back(bias_code, bytes_of(codes == nullptr ? bias_ : *codes));
  } else {
    const SparseElements &weights = table.weights.sparse(), &bias = table.bias.sparse();
    sizes = {weights.row.size(), bias.row.size(), weights.exact.degree, 0};
    text_ = value_text(weights, task);
    bias_text_ = value_text(bias, task);
    contents = {{basis_ptr, bytes_of(weights.start)},
                {basis_row, bytes_of(weights.row)},
                {basis_col, bytes_of(weights.col)},
                {basis_val, values_of(weights, text_)},
                {basis_coordinates, bytes_of(weights.exact.coordinates)},
                {array_names::bias_ptr, bytes_of(bias.start)},
                {bias_row, bytes_of(bias.row)},
                {bias_val, values_of(bias, bias_text_)},
                {bias_coordinates, bytes_of(bias.exact.coordinates)}};
  }
  if (table.isotypic) {
    for (const auto& b : table.isotypic->blocks)
      for (const std::uint64_t number : {b.division, b.degree, b.copies_out, b.copies_in})
        blocks_.push_back(static_cast<std::int64_t>(number));
    sizes.isotypic_blocks = table.isotypic->blocks.size();
    contents.emplace_back(isotypic_blocks, bytes_of(blocks_));
    contents.emplace_back(T_out, bytes_of(table.isotypic->T_out));
    contents.emplace_back(T_in, bytes_of(table.isotypic->T_in));
  }
  arrays_ = planned_arrays(table, sizes);
  for (PlannedArray& array : arrays_)
    for (const auto& [name, bytes] : contents)
      if (array.name == name) array.contents = bytes;
}

std::string digest(const WeightBlock& table, const Task& task) {
  const DataSection section(table, task);
  Sha256 sha256;
  for (const PlannedArray& array : section.arrays()) {
    if (array.name == weight_code && array.contents.size() != array.bytes)
      add_rows(sha256, *table.weights.tied().codes, item_bytes(array.dtype), task);
    else
      sha256.add(array.contents);
  }
  return sha256.hex();
}

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? std::numeric_limits<std::uint64_t>::max() : out;
}

}  // namespace intertwine
