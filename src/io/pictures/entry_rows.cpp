// The entries of a table as pictures show them.
#include "io/pictures/entry_rows.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace intertwine {

Rgb PictureEntry::colour(const ParameterColours& colours, std::uint64_t first) const {
  if (kind != one) return kind == zero ? white : several_colour();
  const Rgb full = colours(first + parameter);
  if (share == 1) return full;
  const double part = 0.25 + 0.75 * share;  // the palest is seen beside white
  const auto mixed = [&](std::uint8_t channel) {
    return static_cast<std::uint8_t>(std::lround(255 + part * (channel - 255)));
  };
  return {mixed(full.red), mixed(full.green), mixed(full.blue)};
}

EntryRows::EntryRows(const WeightPattern& pattern, const Task& task) : pattern_(pattern) {
  zeros_ = pattern.rows * pattern.cols;
  if (pattern.is_tied()) {
    for (const std::int64_t size : pattern.tied().orbit_size) zeros_ -= static_cast<std::uint64_t>(size);
    return;
  }
  const SparseElements& list = pattern.sparse();
  task.require_memory(8 * (pattern.rows + 2 * list.value.size()), "the entries of a picture by rows");
  row_start_.assign(pattern.rows + 1, 0);
  for (const std::int32_t i : list.row) ++row_start_[static_cast<std::size_t>(i) + 1];
  for (std::uint64_t i = 0; i < pattern.rows; ++i) row_start_[i + 1] += row_start_[i];
  std::vector<std::uint64_t> next = row_start_;
  order_.resize(list.value.size());
  parameter_.resize(list.value.size());
  for (std::uint64_t k = 0; k < pattern.params; ++k) {
    task.poll();
    largest_.push_back(0);
    for (auto e = static_cast<std::size_t>(list.start[k]); e < static_cast<std::size_t>(list.start[k + 1]); ++e) {
      largest_.back() = std::max(largest_.back(), std::abs(list.value[e]));
      const std::uint64_t place = next[static_cast<std::size_t>(list.row[e])]++;
      order_[place] = e;
      parameter_[place] = static_cast<std::uint32_t>(k);
    }
  }
  for (std::uint64_t i = 0; i < pattern.rows; ++i) {
    task.poll();
    std::vector<std::int32_t> cols;
    for (std::uint64_t place = row_start_[i]; place < row_start_[i + 1]; ++place)
      cols.push_back(list.col[order_[place]]);
    std::sort(cols.begin(), cols.end());
    for (std::size_t c = 0; c < cols.size();) {
      const std::size_t first = c;
      while (c < cols.size() && cols[c] == cols[first]) ++c;
      --zeros_;
      sums_ += c - first > 1 ? 1 : 0;
    }
  }
}

PictureEntry EntryRows::entry_of(std::size_t e, std::uint64_t k) const {
  const double value = pattern_.sparse().value[e];
  // A double too large for its integer is infinite.
  return {PictureEntry::one, k, value, std::min(std::abs(value), DBL_MAX) / std::min(largest_[k], DBL_MAX)};
}

void EntryRows::row(std::uint64_t i, std::vector<PictureEntry>& out) const {
  if (pattern_.is_tied()) {
    std::vector<std::int32_t> codes;
    read_row(pattern_, i, codes);
    out.resize(codes.size());
    for (std::size_t j = 0; j < codes.size(); ++j) {
      const CodeMeaning meaning = meaning_of(codes[j], pattern_.params);
      out[j] = meaning.zero ? PictureEntry{}
                            : PictureEntry{PictureEntry::one, meaning.parameter, meaning.minus ? -1.0 : 1.0, 1};
    }
    return;
  }
  out.assign(pattern_.cols, {});
  for (std::uint64_t place = row_start_[i]; place < row_start_[i + 1]; ++place) {
    PictureEntry& entry = out[static_cast<std::size_t>(pattern_.sparse().col[order_[place]])];
    if (entry.kind == PictureEntry::zero)
      entry = entry_of(order_[place], parameter_[place]);
    else
      entry = {PictureEntry::several};
  }
}

}  // namespace intertwine
