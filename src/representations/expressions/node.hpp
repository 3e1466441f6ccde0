// The nodes of this module share these: leaves by matrices, texts, and checks.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/representation_node.hpp"

namespace intertwine {

using NodePointer = std::shared_ptr<const RepresentationNode>;

/// A leaf that acts by general matrices and keeps those of the generators.
class MatrixNode : public RepresentationNode {
 public:
  using RepresentationNode::RepresentationNode;

  bool is_permutation() const override { return false; }
  bool is_monomial() const override { return false; }
  void write_image(const Permutation&, std::span<SignedPoint> out) const override;
  FieldMatrix dense(const Permutation& g) const final;
  std::string label(std::uint64_t i) const override;

 protected:
  /// rho(g) for any g.
  virtual FieldMatrix matrix(const Permutation& g) const = 0;

  /// The images of the generators; those that are there are not computed again.
  std::vector<FieldMatrix> images_;
};

/// V as text over its group written as plain generators, which knows neither factors of direct products nor
/// coordinates nor the axes of pictures: representations that may use them are given by their images.
std::string text_over_generators(const Representation& V, TextForm form);
/// "<(1,2,3),(1,2)>".
std::string generators_text(const FiniteGroup& G);
/// "rep([[[0,-1],[1,-1/2]]])", the matrices of the generators as lists of rows.
std::string matrices_text(const std::vector<FieldMatrix>& images);

/// The axes of a tensor product: those of all factors, one after the other.
std::vector<std::uint64_t> axes_of_product(const std::vector<Representation>& factors);
/// The children act monomially, all of them.
bool all_monomial(const std::vector<Representation>& children);
/// (rho_1(g_1) (x) ... (x) rho_k(g_k)) X, or with all matrices transposed; the product of the dimensions is the
/// number of rows of X. elements[i] goes with factors[i]. Each factor costs one application of it to all columns
/// and one transposition.
FieldMatrix apply_factors(const std::vector<Representation>& factors, const std::vector<Permutation>& elements,
                          FieldMatrix X, bool transposed);
/// The smallest field that contains those of all parts.
AbelianField common_field(const std::vector<Representation>& parts);
/// \throws DomainError naming the operation, the representation and its field, unless that is Q.
void require_rational(const Representation& V, const char* operation);

/// Writes rho(g) (x) sigma(g) over rho(g), which is stored in the first `size` entries of `out`.
void tensor_in_place(std::span<SignedPoint> out, std::size_t size, std::span<const SignedPoint> factor);

/// C(n, k) as a 64-bit number. \throws LimitError
std::uint64_t checked_binomial(std::uint64_t n, std::uint64_t k, const std::string& operation);
/// n^k as a 64-bit number. \throws LimitError
std::uint64_t checked_power(std::uint64_t n, std::uint64_t k, const std::string& operation);

/// \throws LimitError when basis vectors cannot be numbered by SignedPoint.
void require_indexable(std::uint64_t dimension, const std::string& what);

}  // namespace intertwine
