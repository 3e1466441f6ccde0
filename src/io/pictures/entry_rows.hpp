// The entries of a family of matrices as pictures show them.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "intertwine/tables/weight_block.hpp"
#include "intertwine/task.hpp"
#include "parameter_colours.hpp"

namespace intertwine {

/// An entry: 0, a multiple of a parameter, or a sum over several.
struct PictureEntry {
  enum { zero, one, several } kind = zero;
  std::uint64_t parameter = 0;
  double value = 1;  ///< the coefficient; +-1 of tied entries
  double share = 1;  ///< the coefficient over the largest of this parameter, without sign

  friend bool operator==(const PictureEntry&, const PictureEntry&) = default;
  bool minus() const { return kind == one && value < 0; }
  /// `first` parameters have their colours before. White is zero, grey a sum, and smaller coefficients are paler.
  Rgb colour(const ParameterColours& colours, std::uint64_t first) const;
};

/// Rows of entries, tied or sparse; the pattern must stay. \throws LimitError through `task`
class EntryRows {
 public:
  explicit EntryRows(const WeightPattern& pattern, const Task& task = {});
  /// \throws DomainError for a code out of range.
  void row(std::uint64_t i, std::vector<PictureEntry>& out) const;
  /// The entries of the element of parameter k that are not 0, each with its place, row-major.
  template <class Entry>
  void element(std::uint64_t k, const Entry& entry) const {
    const SparseElements& list = pattern_.sparse();
    for (auto e = list.start[k]; e < list.start[k + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      entry(list.row[at], list.col[at], entry_of(at, k));
    }
  }
  std::uint64_t zeros() const { return zeros_; }
  std::uint64_t sums() const { return sums_; }  ///< entries with several parameters

 private:
  PictureEntry entry_of(std::size_t e, std::uint64_t k) const;

  const WeightPattern& pattern_;
  std::vector<double> largest_;                   // of each parameter; of sparse elements, as what follows
  std::vector<std::uint64_t> row_start_, order_;  // entries by rows
  std::vector<std::uint32_t> parameter_;          // of these
  std::uint64_t zeros_ = 0, sums_ = 0;
};

}  // namespace intertwine
