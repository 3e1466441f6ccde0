#include "groups/named/infinite_order.hpp"

#include <algorithm>

#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

using ResiduePolynomial = std::vector<PrimeField::Element>;  ///< constant term first

/// f / g for monic g, if it is exact.
std::optional<ResiduePolynomial> exact_quotient(const PrimeField& field, ResiduePolynomial f,
                                                const ResiduePolynomial& g) {
  if (f.size() < g.size()) return std::nullopt;
  ResiduePolynomial quotient(f.size() - g.size() + 1);
  for (std::size_t k = quotient.size(); k-- > 0;) {
    const PrimeField::Element c = f[k + g.size() - 1];
    quotient[k] = c;
    for (std::size_t i = 0; c != 0 && i < g.size(); ++i)
      f[k + i] = field.subtract(f[k + i], field.multiply(c, g[i]));
  }
  if (std::ranges::any_of(f, [](PrimeField::Element c) { return c != 0; })) return std::nullopt;
  return quotient;
}

ResiduePolynomial product(const PrimeField& field, const ResiduePolynomial& f, const ResiduePolynomial& g) {
  ResiduePolynomial result(f.size() + g.size() - 1, 0);
  for (std::size_t i = 0; i < f.size(); ++i)
    for (std::size_t j = 0; j < g.size(); ++j)
      result[i + j] = field.add(result[i + j], field.multiply(f[i], g[j]));
  return result;
}

}  // namespace

InfiniteOrderSearch::InfiniteOrderSearch(const std::vector<RationalMatrix>& generators, const Task& task)
    : task_(task) {
  while (generators_.size() < generators.size()) {
    prime_ = word_prime(rng_.below(1000));
    generators_.clear();
    inverses_.clear();
    for (const RationalMatrix& A : generators) {
      auto reduced = ModularMatrix::reduce(prime_, A);
      auto inverse = reduced ? reduced->inverse() : std::nullopt;
      if (!inverse) break;
      generators_.push_back(std::move(*reduced));
      inverses_.push_back(std::move(*inverse));
    }
  }
  list_cyclotomic_polynomials(generators.empty() ? 0 : generators[0].rows());
}

/// Those of degree at most d: their numbers are below 6 d. Phi_n = (x^n - 1) / prod Phi_m over the proper divisors m.
void InfiniteOrderSearch::list_cyclotomic_polynomials(std::size_t degree) {
  const PrimeField field(prime_);
  for (std::uint64_t n = 1; n <= 6 * degree + 6; ++n) {
    if (totient(n) > degree) continue;
    ResiduePolynomial f(n + 1, 0);
    f[n] = field.one();
    f[0] = field.negative(field.one());
    for (const Cyclotomic& phi : cyclotomic_)
      if (n % phi.number == 0) f = *exact_quotient(field, std::move(f), phi.coefficients);
    cyclotomic_.push_back({n, std::move(f)});
  }
}

/// Of finite order is what the product g of the different cyclotomic factors of the characteristic polynomial f makes 0, if f has no other factors.
/// Where g(A) v = 0 for a random v, g(A) = 0 but for an accident, in which nothing is found.
bool InfiniteOrderSearch::has_infinite_order(const ModularMatrix& A) {
  const PrimeField field(prime_);
  ResiduePolynomial f, g{field.one()};
  for (const std::uint64_t c : A.characteristic_polynomial())
    f.push_back(field.from(static_cast<std::int64_t>(c)));
  for (const Cyclotomic& phi : cyclotomic_) {
    bool divides = false;
    while (auto quotient = exact_quotient(field, f, phi.coefficients)) {
      f = std::move(*quotient);
      divides = true;
    }
    if (divides) g = product(field, g, phi.coefficients);
  }
  if (f.size() > 1) return true;
  const ModularMatrix v = ModularMatrix::random(prime_, A.rows(), 1, rng_), zero(prime_, A.rows(), 1);
  ModularMatrix image = zero;
  for (std::size_t k = g.size(); k-- > 0;) {  // Horner's rule
    task_.poll();
    image = A * image + field.residue(g[k]) * v;
  }
  return !(image == zero);
}

/// First all words of up to some length, then random ones, slowly longer.
Word InfiniteOrderSearch::next_word() {
  constexpr std::size_t most_short_words = 400;
  const auto count = static_cast<std::int32_t>(generators_.size());
  const std::uint64_t number = ++tried_;
  for (std::size_t parent = 0; short_words_.size() <= number && short_words_.size() < most_short_words &&
                               parent < short_words_.size();
       ++parent) {
    if (parent + 1 != short_words_.size() && short_words_[parent].size() + 1 < short_words_.back().size())
      continue;
    for (std::int32_t k = 1; k <= count; ++k)
      for (const std::int32_t letter : {k, -k}) {
        Word word = short_words_[parent];
        append(word, letter);
        const bool longer = word.size() > short_words_[parent].size();
        if (longer && std::find(short_words_.begin(), short_words_.end(), word) == short_words_.end())
          short_words_.push_back(std::move(word));
      }
  }
  if (number < short_words_.size()) return short_words_[number];
  Word word;
  for (std::uint64_t i = 0, length = 4 + rng_.below(8 + std::min<std::uint64_t>(number / 8, 200)); i < length;
       ++i) {
    const auto letter = static_cast<std::int32_t>(1 + rng_.below(generators_.size()));
    append(word, rng_.below(2) == 0 ? letter : -letter);
  }
  return word;
}

std::optional<std::string> InfiniteOrderSearch::run(std::uint64_t words) {
  if (generators_.size() == 1 &&
      words != without_end) {  // its powers tell what it tells itself, but for an accident
    if (tried_ > 0) return std::nullopt;
    words = std::min<std::uint64_t>(words, 1);
  }
  for (std::uint64_t k = 0; k < words && !generators_.empty(); ++k) {
    task_.poll();
    const Word word = next_word();
    if (word.empty()) continue;
    ModularMatrix A = ModularMatrix::identity(prime_, generators_[0].rows());
    for (const std::int32_t letter : word)
      A = A * (letter > 0 ? generators_[static_cast<std::size_t>(letter - 1)]
                          : inverses_[static_cast<std::size_t>(-letter - 1)]);
    if (has_infinite_order(A)) return word_text(word, generators_.size());
  }
  return std::nullopt;
}

}  // namespace intertwine
