// The projections of weights onto equivariant ones, for every kind of Hom.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>

#include "bindings.hpp"
#include "intertwine/equivariant/symmetrizer.hpp"

namespace intertwine::python {

struct SymmetrizedTag {
  static constexpr auto name = nb::detail::const_name("Matrix | numpy.typing.NDArray[numpy.float64 | numpy.float32]");
};

/// The projection that is asked for, under limits, and the shape of the weights.
struct Projecting {
  std::function<std::shared_ptr<const EquivariantProjection>(const Task&)> projection;
  std::uint64_t rows, cols;
};
/// H has source(), target() and projection(task).
template <class H>
Projecting projecting(const H& hom) {
  return {[&hom](const Task& task) { return hom.projection(task); },
          static_cast<std::uint64_t>(hom.target().dimension()), static_cast<std::uint64_t>(hom.source().dimension())};
}

/// The symmetrized weights: exact ones, or an array of floats.
nb::object symmetrized(const Limits& limits, const Projecting& hom, const nb::object& W);
double symmetry_residual(const Limits& limits, const Projecting& hom, const nb::object& W);
bool is_symmetric(const Limits& limits, const Projecting& hom, const nb::object& W);

template <class H>
void bind_projection(nb::class_<H>& c) {
  def_limited(
      c, "symmetrize",
      [](const Limits& limits, const H& hom, Typed<MatrixTag> W) {
        return Typed<SymmetrizedTag>{symmetrized(limits, projecting(hom), W.object)};
      },
      nb::arg("W"),
      "The mean of rho_U(g) W rho_V(g)^-1 over the group: the nearest equivariant matrix where V and U are "
      "by orthogonal matrices.\n"
      "Exact for a Matrix, lists and arrays of integers, Fractions or Cyclotomics; for an array of floats an "
      "array of the same dtype,\n"
      "in which an entry that is not finite spreads over its orbit, as in other means of NumPy. Between V "
      "and "
      "U over fields\n"
      "that are not real W is exact.\n"
      "Of a continuous group that is not compact, which has no mean, the projection along what has no "
      "invariants.");
  def_limited(
      c, "residual",
      [](const Limits& limits, const H& hom, Typed<MatrixTag> W) {
        return symmetry_residual(limits, projecting(hom), W.object);
      },
      nb::arg("W"), "|W - symmetrize(W)| / |W| in the Frobenius norm: 0 for equivariant W.");
  def_limited(
      c, "is_equivariant",
      [](const Limits& limits, const H& hom, Typed<MatrixTag> W) {
        return is_symmetric(limits, projecting(hom), W.object);
      },
      nb::arg("W"), "Does W commute with every generator, exactly?");
}

}  // namespace intertwine::python
