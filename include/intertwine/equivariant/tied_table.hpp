// The weight-tying table: what a numeric layer, a file and a picture need of a tied basis, and nothing of
// groups.
//
// One code an entry: 0 structural zero, 1+k the parameter +theta_k, 1+P+k the parameter -theta_k (0-based k <
// P).
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace intertwine {

/// Bytes of a code: 1 when 2P+1 <= 256, otherwise 4 (little-endian int32).
constexpr unsigned code_bytes(std::uint64_t params) { return 2 * params + 1 <= 256 ? 1 : 4; }

/// Codes of an array, in the width that code_bytes says.
using Codes = std::variant<std::vector<std::uint8_t>, std::vector<std::int32_t>>;

/// Everything of a table but its weight codes. `metadata` holds the strings of the file format under their
/// keys without the prefix "intertwine." ("group", "rep_in", "certificate", ...); rows, cols and the like are
/// not repeated.
struct TableHeader {
  std::uint64_t rows = 0;         ///< M, the output dimension of the site pattern
  std::uint64_t cols = 0;         ///< N, the input dimension
  std::uint64_t params = 0;       ///< P
  std::uint64_t bias_params = 0;  ///< Q
  std::uint64_t multiplicity_in = 1;
  std::uint64_t multiplicity_out = 1;
  std::vector<std::int64_t> orbit_size;  ///< [P] entries tied to each parameter
  Codes bias_code;                       ///< [M], width code_bytes(Q)
  std::map<std::string, std::string> metadata;
};

/// A whole table in memory.
struct TiedTable {
  TableHeader header;
  Codes weight_code;  ///< [M, N] row-major, width code_bytes(P)
};

/// Rows of weight codes on demand, from memory or from a file. `row(i, out)` copies row i as int32 codes.
class CodeRows {
 public:
  virtual ~CodeRows() = default;
  virtual std::uint64_t rows() const = 0;
  virtual std::uint64_t cols() const = 0;
  virtual void row(std::uint64_t i, std::span<std::int32_t> out) const = 0;
};

/// Receives finished rows, in any order, each exactly once: cols * code_bytes(params) bytes, little-endian.
using RowSink = std::function<void(std::uint64_t row, std::span<const std::byte> codes)>;

}  // namespace intertwine
