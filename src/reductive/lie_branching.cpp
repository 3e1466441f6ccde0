// Branching rules of reductive groups.
#include "intertwine/reductive/lie_branching.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/reductive/classical_form.hpp"
#include "reductive/dimensions.hpp"
#include "reductive/weight_lanes.hpp"

namespace intertwine {

namespace {

/// The image of a weight. \throws DomainError if it is not integral.
Weight image_of(const LieRestriction& f, const Weight& weight) {
  Weight result;
  for (const auto& row : f.matrix) {
    long long sum = 0;
    for (std::size_t j = 0; j < row.size(); ++j) sum += static_cast<long long>(row[j]) * weight[j];
    if (sum % f.denominator != 0)
      throw DomainError(fmt::format("the weight {} of {} has no integral restriction to {}", to_string(weight),
                                    f.from.name(), f.to.name()));
    result.push_back(static_cast<int>(sum / f.denominator));
  }
  return result;
}

/// Every weight of a character with its multiplicity.
template <class Visit>
void for_weights(const DominantCharacter& chi, std::size_t most, const Task& task, Visit&& visit) {
  for (const WeightTerm& term : chi)
    for (const Weight& weight : chi.type().orbit(term.weight, most, task)) visit(weight, term.coefficient);
}

/// The weights of a small representation, each as often as it occurs, the larger ones first.
std::vector<Weight> weight_list(const LieCharacter& chi, const Task& task) {
  std::vector<Weight> list;
  for_weights(dominant_character(chi, task), 100'000, task,
              [&](const Weight& w, const Integer& m) { list.insert(list.end(), static_cast<std::size_t>(m), w); });
  std::sort(list.begin(), list.end(), std::greater<>());
  return list;
}

/// A weight of one factor as a weight of the group: its labels from `label`, its charges from `charge` on.
LieCharacter placed(const RootSystem& whole, const LieCharacter& part, int label, int charge) {
  std::vector<WeightTerm> terms;
  const int labels = part.type().semisimple_rank();
  for (const WeightTerm& term : part) {
    Weight weight(whole.rank(), 0);
    std::copy(term.weight.begin(), term.weight.begin() + labels, weight.begin() + label);
    std::copy(term.weight.begin() + labels, term.weight.end(), weight.begin() + charge);
    terms.push_back({std::move(weight), term.coefficient});
  }
  return LieCharacter(whole, std::move(terms));
}

/// The vector representations of the factors of a group, simple factor by simple factor where a group is given by its type; none if
/// a torus of a type leaves open how it acts.
std::vector<LieCharacter> natural_vectors(const LieGroup& group) {
  std::vector<LieCharacter> result;
  int label = 0, charge = group.type().semisimple_rank();
  for (const LieGroup& factor : group.factors()) {
    const RootSystem& type = factor.type();
    if (factor.family().empty() && type.torus_rank() > 0) return {};
    if (!factor.family().empty())
      result.push_back(placed(group.type(), factor.vector(), label, charge));
    else
      for (std::size_t f = 0; f < type.factors().size(); ++f)
        result.push_back(
            placed(group.type(), LieGroup(RootSystem({type.factors()[f]})).vector(), label + type.offset(f), charge));
    label += type.semisimple_rank();
    charge += type.torus_rank();
  }
  return result;
}

/// Why a representation cannot be the vector representation of a subgroup; empty if it can.
std::string obstacle(ClassicalForm form, const LieCharacter& vector, const std::vector<Weight>& weights) {
  if (!vector.is_character() || vector.dimension() != form.n)
    return fmt::format("it has dimension {}, not {}", to_string(vector.dimension()), form.n);
  if (form.letter == 'A')
    for (int i = 0; i < vector.type().rank(); ++i) {
      long long sum = 0;
      for (const Weight& w : weights) sum += w[i];
      if (sum != 0) return "its determinant is not 1";
    }
  if (form.letter == 'A' || form.letter == 'G') return {};
  const int wanted = form.letter == 'C' ? -1 : 1;
  for (const WeightTerm& term : vector) {
    const int indicator = vector.type().indicator(term.weight);
    const bool fits = indicator == 0 ? vector.multiplicity(vector.type().dual(term.weight)) == term.coefficient
                                     : indicator == wanted || term.coefficient % 2 == 0;
    if (!fits) return wanted == 1 ? "it is not orthogonal" : "it is not symplectic";
  }
  return {};
}

std::string sum_of_names(const LieGroup& G, const LieCharacter& chi) {
  std::string text;
  for (const WeightTerm& term : chi)
    text += (text.empty() ? "" : " + ") + (term.coefficient == 1 ? "" : to_string(term.coefficient) + "*") +
            irrep_name(G, term.weight);
  return text;
}

/// The restriction itself; `vector` is known to fit.
LieRestriction by_vector(const LieGroup& from, const LieGroup& to, ClassicalForm form, const LieCharacter& vector,
                         const std::vector<Weight>& weights) {
  LieRestriction result{from, to, {}, 1, "vector = " + sum_of_names(to, vector)};
  const auto rows = coordinate_rows(form, from.type().rank(), result.denominator);
  result.matrix.assign(to.type().rank(), std::vector<int>(from.type().rank(), 0));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int r = 0; r < to.type().rank(); ++r)
      for (int c = 0; c < from.type().rank(); ++c) result.matrix[r][c] += weights[i][r] * rows[i][c];
  return result;
}

void require_shape(const LieGroup& from, const LieGroup& to, const std::vector<std::vector<int>>& matrix) {
  const auto rows = static_cast<std::size_t>(to.type().rank()), cols = static_cast<std::size_t>(from.type().rank());
  if (matrix.size() != rows ||
      std::any_of(matrix.begin(), matrix.end(), [&](const auto& row) { return row.size() != cols; }))
    throw DomainError(fmt::format("the matrix of a restriction from {} to {} has {} rows and {} columns", from.name(),
                                  to.name(), rows, cols));
}

}  // namespace

