// Direct sums, multiples, tensor products and powers, restriction, external products, inflation, duals.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <type_traits>

#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/block_action.hpp"
#include "node.hpp"

namespace intertwine {

namespace {

void require_same_group(const Representation& V, const Representation& W, const char* operation) {
  if (!(V.group() == W.group()))
    throw DomainError(
        fmt::format("{}: the representations belong to different groups, {} (degree {}) and {} (degree {})", operation,
                    V.group().name(), V.group().degree(), W.group().name(), W.group().degree()));
}

unsigned depth_above(const std::vector<Representation>& children) {
  unsigned depth = 0;
  for (const Representation& V : children) depth = std::max(depth, V.node().depth());
  return depth + 1;
}

std::uint64_t sum_of_dimensions(const std::vector<Representation>& terms) {
  Integer sum = 0;
  for (const Representation& V : terms) sum += V.dimension();
  return checked_dimension(sum, "direct sum");
}

std::uint64_t product_of_dimensions(const std::vector<Representation>& factors, const std::string& operation) {
  Integer product = 1;
  for (const Representation& V : factors) product *= V.dimension();
  return checked_dimension(product, operation);
}

std::string joined_texts(const std::vector<Representation>& parts, const char* separator, Binding first, Binding rest,
                         TextForm form) {
  std::string text;
  for (std::size_t k = 0; k < parts.size(); ++k)
    text += (k == 0 ? "" : separator) + text_within(parts[k], k == 0 ? first : rest, form);
  return text;
}

/// "(a,b,c)" for the basis vector i of a tensor product.
std::string tensor_label(const std::vector<Representation>& factors, std::uint64_t i) {
  std::string text;
  for (std::size_t k = factors.size(); k-- > 0;) {
    text = factors[k].basis_label(i % factors[k].dimension()) + (text.empty() ? "" : ",") + text;
    i /= factors[k].dimension();
  }
  return "(" + text + ")";
}

class Sum final : public RepresentationNode {
 public:
  explicit Sum(std::vector<Representation> terms)
      : RepresentationNode(terms.at(0).group(), sum_of_dimensions(terms), depth_above(terms), common_field(terms)),
        terms_(std::move(terms)) {}

  const std::vector<Representation>& terms() const { return terms_; }
  bool is_permutation() const override {
    return std::all_of(terms_.begin(), terms_.end(), [](const Representation& V) { return V.is_permutation(); });
  }
  bool is_monomial() const override { return all_monomial(terms_); }
  Cyclotomic character(const Permutation& g) const override {
    Cyclotomic sum;
    for (const Representation& V : terms_) sum += V.node().character(g);
    return sum;
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    std::size_t start = 0;
    for (const Representation& V : terms_) {
      const std::span<SignedPoint> part = out.subspan(start, V.dimension());
      V.node().write_image(g, part);
      if (start != 0)
        for (SignedPoint& x : part) x = SignedPoint::from_code(x.code() + 2 * static_cast<std::uint32_t>(start));
      start += part.size();
    }
  }
  std::string text(TextForm form) const override {
    return joined_texts(terms_, " + ", Binding::external, Binding::external, form);
  }
  Binding binding() const override { return Binding::sum; }
  std::string label(std::uint64_t i) const override {
    std::size_t k = 0;
    for (; i >= terms_[k].dimension(); ++k) i -= terms_[k].dimension();
    return fmt::format("{}:{}", k + 1, terms_[k].basis_label(i));
  }
  void append_summands(std::uint64_t multiplicity, std::vector<Representation::Summand>& out) const override {
    for (const Representation& V : terms_) V.node().append_summands(multiplicity, out);
  }
  void append_places(std::uint64_t offset, std::vector<PlacedSummand>& out) const override {
    for (const Representation& V : terms_) {
      V.node().append_places(offset, out);
      offset += V.dimension();
    }
  }

