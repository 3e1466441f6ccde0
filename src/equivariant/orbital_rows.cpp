// Rows of an OrbitalPattern: streamed, in memory, on demand, and the check that they commute with the group.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>

#include "column_move.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/error.hpp"
#include "page_array.hpp"

namespace intertwine {

/// Carries rows of codes down the row trees.
class OrbitalPattern::Carrier {
 public:
  explicit Carrier(const OrbitalPattern& pattern) : pattern_(pattern) {
    for (std::size_t k = 0; k < pattern.col_images_.size(); ++k) {
      moves_.emplace_back(pattern.col_images_[k]);
      moves_.emplace_back(pattern.col_inverses_[k]);
    }
  }

  /// The codes of tables.
  template <class Code>
  SignedCodes<Code> table_codes() const {
    return {1, static_cast<Code>(pattern_.params_)};
  }

  /// The first row of an orbit, in the codes of tables.
  template <class Code>
  void first_row(std::uint32_t orbit, Code* out) const {
    const auto params = static_cast<std::int32_t>(pattern_.params_);
    for (const std::int32_t label : pattern_.labels_of_orbit(orbit))
      *out++ = vanishes(label) ? Code{0} : static_cast<Code>(label > 0 ? label : params - label);
  }

  /// A row from that of its parent.
  template <class Code>
  void carry(std::uint32_t row, const Code* parent, Code* out, SignedCodes<Code> codes) const {
    const Step step = pattern_.steps_[row];
    const auto k = static_cast<std::size_t>(step.generator / 2);
    const SignedPoint image = (step.generator % 2 == 0 ? pattern_.row_images_ : pattern_.row_inverses_)[k](step.parent);
    moves_[static_cast<std::size_t>(step.generator)].apply(parent, out, image.negative(), codes);
  }

  /// Writes the image of a row under generator k.
  template <class Code>
  void move(std::size_t k, const Code* row, Code* out, bool negate, SignedCodes<Code> codes) const {
    moves_[2 * k].apply(row, out, negate, codes);
  }

  /// make(row) for the rows order_[first], ..., order_[end - 1], whole trees or all but the first row of one, each after
  /// that of its parent; on the threads of the task.
  template <class Make>
  void for_each_in_order(std::size_t first, std::size_t end, const Task& task, const Make& make) const {
    const auto& order = pattern_.order_;
    const auto& subtree = pattern_.subtree_;
    if (task.threads() == 1) {
      for (std::size_t at = first; at < end; ++at) make(order[at]);
      return;
    }
    // Rows above large subtrees come first, on this thread; the subtrees below them lie side by side.
    const std::size_t small = std::max<std::size_t>(1, (end - first) / (16 * std::size_t{task.threads()}));
    std::vector<std::size_t> begins;  // places where somebody may begin; the rows above are left out there
    for (std::size_t at = first, taken = small; at < end;) {
      if (subtree[order[at]] > small) {
        make(order[at++]);
        continue;
      }
      if (taken >= small) begins.push_back(at), taken = 0;
      taken += subtree[order[at]];
      at += subtree[order[at]];
    }
    begins.push_back(end);
    task.share(begins.size() - 1, 1, [&](std::uint64_t a, std::uint64_t b) {
      for (std::size_t at = begins[a]; at < begins[b]; ++at)
        if (subtree[order[at]] <= small) make(order[at]);
    });
  }

  template <class Code>
  void fill(Code* table, const Task& task) const {
    const std::size_t n = pattern_.cols_;
    std::atomic<std::uint64_t> done{0};
    for_each_in_order(0, pattern_.order_.size(), task, [&](std::uint32_t row) {
      if (const std::uint64_t rows = done.fetch_add(1, std::memory_order_relaxed); rows % 64 == 0)
        task.progress("filling the table", rows, pattern_.rows_);
      Code* out = table + std::size_t{row} * n;
      if (pattern_.steps_[row].generator < 0)
        first_row(pattern_.orbit_of_row_[row], out);
      else
        carry(row, table + std::size_t{pattern_.steps_[row].parent} * n, out, table_codes<Code>());
    });
  }

