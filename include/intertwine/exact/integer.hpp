// Integers and rational numbers of any size.
#pragma once
#include <boost/multiprecision/gmp.hpp>
#include <string>

namespace intertwine {

/// An integer of any size (GMP). Expression templates are off, so `auto` is safe.
using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

/// A rational number of any size, always in lowest terms with a positive denominator.
using Rational =
    boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

inline std::string to_string(const Integer& a) { return a.str(); }
/// "p" or "p/q".
inline std::string to_string(const Rational& a) { return a.str(); }

/// n!.
Integer factorial(unsigned long n);

/// The binomial coefficient "n choose k"; 0 when k > n.
Integer binomial(unsigned long n, unsigned long k);

/// Parses "p" or "p/q" with optional sign, no spaces. \throws ParseError also when q = 0.
Rational parse_rational(const std::string& text);

}  // namespace intertwine
