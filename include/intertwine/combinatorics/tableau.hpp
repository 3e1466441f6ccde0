// Young tableaux: standard and semistandard, enumeration, counting, ranking; Kostka numbers.
#pragma once
#include <compare>
#include <cstddef>
#include <string>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// A filling of a partition's diagram with integers >= 0, as its rows from top to bottom (English notation).
/// Entries are 0-based, as all arrays; to_string writes them 1-based, as the literature does.
class Tableau {
 public:
  Tableau() = default;
  /// Empty rows at the end are dropped. \throws DomainError if the row lengths increase or an entry is
  /// negative.
  explicit Tableau(std::vector<std::vector<int>> rows);

  Partition shape() const;
  const std::vector<std::vector<int>>& rows() const { return rows_; }
  /// How often each of 0, ..., n-1 occurs. \throws DomainError if an entry is >= n.
  std::vector<int> content(int n, const Task& task = {}) const;
  /// Rows weakly and columns strictly increasing.
  bool is_semistandard() const;
  /// Rows and columns strictly increasing with entries 0, ..., weight-1, each once.
  bool is_standard() const;
  /// Reflected in the diagonal.
  Tableau transposed() const;

  friend bool operator==(const Tableau&, const Tableau&) = default;
  friend auto operator<=>(const Tableau&, const Tableau&) = default;

 private:
  std::vector<std::vector<int>> rows_;
};

/// One line a row, entries 1-based: "1 1 2\n2 3".
std::string to_string(const Tableau& T);

/// The number of standard tableaux, by the hook length formula [Frame, Robinson & Thrall 1954]. \throws
/// LimitError if the weight exceeds 10^6.
Integer number_of_standard_tableaux(const Partition& shape);
/// The number of semistandard tableaux with entries 0, ..., n-1, which is dim S_shape(C^n), by the hook
/// content formula [Stanley 1971]; 0 if shape has more than n rows. \throws DomainError if n < 0; LimitError
/// if the weight exceeds 10^6.
Integer number_of_semistandard_tableaux(const Partition& shape, int n);

/// All standard tableaux, ordered by the row of the largest entry, then of the next, ... (last letter order).
/// \throws LimitError if there are more than `max_count`.
std::vector<Tableau> standard_tableaux(const Partition& shape, std::size_t max_count = 10'000'000,
                                       const Task& task = {});
/// All semistandard tableaux with entries 0, ..., n-1, ordered by the shape that the entries below n-1 fill
/// (row lengths lexicographic), then by those below n-2, ... \throws DomainError if n < 0; LimitError if
/// there are more than `max_count`.
std::vector<Tableau> semistandard_tableaux(const Partition& shape, int n, std::size_t max_count = 10'000'000,
                                           const Task& task = {});
/// The semistandard tableaux with content[i] entries i, in the order of semistandard_tableaux.
/// \throws DomainError if a content is negative; LimitError if there are more than `max_count`.
std::vector<Tableau> semistandard_tableaux(const Partition& shape, const std::vector<int>& content,
                                           std::size_t max_count = 10'000'000, const Task& task = {});

/// The position of T in standard_tableaux(T.shape()), without enumeration. \throws DomainError if T is not
/// standard.
Integer rank_standard(const Tableau& T, const Task& task = {});
/// The tableau at this position. \throws DomainError if rank is out of range.
Tableau unrank_standard(const Partition& shape, Integer rank, const Task& task = {});
/// The position of T in semistandard_tableaux(T.shape(), n). \throws DomainError if T is not semistandard or
/// an entry is >= n.
Integer rank_semistandard(const Tableau& T, int n, const Task& task = {});
/// The tableau at this position. \throws DomainError if rank is out of range.
Tableau unrank_semistandard(const Partition& shape, int n, Integer rank, const Task& task = {});

/// The Kostka number: semistandard tableaux of this shape and content, which is the multiplicity of S_shape
/// in Sym^{c_1} * Sym^{c_2} * .... Any order of the content gives the same number; 0 if the weights differ.
/// Cost: one step for each horizontal strip between partitions inside `shape`, merged by shape.
/// \throws DomainError if a content is negative.
Integer kostka_number(const Partition& shape, const std::vector<int>& content, const Task& task = {});

}  // namespace intertwine
