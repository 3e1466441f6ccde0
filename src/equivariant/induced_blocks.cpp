// Bases of Hom between induced representations, block by block.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>

#include "equivariant/hom_blocks.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/random_words.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/block_action.hpp"
#include "intertwine/representations/representation_node.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t max_blocks = std::uint64_t{1} << 26;

/// V = P (x) B (x) N up to the order of its basis, P monomial, B a product of modules whose blocks are permuted. Its blocks are a basis vector of P, with a block of
/// every factor of B and all of N.
class Factored {
 public:
  explicit Factored(const Representation& V) : Factored(V.node().tensor_factors(), trivial_representation(V.group())) {}

  const Representation& monomial() const { return monomial_; }
  std::uint64_t size() const { return size_; }
  /// The basis vectors of V in a block, in the order that matrices have.
  std::vector<std::uint64_t> places(std::uint64_t block) const {
    std::uint64_t first = 0, x = block / inner_;
    for (std::size_t k = monomial_factor_.size(); k-- > 0;) {
      const std::size_t factor = monomial_factor_[k];
      first += x % factors_[factor].dimension() * scale_[factor];
      x /= factors_[factor].dimension();
    }
    std::vector<std::uint64_t> out{first};
    const auto append = [&](std::size_t factor, const std::vector<std::uint64_t>& digits) {
      std::vector<std::uint64_t> longer;
      for (const std::uint64_t place : out)
        for (const std::uint64_t digit : digits) longer.push_back(place + digit * scale_[factor]);
      out = std::move(longer);
    };
    const auto numbers = block_numbers(block);
    for (std::size_t k = 0; k < blocks_.size(); ++k) append(block_factor_[k], blocks_[k]->places(numbers[k]));
    for (const std::size_t factor : rest_factor_) {
      std::vector<std::uint64_t> all(factors_[factor].dimension());
      std::iota(all.begin(), all.end(), std::uint64_t{0});
      append(factor, all);
    }
    return out;
  }

  /// The move of a block by an element, its target and its matrix: sign * matrix (x) N(g), or sign * N(g) where there
  /// is no matrix.
  struct Move {
    std::uint64_t block = 0;
    int sign = 1;
    std::optional<RationalMatrix> matrix;
  };
  class Element {
   public:
    Element(const Factored& of, const Permutation& g) : of_(of), image_(of.monomial_.image(g)) {
      for (const auto& blocks : of.blocks_) moves_.push_back(blocks->at(g));
    }
    Move operator()(std::uint64_t block) const {
      const SignedPoint x = image_(static_cast<Point>(block / of_.inner_));
      Move out{x.point(), x.sign(), std::nullopt};
      const auto numbers = of_.block_numbers(block);
      for (std::size_t k = 0; k < moves_.size(); ++k) {
        BlockAction::Move step = moves_[k](numbers[k]);
        out.block = out.block * of_.blocks_[k]->size() + step.block;
        out.matrix = out.matrix ? kronecker_product(*out.matrix, step.matrix) : std::optional(std::move(step.matrix));
      }
      return out;
    }

   private:
    const Factored& of_;
    SignedPermutation image_;
    std::vector<std::function<BlockAction::Move(std::uint64_t)>> moves_;
  };

  /// N(g).
  RationalMatrix rest(const Permutation& g) const { return rest_.matrix(g); }
  /// The subgroup K of the stabilizer of a block on it, but for signs.
  Representation local(const FiniteGroup& K, std::uint64_t block) const {
    std::vector<Representation> parts;
    const auto numbers = block_numbers(block);
    for (std::size_t k = 0; k < blocks_.size(); ++k) parts.push_back(block_module(K, blocks_[k], numbers[k]));
    if (parts.empty() || !rest_factor_.empty()) parts.push_back(restriction(rest_, K));
    return tensor_product(parts);
  }

