// Representations of finite groups as expressions.
#include "intertwine/representations/representation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "intertwine/error.hpp"
#include "node.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t largest_dimension = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t largest_dense_dimension = 1U << 16;  // squared: 2^32

/// A text for messages.
std::string shortened(std::string text) {
  constexpr std::size_t longest = 80;
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

void require_degree(const FiniteGroup& G, const Permutation& g, const char* where) {
  if (g.degree() != G.degree())
    throw DomainError(fmt::format("{}: the element permutes {} points, but the group {} permutes {}", where, g.degree(),
                                  G.name(), G.degree()));
}

void require_rows(const Representation& V, std::size_t rows) {
  if (rows != V.dimension())
    throw DomainError(fmt::format("apply: the matrix has {} rows, but {} has dimension {}", rows,
                                  shortened(V.to_string()), V.dimension()));
}

void require_dense(const Representation& V) {
  if (V.dimension() > largest_dense_dimension)
    throw LimitError(
        fmt::format("matrix: the {0} x {0} matrix of {1} has more than 2^32 entries; apply(g, X) needs no dense matrix",
                    V.dimension(), shortened(V.to_string())));
}

/// The rows of X with these numbers; number rows() + i means row i negated.
FieldMatrix signed_rows(const FieldMatrix& X, const std::vector<std::size_t>& rows, bool any_negative) {
  if (!any_negative) return X.select_rows(rows);
  const FieldMatrix both[] = {X, Cyclotomic(-1) * X};
  return vertical_stack(both).select_rows(rows);
}

}  // namespace

RepresentationNode::RepresentationNode(FiniteGroup G, std::uint64_t dimension, unsigned depth, AbelianField field)
    : group_(std::move(G)), dimension_(dimension), depth_(depth), field_(std::move(field)) {
  if (depth > max_depth)
    throw LimitError(fmt::format("a representation is nested more than {} levels deep; write it flatter", max_depth));
}

void RepresentationNode::append_summands(std::uint64_t multiplicity, std::vector<Representation::Summand>& out) const {
  out.push_back({multiplicity, Representation(shared_from_this())});
}

void RepresentationNode::append_places(std::uint64_t offset, std::vector<PlacedSummand>& out) const {
  out.push_back({offset, Representation(shared_from_this())});
}

std::vector<Representation> RepresentationNode::tensor_factors() const { return {Representation(shared_from_this())}; }

bool RepresentationNode::generator_images_are_unsigned() const {
  constexpr std::uint64_t worth_looking = 1U << 24;
  if (dimension_ > worth_looking || !is_monomial()) return false;
  std::vector<SignedPoint> image(dimension_);
  for (const Permutation& g : group_.generators()) {
    write_image(g, image);
    for (const SignedPoint x : image)
      if (x.negative()) return false;
  }
  return true;
}

FieldMatrix RepresentationNode::apply(const Permutation& g, const FieldMatrix& X, bool transposed) const {
  if (is_monomial()) {
    require_indexable(dimension_, "apply");
    std::vector<SignedPoint> image(dimension_);
    write_image(g, image);
    // Row image(i) of the result is row i of X, or of -X below it; transposed, the other way round.
    bool any_negative = false;
    std::vector<std::size_t> source(dimension_);
    for (std::size_t i = 0; i < image.size(); ++i) {
      const std::size_t j = image[i].point(), below = image[i].negative() ? image.size() : 0;
      any_negative = any_negative || below != 0;
      source[transposed ? i : j] = (transposed ? j : i) + below;
    }
    return signed_rows(X, source, any_negative);
  }
  if (!field_.is_rational() || X.field().is_rational()) return apply_to(g, X, transposed);
  return {X.field(), apply_to(g, X.coefficients(), transposed).coefficients(), X.cols()};
}

FieldMatrix RepresentationNode::apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const {
  const FieldMatrix A = dense(g);
  return (transposed ? A.transpose() : A) * X;
}

FieldMatrix RepresentationNode::dense(const Permutation& g) const {
  const std::uint64_t n = dimension_;
  // Some columns of the identity at a time: intermediate results are several times as large as what is acted on.
  constexpr std::uint64_t entries_at_once = 1U << 22;
  const std::uint64_t width = std::max<std::uint64_t>(16, entries_at_once / std::max<std::uint64_t>(n, 1));
  std::vector<FieldMatrix> parts;
  for (std::uint64_t first = 0; first < n; first += width) {
    IntegerMatrix units(n, std::min(width, n - first));
    for (std::uint64_t j = 0; j < units.cols(); ++j) units.set(first + j, j, 1L);
    parts.push_back(apply(g, FieldMatrix(RationalMatrix(std::move(units))).over(field_), false));
  }
  if (parts.empty()) return {field_, 0, 0};
  return parts.size() == 1 ? std::move(parts[0]) : horizontal_stack(parts);
}

