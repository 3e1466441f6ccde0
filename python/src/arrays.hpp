// NumPy arrays that own their numbers.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"

namespace intertwine::python {

/// An array of this shape that owns its numbers, in C order. A const Number makes it read-only.
template <class Number>
nanobind::object owned_array(std::vector<std::remove_const_t<Number>> numbers,
                             std::initializer_list<std::size_t> shape) {
  using Kept = std::vector<std::remove_const_t<Number>>;
  auto kept = std::make_unique<Kept>(std::move(numbers));
  Number* first = kept->data();
  const nanobind::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<Kept*>(p); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, Number>(first, shape.size(), shape.begin(), owner));
}

/// The type of an array of doubles in stubs.
struct DoubleArrayTag {
  static constexpr auto name = nanobind::detail::const_name("numpy.typing.NDArray[numpy.float64]");
};

using FlatDoubles = nanobind::ndarray<const double, nanobind::c_contig, nanobind::device::cpu>;

struct ArrayLikeTag {
  static constexpr auto name = nanobind::detail::const_name("numpy.typing.ArrayLike");
};

/// An array of finite doubles of this shape.
inline FlatDoubles doubles_of(nanobind::handle o, const std::vector<std::size_t>& shape, const char* what) {
  const nanobind::module_ numpy = nanobind::module_::import_("numpy");
  FlatDoubles array;
  try {
    array = nanobind::cast<FlatDoubles>(numpy.attr("ascontiguousarray")(o, "float64"));
  } catch (nanobind::python_error& error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
    throw DomainError(std::string("the ") + what + " are an array of numbers");
  }
  bool fits = array.ndim() == shape.size();
  for (std::size_t k = 0; fits && k < shape.size(); ++k) fits = array.shape(k) == shape[k];
  if (!fits) {
    const auto text = [](std::size_t n, const auto& at) {
      std::string list;
      for (std::size_t k = 0; k < n; ++k) list += (k == 0 ? "" : ", ") + std::to_string(at(k));
      return "[" + list + "]";
    };
    throw DomainError(std::string("the ") + what + " have the shape " +
                      text(shape.size(), [&](std::size_t k) { return shape[k]; }) + ", and these have " +
                      text(array.ndim(), [&](std::size_t k) { return array.shape(k); }));
  }
  for (std::size_t k = 0; k < array.size(); ++k)
    if (!std::isfinite(array.data()[k]))
      throw DomainError(std::string("the ") + what + " have an entry that is no finite number");
  return array;
}

}  // namespace intertwine::python
