#include "intertwine/lie/orthogonal_character.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

int require_odd(int n) {
  if (n < 3 || n % 2 == 0)
    throw DomainError(fmt::format("O({}): characters of O(n) are known here for odd n from 3 on", n));
  return n;
}

/// The partition with a first column of `rows` cells in place of its own.
Partition with_first_column(const Partition& shape, int rows) {
  std::vector<int> parts;
  for (int i = 0; i < rows; ++i) parts.push_back(i < shape.length() ? std::max(shape[i], 1) : 1);
  for (int i = 0; i < shape.length(); ++i)
    if (i >= rows && shape[i] > 1) throw InternalError("with_first_column: the second column is longer");
  return Partition(std::move(parts));
}

/// The partition of a weight of SO(n), n = 2 r + 1: lambda_i = a_i + ... + a_{r-1} + a_r / 2.
Partition partition_of_weight(const Weight& labels) {
  std::vector<int> parts(labels.size());
  int sum = 0;
  for (std::size_t i = labels.size(); i-- > 0;) {
    sum += i + 1 == labels.size() ? labels[i] / 2 : labels[i];
    parts[i] = sum;
  }
  while (!parts.empty() && parts.back() == 0) parts.pop_back();
  return Partition(std::move(parts));
}

}  // namespace

OddOrthogonalGroup::OddOrthogonalGroup(int n)
    : n_(require_odd(n)),
      rotations_(LieGroup::classical("SO", n)),
      with_charge_(LieGroup::product({rotations_, LieGroup::classical("U", 1)})) {}

std::string OddOrthogonalGroup::name() const { return fmt::format("O({})", n_); }

LieCharacter OddOrthogonalGroup::irrep(const Partition& shape) const {
  const int rows = shape.length();
  int second = 0;  // cells of the second column
  while (second < rows && shape[second] > 1) ++second;
  if (rows + second > n_)
    throw DomainError(
        fmt::format("the first two columns of a partition for O({0}) have at most {0} cells together", n_));
  const Partition least = 2 * rows > n_ ? with_first_column(shape, n_ - rows) : shape;
  std::vector<int> parts;
  for (int i = 0; i < least.length(); ++i) parts.push_back(least[i]);
  Weight weight = rotations_.weight_of_partition(parts);
  weight.push_back(static_cast<int>(shape.weight() % 2));
  return with_charge_.irrep(weight);
}

LieCharacter OddOrthogonalGroup::parity() const {
  return irrep(Partition(std::vector<int>(static_cast<std::size_t>(n_), 1)));
}

std::vector<OrthogonalConstituent> OddOrthogonalGroup::constituents(const LieCharacter& chi) const {
  std::map<std::pair<Weight, bool>, Integer> found;
  for (const WeightTerm& term : chi) {
    Weight labels = term.weight;
    const bool odd = labels.back() % 2 != 0;
    labels.pop_back();
    found[{labels, odd}] += term.coefficient;
  }
  std::vector<OrthogonalConstituent> list;
  for (const auto& [key, multiplicity] : found) {
    if (multiplicity == 0) continue;
    const Partition least = partition_of_weight(key.first);
    const bool same = (least.weight() % 2 != 0) == key.second;
    list.push_back({same ? least : with_first_column(least, n_ - least.length()),
                    rotations_.irrep(key.first).dimension(), multiplicity});
  }
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return a.degree != b.degree ? a.degree > b.degree : to_string(a.shape) < to_string(b.shape);
  });
  return list;
}

std::string name_in_expressions(const OddOrthogonalGroup& G, const Partition& shape) {
  const int rows = shape.length(), first = rows == 0 ? 0 : shape[0];
  if (rows <= 1) return first == 0 ? "trivial" : first == 1 ? "vector" : fmt::format("harmonic({})", first);
  const bool column = shape[1] == 1;
  if (column && rows == G.n()) return "parity";
  if (column && rows == G.n() - 1)
    return first == 1 ? "parity*vector" : fmt::format("parity*harmonic({})", first);
  return fmt::format("irrep({} as partition)", to_string(shape));
}

}  // namespace intertwine