Representation::Representation(std::shared_ptr<const RepresentationNode> node) : node_(std::move(node)) {
  if (!node_) throw DomainError("Representation: there is no node");
}

const FiniteGroup& Representation::group() const { return node_->group(); }
std::uint64_t Representation::dimension() const { return node_->dimension(); }
const AbelianField& Representation::field() const { return node_->field(); }
bool Representation::is_permutation() const { return node_->is_permutation(); }
bool Representation::is_monomial() const { return node_->is_monomial(); }
std::string Representation::to_string(TextForm form) const { return node_->text(form); }
bool operator==(const Representation& V, const Representation& U) {
  return V.node_ == U.node_ ||
         (V.dimension() == U.dimension() && V.group() == U.group() && V.to_string() == U.to_string());
}

Cyclotomic Representation::character(const Permutation& g) const {
  require_degree(group(), g, "character");
  return node_->character(g);
}

SignedPermutation Representation::image(const Permutation& g) const {
  require_degree(group(), g, "image");
  if (!is_monomial()) refuse_image(*node_);
  require_indexable(dimension(), "image");
  std::vector<SignedPoint> images(dimension());
  node_->write_image(g, images);
  return SignedPermutation::unchecked(std::move(images));
}

std::vector<SignedPermutation> Representation::generator_images() const {
  std::vector<SignedPermutation> images;
  for (const Permutation& g : group().generators()) images.push_back(image(g));
  return images;
}

RationalMatrix Representation::apply(const Permutation& g, const RationalMatrix& X) const {
  require_rational(*this, "apply");
  require_degree(group(), g, "apply");
  require_rows(*this, X.rows());
  return X.rows() == 0 || X.cols() == 0 ? X : node_->apply(g, X, false).coefficients();
}

FieldMatrix Representation::apply(const Permutation& g, const FieldMatrix& X) const {
  require_degree(group(), g, "apply");
  require_rows(*this, X.rows());
  if (X.rows() == 0 || X.cols() == 0) return X;
  return node_->apply(g, X.over(AbelianField::compositum(X.field(), field())), false);
}

RationalMatrix Representation::matrix(const Permutation& g) const {
  require_rational(*this, "matrix");
  require_degree(group(), g, "matrix");
  require_dense(*this);
  return node_->dense(g).to_rational();
}

FieldMatrix Representation::field_matrix(const Permutation& g) const {
  require_degree(group(), g, "matrix");
  require_dense(*this);
  return node_->dense(g).over(field());
}

std::vector<RationalMatrix> Representation::generator_matrices() const {
  std::vector<RationalMatrix> matrices;
  for (const Permutation& g : group().generators()) matrices.push_back(matrix(g));
  return matrices;
}

std::string Representation::basis_label(std::uint64_t i) const {
  if (i >= dimension())
    throw DomainError(
        fmt::format("basis_label: there is no basis vector {} (0-based) in dimension {}", i, dimension()));
  return node_->label(i);
}

std::vector<Representation::Summand> Representation::summands() const {
  std::vector<Summand> result;
  node_->append_summands(1, result);
  return result;
}

std::string text_within(const Representation& V, Binding context, TextForm form) {
  std::string text = V.to_string(form);
  return V.node().binding() < context ? "(" + text + ")" : text;
}

std::string generators_text(const FiniteGroup& G) {
  std::string text;
  for (const Permutation& g : G.generators()) text += (text.empty() ? "<" : ",") + g.to_string();
  return text.empty() ? "<>" : text + ">";
}

namespace {

std::vector<FieldMatrix> generator_field_matrices(const Representation& V) {
  std::vector<FieldMatrix> matrices;
  for (const Permutation& g : V.group().generators()) matrices.push_back(V.field_matrix(g));
  return matrices;
}

}  // namespace

std::string text_over_generators(const Representation& V, TextForm form) {
  const std::string text = V.to_string(form);
  const bool reads_structure =
      text.find("coordinates") != std::string::npos || text.find("kernel") != std::string::npos;
  if (V.group().direct_factors().empty() && !reads_structure) return text;
  if (V.is_monomial()) return images_text(V.generator_images(), V.dimension());
  return V.group().generators().empty() ? fmt::format("{}*trivial", V.dimension())
                                        : matrices_text(generator_field_matrices(V));
}

std::string images_text(const std::vector<SignedPermutation>& images, std::uint64_t dimension) {
  std::string text = "rep([";
  for (const SignedPermutation& g : images) {
    text += text.back() == '[' ? "[" : ",[";
    for (Point i = 0; i < g.degree(); ++i)
      text += fmt::format("{}{}{}", i == 0 ? "" : ",", g(i).negative() ? "-" : "", g(i).point() + 1);
    text += ']';
  }
  return text + (images.empty() ? fmt::format("], {})", dimension) : "])");
}