LieRestriction restriction_by_matrix(const LieGroup& from, const LieGroup& to, std::vector<std::vector<int>> matrix,
                                     const Task& task) {
  require_shape(from, to, matrix);
  LieRestriction result{from, to, std::move(matrix), 1, "a given matrix"};
  const RootSystem &G = from.type(), &H = to.type();
  for (int j = G.semisimple_rank(); j < G.rank(); ++j)
    for (int i = 0; i < H.semisimple_rank(); ++i)
      if (result.matrix[i][j] != 0)
        throw DomainError(
            fmt::format("the matrix is no restriction from {} to {}: charges go to charges, but entry ({}, {}) is {}",
                        from.name(), to.name(), i + 1, j + 1, result.matrix[i][j]));
  for (std::size_t f = 0; f < G.factors().size(); ++f) {
    const LieCharacter V = placed(G, LieGroup(RootSystem({G.factors()[f]})).vector(), G.offset(f), G.semisimple_rank());
    std::map<Weight, Integer> weights;
    for_weights(dominant_character(V, task), 100'000, task,
                [&](const Weight& w, const Integer& m) { weights[image_of(result, w)] += m; });
    for (const auto& [weight, count] : weights)
      for (int i = 0; i < H.semisimple_rank(); ++i) {
        const auto reflected = weights.find(H.reflect(weight, i));
        if (reflected == weights.end() || reflected->second != count)
          throw DomainError(
              fmt::format("the matrix is no restriction from {} to {}: weights of the representation {} of "
                          "{} go to {}, but not as often to its "
                          "reflection {}",
                          from.name(), to.name(), dimension_name(G, V.terms()[0].weight), from.name(),
                          to_string(weight), to_string(H.reflect(weight, i))));
      }
  }
  return result;
}

LieRestriction restriction_by_vector(const LieGroup& from, const LieGroup& to, const LieCharacter& vector,
                                     const Task& task) {
  if (!(vector.type() == to.type()))
    throw DomainError(fmt::format("the representation is one of {}, not of {}", vector.type().name(), to.name()));
  const ClassicalForm form = classical_form(from);
  if (form.n == 0)
    throw DomainError(
        fmt::format("{} is no classical group: it has no vector representation to start from", from.name()));
  if (vector.dimension() != form.n)
    throw DomainError(fmt::format("{} does not embed into {} by {}: it has dimension {}, not {}", to.name(),
                                  from.name(), sum_of_names(to, vector), to_string(vector.dimension()), form.n));
  const std::vector<Weight> weights = weight_list(vector, task);
  if (const std::string why = obstacle(form, vector, weights); !why.empty())
    throw DomainError(
        fmt::format("{} does not embed into {} by {}: {}", to.name(), from.name(), sum_of_names(to, vector), why));
  return by_vector(from, to, form, vector, weights);
}

