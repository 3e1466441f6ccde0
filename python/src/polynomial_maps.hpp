// The maps of PolynomialMaps, of finite and of classical groups.
#pragma once
#include "bindings.hpp"
#include "intertwine/hom/equivariant_maps.hpp"

namespace intertwine::python {

/// A basis of polynomial maps between representations of a group of any kind.
class PolynomialMapsOfAnyKind {
 public:
  PolynomialMapsOfAnyKind(hom::AnyPolynomials maps) : maps_(std::move(maps)) {}
  PolynomialMapsOfAnyKind(PolynomialMaps maps) : maps_(std::move(maps)) {}
  PolynomialMapsOfAnyKind(ContinuousPolynomialMaps maps) : maps_(std::move(maps)) {}

  const hom::AnyPolynomials& kind() const { return maps_; }
  template <class T>
  const T* as() const {
    return std::get_if<T>(&maps_);
  }
  const PolynomialBasis& basis() const {
    return std::visit([](const auto& maps) -> const PolynomialBasis& { return maps; }, maps_);
  }
  hom::Representation source() const {
    return std::visit([](const auto& maps) -> hom::Representation { return maps.source; }, maps_);
  }
  hom::Representation target() const {
    return std::visit([](const auto& maps) -> hom::Representation { return maps.target; }, maps_);
  }

 private:
  hom::AnyPolynomials maps_;
};

}  // namespace intertwine::python

namespace nanobind::detail {

template <>
struct type_caster<intertwine::PolynomialMaps>
    : kind_caster<intertwine::python::PolynomialMapsOfAnyKind, intertwine::PolynomialMaps> {};
template <>
struct type_caster<intertwine::ContinuousPolynomialMaps>
    : kind_caster<intertwine::python::PolynomialMapsOfAnyKind, intertwine::ContinuousPolynomialMaps> {};

}  // namespace nanobind::detail
