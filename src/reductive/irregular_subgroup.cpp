// Subgroups of a simple group by what the adjoint representation becomes; the maximal subgroups of exceptional groups that have a smaller rank.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/reductive/lie_branching.hpp"

namespace intertwine {

namespace {

/// Weights of the subgroup in a linear order in which its positive roots are positive: the height, then the labels.
class WeightOrder {
 public:
  explicit WeightOrder(const RootSystem& H) : doubled_heights_(H.rank(), 0) {
    for (const auto& root : H.positive_roots()) {
      const std::vector<int> coroot = H.coroot(root);
      for (int i = 0; i < H.rank(); ++i) doubled_heights_[i] += coroot[i];
    }
  }
  Weight key(const Weight& weight) const {
    Weight key{std::inner_product(weight.begin(), weight.end(), doubled_heights_.begin(), 0)};
    key.insert(key.end(), weight.begin(), weight.end());
    return key;
  }

 private:
  std::vector<int> doubled_heights_;
};

/// Images of the simple roots of G such that the images of the positive roots are given, the nonnegative half of the weights of the adjoint representation. The least of
/// those that are not sums of images known already is the image of a simple root, since all others are sums of nonnegative ones.
class SimpleRootSearch {
 public:
  SimpleRootSearch(const RootSystem& G, std::map<Weight, long> keys, const Task& task)
      : G_(G), left_(std::move(keys)), images_(G.rank()), task_(task) {}

  bool run(const auto& accept) {
    task_.poll();
    if (left_.empty()) return accept(images_);
    const Weight least = left_.begin()->first;
    for (int node = 0; node < G_.rank(); ++node) {
      if (!images_[node].empty()) continue;
      images_[node] = least;
      if (std::vector<Weight> taken; take(node, taken)) {
        if (run(accept)) return true;
        give_back(taken);
      }
      images_[node].clear();
    }
    return false;
  }

 private:
  /// The images of the roots that need `node` and nodes known already.
  bool take(int node, std::vector<Weight>& taken) {
    for (const auto& root : G_.positive_roots()) {
      if (root[node] == 0) continue;
      Weight image(images_[node].size(), 0);
      bool known = true;
      for (int i = 0; i < G_.rank() && known; ++i) {
        if (root[i] == 0) continue;
        known = !images_[i].empty();
        for (std::size_t k = 0; known && k < image.size(); ++k) image[k] += root[i] * images_[i][k];
      }
      if (!known) continue;
      const auto found = left_.find(image);
      if (found == left_.end()) {
        give_back(taken);
        return false;
      }
      if (--found->second == 0) left_.erase(found);
      taken.push_back(std::move(image));
    }
    return true;
  }
  void give_back(const std::vector<Weight>& taken) {
    for (const Weight& image : taken) ++left_[image];
  }

  const RootSystem& G_;
  std::map<Weight, long> left_;
  std::vector<Weight> images_;
  const Task& task_;
};

/// The matrix on weights that sends the simple roots to these keys, if it is integral.
std::optional<std::vector<std::vector<int>>> matrix_of_images(const RootSystem& G, const RootSystem& H,
                                                              const std::vector<Weight>& images) {
  const auto n = static_cast<std::size_t>(G.rank()), m = static_cast<std::size_t>(H.rank());
  IntegerMatrix labels(n, n), targets(m, n);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<int> root(n, 0);
    root[i] = 1;
    const Weight weight = G.weight_of(root);
    for (std::size_t j = 0; j < n; ++j) labels.set(j, i, static_cast<long>(weight[j]));
    for (std::size_t j = 0; j < m; ++j) targets.set(j, i, static_cast<long>(images[i][j + 1]));
  }
  const RationalMatrix A = RationalMatrix(targets) * inverse(RationalMatrix(labels));
  if (A.denominator() != 1) return std::nullopt;
  std::vector<std::vector<int>> matrix(m, std::vector<int>(n));
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) matrix[i][j] = static_cast<int>(numerator(A(i, j)));
  return matrix;
}

/// A maximal subgroup: what is in the adjoint representation of the group beside that of the subgroup, terms separated by +, labels of the factors in the order of `sub`.
struct IrregularSubgroup {
  std::string_view group, sub, rest;
};
constexpr std::array irregular_subgroups{IrregularSubgroup{"F4", "A1 x G2", "4 1,0"},
                                         IrregularSubgroup{"E6", "A2", "4,1 + 1,4"},
                                         IrregularSubgroup{"E6", "G2", "1,1"},
                                         IrregularSubgroup{"E6", "C4", "0,0,0,1"},
                                         IrregularSubgroup{"E6", "A2 x G2", "1,1 1,0"},
                                         IrregularSubgroup{"E7", "A2", "4,4"},
                                         IrregularSubgroup{"E7", "G2 x C3", "1,0 0,1,0"},
                                         IrregularSubgroup{"E7", "A1 x F4", "2 0,0,0,1"},
                                         IrregularSubgroup{"E7", "A1 x G2", "2 2,0 + 4 1,0"},
                                         IrregularSubgroup{"E7", "A1 x A1", "2 8 + 4 6 + 6 4 + 2 4 + 4 2"},
                                         IrregularSubgroup{"E8", "B2", "0,6 + 3,2"},
                                         IrregularSubgroup{"E8", "A1 x A2", "6 1,1 + 4 3,0 + 4 0,3 + 2 2,2"},
                                         IrregularSubgroup{"E8", "G2 x F4", "1,0 0,0,0,1"}};

