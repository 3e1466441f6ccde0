// Searches for elements of infinite order in matrix groups.
#include "groups/named/infinite_order.hpp"

#include <algorithm>

#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

/// A multiple of the orders of all elements of finite order of GL(d, K), for the field K of E(N): the largest powers q^e with [K(E(q^e)) : K] <= d.
Integer multiple_of_orders(std::size_t d, std::uint64_t N) {
  Integer result = 1;
  const auto take = [&](std::uint64_t q) {
    // Adjoining the roots of order q^e multiplies the degree by q - 1 if there was none but 1, and then by q each.
    std::uint64_t degree = N % q == 0 ? 1 : q - 1;
    if (degree > d) return;
    result *= q;
    for (std::uint64_t n = N; n % q == 0 && n / q % q == 0; n /= q) result *= q;
    while ((degree *= q) <= d) result *= q;
  };
  for (std::uint64_t q = 2; q <= d + 1; ++q)
    if (is_prime(q)) take(q);
  for (const auto& [q, e] : factorization(N))
    if (q > d + 1) take(q);
  return result;
}

}  // namespace

InfiniteOrderSearch::InfiniteOrderSearch(std::vector<FieldMatrix> generators, const Task& task)
    : task_(task), matrices_(std::move(generators)) {
  if (matrices_.empty()) return;
  exponent_ = multiple_of_orders(matrices_[0].rows(), matrices_[0].field().conductor());
  next_prime();
}

/// The next one modulo which all generators have inverses.
void InfiniteOrderSearch::next_prime() {
  const AbelianField& K = matrices_[0].field();
  do {
    task_.poll();
    const AbelianField::SplitPrime prime = K.split_prime(primes_++);
    generators_.clear();
    inverses_.clear();
    for (const FieldMatrix& A : matrices_) {
      auto reduced = A.reduce(prime, 0);
      auto inverse = reduced ? reduced->inverse() : std::nullopt;
      if (!inverse) break;
      generators_.push_back(std::move(*reduced));
      inverses_.push_back(std::move(*inverse));
    }
  } while (inverses_.size() < matrices_.size());
}

/// First all words of up to some length, then random ones, slowly longer.
Word InfiniteOrderSearch::next_word() {
  constexpr std::size_t most_short_words = 400;
  const auto count = static_cast<std::int32_t>(generators_.size());
  const std::uint64_t number = ++tried_;
  if (count == 1) return {1};
  for (std::size_t parent = 0;
       short_words_.size() <= number && short_words_.size() < most_short_words && parent < short_words_.size();
       ++parent) {
    if (parent + 1 != short_words_.size() && short_words_[parent].size() + 1 < short_words_.back().size()) continue;
    for (std::int32_t k = 1; k <= count; ++k)
      for (const std::int32_t letter : {k, -k}) {
        Word word = short_words_[parent];
        words::append(word, letter);
        const bool longer = word.size() > short_words_[parent].size();
        if (longer && std::find(short_words_.begin(), short_words_.end(), word) == short_words_.end())
          short_words_.push_back(std::move(word));
      }
  }
  if (number < short_words_.size()) return short_words_[number];
  Word word;
  for (std::uint64_t i = 0, length = 4 + rng_.below(8 + std::min<std::uint64_t>(number / 8, 200 + number / 1000));
       i < length; ++i) {
    const auto letter = static_cast<std::int32_t>(1 + rng_.below(generators_.size()));
    words::append(word, rng_.below(2) == 0 ? letter : -letter);
  }
  return word;
}

std::optional<std::string> InfiniteOrderSearch::run(std::uint64_t words) {
  if (matrices_.empty()) return std::nullopt;
  // The powers of a single generator tell what it tells itself.
  const bool cyclic = matrices_.size() == 1;
  if (cyclic && words != without_end) words = std::min<std::uint64_t>(words, 1);
  const std::uint64_t words_for_a_prime = cyclic ? 1 : 100;
  for (std::uint64_t k = 0; k < words; ++k) {
    task_.poll();
    if (tried_ > 0 && tried_ % words_for_a_prime == 0) next_prime();
    const Word word = next_word();
    if (word.empty()) continue;
    ModularMatrix A = ModularMatrix::identity(generators_[0].prime(), generators_[0].rows());
    for (const std::int32_t letter : word)
      A = A * (letter > 0 ? generators_[static_cast<std::size_t>(letter - 1)]
                          : inverses_[static_cast<std::size_t>(-letter - 1)]);
    if (!A.has_order_dividing(exponent_)) return words::text(word, generators_.size());
  }
  return std::nullopt;
}

}  // namespace intertwine
