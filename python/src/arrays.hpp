// NumPy arrays that own their numbers.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace intertwine::python {

/// An array of this shape that owns its numbers, in C order. A const Number makes it read-only.
template <class Number>
nanobind::object owned_array(std::vector<std::remove_const_t<Number>> numbers,
                             std::initializer_list<std::size_t> shape) {
  using Kept = std::vector<std::remove_const_t<Number>>;
  auto kept = std::make_unique<Kept>(std::move(numbers));
  Number* first = kept->data();
  const nanobind::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<Kept*>(p); });
  return nanobind::cast(
      nanobind::ndarray<nanobind::numpy, Number>(first, shape.size(), shape.begin(), owner));
}

/// The type of an array of doubles in stubs.
struct DoubleArrayTag {
  static constexpr auto name = nanobind::detail::const_name("numpy.typing.NDArray[numpy.float64]");
};

}  // namespace intertwine::python