  /// Rows that fit into memory are made there and handed over in their order: files are written front to back then.
  template <class Code>
  void hand_over(const RowSink& sink, const Task& task) const {
    constexpr std::uint64_t most = std::uint64_t{128} << 20U;
    const std::uint64_t entries = pattern_.rows_ * pattern_.cols_;
    if (entries > std::min(most, task.memory() / 4) / sizeof(Code)) return stream<Code>(sink, task);
    const PageArray<Code> table(entries);
    fill(&table[0], task);
    for (std::uint64_t row = 0; row < pattern_.rows_; ++row)
      sink(row, std::as_bytes(std::span<const Code>(&table[row * pattern_.cols_], pattern_.cols_)));
  }

  template <class Code>
  void stream(const RowSink& sink, const Task& task) const {
    // A row is kept while children of it are to come. The child with the largest subtree comes last, so that at most
    // log2(m) + 1 rows are kept at any time.
    std::vector<std::vector<Code>> spare, waiting;  // waiting: the rows with children to come, innermost last
    for (std::size_t done = 0; done < pattern_.order_.size(); ++done) {
      if (done % 64 == 0) task.progress("streaming the table", done, pattern_.rows_);
      const std::uint32_t row = pattern_.order_[done];
      std::vector<Code> out;
      if (!spare.empty()) {
        out = std::move(spare.back());
        spare.pop_back();
      }
      out.resize(pattern_.cols_);
      if (pattern_.steps_[row].generator < 0) {
        first_row(pattern_.orbit_of_row_[row], out.data());
      } else {
        carry(row, waiting.back().data(), out.data(), table_codes<Code>());
        if (is_last_child(done)) {
          spare.push_back(std::move(waiting.back()));
          waiting.pop_back();
        }
      }
      sink(row, std::as_bytes(std::span<const Code>(out)));
      (pattern_.subtree_[row] > 1 ? waiting : spare).push_back(std::move(out));
    }
  }

 private:
  /// In preorder the subtree of a row is contiguous: a child is last when its subtree ends with its parent's.
  bool is_last_child(std::size_t at) const {
    const std::uint32_t row = pattern_.order_[at];
    const std::uint32_t parent = pattern_.steps_[row].parent;
    return at + pattern_.subtree_[row] == pattern_.place_[parent] + pattern_.subtree_[parent];
  }

  const OrbitalPattern& pattern_;
  std::vector<ColumnMove> moves_;  // 2k: generator k, 2k+1: its inverse
};

void OrbitalPattern::for_each_row(unsigned width, const RowSink& sink, const Task& task) const {
  if (!is_code_width(width, params()))
    throw DomainError(fmt::format("for_each_row: codes of {} parameters have {} bytes{}, not {}", params(),
                                  code_bytes(params()), fit_two_bytes(params()) ? " or 2" : "", width));
  const Carrier carrier(*this);
  if (width == 1)
    carrier.hand_over<std::uint8_t>(sink, task);
  else if (width == 2)
    carrier.hand_over<std::uint16_t>(sink, task);
  else
    carrier.hand_over<std::int32_t>(sink, task);
}

void OrbitalPattern::fill(std::span<std::byte> buffer, const Task& task) const {
  if (buffer.size() != rows_ * cols_ * code_bytes(params()))
    throw DomainError(
        fmt::format("the buffer for the codes of an orbital pattern has {} bytes, but {} x {} codes have {}",
                    buffer.size(), rows_, cols_, rows_ * cols_ * code_bytes(params())));
  const Carrier carrier(*this);
  if (code_bytes(params()) == 1)
    carrier.fill(reinterpret_cast<std::uint8_t*>(buffer.data()), task);
  else
    carrier.fill(reinterpret_cast<std::int32_t*>(buffer.data()), task);
}

Codes OrbitalPattern::codes(const Task& task) const {
  const std::uint64_t entries = rows_ * cols_;
  task.require_memory(entries * code_bytes(params()), fmt::format("a table of {} x {} codes", rows_, cols_));
  const auto filled = [&](auto codes) {
    codes.resize(entries);
    fill(std::as_writable_bytes(std::span(codes)), task);
    return Codes(std::move(codes));
  };
  return code_bytes(params()) == 1 ? filled(std::vector<std::uint8_t>()) : filled(std::vector<std::int32_t>());
}

class OrbitalPattern::Rows final : public CodeRows {
 public:
  /// Codes of at most `most` bytes are kept in memory once a row is asked for.
  Rows(std::shared_ptr<const OrbitalPattern> pattern, std::uint64_t most)
      : pattern_(std::move(pattern)),
        carrier_(*pattern_),
        kept_(pattern_->rows_ * pattern_->cols_ * code_bytes(pattern_->params_) <= most) {}

