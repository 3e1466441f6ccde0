#include "intertwine/representations/representation.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>

#include "intertwine/error.hpp"
#include "node.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

void require_degree(const FiniteGroup& G, const Permutation& g, const char* where) {
  if (g.degree() != G.degree())
    throw DomainError(fmt::format("{}: the element permutes {} points, but the group {} permutes {}", where,
                                  g.degree(), G.name(), G.degree()));
}

}  // namespace

RepresentationNode::RepresentationNode(FiniteGroup G, std::uint64_t dimension, unsigned depth)
    : group_(std::move(G)), dimension_(dimension), depth_(depth) {
  if (depth > max_depth)
    throw LimitError(
        fmt::format("a representation is nested more than {} levels deep; write it flatter", max_depth));
}

void RepresentationNode::append_summands(std::uint64_t multiplicity,
                                         std::vector<Representation::Summand>& out) const {
  out.push_back({multiplicity, Representation(shared_from_this())});
}

bool RepresentationNode::generator_images_are_unsigned() const {
  constexpr std::uint64_t worth_looking = 1U << 24;
  if (dimension_ > worth_looking) return false;
  std::vector<SignedPoint> image(dimension_);
  for (const Permutation& g : group_.generators()) {
    write_image(g, image);
    for (const SignedPoint x : image)
      if (x.negative()) return false;
  }
  return true;
}

Representation::Representation(std::shared_ptr<const RepresentationNode> node) : node_(std::move(node)) {
  if (!node_) throw DomainError("Representation: there is no node");
}

const FiniteGroup& Representation::group() const { return node_->group(); }
std::uint64_t Representation::dimension() const { return node_->dimension(); }
bool Representation::is_permutation() const { return node_->is_permutation(); }
std::string Representation::to_string() const { return node_->text(); }

Integer Representation::character(const Permutation& g) const {
  require_degree(group(), g, "character");
  return node_->character(g);
}

SignedPermutation Representation::image(const Permutation& g) const {
  require_degree(group(), g, "image");
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

std::string Representation::basis_label(std::uint64_t i) const {
  if (i >= dimension())
    throw DomainError(fmt::format("basis_label: there is no basis vector {} (0-based) in dimension {}", i, dimension()));
  return node_->label(i);
}

std::vector<Representation::Summand> Representation::summands() const {
  std::vector<Summand> result;
  node_->append_summands(1, result);
  return result;
}

std::string text_within(const Representation& V, Binding context) {
  std::string text = V.to_string();
  return V.node().binding() < context ? "(" + text + ")" : text;
}

std::string generators_text(const FiniteGroup& G) {
  std::string text;
  for (const Permutation& g : G.generators()) text += (text.empty() ? "<" : ",") + g.to_string();
  return text.empty() ? "<>" : text + ">";
}

std::string text_over_generators(const Representation& V) {
  return V.group().direct_factors().empty() ? V.to_string() : images_text(V.generator_images(), V.dimension());
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
  if (dimension > largest)
    throw LimitError(fmt::format("{}: the dimension {} exceeds 2^64 - 1", operation, dimension.str()));
  return static_cast<std::uint64_t>(dimension);
}

std::uint64_t checked_binomial(std::uint64_t n, std::uint64_t k, const std::string& operation) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  // C(n, k) >= 2^k, so that a large k needs no exact number.
  if (k > 1000)
    throw LimitError(fmt::format("{}: the dimension C({}, {}) exceeds 2^64 - 1", operation, n, k));
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
    throw LimitError(fmt::format("{}: the dimension {} exceeds 2^31 - 1, so that the basis cannot be written down; "
                                 "characters and summands still can be asked for",
                                 what, dimension));
}

}  // namespace intertwine
