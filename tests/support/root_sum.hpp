// Sums of square roots of rational numbers, compared with 0 exactly.
#pragma once
#include <vector>

#include "intertwine/exact/signed_root.hpp"

/// Roots whose product is rational are multiples of one another; those of different classes are independent over Q [Besicovitch
/// 1940], so that a sum is 0 if and only if each class adds up to 0.
class RootSum {
 public:
  RootSum& operator+=(const intertwine::SignedRoot& a) {
    if (a.is_zero()) return *this;
    for (auto& [root, factor] : classes_)
      if (const auto ratio = (a / root).to_rational()) {
        factor += *ratio;
        return *this;
      }
    classes_.push_back({a, 1});
    return *this;
  }
  bool operator==(const intertwine::SignedRoot& a) const {
    RootSum difference = *this;
    difference += -a;
    for (const auto& [root, factor] : difference.classes_)
      if (factor != 0) return false;
    return true;
  }

 private:
  struct Class {
    intertwine::SignedRoot root;
    intertwine::Rational factor;
  };
  std::vector<Class> classes_;
};
