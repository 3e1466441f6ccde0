// Reductive groups: simple factors, torus and names.
#include "intertwine/reductive/lie_group.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "reductive/dimensions.hpp"

namespace intertwine {

namespace {

RootSystem classical_type(std::string_view family, int n) {
  std::vector<LieType> factors;
  if (family == "SU" || family == "SL" || family == "U" || family == "GL") {
    if (n > 1) factors.push_back({'A', n - 1});
    if (family == "U" || family == "GL") factors.push_back({'T', 1});
  } else if (family == "Sp") {
    factors.push_back({'C', n / 2});
  } else if (n == 2) {
    factors.push_back({'T', 1});
  } else if (n > 2) {
    factors.push_back({n % 2 == 0 ? 'D' : 'B', n / 2});
  }
  return RootSystem(std::move(factors));
}

std::string type_name(const RootSystem& type) {
  const auto& factors = type.factors();
  const bool exceptional = factors.size() == 1 && type.torus_rank() == 0 && factors[0].letter >= 'E';
  return exceptional ? type.name() : "Lie(" + type.name() + ")";
}

/// The weight whose only label that is not 0 is number i: value.
Weight unit(const RootSystem& type, int i, int value = 1) {
  Weight result(type.rank(), 0);
  result[i] = value;
  return result;
}

}  // namespace

LieGroup LieGroup::classical(std::string_view family, int n) {
  struct Rule {
    std::string_view family;
    int least;
  };
  static constexpr Rule rules[] = {{"SU", 1}, {"SL", 1}, {"U", 1}, {"GL", 1}, {"SO", 1}, {"Spin", 3}, {"Sp", 2}};
  const auto* rule =
      std::find_if(std::begin(rules), std::end(rules), [&](const Rule& r) { return r.family == family; });
  if (rule == std::end(rules))
    throw DomainError(
        fmt::format("there is no family {}; the classical groups are SU(n), SL(n), U(n), GL(n), SO(n), "
                    "Spin(n) and Sp(2n)",
                    family));
  if (n < rule->least)
    throw DomainError(fmt::format("{}({}) is not offered: n is at least {}", family, n, rule->least));
  if (family == "Sp" && n % 2 == 1)
    throw DomainError(fmt::format("Sp({}) does not exist: Sp(n) acts on C^n, and n is even", n));
  if (n > 2 * RootSystem::max_rank + 1)
    throw LimitError(fmt::format("{}({}) is too large: ranks are at most {}", family, n, RootSystem::max_rank));
  LieGroup result(fmt::format("{}({})", family, n), classical_type(family, n));
  result.family_ = family;
  result.n_ = n;
  const int rank = result.type_.rank();
  std::vector<int> condition(rank, 0);
  if ((family == "U" || family == "GL") && n > 1) {
    for (int i = 0; i + 1 < rank; ++i) condition[i] = i + 1;
    condition[rank - 1] = -1;
    result.congruences_.emplace_back(condition, n, "its charge is the sum of the partition");
  }
  if (family == "SO" && n > 2) {
    condition[rank - 1] = 1;
    if (n % 2 == 0) condition[rank - 2] = 1;
    result.congruences_.emplace_back(condition, 2, fmt::format("it is one of Spin({}) only", n));
  }
  result.factors_ = {result};
  return result;
}

LieGroup::LieGroup(RootSystem type) : LieGroup(type_name(type), type) { factors_ = {*this}; }

LieGroup LieGroup::product(const std::vector<LieGroup>& factors) {
  if (factors.empty()) throw DomainError("a product of groups has at least one factor");
  std::vector<LieGroup> flat;
  for (const LieGroup& factor : factors)
    if (factor.factors_.empty())  // one that factors() gave
      flat.push_back(factor);
    else
      flat.insert(flat.end(), factor.factors_.begin(), factor.factors_.end());
  if (flat.size() == 1) return factors[0];
  std::vector<LieType> types;
  std::string name;
  int labels = 0;
  for (const LieGroup& factor : flat) {
    types.insert(types.end(), factor.type_.factors().begin(), factor.type_.factors().end());
    if (factor.type_.torus_rank() > 0) types.push_back({'T', factor.type_.torus_rank()});
    labels += factor.type_.semisimple_rank();
    name += (name.empty() ? "" : " x ") + factor.name_;
  }
  LieGroup result(name, RootSystem(std::move(types)));
  int label = 0, charge = labels;
  for (const LieGroup& factor : flat) {
    const int own = factor.type_.semisimple_rank(), torus = factor.type_.torus_rank();
    for (const Congruence& rule : factor.congruences_) {
      std::vector<int> moved(result.type_.rank(), 0);
      std::copy_n(rule.coefficients.begin(), own, moved.begin() + label);
      std::copy_n(rule.coefficients.begin() + own, torus, moved.begin() + charge);
      result.congruences_.emplace_back(std::move(moved), rule.modulus, factor.name_ + ": " + rule.reason);
    }
    label += own;
    charge += torus;
  }
  result.factors_ = std::move(flat);
  return result;
}

void LieGroup::require_weight(const Weight& weight) const {
  if (static_cast<int>(weight.size()) != type_.rank())
    throw DomainError(fmt::format(
        "{} has {} numbers, but a weight of {} has {}{}{}", to_string(weight), weight.size(), name_, type_.rank(),
        type_.torus_rank() == 0 ? ""
                                : fmt::format(": {} Dynkin labels, then {} {}", type_.semisimple_rank(),
                                              type_.torus_rank(), type_.torus_rank() == 1 ? "charge" : "charges"),
        family_.empty() ? "" : fmt::format("; a partition is written irrep({} as partition)", to_string(weight))));
  for (const Congruence& rule : congruences_) {
    long long sum = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) sum += static_cast<long long>(rule.coefficients[i]) * weight[i];
    if (sum % rule.modulus != 0)
      throw DomainError(fmt::format("{} is no weight of {}: {}", to_string(weight), name_, rule.reason));
  }
}

