// Products of operations until there are no more.
#include "intertwine/physics/magnetic_space_group.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using MagneticKey = std::tuple<std::array<std::array<int, 3>, 3>, bool, std::array<int, 3>>;

constexpr std::array<std::array<int, 3>, 3> identity_matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// By their matrices, the identity first.
void sort_operations(std::vector<SpaceOperation>& operations) {
  std::ranges::sort(operations, {}, [](const SpaceOperation& g) { return std::pair(g.W != identity_matrix, g.W); });
}

void reduce_magnetic(SpaceOperation& g) {
  for (int& x : g.w) x = ((x % 12) + 12) % 12;
}

int magnetic_determinant(const SpaceOperation& g) {
  const auto& W = g.W;
  return W[0][0] * (W[1][1] * W[2][2] - W[1][2] * W[2][1]) - W[0][1] * (W[1][0] * W[2][2] - W[1][2] * W[2][0]) +
         W[0][2] * (W[1][0] * W[2][1] - W[1][1] * W[2][0]);
}

/// Numbers of matrices stay so small that determinants and products fit into an int.
void require_small(const SpaceOperation& g) {
  constexpr int large = 500;
  for (const auto& row : g.W)
    for (const int x : row)
      if (x > large || x < -large)
        throw DomainError("MagneticSpaceGroup: these operations have or generate a matrix with the number " +
                          std::to_string(x) + ", and those of crystals are small");
}

}  // namespace

MagneticSpaceGroup::MagneticSpaceGroup(const SpaceGroup& group, bool grey)
    : centring_(group.centring()), operations_(group.operations()) {
  if (group.kind() != "space")
    throw DomainError("a magnetic space group is of a space group here, not of a rod or a layer");
  std::ranges::sort(centring_);
  sort_operations(operations_);
  if (grey) {
    antiunitary_ = operations_;
    std::ranges::sort(antiunitary_, {}, [](const SpaceOperation& g) { return g.W; });
  }
}

MagneticSpaceGroup::MagneticSpaceGroup(std::span<const MagneticOperation> generators, const Task& task) {
  for (const MagneticOperation& g : generators) {
    require_small(g.operation);
    if (std::abs(magnetic_determinant(g.operation)) != 1)
      throw DomainError("MagneticSpaceGroup: the determinant of an operation's matrix is 1 or -1, and one here is " +
                        std::to_string(magnetic_determinant(g.operation)));
  }
  const SpaceOperation identity{identity_matrix, {}};
  std::vector<MagneticOperation> all{{identity, false}};
  std::set<MagneticKey> known{{identity.W, false, identity.w}};
  std::set<std::array<std::array<int, 3>, 3>> matrices{identity.W};
  for (std::size_t k = 0; k < all.size(); ++k) {
    task.poll();
    for (const MagneticOperation& g : generators) {
      MagneticOperation product = g;
      reduce_magnetic(product.operation);  // so that no sum is too large
      product = {product.operation * all[k].operation, g.reverses_time != all[k].reverses_time};
      reduce_magnetic(product.operation);
      require_small(product.operation);
      if (!known.emplace(product.operation.W, product.reverses_time, product.operation.w).second) continue;
      matrices.insert(product.operation.W);
      if (matrices.size() > 48)
        throw DomainError(
            "MagneticSpaceGroup: these operations generate more than 48 matrices, so they are not those of a "
            "crystal");
      all.push_back(product);
    }
  }
  std::map<std::array<std::array<int, 3>, 3>, std::array<int, 3>> least[2];
  for (const MagneticOperation& g : all) {
    if (g.operation.W == identity.W && !g.reverses_time) centring_.push_back(g.operation.w);
    const auto [at, added] = least[g.reverses_time ? 1 : 0].emplace(g.operation.W, g.operation.w);
    if (!added) at->second = std::min(at->second, g.operation.w);
  }
  std::ranges::sort(centring_);
  for (const auto& [W, w] : least[0]) operations_.push_back({W, w});
  for (const auto& [W, w] : least[1]) antiunitary_.push_back({W, w});
  sort_operations(operations_);
}

unsigned MagneticSpaceGroup::type() const {
  if (antiunitary_.empty()) return 1;
  const auto translation = std::ranges::find(antiunitary_, identity_matrix, &SpaceOperation::W);
  if (translation == antiunitary_.end()) return 3;
  return std::ranges::find(centring_, translation->w) != centring_.end() ? 2 : 4;
}

}  // namespace intertwine
