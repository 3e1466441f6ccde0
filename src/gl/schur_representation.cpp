#include "intertwine/gl/schur_representation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <mutex>

#include "intertwine/combinatorics/schur_polynomial.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/representations/actions.hpp"
#include "representations/node.hpp"

namespace intertwine {

namespace {

/// A matrix by its coefficients that are not 0: Schur functors of sparse matrices are sparse, and large.
class NonzeroEntries {
 public:
  explicit NonzeroEntries(const FieldMatrix& A)
      : field_(A.field()), rows_(A.rows()), cols_(A.cols()), denominator_(A.coefficients().denominator()) {
    const IntegerMatrix& N = A.coefficients().numerator();
    for (std::size_t i = 0; i < N.rows(); ++i)
      for (std::size_t j = 0; j < N.cols(); ++j)
        if (N.sign(i, j) != 0) entries_.push_back({i, j, N(i, j)});
  }
  FieldMatrix matrix() const {
    IntegerMatrix N(rows_, field_.degree() * cols_);
    for (const Entry& e : entries_) N.set(e.row, e.col, e.value);
    return {field_, RationalMatrix(std::move(N), denominator_), cols_};
  }

 private:
  struct Entry {
    std::size_t row, col;
    Integer value;
  };
  AbelianField field_;
  std::size_t rows_, cols_;
  Integer denominator_;
  std::vector<Entry> entries_;
};

class SchurPower final : public RepresentationNode {
 public:
  SchurPower(Partition lambda, const Representation& V, std::uint64_t dimension)
      : RepresentationNode(V.group(), dimension, V.node().depth() + 1, V.field()),
        functor_(std::move(lambda)),
        V_(V) {}

  bool is_permutation() const override { return false; }
  bool is_monomial() const override { return false; }
  Cyclotomic character(const Permutation& g) const override {
    const Partition& lambda = functor_.shape();
    std::vector<Cyclotomic> p;
    Permutation power = g;
    for (int k = 1; k < lambda[0] + lambda.length(); ++k, power = power * g)
      p.push_back(V_.node().character(power));
    return schur_from_power_sums(lambda, std::span<const Cyclotomic>(p));
  }
  void write_image(const Permutation&, std::span<SignedPoint>) const override { refuse_image(*this); }
  std::string text(TextForm form) const override {
    return fmt::format("schur({}, {})", to_string(functor_.shape()), V_.to_string(form));
  }
  /// The rows of the tableau, 1-based: "112/23", with commas where V has ten dimensions or more.
  std::string label(std::uint64_t i) const override {
    const auto n = static_cast<int>(V_.dimension());
    const Tableau T = functor_.basis(n)[i];
    std::string text;
    for (const auto& row : T.rows()) {
      text += text.empty() ? "" : "/";
      for (std::size_t j = 0; j < row.size(); ++j)
        text += (n > 9 && j > 0 ? "," : "") + std::to_string(row[j] + 1);
    }
    return text;
  }
  FieldMatrix dense(const Permutation& g) const override {
    {
      const std::lock_guard lock(mutex_);
      const auto known =
          std::find_if(recent_.begin(), recent_.end(), [&](const auto& r) { return r.first == g; });
      if (known != recent_.end()) {
        recent_.splice(recent_.begin(), recent_, known);
        return known->second.matrix();
      }
    }
    FieldMatrix image = applied(V_.field_matrix(g));
    constexpr std::size_t most_remembered = 8, most_entries = std::size_t{1} << 20;
    const std::lock_guard lock(mutex_);
    if (image.coefficients().numerator().nonzeros() <= most_entries)
      recent_.emplace_front(g, NonzeroEntries(image));
    if (recent_.size() > most_remembered) recent_.pop_back();
    return image;
  }

 private:
  FieldMatrix applied(const FieldMatrix& A) const {
    if (A.field().is_rational()) return FieldMatrix(functor_(A.to_rational()));
    std::vector<Cyclotomic> entries;
    for (std::size_t i = 0; i < A.rows(); ++i)
      for (std::size_t j = 0; j < A.cols(); ++j) entries.push_back(A(i, j));
    const std::vector<Cyclotomic> values = functor_(entries, A.rows(), A.cols());
    return FieldMatrix(dimension(), dimension(), values).over(field());
  }

  SchurFunctor functor_;
  Representation V_;
  mutable std::mutex mutex_;
  mutable std::list<std::pair<Permutation, NonzeroEntries>> recent_;
};

}  // namespace

Representation schur_power(const Partition& lambda, const Representation& V) {
  if (lambda.length() <= 1) return sym(static_cast<unsigned>(lambda.weight()), V);
  if (lambda[0] == 1) return alt(static_cast<unsigned>(lambda.length()), V);
  const std::uint64_t n = V.dimension();
  if (static_cast<std::uint64_t>(lambda.length()) > n) return 0 * trivial_representation(V.group());
  if (n > 1'000'000)
    throw LimitError(fmt::format("schur_power: the representation has dimension {}; the limit is 10^6", n));
  const std::uint64_t dimension =
      checked_dimension(SchurFunctor(lambda).dimension(static_cast<int>(n)),  // refuses large weights first
                        fmt::format("schur({}, V)", to_string(lambda)));
  return Representation(std::make_shared<SchurPower>(lambda, V, dimension));
}

}  // namespace intertwine