LieCharacter LieGroup::irrep(const Weight& highest) const {
  require_weight(highest);
  return LieCharacter(type_, highest);
}

Weight LieGroup::weight_of_partition(const std::vector<int>& partition) const {
  const bool special = family_ == "SU" || family_ == "SL", linear = special || family_ == "U" || family_ == "GL";
  const bool orthogonal = family_ == "SO" || family_ == "Spin", even = orthogonal && n_ % 2 == 0;
  if (family_.empty())
    throw DomainError(fmt::format("representations of {} are not labelled by partitions; give Dynkin labels", name_));
  const int rows = linear ? n_ : n_ / 2;
  const auto text = to_string(partition);
  if (static_cast<int>(partition.size()) > rows)
    throw DomainError(
        fmt::format("{} has {} rows, but partitions of {} have at most {}", text, partition.size(), name_, rows));
  if (!std::is_sorted(partition.begin(), partition.end(), std::greater<>()))
    throw DomainError(fmt::format("{} is no partition: its parts increase", text));
  for (const int part : partition)
    if (std::abs(static_cast<long long>(part)) > 1'000'000)
      throw LimitError("the parts of a partition are at most 1000000");
  std::vector<int> row = partition;
  row.resize(rows, 0);
  if (!std::is_sorted(row.begin(), row.end(), std::greater<>()))
    throw DomainError(fmt::format("{} has negative parts; for {} give all {} of them", text, name_, rows));
  const bool negative = !row.empty() && row.back() < 0;
  if (negative &&
      (special || family_ == "Sp" || (orthogonal && !even) || (even && rows > 1 && -row.back() > row[rows - 2])))
    throw DomainError(fmt::format("{} is no label of {}: a part is negative", text, name_));
  Weight weight(type_.rank(), 0);
  if (weight.empty()) return weight;
  for (int i = 0; i + 1 < rows; ++i) weight[i] = row[i] - row[i + 1];
  if (linear) {
    if (!special)
      for (const int part : row) weight.back() += part;
  } else if (family_ == "Sp") {
    weight.back() = row.back();
  } else if (!even) {
    weight.back() = 2 * row.back();
  } else {
    weight.back() = rows == 1 ? row[0] : row[rows - 2] + row[rows - 1];
  }
  return weight;
}

