// Partitions: text, enumeration, ribbons and cores.
#include "intertwine/combinatorics/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "combinatorics/beta_set.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "text_cursor.hpp"

namespace intertwine {

Partition::Partition(std::vector<int> parts) : parts_(std::move(parts)) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i] < 0)
      throw DomainError("Partition: part " + std::to_string(parts_[i]) + " is negative; parts are positive integers");
    if (i > 0 && parts_[i] > parts_[i - 1])
      throw DomainError("Partition: part " + std::to_string(parts_[i]) + " follows the smaller part " +
                        std::to_string(parts_[i - 1]) + "; sort the parts in decreasing order");
    sum += parts_[i];
    if (sum > std::numeric_limits<int>::max())
      throw LimitError("Partition: the parts add up to more than 2147483647; use smaller parts");
  }
  while (!parts_.empty() && parts_.back() == 0) parts_.pop_back();
  weight_ = static_cast<int>(sum);
}

Partition Partition::conjugate() const {
  if (parts_.empty()) return {};
  if (parts_[0] > 100'000'000)
    throw LimitError("conjugate: a partition with first part " + std::to_string(parts_[0]) +
                     " has a conjugate of that length; the limit is 100000000");
  std::vector<int> columns(parts_[0]);
  int j = 0;
  for (int i = length(); i-- > 0;)
    while (j < parts_[i]) columns[j++] = i + 1;
  return Partition(std::move(columns));
}

bool Partition::contains(const Partition& inner) const {
  if (inner.length() > length()) return false;
  for (int i = 0; i < inner.length(); ++i)
    if (inner[i] > parts_[i]) return false;
  return true;
}

bool Partition::dominates(const Partition& other) const {
  if (weight_ != other.weight_) return false;
  std::int64_t difference = 0;
  for (int i = 0; i < std::max(length(), other.length()); ++i) {
    difference += (*this)[i] - other[i];
    if (difference < 0) return false;
  }
  return true;
}

int Partition::durfee() const {
  int d = 0;
  while (d < length() && parts_[d] > d) ++d;
  return d;
}

std::strong_ordering operator<=>(const Partition& a, const Partition& b) {
  if (a.weight_ != b.weight_) return a.weight_ <=> b.weight_;
  return b.parts_ <=> a.parts_;
}

void append_text(std::string& text, const Partition& lambda) {
  char separator = '[', digits[std::numeric_limits<int>::digits10 + 2];
  for (const int part : lambda) {
    text += std::exchange(separator, ',');
    text.append(digits, std::to_chars(std::begin(digits), std::end(digits), part).ptr);
  }
  text += lambda.empty() ? "[]" : "]";
}

std::string to_string(const Partition& lambda) {
  std::string text;
  text.reserve(4 * lambda.parts().size() + 2);
  append_text(text, lambda);
  return text;
}

std::string to_latex(const Partition& lambda) {
  if (lambda.empty()) return "\\emptyset";
  const std::string parts = to_string(lambda);
  return parts.substr(1, parts.size() - 2);
}

namespace {

struct PartitionReader : TextCursor {
  explicit PartitionReader(const std::string& text) : TextCursor(text) {}

  Partition read() {
    peek();
    if (text_.substr(at_).starts_with("s_")) ++at_;
    if (at_ + 1 < text_.size() && (text_[at_] == 's' || text_[at_] == '_')) ++at_;  // s[2,1] for its Schur function
    if (peek_digit() && text_.find_first_of(",^ ", at_) == std::string_view::npos) return digits_as_parts();
    const char open = peek();
    if (open != '[' && open != '(' && !is_digit(open)) fail("expected a partition such as [3,2,1]", at_);
    const char close = open == '[' ? ']' : open == '(' ? ')' : '\0';
    if (close != '\0') ++at_;
    std::vector<int> parts;
    while (!at_end() && !(parts.empty() && close != '\0' && peek(close))) {
      const std::size_t start = at_;
      const int next = part(parts.empty() ? most : parts.back());
      const std::uint64_t times = accept('^') ? number(longest).value_or(longest + 1) : 1;
      if (times < 1 || parts.size() + times > longest) fail("a partition may have at most 2000 parts", start);
      parts.insert(parts.end(), static_cast<std::size_t>(times), next);
      if (at_end() || (close != '\0' && peek(close))) break;
      if (close == '\0' && peek_digit()) continue;  // 3 2 1
      expect(',', fmt_expected(close));
    }
    if (close != '\0') expect(close, std::string("the partition is not closed; add '") + close + "'");
    if (!at_end()) fail("unexpected text after the partition", at_);
    return Partition(std::move(parts));
  }

