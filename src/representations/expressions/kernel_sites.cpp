// Representations on the sites of convolution kernels.
#include "intertwine/representations/kernel_sites.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t most_sites = std::uint64_t{1} << 24;

/// Row t: the axis and the sign that axis t goes to.
using AxisMap = std::vector<std::pair<std::size_t, bool>>;

AxisMap axis_map(const RationalMatrix& matrix) {
  AxisMap map(matrix.cols());
  std::vector<bool> taken(matrix.rows(), false);
  const auto refuse = [] {
    throw DomainError(
        "kernel: a generator does not permute the axes of the grid up to signs, so it moves grid points off "
        "the grid");
  };
  for (std::size_t t = 0; t < matrix.cols(); ++t) {
    std::size_t found = 0;
    for (std::size_t s = 0; s < matrix.rows(); ++s) {
      if (matrix(s, t) == 0) continue;
      if (matrix(s, t) != 1 && matrix(s, t) != -1) refuse();
      map[t] = {s, matrix(s, t) == -1};
      ++found;
    }
    if (found != 1 || taken[map[t].first]) refuse();
    taken[map[t].first] = true;
  }
  return map;
}

/// The image of each site; coordinate o of an axis of size k lies at 2 o - (k - 1) from the centre.
SignedPermutation on_sites(const AxisMap& map, std::span<const std::uint64_t> sizes, std::uint64_t sites) {
  for (std::size_t t = 0; t < map.size(); ++t)
    if (sizes[map[t].first] != sizes[t])
      throw DomainError(
          fmt::format("kernel: the group exchanges axes of the sizes {} and {}", sizes[t], sizes[map[t].first]));
  std::vector<std::uint64_t> stride(sizes.size(), 1);
  for (std::size_t t = sizes.size(); t-- > 1;) stride[t - 1] = stride[t] * sizes[t];
  std::vector<SignedPoint> images;
  for (std::uint64_t site = 0; site < sites; ++site) {
    std::uint64_t image = 0;
    for (std::size_t t = 0; t < sizes.size(); ++t) {
      const std::uint64_t o = site / stride[t] % sizes[t];
      image += (map[t].second ? sizes[t] - 1 - o : o) * stride[map[t].first];
    }
    images.emplace_back(static_cast<Point>(image), false);
  }
  return SignedPermutation(std::move(images));
}

Representation sites_of(const Representation& axes, std::span<const std::uint64_t> sizes, std::string text,
                        const Task& task) {
  if (axes.dimension() != sizes.size())
    throw DomainError(fmt::format("kernel: {} has dimension {}, and the kernel {} axes", axes.to_string(),
                                  axes.dimension(), sizes.size()));
  std::uint64_t sites = 1;
  for (const std::uint64_t size : sizes) {
    if (size == 0) throw DomainError("kernel: a kernel has at least one site along every axis");
    if (size > most_sites / sites)
      throw LimitError(fmt::format("kernel: {} has more than {} sites", fmt::join(sizes, " x "), most_sites));
    sites *= size;
  }
  if (axes.group().generators().empty())
    throw DomainError("kernel: the group is trivial, so that every kernel is equivariant and no weights are tied");
  std::vector<SignedPermutation> images;
  for (const RationalMatrix& matrix : axes.generator_matrices())
    images.push_back(on_sites(axis_map(matrix), sizes, sites));
  return monomial_representation(axes.group(), std::move(images), std::move(text), task);
}

}  // namespace

namespace {

/// How the planar groups move the axes of a picture; nothing for other groups and numbers of axes.
std::optional<std::vector<IntegerMatrix>> picture_axes(const FiniteGroup& G, std::size_t dimension) {
  const IntegerMatrix turn = {{0, -1}, {1, 0}}, half_turn = {{-1, 0}, {0, -1}}, mirror = {{1, 0}, {0, -1}};
  const auto* cyclic = G.structure().as<structure::Cyclic>();
  const auto* dihedral = G.structure().as<structure::Dihedral>();
  using Matrices = std::vector<IntegerMatrix>;
  if (dimension == 1 && ((cyclic && cyclic->n == 2) || (dihedral && dihedral->n == 1)))
    return Matrices{IntegerMatrix{{-1}}};
  if (dimension != 2) return std::nullopt;
  if (cyclic && cyclic->n == 1) return Matrices{};
  if (cyclic && cyclic->n == 2) return Matrices{half_turn};
  if (cyclic && cyclic->n == 4) return Matrices{turn};
  if (dihedral && dihedral->n == 1) return Matrices{mirror};
  if (dihedral && dihedral->n == 2) return Matrices{half_turn, mirror};
  if (dihedral && dihedral->n == 4) return Matrices{turn, mirror};
  return std::nullopt;
}

}  // namespace

Representation kernel_axes(const FiniteGroup& G, std::size_t dimension) {
  if (const auto images = picture_axes(G, dimension)) {
    if (images->empty()) return dimension * trivial_representation(G);
    return matrix_representation(G, std::vector<RationalMatrix>(images->begin(), images->end()));
  }
  const Representation coordinates = coordinate_representation(G);
  if (coordinates.dimension() != dimension)
    throw DomainError(
        fmt::format("kernel: {} acts on {} coordinates, and the kernel has {} axes; kernel(3,3, R) takes how "
                    "the group acts on "
                    "the axes from the representation R",
                    G.name(), coordinates.dimension(), dimension));
  if (!coordinates.field().is_rational())
    throw DomainError(fmt::format("kernel: {} turns the axes by angles that move grid points off the grid", G.name()));
  return coordinates;
}

std::vector<std::uint64_t> kernel_extents(const FiniteGroup& G, std::vector<std::uint64_t> sizes) {
  if (sizes.size() != 1) return sizes;
  const auto* cyclic = G.structure().as<structure::Cyclic>();
  const auto* dihedral = G.structure().as<structure::Dihedral>();
  const bool planar = (cyclic && cyclic->n > 2) || (dihedral && dihedral->n > 1);
  const std::size_t axes = planar ? 2 : G.coordinates().matrices ? G.coordinates().dimension : 1;
  return std::vector<std::uint64_t>(axes, sizes.front());
}

Representation kernel_sites(const Representation& axes, std::span<const std::uint64_t> sizes, const Task& task) {
  return sites_of(axes, sizes, fmt::format("kernel({}, {})", fmt::join(sizes, ","), axes.to_string(TextForm::checked)),
                  task);
}

/// The representation on the sites; the text states the action on the axes if the name of the group does not.
Representation kernel_sites(const FiniteGroup& G, std::span<const std::uint64_t> sizes, const Task& task) {
  const Representation axes = kernel_axes(G, sizes.size());
  if (is_made_of_matrices(G)) return kernel_sites(axes, sizes, task);
  return sites_of(axes, sizes, fmt::format("kernel({})", fmt::join(sizes, ",")), task);
}

}  // namespace intertwine