std::string matrices_text(const std::vector<FieldMatrix>& images) {
  std::string text;
  for (const FieldMatrix& A : images) {
    text += text.empty() ? "rep([[" : ",[";
    for (std::size_t i = 0; i < A.rows(); ++i) {
      for (std::size_t j = 0; j < A.cols(); ++j) text += (j == 0 ? (i == 0 ? "[" : ",[") : ",") + to_string(A(i, j));
      text += ']';
    }
    text += ']';
  }
  return text + "])";
}

bool all_monomial(const std::vector<Representation>& children) {
  return std::all_of(children.begin(), children.end(), [](const Representation& V) { return V.is_monomial(); });
}

AbelianField common_field(const std::vector<Representation>& parts) {
  AbelianField K;
  for (const Representation& V : parts) K = AbelianField::compositum(K, V.field());
  return K;
}

void require_rational(const Representation& V, const char* operation) {
  if (!V.field().is_rational())
    throw DomainError(fmt::format("{}: {} is over {}, not over Q; use rational(R) of it", operation,
                                  shortened(V.to_string()), V.field().to_string()));
}

FieldMatrix apply_factors(const std::vector<Representation>& factors, const std::vector<Permutation>& elements,
                          FieldMatrix X, bool transposed) {
  // The entries are indexed by (i_1, ..., i_k, column). The first index is acted on and goes to the end, until
  // they are (column, i_1, ..., i_k).
  const std::size_t rows = X.rows(), cols = X.cols();
  const std::size_t entries = rows * cols;
  if (entries == 0) return X;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const std::size_t n = factors[k].dimension();
    X = factors[k].node().apply(elements[k], X.reshape(n, entries / n), transposed).transpose();
  }
  return X.reshape(cols, rows).transpose();
}

void refuse_image(const RepresentationNode& node) {
  throw DomainError(
      fmt::format("image: {} acts by general matrices and not by signed permutations; ask for matrix(g) or apply(g, X)",
                  shortened(node.text(TextForm::plain))));
}

void MatrixNode::write_image(const Permutation&, std::span<SignedPoint>) const { refuse_image(*this); }

FieldMatrix MatrixNode::dense(const Permutation& g) const {
  for (std::size_t k = 0; k < images_.size(); ++k)
    if (group().generators()[k] == g) return images_[k];
  return matrix(g);
}

std::string MatrixNode::label(std::uint64_t i) const { return fmt::format("e{}", i + 1); }

void tensor_in_place(std::span<SignedPoint> out, std::size_t size, std::span<const SignedPoint> factor) {
  const std::size_t m = factor.size();
  if (m == 0) return;
  // Backwards, so that no entry is overwritten before it is read.
  for (std::size_t i = size; i-- > 0;) {
    const SignedPoint x = out[i];
    const auto first = static_cast<std::uint32_t>(x.point() * m);
    for (std::size_t j = 0; j < m; ++j)
      out[i * m + j] = SignedPoint::from_code((2 * first + factor[j].code()) ^ (x.negative() ? 1U : 0U));
  }
}

std::uint64_t checked_dimension(const Integer& dimension, const std::string& operation) {
  if (dimension > largest_dimension)
    throw LimitError(fmt::format("{}: the dimension {} exceeds 2^64 - 1", operation, dimension.str()));
  return static_cast<std::uint64_t>(dimension);
}

std::uint64_t checked_binomial(std::uint64_t n, std::uint64_t k, const std::string& operation) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  // C(n, k) >= 2^k, so that a large k needs no exact number.
  if (k > 1000) throw LimitError(fmt::format("{}: the dimension C({}, {}) exceeds 2^64 - 1", operation, n, k));
  return checked_dimension(binomial(n, k), operation);
}

std::uint64_t checked_power(std::uint64_t n, std::uint64_t k, const std::string& operation) {
  if (k == 0) return 1;
  if (n <= 1) return n;
  if (k > 1000) throw LimitError(fmt::format("{}: the dimension {}^{} exceeds 2^64 - 1", operation, n, k));
  return checked_dimension(pow(Integer(n), static_cast<unsigned>(k)), operation);
}

void require_indexable(std::uint64_t dimension, const std::string& what) {
  if (dimension > max_degree)
    throw LimitError(
        fmt::format("{}: the dimension {} exceeds 2^31 - 1, so that the basis cannot be written down; "
                    "characters and summands still can be asked for",
                    what, dimension));
}

}  // namespace intertwine
