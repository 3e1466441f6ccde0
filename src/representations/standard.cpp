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
  Cyclotomic character(const Permutation& g) const override {
    return Integer(g.number_of_fixed_points()) - 1;
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    if (!is_monomial()) refuse_image(*this);
    out[0] = SignedPoint(0, g(0) != 0);
  }
  RationalMatrix apply(const Permutation& g, const RationalMatrix& X) const override {
    const RationalMatrix parts[] = {X, Rational(-1) * (ones(X.rows()) * X)};
    const RationalMatrix in_all_coordinates = vertical_stack(parts);
    std::vector<std::size_t> source(X.rows() + 1);
    for (Point i = 0; i <= X.rows(); ++i) source[g(i)] = i;
    source.pop_back();
    return in_all_coordinates.select_rows(source);
  }
  /// Row i of the transpose: (x, 0) permuted back, and its last coordinate taken from all others.
  RationalMatrix apply_transpose(const Permutation& g, const RationalMatrix& X) const override {
    const RationalMatrix parts[] = {X, RationalMatrix(1, X.cols())};
    std::vector<std::size_t> source;
    for (Point i = 0; i < X.rows(); ++i) source.push_back(g(i));
    const RationalMatrix padded = vertical_stack(parts);
    const std::size_t last[] = {g(static_cast<Point>(X.rows()))};
    return padded.select_rows(source) - ones(X.rows()).transpose() * padded.select_rows(last);
  }
  std::string text(TextForm) const override { return "std"; }
  std::string label(std::uint64_t i) const override {
    return fmt::format("e{}-e{}", i + 1, group().degree());
  }

 private:
  static RationalMatrix ones(std::size_t n) {
    IntegerMatrix row(1, n);
    for (std::size_t j = 0; j < n; ++j) row.set(0, j, 1L);
    return row;
  }
};

}  // namespace

Representation standard_representation(const FiniteGroup& G) {
  if (G.degree() < 2)
    throw DomainError(fmt::format("std: perm minus trivial needs a group of at least 2 points, and {} has {}",
                                  G.name(), G.degree()));
  return Representation(std::make_shared<Standard>(G));
}

}  // namespace intertwine
