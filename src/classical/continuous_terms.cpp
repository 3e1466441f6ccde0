// The terms of a representation of a product of groups, with their places.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "continuous_node.hpp"
#include "functor_terms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine {

namespace {

using Node = ContinuousNode;
using Terms = std::vector<ContinuousTerm>;

class TermExpansion {
 public:
  explicit TermExpansion(const Task& task) : task_(task) {}

  Terms of(const Node& node) {
    const bool splits = node.group.is_product();
    Terms out;
    if (const auto* multiple = node.as<Node::Multiple>()) {
      const Terms one = of(*node.parts[0]);
      for (std::uint64_t k = 0; k < multiple->times; ++k)
        append(out, one, static_cast<std::uint32_t>(k * node.parts[0]->dimension));
      return out;
    }
    if (node.is<Node::Sum>()) {
      std::uint32_t offset = 0;
      for (const auto& part : node.parts) {
        append(out, of(*part), offset);
        offset += static_cast<std::uint32_t>(part->dimension);
      }
      return out;
    }
    if (node.is<Node::Product>() || node.is<Node::Power>()) return product(node);
    if (node.is<Node::Dual>()) return dual_terms(*node.parts[0]);
    if (node.is<Node::External>()) return external(node);
    if (const auto* functor = node.as<Node::Functor>(); functor != nullptr && splits)
      return functor_terms(functor->shape, of(*node.parts[0]), node.parts[0]->dimension, task_);
    if (node.is<Node::Real>() && splits) return real_terms(*node.parts[0]);
    return {leaf(node)};
  }

 private:
  void append(Terms& out, const Terms& more, std::uint32_t offset) {
    require_few_terms(out.size() + more.size());
    for (const ContinuousTerm& term : more) {
      task_.require_memory((out.size() + 1) * term.size() * (term.spread ? 96 : sizeof(std::uint32_t)),
                           "the summands of a representation");
      out.push_back(term);
      for (std::uint32_t& x : out.back().coordinates) x += offset;
      if (term.spread && offset > 0) {
        auto moved = std::make_shared<ContinuousTerm::Spread>(*term.spread);
        for (auto* vectors : {&moved->inclusion, &moved->projection})
          for (auto& v : *vectors)
            for (auto& [x, c] : v) x += offset;
        out.back().spread = std::move(moved);
      }
    }
    task_.poll();
  }

  ContinuousTerm leaf(const Node& node) {
    ContinuousTerm term;
    for (std::size_t f = 0; f < node.group.factors().size(); ++f) {  // a product has the trivial leaf only
      ContinuousPiece piece;
      if (const auto* finite = std::get_if<FiniteGroup>(&node.group.factors()[f]))
        piece.finite = node.is<Node::Finite>() ? node.as<Node::Finite>()->V : trivial_representation(*finite);
      else if (!node.is<Node::Trivial>())
        piece.leaves.push_back(std::make_shared<const ContinuousNode>(node));
      piece.dimension = node.dimension;
      term.pieces.push_back(std::move(piece));
    }
    task_.require_memory(node.dimension * sizeof(std::uint32_t), "the coordinates of a representation");
    term.coordinates.resize(node.dimension);
    std::iota(term.coordinates.begin(), term.coordinates.end(), 0U);
    return term;
  }

  Terms external(const Node& node) {
    Terms out{{{}, {0}, nullptr}};
    for (const auto& part : node.parts) {
      const Terms factor = of(*part);
      Terms next;
      for (const ContinuousTerm& a : out)
        for (const ContinuousTerm& b : factor) {
          ContinuousTerm term{a.pieces, {}, nullptr};  // modules of one factor are spanned by basis vectors
          term.pieces.push_back(b.pieces[0]);
          for (const std::uint32_t x : a.coordinates)
            for (const std::uint32_t y : b.coordinates)
              term.coordinates.push_back(x * static_cast<std::uint32_t>(part->dimension) + y);
          append(next, {std::move(term)}, 0);
        }
      out = std::move(next);
    }
    return out;
  }

