// The arrays of a weight table in the order in which files hold them and the digest runs over them (docs/formats.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/tables/weight_block.hpp"

namespace intertwine {

/// Every number in a file is little-endian; arrays are handed over as they lie in memory. Arrays of later types
/// come first in the data section, so that all are aligned.
/// Complex numbers are in answers only, never in tables.
enum class Dtype : std::uint8_t { u8, u16, i32, f64, i64, c128 };
unsigned item_bytes(Dtype dtype);
std::string_view dtype_name(Dtype dtype);  ///< as safetensors spells it: "U8", "U16", "I32", "F64", "I64", "C128"
std::string_view npy_descr(Dtype dtype);   ///< as NumPy spells it: "|u1", "<u2", "<i4", "<f8", "<i8", "<c16"
std::optional<Dtype> dtype_of_descr(std::string_view descr);

/// True if an array of type `a` with this name lies before the other one in the data section: by type, then by
/// name. Types of other writers come last.
bool earlier_in_section(std::string_view dtype_a, std::string_view name_a, std::string_view dtype_b,
                        std::string_view name_b);

/// One array of a table that is to be written, or that is looked for.
struct PlannedArray {
  std::string_view name;
  Dtype dtype = Dtype::u8;
  std::vector<std::uint64_t> shape;
  std::span<const std::byte> contents = {};  ///< empty where they come later or are not known
  std::uint64_t bytes = 0;                   ///< set by in_section_order
};

/// The arrays in the order of the data section, with their sizes (saturated).
std::vector<PlannedArray> in_section_order(std::vector<PlannedArray> arrays);

namespace array_names {
inline constexpr std::string_view weight_code = "weight.code", orbit_size = "weight.orbit_size",
                                  bias_code = "bias.code";
inline constexpr std::string_view basis_ptr = "weight.basis_ptr", basis_row = "weight.basis_row",
                                  basis_col = "weight.basis_col", basis_val = "weight.basis_val",
                                  basis_coordinates = "weight.basis_coordinates", bias_ptr = "bias.basis_ptr",
                                  bias_row = "bias.basis_row", bias_val = "bias.basis_val",
                                  bias_coordinates = "bias.basis_coordinates";
inline constexpr std::string_view isotypic_blocks = "isotypic.blocks", T_out = "isotypic.T_out", T_in = "isotypic.T_in";
inline constexpr std::string_view row_images = "proof.row_images", column_images = "proof.column_images";
/// The arrays of general images: ptr, row, col, numerator and denominator, on rows and on columns.
inline constexpr std::string_view row_matrices[] = {"proof.row_ptr", "proof.row_row", "proof.row_col",
                                                    "proof.row_numerator", "proof.row_denominator"},
                                  column_matrices[] = {"proof.column_ptr", "proof.column_row", "proof.column_col",
                                                       "proof.column_numerator", "proof.column_denominator"};
/// All of them, of both kinds, and those of proofs.
inline constexpr std::string_view all[] = {
    weight_code,
    orbit_size,
    bias_code,
    basis_ptr,
    basis_row,
    basis_col,
    basis_val,
    basis_coordinates,
    bias_ptr,
    bias_row,
    bias_val,
    bias_coordinates,
    T_out,
    isotypic_blocks,
    T_in,
    row_images,
    column_images,
    row_matrices[0],
    row_matrices[1],
    row_matrices[2],
    row_matrices[3],
    row_matrices[4],
    column_matrices[0],
    column_matrices[1],
    column_matrices[2],
    column_matrices[3],
    column_matrices[4],
};
/// "block.0.1." of the array "block.0.1.weight.code" of a block; empty for those of tables.
constexpr std::string_view block_of(std::string_view name) {
  if (!name.starts_with("block.")) return {};
  return name.substr(0, name.find('.', name.find('.', 6) + 1) + 1);
}
/// Arrays of a proof, which the digest does not cover.
constexpr bool is_proof(std::string_view name) { return name.substr(block_of(name).size()).starts_with("proof."); }
}  // namespace array_names

/// The lengths of a table's arrays, known before the arrays exist.
struct SectionSizes {
  std::uint64_t entries = 0, bias_entries = 0;  ///< the numbers of entries of sparse elements
  std::uint64_t degree = 1;                     ///< the degree of their field
  std::uint64_t isotypic_blocks = 0;            ///< 0 for no isotypic form
};

/// The arrays of a table with the sizes, kind and parameters of `table`, without contents, in the order of the data
/// section.
std::vector<PlannedArray> planned_arrays(const WeightBlock& table, const SectionSizes& sizes);

/// The arrays of the proof of a table of `rows` x `cols`, whose lengths are those of `proof`, with their contents, which point into
/// it; in no order.
std::vector<PlannedArray> proof_arrays(const GeneratorImages& proof, std::uint64_t rows, std::uint64_t cols);

/// The arrays of a table, but for those of its proof, and their contents, which point into the table and into this object. Weight codes that do not lie
/// in memory are left out. Where an exact integer is above 2^53, the decimal numbers of its array, each with a line feed
/// behind it, take the place of its F64, as in the digest.
class DataSection {
 public:
  explicit DataSection(const WeightBlock& table, const Task& task = {});
  DataSection(const DataSection&) = delete;
  DataSection& operator=(const DataSection&) = delete;
  const std::vector<PlannedArray>& arrays() const { return arrays_; }

 private:
  std::vector<PlannedArray> arrays_;
  std::vector<std::int64_t> blocks_;
  Codes bias_;
  std::string text_, bias_text_;
};

/// require_consistent() without the pass over the weight codes, for readers and writers that see them pass anyway.
void require_consistent_sizes(const WeightBlock& table, const Task& task = {});

/// a * b, or the largest number if that does not fit: sizes are compared, never wrapped.
std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b);

}  // namespace intertwine
