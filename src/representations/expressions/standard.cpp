// The standard representation: perm minus trivial.
#include <fmt/format.h>

#include "intertwine/representations/matrix_representations.hpp"
#include "node.hpp"

namespace intertwine {

namespace {

/// The x in Q^n of sum 0 on the basis e_i - e_n: coordinates x_1, ..., x_{n-1}, and x_n = -(x_1 + ... + x_{n-1}).
class Standard final : public RepresentationNode {
 public:
  explicit Standard(const FiniteGroup& G) : RepresentationNode(G, G.degree() - 1) {}

  bool is_permutation() const override { return generator_images_are_unsigned(); }
  /// On two points the one vector e_1 - e_2 goes to plus or minus itself.
  bool is_monomial() const override { return dimension() == 1; }
  Cyclotomic character(const Permutation& g) const override { return Integer(g.number_of_fixed_points()) - 1; }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    if (!is_monomial()) refuse_image(*this);
    out[0] = SignedPoint(0, g(0) != 0);
  }
  std::string text(TextForm) const override { return "std"; }
  std::string label(std::uint64_t i) const override { return fmt::format("e{}-e{}", i + 1, group().degree()); }

 private:
  /// The last coordinate is minus the sum of the others; row i of the transpose: (x, 0) permuted back, and its last
  /// coordinate taken from all others.
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    const std::size_t n = X.rows();
    const RationalMatrix parts[] = {
        X.coefficients(), transposed ? RationalMatrix(1, X.cols()) : Rational(-1) * (ones(n) * X.coefficients())};
    const RationalMatrix padded = vertical_stack(parts);
    std::vector<std::size_t> source(n + 1);
    for (Point i = 0; i <= n; ++i) source[transposed ? i : g(i)] = transposed ? g(i) : i;
    const std::size_t last[] = {source.back()};
    source.pop_back();
    if (!transposed) return padded.select_rows(source);
    return padded.select_rows(source) - ones(n).transpose() * padded.select_rows(last);
  }
  static RationalMatrix ones(std::size_t n) {
    IntegerMatrix row(1, n);
    for (std::size_t j = 0; j < n; ++j) row.set(0, j, 1L);
    return row;
  }
};

}  // namespace

Representation standard_representation(const FiniteGroup& G) {
  if (G.degree() < 2)
    throw DomainError(
        fmt::format("std: perm minus trivial needs a group of at least 2 points, and {} has {}", G.name(), G.degree()));
  return Representation(std::make_shared<Standard>(G));
}

}  // namespace intertwine
