// S_shape of a sum of external tensor products as such a sum.
#include "functor_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "functor_words.hpp"
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/gl/schur_representation.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine {

namespace {

using TermVector = ContinuousTerm::Vector;

std::uint64_t functor_size(const Partition& shape, std::uint64_t dimension) {
  return static_cast<std::uint64_t>(SchurFunctor(shape).dimension(static_cast<int>(dimension)));
}

ContinuousPiece functor_piece(const Partition& shape, const ContinuousPiece& piece, const Task& task) {
  if (shape.weight() == 1) return piece;
  ContinuousPiece out;
  if (piece.finite) {
    out.finite = shape.empty() ? trivial_representation(piece.finite->group()) : schur_power(shape, *piece.finite);
    out.dimension = out.finite->dimension();
    return out;
  }
  out.dimension = functor_size(shape, piece.dimension);
  if (shape.empty() || piece.leaves.empty()) return out;
  ContinuousRepresentation V(piece.leaves[0]);
  for (std::size_t k = 1; k < piece.leaves.size(); ++k) V = V * ContinuousRepresentation(piece.leaves[k]);
  const auto degree = static_cast<unsigned>(shape.weight());
  out.leaves.push_back((shape.length() == 1 ? sym(degree, V)
                        : shape[0] == 1     ? alt(degree, V)
                                            : schur_power(shape, V, task))
                           .handle());
  return out;
}

/// sum of c times rows[i] over the entries (i, c) of v.
TermVector combination(const TermVector& v, const std::vector<TermVector>& rows) {
  if (v.size() == 1 && v[0].second == 1) return rows[v[0].first];
  std::map<std::uint32_t, Rational> sum;
  for (const auto& [i, c] : v)
    for (const auto& [j, x] : rows[i]) sum[j] += c * x;
  TermVector out;
  for (auto& [j, x] : sum)
    if (x != 0) out.emplace_back(j, std::move(x));
  return out;
}

/// The term, a part of what `split` is a part of.
ContinuousTerm through(const ContinuousTerm& term, const std::vector<TermVector>& inclusion,
                       const std::vector<TermVector>& projection, const Task& task) {
  auto spread = std::make_shared<ContinuousTerm::Spread>();
  bool plain = true;
  const auto is_unit = [](const TermVector& v) { return v.size() == 1 && v[0].second == 1; };
  for (std::uint32_t k = 0; k < term.size(); ++k) {
    task.poll();
    spread->inclusion.push_back(combination(term.included(k), inclusion));
    spread->projection.push_back(combination(term.projected(k), projection));
    plain = plain && is_unit(spread->inclusion.back()) && is_unit(spread->projection.back());
  }
  ContinuousTerm out{term.pieces, {}, nullptr};
  if (plain)
    for (const TermVector& v : spread->inclusion) out.coordinates.push_back(v[0].first);
  else
    out.spread = std::move(spread);
  return out;
}

class FunctorExpansion {
 public:
  FunctorExpansion(const std::vector<ContinuousTerm>& terms, const Task& task) : terms_(terms), task_(task) {
    for (std::size_t t = terms.size(); t-- > 0;)
      sizes_.insert(sizes_.begin(), (sizes_.empty() ? 0 : sizes_[0]) + terms[t].size());
  }

  /// S_shape of the terms from number t on.
  const std::vector<ContinuousTerm>& of_sum(const Partition& shape, std::size_t t) {
    const auto [found, fresh] = sums_.try_emplace({shape.parts(), t});
    if (!fresh) return found->second;
    if (t + 1 == terms_.size()) return found->second = of_external(shape, terms_[t].pieces);
    std::vector<ContinuousTerm> out;
    for (const FunctorSplit& split : splits(shape, terms_[t].size(), sizes_[t + 1], FunctorArgument::sum)) {
      const std::vector<ContinuousTerm> left = of_external(split.left, terms_[t].pieces),
                                        &right = of_sum(split.right, t + 1);
      const std::uint64_t dimension = functor_size(split.right, sizes_[t + 1]);
      for (const ContinuousTerm& a : left)
        for (const ContinuousTerm& b : right)
          keep(out, through(tensor_product(a, b, dimension), split.inclusion, split.projection, task_));
    }
    return sums_[{shape.parts(), t}] = std::move(out);
  }

 private:
  void keep(std::vector<ContinuousTerm>& out, ContinuousTerm term) {
    require_few_terms(++count_);
    task_.require_memory(count_ * term.size() * 96, "the summands of a representation");
    out.push_back(std::move(term));
  }

  const std::vector<FunctorSplit>& splits(const Partition& shape, std::uint64_t left, std::uint64_t right,
                                          FunctorArgument argument) {
    const auto [found, fresh] = splits_.try_emplace({shape.parts(), left, right, argument});
    if (fresh) found->second = split_functor(shape, left, right, argument, task_);
    return found->second;
  }

  /// S_shape of the external product of these pieces.
  std::vector<ContinuousTerm> of_external(const Partition& shape, const std::vector<ContinuousPiece>& pieces) {
    std::vector<ContinuousTerm> out;
    if (pieces.size() == 1) {
      ContinuousTerm term{{functor_piece(shape, pieces[0], task_)}, {}, nullptr};
      term.coordinates.resize(term.pieces[0].dimension);
      std::iota(term.coordinates.begin(), term.coordinates.end(), 0U);
      return {std::move(term)};
    }
    const std::vector<ContinuousPiece> rest(pieces.begin() + 1, pieces.end());
    std::uint64_t dimension = 1;
    for (const ContinuousPiece& piece : rest) dimension *= piece.dimension;
    for (const FunctorSplit& split : splits(shape, pieces[0].dimension, dimension, FunctorArgument::product)) {
      const ContinuousPiece first = functor_piece(split.left, pieces[0], task_);
      const std::uint64_t width = functor_size(split.right, dimension);
      for (const ContinuousTerm& inner : of_external(split.right, rest))
        keep(out, through(beside(first, inner, width), split.inclusion, split.projection, task_));
    }
    return out;
  }

  /// piece # term, the term being a part of a space of this dimension.
  static ContinuousTerm beside(const ContinuousPiece& piece, const ContinuousTerm& term, std::uint64_t width) {
    ContinuousTerm out{{piece}, {}, nullptr};
    out.pieces.insert(out.pieces.end(), term.pieces.begin(), term.pieces.end());
    auto spread = std::make_shared<ContinuousTerm::Spread>();
    for (std::uint64_t i = 0; i < piece.dimension; ++i) {
      const auto offset = static_cast<std::uint32_t>(i * width);
      for (std::uint32_t k = 0; k < term.size(); ++k) {
        if (!term.spread) {
          out.coordinates.push_back(offset + term.coordinates[k]);
          continue;
        }
        spread->inclusion.push_back(term.included(k));
        spread->projection.push_back(term.projected(k));
        for (auto* v : {&spread->inclusion.back(), &spread->projection.back()})
          for (auto& [row, c] : *v) row += offset;
      }
    }
    if (term.spread) out.spread = std::move(spread);
    return out;
  }

  const std::vector<ContinuousTerm>& terms_;
  const Task& task_;
  std::size_t count_ = 0;
  std::vector<std::uint64_t> sizes_;  ///< the sizes of the terms from each on
  std::map<std::pair<std::vector<int>, std::size_t>, std::vector<ContinuousTerm>> sums_;
  std::map<std::tuple<std::vector<int>, std::uint64_t, std::uint64_t, FunctorArgument>, std::vector<FunctorSplit>>
      splits_;
};

/// The columns of S_shape(A), A given by its columns, in the words of the target.
std::vector<TermVector> functor_columns(const FunctorWords& source, const std::vector<TermVector>& columns,
                                        FunctorWords& target, const Task& task) {
  std::vector<TermVector> out;
  for (std::size_t i = 0; i < source.size(); ++i) out.push_back(image_of_word(source[i], columns, target, task));
  return out;
}

std::vector<TermVector> transposed_vectors(const std::vector<TermVector>& columns, std::size_t rows) {
  std::vector<TermVector> out(rows);
  for (std::uint32_t j = 0; j < columns.size(); ++j)
    for (const auto& [i, c] : columns[j]) out[i].emplace_back(j, c);
  return out;
}

}  // namespace

std::vector<ContinuousTerm> functor_terms(const Partition& shape, const std::vector<ContinuousTerm>& terms,
                                          std::uint64_t dimension, const Task& task) {
  if (functor_size(shape, dimension) == 0) return {};
  std::uint64_t together = 0;  // of terms that cover V several times more than dim V
  for (const ContinuousTerm& term : terms) together += term.size();
  constexpr std::uint64_t largest = 4 * ContinuousRepresentation::max_functor_dimension;
  if (together > dimension && SchurFunctor(shape).dimension(static_cast<int>(together)) > largest)
    throw LimitError(
        fmt::format("a functor of real(V) over a product is taken of terms of {} dimensions together, which "
                    "gives more than {}",
                    together, largest));
  FunctorExpansion expansion(terms, task);
  std::vector<ContinuousTerm> out = expansion.of_sum(shape, 0);
  // From the coordinates of the terms, one after the other, to those of V.
  std::vector<TermVector> inclusion, covectors;
  bool same = true;
  for (const ContinuousTerm& term : terms)
    for (std::uint32_t k = 0; k < term.size(); ++k) {
      same = same && !term.spread && term.coordinates[k] == inclusion.size();
      inclusion.push_back(term.included(k));
      covectors.push_back(term.projected(k));
    }
  if (same || shape.empty()) return out;
  FunctorWords words(shape, dimension, task), of_terms(shape, inclusion.size(), task);
  const auto there = functor_columns(of_terms, inclusion, words, task);
  const auto back =
      functor_columns(words, transposed_vectors(covectors, static_cast<std::size_t>(dimension)), of_terms, task);
  const auto rows = transposed_vectors(back, of_terms.size());
  for (ContinuousTerm& term : out) term = through(term, there, rows, task);
  return out;
}

}  // namespace intertwine
