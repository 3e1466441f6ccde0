// Integer partitions: diagrams, hooks, cores and quotients, enumeration.
#pragma once
#include <compare>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A weakly decreasing list of positive integers; its diagram has row i of length (*this)[i], rows and
/// columns counted from 0 (English notation). A value: immutable, ordered and hashable.
///
/// The order is by weight, then reverse lexicographic, so that [n] comes first and [1,...,1] last among the
/// partitions of n.
class Partition {
 public:
  /// The empty partition.
  Partition() = default;
  /// Trailing zeros are dropped. \throws DomainError if the parts increase or one is negative; LimitError if
  /// they add up to more than 2^31 - 1.
  explicit Partition(std::vector<int> parts);
  Partition(std::initializer_list<int> parts) : Partition(std::vector<int>(parts)) {}

  /// The sum of the parts.
  int weight() const { return weight_; }
  /// The number of parts.
  int length() const { return static_cast<int>(parts_.size()); }
  bool empty() const { return parts_.empty(); }
  /// Part i >= 0; 0 beyond the last.
  int operator[](int i) const { return i < length() ? parts_[i] : 0; }
  const std::vector<int>& parts() const { return parts_; }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

  /// The diagram reflected in its diagonal. \throws LimitError if the first part exceeds 10^8.
  Partition conjugate() const;
  /// Does the diagram contain that of `inner`?
  bool contains(const Partition& inner) const;
  /// The dominance order: same weight, and every partial sum at least that of `other`.
  bool dominates(const Partition& other) const;
  /// The side of the largest square in the diagram.
  int durfee() const;

  friend bool operator==(const Partition&, const Partition&) = default;
  friend std::strong_ordering operator<=>(const Partition& a, const Partition& b);

 private:
  std::vector<int> parts_;
  int weight_ = 0;
};

/// "[3,2,1]"; "[]" for the empty partition.
std::string to_string(const Partition& lambda);
/// Appends to_string(lambda) to a text.
void append_text(std::string& text, const Partition& lambda);
/// "3,2,1", as in s_{3,2,1}; "\\emptyset" for the empty partition.
std::string to_latex(const Partition& lambda);

/// Reads "[3,2,1]", also as "(3,2,1)", "3,2,1", "3 2 1" and, of parts below 10, "321"; "[2,1^3]" is [2,1,1,1]. \throws
/// ParseError for anything else, a part that increases, is zero or exceeds 10^6.
Partition parse_partition(const std::string& text);

/// Arm + leg + 1 of the cell in row i, column j (from 0). \throws DomainError outside the diagram.
int hook_length(const Partition& lambda, int i, int j);
/// All hook lengths, row by row.
std::vector<std::vector<int>> hook_lengths(const Partition& lambda);
/// j - i.
inline int cell_content(int i, int j) { return j - i; }

/// z_lambda = prod_i i^{m_i} m_i!, the order of the centralizer of a permutation of this cycle type.
Integer centralizer_order(const Partition& cycle_type);

/// The bounds of an enumeration: min_length <= length <= max_length and every part <= max_part.
struct PartitionBounds {
  int max_length = std::numeric_limits<int>::max();
  int max_part = std::numeric_limits<int>::max();
  int min_length = 0;
};

/// More partitions than these are listed only where it is asked for.
inline constexpr std::size_t most_partitions = 20'000'000;

/// All partitions of n in the order of Partition. \throws DomainError if n < 0; LimitError if there are more
/// than `max_count` (they are counted first). Cost: linear in the answer.
std::vector<Partition> partitions(int n, const PartitionBounds& bounds = {}, std::size_t max_count = most_partitions,
                                  const Task& task = {});
/// All partitions of any weight whose diagram fits in a rows x cols box, by weight. \throws as partitions.
std::vector<Partition> partitions_in_box(int rows, int cols, std::size_t max_count = most_partitions,
                                         const Task& task = {});
/// All partitions contained in `outer`, by weight. \throws as partitions.
std::vector<Partition> partitions_inside(const Partition& outer, std::size_t max_count = most_partitions,
                                         const Task& task = {});
/// p(n), by the Hardy-Ramanujan-Rademacher series [Johansson2012]. \throws DomainError if n < 0, LimitError if n > 10^6.
Integer number_of_partitions(int n);
/// The number of partitions of n within bounds, a coefficient of a Gaussian binomial. Cost: n additions for each unit
/// of the smaller bound. \throws DomainError if n < 0; LimitError if these are more than 10^8.
Integer number_of_partitions(int n, const PartitionBounds& bounds, const Task& task = {});

/// A rim hook (ribbon) of lambda, as what is left without it, or of the larger partition with it.
struct Ribbon {
  Partition partition;  ///< lambda without (or with) the ribbon
  int height = 0;       ///< rows it meets, minus one; the sign of Murnaghan-Nakayama is (-1)^height
};
/// The ribbons of k cells that can be taken from lambda, top row first. \throws DomainError if k < 1.
std::vector<Ribbon> removable_ribbons(const Partition& lambda, int k, const Task& task = {});
/// The ribbons of k cells that can be added to lambda, top row first. \throws DomainError if k < 1; LimitError if the
/// partition would have more than 10^8 cells.
std::vector<Ribbon> addable_ribbons(const Partition& lambda, int k, const Task& task = {});

/// The k-core: the partition left of lambda when no ribbon of k cells can be taken away. \throws DomainError if k < 1.
Partition k_core(const Partition& lambda, int k, const Task& task = {});
/// The k-quotient: k partitions, read from the k runners of the abacus with a number of beads divisible by k.
/// weight(lambda) = weight(core) + k * (sum of the weights). \throws DomainError if k < 1; LimitError if k > 10^8.
std::vector<Partition> k_quotient(const Partition& lambda, int k, const Task& task = {});
/// The partition with this core and quotient. \throws DomainError if `core` is not a k-core, k = quotient.size();
/// LimitError beyond 10^8 cells or beads.
Partition from_core_and_quotient(const Partition& core, const std::vector<Partition>& quotient, const Task& task = {});

}  // namespace intertwine

template <>
struct std::hash<intertwine::Partition> {
  std::size_t operator()(const intertwine::Partition& lambda) const noexcept {
    std::size_t h = 0x9e3779b97f4a7c15ULL;
    for (const int part : lambda) h = (h ^ static_cast<std::size_t>(part)) * 0xbf58476d1ce4e5b9ULL, h ^= h >> 31;
    return h;
  }
};
