// Colours of pairs for the search of automorphisms, with equal lines merged.
#include "colour_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "groups/mixed.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

/// Makes the first entry that is not zero positive; true if that changed the line.
bool normalize(std::span<std::uint32_t> line) {
  const auto first = std::ranges::find_if(line, [](std::uint32_t c) { return c != 0; });
  if (first == line.end() || (*first & 1) == 0) return false;
  for (auto c = first; c != line.end(); ++c)
    if (*c != 0) *c ^= 1;
  return true;
}

bool all_zero(std::span<const std::uint32_t> line) {
  return std::ranges::all_of(line, [](std::uint32_t c) { return c == 0; });
}

/// Finds equal lines among those kept so far, which lie one after the other in `kept`.
class LineClasses {
 public:
  LineClasses(std::vector<std::uint32_t>& kept, std::size_t length) : kept_(kept), length_(length) {}
  /// The number of the line, which is appended if it is new.
  std::uint32_t insert(std::span<const std::uint32_t> line) {
    std::uint64_t hash = 0;
    for (const std::uint32_t c : line) hash = mixed(hash ^ c);
    const auto [begin, end] = by_hash_.equal_range(hash);
    for (auto at = begin; at != end; ++at)
      if (std::equal(line.begin(), line.end(), kept_.begin() + static_cast<std::ptrdiff_t>(at->second * length_)))
        return at->second;
    by_hash_.emplace(hash, count_);
    kept_.insert(kept_.end(), line.begin(), line.end());
    return count_++;
  }
  std::uint32_t count() const { return count_; }

 private:
  std::vector<std::uint32_t>& kept_;
  std::size_t length_;
  std::uint32_t count_ = 0;
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
};

std::vector<std::uint32_t> transposed(const std::vector<std::uint32_t>& a, std::size_t rows, std::size_t cols) {
  constexpr std::size_t tile = 32;  // a tile of both fits the first cache
  std::vector<std::uint32_t> b(a.size());
  for (std::size_t i0 = 0; i0 < rows; i0 += tile)
    for (std::size_t j0 = 0; j0 < cols; j0 += tile)
      for (std::size_t i = i0; i < std::min(rows, i0 + tile); ++i)
        for (std::size_t j = j0; j < std::min(cols, j0 + tile); ++j) b[j * rows + i] = a[i * cols + j];
  return b;
}

}  // namespace

ColourTable::ColourTable(const CodeRows& table, std::uint64_t params, bool has_signs, const Task& task)
    : has_signs_(has_signs), full_rows_(static_cast<std::uint32_t>(table.rows())) {
  const auto full_cols = static_cast<std::uint32_t>(table.cols());
  task.require_memory(8 * table.rows() * table.cols() + 64 * (table.rows() + table.cols()),
                      "the largest group of the table");
  lines_.width = width();
  lines_.full_lines = std::size_t{full_rows_} + full_cols;
  lines_.zeros.resize(2);
  class_of_.reserve(lines_.full_lines);
  load_rows(table, params, task);
  merge_columns(full_cols, task);
  list_unusual(task);
}

void ColourTable::load_rows(const CodeRows& table, std::uint64_t params, const Task& task) {
  const std::size_t n = table.cols();
  std::vector<std::int32_t> codes(n);
  std::vector<std::uint32_t> line(n);
  LineClasses classes(by_row_, n);
  for (std::uint32_t i = 0; i < full_rows_; ++i) {
    task.poll();
    table.row(i, codes);
    for (std::size_t j = 0; j < n; ++j) {
      const auto code = static_cast<std::uint64_t>(codes[j]);  // a negative one becomes huge
      if (code > 2 * params)
        throw DomainError(
            fmt::format("table_closure: code {} in row {}, column {} is outside 0 ... {}", codes[j], i, j, 2 * params));
      const bool minus = code > params;
      line[j] = static_cast<std::uint32_t>(
          !has_signs_ || code == 0 ? code : 2 * (minus ? code - params : code) + (minus ? 1 : 0));
    }
    const bool left_out = has_signs_ && all_zero(line);
    lines_.negative.push_back(has_signs_ && normalize(line) ? 1 : 0);
    class_of_.push_back(left_out ? -1 : static_cast<std::int64_t>(classes.insert(line)));
    if (left_out) {
      lines_.zeros[0].push_back(i);
    } else {
      lines_.members.resize(classes.count());
      lines_.members[static_cast<std::size_t>(class_of_.back())].push_back(i);
    }
  }
  rows_ = classes.count();
}