  std::uint64_t rows() const override { return pattern_->rows_; }
  std::uint64_t cols() const override { return pattern_->cols_; }
  const Codes* in_memory() const override {
    const CodeRows* memory = memory_.load();
    return memory != nullptr ? memory->in_memory() : nullptr;
  }

  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    if (i >= rows() || out.size() != cols())
      throw DomainError(
          fmt::format("row {} into {} codes: the table is {} x {} (rows 0-based)", i, out.size(), rows(), cols()));
    if (kept_) {
      std::call_once(once_, [this] {
        owner_ = code_rows(rows(), cols(), pattern_->codes());
        memory_ = owner_.get();
      });
      return memory_.load()->row(i, out);
    }
    std::vector<std::uint32_t> path;
    auto row = static_cast<std::uint32_t>(i);
    for (; pattern_->steps_[row].generator >= 0; row = pattern_->steps_[row].parent) path.push_back(row);
    // Two rows in turn, so that the last one is `out`.
    std::vector<std::int32_t> spare(path.empty() ? 0 : out.size());
    std::int32_t *here = out.data(), *there = spare.data();
    if (path.size() % 2 == 1) std::swap(here, there);
    carrier_.first_row(pattern_->orbit_of_row_[row], here);
    for (std::size_t k = path.size(); k-- > 0; std::swap(here, there))
      carrier_.carry(path[k], here, there, carrier_.table_codes<std::int32_t>());
  }

  void for_each_row(unsigned bytes_per_code, const RowSink& sink, const Task& task) const override {
    if (const CodeRows* memory = memory_.load()) return memory->for_each_row(bytes_per_code, sink, task);
    if (!is_code_width(bytes_per_code, pattern_->params_)) return CodeRows::for_each_row(bytes_per_code, sink, task);
    pattern_->for_each_row(bytes_per_code, sink, task);
  }

  void for_rows(std::span<const std::uint64_t> wanted, const CodeSink& sink, const Task& task) const override {
    if (kept_ || path_lengths(wanted) <= rows()) return CodeRows::for_rows(wanted, sink, task);
    std::vector<std::int32_t> wide(cols());
    pattern_->for_each_row(
        code_bytes(pattern_->params_),
        [&](std::uint64_t i, std::span<const std::byte> codes) {
          if (!std::binary_search(wanted.begin(), wanted.end(), i)) return;
          if (codes.size() == cols())
            std::transform(codes.begin(), codes.end(), wide.begin(),
                           [](std::byte code) { return std::to_integer<std::int32_t>(code); });
          else
            std::memcpy(wide.data(), codes.data(), codes.size());
          sink(i, wide);
        },
        task);
  }

 private:
  /// How many rows are made where each of these is carried down its path by itself, counted until there are more than in the table.
  std::uint64_t path_lengths(std::span<const std::uint64_t> wanted) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t i : wanted) {
      if (i >= rows()) return 0;  // row() refuses it
      auto row = static_cast<std::uint32_t>(i);
      for (; pattern_->steps_[row].generator >= 0 && sum <= rows(); ++sum) row = pattern_->steps_[row].parent;
    }
    return sum;
  }

  std::shared_ptr<const OrbitalPattern> pattern_;
  Carrier carrier_;
  bool kept_;
  mutable std::once_flag once_;
  mutable std::shared_ptr<const CodeRows> owner_;
  mutable std::atomic<const CodeRows*> memory_{nullptr};
};

