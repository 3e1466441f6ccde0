// Elements of infinite order in groups of matrices over number fields.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/groups/words.hpp"
#include "intertwine/random.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Looks among words in the generators, short ones first, for one whose matrix has infinite order.
///
/// The orders of elements of finite order of GL(d, K) divide a number M: a root of unity of order q^e is an eigenvalue only if its degree over K is at
/// most d. A matrix A with A^M other than 1 modulo a prime has infinite order; primes that split in K are taken, and one after the other, as A^M = 1 may
/// hold by accident. An infinite group that finitely many matrices generate contains such elements [Schur 1911].
/// \par Cost  a few products of matrices over the prime field for a word, as many rows as over K
class InfiniteOrderSearch {
 public:
  /// The generators, over one field, must be invertible.
  InfiniteOrderSearch(std::vector<FieldMatrix> generators, const Task& task);

  static constexpr std::uint64_t without_end = std::numeric_limits<std::uint64_t>::max();
  /// Goes on with `words` more words. The first one of infinite order, as text.
  std::optional<std::string> run(std::uint64_t words);

 private:
  void next_prime();
  Word next_word();

  const Task& task_;
  const std::vector<FieldMatrix> matrices_;
  Integer exponent_ = 1;    ///< M
  std::size_t primes_ = 0;  ///< the number of primes that were looked at
  std::vector<ModularMatrix> generators_, inverses_;
  std::uint64_t tried_ = 0;
  std::vector<Word> short_words_{Word()};  ///< all words up to some length, in order of length
  Rng rng_{fixed_seed};
};

}  // namespace intertwine
