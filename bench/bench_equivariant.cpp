// The certified basis of Hom, from expressions' groups and representations to the proof; the table against memset.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"

// Bytes on the heap now and at most, to report the memory an unknown costs.
namespace {
std::atomic<std::size_t> heap_now{0}, heap_peak{0};

void* counted(std::size_t size) {
  void* p = std::malloc(size);
  if (!p) throw std::bad_alloc();
  const std::size_t now = heap_now += malloc_usable_size(p);
  std::size_t peak = heap_peak.load();
  while (now > peak && !heap_peak.compare_exchange_weak(peak, now)) {
  }
  return p;
}

void uncounted(void* p) noexcept {
  if (p) heap_now -= malloc_usable_size(p);
  std::free(p);
}
}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* p) noexcept { uncounted(p); }
void operator delete[](void* p) noexcept { uncounted(p); }
void operator delete(void* p, std::size_t) noexcept { uncounted(p); }
void operator delete[](void* p, std::size_t) noexcept { uncounted(p); }

using namespace intertwine;

namespace {

struct Case {
  const char *group, *in, *out;
  std::uint64_t params;
};

void certified_basis(benchmark::State& state, const Case& c) {
  double unknowns = 0;
  std::size_t used = 0;
  for (auto _ : state) {
    const std::size_t before = heap_now;
    heap_peak = before;
    const FiniteGroup G = parse_finite_group(c.group);
    const hom::Basis basis = hom::equivariant_basis(parse_representation(G, c.in), parse_representation(G, c.out));
    used = std::max<std::size_t>(used, heap_peak - before);
    unknowns = static_cast<double>(basis.blocks().front().weights.pattern().rows() *
                                   basis.blocks().front().weights.pattern().cols());
    if (basis.params() != c.params || !basis.certificate().every_entry_checked) {
      state.SkipWithError("wrong dimension");
      break;
    }
  }
  state.counters["unknowns"] = unknowns;
  state.counters["bytes_per_unknown"] = static_cast<double>(used) / unknowns;
}

void table(benchmark::State& state, const Case& c, bool only_memset) {
  const FiniteGroup G = parse_finite_group(c.group);
  const hom::Basis basis = hom::equivariant_basis(parse_representation(G, c.in), parse_representation(G, c.out));
  const OrbitalPattern& pattern = basis.blocks().front().weights.pattern();
  std::vector<std::byte> buffer(pattern.rows() * pattern.cols() * code_bytes(pattern.params()));
  if (pattern.params() != c.params) state.SkipWithError("wrong dimension");
  int value = 0;
  for (auto _ : state) {
    if (only_memset)
      std::memset(buffer.data(), ++value, buffer.size());
    else
      pattern.fill(buffer);
    benchmark::DoNotOptimize(buffer.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(buffer.size()) * static_cast<std::int64_t>(state.iterations()));
}

const bool registered = [] {
  static const Case bases[] = {
      {"pixels(D4,8,8)", "perm", "perm", 528},
      {"S8", "perm^2", "perm^2", 15},
      {"pixels(D4,16,16)", "perm", "perm", 8256},
      {"C512", "regular", "regular", 512},
      {"S20", "perm^2", "perm^2", 15},
      {"pixels(D4,22,22)", "perm", "perm", 29403},
      {"pixels(D4,28,28)", "perm", "perm", 77028},
      {"pixels(D4,32,32)", "perm", "perm", 131328},
      {"p1(32,32)", "perm", "perm", 1024},
      {"S8", "perm", "perm^3", 15},
      {"M24", "perm^2", "perm^2", 15},
      {"Rubik(3)", "perm", "perm", 9},
  };
  for (const Case& c : bases)
    benchmark::RegisterBenchmark(("basis/" + std::string(c.group) + "/" + c.in + "/" + c.out).c_str(),
                                 [&c](benchmark::State& state) { certified_basis(state, c); })
        ->Unit(benchmark::kMillisecond);
  static const Case tables[] = {{"p4m(64,64)", "perm", "perm", 561}, {"S64", "perm^2", "perm^2", 15}};
  for (const Case& c : tables)
    for (const bool only_memset : {false, true})
      benchmark::RegisterBenchmark(((only_memset ? "memset/" : "fill/") + std::string(c.group)).c_str(),
                                   [&c, only_memset](benchmark::State& state) { table(state, c, only_memset); })
          ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