std::shared_ptr<const CodeRows> OrbitalPattern::view() const {
  return std::make_shared<Rows>(std::shared_ptr<const OrbitalPattern>(std::shared_ptr<void>(), this), 0);
}

std::shared_ptr<const CodeRows> code_rows(std::shared_ptr<const OrbitalPattern> pattern, const Task& task) {
  const std::uint64_t most = std::min(std::uint64_t{256} << 20, task.memory() / 4);
  return std::make_shared<OrbitalPattern::Rows>(std::move(pattern), most);
}

bool OrbitalPattern::commutes(const CodeRows& table, std::uint64_t params,
                              std::span<const SignedPermutation> row_images,
                              std::span<const SignedPermutation> col_images, const Task& task, MatrixEntry* witness,
                              std::size_t* generator) {
  const std::uint64_t m = table.rows(), n = table.cols();
  bool fits = row_images.size() == col_images.size();
  for (const SignedPermutation& g : row_images) fits = fits && g.degree() == m;
  for (const SignedPermutation& g : col_images) fits = fits && g.degree() == n;
  if (!fits || params > max_params)
    throw DomainError(
        fmt::format("a {} x {} table with {} parameters needs one image of degree "
                    "{} and one of "
                    "degree {} for every generator and at most 2^30 - 1 parameters",
                    m, n, params, m, n));
  if (row_images.empty()) return true;
  task.require_memory(n * (12 * task.threads() + 8 * col_images.size()), "checking commutation");
  std::vector<ColumnMove> moves;
  for (const SignedPermutation& g : col_images) moves.emplace_back(g);
  const SignedCodes<std::int32_t> codes{1, static_cast<std::int32_t>(params)};
  std::atomic<std::uint64_t> first_bad{m};  // rows behind the first one that fails need no look
  std::mutex failing;
  task.share(m, 1 + (std::uint64_t{1} << 16U) / std::max<std::uint64_t>(n, 1),
             [&](std::uint64_t begin, std::uint64_t end) {
               std::vector<std::int32_t> row(n), carried(n), image(n);
               for (std::uint64_t i = begin; i < end; ++i) {
                 if (i % 16 == 0) task.progress("checking commutation", i, m);
                 if (i >= first_bad) return;
                 table.row(i, row);
                 for (std::size_t k = 0; k < row_images.size(); ++k) {
                   const SignedPoint to = row_images[k](static_cast<Point>(i));
                   moves[k].apply(row.data(), carried.data(), to.negative(), codes);
                   if (to.point() == i)
                     image = row;
                   else
                     table.row(to.point(), image);
                   if (carried == image) continue;
                   const std::lock_guard lock(failing);
                   if (i >= first_bad) return;
                   first_bad = i;
                   if (witness) {
                     const auto [a, b] = std::mismatch(carried.begin(), carried.end(), image.begin());
                     const auto inverse = col_images[k].inverse();
                     *witness = {i, inverse(static_cast<Point>(a - carried.begin())).point()};
                   }
                   if (generator) *generator = k;
                   return;
                 }
               }
             });
  return first_bad == m;
}

/// Local codes of one orbit of rows: a class that vanishes has one of its own, unlike in tables, so that commutation
/// proves it to be a whole orbit too.
struct OrbitalPattern::LocalLabels {
  std::int32_t zeros = 0, params = 0;      ///< the numbers of classes
  std::int32_t first_zero = 0, first = 0;  ///< their first numbers: of vanishing_, of parameters

  std::uint64_t codes() const { return static_cast<std::uint64_t>(zeros) + 2 * static_cast<std::uint64_t>(params); }
  template <class Code>
  Code code(std::int32_t label) const {
    if (vanishes(label)) return static_cast<Code>(vanishing_number(label) - first_zero);
    const std::int32_t local = zeros + std::abs(label) - 1 - first;
    return label > 0 ? static_cast<Code>(local)
                     : static_cast<Code>(static_cast<std::uint32_t>(local) + static_cast<std::uint32_t>(params));
  }
};

