// Makes things of the values of a table once each: a table has few values many times.
#pragma once
#include <unordered_map>

#include "intertwine/exact/cyclotomic.hpp"

namespace intertwine {

/// make(a) for every value a that is met, made when it is met first.
template <class Made>
class MadeOnce {
 public:
  template <class Make>
  const Made& operator()(const Cyclotomic& a, const Make& make) {
    const auto at = made_.find(a);
    return at != made_.end() ? at->second : made_.emplace(a, make(a)).first->second;
  }

 private:
  std::unordered_map<Cyclotomic, Made> made_;
};

}  // namespace intertwine
