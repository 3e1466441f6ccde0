// Polynomials of the features of points, channel by channel, with weights for each kind of point: the symmetric
// contractions of networks on points in space.
//
//   P(x, w, g) = sum over points n, channels c, terms t of
//                value_t w[kind n, weight_t, c] g[n, out_t, c] times x[n, v, c] for every v of the monomial of t
//
// P is linear in w and in g: the polynomial is its gradient in g. The derivative along directions of (x, w) of the
// polynomial and of the gradients in x and w are again such derivatives, with other directions; so every order is
// there. Arrays are x [points, in, channels], w [kinds, weights, channels], g and the polynomial [points, out,
// channels].
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace intertwine {

/// How many components x and the polynomial have, and how many weights there are.
struct PolynomialSizes {
  std::uint64_t in = 0, out = 0, weights = 0;
};

/// value times a weight times a monomial, for a component of the polynomial.
struct PointTerm {
  std::uint64_t weight = 0, out = 0, monomial = 0;
  double value = 0;
};

/// The kind of every point; there are `count` kinds. The array belongs to the caller.
struct PointKinds {
  std::uint64_t count = 0;
  std::span<const std::int64_t> of_point;
};

/// x and w, or a direction in which they move.
template <class T>
struct PolynomialOperands {
  std::span<const T> x, w;
};

/// Gradients in x and w; an empty span is left out. Every number of the others is written.
template <class T>
struct PolynomialGradients {
  std::span<T> x, w;
};

/// The table of a polynomial. T is float or double; threads and instruction sets change no bit of any result.
class PointPolynomial {
 public:
  static constexpr std::uint64_t most_directions = 2;

  /// A monomial is the list of its variables, in any order and as often as they occur.
  /// \throws DomainError if a monomial has a variable, or a term a number, that there is not; if two terms have one
  /// place
  PointPolynomial(const PolynomialSizes& sizes, std::span<const std::vector<std::uint64_t>> monomials,
                  std::span<const PointTerm> terms);

  const PolynomialSizes& sizes() const;

  /// The polynomial [points, out, channels], or its derivative along all the directions. Cost: channels times points
  /// times pairs of a monomial and a component; three and eight times as much along one and two directions.
  /// \throws DomainError if a span has another length than its shape, a kind is out of range, or there are more than
  /// most_directions
  template <class T>
  void value(const PointKinds& kinds, std::uint64_t channels, const PolynomialOperands<T>& at,
             std::span<const PolynomialOperands<T>> directions, std::span<T> out, unsigned threads = 1) const;

  /// The gradients of P in x and w, or their derivative along all the directions; g stays. Two to three times the cost.
  /// \throws DomainError as value()
  template <class T>
  void gradients(const PointKinds& kinds, std::uint64_t channels, const PolynomialOperands<T>& at, std::span<const T> g,
                 std::span<const PolynomialOperands<T>> directions, const PolynomialGradients<T>& gradients,
                 unsigned threads = 1) const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace intertwine