template <class Code>
bool OrbitalPattern::check_orbit(const Carrier& carrier, std::uint32_t orbit, const LocalLabels& local,
                                 const Task& task) const {
  const std::size_t length = orbit_length_[orbit], first = place_[first_row_[orbit]], n = cols_;
  const std::uint64_t bytes = std::uint64_t{length} * n;
  task.require_memory(bytes > ~std::uint64_t{0} / sizeof(Code) ? bytes : bytes * sizeof(Code),
                      "checking one orbit of rows");
  const SignedCodes<Code> codes{static_cast<Code>(local.zeros), static_cast<Code>(local.params)};
  const PageArray<Code> rows(length * n);
  const auto row_at = [&](std::uint32_t row) { return &rows[(place_[row] - first) * n]; };
  for (std::size_t c = 0; c < n; ++c) rows[c] = local.code<Code>(labels_of_orbit(orbit)[c]);
  carrier.for_each_in_order(first + 1, first + length, task, [&](std::uint32_t row) {
    carrier.carry(row, row_at(steps_[row].parent), row_at(row), codes);
  });
  std::atomic<bool> whole{true};
  const std::uint64_t grain = 1 + (std::uint64_t{1} << 18U) / (n * sizeof(Code));
  task.share(length, grain, [&](std::uint64_t begin, std::uint64_t end) {
    const auto carried = std::make_unique_for_overwrite<Code[]>(n);
    for (std::size_t t = begin; t < end; ++t) {
      if (t % 16 == 0) task.progress("checking commutation", first + t, rows_);
      if (!whole.load(std::memory_order_relaxed)) return;
      const std::uint32_t row = order_[first + t];
      for (std::size_t k = 0; k < row_images_.size(); ++k) {
        const SignedPoint to = row_images_[k](row);
        // A row that was made from this one by this generator is equal to what is made from it again.
        const Step step = steps_[to.point()];
        if (step.parent == row && step.generator == static_cast<std::int32_t>(2 * k)) continue;
        carrier.move(k, row_at(row), carried.get(), to.negative(), codes);
        if (std::memcmp(carried.get(), row_at(to.point()), n * sizeof(Code)) != 0) whole = false;
      }
    }
  });
  return whole;
}

bool OrbitalPattern::check(const Task& task) const {
  if (row_images_.empty() || cols_ == 0) return true;
  const Carrier carrier(*this);
  std::vector<LocalLabels> labels(first_row_.size());
  LocalLabels local;
  for (std::uint32_t orbit = 0; orbit < first_row_.size(); ++orbit) {
    // The numbers of an orbit's classes follow those of the orbit before.
    local = {0, 0, local.first_zero + local.zeros, local.first + local.params};
    for (const std::int32_t label : labels_of_orbit(orbit)) {
      if (vanishes(label))
        local.zeros = std::max(local.zeros, vanishing_number(label) - local.first_zero + 1);
      else
        local.params = std::max(local.params, label - local.first);
    }
    labels[orbit] = local;
  }
  std::atomic<bool> all_whole{true};
  const auto check = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto orbit = static_cast<std::uint32_t>(begin); orbit < end && all_whole; ++orbit) {
      const LocalLabels& at = labels[orbit];
      const bool whole = at.codes() <= 0x100     ? check_orbit<std::uint8_t>(carrier, orbit, at, task)
                         : at.codes() <= 0x10000 ? check_orbit<std::uint16_t>(carrier, orbit, at, task)
                                                 : check_orbit<std::uint32_t>(carrier, orbit, at, task);
      if (!whole) all_whole = false;
    }
  };
  // Orbits side by side take their memory together, where they are not small; one after another each is shared by itself.
  const std::uint64_t longest = orbit_length_.empty() ? 0 : std::ranges::max(orbit_length_);
  const std::uint64_t room = task.memory() / (4 * std::uint64_t{task.threads()});
  if (longest * cols_ <= std::min(room, std::uint64_t{1} << 24U))
    task.share(first_row_.size(), 1 + rows_ / 256 / std::max<std::uint64_t>(longest, 1), check);
  else
    check(0, first_row_.size());
  return all_whole;
}

}  // namespace intertwine