 private:
  Factored(std::vector<Representation> factors, const Representation& trivial)
      : factors_(std::move(factors)), scale_(factors_.size(), 1), monomial_(trivial), rest_(trivial) {
    for (std::size_t k = factors_.size(); k-- > 1;) scale_[k - 1] = scale_[k] * factors_[k].dimension();
    std::vector<Representation> monomial, rest;
    for (std::size_t k = 0; k < factors_.size(); ++k) {
      if (factors_[k].is_monomial()) {
        monomial_factor_.push_back(k);
        monomial.push_back(factors_[k]);
      } else if (auto blocks = factors_[k].node().blocks()) {
        block_factor_.push_back(k);
        inner_ *= blocks->size();
        blocks_.push_back(std::move(blocks));
      } else {
        rest_factor_.push_back(k);
        rest.push_back(factors_[k]);
      }
    }
    if (!monomial.empty()) monomial_ = tensor_product(monomial);
    if (!rest.empty()) rest_ = tensor_product(rest);
    size_ = monomial_.dimension() * inner_;
  }

  /// One for every factor of B.
  std::vector<std::uint64_t> block_numbers(std::uint64_t block) const {
    std::vector<std::uint64_t> numbers(blocks_.size());
    for (std::size_t k = blocks_.size(); k-- > 0; block /= blocks_[k]->size()) numbers[k] = block % blocks_[k]->size();
    return numbers;
  }

  std::vector<Representation> factors_;
  std::vector<std::uint64_t> scale_;  ///< by which a digit of a factor counts in a basis vector of V
  std::vector<std::size_t> monomial_factor_, block_factor_, rest_factor_;
  Representation monomial_, rest_;
  std::vector<std::shared_ptr<const BlockAction>> blocks_;
  std::uint64_t inner_ = 1, size_ = 0;  ///< the sizes of the blocks of B, of all
};

class InducedBlocks {
 public:
  InducedBlocks(const Representation& V, const Representation& U, const Task& task, const IntertwinerOptions& options)
      : G_(V.group()),
        in_(V),
        out_(U),
        cols_(V.dimension()),
        task_(task),
        options_(options),
        random_(G_.generators(), G_.degree()) {
    for (const Permutation& g : G_.generators()) {
      const Permutation back = g.inverse();
      there_.push_back({{out_, g}, {in_, g}});
      in_back_.emplace_back(in_, back);
      left_.push_back(out_.rest(g));
      right_.push_back(in_.rest(back));
    }
  }