void ColourTable::merge_columns(std::uint32_t full_cols, const Task& task) {
  std::vector<std::uint32_t> all = transposed(by_row_, rows_, full_cols);
  by_row_ = {};
  LineClasses classes(by_col_, rows_);
  for (std::uint32_t j = 0; j < full_cols; ++j) {
    task.poll();
    const std::span<std::uint32_t> line(all.data() + std::size_t{j} * rows_, rows_);
    const std::uint32_t full_line = full_rows_ + j;
    const bool left_out = has_signs_ && all_zero(line);
    lines_.negative.push_back(has_signs_ && normalize(line) ? 1 : 0);
    class_of_.push_back(left_out ? -1 : static_cast<std::int64_t>(rows_ + classes.insert(line)));
    if (left_out) {
      lines_.zeros[1].push_back(full_line);
    } else {
      lines_.members.resize(rows_ + classes.count());
      lines_.members[static_cast<std::size_t>(class_of_.back())].push_back(full_line);
    }
  }
  cols_ = classes.count();
  all = {};
  by_row_ = transposed(by_col_, cols_, rows_);
}

void ColourTable::list_unusual(const Task& task) {
  if (!has_signs_) {
    std::unordered_map<std::uint32_t, std::size_t> count;
    for (std::size_t k = 0; k < by_row_.size();) {  // by stretches of one colour
      const std::size_t first = k;
      while (k < by_row_.size() && by_row_[k] == by_row_[first]) ++k;
      count[by_row_[first]] += k - first;
    }
    std::size_t most = 0;
    for (const auto& [c, times] : count)
      if (times > most || (times == most && c < usual_)) usual_ = c, most = times;
  }
  constexpr std::size_t share = 8;  // of the entries, at most one in so many: lists take less than the table then
  const auto others = by_row_.size() - static_cast<std::size_t>(std::ranges::count(by_row_, usual_));
  if (share * others > by_row_.size()) return;
  task.require_memory(2 * others * sizeof(Entry), "the largest group of the table");
  unusual_.reserve(2 * others);
  unusual_begin_.push_back(0);
  for (std::uint32_t line = 0; line < rows_ + cols_; ++line) {
    const std::span<const std::uint32_t> colours = line < rows_ ? row(line) : col(line - rows_);
    for (std::uint32_t k = 0; k < colours.size(); ++k)
      if (colours[k] != usual_) unusual_.push_back({k, colours[k]});
    unusual_begin_.push_back(unusual_.size());
  }
}

std::uint32_t ColourTable::colour(Point x, Point y) const {
  if (!has_signs_) return row(x)[y - rows_];
  const std::uint32_t c = row(x / 2)[y / 2 - rows_];
  return c == 0 ? 0 : c ^ ((x ^ y) & 1);
}

void ColourTable::add_colours(Point y, std::span<std::uint64_t> weight) const {
  const std::uint32_t line = y / width();
  const bool is_row = line < rows_;
  const std::span<const std::uint32_t> colours = is_row ? row(line) : col(line - rows_);
  std::uint64_t* out = weight.data() + (is_row ? row_points() : 0);
  if (!has_signs_) {
    for (std::size_t k = 0; k < colours.size(); ++k) out[k] += mixed(colours[k]) - mixed(usual_);
    return;
  }
  const std::uint32_t sign = y & 1;
  for (std::size_t k = 0; k < colours.size(); ++k) {
    const std::uint32_t c = colours[k];
    out[2 * k] += mixed(c == 0 ? 0 : c ^ sign) - mixed(usual_);
    out[2 * k + 1] += mixed(c == 0 ? 0 : c ^ sign ^ 1) - mixed(usual_);
  }
}