std::optional<std::vector<int>> LieGroup::partition_of_weight(const Weight& weight) const {
  require_weight(weight);
  const bool special = family_ == "SU" || family_ == "SL", linear = special || family_ == "U" || family_ == "GL";
  if (family_.empty())
    throw DomainError(fmt::format("representations of {} are not labelled by partitions; give Dynkin labels", name_));
  const int rows = linear ? n_ : n_ / 2, labels = static_cast<int>(weight.size());
  std::vector<int> row(static_cast<std::size_t>(rows), 0);
  if (labels == 0) return row;
  if (linear) {
    for (int i = rows - 1; i-- > 0;) row[i] = row[i + 1] + weight[i];
    if (special) return row;
    int sum = 0;
    for (const int part : row) sum += part;
    for (int& part : row) part += (weight.back() - sum) / n_;
    return row;
  }
  const bool even = family_ != "Sp" && n_ % 2 == 0;
  int next = rows - 1;
  if (family_ == "Sp" || rows == 1) {
    row[next] = weight[next];
    if (family_ != "Sp" && !even) {
      if (weight[next] % 2 != 0) return std::nullopt;
      row[next] /= 2;
    }
  } else {
    const int last = even ? weight[next] - weight[next - 1] : weight[next];
    if (last % 2 != 0) return std::nullopt;
    row[next] = last / 2;
    if (even) {
      --next;
      row[next] = row[next + 1] + weight[next];
    }
  }
  while (next-- > 0) row[next] = row[next + 1] + weight[next];
  return row;
}

LieCharacter LieGroup::trivial() const { return LieCharacter(type_, Weight(type_.rank(), 0)); }

LieCharacter LieGroup::vector() const {
  if (family_ == "SO" && n_ == 2) return LieCharacter(type_, std::vector<WeightTerm>{{{1}, 1}, {{-1}, 1}});
  if (family_ == "SO" && n_ == 1) return trivial();
  if (!family_.empty()) return LieCharacter(type_, weight_of_partition({1}));
  if (type_.rank() == 1 && type_.torus_rank() == 1) return LieCharacter(type_, Weight{1});
  if (type_.factors().size() != 1 || type_.torus_rank() > 0)
    throw DomainError(fmt::format("{} has no representation that is called vector; write irrep([...])", name_));
  const auto [letter, n] = type_.factors()[0];
  const int node = letter == 'F' ? 3 : letter == 'E' && n > 6 ? n - 1 : 0;
  return LieCharacter(type_, unit(type_, node));
}

LieCharacter LieGroup::adjoint() const {
  LieCharacter result = Integer(type_.torus_rank()) * trivial();
  for (const Weight& highest : type_.highest_roots()) result = result + LieCharacter(type_, highest);
  return result;
}

LieCharacter LieGroup::spinor() const {
  const auto& simple = type_.factors();
  if ((family_ == "SU" || family_ == "SL") && n_ == 2) return vector();  // Spin(3)
  const bool by_type = family_.empty() && simple.size() == 1 && type_.torus_rank() == 0 &&
                       (simple[0].letter == 'B' || simple[0].letter == 'D');
  if (family_ == "SO") throw DomainError(fmt::format("the spinor does not descend to {}; take Spin({})", name_, n_));
  if (family_ != "Spin" && !by_type)
    throw DomainError(fmt::format("{} has no spinor; SU(2), Spin(n) and the types B and D have one", name_));
  const int n = type_.rank();
  const bool halves = family_ == "Spin" ? n_ % 2 == 0 : simple[0].letter == 'D';
  const LieCharacter last(type_, unit(type_, n - 1));
  return halves ? LieCharacter(type_, unit(type_, n - 2)) + last : last;
}

std::string dimension_name(const RootSystem& type, const Weight& weight) {
  return to_string(type.dimension(weight)) + (weight < type.dual(weight) ? "*" : "");
}

namespace {

/// The groups of a product; of a group that is known by its type the simple ones and a circle for every charge.
std::vector<LieGroup> factors_of(const LieGroup& G) {
  if (G.factors().size() > 1 || !G.family().empty())
    return G.factors().empty() ? std::vector<LieGroup>{G} : G.factors();
  std::vector<LieGroup> factors;
  for (const LieType& simple : G.type().factors()) factors.emplace_back(RootSystem({simple}));
  for (int k = 0; k < G.type().torus_rank(); ++k) factors.emplace_back(RootSystem('T', 1));
  return factors;
}

bool is_charge(const LieGroup& factor) {
  return factor.type().semisimple_rank() == 0 && factor.type().torus_rank() == 1;
}

}  // namespace

std::string irrep_name(const LieGroup& G, const Weight& weight) {
  const std::vector<LieGroup> factors = factors_of(G);
  if (factors.size() == 1) return dimension_name(G.type(), weight);
  std::vector<std::string> names;
  std::vector<int> charges;
  auto label = weight.begin(), charge = weight.begin() + G.type().semisimple_rank();
  for (const LieGroup& factor : factors) {
    const int own = factor.type().semisimple_rank(), torus = factor.type().torus_rank();
    Weight part(label, label + own);
    part.insert(part.end(), charge, charge + torus);
    if (is_charge(factor))
      charges.push_back(part.front());
    else
      names.push_back(dimension_name(factor.type(), part));
    label += own;
    charge += torus;
  }
  const auto list = [](const auto& items) {
    return items.size() == 1 ? fmt::format("{}", items.front()) : fmt::format("({})", fmt::join(items, ", "));
  };
  if (names.empty()) names.emplace_back("1");
  return list(names) + (charges.empty() ? "" : "_" + list(charges));
}

