// Kernels between homogeneous spaces, by double cosets.
#include "intertwine/equivariant/mackey_basis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/equivariant/basis_methods.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/coset_space.hpp"
#include "intertwine/groups/random_words.hpp"
#include "intertwine/representations/representation_node.hpp"

namespace intertwine {

namespace {

/// Every matrix: where nothing has to commute.
IntertwinerSpace all_matrices(std::uint64_t rows, std::uint64_t cols, const Task& task) {
  task.require_memory(rows * cols * (sizeof(IntertwinerSpace::Element) + 32), "the kernels of a double coset");
  std::vector<IntertwinerSpace::Element> elements(rows * cols);
  for (std::uint64_t e = 0; e < rows * cols; ++e) {
    elements[e].place = {e};
    elements[e].value = IntegerMatrix(1, 1);
    elements[e].value.set(0, 0, 1L);
  }
  return {rows, cols, std::move(elements)};
}

/// The orbits of H on the cosets of K, each a tree whose root is its least coset.
class DoubleCosets {
 public:
  DoubleCosets(const CosetSpace& cosets, const FiniteGroup& H, const Task& task) : cosets_(cosets), H_(H) {
    task.require_memory(16 * cosets.size(), "the double cosets");
    parent_.assign(cosets.size(), none);
    generator_.assign(cosets.size(), 0);
    block_.assign(cosets.size(), 0);
    for (std::size_t start = 0; start < cosets.size(); ++start) {
      if (parent_[start] != none) continue;
      task.progress("double cosets", start, cosets.size());
      walk(static_cast<std::uint32_t>(start), task);
    }
  }
  struct Orbit {
    std::uint32_t root;
    std::uint64_t length;
  };
  const std::vector<Orbit>& orbits() const { return orbits_; }
  std::uint32_t orbit_of(Point coset) const { return block_[coset]; }
  /// An element of H that takes the root of a coset's orbit to the coset.
  Permutation transversal(Point coset) const {
    Permutation h = Permutation::identity(H_.degree());
    for (; parent_[coset] != coset; coset = parent_[coset]) h = h * H_.generators()[generator_[coset]];
    return h;
  }
  /// The elements of H that fix the root of an orbit.
  FiniteGroup stabilizer(const Orbit& orbit, const Task& task) const {
    const Integer order = H_.order() / orbit.length;
    RandomElements random(H_.generators(), H_.degree());
    const auto random_element = [&] {
      task.poll();
      const Permutation h = random.next();
      return transversal(cosets_.coset_of(h * cosets_.representative(orbit.root))).inverse() * h;
    };
    std::vector<Permutation> generators;
    if (order > 1) generators = proved_generators(H_.degree(), order, random_element, random.rng(), task);
    return FiniteGroup::with_known_order(H_.degree(), std::move(generators), {}, order);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  void walk(std::uint32_t start, const Task& task) {
    std::vector<std::uint32_t> orbit{start};
    parent_[start] = start;
    block_[start] = static_cast<std::uint32_t>(orbits_.size());
    for (std::size_t head = 0; head < orbit.size(); ++head) {
      task.poll();
      for (std::size_t k = 0; k < H_.generators().size(); ++k) {
        const Point next = cosets_.coset_of(H_.generators()[k] * cosets_.representative(orbit[head]));
        if (parent_[next] != none) continue;
        parent_[next] = orbit[head];
        generator_[next] = static_cast<std::uint32_t>(k);
        block_[next] = block_[start];
        orbit.push_back(next);
      }
    }
    orbits_.push_back({start, orbit.size()});
  }

  const CosetSpace& cosets_;
  FiniteGroup H_;
  std::vector<std::uint32_t> parent_, generator_, block_;
  std::vector<Orbit> orbits_;
};

void require_on(const FiniteGroup& H, const FiniteGroup& G, const char* name, const Task& task) {
  if (H.degree() != G.degree())
    throw DomainError(
        fmt::format("mackey_basis: {} = {} permutes {} points and G = {} permutes {}: give {} on the points of G", name,
                    H.name(), H.degree(), G.name(), G.degree(), name));
  G.chain(task);
  for (const Permutation& h : H.generators())
    if (!G.contains(h))
      throw DomainError(fmt::format("mackey_basis: {} = {} is no subgroup of G = {}: its generator {} is no element",
                                    name, H.name(), G.name(), h.to_string()));
}

void require_of(const Representation& V, const FiniteGroup& H, const char* name, const char* group) {
  if (!(V.group() == H))
    throw DomainError(fmt::format("mackey_basis: {} = {} is a representation of {}, not of {} = {}", name,
                                  V.to_string(), V.group().name(), group, H.name()));
}

}  // namespace

struct KernelSpace::State {
  FiniteGroup group;
  Representation source, target;
  AbelianField field;
  CosetSpace cosets;  // G/K
  DoubleCosets double_cosets;
  std::vector<KernelBlock> blocks;
  std::vector<std::uint64_t> start;  // [blocks + 1]: where their kernels start
  CountedDimension counted;

