// Stabilizer chains by random elements, with proofs.
#include "intertwine/groups/stabilizer_chain.hpp"

#include <fmt/format.h>

#include "chain_state.hpp"
#include "chain_verify.hpp"

namespace intertwine {

namespace {

/// A finished chain with explicit levels.
template <class T>
class LevelState final : public StabilizerChain::State {
 public:
  using Images = typename ChainBuilder<T>::Images;

  explicit LevelState(ChainBuilder<T> builder) : builder_(std::move(builder)) {
    builder_.finish();
    degree = builder_.degree();
    order = builder_.order();
  }

  std::size_t length() const override { return builder_.levels().size(); }
  Point base_point(std::size_t l) const override { return builder_.levels()[l].base; }
  std::span<const Point> orbit(std::size_t l) const override { return builder_.levels()[l].orbit; }
  std::int64_t position(std::size_t l, Point x) const override { return builder_.levels()[l].position[x]; }
  Permutation transversal(std::size_t l, Point x) const override {
    return widen(builder_.transversal(builder_.levels()[l], x));
  }

  std::function<Permutation(std::size_t, Point)> transversals(std::size_t bytes) const override {
    if (builder_.kept() > bytes) return State::transversals(bytes);
    auto builder = std::make_shared<ChainBuilder<T>>(builder_);  // its own: this one may be read by other threads
    builder->limit_kept(bytes);
    return [builder](std::size_t l, Point x) { return widen(builder->transversal_and_keep(l, x)); };
  }

  std::vector<Permutation> stabilizer_generators(std::size_t level) const override {
    std::vector<Permutation> result;
    for (std::size_t k = 0; k < builder_.generators().size(); ++k)
      if (builder_.depth()[k] >= level) result.push_back(widen(builder_.generators()[k]));
    return result;
  }

  std::vector<Point> sift(std::vector<Point> g, std::vector<std::size_t>* positions) const override {
    Images narrow(g.begin(), g.end());
    builder_.sift_in_place(narrow, 0, positions);
    return {narrow.begin(), narrow.end()};
  }

  std::vector<Point> product(std::span<const std::size_t> positions) const override {
    // The inverse of u_0 ... u_{k-1} is a sequence of divisions, first u_0, applied to the identity.
    Images g(degree);
    std::iota(g.begin(), g.end(), T{0});
    for (std::size_t l = 0; l < positions.size(); ++l)
      builder_.divide(builder_.levels()[l], builder_.levels()[l].orbit[positions[l]], g);
    std::vector<Point> result(degree);
    for (Point i = 0; i < degree; ++i) result[g[i]] = i;
    return result;
  }

 private:
  static Permutation widen(const Images& g) { return Permutation::unchecked(std::vector<Point>(g.begin(), g.end())); }

