// Integers and rational numbers of any size.
#pragma once
#include <boost/multiprecision/gmp.hpp>
#include <string>

namespace intertwine {

/// An integer of any size (GMP). Expression templates are off, so `auto` is safe.
using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

/// A rational number of any size, always in lowest terms with a positive denominator.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

inline std::string to_string(const Integer& a) { return a.str(); }
/// "p" or "p/q".
inline std::string to_string(const Rational& a) { return a.str(); }

/// The largest n of factorial(n), and the largest min(k, n-k) of binomial(n, k): answers of about 30 MB.
inline constexpr unsigned long max_factorial = 10'000'000;

/// n!. \throws LimitError if n exceeds max_factorial.
Integer factorial(unsigned long n);

/// The binomial coefficient "n choose k"; 0 when k > n. \throws LimitError if min(k, n-k) exceeds
/// max_factorial.
Integer binomial(unsigned long n, unsigned long k);

/// Parses "p" or "p/q" in decimal digits (leading zeros allowed) with an optional sign before p, no spaces;
/// reduces to lowest terms. \throws ParseError also when q = 0.
Rational parse_rational(const std::string& text);

}  // namespace intertwine
