// Checks that tables are consistent.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "intertwine/error.hpp"
#include "intertwine/tables/code_counter.hpp"
#include "intertwine/tables/data_section.hpp"

namespace intertwine {
namespace {

constexpr std::uint64_t max_params = (std::uint64_t{1} << 30) - 1;  // so that 2P is an int32
constexpr std::uint64_t max_entries = std::uint64_t{1} << 60;
constexpr std::uint64_t max_side = std::uint64_t{1} << 31;  // indices of sparse elements are int32
constexpr std::int64_t max_coordinate = std::int64_t{1} << 62;
constexpr std::size_t poll_interval = 4096;

// The weight or the bias.
struct Part {
  std::string_view name;
  const WeightPattern& pattern;
};

void require_sizes(const WeightBlock& table) {
  const WeightPattern &weights = table.weights, &bias = table.bias;
  if (weights.rows == 0 || weights.cols == 0)
    throw DomainError("a table file needs at least one row and one column; there is nothing to write");
  if (bias.rows != weights.rows || bias.cols != 1)
    throw DomainError(fmt::format("the bias of a table of {} x {} entries is {} x 1, and this one is {} x {}",
                                  weights.rows, weights.cols, weights.rows, bias.rows, bias.cols));
  if (bias.is_tied() != weights.is_tied())
    throw DomainError("the weights and the bias of a table are of the same kind: tied entries or sparse elements");
  if (table.channels.in == 0 || table.channels.out == 0)
    throw DomainError("the multiplicities of a table must be at least 1");
  if (weights.params > max_params || bias.params > max_params)
    throw LimitError(fmt::format("a table file holds at most {} parameters, and this one has {}", max_params,
                                 std::max(weights.params, bias.params)));
  if (saturated_product(weights.rows, weights.cols) > max_entries)
    throw LimitError(fmt::format("a table of {} x {} entries is too large for a file", weights.rows, weights.cols));
  if (!weights.is_tied() && std::max(weights.rows, weights.cols) > max_side)
    throw LimitError(fmt::format("a sparse basis has at most {} rows and columns, and this one is {} x {}", max_side,
                                 weights.rows, weights.cols));
}

// Orbit sizes that could be those of the codes, which are there and have the right width.
void require_tied(const Part& part) {
  const WeightPattern& pattern = part.pattern;
  const TiedEntries& entries = pattern.tied();
  if (!entries.codes || entries.codes->rows() != pattern.rows || entries.codes->cols() != pattern.cols)
    throw DomainError(fmt::format("the table has {} rows and the {} codes {} x {}; give {} x {}", pattern.rows,
                                  part.name, entries.codes ? entries.codes->rows() : 0,
                                  entries.codes ? entries.codes->cols() : 0, pattern.rows, pattern.cols));
  const Codes* codes = entries.codes->in_memory();
  if (codes != nullptr && (codes->index() == 0) != (code_bytes(pattern.params) == 1))
    throw DomainError(fmt::format("the {} codes of {} parameters must have {} byte(s) each", part.name, pattern.params,
                                  code_bytes(pattern.params)));
  if (entries.orbit_size.size() != pattern.params)
    throw DomainError(fmt::format("the {} has {} parameters and {} orbit sizes; give one a parameter", part.name,
                                  pattern.params, entries.orbit_size.size()));
  const std::uint64_t size_of_table = pattern.rows * pattern.cols;
  std::uint64_t left = size_of_table;
  for (std::size_t k = 0; k < entries.orbit_size.size(); ++k) {
    const std::int64_t size = entries.orbit_size[k];
    if (size == 0)
      throw DomainError(
          fmt::format("the orbit size 0 of the {} parameter {}: it occurs nowhere in the codes", part.name, k));
    if (size < 0 || static_cast<std::uint64_t>(size) > left)
      throw DomainError(fmt::format("the orbit size {} of the {} parameter {} does not fit a table of {} entries", size,
                                    part.name, k, size_of_table));
    left -= static_cast<std::uint64_t>(size);
  }
}

// One pass over the codes.
void require_codes(const Part& part, const Task& task) {
  const WeightPattern& pattern = part.pattern;
  const TiedEntries& entries = pattern.tied();
  CodeCounter counter(pattern.params, pattern.rows * pattern.cols, code_bytes(pattern.params));
  entries.codes->for_each_row(
      code_bytes(pattern.params),
      [&](std::uint64_t, std::span<const std::byte> codes) {
        if (const auto bad = counter.add(codes))
          throw DomainError(fmt::format("the {} code {} is outside 0..{}", part.name, *bad, 2 * pattern.params));
      },
      task);
  if (const auto k = counter.first_difference(entries.orbit_size))
    throw DomainError(fmt::format("the {} parameter {} occurs {} times, and its orbit size is stated as {}", part.name,
                                  *k, counter.total(*k), entries.orbit_size[*k]));
}

void require_lengths(const Part& part) {
  const SparseElements& s = part.pattern.sparse();
  const ExactValues& exact = s.exact;
  const std::size_t entries = s.row.size();
  if (s.col.size() != entries || s.value.size() != entries)
    throw DomainError(fmt::format("the {} has {} rows, {} columns and {} values of entries; give one of each an entry",
                                  part.name, entries, s.col.size(), s.value.size()));
  const bool none = exact.coordinates.empty() && exact.large.empty() && exact.degree == 1;
  if (exact.degree == 0 || (exact.degree == 1) != exact.generator.empty() ||
      (exact.degree != 1 && !exact.large.empty()) ||
      (!none && exact.coordinates.size() != saturated_product(exact.degree, entries)))
    throw DomainError(
        fmt::format("the {} has {} entries over {} of degree {} and {} coordinates; give one of each an entry",
                    part.name, entries, exact.field, exact.degree, exact.coordinates.size()));
  if (s.start.size() != part.pattern.params + 1)
    throw DomainError(fmt::format("the {} has {} elements and {} starts; give one more start than elements", part.name,
                                  part.pattern.params, s.start.size()));
  if (s.start.front() != 0 || s.start.back() != static_cast<std::int64_t>(entries))
    throw DomainError(fmt::format("the starts of the {} run from {} to {}, and its entries from 0 to {}", part.name,
                                  s.start.front(), s.start.back(), entries));
  for (std::uint64_t k = 0; k < part.pattern.params; ++k)
    if (s.start[k] >= s.start[k + 1])
      throw DomainError(
          fmt::format("the {} element {} begins at entry {} and the next one at {}; every element has entries",
                      part.name, k, s.start[k], s.start[k + 1]));
}

// A decimal integer as this library writes it.
bool is_canonical(const std::string& text) {
  const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  return !digits.empty() && digits[0] != '0' && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

double nearest(const std::string& integer) {
  double out = 0;
  const auto [end, error] = std::from_chars(integer.data(), integer.data() + integer.size(), out);
  if (error == std::errc::result_out_of_range)
    out = std::numeric_limits<double>::infinity() * (integer.starts_with('-') ? -1 : 1);
  return out;
}

// Entry e of element k: not zero, and over Q the double of an exact integer. That doubles belong to the coordinates of a
// larger field takes exact arithmetic, which is not for this module.
void require_value(const Part& part, std::uint64_t k, std::size_t e) {
  const SparseElements& s = part.pattern.sparse();
  const ExactValues& exact = s.exact;
  const auto fail = [&](const std::string& what) {
    throw DomainError(fmt::format("the {} element {} has {}", part.name, k, what));
  };
  if (exact.degree != 1) {
    bool zero = true;
    for (std::size_t c = 0; c < exact.degree; ++c) {
      const std::int64_t x = exact.coordinates[c * s.row.size() + e];
      if (x > max_coordinate || x < -max_coordinate) fail(fmt::format("the coordinate {}, above 2^62", x));
      zero = zero && x == 0;
    }
    if (zero) fail("an entry of value 0; leave it out");
    if (!std::isfinite(s.value[e])) fail(fmt::format("the value {}", s.value[e]));
    return;
  }
  if (exact.coordinates.empty()) {
    const double value = s.value[e];
    if (value == 0) fail("an entry of value 0; leave it out");
    if (!(std::abs(value) <= double{max_exact_double} && std::trunc(value) == value))
      fail(fmt::format("the value {}, which is no integer up to 2^53", value));
    return;
  }
  const auto large = exact.large.find(e);
  const bool is_large = large != exact.large.end();
  if (is_large && !is_canonical(large->second)) fail("a value that is no decimal integer");
  if (!is_large && exact.coordinates[e] == 0) fail("an entry of value 0; leave it out");
  if (s.value[e] != (is_large ? nearest(large->second) : static_cast<double>(exact.coordinates[e])))
    fail(fmt::format("the exact value {} and the double {}", s.integer(e), s.value[e]));
}

bool outside(std::int32_t index, std::uint64_t side) { return index < 0 || static_cast<std::uint64_t>(index) >= side; }

// The starts are known to be sound: they increase from 0 to the number of entries.
void require_entries(const Part& part, const Task& task) {
  const SparseElements& s = part.pattern.sparse();
  const std::uint64_t rows = part.pattern.rows, cols = part.pattern.cols;
  const auto place = [&](std::size_t e) {
    return static_cast<std::uint64_t>(s.row[e]) * cols + static_cast<std::uint64_t>(s.col[e]);
  };
  for (std::uint64_t k = 0; k < part.pattern.params; ++k) {
    const auto begin = static_cast<std::size_t>(s.start[k]), end = static_cast<std::size_t>(s.start[k + 1]);
    for (std::size_t e = begin; e < end; ++e) {
      if (e % poll_interval == 0) task.poll();
      if (outside(s.row[e], rows) || outside(s.col[e], cols))
        throw DomainError(fmt::format("the {} element {} has an entry at ({}, {}), outside of {} x {}", part.name, k,
                                      s.row[e], s.col[e], rows, cols));
      if (e > begin && place(e - 1) >= place(e))
        throw DomainError(fmt::format("the entries of the {} element {} are not strictly increasing in row-major order",
                                      part.name, k));
      require_value(part, k, e);
    }
  }
}

// Blocks that add up to both sides, and finite changes of basis of their sizes.
void require_isotypic(const WeightBlock& table) {
  const IsotypicBlocks& isotypic = *table.isotypic;
  const auto fail = [](const std::string& what) { throw DomainError("the isotypic form " + what); };
  if (isotypic.blocks.empty()) fail("has no blocks; leave it out");
  std::uint64_t rows = 0, cols = 0;
  const auto add = [](std::uint64_t& sum, std::uint64_t copies, std::uint64_t degree) {
    if (__builtin_add_overflow(sum, saturated_product(copies, degree), &sum))
      sum = std::numeric_limits<std::uint64_t>::max();
  };
  for (const auto& block : isotypic.blocks) {
    const std::uint64_t d = block.division;
    if ((d != 1 && d != 2 && d != 4) || block.degree == 0 || block.degree % d != 0)
      fail(fmt::format("has a block of degree {} whose endomorphisms have dimension {}", block.degree, d));
    if (block.copies_out == 0 && block.copies_in == 0) fail("has a block without copies; leave it out");
    add(rows, block.copies_out, block.degree);
    add(cols, block.copies_in, block.degree);
  }
  if (rows != table.weights.rows || cols != table.weights.cols)
    fail(fmt::format("is of {} x {} entries, and the table of {} x {}", rows, cols, table.weights.rows,
                     table.weights.cols));
  if (isotypic.T_out.size() != saturated_product(rows, rows) || isotypic.T_in.size() != saturated_product(cols, cols))
    fail(fmt::format("has changes of basis of {} and {} entries, not {} x {} and {} x {}", isotypic.T_out.size(),
                     isotypic.T_in.size(), rows, rows, cols, cols));
  for (const auto* matrix : {&isotypic.T_out, &isotypic.T_in})
    if (!std::all_of(matrix->begin(), matrix->end(), [](double x) { return std::isfinite(x); }))
      fail("has an entry that is not finite");
}

// Every number 1 ... size once in each row, with signs.
void require_signed_images(const std::vector<std::int32_t>& images, std::uint64_t generators, std::uint64_t size,
                           std::string_view side, const Task& task) {
  if (images.size() != saturated_product(generators, size))
    throw DomainError(fmt::format("the proof has {} images of {}, not {} for each of {} generators", images.size(),
                                  side, size, generators));
  std::vector<bool> seen(size);
  for (std::uint64_t k = 0; k < generators; ++k) {
    seen.assign(size, false);
    for (std::uint64_t i = 0; i < size; ++i) {
      if (i % poll_interval == 0) task.poll();
      const std::int64_t image = images[k * size + i];
      const auto point = static_cast<std::uint64_t>(image < 0 ? -image : image);
      if (point == 0 || point > size || seen[point - 1])
        throw DomainError(
            fmt::format("the proof's images of {} under generator {} are no signed permutation", side, k));
      seen[point - 1] = true;
    }
  }
}

void require_proof_matrices(const GeneratorImages::Matrices& part, std::uint64_t generators, std::uint64_t degree,
                            std::uint64_t size, std::string_view side, const Task& task) {
  const auto fail = [&](const std::string& what) {
    throw DomainError(fmt::format("the proof's matrices on {} {}", side, what));
  };
  const std::size_t entries = part.row.size();
  if (part.start.size() != generators + 1 || part.col.size() != entries || part.denominator.size() != entries ||
      part.numerator.size() != saturated_product(degree, entries))
    fail(fmt::format("are arrays of {}, {}, {}, {} and {} numbers, which do not fit {} generators", part.start.size(),
                     entries, part.col.size(), part.numerator.size(), part.denominator.size(), generators));
  if (part.start.front() != 0 || part.start.back() != static_cast<std::int64_t>(entries) ||
      !std::is_sorted(part.start.begin(), part.start.end()))
    fail(fmt::format("have pointers that do not increase from 0 to {}", entries));
  for (std::uint64_t k = 0; k < generators; ++k)
    for (auto e = static_cast<std::size_t>(part.start[k]); e < static_cast<std::size_t>(part.start[k + 1]); ++e) {
      if (e % poll_interval == 0) task.poll();
      if (outside(part.row[e], size) || outside(part.col[e], size))
        fail(fmt::format("have an entry at ({}, {}), outside of {} x {}", part.row[e], part.col[e], size, size));
      if (e > static_cast<std::size_t>(part.start[k]) &&
          std::pair(part.row[e - 1], part.col[e - 1]) >= std::pair(part.row[e], part.col[e]))
        fail(fmt::format("have entries of generator {} that are not in row-major order", k));
      bool zero = true;
      for (std::uint64_t c = 0; c < degree; ++c) {
        const std::int64_t x = part.numerator[c * entries + e];
        zero = zero && x == 0;
        if (x > max_coordinate || x < -max_coordinate) fail("have a number above 2^62");
      }
      if (zero || part.denominator[e] < 1 || part.denominator[e] > max_coordinate)
        fail(fmt::format("have no number but 0, or no denominator from 1 on, at entry {}", e));
    }
}

// The images must have the right sizes, and be signed permutations or matrices as the table is tied or not. Others
// check their proof.
void require_proof(const WeightBlock& table, const Task& task) {
  const GeneratorImages& proof = *table.proof;
  const std::uint64_t g = proof.generators.size(), rows = table.weights.rows, cols = table.weights.cols;
  if (const auto* images = std::get_if<GeneratorImages::Signed>(&proof.images)) {
    if (!table.is_tied()) throw DomainError("the proof of a sparse basis has matrices, not signed images");
    require_signed_images(images->row, g, rows, "rows", task);
    require_signed_images(images->column, g, cols, "columns", task);
    return;
  }
  if (table.is_tied()) throw DomainError("the proof of tied entries has signed images, not matrices");
  const auto& general = std::get<GeneratorImages::General>(proof.images);
  if (general.degree != table.weights.sparse().exact.degree)
    throw DomainError(
        fmt::format("the proof's matrices are over a field of degree {}, and the elements over one of degree {}",
                    general.degree, table.weights.sparse().exact.degree));
  if (!general.algebra.empty() && general.algebra.size() != g)
    throw DomainError(
        fmt::format("the proof has {} kinds of {} generators; give none or one for each", general.algebra.size(), g));
  if (general.prime < 3 || general.prime % 2 == 0 || general.prime >> 62 != 0 || general.root >= general.prime)
    throw DomainError(
        fmt::format("the proof has {} for a prime and the root {}; give an odd prime below 2^62, and a root below it",
                    general.prime, general.root));
  require_proof_matrices(general.row, g, general.degree, rows, "rows", task);
  require_proof_matrices(general.column, g, general.degree, cols, "columns", task);
}

}  // namespace

void require_consistent_sizes(const WeightBlock& table, const Task& task) {
  require_sizes(table);
  const Part weight{"weight", table.weights}, bias{"bias", table.bias};
  if (table.is_tied()) {
    require_tied(weight);
    require_tied(bias);
    require_codes(bias, task);
  } else {
    const ExactValues &a = table.weights.sparse().exact, &b = table.bias.sparse().exact;
    if (a.degree != b.degree || a.generator != b.generator)
      throw DomainError(
          fmt::format("the weights are over {}, and the bias is over {}; one field is needed", a.field, b.field));
    for (const Part& part : {weight, bias}) {
      require_lengths(part);
      require_entries(part, task);
    }
  }
  if (table.isotypic) require_isotypic(table);
  if (table.proof) require_proof(table, task);
}

void require_consistent(const WeightBlock& table, const Task& task) {
  require_consistent_sizes(table, task);
  if (table.is_tied()) require_codes({"weight", table.weights}, task);
}

}  // namespace intertwine
