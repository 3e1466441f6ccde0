// Root systems of simple types and their sums.
#include "intertwine/reductive/root_system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "intertwine/error.hpp"
#include "text_cursor.hpp"

namespace intertwine {

namespace {

/// A bond in the diagram of a simple type: <alpha_i, alpha_j^v> and <alpha_j, alpha_i^v>.
struct Bond {
  int i, j, there, back;
};

std::vector<Bond> bonds_of(LieType type) {
  std::vector<Bond> bonds;
  const int n = type.rank;
  const auto chain = [&](int from, int to) {
    for (int i = from; i + 1 < to; ++i) bonds.push_back({i, i + 1, -1, -1});
  };
  switch (type.letter) {
    case 'B':
    case 'C':
      chain(0, n - 1);
      if (n > 1) bonds.push_back(type.letter == 'B' ? Bond{n - 2, n - 1, -2, -1} : Bond{n - 2, n - 1, -1, -2});
      break;
    case 'D':
      chain(0, n - 1);
      if (n > 2) bonds.push_back({n - 3, n - 1, -1, -1});
      break;
    case 'E':
      bonds = {{0, 2, -1, -1}, {1, 3, -1, -1}};
      chain(2, n);
      break;
    case 'F':
      bonds = {{0, 1, -1, -1}, {1, 2, -2, -1}, {2, 3, -1, -1}};
      break;
    case 'G':
      bonds = {{0, 1, -1, -3}};
      break;
    default:
      chain(0, n);
  }
  return bonds;
}

void require_type(LieType type) {
  const auto [letter, n] = type;
  const bool known = (letter == 'A' || letter == 'B' || letter == 'C') ? n >= 1
                     : letter == 'D'                                   ? n >= 2
                     : letter == 'E'                                   ? n >= 6 && n <= 8
                     : letter == 'F'                                   ? n == 4
                     : letter == 'G'                                   ? n == 2
                                                                       : letter == 'T' && n >= 0;
  if (!known)
    throw DomainError(
        fmt::format("there is no type {}{}; the simple types are A<n>, B<n>, C<n>, D<n> from n = 2, E6, E7, "
                    "E8, F4 and G2, "
                    "and a torus is T<n>",
                    letter, n));
}

}  // namespace

struct RootSystem::Data {
  std::vector<LieType> factors;
  std::vector<int> offsets;
  int rank = 0, semisimple_rank = 0;
  std::string name;
  std::vector<std::vector<int>> cartan;
  std::vector<std::vector<std::pair<int, int>>> row;  ///< (j, <alpha_i, alpha_j^v>) where that is not 0
  std::vector<int> half_norm;
  std::vector<std::vector<int>> positive_roots;
  std::vector<int> two_rho_check;  ///< 2 rho^v in simple coroots
  Integer weyl_denominator = 1;    ///< the product of (rho, alpha) over the positive roots

  void fill_cartan() {
    cartan.assign(semisimple_rank, std::vector<int>(semisimple_rank, 0));
    half_norm.assign(semisimple_rank, 1);
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const int first = offsets[f], n = factors[f].rank;
      for (int i = first; i < first + n; ++i) cartan[i][i] = 2;
      for (const Bond& bond : bonds_of(factors[f])) {
        cartan[first + bond.i][first + bond.j] = bond.there;
        cartan[first + bond.j][first + bond.i] = bond.back;
      }
      if (factors[f].letter == 'B' && n > 1) std::fill_n(half_norm.begin() + first, n - 1, 2);
      if (factors[f].letter == 'C' && n > 1) half_norm[first + n - 1] = 2;
      if (factors[f].letter == 'F') half_norm[first] = half_norm[first + 1] = 2;
      if (factors[f].letter == 'G') half_norm[first + 1] = 3;
    }
    row.resize(semisimple_rank);
    for (int i = 0; i < semisimple_rank; ++i)
      for (int j = 0; j < semisimple_rank; ++j)
        if (cartan[i][j] != 0) row[i].emplace_back(j, cartan[i][j]);
  }

