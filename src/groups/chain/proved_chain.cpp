// The proof of an order, checked: what docs/formats.md says under "The order of the group".
#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/groups/order_proof.hpp"

namespace intertwine {

namespace {

[[noreturn]] void refuse_chain(const std::string& what) { throw VerificationError("verify: " + what); }

}  // namespace

ProvedChain::ProvedChain(std::size_t degree, const std::vector<Permutation>& generators, const OrderProof& proof,
                         const Task& task)
    : degree_(degree), given_(generators.size()), elements_(generators) {
  for (const Permutation& g : generators)
    if (g.degree() != degree) throw DomainError("verify: a generator has another degree than the group");
  task.require_memory((given_ + proof.words.size()) * degree * sizeof(Point), "the words of the proof");
  for (std::size_t k = 0; k < proof.words.size(); ++k) {
    task.poll();
    Permutation product = Permutation::identity(degree);
    for (const std::int32_t x : proof.words[k]) {
      const std::uint64_t j = x < 0 ? -std::int64_t{x} : std::int64_t{x};
      if (j == 0 || j > elements_.size())
        refuse_chain(fmt::format("word {} has the letter {}, which is no element before it", k, x));
      product = product * (x > 0 ? elements_[j - 1] : elements_[j - 1].inverse());
    }
    elements_.push_back(std::move(product));
  }
  close_levels(proof, task);
  sift_schreier_generators(task);
}

void ProvedChain::close_levels(const OrderProof& proof, const Task& task) {
  std::vector<char> is_strong(elements_.size(), 0), met(degree_, 0);
  std::vector<std::size_t> moving;
  for (const std::uint32_t s : proof.strong) {
    if (s >= elements_.size()) refuse_chain(fmt::format("there is no element {} to be strong", s));
    if (is_strong[s] == 0) moving.push_back(s);
    is_strong[s] = 1;
  }
  for (std::size_t k = 0; k < given_; ++k)
    if (is_strong[k] == 0) refuse_chain(fmt::format("generator {} is not among the strong generators", k));
  std::uint64_t held = elements_.size();
  for (const Point b : proof.base) {
    if (b >= degree_ || met[b] != 0)
      refuse_chain(fmt::format("{} is no point that the base can have, or is there twice", b));
    met[b] = 1;
    Level level{b, moving, {Permutation::identity(degree_)}, std::vector<std::int64_t>(degree_, -1), {}};
    level.place[b] = 0;
    std::vector<Point> orbit{b};
    for (std::size_t k = 0; k < orbit.size(); ++k)
      for (const std::size_t s : moving) {
        const Point y = elements_[s](orbit[k]);
        if (level.place[y] >= 0) continue;
        task.require_memory(++held * degree_ * sizeof(Point), "the transversals of the proof");
        level.place[y] = static_cast<std::int64_t>(orbit.size());
        level.from.emplace_back(s, k);
        level.transversal.push_back(elements_[s] * level.transversal[k]);
        orbit.push_back(y);
      }
    order_ *= orbit.size();
    std::erase_if(moving, [&](std::size_t s) { return elements_[s](b) != b; });
    levels_.push_back(std::move(level));
  }
  for (const std::size_t s : moving)
    if (!elements_[s].is_identity())
      refuse_chain(fmt::format("strong generator {} fixes the base and is not the identity", s));
}

void ProvedChain::sift_schreier_generators(const Task& task) const {
  for (std::size_t i = 0; i < levels_.size(); ++i)
    for (const std::size_t s : levels_[i].strong)
      for (const Permutation& u : levels_[i].transversal) {
        task.poll();
        if (!factors(elements_[s] * u, i))
          refuse_chain(fmt::format(
              "a Schreier generator of level {} is not in the group of the level below: the order is larger", i));
      }
}

FiniteGroup ProvedChain::group() const {
  return FiniteGroup::with_known_order(
      degree_, {elements_.begin(), elements_.begin() + static_cast<std::ptrdiff_t>(given_)}, {}, order_);
}

std::optional<std::vector<std::size_t>> ProvedChain::factors(Permutation g, std::size_t first) const {
  std::vector<std::size_t> places;
  for (std::size_t i = first; i < levels_.size(); ++i) {
    const Level& level = levels_[i];
    const std::int64_t place = level.place[g(level.base)];
    if (place < 0) return {};
    places.push_back(static_cast<std::size_t>(place));
    if (place > 0) g = level.transversal[places.back()].inverse() * g;
  }
  if (!g.is_identity()) return {};
  return places;
}

ProvedChain verify(const GroupClaim& claim, const Task& task) {
  ProvedChain chain(claim.degree, claim.generators, claim.proof, task);
  if (chain.order() != claim.order)
    refuse_chain(fmt::format("the order of the group is {}, not {}", chain.order().str(), claim.order.str()));
  verify(chain.group(), claim.classes, task);
  return chain;
}

}  // namespace intertwine