  std::vector<IntertwinerSpace::Element> run() {
    const std::uint64_t pairs = in_.size() * out_.size();
    task_.require_memory(12 * pairs, "the orbits of blocks");
    parent_.assign(pairs, none);
    generator_.assign(pairs, 0);
    number_.assign(pairs, 0);
    std::vector<IntertwinerSpace::Element> elements;
    for (std::uint64_t start = 0; start < pairs; ++start) {
      if (parent_[start] != none) continue;
      task_.progress("orbits of blocks", start, pairs);
      walk(start);
      carry(local_maps(start), elements);
    }
    return elements;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct PairAction {
    Factored::Element out, in;
  };
  /// The pair that an element takes `pair` to, and the sign of the block on the way.
  std::pair<std::uint64_t, int> moved(std::uint64_t pair, const PairAction& g) const {
    const std::uint64_t n = in_.size();
    const Factored::Move i = g.out(pair / n), j = g.in(pair % n);
    return {i.block * n + j.block, i.sign * j.sign};
  }

  /// The orbit of a pair, breadth first.
  void walk(std::uint64_t start) {
    orbit_.assign(1, start);
    parent_[start] = static_cast<std::uint32_t>(start);
    number_[start] = 0;
    for (std::size_t head = 0; head < orbit_.size(); ++head) {
      task_.poll();
      for (std::size_t k = 0; k < there_.size(); ++k) {
        const std::uint64_t next = moved(orbit_[head], there_[k]).first;
        if (parent_[next] != none) continue;
        parent_[next] = static_cast<std::uint32_t>(orbit_[head]);
        generator_[next] = static_cast<std::uint32_t>(k);
        number_[next] = static_cast<std::uint32_t>(orbit_.size());
        orbit_.push_back(next);
      }
    }
  }

  /// The element along the tree that takes the start of the orbit to a pair.
  Permutation transversal(std::uint64_t pair) const {
    Permutation t = Permutation::identity(G_.degree());
    for (; parent_[pair] != pair; pair = parent_[pair]) t = t * G_.generators()[generator_[pair]];
    return t;
  }

  std::vector<RationalMatrix> local_maps(std::uint64_t start) {
    const std::uint64_t d_out = out_.places(start / in_.size()).size(), d_in = in_.places(start % in_.size()).size();
    const Integer order = G_.order() / orbit_.size();
    std::vector<RationalMatrix> maps;
    if (order == 1) {
      for (std::uint64_t e = 0; e < d_out * d_in; ++e) {
        IntegerMatrix unit(d_out, d_in);
        unit.set(e / d_in, e % d_in, 1L);
        maps.emplace_back(std::move(unit));
      }
      return maps;
    }
    const auto action = [&](const Permutation& g) { return PairAction{{out_, g}, {in_, g}}; };
    const auto random_element = [&] {
      task_.poll();
      const Permutation g = random_.next();
      return transversal(moved(start, action(g)).first).inverse() * g;
    };
    const std::vector<Permutation> generators =
        proved_generators(G_.degree(), order, random_element, random_.rng(), task_);
    std::vector<int> signs;
    for (const Permutation& h : generators) signs.push_back(moved(start, action(h)).second);
    const FiniteGroup K = FiniteGroup::with_known_order(G_.degree(), generators, {}, order);
    Representation target = out_.local(K, start / in_.size());
    if (std::find(signs.begin(), signs.end(), -1) != signs.end()) target = linear_character(K, signs) * target;
    for (const IntertwinerSpace::Element& element :
         intertwiner_space(in_.local(K, start % in_.size()), target, task_, options_).elements()) {
      IntegerMatrix map(d_out, d_in);
      for (std::size_t e = 0; e < element.place.size(); ++e)
        map.set(element.place[e] / d_in, element.place[e] % d_in, element.value(0, e));
      maps.emplace_back(std::move(map));
    }
    return maps;
  }

  /// M (x) N, or N where there is no M.
  static RationalMatrix with_rest(const Factored::Move& move, const RationalMatrix& N) {
    if (!move.matrix) return N;
    return N.rows() == 1 ? N(0, 0) * *move.matrix : kronecker_product(*move.matrix, N);
  }

  /// The elements with these blocks at the start of the orbit.
  void carry(const std::vector<RationalMatrix>& maps, std::vector<IntertwinerSpace::Element>& elements) const {
    if (maps.empty()) return;
    const std::uint64_t d_out = maps[0].rows(), d_in = maps[0].cols(), n = in_.size(), count = maps.size();
    task_.require_memory(64 * orbit_.size() * d_out * d_in * count, "the basis elements of an orbit");
    std::vector<std::vector<RationalMatrix>> blocks(count);
    for (std::size_t m = 0; m < count; ++m) blocks[m].push_back(maps[m]);
    for (std::size_t k = 1; k < orbit_.size(); ++k) {
      task_.poll();
      const std::uint64_t pair = orbit_[k], from = parent_[pair];
      const std::size_t g = generator_[pair];
      const Factored::Move i = there_[g].out(from / n), j = in_back_[g](pair % n);
      const RationalMatrix left = with_rest(i, left_[g]), right = with_rest(j, right_[g]);
      for (auto& list : blocks) {
        const RationalMatrix block = left * list[number_[from]] * right;
        list.push_back(i.sign * j.sign > 0 ? block : Rational(-1) * block);
      }
    }
    for (const auto& list : blocks) elements.push_back(element(horizontal_stack(list), d_out, d_in));
  }

  /// The element with these blocks on the pairs of the orbit.
  IntertwinerSpace::Element element(const RationalMatrix& all, std::uint64_t d_out, std::uint64_t d_in) const {
    std::vector<std::pair<std::uint64_t, std::pair<std::size_t, std::size_t>>> entries;
    for (std::size_t k = 0; k < orbit_.size(); ++k) {
      const std::vector<std::uint64_t> rows = out_.places(orbit_[k] / in_.size()),
                                       cols = in_.places(orbit_[k] % in_.size());
      for (std::uint64_t i = 0; i < d_out; ++i)
        for (std::uint64_t j = 0; j < d_in; ++j)
          if (all.numerator().sign(i, k * d_in + j) != 0)
            entries.push_back({rows[i] * cols_ + cols[j], {i, k * d_in + j}});
    }
    std::sort(entries.begin(), entries.end());
    IntertwinerSpace::Element out;
    out.value = IntegerMatrix(1, entries.size());
    for (std::size_t e = 0; e < entries.size(); ++e) {
      out.place.push_back(entries[e].first);
      out.value.set(0, e, all.numerator()(entries[e].second.first, entries[e].second.second));
    }
    return out;
  }

  FiniteGroup G_;
  Factored in_, out_;
  std::uint64_t cols_;
  const Task& task_;
  const IntertwinerOptions& options_;
  RandomElements random_;
  std::vector<PairAction> there_;             ///< the actions of the generators
  std::vector<Factored::Element> in_back_;    ///< the actions of their inverses
  std::vector<RationalMatrix> left_, right_;  ///< the matrices of the generators: on N', and inverse on N
  std::vector<std::uint32_t> parent_, generator_,
      number_;  ///< by pair: the orbits' trees, the place in the orbit
  std::vector<std::uint64_t> orbit_;
};

/// The number of blocks.
std::uint64_t number_of_blocks(const Representation& V, const Task& task) {
  std::uint64_t product = 1;
  for (const Representation& F : V.node().tensor_factors())
    if (F.is_monomial()) {
      product *= F.dimension();
    } else {
      constexpr std::uint64_t each = 256;
      task.require_memory(std::min(F.dimension(), ~std::uint64_t{0} / each) * each, "the blocks of a representation");
      if (const auto blocks = F.node().blocks()) product *= blocks->size();
    }
  return product;
}

}  // namespace