  /// By height: beta + alpha_i is a root if the string beta - alpha_i, beta - 2 alpha_i, ... is longer than <beta, alpha_i^v>; where all roots have one length, if that is negative.
  void fill_roots() {
    std::vector<char> one_length(semisimple_rank, 0);
    for (std::size_t f = 0; f < factors.size(); ++f)
      for (int i = 0; i < factors[f].rank; ++i)
        one_length[offsets[f] + i] =
            factors[f].letter == 'A' || factors[f].letter == 'D' || factors[f].letter == 'E' ? 1 : 0;
    struct Root {
      std::vector<int> root, labels;
    };
    std::vector<Root> layer;
    for (int i = 0; i < semisimple_rank; ++i) {
      layer.push_back({std::vector<int>(rank, 0), cartan[i]});
      layer.back().root[i] = 1;
    }
    std::set<std::vector<int>> known;
    while (!layer.empty()) {
      for (const Root& beta : layer) {
        known.insert(beta.root);
        positive_roots.push_back(beta.root);
      }
      std::map<std::vector<int>, std::vector<int>> above;  // with labels
      for (const Root& beta : layer)
        for (int i = 0; i < semisimple_rank; ++i) {
          if (beta.labels[i] >= 0) {
            if (one_length[i] != 0 || beta.root[i] <= beta.labels[i]) continue;
            std::vector<int> below = beta.root;
            int steps = 0;
            while (below[i] > 0 && (--below[i], known.contains(below))) ++steps;
            if (steps <= beta.labels[i]) continue;
          }
          std::vector<int> next = beta.root, labels = beta.labels;
          ++next[i];
          for (const auto& [j, entry] : row[i]) labels[j] += entry;
          above.emplace(std::move(next), std::move(labels));
        }
      layer.clear();
      for (const auto& [root, labels] : above) layer.push_back({root, labels});
    }
  }
};

std::string to_string(const Weight& weight) { return fmt::format("[{}]", fmt::join(weight, ",")); }

RootSystem::RootSystem(std::vector<LieType> factors) {
  auto data = std::make_shared<Data>();
  int torus = 0, total = 0;
  for (LieType type : factors) {
    require_type(type);
    if (type.rank > max_rank || (total += type.rank) > max_rank)
      throw LimitError(fmt::format("the ranks of a reductive group add up to at most {}", max_rank));
    if (type.letter == 'T') {
      torus += type.rank;
      continue;
    }
    if (type.rank == 1) type.letter = 'A';
    const bool two = type == LieType{'D', 2};
    for (const LieType simple : two ? std::vector<LieType>(2, {'A', 1}) : std::vector<LieType>{type}) {
      data->factors.push_back(simple);
      data->offsets.push_back(data->semisimple_rank);
      data->semisimple_rank += simple.rank;
      data->name += fmt::format("{}{}{}", data->name.empty() ? "" : " x ", simple.letter, simple.rank);
    }
  }
  if (torus > 0 || data->factors.empty()) data->name += fmt::format("{}T{}", data->name.empty() ? "" : " x ", torus);
  data->rank = data->semisimple_rank + torus;
  data->fill_cartan();
  data->fill_roots();
  data_ = data;
  data->two_rho_check.assign(data->semisimple_rank, 0);
  for (const auto& root : data->positive_roots) {
    const std::vector<int> check = coroot(root);
    long pairing = 0;
    for (int i = 0; i < data->semisimple_rank; ++i) {
      data->two_rho_check[i] += check[i];
      pairing += static_cast<long>(root[i]) * data->half_norm[i];
    }
    data->weyl_denominator *= pairing;
  }
}

const std::vector<LieType>& RootSystem::factors() const { return data_->factors; }
int RootSystem::offset(std::size_t factor) const { return data_->offsets.at(factor); }
int RootSystem::rank() const { return data_->rank; }
int RootSystem::semisimple_rank() const { return data_->semisimple_rank; }
const std::string& RootSystem::name() const { return data_->name; }
const std::vector<std::vector<int>>& RootSystem::positive_roots() const { return data_->positive_roots; }