  State(const FiniteGroup& G, const Representation& sigma, const Representation& rho, const Task& task)
      : group(G),
        source(sigma),
        target(rho),
        field(AbelianField::compositum(sigma.field(), rho.field())),
        cosets(G, sigma.group(), task),
        double_cosets(cosets, rho.group(), task) {}
  State(const State&) = delete;  // double_cosets refers to cosets
  State& operator=(const State&) = delete;

  /// The block of a kernel.
  std::size_t block_of(std::uint64_t k) const {
    if (k >= start.back())
      throw DomainError(fmt::format("there is no kernel {}: there are {}, from 0", k, start.back()));
    return static_cast<std::size_t>(std::upper_bound(start.begin(), start.end(), k) - start.begin()) - 1;
  }
  /// kappa_k at the representative of its block.
  FieldMatrix first_value(std::uint64_t k, std::size_t block) const {
    const IntertwinerSpace& values = blocks[block].values;
    const std::uint64_t element = k - start[block];
    std::vector<Cyclotomic> entries(values.rows() * values.cols());
    for (std::uint64_t e = values.start()[element]; e < values.start()[element + 1]; ++e)
      entries[values.row()[e] * values.cols() + values.col()[e]] = values.value(e);
    return FieldMatrix(values.rows(), values.cols(), entries).over(field);
  }
  /// rho(h) B sigma(k) for x = h g k; nothing if x lies in another double coset.
  FieldMatrix carried(const FieldMatrix& B, std::size_t block, const Permutation& x) const {
    const Point coset = cosets.coset_of(x);
    if (double_cosets.orbit_of(coset) != block) return {field, B.rows(), B.cols()};
    const Permutation h = double_cosets.transversal(coset);
    const Permutation k = (h * blocks[block].representative).inverse() * x;
    // From the right by the transpose: sigma is applied factor by factor, never made.
    return target.apply(h, source.node().apply(k, B.transpose(), true).transpose());
  }
};

const FiniteGroup& KernelSpace::group() const { return state_->group; }
const Representation& KernelSpace::source() const { return state_->source; }
const Representation& KernelSpace::target() const { return state_->target; }
const std::vector<KernelBlock>& KernelSpace::blocks() const { return state_->blocks; }
std::uint64_t KernelSpace::dimension() const { return state_->start.back(); }
const Integer& KernelSpace::character_dimension() const { return state_->counted.dimension; }
const std::string& KernelSpace::route() const { return state_->counted.route; }
const AbelianField& KernelSpace::field() const { return state_->field; }

FieldMatrix KernelSpace::value(std::uint64_t k, const Permutation& x) const {
  const std::size_t block = state_->block_of(k);
  if (!state_->group.contains(x))
    throw DomainError(
        fmt::format("a kernel is a function on {}, and {} is no element of it", state_->group.name(), x.to_string()));
  return state_->carried(state_->first_value(k, block), block, x);
}

FieldMatrix KernelSpace::intertwiner(std::uint64_t k, const Task& task) const {
  const std::size_t block = state_->block_of(k);
  const CosetSpace rows(state_->group, state_->target.group(), task);
  const CosetSpace& cols = state_->cosets;
  const std::uint64_t m = rows.size() * state_->target.dimension(), n = cols.size() * state_->source.dimension();
  task.require_memory(3 * m * n * state_->field.degree() * sizeof(Integer), "the matrix of a kernel");
  const FieldMatrix B = state_->first_value(k, block);
  if (m == 0 || n == 0) return {state_->field, m, n};
  std::vector<FieldMatrix> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Permutation s = rows.representative(i).inverse();
    std::vector<FieldMatrix> row;
    for (std::size_t j = 0; j < cols.size(); ++j) {
      task.poll();
      row.push_back(state_->carried(B, block, s * cols.representative(j)));
    }
    all.push_back(horizontal_stack(row));
  }
  return vertical_stack(all);
}

KernelSpace mackey_basis(const FiniteGroup& G, const FiniteGroup& H, const FiniteGroup& K, const Representation& rho,
                         const Representation& sigma, const Task& task) {
  require_on(H, G, "H", task);
  require_on(K, G, "K", task);
  require_of(rho, H, "rho", "H");
  require_of(sigma, K, "sigma", "K");
  const auto state = std::make_shared<KernelSpace::State>(G, sigma, rho, task);
  state->start.push_back(0);
  const auto& orbits = state->double_cosets.orbits();
  for (std::size_t b = 0; b < orbits.size(); ++b) {
    task.progress("kernels of double cosets", b, orbits.size());
    const Permutation& g = state->cosets.representative(orbits[b].root);
    FiniteGroup S = state->double_cosets.stabilizer(orbits[b], task);
    IntertwinerSpace values = S.generators().empty()
                                  ? all_matrices(rho.dimension(), sigma.dimension(), task)
                                  : intertwiner_space(restriction(conjugation(sigma, g), S), restriction(rho, S), task);
    state->start.push_back(state->start.back() + values.params());
    state->blocks.push_back({g, K.order() * orbits[b].length, std::move(S), values.over(state->field)});
  }
  state->counted = hom_dimension(induction(sigma, G, task), induction(rho, G, task), task);
  if (state->counted.dimension != state->start.back())
    throw InternalError(
        fmt::format("mackey_basis: the double cosets have {} kernels, and the induced characters the inner product {}",
                    state->start.back(), state->counted.dimension.str()));
  return KernelSpace(state);
}

KernelSpace given_kernels(const FiniteGroup& G, const Representation& rho, const Representation& sigma,
                          std::vector<KernelBlock> blocks, const Task& task) {
  require_on(rho.group(), G, "H", task);
  require_on(sigma.group(), G, "K", task);
  const auto state = std::make_shared<KernelSpace::State>(G, sigma, rho, task);
  const auto& orbits = state->double_cosets.orbits();
  if (blocks.size() != orbits.size())
    throw VerificationError(fmt::format("there are {} double cosets, and kernels on {}", orbits.size(), blocks.size()));
  state->start.push_back(0);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Permutation& g = state->cosets.representative(orbits[b].root);
    if (blocks[b].representative != g)
      throw VerificationError(fmt::format("double coset {} is that of {}, not of {}", b + 1, g.to_string(),
                                          blocks[b].representative.to_string()));
    if (blocks[b].values.rows() != rho.dimension() || blocks[b].values.cols() != sigma.dimension())
      throw DomainError(
          fmt::format("given_kernels: values are matrices of {} x {}", rho.dimension(), sigma.dimension()));
    state->start.push_back(state->start.back() + blocks[b].values.params());
  }
  state->blocks = std::move(blocks);
  state->counted = hom_dimension(induction(sigma, G, task), induction(rho, G, task), task);
  return KernelSpace(state);
}

