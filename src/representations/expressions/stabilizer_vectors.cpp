// Searches for vectors with short orbits among those that stabilizers fix.
#include "stabilizer_vectors.hpp"

#include <algorithm>
#include <unordered_map>

#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/random_words.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

std::size_t bits(const RationalMatrix& A) {
  const Integer height = A.numerator().height();
  return height == 0 ? 0 : msb(height) + 1;
}

}  // namespace

StabilizerVectors::StabilizerVectors(const FiniteGroup& G, const std::vector<RationalMatrix>& images, const Task& task)
    : group_(G), task_(task), dimension_(images.at(0).rows()), most_bits_(256) {
  for (std::size_t k = 0; k < images.size(); ++k) generators_.push_back({G.generators()[k], images[k]});
  // The elements of a finite group have entries of bounded size; in an infinite one they grow with the words.
  for (const RationalMatrix& A : images) most_bits_ = std::max(most_bits_, 8 * bits(A));
}

bool StabilizerVectors::is_large(const Pair& p) const { return bits(p.matrix) > most_bits_; }

std::vector<StabilizerVectors::Pair> StabilizerVectors::quotients() const {
  std::vector<Pair> result;
  for (const auto& [a, b] : found_)
    result.push_back({a.element.inverse() * b.element, inverse(a.matrix, task_) * b.matrix});
  return result;
}

bool StabilizerVectors::descend() {
  constexpr std::uint64_t work = 20'000'000;
  constexpr std::size_t most_levels = 10, enough = 5;
  const StabilizerChain& chain = group_.chain(task_);
  const auto attempts = static_cast<std::size_t>(
      std::min<std::uint64_t>(work / (std::uint64_t{dimension_} * dimension_ * dimension_ + 1), 400));
  if (attempts < 10) return false;
  if (!found_.empty()) generators_ = quotients();
  found_.clear();
  while (level_ < chain.length() && chain.orbit(level_).size() == 1) ++level_;
  if (level_ >= std::min(chain.length(), most_levels) || generators_.empty()) return false;
  index_ *= chain.orbit(level_).size();
  const Point x = chain.base_point(level_++);
  RandomWords random(generators_, std::max<std::size_t>(generators_.size() + 1, 4), false);
  Rng rng(fixed_seed);
  std::unordered_map<Point, Pair> reached;
  for (std::size_t k = 0; k < attempts && found_.size() < enough; ++k) {
    task_.poll();
    const Pair& g = random.next(rng);
    if (is_large(g)) return false;
    const auto [place, fresh] = reached.try_emplace(g.element(x), g);
    if (!fresh && !(place->second.element == g.element)) found_.emplace_back(place->second, g);
  }
  return !found_.empty();
}

IntegerMatrix StabilizerVectors::vectors() const {
  constexpr std::size_t most_vectors = 6;
  // a^{-1} b x = x says that (b - a) x = 0.
  std::vector<RationalMatrix> equations;
  for (const auto& [a, b] : found_) equations.push_back(b.matrix - a.matrix);
  const IntegerMatrix fixed = null_space(vertical_stack(equations), task_);
  return fixed.block(0, 0, std::min(fixed.rows(), most_vectors), dimension_);
}

}  // namespace intertwine