int RootSystem::cartan(int i, int j) const {
  if (i < 0 || j < 0 || i >= semisimple_rank() || j >= semisimple_rank())
    throw DomainError(fmt::format("{} has {} nodes, from 0: there is no entry ({}, {}) in its Cartan matrix", name(),
                                  semisimple_rank(), i, j));
  return data_->cartan[i][j];
}

int RootSystem::half_norm(int i) const { return cartan(i, i) / 2 * data_->half_norm[i]; }

std::vector<int> RootSystem::coroot(const std::vector<int>& root) const {
  // The norm of a root: (root, root) = sum of root_i root_j <alpha_i, alpha_j^v> (alpha_j, alpha_j) / 2.
  const Data& d = *data_;
  int norm = 0;
  for (int i = 0; i < d.semisimple_rank; ++i)
    if (root[i] != 0)
      for (const auto& [j, entry] : d.row[i]) norm += root[i] * root[j] * entry * d.half_norm[j];
  std::vector<int> result(d.semisimple_rank);
  for (int i = 0; i < d.semisimple_rank; ++i) result[i] = root[i] * d.half_norm[i] * 2 / norm;
  return result;
}

Weight RootSystem::weight_of(const std::vector<int>& roots) const {
  Weight result(rank(), 0);
  for (int i = 0; i < data_->semisimple_rank; ++i)
    if (roots[i] != 0)
      for (const auto& [j, entry] : data_->row[i]) result[j] += roots[i] * entry;
  return result;
}

std::vector<Weight> RootSystem::highest_roots() const {
  std::vector<Weight> result;
  for (std::size_t f = 0; f < factors().size(); ++f) {
    const std::vector<int>* highest = nullptr;
    for (const auto& root : positive_roots())
      if (std::any_of(root.begin() + offset(f), root.begin() + offset(f) + factors()[f].rank,
                      [](int c) { return c > 0; }))
        highest = &root;
    result.push_back(weight_of(*highest));
  }
  return result;
}

void RootSystem::require_weight(const Weight& weight) const {
  if (static_cast<int>(weight.size()) != rank())
    throw DomainError(
        fmt::format("{} has {} labels, but a weight of {} has {}", to_string(weight), weight.size(), name(), rank()));
}

bool RootSystem::is_dominant(const Weight& weight) const {
  require_weight(weight);
  return std::all_of(weight.begin(), weight.begin() + semisimple_rank(), [](int label) { return label >= 0; });
}

void RootSystem::require_dominant(const Weight& weight) const {
  if (is_dominant(weight)) return;
  const auto bad = std::find_if(weight.begin(), weight.end(), [](int label) { return label < 0; });
  throw DomainError(fmt::format("{} is not dominant: label {} is {}; highest weights have labels from 0 on",
                                to_string(weight), bad - weight.begin() + 1, *bad));
}

Weight RootSystem::reflect(const Weight& weight, int i) const {
  require_weight(weight);
  cartan(i, i);
  Weight result = weight;
  for (int j = 0; j < semisimple_rank(); ++j) {
    const long long moved = result[j] - static_cast<long long>(weight[i]) * data_->cartan[i][j];
    if (moved < std::numeric_limits<int>::min() || moved > std::numeric_limits<int>::max())
      throw LimitError("a label leaves 32 bits under a reflection");
    result[j] = static_cast<int>(moved);
  }
  return result;
}

Weight RootSystem::dominant(const Weight& weight) const {
  require_weight(weight);
  Weight result = weight;
  for (int i = 0; i < semisimple_rank();)
    if (result[i] < 0) {
      result = reflect(result, i);
      i = 0;
    } else {
      ++i;
    }
  return result;
}

Weight RootSystem::dual(const Weight& weight) const {
  require_weight(weight);
  Weight result = weight;
  for (int i = semisimple_rank(); i < rank(); ++i) result[i] = -result[i];
  for (std::size_t f = 0; f < factors().size(); ++f) {
    const auto [letter, n] = factors()[f];
    const auto first = result.begin() + offset(f);
    if (letter == 'A') std::reverse(first, first + n);
    if (letter == 'D' && n % 2 == 1) std::swap(first[n - 2], first[n - 1]);
    if (letter == 'E' && n == 6) std::swap(first[0], first[5]), std::swap(first[2], first[4]);
  }
  return result;
}

