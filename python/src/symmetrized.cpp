// Symmetrizes exact weights and arrays of floats for Python.
#include "symmetrized.hpp"

#include <nanobind/ndarray.h>

#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "arrays.hpp"
#include "intertwine/error.hpp"

namespace intertwine::python {

namespace {

using Doubles = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Weights as they came: an array of floats, or exact.
struct Weights {
  std::optional<Doubles> doubles;
  nb::object dtype;  ///< the dtype of the array
  std::optional<Matrix> exact;
};

Weights weights_of(const nb::object& o, std::uint64_t rows, std::uint64_t cols) {
  Weights weights;
  const auto require_shape = [&](std::uint64_t r, std::uint64_t c) {
    if (r != rows || c != cols)
      throw DomainError("the weights have the shape (" + std::to_string(r) + ", " + std::to_string(c) +
                        "); maps from V to U have (" + std::to_string(rows) + ", " + std::to_string(cols) + ")");
  };
  if (!nb::isinstance<Matrix>(o) && nb::hasattr(o, "__array__")) {
    const nb::module_ numpy = nb::module_::import_("numpy");
    const nb::object array = numpy.attr("asarray")(o);
    const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
    if (const auto dimensions = nb::cast<std::size_t>(array.attr("ndim")); dimensions != 2)
      throw DomainError("the weights are an array of " + std::to_string(dimensions) + " dimensions, not a matrix");
    if (kind == "c")
      throw DomainError(
          "the weights are complex; symmetrize the real and the imaginary part, as exact numbers where the "
          "representations are not real");
    if (kind == "f") {
      weights.dtype = array.attr("dtype");
      weights.doubles = nb::cast<Doubles>(numpy.attr("ascontiguousarray")(array, "float64"));
      require_shape(weights.doubles->shape(0), weights.doubles->shape(1));
      return weights;
    }
  }
  weights.exact = exact_matrix(o);
  require_shape(weights.exact->rows(), weights.exact->cols());
  return weights;
}

std::span<const double> span_of(const Doubles& a) { return {a.data(), a.size()}; }

}  // namespace

nb::object symmetrized(const Limits& limits, const Projecting& hom, const nb::object& W) {
  const Weights weights = weights_of(W, hom.rows, hom.cols);
  if (weights.exact)
    return nb::cast(limits.run(
        [&](const Task& task) { return Matrix((*hom.projection(task))(weights.exact->to_field(task), task)); }));
  auto out = limits.run([&](const Task& task) {
    std::vector<double> result(weights.doubles->size());
    hom.projection(task)->apply(span_of(*weights.doubles), result, task);
    return result;
  });
  const nb::object array = owned_array<double>(std::move(out), {weights.doubles->shape(0), weights.doubles->shape(1)});
  return array.attr("astype")(weights.dtype, nb::arg("copy") = false);
}

double symmetry_residual(const Limits& limits, const Projecting& hom, const nb::object& W) {
  const Weights weights = weights_of(W, hom.rows, hom.cols);
  return limits.run([&](const Task& task) {
    const auto S = hom.projection(task);
    return weights.exact ? std::sqrt(S->squared_residual(weights.exact->to_field(task), task).to_complex().real())
                         : S->residual(span_of(*weights.doubles), task);
  });
}

bool is_symmetric(const Limits& limits, const Projecting& hom, const nb::object& W) {
  const Weights weights = weights_of(W, hom.rows, hom.cols);
  if (!weights.exact) throw DomainError("is_equivariant decides exactly; for floats look at residual(W)");
  return limits.run(
      [&](const Task& task) { return hom.projection(task)->is_equivariant(weights.exact->to_field(task), task); });
}

}  // namespace intertwine::python