  FieldMatrix dense(const Permutation& g) const override {
    std::vector<FieldMatrix> parts;
    for (const Representation& V : terms_) parts.push_back(V.node().dense(g));
    return intertwine::direct_sum(parts);
  }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    std::vector<FieldMatrix> parts;
    std::size_t start = 0;
    for (const Representation& V : terms_) {
      if (V.dimension() != 0)
        parts.push_back(V.node().apply(g, X.block(start, 0, V.dimension(), X.cols()), transposed));
      start += V.dimension();
    }
    return vertical_stack(parts);
  }
  std::vector<Representation> terms_;
};

class Multiple final : public RepresentationNode {
 public:
  Multiple(std::uint64_t k, Representation V)
      : RepresentationNode(V.group(), checked_dimension(Integer(k) * V.dimension(), "multiple"), V.node().depth() + 1,
                           V.field()),
        k_(k),
        V_(std::move(V)) {}

  std::uint64_t multiplicity() const { return k_; }
  const Representation& part() const { return V_; }
  bool is_permutation() const override { return k_ == 0 || V_.is_permutation(); }
  bool is_monomial() const override { return k_ == 0 || V_.is_monomial(); }
  Cyclotomic character(const Permutation& g) const override { return Cyclotomic(Integer(k_)) * V_.node().character(g); }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    const std::size_t n = V_.dimension();
    if (out.empty()) return;
    V_.node().write_image(g, out.first(n));
    for (std::size_t i = n; i < out.size(); ++i)
      out[i] = SignedPoint::from_code(out[i - n].code() + 2 * static_cast<std::uint32_t>(n));
  }
  std::string text(TextForm form) const override {
    return fmt::format("{}*{}", k_, text_within(V_, Binding::product, form));
  }
  Binding binding() const override { return Binding::external; }
  std::string label(std::uint64_t i) const override {
    return fmt::format("{}:{}", i / V_.dimension() + 1, V_.basis_label(i % V_.dimension()));
  }
  void append_summands(std::uint64_t multiplicity, std::vector<Representation::Summand>& out) const override {
    V_.node().append_summands(checked_dimension(Integer(multiplicity) * k_, "summands"), out);
  }
  void append_places(std::uint64_t offset, std::vector<PlacedSummand>& out) const override {
    for (std::uint64_t k = 0; k < k_; ++k) V_.node().append_places(offset + k * V_.dimension(), out);
  }

  FieldMatrix dense(const Permutation& g) const override {
    return intertwine::direct_sum(std::vector<FieldMatrix>(k_, V_.node().dense(g)));
  }

 private:
  /// Entries indexed by (copy, i, column) become (i, column, copy), so that V acts on all copies at once.
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    const std::size_t n = V_.dimension(), cols = X.cols();
    const FieldMatrix turned = X.reshape(k_, n * cols).transpose().reshape(n, cols * k_);
    return V_.node().apply(g, turned, transposed).reshape(n * cols, k_).transpose().reshape(k_ * n, cols);
  }
  std::uint64_t k_;
  Representation V_;
};

class Tensor final : public RepresentationNode {
 public:
  explicit Tensor(std::vector<Representation> factors)
      : RepresentationNode(factors.at(0).group(), product_of_dimensions(factors, "tensor product"),
                           depth_above(factors), common_field(factors)),
        factors_(std::move(factors)) {}

