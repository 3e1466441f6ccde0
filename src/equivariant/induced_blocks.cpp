#include <fmt/format.h>

#include <algorithm>

#include "equivariant/group_elements.hpp"
#include "equivariant/hom_blocks.hpp"
#include "groups/chain/random_words.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/actions.hpp"
#include "representations/node.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t max_blocks = std::uint64_t{1} << 26;

/// V = P (x) N up to the order of its basis.
struct Factored {
  Representation monomial, rest;
  std::vector<std::uint64_t> place;  ///< [x dim N + j]: the basis vector of V that is e_x (x) f_j
};

Factored factored(const Representation& V) {
  std::vector<Representation> monomial, rest;
  const std::vector<Representation> factors = V.node().tensor_factors();
  for (const Representation& F : factors) (F.is_monomial() ? monomial : rest).push_back(F);
  if (monomial.empty()) monomial.push_back(trivial_representation(V.group()));
  if (rest.empty()) rest.push_back(trivial_representation(V.group()));
  Factored result{tensor_product(monomial), tensor_product(rest), {}};
  const std::uint64_t d = result.rest.dimension();
  result.place.resize(V.dimension());
  for (std::uint64_t i = 0; i < V.dimension(); ++i) {
    // The digits of i, the last factor fastest, sorted into the two products.
    std::uint64_t left = i, x = 0, j = 0, x_scale = 1, j_scale = 1;
    for (std::size_t k = factors.size(); k-- > 0;) {
      const std::uint64_t digit = left % factors[k].dimension();
      left /= factors[k].dimension();
      std::uint64_t& value = factors[k].is_monomial() ? x : j;
      std::uint64_t& scale = factors[k].is_monomial() ? x_scale : j_scale;
      value += digit * scale;
      scale *= factors[k].dimension();
    }
    result.place[x * d + j] = i;
  }
  return result;
}

class InducedBlocks {
 public:
  InducedBlocks(const Representation& V, const Representation& U, const Task& task,
                const IntertwinerOptions& options)
      : G_(V.group()),
        in_(factored(V)),
        out_(factored(U)),
        cols_(V.dimension()),
        task_(task),
        options_(options),
        random_(G_.generators(), G_.degree()),
        in_images_(in_.monomial.generator_images()),
        out_images_(out_.monomial.generator_images()) {
    for (const Permutation& g : G_.generators()) {
      left_.push_back(out_.rest.matrix(g));
      right_.push_back(in_.rest.matrix(g.inverse()));
    }
  }