 private:
  static constexpr int most = 1'000'000;
  static constexpr std::uint64_t longest = 2000;

  static std::string fmt_expected(char close) {
    return close == '\0' ? "expected ',' or the end of the partition"
                         : std::string("expected ',' or '") + close + "' in the partition";
  }

  /// 21 is [2,1], as in tables of characters; one digit is one part.
  Partition digits_as_parts() {
    const std::size_t start = at_;
    const std::string_view all = digits();
    if (!at_end()) fail("unexpected text after the partition", at_);
    std::vector<int> parts;
    for (const char c : all) parts.push_back(c - '0');
    const bool decreasing = std::is_sorted(parts.rbegin(), parts.rend());
    if (all.size() > longest || !decreasing || parts.back() == 0)
      fail(
          "digits stand for parts that do not increase, as 21 for [2,1]; write a larger part in brackets, as "
          "[12]",
          start);
    return Partition(std::move(parts));
  }

  int part(int last) {
    skip();
    const std::size_t start = at_;
    const auto value = static_cast<int>(number(most).value_or(most + 1));
    if (at_ == start) fail("expected a positive integer as a part of the partition", at_);
    if (value < 1) fail("the parts of a partition are positive", start);
    if (value > most) fail("a part of a partition may be at most 1000000", start);
    if (value > last) fail("the parts of a partition must not increase", start);
    return value;
  }
};

}  // namespace

Partition parse_partition(const std::string& text) { return PartitionReader(text).read(); }

int hook_length(const Partition& lambda, int i, int j) {
  if (i < 0 || j < 0 || j >= lambda[i])
    throw DomainError("hook_length: the cell (" + std::to_string(i) + ", " + std::to_string(j) +
                      ") is not in the diagram of " + to_string(lambda));
  int leg = 0;
  while (lambda[i + leg + 1] > j) ++leg;
  return lambda[i] - j + leg;
}

std::vector<std::vector<int>> hook_lengths(const Partition& lambda) {
  const Partition columns = lambda.conjugate();
  std::vector<std::vector<int>> hooks(lambda.length());
  for (int i = 0; i < lambda.length(); ++i)
    for (int j = 0; j < lambda[i]; ++j) hooks[i].push_back(lambda[i] - j + columns[j] - i - 1);
  return hooks;
}

Integer centralizer_order(const Partition& cycle_type) {
  Integer z = 1;
  int run = 0;
  for (int i = 0; i < cycle_type.length(); ++i) {
    run = i > 0 && cycle_type[i] == cycle_type[i - 1] ? run + 1 : 1;
    z *= Integer(cycle_type[i]) * run;
  }
  return z;
}