namespace {

/// Proves what a block says of its double coset and of the values there; marks the cosets of K in it.
void verify_block(const KernelBlock& block, const KernelSpace& kernels, const CosetSpace& cosets,
                  std::vector<bool>& seen, const Task& task) {
  const Representation &rho = kernels.target(), &sigma = kernels.source();
  const FiniteGroup& H = rho.group();
  const Permutation &g = block.representative, inverse = g.inverse();
  const auto require = [&](bool holds, const std::string& otherwise) {
    if (!holds) throw VerificationError(fmt::format("double coset of {}: {}", g.to_string(), otherwise));
  };
  require(kernels.group().contains(g), "it is no element of " + kernels.group().name());
  std::vector<Point> orbit{cosets.coset_of(g)};
  require(!seen[orbit[0]], "it has kernels already");
  seen[orbit[0]] = true;
  for (std::size_t k = 0; k < orbit.size(); ++k) {
    task.poll();
    for (const Permutation& h : H.generators())
      if (const Point next = cosets.coset_of(h * cosets.representative(orbit[k])); !seen[next]) {
        seen[next] = true;
        orbit.push_back(next);
      }
  }
  for (const Permutation& s : block.stabilizer.generators())
    require(H.contains(s) && sigma.group().contains(inverse * s * g),
            s.to_string() + " does not lie in its stabilizer");
  const FiniteGroup S(H.degree(), block.stabilizer.generators());
  const Integer whole = H.order() / orbit.size();
  require(S.order(task) == whole,
          fmt::format("its stabilizer has {} elements, and {} are generated", whole.str(), S.order().str()));
  require(
      block.size == sigma.group().order() * orbit.size(),
      fmt::format("it has {} elements, not {}", Integer(sigma.group().order() * orbit.size()).str(), block.size.str()));
  try {
    verify(block.values, restriction(conjugation(sigma, g), S), restriction(rho, S), task);
  } catch (const VerificationError& e) {
    require(false, e.what());
  }
}

}  // namespace

void verify(const KernelSpace& kernels, const Task& task) {
  const CosetSpace cosets(kernels.group(), kernels.source().group(), task);
  std::vector<bool> seen(cosets.size());
  for (std::size_t b = 0; b < kernels.blocks().size(); ++b) {
    task.progress("double cosets", b, kernels.blocks().size());
    verify_block(kernels.blocks()[b], kernels, cosets, seen, task);
  }
  if (std::find(seen.begin(), seen.end(), false) != seen.end())
    throw VerificationError("the double cosets with kernels are not all of " + kernels.group().name());
  const Integer counted = hom_dimension(induction(kernels.source(), kernels.group(), task),
                                        induction(kernels.target(), kernels.group(), task), task)
                              .dimension;
  if (counted != kernels.dimension())
    throw VerificationError(fmt::format("there are {} kernels, and the inner product of the induced characters is {}",
                                        kernels.dimension(), counted.str()));
}

}  // namespace intertwine