  const std::vector<Representation>& factors() const { return factors_; }
  std::vector<Representation> tensor_factors() const override {
    std::vector<Representation> factors;
    for (const Representation& V : factors_)
      for (Representation& F : V.node().tensor_factors()) factors.push_back(std::move(F));
    return factors;
  }
  std::vector<std::uint64_t> axes() const override { return axes_of_product(factors_); }
  bool is_permutation() const override {
    return std::all_of(factors_.begin(), factors_.end(), [](const Representation& V) { return V.is_permutation(); }) ||
           generator_images_are_unsigned();
  }
  bool is_monomial() const override { return dimension() == 0 || all_monomial(factors_); }
  Cyclotomic character(const Permutation& g) const override {
    Cyclotomic product = 1;
    for (const Representation& V : factors_) product *= V.node().character(g);
    return product;
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    if (out.empty()) return;
    std::size_t size = factors_[0].dimension();
    factors_[0].node().write_image(g, out.first(size));
    std::vector<SignedPoint> factor;
    for (std::size_t k = 1; k < factors_.size(); ++k) {
      factor.resize(factors_[k].dimension());
      factors_[k].node().write_image(g, factor);
      tensor_in_place(out, size, factor);
      size *= factor.size();
    }
  }
  FieldMatrix dense(const Permutation& g) const override {
    FieldMatrix product = factors_[0].node().dense(g);
    for (std::size_t k = 1; k < factors_.size(); ++k) product = kronecker_product(product, factors_[k].node().dense(g));
    return product;
  }
  std::string text(TextForm form) const override {
    return joined_texts(factors_, "*", Binding::power, Binding::power, form);
  }
  Binding binding() const override { return Binding::product; }
  std::string label(std::uint64_t i) const override { return tensor_label(factors_, i); }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return apply_factors(factors_, std::vector<Permutation>(factors_.size(), g), X, transposed);
  }
  std::vector<Representation> factors_;
};

class TensorPower final : public RepresentationNode {
 public:
  TensorPower(Representation V, unsigned k)
      : RepresentationNode(V.group(), checked_power(V.dimension(), k, "tensor_power"), V.node().depth() + 1, V.field()),
        V_(std::move(V)),
        k_(k) {}

  std::vector<Representation> tensor_factors() const override {
    std::vector<Representation> factors;
    for (unsigned k = 0; k < k_; ++k)
      for (Representation& F : V_.node().tensor_factors()) factors.push_back(std::move(F));
    return factors;
  }
  std::vector<std::uint64_t> axes() const override {
    if (dimension() <= 1) return {dimension()};  // k may be anything
    return axes_of_product(std::vector<Representation>(k_, V_));
  }
  bool is_permutation() const override { return V_.is_permutation() || generator_images_are_unsigned(); }
  bool is_monomial() const override { return dimension() == 0 || V_.is_monomial(); }
  Cyclotomic character(const Permutation& g) const override {
    const Cyclotomic chi = V_.node().character(g);
    if (chi.is_integer()) return Integer(pow(chi.to_integer(), k_));
    return chi.power(k_);
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    const std::size_t n = V_.dimension();
    if (n == 0) return;
    std::vector<SignedPoint> factor(n);
    V_.node().write_image(g, factor);
    if (n == 1) {
      out[0] = SignedPoint(0, factor[0].negative() && k_ % 2 == 1);
      return;
    }
    std::copy(factor.begin(), factor.end(), out.begin());
    for (std::size_t size = n; size < out.size(); size *= n) tensor_in_place(out, size, factor);
  }
  FieldMatrix dense(const Permutation& g) const override {
    if (V_.dimension() <= 1) return RepresentationNode::dense(g);  // k may be anything
    const FieldMatrix A = V_.node().dense(g);
    FieldMatrix power = A;
    for (unsigned k = 1; k < k_; ++k) power = kronecker_product(A, power);
    return power;
  }
  std::string text(TextForm form) const override {
    return fmt::format("{}^{}", text_within(V_, Binding::atom, form), k_);
  }
  Binding binding() const override { return Binding::power; }
  std::string label(std::uint64_t i) const override {
    // A power of a line has one basis vector, and k may be anything.
    if (V_.dimension() == 1) return V_.basis_label(0);
    return tensor_label(std::vector<Representation>(k_, V_), i);
  }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    if (V_.dimension() == 1 && !field().is_rational()) return V_.field_matrix(g)(0, 0).power(k_) * X;
    // A power of a line has one basis vector and acts by a sign; k may be anything.
    const unsigned k = V_.dimension() == 1 ? (k_ % 2 == 0 ? 2 : 1) : k_;
    return apply_factors(std::vector<Representation>(k, V_), std::vector<Permutation>(k, g), X, transposed);
  }
  Representation V_;
  unsigned k_;
};

class Restriction final : public RepresentationNode {
 public:
  Restriction(Representation V, const FiniteGroup& H)
      : RepresentationNode(H, V.dimension(), V.node().depth() + 1, V.field()), V_(std::move(V)) {}