namespace {

/// Simple roots of `to` found among those of `from` and minus its highest root, which has the number 0.
class ExtendedDiagram {
 public:
  explicit ExtendedDiagram(const RootSystem& G) : G_(G) {
    std::vector<int> highest(G.rank(), 0);
    for (const auto& root : G.positive_roots()) highest = root;  // the last one: G is simple
    for (int& c : highest) c = -c;
    roots_.push_back(highest);
    for (int i = 0; i < G.rank(); ++i) {
      roots_.emplace_back(G.rank(), 0);
      roots_.back()[i] = 1;
    }
    for (const auto& root : roots_) coroots_.push_back(G.coroot(root));
  }
  /// Extended nodes for the nodes of H, in its order; those of G's own diagram are tried first. A factor A2 with node 0
  /// begins there: this tells 3 from 3* as printed tables do, with (27, 3) of E6 x SU(3) in E8 and (3, 3) of A2 x A2 in
  /// F4.
  std::vector<int> find(const RootSystem& H) {
    chosen_.clear();
    if (!extend(H)) return {};
    for (std::size_t f = 0; f < H.factors().size(); ++f) {
      const auto first = chosen_.begin() + H.offset(f);
      if (H.factors()[f] == LieType{'A', 2} && first[1] == 0) std::swap(first[0], first[1]);
    }
    return chosen_;
  }
  const std::vector<int>& coroot(int node) const { return coroots_[node]; }

 private:
  int pairing(int a, int b) const {
    const Weight labels = G_.weight_of(roots_[a]);
    int sum = 0;
    for (int i = 0; i < G_.rank(); ++i) sum += labels[i] * coroots_[b][i];
    return sum;
  }
  bool extend(const RootSystem& H) {
    const int k = static_cast<int>(chosen_.size());
    if (k == H.semisimple_rank()) return true;
    for (int step = 1; step <= G_.rank() + 1; ++step) {
      const int node = step % (G_.rank() + 1);
      if (std::find(chosen_.begin(), chosen_.end(), node) != chosen_.end()) continue;
      bool fits = true;
      for (int j = 0; fits && j < k; ++j)
        fits = pairing(chosen_[j], node) == H.cartan(j, k) && pairing(node, chosen_[j]) == H.cartan(k, j);
      if (!fits) continue;
      chosen_.push_back(node);
      if (extend(H)) return true;
      chosen_.pop_back();
    }
    return false;
  }
  const RootSystem& G_;
  std::vector<std::vector<int>> roots_, coroots_;
  std::vector<int> chosen_;
};

/// The largest rank whose extended diagram is searched.
constexpr int max_searched_rank = 12;

}  // namespace

LieRestriction restriction_to_regular(const LieGroup& from, const LieGroup& to) {
  const RootSystem &G = from.type(), &H = to.type();
  const auto refuse = [&](const std::string& why) {
    throw DomainError(
        fmt::format("{} is not found in the extended diagram of {}: {}; give the matrix that restricts weights",
                    to.name(), from.name(), why),
        Remedy::matrix);
  };
  if (G.factors().size() != 1 || G.torus_rank() > 0) refuse(from.name() + " is not simple");
  if (G.rank() > max_searched_rank) refuse(fmt::format("ranks up to {} are searched", max_searched_rank));
  if (H.semisimple_rank() > G.rank()) refuse("its rank is larger");
  ExtendedDiagram diagram(G);
  const std::vector<int> nodes = diagram.find(H);
  if (nodes.empty() && H.semisimple_rank() > 0) refuse("no nodes form its diagram");
  const bool levi = std::find(nodes.begin(), nodes.end(), 0) == nodes.end();
  if (H.torus_rank() > 0 && (!levi || H.torus_rank() != G.rank() - H.semisimple_rank()))
    refuse(fmt::format("the centre of that subgroup has dimension {}", levi ? G.rank() - H.semisimple_rank() : 0));
  LieRestriction result{
      from, to, {}, 1, fmt::format("nodes {} of the {}diagram", fmt::join(nodes, ", "), levi ? "" : "extended ")};
  for (const int node : nodes) result.matrix.push_back(diagram.coroot(node));
  if (H.torus_rank() == 0) return result;
  // A cocharacter of the centre for each node j that is left out: what pairs with alpha_j alone, d (omega_j^v modulo nothing), primitive.
  const int n = G.rank();
  for (int j = 0; j < n; ++j) {
    if (std::find(nodes.begin(), nodes.end(), j + 1) != nodes.end()) continue;
    IntegerMatrix cartan(n, n), unit(n, 1);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) cartan.set(a, b, static_cast<long>(G.cartan(a, b)));
    unit.set(j, 0, 1L);
    // <alpha_a, sum_b c_b alpha_b^v> = sum_b C_ab c_b.
    const RationalMatrix c = inverse(RationalMatrix(cartan)) * RationalMatrix(unit);
    Integer common = 1, divisor = 0;
    for (int b = 0; b < n; ++b) common = lcm(common, Integer(denominator(c(b, 0))));
    std::vector<Integer> row;
    for (int b = 0; b < n; ++b) {
      row.push_back(numerator(Rational(c(b, 0) * common)));
      divisor = gcd(divisor, row.back());
    }
    result.matrix.emplace_back();
    for (const Integer& entry : row) result.matrix.back().push_back(static_cast<int>(Integer(entry / divisor)));
  }
  return result;
}

