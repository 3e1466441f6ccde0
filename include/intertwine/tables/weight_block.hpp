// A block of a weight table: what a file, a picture and a numeric layer need of an equivariant basis, and nothing of groups.
//
// y = W x + b with W = sum_k theta_k B_k and b = sum_k beta_k c_k. Both families have the same type, WeightPattern: their
// entries are tied (codes of entries with disjoint supports and signs) or general (sparse elements). All indices are 0-based.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine {

/// Channels: how often the pattern is repeated on each side, with free scalars between the copies: theta is [P, out, in].
struct Multiplicity {
  std::uint64_t out = 1;
  std::uint64_t in = 1;
  friend bool operator==(const Multiplicity&, const Multiplicity&) = default;
};

/// Bytes of a code: 1 when 2P+1 <= 256, otherwise 4 (little-endian int32).
constexpr unsigned code_bytes(std::uint64_t params) { return 2 * params + 1 <= 256 ? 1 : 4; }

/// Do two bytes hold the codes, of which tables in memory have four?
constexpr bool fit_two_bytes(std::uint64_t params) { return code_bytes(params) == 4 && 2 * params <= 0xffff; }
/// Have codes `width` bytes in memory or in files?
constexpr bool is_code_width(unsigned width, std::uint64_t params) {
  return width == code_bytes(params) || (width == 2 && fit_two_bytes(params));
}

/// Codes of an array, in the width that code_bytes says: 0 structural zero, 1+k the parameter +theta_k, 1+P+k the
/// parameter -theta_k.
using Codes = std::variant<std::vector<std::uint8_t>, std::vector<std::int32_t>>;

/// Receives finished rows, in any order, each exactly once: cols codes of the width that was asked for, little-endian.
using RowSink = std::function<void(std::uint64_t row, std::span<const std::byte> codes)>;
/// Receives finished rows of codes in the width that they have everywhere but in memory and files.
using CodeSink = std::function<void(std::uint64_t row, std::span<const std::int32_t> codes)>;

/// Rows of codes on demand: from memory, from a file, or carried along the orbits of a group. Safe to read from many
/// threads.
class CodeRows {
 public:
  virtual ~CodeRows() = default;
  virtual std::uint64_t rows() const = 0;
  virtual std::uint64_t cols() const = 0;
  /// Copies row i as int32 codes; `out` has cols() entries.
  virtual void row(std::uint64_t i, std::span<std::int32_t> out) const = 0;
  /// Every row once, in the order that costs least; the base calls row() for each. Codes have 1, 2 or 4 bytes. \throws DomainError
  /// for one that does not fit.
  virtual void for_each_row(unsigned bytes_per_code, const RowSink& sink, const Task& task = {}) const;
  /// These rows, whose numbers increase, each once, in the order that costs least; the base calls row() for each.
  virtual void for_rows(std::span<const std::uint64_t> wanted, const CodeSink& sink, const Task& task = {}) const;
  /// The codes as they lie in memory, row-major, where they do; nullptr otherwise.
  virtual const Codes* in_memory() const { return nullptr; }
};

/// Codes in memory. \throws DomainError unless there are rows * cols of them.
std::shared_ptr<const CodeRows> code_rows(std::uint64_t rows, std::uint64_t cols, Codes codes);
/// All codes, row-major, as std::uint8_t, std::uint16_t or std::int32_t. \throws DomainError for one that does not fit; LimitError
/// through `task`.
template <class Code>
std::vector<Code> read_codes(const CodeRows& rows, const Task& task = {});
/// All codes in the width of code_bytes(params), from whichever source. \throws LimitError through
/// `task`.
Codes all_codes(const CodeRows& rows, std::uint64_t params, const Task& task = {});

/// Tied entries: each entry is 0, +theta_k or -theta_k.
struct TiedEntries {
  std::vector<std::int64_t> orbit_size;   ///< [P] entries tied to each parameter
  std::shared_ptr<const CodeRows> codes;  ///< [rows, cols]
};
/// The entries of these codes, counted. \throws DomainError for a code outside 0..2P.
TiedEntries tied_entries(std::shared_ptr<const CodeRows> codes, std::uint64_t params, const Task& task = {});

/// The exact numbers behind an array of doubles, as text and integers, so that nothing here computes with them.
/// Number e is the sum of coordinates[c, e] a^c over 0 <= c < degree, a the generator of the field. Over Q the numbers are
/// integers, and there are no coordinates where the doubles themselves are these integers, none above 2^53.
struct ExactValues {
  std::string field = "Q";                     ///< for example "Q(sqrt(5))"
  std::string generator;                       ///< a as a cyclotomic number, "-E(5)^2-E(5)^3"; empty over Q
  std::uint64_t degree = 1;                    ///< f
  std::vector<std::int64_t> coordinates;       ///< [f, entries] row-major, at most 2^62 in absolute value
  std::map<std::uint64_t, std::string> large;  ///< over Q: the decimal integers of places that need more bits (0 there)
};

/// General elements: B_k has the value value[e] at (row[e], col[e]) for start[k] <= e < start[k + 1], in row-major order.
struct SparseElements {
  std::vector<std::int64_t> start;     ///< [P + 1]
  std::vector<std::int32_t> row, col;  ///< [entries]
  std::vector<double> value;           ///< [entries] the doubles nearest to the exact values
  ExactValues exact;