void ColourTable::add_unusual(Point y, std::span<std::uint64_t> weight, std::vector<Point>& touched) const {
  const std::uint32_t w = width(), line = y / w, sign = has_signs_ ? y & 1 : 0;
  const Point begin = line < rows_ ? row_points() : 0;
  std::uint32_t known = usual_;  // the colour that `hash` is of: mostly that of the entry before
  std::uint64_t hash[2] = {};
  for (const Entry& entry : unusual(line)) {
    if (entry.colour != known) {
      known = entry.colour;
      for (std::uint32_t s = 0; s < w; ++s) hash[s] = mixed(known ^ sign ^ s) - mixed(usual_);
    }
    for (std::uint32_t s = 0; s < w; ++s) {
      const Point x = begin + w * entry.place + s;
      if (weight[x] == 0) touched.push_back(x);
      weight[x] += hash[s];
    }
  }
}

bool ColourTable::preserved_by(std::span<const Point> g, std::span<const Point> moved,
                               std::vector<std::uint32_t>& /*scratch*/) const {
  const std::uint32_t w = width();
  if (has_signs_)
    for (const Point x : moved)
      if (g[x ^ 1U] != (g[x] ^ 1U)) return false;
  if (dense() == nullptr) {
    // A moved line has as many unusual entries as its image, and they all go to equal ones: then so do the usual ones.
    for (const Point x : moved) {
      if (x % w != 0) continue;
      const std::uint32_t line = x / w;
      const Point image = g[x];
      if (unusual(line).size() != unusual(image / w).size()) return false;
      for (const Entry& entry : unusual(line)) {
        const Point other = g[(line < rows_ ? row_points() : 0) + w * entry.place];
        if ((line < rows_ ? colour(image, other) : colour(other, image)) != entry.colour) return false;
      }
    }
    return true;
  }
  std::vector<Point> moved_cols;
  for (const Point y : moved)
    if (y >= row_points() && y % w == 0) moved_cols.push_back(y);
  for (Point x = 0; x < row_points(); x += w) {
    if (g[x] == x) {
      for (const Point y : moved_cols)
        if (colour(x, g[y]) != colour(x, y)) return false;
    } else {
      for (Point y = row_points(); y < points(); y += w)
        if (colour(g[x], g[y]) != colour(x, y)) return false;
    }
  }
  return true;
}

std::vector<Point> ColourTable::merged(std::span<const Point> g) const {
  const std::uint32_t w = width();
  constexpr Point unknown = ~Point{0};
  std::vector<Point> images(points(), unknown);
  std::vector<std::uint8_t> reached(points(), 0);
  for (std::size_t line = 0; line < class_of_.size(); ++line) {
    const Point image = g[w * line];
    const std::int64_t from = class_of_[line], to = class_of_[image / w];
    if ((line < full_rows_) != (image / w < full_rows_) || (from < 0) != (to < 0)) return {};
    if (from < 0) continue;
    // The line is e times the merged line `from`, its image e' times `to`.
    const std::uint32_t flip = has_signs_ ? (image & 1U) ^ lines_.negative[line] ^ lines_.negative[image / w] : 0U;
    const Point x = w * static_cast<Point>(from), y = w * static_cast<Point>(to) + flip;
    if (images[x] == unknown) {
      if (reached[y] != 0) return {};
      for (std::uint32_t s = 0; s < w; ++s) {
        images[x + s] = y ^ s;
        reached[y ^ s] = 1;
      }
    } else if (images[x] != y) {
      return {};
    }
  }
  std::vector<Point> all(points());
  std::iota(all.begin(), all.end(), Point{0});
  std::vector<std::uint32_t> scratch;
  if (!preserved_by(images, all, scratch)) return {};
  return images;
}

}  // namespace intertwine