namespace {

void require_weight(int n, const char* function) {
  if (n < 0) throw DomainError(std::string(function) + ": the weight " + std::to_string(n) + " is negative");
}

[[noreturn]] void too_many(const char* function, const Integer& count, std::size_t limit) {
  throw LimitError(std::string(function) + ": there are " + to_string(count) + " partitions, more than the limit " +
                   std::to_string(limit) + "; bound the length or the parts");
}

/// Appends the partitions of `left` with parts <= `most` and at most `rows` (at least `least_rows`) more
/// parts.
void extend(std::vector<int>& prefix, int left, int most, int rows, int least_rows, std::vector<Partition>& out,
            const Task& task) {
  if (left == 0) {
    task.poll();
    if (least_rows <= 0) out.emplace_back(prefix);
    return;
  }
  if (rows == 0) return;
  for (int part = std::min(left, most); part > 0 && static_cast<std::int64_t>(part) * rows >= left; --part) {
    prefix.push_back(part);
    extend(prefix, left - part, part, rows - 1, least_rows - 1, out, task);
    prefix.pop_back();
  }
}

}  // namespace

Integer number_of_partitions(int n) {
  require_weight(n, "number_of_partitions");
  if (n > 1'000'000) throw LimitError("number_of_partitions: n = " + std::to_string(n) + " exceeds the limit 1000000");
  return partition_number(static_cast<unsigned long>(n));
}

namespace {

/// The partitions of n into at most `length` parts of at most `part`: the coefficient of q^n in a Gaussian binomial,
/// the product of (1 - q^(most + i)) / (1 - q^i) for i up to the smaller bound.
Integer count_in_box(int n, int length, int part, const Task& task) {
  if (n == 0) return length >= 0 && part >= 0 ? 1 : 0;
  if (length <= 0 || part <= 0 || std::int64_t{length} * part < n) return 0;
  if (length == 1 || part == 1) return 1;
  const std::int64_t least = std::min({length, part, n}), most = std::max(length, part);
  const std::int64_t entries = (std::int64_t{n} + 1) * (least + 1);
  if (entries > 100'000'000)
    throw LimitError(
        fmt::format("number_of_partitions: the table would have {} entries; the limit is 100000000", entries));
  task.require_memory(sizeof(Integer) * (static_cast<std::uint64_t>(n) + 1), "the numbers of partitions");
  std::vector<Integer> count(static_cast<std::size_t>(n) + 1);
  count[0] = 1;
  for (std::int64_t i = 1; i <= least; ++i) {
    for (std::int64_t m = n; m >= most + i; --m) {
      if (m % 65536 == 0) task.poll();
      count[m] -= count[m - most - i];
    }
    for (std::int64_t m = i; m <= n; ++m) {
      if (m % 65536 == 0) task.poll();
      count[m] += count[m - i];
    }
  }
  return count[n];
}

}  // namespace

Integer number_of_partitions(int n, const PartitionBounds& bounds, const Task& task) {
  require_weight(n, "number_of_partitions");
  const int length = std::min(bounds.max_length, n), part = std::min(bounds.max_part, n);
  if (length < bounds.min_length) return 0;
  if (n > 0 && length == n && part == n && bounds.min_length <= 1) return number_of_partitions(n);
  const Integer all = count_in_box(n, length, part, task);
  return bounds.min_length > 0 ? Integer(all - count_in_box(n, bounds.min_length - 1, part, task)) : all;
}