LieRestriction restriction_by_folding(const LieGroup& from, const LieGroup& to) {
  const auto simple = [](const LieGroup& group) {
    return group.type().factors().size() == 1 && group.type().torus_rank() == 0 ? group.type().factors()[0]
                                                                                : LieType{' ', 0};
  };
  const LieType G = simple(from), H = simple(to);
  std::vector<std::vector<int>> orbits;  // the nodes of G that lie over each node of H
  if (G.letter == 'D' && H == LieType{'B', G.rank - 1}) {
    for (int i = 0; i + 2 < G.rank; ++i) orbits.push_back({i});
    orbits.push_back({G.rank - 2, G.rank - 1});
  } else if (G.letter == 'A' && G.rank % 2 == 1 && H == LieType{'C', (G.rank + 1) / 2}) {
    for (int i = 0; 2 * i + 1 < G.rank; ++i) orbits.push_back({i, G.rank - 1 - i});
    orbits.push_back({G.rank / 2});
  } else if (G == LieType{'E', 6} && H == LieType{'F', 4}) {
    orbits = {{1}, {3}, {2, 4}, {0, 5}};
  } else if (G == LieType{'D', 4} && H == LieType{'G', 2}) {
    orbits = {{0, 2, 3}, {1}};
  } else {
    throw DomainError(fmt::format("{} is not what an automorphism of the diagram of {} fixes", to.name(), from.name()));
  }
  LieRestriction result{from, to, {}, 1, "the diagram folded"};
  for (const auto& orbit : orbits) {
    result.matrix.emplace_back(G.rank, 0);
    for (const int node : orbit) result.matrix.back()[node] = 1;
  }
  return result;
}

LieRestriction restriction_to_principal(const LieGroup& from, const LieGroup& to) {
  if (to.type().name() != "A1")
    throw DomainError(fmt::format("a principal subgroup is SL(2), SU(2) or SO(3), not {}", to.name()));
  LieRestriction result{from, to, {{}}, 1, "the principal SL(2)"};
  for (int i = 0; i < from.type().rank(); ++i) {
    Weight omega(from.type().rank(), 0);
    omega[i] = 1;
    result.matrix[0].push_back(static_cast<int>(from.type().principal_label(omega)));
  }
  return result;
}

namespace {

/// The restrictions that the vector representation of a classical group may have, the most usual first.
std::vector<LieCharacter> usual_vectors(const LieGroup& to, int n, const Task& task) {
  const std::vector<LieCharacter> vectors = natural_vectors(to);
  if (vectors.empty()) return {};
  LieCharacter sum(to.type()), product = to.trivial();
  Integer size = 1;
  for (const LieCharacter& V : vectors) {
    sum = sum + V;
    size *= V.dimension();
    if (size <= n) product = tensor_product(product, V, task);
  }
  std::vector<LieCharacter> result{sum};
  if (vectors.size() > 1 && size <= n) result.push_back(product);
  result.push_back(sum + sum.dual());
  for (const LieCharacter& V : {sum, sum + sum.dual()})
    if (V.dimension() < n) result.push_back(V + (n - V.dimension()) * to.trivial());
  return result;
}

/// The irreducible representations that may be the vector representation besides `taken`, one of each pair of duals, in
/// the words of by_vector.
std::vector<std::string> irreducible_vectors(const LieGroup& to, ClassicalForm form, const LieCharacter& taken,
                                             const Task& task) {
  if (to.type().torus_rank() > 0) return {};
  std::vector<std::string> names;
  for (const Weight& weight : detail::weights_of_dimension(to.type(), static_cast<std::uint64_t>(form.n), task)) {
    const LieCharacter V(to.type(), weight);
    if (weight < to.type().dual(weight) || V == taken || V == taken.dual()) continue;
    try {
      to.require_weight(weight);
    } catch (const DomainError&) {
      continue;
    }
    if (obstacle(form, V, weight_list(V, task)).empty()) names.push_back("vector = " + sum_of_names(to, V));
  }
  return names;
}

/// The embeddings into a group that is not classical which have a name, besides a regular one or a folded diagram.
std::vector<std::string> named_embeddings(const LieGroup& from, const LieGroup& to, const Task& task) {
  std::vector<std::string> names;
  if (to.type().name() == "A1") names.push_back("the principal SL(2)");
  try {
    names.push_back(restriction_to_irregular(from, to, task).how);
  } catch (const DomainError&) {
  }
  return names;
}

/// The usual embedding of a subgroup of smaller type, and the others that have a name.
LieRestriction usual_subgroup(const LieGroup& from, const LieGroup& to, const Task& task) {
  if (const ClassicalForm form = classical_form(from); form.n > 0)
    for (const LieCharacter& vector : usual_vectors(to, form.n, task)) {
      if (vector.dimension() != form.n) continue;
      const std::vector<Weight> weights = weight_list(vector, task);
      if (!obstacle(form, vector, weights).empty()) continue;
      LieRestriction result = by_vector(from, to, form, vector, weights);
      result.others = irreducible_vectors(to, form, vector, task);
      return result;
    }
  LieRestriction result = [&] {
    try {
      return restriction_by_folding(from, to);
    } catch (const DomainError&) {
    }
    try {
      return restriction_to_regular(from, to);
    } catch (const DomainError&) {
      try {
        return restriction_to_irregular(from, to, task);
      } catch (const DomainError&) {
      }
      throw;
    }
  }();
  for (std::string& name : named_embeddings(from, to, task))
    if (name != result.how) result.others.push_back(std::move(name));
  return result;
}

}  // namespace

