// How cyclotomic numbers are held; shared by the files that implement them.
#pragma once
#include <vector>

#include "intertwine/exact/cyclotomic.hpp"

namespace intertwine {

/// Exponents of the basis, increasing, and their non-zero coefficients: `small` if every one is an integer below
/// 2^62 in size, else `big`. Small integers of conductor 1 have no data at all.
struct Cyclotomic::Data {
  std::uint32_t conductor = 1;
  std::vector<std::uint32_t> exponents;
  std::vector<std::int64_t> small;
  std::vector<Rational> big;

  friend bool operator==(const Data&, const Data&) = default;
};

/// The functions that need the inside of a Cyclotomic.
struct CyclotomicArithmetic {
  static const Cyclotomic::Data* data(const Cyclotomic& a) { return a.data_.get(); }
  static Cyclotomic make(std::shared_ptr<const Cyclotomic::Data> data) { return Cyclotomic(std::move(data)); }
  /// sum of coefficients[k] * zeta_n^k over the denominator, n the number of coefficients.
  static Cyclotomic from_integers(std::vector<Integer> coefficients, const Integer& denominator);
  using Data = Cyclotomic::Data;
};

}  // namespace intertwine