  bool is_permutation() const override { return V_.is_permutation() || generator_images_are_unsigned(); }
  bool is_monomial() const override { return V_.is_monomial(); }
  FieldMatrix dense(const Permutation& g) const override { return V_.node().dense(g); }
  Cyclotomic character(const Permutation& g) const override { return V_.node().character(g); }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override { V_.node().write_image(g, out); }
  std::vector<std::uint64_t> axes() const override { return V_.node().axes(); }
  std::string text(TextForm form) const override {
    return fmt::format("restricted({}, {})", generators_text(V_.group()), text_over_generators(V_, form));
  }
  std::string label(std::uint64_t i) const override { return V_.basis_label(i); }
  std::shared_ptr<const BlockAction> blocks() const override { return V_.node().blocks(); }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return V_.node().apply(g, X, transposed);
  }
  Representation V_;
};

/// The part of g on the points of a direct factor.
Permutation projection(const Permutation& g, const FiniteGroup::Factor& factor) {
  const auto first = static_cast<Point>(factor.offset);
  std::vector<Point> images(factor.group.degree());
  for (Point i = 0; i < images.size(); ++i) {
    const Point y = g(first + i);
    if (y < first || y - first >= images.size())
      throw DomainError(
          fmt::format("image: the element moves a point of the factor {} out of it, so that it is no "
                      "element of the direct product",
                      factor.group.name()));
    images[i] = y - first;
  }
  return Permutation::unchecked(std::move(images));
}

class ExternalProduct final : public RepresentationNode {
 public:
  ExternalProduct(std::vector<Representation> V, const FiniteGroup& G)
      : RepresentationNode(G, product_of_dimensions(V, "external_product"), depth_above(V), common_field(V)),
        V_(std::move(V)) {}

  std::vector<std::uint64_t> axes() const override { return axes_of_product(V_); }
  bool is_permutation() const override {
    return std::all_of(V_.begin(), V_.end(), [](const Representation& W) { return W.is_permutation(); }) ||
           generator_images_are_unsigned();
  }
  bool is_monomial() const override { return dimension() == 0 || all_monomial(V_); }
  Cyclotomic character(const Permutation& g) const override {
    Cyclotomic product = 1;
    for (std::size_t k = 0; k < V_.size(); ++k)
      product *= V_[k].node().character(projection(g, group().direct_factors()[k]));
    return product;
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    if (out.empty()) return;
    out[0] = SignedPoint(0);
    std::size_t size = 1;
    std::vector<SignedPoint> factor;
    for (std::size_t k = 0; k < V_.size(); ++k) {
      factor.resize(V_[k].dimension());
      V_[k].node().write_image(projection(g, group().direct_factors()[k]), factor);
      tensor_in_place(out, size, factor);
      size *= factor.size();
    }
  }
  std::string text(TextForm form) const override {
    // Two products in a row need brackets: without them the text would name one product of more factors.
    std::string text;
    for (const Representation& V : V_) text += (text.empty() ? "" : " # ") + text_within(V, Binding::product, form);
    return text;
  }
  Binding binding() const override { return V_.size() == 1 ? V_[0].node().binding() : Binding::external; }
  std::string label(std::uint64_t i) const override { return tensor_label(V_, i); }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return apply_factors(V_, projections(g), X, transposed);
  }
  std::vector<Permutation> projections(const Permutation& g) const {
    std::vector<Permutation> parts;
    for (const FiniteGroup::Factor& factor : group().direct_factors()) parts.push_back(projection(g, factor));
    return parts;
  }
  std::vector<Representation> V_;
};

class Inflation final : public RepresentationNode {
 public:
  Inflation(Representation V, const FiniteGroup& G, std::size_t k)
      : RepresentationNode(G, V.dimension(), V.node().depth() + 1, V.field()), V_(std::move(V)), k_(k) {}

