// Representations over a smaller field.
#include <fmt/format.h>

#include "node.hpp"

namespace intertwine {

namespace {

class RestrictionOfScalars final : public RepresentationNode {
 public:
  RestrictionOfScalars(Representation V, const AbelianField& F)
      : RepresentationNode(
            V.group(),
            checked_dimension(Integer(V.field().degree() / F.degree()) * V.dimension(), "restriction_of_scalars"),
            V.node().depth() + 1, F),
        V_(std::move(V)),
        relative_degree_(V_.field().degree() / F.degree()) {}

  bool is_permutation() const override { return dimension() == 0; }
  bool is_monomial() const override { return dimension() == 0; }
  /// The sum of the conjugates of the character over F.
  Cyclotomic character(const Permutation& g) const override {
    const Cyclotomic chi = V_.node().character(g);
    if (chi.is_rational()) return Cyclotomic(Integer(relative_degree_)) * chi;
    Cyclotomic sum;
    for (const std::uint32_t k : V_.field().automorphisms())
      if (field().generator().galois_conjugate(k) == field().generator()) sum += chi.galois_conjugate(k);
    return sum;
  }
  void write_image(const Permutation&, std::span<SignedPoint> out) const override {
    if (!out.empty()) refuse_image(*this);
  }
  FieldMatrix dense(const Permutation& g) const override { return restrict_scalars(V_.field_matrix(g), field()); }
  std::string text(TextForm form) const override {
    if (field().is_rational()) return fmt::format("rational({})", V_.to_string(form));
    if (field() == V_.field().real_subfield()) return fmt::format("real({})", V_.to_string(form));
    std::vector<FieldMatrix> images;
    for (const Permutation& g : group().generators()) images.push_back(dense(g));
    return images.empty() ? fmt::format("{}*trivial", dimension()) : matrices_text(images);
  }
  std::string label(std::uint64_t i) const override {
    const std::string inner = V_.basis_label(i / relative_degree_);
    const std::uint64_t power = i % relative_degree_;
    if (power == 0) return inner;
    return power == 1 ? "a*" + inner : fmt::format("a^{}*{}", power, inner);
  }

 private:
  /// Coordinate i m + t over Q is coefficient t of coordinate i: the same numbers row by row.
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    if (transposed || !field().is_rational()) return RepresentationNode::apply_to(g, X, transposed);
    const AbelianField& K = V_.field();
    const std::size_t n = V_.dimension(), m = K.degree(), cols = X.cols();
    const FieldMatrix Y(K, X.coefficients().reshape(n, m * cols), cols);
    return V_.node().apply(g, Y, false).over(K).coefficients().reshape(n * m, cols);
  }

  Representation V_;
  std::size_t relative_degree_;
};

}  // namespace

Representation restriction_of_scalars(const Representation& V, const AbelianField& F) {
  if (F.contains(V.field())) return V;
  if (!V.field().contains(F))
    throw DomainError(fmt::format("restriction_of_scalars: {} is not a subfield of {}, the field of the representation",
                                  F.to_string(), V.field().to_string()));
  return Representation(std::make_shared<RestrictionOfScalars>(V, F));
}

}  // namespace intertwine
