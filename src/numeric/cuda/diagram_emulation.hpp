// Layers of diagrams of the GPU on the processor: the same steps, in loops.
#pragma once
#include <stdexcept>
#include <vector>

#include "numeric/cuda/diagram_steps.hpp"
#include "numeric/cuda/emulation.hpp"

namespace intertwine::numeric_detail::cuda {

template <class T>
void emulate_axis_sum(const AxisSum& sum, const T* from, T* to) {
  for (u64 at = 0; at < sum.entries(); ++at) {
    double part[lanes] = {};
    const u32 parts = sum.by_warp() ? lanes : 1;
    for (u32 lane = 0; lane < parts; ++lane) part[lane] = axis_add(sum, at, lane, parts, from);
    axis_store(sum, parts == 1 ? part[0] : fold_lanes(part), to[at]);
  }
}

template <class T>
class DiagramEmulation {
 public:
  /// Runs a list; arrays of the caller that it names are read and written, what it works on besides is no number before it is written.
  void run(const DiagramSteps& list) {
    const T nan = static_cast<T>(__builtin_nanf(""));
    arrays.resize(std::max(arrays.size(), list.numbers.size()));
    for (std::size_t k = 0; k < list.numbers.size(); ++k)
      if (k >= diagram_scratch)
        arrays[k].assign(list.numbers[k], nan);
      else if (arrays[k].size() != list.numbers[k])
        arrays[k].resize(list.numbers[k], nan);
    run_steps(list, Do{*this, list});
  }
  std::vector<std::vector<T>> arrays{diagram_scratch};

 private:
  struct Do {
    DiagramEmulation& e;
    const DiagramSteps& list;
    void clear(const DiagramStep& s) const { e.arrays[s.to].assign(e.arrays[s.to].size(), T{0}); }
    void sum(const DiagramStep& s) const {
      const std::vector<T>& from = e.arrays[s.from];
      const u64 entries = s.sum.entries();
      if (entries == 0) return;
      if (s.to_offset + entries > e.arrays[s.to].size() ||
          (s.sum.count > 0 &&
           s.from_offset + s.sum.first(entries - 1) + (s.sum.count - 1) * s.sum.stride >= from.size()))
        throw std::out_of_range("a sum leaves its arrays");
      emulate_axis_sum(s.sum, from.data() + s.from_offset, e.arrays[s.to].data() + s.to_offset);
    }
    void gather(const DiagramStep& s) const {
      for (u64 at = 0; at < s.map.arrays * s.map.entries; ++at)
        gather_places(s.map, list.tables[s.table].data(), at, e.arrays[s.from].data(), e.arrays[s.to].data());
    }
    void scatter(const DiagramStep& s) const {
      for (u64 at = 0; at < s.map.arrays * s.map.entries; ++at)
        scatter_places(s.map, list.tables[s.table].data(), at, e.arrays[s.from].data(), e.arrays[s.to].data());
    }
    void product(const Gemm& g) const {
      const std::vector<T>&a = e.arrays[g.a.array], &b = e.arrays[g.b.array];
      if (!within(g, a.size(), b.size(), e.arrays[g.c.array].size()))
        throw std::out_of_range("a product leaves its arrays");
      emulate_gemm<T, T, T>(g, a.data(), b.data(), e.arrays[g.c.array].data());
    }
  };
};

}  // namespace intertwine::numeric_detail::cuda