Weight weight_of_dimensions(const LieGroup& G, const std::vector<std::pair<std::uint64_t, bool>>& dimensions,
                            const std::vector<int>& charges, const Task& task) {
  const std::vector<LieGroup> factors = factors_of(G);
  const auto tori = static_cast<std::size_t>(std::ranges::count_if(factors, is_charge));
  const std::size_t wanted = std::max<std::size_t>(factors.size() - tori, 1);
  if (dimensions.size() != wanted || charges.size() != tori)
    throw DomainError(fmt::format("a representation of {} is named by {} number{} and {} charge{}, as in {}", G.name(),
                                  wanted, wanted == 1 ? "" : "s", tori, tori == 1 ? "" : "s",
                                  irrep_name(G, Weight(static_cast<std::size_t>(G.type().rank()), 0))));
  if (tori == factors.size() && dimensions.front() != std::pair<std::uint64_t, bool>(1, false))
    throw DomainError(fmt::format("{} has representations of dimension 1 only", G.name()));
  Weight labels, ends;
  auto dimension = dimensions.begin();
  auto charge = charges.begin();
  for (const LieGroup& factor : factors) {
    if (is_charge(factor)) {
      ends.push_back(*charge++);
      continue;
    }
    const Weight part = weight_of_dimension(factor, dimension->first, dimension->second, task);
    labels.insert(labels.end(), part.begin(), part.begin() + factor.type().semisimple_rank());
    ends.insert(ends.end(), part.begin() + factor.type().semisimple_rank(), part.end());
    ++dimension;
  }
  labels.insert(labels.end(), ends.begin(), ends.end());
  return labels;
}

std::vector<Weight> detail::weights_of_dimension(const RootSystem& type, std::uint64_t dimension, const Task& task) {
  std::vector<Weight> found;
  Weight weight(static_cast<std::size_t>(type.rank()), 0);
  // Dimensions grow with every label: what is too large stays so when labels are added.
  const auto visit = [&](const auto& self, std::size_t first) -> void {
    if (type.dimension(weight) == dimension) found.push_back(weight);
    for (std::size_t i = first; i < weight.size(); ++i) {
      for (++weight[i]; type.dimension(weight) <= dimension; ++weight[i]) {
        task.poll();
        self(self, i + 1);
      }
      weight[i] = 0;
    }
  };
  visit(visit, 0);
  return found;
}

Weight weight_of_dimension(const LieGroup& G, std::uint64_t dimension, bool dual, const Task& task) {
  const RootSystem& type = G.type();
  const std::string name = std::to_string(dimension) + (dual ? "*" : "");
  if (type.torus_rank() > 0)
    throw DomainError(
        fmt::format("{} has infinitely many irreducible representations of dimension {}: write the highest "
                    "weight, as in irrep([{}])",
                    G.name(), dimension, fmt::join(unit(type, 0), ",")));
  std::vector<Weight> found = detail::weights_of_dimension(type, dimension, task);
  std::erase_if(found, [&](const Weight& w) { return dimension_name(type, w) != name; });
  const bool of_cover = !found.empty() && G.family() == "SO";
  std::erase_if(found, [&](const Weight& w) {
    try {
      G.require_weight(w);
      return false;
    } catch (const DomainError&) {
      return true;
    }
  });
  if (found.size() == 1) return found[0];
  std::string list;
  for (std::size_t k = 0; k < std::min<std::size_t>(found.size(), 4); ++k)
    list += fmt::format(
        "{}{}", k == 0 ? "" : ", ",
        factors_of(G).size() > 1 ? irrep_name(G, found[k]) : fmt::format("irrep([{}])", fmt::join(found[k], ",")));
  throw DomainError(found.empty() ? fmt::format("{} has no irreducible representation {}{}", G.name(), name,
                                                of_cover ? ", which is one of Spin" + G.name().substr(2) : "")
                                  : fmt::format("{} has {} irreducible representations {}: {}{}", G.name(),
                                                found.size(), name, list, found.size() > 4 ? ", ..." : ""));
}

}  // namespace intertwine
