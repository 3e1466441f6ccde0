// Differences of representations, V - W.
#include "intertwine/equivariant/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/error.hpp"
#include "intertwine/random.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/representation_node.hpp"
#include "intertwine/representations/submodule.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t largest_source = 4096, most_entries = std::uint64_t{1} << 22U,
                        most_monomial_entries = std::uint64_t{1} << 24U;

/// The span of some basis vectors of a monomial representation, which it permutes among themselves up to signs.
class KeptVectors final : public RepresentationNode {
 public:
  static constexpr auto none = std::numeric_limits<std::uint32_t>::max();

  KeptVectors(const Representation& V, std::vector<std::uint32_t> kept)
      : RepresentationNode(V.group(), kept.size(), V.node().depth() + 1, V.field()),
        V_(V),
        kept_(std::move(kept)),
        place_(V.dimension(), none) {
    for (std::size_t k = 0; k < kept_.size(); ++k) place_[kept_[k]] = static_cast<std::uint32_t>(k);
    for (const SignedPermutation& s : V.generator_images())
      for (const std::uint32_t i : kept_)
        if (place_[s(i).point()] == none)
          throw InternalError("difference: basis vectors that a map takes to 0 leave its kernel");
  }

  bool is_permutation() const override { return generator_images_are_unsigned(); }
  Cyclotomic character(const Permutation& g) const override {
    std::vector<SignedPoint> image(dimension());
    write_image(g, image);
    long trace = 0;
    for (std::size_t k = 0; k < image.size(); ++k)
      if (image[k].point() == k) trace += image[k].negative() ? -1 : 1;
    return Cyclotomic(trace);
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    std::vector<SignedPoint> image(V_.dimension());
    V_.node().write_image(g, image);
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const SignedPoint x = image[kept_[k]];
      out[k] = SignedPoint(place_[x.point()], x.negative());
    }
  }
  std::string text(TextForm) const override { return images_text(generator_images(), dimension()); }
  std::string label(std::uint64_t i) const override { return V_.basis_label(kept_[i]); }

 private:
  std::vector<SignedPermutation> generator_images() const {
    std::vector<SignedPermutation> images;
    for (const Permutation& g : group().generators()) {
      std::vector<SignedPoint> image(dimension());
      write_image(g, image);
      images.emplace_back(std::move(image));
    }
    return images;
  }

  Representation V_;
  std::vector<std::uint32_t> kept_, place_;  ///< place_[i]: that of i in kept_
};

/// V - W by the expressions of both, with the matrices of the kernel where it was found.
class Difference final : public RepresentationNode {
 public:
  Difference(const Representation& V, const Representation& W, std::optional<Representation> kernel)
      : RepresentationNode(V.group(), V.dimension() - W.dimension(), std::max(V.node().depth(), W.node().depth()) + 2,
                           kernel ? kernel->field() : AbelianField::compositum(V.field(), W.field())),
        V_(V),
        W_(W),
        kernel_(std::move(kernel)) {}

  bool is_permutation() const override { return kernel_ && kernel_->is_permutation(); }
  bool is_monomial() const override { return kernel_ && kernel_->is_monomial(); }
  Cyclotomic character(const Permutation& g) const override { return V_.node().character(g) - W_.node().character(g); }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    if (!is_monomial()) refuse_image(*this);
    kernel_->node().write_image(g, out);
  }
  FieldMatrix dense(const Permutation& g) const override { return kernel().dense(g); }
  std::string text(TextForm form) const override {
    return text_within(V_, Binding::sum, form) + " - " + text_within(W_, Binding::external, form);
  }
  Binding binding() const override { return Binding::sum; }
  std::string label(std::uint64_t i) const override {
    return kernel_ ? kernel_->basis_label(i) : fmt::format("e{}", i + 1);
  }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return kernel().apply(g, X, transposed);
  }
  const RepresentationNode& kernel() const {
    if (!kernel_)
      throw LimitError(
          fmt::format("{}: the matrices of this difference are not found, for {} x {} exceeds "
                      "the limit; its character alone is known",
                      text(TextForm::plain), W_.dimension(), V_.dimension()));
    return kernel_->node();
  }

  Representation V_, W_;
  std::optional<Representation> kernel_;
};

/// The basis vectors of V that the element takes to 0, if it takes all others to different ones of W, all of them, up to factors.
std::optional<std::vector<std::uint32_t>> kept_by(const IntertwinerSpace& space, std::uint64_t k) {
  const std::uint64_t first = space.start()[k], last = space.start()[k + 1];
  if (last - first != space.rows()) return std::nullopt;
  std::vector<bool> row(space.rows()), col(space.cols());
  for (std::uint64_t e = first; e < last; ++e) {
    if (row[space.row()[e]] || col[space.col()[e]]) return std::nullopt;
    row[space.row()[e]] = col[space.col()[e]] = true;
  }
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < col.size(); ++i)
    if (!col[i]) kept.push_back(static_cast<std::uint32_t>(i));
  return kept;
}