  Terms product(const Node& node) {
    Terms out{leaf({Node::Trivial{}, node.group, 1})};
    for (const auto& part : node.factors()) {
      const Terms factor = of(*part);
      Terms next;
      for (const ContinuousTerm& a : out)
        for (const ContinuousTerm& b : factor) append(next, {tensor_product(a, b, part->dimension)}, 0);
      out = std::move(next);
    }
    return out;
  }

  Terms dual_terms(const Node& node) {
    Terms out = of(node);
    for (ContinuousTerm& term : out)
      for (ContinuousPiece& piece : term.pieces) {
        if (piece.finite) piece.finite = dual(*piece.finite);
        for (auto& leaf : piece.leaves)
          leaf = leaf->is<Node::Dual>() ? leaf->parts[0] : dual(ContinuousRepresentation(leaf)).handle();
      }
    for (ContinuousTerm& term : out)
      if (term.spread)
        term.spread = std::make_shared<ContinuousTerm::Spread>(
            ContinuousTerm::Spread{term.spread->projection, term.spread->inclusion});
    return out;
  }

  /// real(V) over a product. Where several pieces A, B, ... of a term are complex, real(A) (x) real(B) (x) ... over R
  /// is mapped onto it: i acts on each of them, and alike on their product over C.
  Terms real_terms(const Node& node) {
    Terms out;
    for (const ContinuousTerm& term : of(node)) {
      std::vector<std::optional<ContinuousRepresentation>> real(term.pieces.size());
      for (std::size_t f = 0; f < real.size(); ++f) {
        std::optional<ContinuousRepresentation> V;
        for (const auto& one : term.pieces[f].leaves)
          V = V ? *V * ContinuousRepresentation(one) : ContinuousRepresentation(one);
        if (V && V->scalars() == Scalars::complex) real[f] = restriction_of_scalars(*V);
      }
      const bool complex = std::ranges::any_of(real, [](const auto& V) { return V.has_value(); });
      // A complex line, or what is real as well, is twice there.
      for (const std::uint32_t side : complex ? std::vector{0U} : std::vector{0U, 1U})
        append(out, {real_term(term, real, side)}, 0);
    }
    return out;
  }

  /// The term with these modules in place of its pieces, where there are any, and coordinates 2 x and 2 x + 1 for each
  /// coordinate x: those of x and i x. A basis vector is a tensor product of vectors x and i x; n factors i make i^n x.
  ContinuousTerm real_term(const ContinuousTerm& term, const std::vector<std::optional<ContinuousRepresentation>>& real,
                           std::uint32_t first) const {
    ContinuousTerm out{term.pieces, {}, nullptr};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> basis{{0, first}};  // of the term, and how many i
    std::int64_t complex = 0;
    for (std::size_t f = 0; f < real.size(); ++f) {
      const auto d = static_cast<std::uint32_t>(term.pieces[f].dimension);
      task_.require_memory(2 * d * basis.size() * 96, "the summands of a representation");
      std::vector<std::pair<std::uint32_t, std::uint32_t>> next;
      for (const auto& [k, turns] : basis)
        for (std::uint32_t i = 0; i < d; ++i)
          for (std::uint32_t turn = 0; turn < (real[f] ? 2 : 1); ++turn) next.emplace_back(k * d + i, turns + turn);
      basis = std::move(next);
      if (!real[f]) continue;
      out.pieces[f] = {{real[f]->handle()}, {}, real[f]->dimension()};
      ++complex;
    }
    if (complex < 2 && !term.spread) {
      for (const auto& [k, turns] : basis) out.coordinates.push_back(2 * term.coordinates[k] + turns);
      return out;
    }
    // Back again: half of x (x) y - i x (x) i y, and so on.
    Rational part(1);
    for (std::int64_t c = 1; c < complex; ++c) part /= 2;
    auto spread = std::make_shared<ContinuousTerm::Spread>();
    for (const auto& [k, turns] : basis) {
      const Rational sign(turns % 4 < 2 ? 1 : -1);
      spread->inclusion.push_back(term.included(k));
      spread->projection.push_back(term.projected(k));
      for (auto& [x, c] : spread->inclusion.back()) {
        x = 2 * x + turns % 2;
        c *= sign;
      }
      for (auto& [x, c] : spread->projection.back()) {
        x = 2 * x + turns % 2;
        c *= sign * part;
      }
    }
    out.spread = std::move(spread);
    return out;
  }

