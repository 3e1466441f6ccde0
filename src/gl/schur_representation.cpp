// Schur functors of representations.
#include "intertwine/gl/schur_representation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>
#include <mutex>
#include <numeric>

#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/combinatorics/schur_polynomial.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/minor_products.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/block_action.hpp"
#include "intertwine/representations/representation_node.hpp"

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

/// Products of column minors have a term for every way to permute the columns: too many where these are long, and there the matrices of the functor cost less.
bool has_long_columns(const Partition& lambda) {
  constexpr std::uint64_t most_terms = 5000;
  std::uint64_t terms = 1;
  for (int column = 0; column < lambda[0]; ++column) {
    std::uint64_t length = 0;
    for (int row = 0; row < lambda.length() && lambda[row] > column; ++row)
      if ((terms *= ++length) > most_terms) return true;
  }
  return false;
}

/// The weight spaces of S_lambda of a monomial representation: the tableaux with the same letters. How an element acts depends on how often each of these occurs and
/// on how it orders them, so that few matrices serve all spaces.
class WeightSpaces final : public BlockAction {
 public:
  WeightSpaces(const SchurFunctor& functor, Representation V)
      : shape_(functor.shape()), V_(std::move(V)), contents_(static_cast<std::size_t>(functor.shape().weight())) {
    const std::vector<Tableau> basis = functor.basis(static_cast<int>(V_.dimension()));
    std::vector<Point> content, block_of;
    for (const Tableau& T : basis) {
      content.clear();
      for (const auto& row : T.rows()) content.insert(content.end(), row.begin(), row.end());
      std::ranges::sort(content);
      block_of.push_back(contents_.insert(content));
    }
    start_.assign(contents_.size() + 1, 0);
    for (const Point block : block_of) ++start_[block + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    places_.resize(basis.size());
    std::vector<std::uint64_t> next(start_.begin(), start_.end() - 1);
    for (std::uint64_t i = 0; i < basis.size(); ++i) places_[next[block_of[i]]++] = i;
  }

  std::uint64_t size() const override { return contents_.size(); }
  std::vector<std::uint64_t> places(std::uint64_t block) const override {
    const auto at = [&](std::uint64_t k) { return places_.begin() + static_cast<std::ptrdiff_t>(start_[k]); };
    return {at(block), at(block + 1)};
  }
  std::function<Move(std::uint64_t)> at(const Permutation& g) const override {
    return [this, image = V_.image(g)](std::uint64_t block) { return moved(image, contents_[block]); };
  }

 private:
  /// How often each letter occurs, the letters in order; and the place of the image of each among the images.
  using Pattern = std::pair<std::vector<int>, std::vector<int>>;

  Move moved(const SignedPermutation& image, std::span<const Point> content) const {
    Pattern pattern;
    std::vector<Point> images, letters;
    bool negative = false;
    for (std::size_t i = 0; i < content.size(); ++i) {
      const SignedPoint y = image(content[i]);
      negative = negative != y.negative();
      images.push_back(y.point());
      if (i > 0 && content[i] == content[i - 1]) {
        ++pattern.first.back();
        continue;
      }
      letters.push_back(y.point());
      pattern.first.push_back(1);
    }
    std::ranges::sort(images);
    std::vector<Point> ordered = letters;
    std::ranges::sort(ordered);
    for (const Point y : letters)
      pattern.second.push_back(static_cast<int>(std::ranges::lower_bound(ordered, y) - ordered.begin()));
    const RationalMatrix& M = matrix(pattern);
    return {contents_.find(images), negative ? Rational(-1) * M : M};
  }

  /// The semistandard fillings with letters 0, 1, ... that occur so often, in lexicographic order.
  std::vector<RowWords> fillings(const std::vector<int>& times) const {
    std::vector<RowWords> out;
    for (const Tableau& T : semistandard_tableaux(shape_, times)) out.push_back(T.rows());
    std::ranges::sort(out);
    return out;
  }

  const RationalMatrix& matrix(const Pattern& pattern) const {
    const std::lock_guard lock(mutex_);
    if (const auto known = matrices_.find(pattern); known != matrices_.end()) return known->second;
    const auto& [times, to] = pattern;
    std::vector<int> times_there(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) times_there[static_cast<std::size_t>(to[i])] = times[i];
    const auto sources = fillings(times), targets = fillings(times_there);
    IntegerMatrix M(targets.size(), sources.size());
    for (std::size_t j = 0; j < sources.size(); ++j) {
      RowWords moved = sources[j];
      for (auto& row : moved)
        for (int& letter : row) letter = to[static_cast<std::size_t>(letter)];
      RowWordSum<Integer> polynomial;
      for (const auto& [monomial, c] : product_of_column_minors(moved, {})) polynomial[monomial] = c;
      for (const auto& [filling, c] : semistandard_coordinates(std::move(polynomial), {}))
        M.set(static_cast<std::size_t>(std::ranges::lower_bound(targets, filling) - targets.begin()), j, c);
    }
    return matrices_.emplace(pattern, RationalMatrix(std::move(M))).first->second;
  }

  Partition shape_;
  Representation V_;
  FlatIndex<Point> contents_;  ///< sorted words, one for each block
  std::vector<std::uint64_t> start_, places_;
  mutable std::mutex mutex_;
  mutable std::map<Pattern, RationalMatrix> matrices_;
};

class SchurPower final : public RepresentationNode {
 public:
  SchurPower(Partition lambda, const Representation& V, std::uint64_t dimension)
      : RepresentationNode(V.group(), dimension, V.node().depth() + 1, V.field()), functor_(std::move(lambda)), V_(V) {}

  bool is_permutation() const override { return false; }
  bool is_monomial() const override { return false; }
  Cyclotomic character(const Permutation& g) const override {
    const Partition& lambda = functor_.shape();
    std::vector<Cyclotomic> p;
    Permutation power = g;
    for (int k = 1; k < lambda[0] + lambda.length(); ++k, power = power * g) p.push_back(V_.node().character(power));
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
      for (std::size_t j = 0; j < row.size(); ++j) text += (n > 9 && j > 0 ? "," : "") + std::to_string(row[j] + 1);
    }
    return text;
  }
  std::shared_ptr<const BlockAction> blocks() const override {
    if (!V_.is_monomial() || has_long_columns(functor_.shape())) return nullptr;
    const std::lock_guard lock(mutex_);
    if (!spaces_) spaces_ = std::make_shared<WeightSpaces>(functor_, V_);
    return spaces_;
  }
  FieldMatrix dense(const Permutation& g) const override {
    if (blocks()) return RepresentationNode::dense(g);
    {
      const std::lock_guard lock(mutex_);
      const auto known = std::find_if(recent_.begin(), recent_.end(), [&](const auto& r) { return r.first == g; });
      if (known != recent_.end()) {
        recent_.splice(recent_.begin(), recent_, known);
        return known->second.matrix();
      }
    }
    FieldMatrix image = applied(V_.field_matrix(g));
    constexpr std::size_t most_remembered = 8, most_entries = std::size_t{1} << 20;
    const std::lock_guard lock(mutex_);
    if (image.coefficients().numerator().nonzeros() <= most_entries) recent_.emplace_front(g, NonzeroEntries(image));
    if (recent_.size() > most_remembered) recent_.pop_back();
    return image;
  }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    if (const auto spaces = blocks()) return FieldMatrix(spaces->apply(g, X.to_rational(), transposed));
    return RepresentationNode::apply_to(g, X, transposed);
  }
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
  mutable std::shared_ptr<const BlockAction> spaces_;
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