/// The sum of the elements with these coefficients.
FieldMatrix combination(const IntertwinerSpace& space, const std::vector<long>& coefficients) {
  std::vector<Cyclotomic> entries(space.rows() * space.cols());
  for (std::uint64_t k = 0; k < space.params(); ++k) {
    if (coefficients[k] == 0) continue;
    for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e)
      entries[space.row()[e] * space.cols() + space.col()[e]] += Cyclotomic(coefficients[k]) * space.value(e);
  }
  return FieldMatrix(space.rows(), space.cols(), entries).over(space.field());
}

/// Has A full rank? A prime proves it.
bool is_onto(const FieldMatrix& A) {
  const auto reduced = A.reduce(A.field().split_prime(0), 0);
  std::vector<std::size_t> pivots;
  if (reduced) reduced->echelon(&pivots);
  return pivots.size() == A.rows();
}

/// An element of the space that is onto: one of the basis, or a combination with coefficients that grow. Almost all
/// combinations are, if any is.
std::optional<FieldMatrix> surjection(const IntertwinerSpace& space, const Task& task) {
  constexpr std::uint64_t singles = 64;
  constexpr int combinations = 12;
  std::vector<long> coefficients(space.params());
  for (std::uint64_t k = 0; k < std::min(singles, space.params()); ++k) {
    task.poll();
    coefficients[k] = 1;
    if (FieldMatrix A = combination(space, coefficients); is_onto(A)) return A;
    coefficients[k] = 0;
  }
  Rng rng(1);
  for (int trial = 1; trial <= combinations && space.params() > 1; ++trial) {
    task.poll();
    for (long& c : coefficients) c = static_cast<long>(rng.below(std::uint64_t{1} << (2 * trial)));
    if (FieldMatrix A = combination(space, coefficients); is_onto(A)) return A;
  }
  return std::nullopt;
}

std::string counted_times(const Integer& n) { return n.str() + (n == 1 ? " time" : " times"); }

/// \throws DomainError naming a row of the table that W has more often than V.
void require_contained(const Representation& V, const Representation& W, const Task& task) {
  const CharacterTable table = character_table(V.group(), task);
  const auto in_v = multiplicities(character_of(V, table, task)), in_w = multiplicities(character_of(W, table, task));
  for (std::size_t row = 0; row < table.size(); ++row)
    if (in_w[row] > in_v[row])
      throw DomainError(fmt::format(
          "{0} - {1} is no representation of {2}: {1} has the irreducible representation {3} "
          "{4} and {0} {5}; the first must have each at least as often",
          text_within(V, Binding::external, TextForm::plain), text_within(W, Binding::external, TextForm::plain),
          table.group().name(), table.name(row), counted_times(in_w[row]), counted_times(in_v[row])));
}

/// The kernel of a map onto W; nothing if none is found, or it would be too large.
std::optional<Representation> kernel_onto(const Representation& V, const Representation& W, const Task& task) {
  const bool monomial = V.is_monomial() && W.is_monomial();
  const bool dense = V.dimension() <= largest_source && V.dimension() <= most_entries / W.dimension();
  if (!dense && !(monomial && V.dimension() <= most_monomial_entries / W.dimension())) return std::nullopt;
  const IntertwinerSpace space = intertwiner_space(V, W, task);
  for (std::uint64_t k = 0; V.is_monomial() && k < space.params(); ++k) {
    task.poll();
    if (auto kept = kept_by(space, k)) return Representation(std::make_shared<KeptVectors>(V, std::move(*kept)));
  }
  if (!dense) return std::nullopt;
  const auto onto = surjection(space, task);
  if (!onto) return std::nullopt;
  return submodule(V, null_space(*onto, task).transpose(), {}, task);
}

}  // namespace

Representation difference(const Representation& V, const Representation& W, const Task& task) {
  if (!(V.group() == W.group()))
    throw DomainError(
        fmt::format("difference: {} and {} are representations of different groups", V.to_string(), W.to_string()));
  if (W.dimension() == 0) return V;
  std::optional<Representation> kernel;
  if (V.dimension() > W.dimension()) kernel = kernel_onto(V, W, task);
  if (!kernel) require_contained(V, W, task);
  if (V.dimension() == W.dimension()) return 0 * V;
  return Representation(std::make_shared<Difference>(V, W, std::move(kernel)));
}

}  // namespace intertwine