  std::vector<std::uint64_t> axes() const override { return V_.node().axes(); }
  bool is_permutation() const override { return V_.is_permutation(); }
  bool is_monomial() const override { return V_.is_monomial(); }
  FieldMatrix dense(const Permutation& g) const override { return V_.node().dense(part(g)); }
  Cyclotomic character(const Permutation& g) const override { return V_.node().character(part(g)); }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    V_.node().write_image(part(g), out);
  }
  std::string text(TextForm form) const override {
    // The external product with trivial representations has these matrices.
    std::string text;
    for (std::size_t j = 0; j < group().direct_factors().size(); ++j)
      text += (j == 0 ? "" : " # ") + (j == k_ ? text_within(V_, Binding::product, form) : std::string("trivial"));
    return text;
  }
  Binding binding() const override {
    return group().direct_factors().size() == 1 ? V_.node().binding() : Binding::external;
  }
  std::string label(std::uint64_t i) const override { return V_.basis_label(i); }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return V_.node().apply(part(g), X, transposed);
  }
  Permutation part(const Permutation& g) const { return projection(g, group().direct_factors()[k_]); }
  Representation V_;
  std::size_t k_;
};

/// The blocks of an action under inverse transposed matrices.
class DualBlocks final : public BlockAction {
 public:
  explicit DualBlocks(std::shared_ptr<const BlockAction> blocks) : blocks_(std::move(blocks)) {}
  std::uint64_t size() const override { return blocks_->size(); }
  std::vector<std::uint64_t> places(std::uint64_t block) const override { return blocks_->places(block); }
  std::function<Move(std::uint64_t)> at(const Permutation& g) const override {
    return [there = blocks_->at(g), back = blocks_->at(g.inverse())](std::uint64_t block) {
      const std::uint64_t image = there(block).block;
      return Move{image, back(image).matrix.transpose()};
    };
  }

 private:
  std::shared_ptr<const BlockAction> blocks_;
};

/// The dual of a representation that acts by general matrices.
class Dual final : public RepresentationNode {
 public:
  explicit Dual(Representation V)
      : RepresentationNode(V.group(), V.dimension(), V.node().depth() + 1, V.field()), V_(std::move(V)) {}

  const Representation& part() const { return V_; }
  bool is_permutation() const override { return false; }
  bool is_monomial() const override { return false; }
  /// chi(g^{-1}) is the complex conjugate of chi(g).
  Cyclotomic character(const Permutation& g) const override { return V_.node().character(g).conjugate(); }
  void write_image(const Permutation&, std::span<SignedPoint>) const override { refuse_image(*this); }
  FieldMatrix dense(const Permutation& g) const override { return V_.node().dense(g.inverse()).transpose(); }
  std::string text(TextForm form) const override { return fmt::format("dual({})", V_.to_string(form)); }
  std::string label(std::uint64_t i) const override { return V_.basis_label(i) + "'"; }
  std::shared_ptr<const BlockAction> blocks() const override {
    auto blocks = V_.node().blocks();
    return blocks ? std::make_shared<DualBlocks>(std::move(blocks)) : nullptr;
  }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return V_.node().apply(g.inverse(), X, !transposed);
  }
  Representation V_;
};

/// Parts of one group with nested nodes of the kind Node opened.
template <class Node, class Parts>
std::vector<Representation> flattened(const std::vector<Representation>& list, const char* operation, Parts parts) {
  if (list.empty()) throw DomainError(fmt::format("{}: the list is empty", operation));
  std::vector<Representation> flat;
  for (const Representation& V : list) {
    require_same_group(list[0], V, operation);
    if (const auto* node = dynamic_cast<const Node*>(&V.node())) {
      const std::vector<Representation>& inner = parts(*node);
      flat.insert(flat.end(), inner.begin(), inner.end());
    } else {
      flat.push_back(V);
    }
  }
  return flat;
}

}  // namespace

Representation direct_sum(const std::vector<Representation>& terms) {
  if (terms.size() == 1) return terms[0];
  return Representation(std::make_shared<Sum>(flattened<Sum>(
      terms, "direct sum", [](const Sum& s) -> auto& { return s.terms(); })));
}