/// The factors of `sub` at places of the simple factors of H, if H is `sub` but for their order.
std::optional<std::vector<std::size_t>> places_of_factors(const RootSystem& H, const RootSystem& sub) {
  if (H.torus_rank() > 0 || H.factors().size() != sub.factors().size()) return std::nullopt;
  std::vector<std::size_t> places(H.factors().size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  do {
    bool same = true;
    for (std::size_t f = 0; f < places.size(); ++f) same = same && sub.factors()[f] == H.factors()[places[f]];
    if (same) return places;
  } while (std::next_permutation(places.begin(), places.end()));
  return std::nullopt;
}

/// "2 8 + 4 6": the labels of the factors, placed as H has them.
LieCharacter rest_of(const IrregularSubgroup& entry, const RootSystem& H, const std::vector<std::size_t>& places) {
  std::vector<WeightTerm> terms;
  Weight weight(static_cast<std::size_t>(H.rank()), 0);
  std::size_t factor = 0;
  int label = 0;
  const auto finish = [&] {
    terms.push_back({weight, 1});
    factor = 0, label = 0;
  };
  for (std::size_t i = 0; i < entry.rest.size(); ++i) {
    const char c = entry.rest[i];
    if (c >= '0' && c <= '9') weight[static_cast<std::size_t>(H.offset(places[factor]) + label)] = c - '0';
    if (c == ',') ++label;
    if (c == ' ' && entry.rest[i + 1] != '+') ++factor, label = 0;
    if (c == '+') finish(), ++i;
  }
  finish();
  return LieCharacter(H, std::move(terms));
}

}  // namespace

LieRestriction restriction_by_adjoint(const LieGroup& from, const LieGroup& to, const LieCharacter& adjoint,
                                      const Task& task) {
  const RootSystem &G = from.type(), &H = to.type();
  if (G.factors().size() != 1 || G.torus_rank() > 0 || H.torus_rank() > 0)
    throw DomainError(
        fmt::format("a subgroup is found by the adjoint representation in a simple group, and is semisimple: "
                    "{} in {} is not",
                    to.name(), from.name()));
  if (!(adjoint.type() == H))
    throw DomainError(fmt::format("the representation is one of {}, not of {}", adjoint.type().name(), to.name()));
  if (!adjoint.is_character() || adjoint.dimension() != from.adjoint().dimension())
    throw DomainError(
        fmt::format("the adjoint representation of {} has dimension {}, and cannot become one of dimension {}",
                    from.name(), to_string(from.adjoint().dimension()), to_string(adjoint.dimension())));
  const WeightOrder order(H);
  std::map<Weight, long> half;
  const Weight zero = order.key(Weight(static_cast<std::size_t>(H.rank()), 0));
  for (const WeightTerm& term : dominant_character(adjoint, task))
    for (const Weight& weight : H.orbit(term.weight, 100'000, task))
      if (const Weight key = order.key(weight); key >= zero) half[key] += static_cast<long>(term.coefficient);
  const long outside = half[zero] - G.rank();
  if (half[zero] = outside / 2; outside <= 0) half.erase(zero);
  LieRestriction result{from, to, {}, 1, "the adjoint representation"};
  const bool found =
      outside >= 0 && outside % 2 == 0 && SimpleRootSearch(G, half, task).run([&](const std::vector<Weight>& images) {
        const auto matrix = matrix_of_images(G, H, images);
        if (!matrix) return false;
        result.matrix = *matrix;
        try {  // nothing but characters restrict to characters
          return restrict(from.adjoint(), result, task) ==
                 adjoint&& restrict(from.vector(), result, task).is_character();
        } catch (const DomainError&) {
          return false;
        }
      });
  if (!found)
    throw DomainError(fmt::format("no restriction of weights from {} to {} makes that of the adjoint representation",
                                  from.name(), to.name()));
  return result;
}

LieRestriction restriction_to_irregular(const LieGroup& from, const LieGroup& to, const Task& task) {
  for (const IrregularSubgroup& entry : irregular_subgroups) {
    if (from.type().name() != entry.group) continue;
    const RootSystem sub = parse_root_system(std::string(entry.sub));
    const auto places = places_of_factors(to.type(), sub);
    if (!places) continue;
    LieRestriction result = restriction_by_adjoint(from, to, to.adjoint() + rest_of(entry, to.type(), *places), task);
    result.how = "maximal of smaller rank";
    return result;
  }
  std::string known;
  for (const IrregularSubgroup& entry : irregular_subgroups)
    if (from.type().name() == entry.group) known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.sub);
  throw DomainError(
      known.empty()
          ? fmt::format("maximal subgroups of smaller rank are known of F4, E6, E7 and E8, not of {}", from.name())
          : fmt::format("{} is not a maximal subgroup of smaller rank of {}; these are {}, by "
                        "folding F4 in E6, and the principal A1",
                        to.name(), from.name(), known));
}

}  // namespace intertwine