bool has_blocks(const Representation& V, const Representation& U, const Task& task) {
  const std::uint64_t in = number_of_blocks(V, task), out = number_of_blocks(U, task);
  return (in > 1 || out > 1) && in <= max_blocks / std::max<std::uint64_t>(out, 1);
}

IntertwinerSpace equivariant_basis_by_induction(const Representation& V, const Representation& U, const Task& task,
                                                const IntertwinerOptions& options) {
  require_one_group(V, U, "equivariant_basis_by_induction");
  for (const Representation* W : {&V, &U})
    if (!W->field().is_rational())
      throw DomainError("equivariant_basis_by_induction: " + W->to_string() + " is over " + W->field().to_string() +
                        ", not over Q; its maps are found by isotypic components");
  const std::uint64_t in = number_of_blocks(V, task), out = number_of_blocks(U, task);
  if (in <= 1 && out <= 1)
    throw DomainError(
        "equivariant_basis_by_induction: neither " + V.to_string() + " nor " + U.to_string() +
        " has a monomial or induced factor, or a Schur functor of a monomial one, in more than one block");
  if (!has_blocks(V, U, task))
    throw LimitError(fmt::format("equivariant_basis_by_induction: {} x {} blocks are more than 2^26", out, in));
  return {U.dimension(), V.dimension(), InducedBlocks(V, U, task, options).run()};
}

}  // namespace intertwine