std::vector<Partition> partitions(int n, const PartitionBounds& bounds, std::size_t max_count, const Task& task) {
  require_weight(n, "partitions");
  if (std::min(n, bounds.max_length) > 20'000)
    throw LimitError("partitions: partitions of up to " + std::to_string(std::min(n, bounds.max_length)) +
                     " parts were asked for; the limit is 20000");
  const bool large = n > 60;  // below, even all of them are fewer than a million
  if (large || max_count < 1'000'000) {
    const Integer count = number_of_partitions(n, bounds, task);
    if (count > max_count) too_many("partitions", count, max_count);
    constexpr std::uint64_t block = 32;  // the smallest one of the heap: most partitions are short
    task.require_memory(static_cast<std::uint64_t>(count) * (sizeof(Partition) + block), "the partitions");
  }
  std::vector<Partition> result;
  std::vector<int> prefix;
  if (bounds.max_length >= 0 && bounds.max_part >= 0)
    extend(prefix, n, bounds.max_part, bounds.max_length, bounds.min_length, result, task);
  return result;
}

std::vector<Partition> partitions_in_box(int rows, int cols, std::size_t max_count, const Task& task) {
  if (rows < 0 || cols < 0)
    throw DomainError("partitions_in_box: the box " + std::to_string(rows) + " x " + std::to_string(cols) +
                      " has a negative side");
  if (std::int64_t{rows} + cols > 1'000'000)
    throw LimitError("partitions_in_box: the sides of the box add up to more than 1000000");
  if (rows == 0 || cols == 0) return {Partition()};
  const Integer count = binomial(static_cast<unsigned long>(rows) + cols, rows);
  if (count > max_count) too_many("partitions_in_box", count, max_count);
  return partitions_inside(Partition(std::vector<int>(rows, cols)), max_count, task);
}

std::vector<Partition> partitions_inside(const Partition& outer, std::size_t max_count, const Task& task) {
  // Row i = v is preceded by any partition with row i-1 >= v: count by suffix sums.
  const std::size_t columns = static_cast<std::size_t>(outer[0]) + 1;
  task.require_memory(2 * columns * sizeof(Integer), "the numbers of partitions inside another");
  std::vector<Integer> ways(columns, Integer(1));
  for (int i = 1; i < outer.length(); ++i) {
    task.poll();
    std::vector<Integer> next(outer[i] + 1);
    Integer tail = 0;
    for (int v = outer[i - 1]; v >= 0; --v) {
      tail += ways[v];
      if (v <= outer[i]) next[v] = tail;
    }
    ways = std::move(next);
  }
  const Integer count = std::accumulate(ways.begin(), ways.end(), Integer(0));
  if (count > max_count) too_many("partitions_inside", count, max_count);
  task.require_memory(
      static_cast<std::uint64_t>(count) * (sizeof(Partition) + 32 + 4 * static_cast<std::uint64_t>(outer.length())),
      "the partitions inside another");
  std::vector<Partition> result;
  std::vector<int> rows(outer.length());
  // An odometer over the rows, last row fastest.
  for (;;) {
    task.poll();
    result.emplace_back(rows);
    int i = outer.length() - 1;
    while (i >= 0 && rows[i] == std::min(outer[i], i > 0 ? rows[i - 1] : outer[0])) rows[i--] = 0;
    if (i < 0) break;
    ++rows[i];
  }
  std::sort(result.begin(), result.end(), [&](const Partition& a, const Partition& b) {
    task.poll();
    return a < b;
  });
  return result;
}

namespace {

void require_ribbon(int k, const char* function) {
  if (k < 1) throw DomainError(std::string(function) + ": k = " + std::to_string(k) + " is not positive");
}

/// Moves bead i of a decreasing beta-set by `step` if the place is free; the height is the number of beads
/// jumped over.
bool move_bead(const std::vector<int>& beta, std::size_t i, int step, Ribbon& ribbon) {
  const int to = beta[i] + step;
  if (to < 0 || std::find(beta.begin(), beta.end(), to) != beta.end()) return false;
  std::vector<int> moved = beta;
  moved[i] = to;
  const int low = std::min(beta[i], to), high = std::max(beta[i], to);
  ribbon.height = static_cast<int>(std::count_if(beta.begin(), beta.end(), [&](int b) { return low < b && b < high; }));
  std::sort(moved.begin(), moved.end(), std::greater<>());
  ribbon.partition = detail::from_beta_set(moved);
  return true;
}

}  // namespace

namespace {

/// The ribbons by which beads move up or down, which ask for their memory one by one.
std::vector<Ribbon> ribbons(const std::vector<int>& beta, int step, const Task& task) {
  std::vector<Ribbon> result;
  std::uint64_t bytes = 2 * sizeof(int) * beta.size();
  Ribbon ribbon;
  for (std::size_t i = 0; i < beta.size(); ++i) {
    task.poll();
    if (!move_bead(beta, i, step, ribbon)) continue;
    task.require_memory(bytes += sizeof(Ribbon) + sizeof(int) * static_cast<std::uint64_t>(ribbon.partition.length()),
                        "the ribbons");
    result.push_back(ribbon);
  }
  return result;
}

}  // namespace

std::vector<Ribbon> removable_ribbons(const Partition& lambda, int k, const Task& task) {
  require_ribbon(k, "removable_ribbons");
  return ribbons(detail::beta_set(lambda, lambda.length()), -k, task);
}

std::vector<Ribbon> addable_ribbons(const Partition& lambda, int k, const Task& task) {
  require_ribbon(k, "addable_ribbons");
  if (std::int64_t{lambda.weight()} + k > 100'000'000)
    throw LimitError("addable_ribbons: the partition would have more than 100000000 cells");
  task.require_memory(2 * sizeof(int) * (static_cast<std::uint64_t>(lambda.length()) + k), "the ribbons");
  return ribbons(detail::beta_set(lambda, lambda.length() + k), k, task);
}

namespace {

/// The beads of each of the k runners, as positions on the runner, decreasing: `more` on each than lambda needs.
std::vector<std::vector<int>> runners(const Partition& lambda, int k, int more, const Task& task) {
  const std::int64_t beads = ((std::int64_t{lambda.length()} + k - 1) / k + more) * k;
  if (beads > 100'000'000)
    throw LimitError(fmt::format("an abacus of {} runners has {} beads; the limit is 100000000", k, beads));
  task.require_memory(static_cast<std::uint64_t>(beads) * 3 * sizeof(int) + 3 * sizeof(std::vector<int>) * k,
                      "the abacus");
  std::vector<std::vector<int>> result(k);
  for (const int b : detail::beta_set(lambda, static_cast<int>(beads))) result[b % k].push_back(b / k);
  return result;
}

Partition from_runners(const std::vector<std::vector<int>>& runners) {
  std::vector<int> beta;
  const int k = static_cast<int>(runners.size());
  for (int r = 0; r < k; ++r)
    for (const int position : runners[r]) beta.push_back(position * k + r);
  std::sort(beta.begin(), beta.end(), std::greater<>());
  return detail::from_beta_set(beta);
}

}  // namespace

Partition k_core(const Partition& lambda, int k, const Task& task) {
  require_ribbon(k, "k_core");
  if (k > lambda.weight()) return lambda;
  auto beads = runners(lambda, k, 0, task);
  for (auto& runner : beads) std::iota(runner.rbegin(), runner.rend(), 0);
  return from_runners(beads);
}

std::vector<Partition> k_quotient(const Partition& lambda, int k, const Task& task) {
  require_ribbon(k, "k_quotient");
  std::vector<Partition> quotient;
  for (const auto& runner : runners(lambda, k, 0, task)) quotient.push_back(detail::from_beta_set(runner));
  return quotient;
}

Partition from_core_and_quotient(const Partition& core, const std::vector<Partition>& quotient, const Task& task) {
  const int k = static_cast<int>(quotient.size());
  require_ribbon(k, "from_core_and_quotient");
  if (k_core(core, k, task) != core)
    throw DomainError("from_core_and_quotient: " + to_string(core) + " is not a " + std::to_string(k) + "-core");
  // Enough beads on every runner for its partition: k more beads add one bead to each runner.
  int longest = 0;
  std::int64_t cells = core.weight();
  for (const Partition& q : quotient) {
    longest = std::max(longest, q.length());
    cells += std::int64_t{k} * q.weight();
    if (cells > 100'000'000)
      throw LimitError("from_core_and_quotient: the partition would have more than 100000000 cells");
  }
  std::vector<std::vector<int>> runner = runners(core, k, longest, task);
  for (int r = 0; r < k; ++r)
    for (int i = 0; i < quotient[r].length(); ++i) runner[r][i] += quotient[r][i];
  return from_runners(runner);
}

}  // namespace intertwine