  ChainBuilder<T> builder_;
};

constexpr int patience_before_proof = 6;

template <class T>
std::shared_ptr<const StabilizerChain::State> proved_levels(std::size_t degree, std::span<const Permutation> generators,
                                                            std::span<const Point> base, Rng& rng, const Task& task) {
  ChainBuilder<T> builder(degree, generators, base, task);
  builder.randomize(patience_before_proof, 0, rng);
  // Random elements may miss most of a chain of many levels at first, and a proof is dear: the bound is worth a second
  // look.
  constexpr std::size_t many_levels = 40;
  constexpr int patience_below_bound = 32;
  const bool many = builder.levels().size() >= many_levels;
  if (many || 3 * builder.levels().size() >= degree) {
    const Integer bound = order_upper_bound(degree, generators);
    if (many) builder.randomize(patience_below_bound, bound, rng);
    if (builder.order() == bound) return std::make_shared<LevelState<T>>(std::move(builder));
  }
  while (!verify_chain(builder)) builder.randomize(2, 0, rng);
  return std::make_shared<LevelState<T>>(std::move(builder));
}

template <class T>
std::shared_ptr<const StabilizerChain::State> levels_of_order(std::size_t degree,
                                                              std::span<const Permutation> generators,
                                                              std::span<const Point> base, const Integer& order,
                                                              Rng& rng, const Task& task) {
  ChainBuilder<T> builder(degree, generators, base, task);
  builder.randomize(64, order, rng);
  if (builder.order() < order)
    while (!verify_chain(builder)) builder.randomize(2, order, rng);
  if (builder.order() != order)
    throw InternalError(fmt::format(
        "StabilizerChain: the generators do not generate a group of the stated order {}, but one of order {}",
        order.str(), builder.order().str()));
  return std::make_shared<LevelState<T>>(std::move(builder));
}

/// A proved chain of the order of Sym(n) or Alt(n) (the only subgroup of index 2) is held as one: recognition by random
/// elements may have missed it.
std::shared_ptr<const StabilizerChain::State> as_giant(std::shared_ptr<const StabilizerChain::State> state,
                                                       std::span<const Point> base) {
  const std::size_t n = state->degree;
  if (n < 8 || state->length() + 2 < n) return state;
  if (state->order == factorial(n)) return giant_chain_state(n, true, base);
  if (state->order * 2 == factorial(n)) return giant_chain_state(n, false, base);
  return state;
}

void check_input(std::size_t degree, std::span<const Permutation> generators, std::span<const Point> base) {
  for (const Permutation& g : generators)
    if (g.degree() != degree)
      throw DomainError(fmt::format("StabilizerChain: a generator permutes {} points, not {}", g.degree(), degree));
  for (const Point b : base)
    if (b >= degree)
      throw DomainError(fmt::format("StabilizerChain: base point {} is out of range 0..{}", b, degree - 1));
}

/// The bytes of a chain before anything is known of the group: generators, one level, the random words.
void require_start(std::size_t degree, std::span<const Permutation> generators, const Task& task) {
  task.require_memory((2 * generators.size() + 16) * degree * sizeof(Point), "the stabilizer chain");
}

}  // namespace

StabilizerChain::StabilizerChain(std::shared_ptr<const State> state) : state_(std::move(state)) {}

StabilizerChain::StabilizerChain(std::size_t degree, std::span<const Permutation> generators,
                                 std::span<const Point> base, const Task& task) {
  check_input(degree, generators, base);
  require_start(degree, generators, task);
  Rng rng(fixed_seed);
  if (const int giant = recognize_giant(degree, generators, rng, task); giant != 0)
    state_ = giant_chain_state(degree, giant == 2, base);
  else if (degree <= 0xffff)
    state_ = as_giant(proved_levels<std::uint16_t>(degree, generators, base, rng, task), base);
  else
    state_ = as_giant(proved_levels<std::uint32_t>(degree, generators, base, rng, task), base);
}

StabilizerChain StabilizerChain::with_known_order(std::size_t degree, std::span<const Permutation> generators,
                                                  const Integer& order, std::span<const Point> base, const Task& task) {
  check_input(degree, generators, base);
  require_start(degree, generators, task);
  Rng rng(fixed_seed);
  if (const int giant = recognize_giant(degree, generators, rng, task); giant != 0) {
    const auto state = giant_chain_state(degree, giant == 2, base);
    if (state->order != order)
      throw InternalError(
          fmt::format("StabilizerChain: the group has order {}, not the stated {}", state->order.str(), order.str()));
    return StabilizerChain(state);
  }
  return StabilizerChain(as_giant(degree <= 0xffff
                                      ? levels_of_order<std::uint16_t>(degree, generators, base, order, rng, task)
                                      : levels_of_order<std::uint32_t>(degree, generators, base, order, rng, task),
                                  base));
}

std::size_t StabilizerChain::degree() const { return state_->degree; }
const Integer& StabilizerChain::order() const { return state_->order; }
std::size_t StabilizerChain::length() const { return state_->length(); }
Point StabilizerChain::base_point(std::size_t level) const { return state_->base_point(level); }
std::span<const Point> StabilizerChain::orbit(std::size_t level) const { return state_->orbit(level); }
Permutation StabilizerChain::transversal(std::size_t level, Point x) const { return state_->transversal(level, x); }
std::vector<Permutation> StabilizerChain::stabilizer_generators(std::size_t level) const {
  return state_->stabilizer_generators(level);
}
bool StabilizerChain::is_giant() const { return state_->giant; }

bool StabilizerChain::contains(const Permutation& g) const { return g.degree() == degree() && sift(g).is_identity(); }

Permutation StabilizerChain::sift(const Permutation& g) const {
  if (g.degree() != degree())
    throw DomainError(fmt::format("sift: an element of degree {} in a chain of degree {}", g.degree(), degree()));
  return Permutation::unchecked(state_->sift({g.images().begin(), g.images().end()}, nullptr));
}

Permutation StabilizerChain::random_element(Rng& rng) const {
  std::vector<std::size_t> positions(length());
  for (std::size_t l = 0; l < positions.size(); ++l) positions[l] = rng.below(orbit(l).size());
  return Permutation::unchecked(state_->product(positions));
}

Integer StabilizerChain::rank(const Permutation& g) const {
  std::vector<std::size_t> positions;
  const bool member =
      g.degree() == degree() &&
      Permutation::unchecked(state_->sift({g.images().begin(), g.images().end()}, &positions)).is_identity() &&
      positions.size() == length();
  if (!member) throw DomainError("rank: the permutation " + g.to_string() + " is not in the group");
  Integer result = 0;
  for (std::size_t l = 0; l < positions.size(); ++l) result = result * Integer(orbit(l).size()) + Integer(positions[l]);
  return result;
}

Permutation StabilizerChain::unrank(const Integer& rank) const {
  if (rank < 0 || rank >= order())
    throw DomainError(
        fmt::format("unrank: rank {} is not in 0..{} (the order minus 1)", rank.str(), Integer(order() - 1).str()));
  std::vector<std::size_t> positions(length());
  Integer rest = rank;
  for (std::size_t l = positions.size(); l-- > 0;) {
    const Integer radix(orbit(l).size());
    positions[l] = static_cast<std::size_t>(Integer(rest % radix));
    rest /= radix;
  }
  return Permutation::unchecked(state_->product(positions));
}

void StabilizerChain::for_each_element(const std::function<bool(const Permutation&)>& f, const Task& task) const {
  const std::size_t depth = length();
  std::vector<Permutation> prefix(depth + 1, Permutation::identity(degree()));
  std::vector<std::size_t> next(depth, 0);
  if (depth == 0) {
    f(prefix[0]);
    return;
  }
  // Memory that a limit leaves no room for is not taken: then walks up the trees are long again.
  const auto transversal = state_->transversals(task.memory() / 8);
  // The transversals of the last levels are used again and again: kept while they are small.
  constexpr std::size_t worth_keeping = std::size_t{1} << 22;
  std::vector<std::vector<Permutation>> kept(depth);
  for (std::size_t l = depth, points = 0; l-- > 0;) {
    points += orbit(l).size() * degree();
    if (l == 0 || points > worth_keeping) break;
    for (const Point x : orbit(l)) kept[l].push_back(transversal(l, x));
  }
  for (std::size_t l = 0;;) {  // prefix[l] = u_0 ... u_{l-1}
    if (next[l] == orbit(l).size()) {
      next[l] = 0;
      if (l == 0) return;
      --l;
      continue;
    }
    prefix[l + 1] = prefix[l] * (kept[l].empty() ? transversal(l, orbit(l)[next[l]]) : kept[l][next[l]]);
    ++next[l];
    if (l + 1 < depth) {
      ++l;
      continue;
    }
    task.poll();
    if (!f(prefix[depth])) return;
  }
}

}  // namespace intertwine
