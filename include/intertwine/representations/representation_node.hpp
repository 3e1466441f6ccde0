// The expression nodes behind Representation, for those who add a kind of representation. They are immutable and
// share their children.
//
// A node answers questions about itself and asks its children only for their dimension, character, image and action
// on vectors. The image of a monomial node is a signed permutation, written by write_image; its action on vectors
// follows, in one step for composites as well. Leaves that act by general matrices, and composites with such a leaf,
// have apply_to or dense only. No composite builds the matrix of a child to act on vectors: sums act on blocks,
// tensor products factor by factor. (Sym^k and Lambda^k need the matrix of what they are powers of, and matrices of
// tensor products are Kronecker products.) A matrix over Q acts on all coefficients of a matrix over a larger field
// at once.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

class BlockAction;  // block_action.hpp

/// How tightly the text of a node binds, weakest first.
enum class Binding { sum, external, product, power, atom };

/// A kind of representation. Whoever adds one derives from this class, and gives
/// Representation(std::make_shared<Kind>(...)): gl/ does so for Schur functors.
class RepresentationNode : public std::enable_shared_from_this<RepresentationNode> {
 public:
  /// Deeper expressions are refused, so that recursion over them is safe.
  static constexpr unsigned max_depth = 1000;

  /// \throws LimitError if depth exceeds max_depth.
  RepresentationNode(FiniteGroup G, std::uint64_t dimension, unsigned depth = 1, AbelianField field = {});
  virtual ~RepresentationNode() = default;
  RepresentationNode(const RepresentationNode&) = delete;
  RepresentationNode& operator=(const RepresentationNode&) = delete;

  const FiniteGroup& group() const { return group_; }
  std::uint64_t dimension() const { return dimension_; }
  unsigned depth() const { return depth_; }
  const AbelianField& field() const { return field_; }

  /// The answer is exact, see Representation::is_permutation.
  virtual bool is_permutation() const = 0;
  /// Does write_image exist? A node of dimension 0 is monomial.
  virtual bool is_monomial() const { return true; }
  /// Was it proved, when this was made, that the images of the generators are those of a homomorphism?
  virtual bool is_proved() const { return false; }
  /// The trace at g, which has the right degree.
  virtual Cyclotomic character(const Permutation& g) const = 0;
  /// out[i] = rho(g) e_i; out.size() = dimension() <= 2^31 - 1, g has the right degree, is_monomial().
  virtual void write_image(const Permutation& g, std::span<SignedPoint> out) const = 0;
  /// rho(g) X, or rho(g)^T X for duals, where X has dimension() rows and g the right degree.
  FieldMatrix apply(const Permutation& g, const FieldMatrix& X, bool transposed) const;
  /// rho(g), dimension() <= 2^16. By default apply on the identity, some columns at a time.
  virtual FieldMatrix dense(const Permutation& g) const;
  virtual std::string text(TextForm form) const = 0;
  virtual Binding binding() const { return Binding::atom; }
  /// i < dimension().
  virtual std::string label(std::uint64_t i) const = 0;
  /// The terms if this is a sum or a multiple; otherwise this node once.
  virtual void append_summands(std::uint64_t multiplicity, std::vector<Representation::Summand>& out) const;
  /// The summands one by one, copies repeated, with the places where their bases start if this one's starts at
  /// `offset`.
  struct PlacedSummand {
    std::uint64_t offset;
    Representation representation;
  };
  virtual void append_places(std::uint64_t offset, std::vector<PlacedSummand>& out) const;
  /// The lengths of the axes of the array that the basis is laid out on, row-major: see basis_layout.
  virtual std::vector<std::uint64_t> axes() const { return {dimension_}; }
  /// The factors if this is a tensor product or power; otherwise this node once.
  virtual std::vector<Representation> tensor_factors() const;
  /// The basis in blocks, if the group permutes some that are no single vectors; over Q only.
  virtual std::shared_ptr<const BlockAction> blocks() const { return nullptr; }

 protected:
  /// Applies g where is_monomial() does not hold; X is over Q if field() is. By default by dense(g).
  virtual FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const;
  /// No sign occurs in the images of the generators: the slow, exact answer to is_permutation().
  /// False without looking when the dimension is above 2^24 or the node is not monomial.
  bool generator_images_are_unsigned() const;

 private:
  FiniteGroup group_;
  std::uint64_t dimension_;
  unsigned depth_;
  AbelianField field_;
};

/// The text of a child, in parentheses when it binds weaker than `context`.
std::string text_within(const Representation& V, Binding context, TextForm form);
/// "rep([[2,-1],[1,2]])", the images of the generators as 1-based lists with signs.
std::string images_text(const std::vector<SignedPermutation>& images, std::uint64_t dimension);

/// The refusal of write_image by nodes that act by general matrices.
[[noreturn]] void refuse_image(const RepresentationNode& node);
/// The dimension as a 64-bit number. \throws LimitError naming the operation and the number.
std::uint64_t checked_dimension(const Integer& dimension, const std::string& operation);

}  // namespace intertwine