LieRestriction usual_restriction(const LieGroup& from, const LieGroup& to, const Task& task) {
  const int rank = from.type().rank();
  if (from.type() == to.type() && (from == to || from.type().torus_rank() == 0)) {
    LieRestriction result{from, to, std::vector<std::vector<int>>(rank, std::vector<int>(rank, 0)), 1, "the same type"};
    for (int i = 0; i < rank; ++i) result.matrix[i][i] = 1;
    return result;
  }
  return usual_subgroup(from, to, task);
}

LieCharacter restrict(const LieCharacter& chi, const LieRestriction& f, const Task& task) {
  const RootSystem &G = f.from.type(), &H = f.to.type();
  if (!(chi.type() == G))
    throw DomainError(fmt::format("a character of {} is no character of {}", chi.type().name(), f.from.name()));
  const DominantCharacter weights = dominant_character(chi, task);
  Integer label = 0, factor = 0;
  for (const WeightTerm& term : weights) label = std::max(label, detail::largest_label(G, term.weight));
  for (const auto& row : f.matrix) {
    Integer sum = 0;
    for (const int entry : row) sum += abs(entry);
    factor = std::max(factor, sum);
  }
  const Weight rho_of_image(H.rank(), 1);
  const Integer bound = label + (label * factor + 1) * (detail::largest_label(H, rho_of_image) + 1);
  std::map<Weight, Integer> sum;
  detail::with_lanes(std::max(G.rank(), H.rank()), bound, [&](auto lanes) {
    using L = decltype(lanes);
    const detail::Reflections<L> in_G(G), in_H(H);
    const L rho = detail::rho_lanes<L>(H);
    KeyIndex<L> index;
    std::vector<Integer> counts;
    std::vector<L> stack;
    for (const WeightTerm& term : weights)
      in_G.for_orbit(detail::to_lanes<L>(term.weight), in_G.all(), stack, [&](const L& mu) {
        task.poll();
        L v = rho;
        for (int r = 0; r < H.rank(); ++r) {
          std::int64_t entry = 0;
          for (int c = 0; c < G.rank(); ++c) entry += std::int64_t{f.matrix[r][c]} * mu.at[c];
          if (entry % f.denominator != 0) image_of(f, detail::to_weight(mu, G.rank()));  // says so
          v.at[r] = static_cast<typename L::Scalar>(v.at[r] + entry / f.denominator);
        }
        const int sign = in_H.fold(v, in_H.all());
        if (sign == 0) return;
        const std::uint32_t at = index.insert(v);
        if (at == counts.size()) counts.emplace_back(0);
        if (sign > 0)
          counts[at] += term.coefficient;
        else
          counts[at] -= term.coefficient;
      });
    for (std::size_t k = 0; k < counts.size(); ++k) sum[detail::to_weight(L(index[k] - rho), H.rank())] += counts[k];
  });
  std::vector<WeightTerm> terms;
  for (const auto& [weight, count] : sum)
    if (count != 0) {
      f.to.require_weight(weight);
      terms.push_back({weight, count});
    }
  LieCharacter result(H, std::move(terms));
  if (result.dimension() != chi.dimension() || (chi.is_character() && !result.is_character()))
    throw DomainError(
        fmt::format("the matrix is no restriction from {} to {}: the weights do not make up representations",
                    f.from.name(), f.to.name()));
  return result;
}

}  // namespace intertwine