  const Task& task_;
};

bool is_trivial(const Representation& V) { return V == trivial_representation(V.group()); }

}  // namespace

void require_few_terms(std::size_t count) {
  constexpr std::size_t most_terms = 100'000;
  if (count > most_terms)
    throw LimitError(
        fmt::format("the representation is a sum of more than {} tensor products; write multiplicities in front: 16*V",
                    most_terms));
}

ContinuousTerm tensor_product(const ContinuousTerm& a, const ContinuousTerm& b, std::uint64_t dimension) {
  ContinuousTerm out;
  std::vector<std::uint32_t> left{0}, right{0};  // indices into the bases of a and b
  for (std::size_t f = 0; f < a.pieces.size(); ++f) {
    ContinuousPiece piece = a.pieces[f];
    const ContinuousPiece& other = b.pieces[f];
    const auto m = static_cast<std::uint32_t>(piece.dimension), n = static_cast<std::uint32_t>(other.dimension);
    if (piece.finite)
      piece.finite = is_trivial(*piece.finite)   ? *other.finite
                     : is_trivial(*other.finite) ? *piece.finite
                                                 : *piece.finite * *other.finite;
    piece.leaves.insert(piece.leaves.end(), other.leaves.begin(), other.leaves.end());
    piece.dimension = std::uint64_t{m} * n;
    out.pieces.push_back(std::move(piece));
    std::vector<std::uint32_t> next_left, next_right;
    next_left.reserve(left.size() * m * n);
    next_right.reserve(left.size() * m * n);
    for (std::size_t i = 0; i < left.size(); ++i)
      for (std::uint32_t x = 0; x < m; ++x)
        for (std::uint32_t y = 0; y < n; ++y) {
          next_left.push_back(left[i] * m + x);
          next_right.push_back(right[i] * n + y);
        }
    left = std::move(next_left);
    right = std::move(next_right);
  }
  if (!a.spread && !b.spread) {
    for (std::size_t i = 0; i < left.size(); ++i)
      out.coordinates.push_back(
          static_cast<std::uint32_t>(a.coordinates[left[i]] * dimension + b.coordinates[right[i]]));
    return out;
  }
  auto spread = std::make_shared<ContinuousTerm::Spread>();
  const auto times = [&](const ContinuousTerm::Vector& x, const ContinuousTerm::Vector& y) {
    ContinuousTerm::Vector v;
    for (const auto& [i, c] : x)
      for (const auto& [j, d] : y) v.emplace_back(static_cast<std::uint32_t>(i * dimension + j), c * d);
    return v;
  };
  for (std::size_t i = 0; i < left.size(); ++i) {
    spread->inclusion.push_back(times(a.included(left[i]), b.included(right[i])));
    spread->projection.push_back(times(a.projected(left[i]), b.projected(right[i])));
  }
  out.spread = std::move(spread);
  return out;
}

std::string ContinuousPiece::key() const {
  if (finite) return finite->to_string(TextForm::checked);
  std::string text;
  for (const auto& leaf : leaves) text += (text.empty() ? "" : "*") + ContinuousRepresentation(leaf).to_string();
  return text;
}

void find_submodules(const Node& node, const Task& task) {
  for (const auto& part : node.parts) find_submodules(*part, task);
  if (const auto* own = node.part_of()) own->submodule(task);
}

std::vector<ContinuousTerm> terms_of(const Node& node, const Task& task) {
  find_submodules(node, task);
  return TermExpansion(task).of(node);
}

}  // namespace intertwine