  std::vector<IntertwinerSpace::Element> run() {
    const std::uint64_t pairs = in_.monomial.dimension() * out_.monomial.dimension();
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

  /// The pair that g takes `pair` to, and the sign of the block on the way.
  static std::pair<std::uint64_t, int> moved(std::uint64_t pair, const SignedPermutation& out,
                                             const SignedPermutation& in) {
    const std::uint64_t n = in.degree();
    const SignedPoint i = out(static_cast<Point>(pair / n)), j = in(static_cast<Point>(pair % n));
    return {std::uint64_t{i.point()} * n + j.point(), i.sign() * j.sign()};
  }

  /// The orbit of a pair, breadth first.
  void walk(std::uint64_t start) {
    orbit_.assign(1, start);
    parent_[start] = static_cast<std::uint32_t>(start);
    number_[start] = 0;
    for (std::size_t head = 0; head < orbit_.size(); ++head)
      for (std::size_t k = 0; k < in_images_.size(); ++k) {
        const std::uint64_t next = moved(orbit_[head], out_images_[k], in_images_[k]).first;
        if (parent_[next] != none) continue;
        parent_[next] = static_cast<std::uint32_t>(orbit_[head]);
        generator_[next] = static_cast<std::uint32_t>(k);
        number_[next] = static_cast<std::uint32_t>(orbit_.size());
        orbit_.push_back(next);
      }
  }

  /// The element along the tree that takes the start of the orbit to a pair.
  Permutation transversal(std::uint64_t pair) const {
    Permutation t = Permutation::identity(G_.degree());
    for (; parent_[pair] != pair; pair = parent_[pair]) t = t * G_.generators()[generator_[pair]];
    return t;
  }

  std::vector<RationalMatrix> local_maps(std::uint64_t start) {
    const std::uint64_t d_out = out_.rest.dimension(), d_in = in_.rest.dimension();
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
    const auto random_element = [&] {
      task_.poll();
      const Permutation g = random_.next();
      const std::uint64_t image = moved(start, out_.monomial.image(g), in_.monomial.image(g)).first;
      return transversal(image).inverse() * g;
    };
    const std::vector<Permutation> generators =
        proved_generators(G_.degree(), order, random_element, random_.rng(), task_);
    std::vector<int> signs;
    for (const Permutation& h : generators)
      signs.push_back(moved(start, out_.monomial.image(h), in_.monomial.image(h)).second);
    const FiniteGroup K = FiniteGroup::with_known_order(G_.degree(), generators, {}, order);
    Representation target = restriction(out_.rest, K);
    if (std::find(signs.begin(), signs.end(), -1) != signs.end())
      target = linear_character(K, signs) * target;
    for (const IntertwinerSpace::Element& element :
         intertwiner_space(restriction(in_.rest, K), target, task_, options_).elements()) {
      IntegerMatrix map(d_out, d_in);
      for (std::size_t e = 0; e < element.place.size(); ++e)
        map.set(element.place[e] / d_in, element.place[e] % d_in, element.value(0, e));
      maps.emplace_back(std::move(map));
    }
    return maps;
  }

  /// The elements with these blocks at the start of the orbit.
  void carry(const std::vector<RationalMatrix>& maps,
             std::vector<IntertwinerSpace::Element>& elements) const {
    const std::uint64_t d_out = out_.rest.dimension(), d_in = in_.rest.dimension();
    const std::uint64_t n = in_.monomial.dimension();
    for (const RationalMatrix& first : maps) {
      task_.require_memory(64 * orbit_.size() * d_out * d_in, "a basis element");
      std::vector<RationalMatrix> blocks{first};
      blocks.reserve(orbit_.size());
      for (std::size_t k = 1; k < orbit_.size(); ++k) {
        task_.poll();
        const std::uint64_t pair = orbit_[k], from = parent_[pair];
        const std::size_t g = generator_[pair];
        const int sign = moved(from, out_images_[g], in_images_[g]).second;
        const RationalMatrix block = left_[g] * blocks[number_[from]] * right_[g];
        blocks.push_back(sign > 0 ? block : Rational(-1) * block);
      }
      const RationalMatrix all = horizontal_stack(blocks);
      std::vector<std::pair<std::uint64_t, std::pair<std::size_t, std::size_t>>> entries;
      for (std::size_t k = 0; k < orbit_.size(); ++k)
        for (std::uint64_t i = 0; i < d_out; ++i)
          for (std::uint64_t j = 0; j < d_in; ++j) {
            if (all.numerator().sign(i, k * d_in + j) == 0) continue;
            const std::uint64_t row = out_.place[orbit_[k] / n * d_out + i],
                                col = in_.place[orbit_[k] % n * d_in + j];
            entries.push_back({row * cols_ + col, {i, k * d_in + j}});
          }
      std::sort(entries.begin(), entries.end());
      IntertwinerSpace::Element element;
      element.value = IntegerMatrix(1, entries.size());
      for (std::size_t e = 0; e < entries.size(); ++e) {
        element.place.push_back(entries[e].first);
        element.value.set(0, e, all.numerator()(entries[e].second.first, entries[e].second.second));
      }
      elements.push_back(std::move(element));
    }
  }

  FiniteGroup G_;
  Factored in_, out_;
  std::uint64_t cols_;
  const Task& task_;
  const IntertwinerOptions& options_;
  RandomElements random_;
  std::vector<SignedPermutation> in_images_, out_images_;
  std::vector<RationalMatrix> left_, right_;  ///< of the generators: on N', and inverse on N
  std::vector<std::uint32_t> parent_, generator_,
      number_;  ///< by pair: the orbits' trees, the place in the orbit
  std::vector<std::uint64_t> orbit_;
};

/// The dimension of the product of the monomial factors.
std::uint64_t monomial_dimension(const Representation& V) {
  std::uint64_t product = 1;
  for (const Representation& F : V.node().tensor_factors())
    if (F.is_monomial()) product *= F.dimension();
  return product;
}

}  // namespace

bool has_blocks(const Representation& V, const Representation& U) {
  const std::uint64_t in = monomial_dimension(V), out = monomial_dimension(U);
  return (in > 1 || out > 1) && in <= max_blocks / std::max<std::uint64_t>(out, 1);
}

IntertwinerSpace equivariant_basis_by_induction(const Representation& V, const Representation& U,
                                                const Task& task, const IntertwinerOptions& options) {
  require_one_group(V, U, "equivariant_basis_by_induction");
  for (const Representation* W : {&V, &U})
    if (!W->field().is_rational())
      throw DomainError("equivariant_basis_by_induction: " + W->to_string() + " is over " +
                        W->field().to_string() + ", not over Q; its maps are found by isotypic components");
  const std::uint64_t in = monomial_dimension(V), out = monomial_dimension(U);
  if (in <= 1 && out <= 1)
    throw DomainError("equivariant_basis_by_induction: neither " + V.to_string() + " nor " + U.to_string() +
                      " has a monomial factor of dimension above 1");
  if (!has_blocks(V, U))
    throw LimitError(
        fmt::format("equivariant_basis_by_induction: {} x {} blocks are more than 2^26", out, in));
  return {U.dimension(), V.dimension(), InducedBlocks(V, U, task, options).run()};
}

}  // namespace intertwine
