// Elements of infinite order in groups of rational matrices.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "groups/chain/words.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "intertwine/random.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Looks among words in the generators, short ones first, for one whose matrix has infinite order.
///
/// The matrix A of finite order has a characteristic polynomial that is a product of cyclotomic ones, and is diagonalizable: the product of the different
/// ones among them takes it to 0. All this holds modulo a prime too, where the cyclotomic polynomials of moderate number stay coprime, so that a
/// matrix for which it fails there has infinite order. An infinite group that finitely many matrices generate contains such elements [Schur 1911].
/// \par Cost  three times that of a product of two matrices for a word, and its products
class InfiniteOrderSearch {
 public:
  /// The generators must be invertible.
  InfiniteOrderSearch(const std::vector<RationalMatrix>& generators, const Task& task);

  static constexpr std::uint64_t without_end = std::numeric_limits<std::uint64_t>::max();
  /// Goes on with `words` more words. The first one of infinite order, as text.
  std::optional<std::string> run(std::uint64_t words);

 private:
  struct Cyclotomic {
    std::uint64_t number;
    std::vector<PrimeField::Element> coefficients;  ///< constant term first
  };
  void list_cyclotomic_polynomials(std::size_t degree);
  bool has_infinite_order(const ModularMatrix& A);
  Word next_word();

  const Task& task_;
  std::uint64_t prime_ = 0;
  std::vector<ModularMatrix> generators_, inverses_;
  std::vector<Cyclotomic> cyclotomic_;
  std::uint64_t tried_ = 0;
  std::vector<Word> short_words_{Word()};  ///< all words up to some length, in order of length
  Rng rng_{fixed_seed};
};

}  // namespace intertwine