Integer RootSystem::weyl_group_order() const { return orbit_size(Weight(rank(), 1)); }

Integer RootSystem::orbit_size(const Weight& weight) const {
  // The order of a reflection group is the product of (height + 1) / height over its positive roots [Macdonald 1972]; a
  // stabilizer has those roots whose simple roots all lie where the dominant weight is 0.
  const Weight top = dominant(weight);
  Integer above = 1, below = 1;
  for (const auto& root : positive_roots()) {
    int height = 0;
    bool fixes = true;
    for (int i = 0; i < data_->semisimple_rank; ++i) {
      height += root[i];
      fixes = fixes && (root[i] == 0 || top[i] == 0);
    }
    if (fixes) continue;
    above *= height + 1;
    below *= height;
  }
  return above / below;
}

std::vector<Weight> RootSystem::orbit(const Weight& weight, std::size_t max_size, const Task& task) const {
  const Integer size = orbit_size(weight);
  if (size > max_size)
    throw LimitError(
        fmt::format("the orbit of {} has {} weights, more than {}", to_string(weight), size.str(), max_size));
  task.require_memory(static_cast<std::uint64_t>(size) * (sizeof(Weight) + sizeof(int) * rank()),
                      "the orbit of a weight");
  std::vector<Weight> result{dominant(weight)};
  // A weight's parent is its reflection in its first negative label, so that each is met once.
  for (std::size_t at = 0; at < result.size(); ++at) {
    task.poll();
    for (int i = 0; i < semisimple_rank(); ++i) {
      if (result[at][i] <= 0) continue;
      Weight below = reflect(result[at], i);
      if (std::find_if(below.begin(), below.end(), [](int label) { return label < 0; }) == below.begin() + i)
        result.push_back(std::move(below));
    }
  }
  return result;
}

Integer RootSystem::dimension(const Weight& weight) const {
  require_dominant(weight);
  Integer product = 1;
  std::uint64_t word = 1;  // factors not yet multiplied, as long as they fit
  for (const auto& root : positive_roots()) {
    std::uint64_t factor = 0;
    for (int i = 0; i < data_->semisimple_rank; ++i)
      factor += static_cast<std::uint64_t>(root[i] * data_->half_norm[i]) * (static_cast<std::uint64_t>(weight[i]) + 1);
    std::uint64_t next;
    if (__builtin_mul_overflow(word, factor, &next)) {
      product *= word;
      next = factor;
    }
    word = next;
  }
  return product * word / data_->weyl_denominator;
}

Integer RootSystem::principal_label(const Weight& weight) const {
  require_weight(weight);
  Integer sum = 0;
  for (int i = 0; i < semisimple_rank(); ++i) sum += Integer(weight[i]) * data_->two_rho_check[i];
  return sum;
}

int RootSystem::indicator(const Weight& weight) const {
  require_dominant(weight);
  if (dual(weight) != weight) return 0;
  return principal_label(weight) % 2 == 0 ? 1 : -1;
}

namespace {

class RootSystemParser : TextCursor {
 public:
  explicit RootSystemParser(std::string_view text) : TextCursor(text) {}
  RootSystem parse() {
    std::vector<LieType> factors;
    do {
      skip();
      const std::size_t start = at_;
      const char letter = peek();
      if (letter < 'A' || (letter > 'G' && letter != 'T'))
        fail("expected a type such as A5, E8 or T1, several joined by x", start);
      ++at_;
      skip();
      if (!peek_digit()) fail(fmt::format("{} needs its rank, as in {}2", letter, letter), at_);
      const auto rank = number(1'000'000);
      if (!rank)
        throw LimitError(fmt::format("the ranks of a reductive group add up to at most {}", RootSystem::max_rank));
      factors.push_back({letter, static_cast<int>(*rank)});
    } while (accept('x') || accept('*'));
    if (!at_end()) fail(fmt::format("did not expect '{}' in a type such as A2 x A1 x T1", letter()), at_);
    return RootSystem(std::move(factors));
  }
};

}  // namespace

RootSystem parse_root_system(const std::string& text) { return RootSystemParser(text).parse(); }

}  // namespace intertwine