Representation tensor_product(const std::vector<Representation>& factors) {
  if (factors.size() == 1) return factors[0];
  return Representation(std::make_shared<Tensor>(flattened<Tensor>(
      factors, "tensor product", [](const Tensor& t) -> auto& { return t.factors(); })));
}

Representation operator+(const Representation& V, const Representation& W) { return direct_sum({V, W}); }

Representation operator*(const Representation& V, const Representation& W) { return tensor_product({V, W}); }

Representation operator*(std::uint64_t k, const Representation& V) {
  if (k == 1) return V;
  if (const auto* multiple = dynamic_cast<const Multiple*>(&V.node())) {
    const Integer product = Integer(k) * multiple->multiplicity();
    return Representation(std::make_shared<Multiple>(checked_dimension(product, "multiple"), multiple->part()));
  }
  return Representation(std::make_shared<Multiple>(k, V));
}

Representation tensor_power(const Representation& V, unsigned k) {
  if (k == 0) return trivial_representation(V.group());
  if (k == 1) return V;
  return Representation(std::make_shared<TensorPower>(V, k));
}

Representation dual(const Representation& V) {
  // rho*(g) = (rho(g)^{-1})^T = rho(g) for orthogonal matrices, and signed permutation matrices are orthogonal.
  if (V.is_monomial()) return V;
  if (const auto* node = dynamic_cast<const Dual*>(&V.node())) return node->part();
  return Representation(std::make_shared<Dual>(V));
}

namespace {

/// A sum stays a sum, and a multiple a multiple: what is equivariant between them is found once for all copies.
Representation restricted(const Representation& V, const FiniteGroup& H) {
  if (const auto* multiple = dynamic_cast<const Multiple*>(&V.node()))
    return multiple->multiplicity() * restricted(multiple->part(), H);
  if (const auto* sum = dynamic_cast<const Sum*>(&V.node())) {
    std::vector<Representation> terms;
    for (const Representation& term : sum->terms()) terms.push_back(restricted(term, H));
    return direct_sum(terms);
  }
  return Representation(std::make_shared<Restriction>(V, H));
}

}  // namespace

Representation restriction(const Representation& V, const FiniteGroup& H) {
  const FiniteGroup& G = V.group();
  if (H.degree() != G.degree())
    throw DomainError(
        fmt::format("restriction: the groups permute different numbers of points, {} and {}", H.degree(), G.degree()));
  for (std::size_t k = 0; k < H.generators().size(); ++k)
    if (!G.contains(H.generators()[k]))
      throw DomainError(fmt::format("restriction: {} is no subgroup of {}: its generator {}, number {}, is no element",
                                    H.name(), G.name(), H.generators()[k].to_string(), k + 1));
  return restricted(V, H);
}

Representation external_product(const std::vector<Representation>& V, const FiniteGroup& G) {
  const auto factors = G.direct_factors();
  if (factors.empty())
    throw DomainError(fmt::format("external_product: {} is not given as a direct product", G.name()));
  if (factors.size() != V.size())
    throw DomainError(fmt::format("external_product: {} has {} factors, but {} representations are given", G.name(),
                                  factors.size(), V.size()));
  for (std::size_t k = 0; k < V.size(); ++k)
    if (!(V[k].group() == factors[k].group))
      throw DomainError(fmt::format("external_product: representation {} belongs to {}, but factor {} of {} is {}",
                                    k + 1, V[k].group().name(), k + 1, G.name(), factors[k].group.name()));
  return Representation(std::make_shared<ExternalProduct>(V, G));
}

Representation inflation(const Representation& V, const FiniteGroup& G, std::size_t k) {
  const auto factors = G.direct_factors();
  if (k >= factors.size())
    throw DomainError(fmt::format("inflation: {} has {} direct factors; there is no factor number {} (0-based)",
                                  G.name(), factors.size(), k));
  if (!(V.group() == factors[k].group))
    throw DomainError(fmt::format("inflation: the representation belongs to {}, but factor {} (0-based) of {} is {}",
                                  V.group().name(), k, G.name(), factors[k].group.name()));
  return Representation(std::make_shared<Inflation>(V, G, k));
}

}  // namespace intertwine