  /// Over Q: the value of entry e as a decimal integer. \throws DomainError over another field.
  std::string integer(std::size_t e) const;
  /// Over Q: the first entry above 2^53 in absolute value, which a double need not hold exactly; nothing over other fields.
  std::optional<std::size_t> first_beyond_double() const;
};
/// Sets values and exact values to integers given by their decimal digits ("-17", no leading zeros); the double of one too
/// large for it is infinite.
void set_integers(SparseElements& elements, std::span<const std::string> integers);
/// Integers up to this are exact as doubles, and so are their neighbours.
inline constexpr std::int64_t max_exact_double = std::int64_t{1} << 53;

/// A linear family of rows x cols matrices with P parameters. A bias is a family of one column.
struct WeightPattern {
  std::uint64_t rows = 0, cols = 0;
  std::uint64_t params = 0;  ///< P
  std::variant<TiedEntries, SparseElements> entries;

  bool is_tied() const { return std::holds_alternative<TiedEntries>(entries); }
  /// \throws DomainError if the entries are of the other kind.
  const TiedEntries& tied() const;
  const SparseElements& sparse() const;
  /// [P] |B_k|^2, the sums of the squares of the entries: for tied entries the orbit sizes.
  std::vector<double> squared_norms() const;
};

/// Changes of coordinates x' = T_in x, y' = T_out y in which every W of the table consists of one block for each real
/// irreducible representation (numeric/isotypic.hpp says how the coordinates lie).
struct IsotypicBlocks {
  struct Block {
    std::uint64_t division;  ///< dimension of the endomorphism ring over R: 1, 2 or 4
    std::uint64_t degree, copies_out, copies_in;
    friend bool operator==(const Block&, const Block&) = default;
  };
  std::vector<Block> blocks;
  std::vector<double> T_out, T_in;  ///< rows x rows and cols x cols, row-major
};

/// The proof that travels with a table: the images of the group's generators on rows and columns. A checker that knows nothing
/// of groups needs no more to prove that the table holds all equivariant maps (docs/formats.md, "Proofs").
struct GeneratorImages {
  /// [g, rows] and [g, cols]: generator k sends basis vector i to s e_j where the number at (k, i) is s (1 + j), s = +-1.
  struct Signed {
    std::vector<std::int32_t> row, column;
    friend bool operator==(const Signed&, const Signed&) = default;
  };
  /// Exact matrices on column vectors: generator k has the entries start[k] <= e < start[k + 1], in row-major order, none 0,
  /// the value of entry e being the sum of numerator[c, e] a^c over 0 <= c < degree, divided by denominator[e] > 0, in lowest terms.
  struct Matrices {
    std::vector<std::int64_t> start;      ///< [g + 1]
    std::vector<std::int32_t> row, col;   ///< [entries]
    std::vector<std::int64_t> numerator;  ///< [degree, entries] row-major, at most 2^62 in absolute value
    std::vector<std::int64_t> denominator;
    friend bool operator==(const Matrices&, const Matrices&) = default;
  };
  /// Both sides, and the prime modulo which the equations of commutation have their rank.
  struct General {
    Matrices row, column;
    std::uint64_t degree = 1;   ///< the degree of the field of the entries and of the elements, generated by a
    std::vector<bool> algebra;  ///< [g] the generator is one of a Lie algebra, not of a group; empty if none is
    std::uint64_t prime = 0;
    std::uint64_t root = 0;  ///< a root of the minimal polynomial of a modulo the prime; 0 over Q
    friend bool operator==(const General&, const General&) = default;
  };
  std::vector<std::string> generators;  ///< [g] their names
  std::variant<Signed, General> images;
  friend bool operator==(const GeneratorImages&, const GeneratorImages&) = default;
};

/// The options with which a table is made.
struct TableOptions {
  bool proof = false;  ///< with the images of the generators
};

/// The sentence that fixes the orientation of every table: the metadata "convention".
extern const char* const table_convention;

/// A block of a weight table; weights and bias are of the same kind. `metadata` holds the strings of the file format under their keys without the prefix "intertwine."
/// ("group", "rep_in", "certificate", ...); sizes, multiplicities, kind and digest are not repeated there.
struct WeightBlock {
  WeightPattern weights;  ///< M x N: output by input dimension of the site pattern
  WeightPattern bias;     ///< M x 1
  Multiplicity channels;
  std::optional<IsotypicBlocks> isotypic;
  std::optional<GeneratorImages> proof;  ///< not part of the digest
  std::map<std::string, std::string> metadata;

  bool is_tied() const { return weights.is_tied() && bias.is_tied(); }
};

/// \throws DomainError naming what disagrees: sizes of arrays, codes out of range, orbit sizes that do not count the codes,
///         elements that are empty or not in row-major order, values that are 0 or are not the exact integers, images of a proof
///         that are no signed permutations or no matrices of these sizes;
///         LimitError for more rows, columns or parameters than indices can count.
/// \par Cost  one pass over the codes or entries.
void require_consistent(const WeightBlock& table, const Task& task = {});

/// The SHA-256 of the data section of the table's file, 64 hexadecimal digits: the same in every format, the table's name in
/// checkpoints.
/// \par Cost  one pass over the codes or entries.
std::string digest(const WeightBlock& table, const Task& task = {});

}  // namespace intertwine
