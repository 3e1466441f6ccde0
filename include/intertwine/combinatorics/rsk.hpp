// The Robinson-Schensted-Knuth correspondence, its dual, and contingency tables.
#pragma once
#include <cstddef>
#include <vector>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A matrix of integers >= 0, as a list of rows of one length.
using ContingencyTable = std::vector<std::vector<int>>;

/// Two tableaux of one shape.
struct TableauPair {
  Tableau insertion;  ///< P: holds column numbers
  Tableau recording;  ///< Q: holds row numbers
  friend bool operator==(const TableauPair&, const TableauPair&) = default;
};

/// RSK: the matrix A, read as the word with A[i][j] letters (i, j) in lexicographic order, row-inserted. A
/// bijection from matrices with row sums r and column sums c to pairs of semistandard tableaux of one shape
/// with contents c (P) and r (Q). \throws DomainError if A has a negative entry or rows of different lengths;
/// LimitError if its entries add up to more than 10^6.
TableauPair rsk(const ContingencyTable& A);
/// The inverse: the rows x cols matrix. \throws DomainError if the shapes differ, a tableau is not
/// semistandard, or an entry does not fit.
ContingencyTable rsk_inverse(const TableauPair& pair, int rows, int cols);

/// Dual RSK on 0/1 matrices: P is the transpose of a semistandard tableau (rows strictly, columns weakly
/// increasing), Q is semistandard. \throws DomainError if A has an entry other than 0 and 1, or rows of
/// different lengths.
TableauPair dual_rsk(const ContingencyTable& A);
/// The inverse. \throws DomainError as rsk_inverse.
ContingencyTable dual_rsk_inverse(const TableauPair& pair, int rows, int cols);

/// All matrices of integers >= 0 with these row and column sums, lexicographically decreasing.
/// \throws DomainError if a sum is negative or the totals differ; LimitError if there are more than
/// `max_count`.
std::vector<ContingencyTable> contingency_tables(const std::vector<int>& row_sums, const std::vector<int>& column_sums,
                                                 std::size_t max_count = 10'000'000, const Task& task = {});
/// Their number, row by row, with equal multisets of remaining column sums merged. \throws DomainError as
/// above; LimitError through `task`, which is asked for what the multisets take.
Integer number_of_contingency_tables(const std::vector<int>& row_sums, const std::vector<int>& column_sums,
                                     const Task& task = {});

}  // namespace intertwine
