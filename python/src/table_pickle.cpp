// The state of weight tables for pickle and copy.
#include <nanobind/stl/map.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.hpp"
#include "tables.hpp"

namespace intertwine::python {

namespace {

nb::bytes bytes_of(const auto& list) {
  return nb::bytes(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
}

template <class T>
std::vector<T> list_of(const nb::bytes& bytes) {
  std::vector<T> list(bytes.size() / sizeof(T));
  std::copy_n(reinterpret_cast<const T*>(bytes.c_str()), list.size(), list.begin());
  return list;
}

/// The arrays of a family of matrices as bytes, for pickle; Python's int keeps the large integers.
nb::tuple pickled(const WeightPattern& p, const Codes* codes) {
  if (p.is_tied())
    return nb::make_tuple(p.rows, p.cols, p.params, bytes_of(p.tied().orbit_size),
                          std::visit([](const auto& list) { return bytes_of(list); }, *codes));
  const SparseElements& e = p.sparse();
  nb::dict large;
  for (const auto& [place, digits] : e.exact.large) large[nb::cast(place)] = nb::cast(digits);
  return nb::make_tuple(p.rows, p.cols, p.params, bytes_of(e.start), bytes_of(e.row), bytes_of(e.col),
                        bytes_of(e.value), e.exact.field, e.exact.generator, e.exact.degree,
                        bytes_of(e.exact.coordinates), large);
}

WeightPattern unpickled(const nb::tuple& state) {
  WeightPattern p{nb::cast<std::uint64_t>(state[0]), nb::cast<std::uint64_t>(state[1]),
                  nb::cast<std::uint64_t>(state[2]), TiedEntries{}};
  const auto bytes = [&](std::size_t i) { return nb::cast<nb::bytes>(state[i]); };
  if (state.size() == 5) {
    Codes codes = list_of<std::uint8_t>(bytes(4));
    if (code_bytes(p.params) == 4) codes = list_of<std::int32_t>(bytes(4));
    p.entries = TiedEntries{list_of<std::int64_t>(bytes(3)), code_rows(p.rows, p.cols, std::move(codes))};
    return p;
  }
  SparseElements e;
  e.start = list_of<std::int64_t>(bytes(3));
  e.row = list_of<std::int32_t>(bytes(4));
  e.col = list_of<std::int32_t>(bytes(5));
  e.value = list_of<double>(bytes(6));
  e.exact.field = nb::cast<std::string>(state[7]);
  e.exact.generator = nb::cast<std::string>(state[8]);
  e.exact.degree = nb::cast<std::uint64_t>(state[9]);
  e.exact.coordinates = list_of<std::int64_t>(bytes(10));
  e.exact.large = nb::cast<std::map<std::uint64_t, std::string>>(state[11]);
  p.entries = std::move(e);
  return p;
}

nb::object pickled(const std::optional<GeneratorImages>& proof) {
  if (!proof) return nb::none();
  if (const auto* images = std::get_if<GeneratorImages::Signed>(&proof->images))
    return nb::make_tuple(proof->generators, bytes_of(images->row), bytes_of(images->column));
  const auto& general = std::get<GeneratorImages::General>(proof->images);
  const auto part = [](const GeneratorImages::Matrices& m) {
    return nb::make_tuple(bytes_of(m.start), bytes_of(m.row), bytes_of(m.col), bytes_of(m.numerator),
                          bytes_of(m.denominator));
  };
  std::string kinds;
  for (const bool algebra : general.algebra) kinds += algebra ? 'a' : 'g';
  return nb::make_tuple(proof->generators, part(general.row), part(general.column), general.degree, kinds,
                        general.prime, general.root);
}

std::optional<GeneratorImages> unpickled_proof(const nb::object& state) {
  if (state.is_none()) return std::nullopt;
  const auto parts = nb::cast<nb::tuple>(state);
  GeneratorImages proof{nb::cast<std::vector<std::string>>(parts[0]), {}};
  if (parts.size() == 3) {
    proof.images = GeneratorImages::Signed{list_of<std::int32_t>(nb::cast<nb::bytes>(parts[1])),
                                           list_of<std::int32_t>(nb::cast<nb::bytes>(parts[2]))};
    return proof;
  }
  const auto part = [](const nb::tuple& m) {
    const auto bytes = [&](std::size_t i) { return nb::cast<nb::bytes>(m[i]); };
    return GeneratorImages::Matrices{list_of<std::int64_t>(bytes(0)), list_of<std::int32_t>(bytes(1)),
                                     list_of<std::int32_t>(bytes(2)), list_of<std::int64_t>(bytes(3)),
                                     list_of<std::int64_t>(bytes(4))};
  };
  auto& general = proof.images.emplace<GeneratorImages::General>();
  general.row = part(nb::cast<nb::tuple>(parts[1]));
  general.column = part(nb::cast<nb::tuple>(parts[2]));
  general.degree = nb::cast<std::uint64_t>(parts[3]);
  for (const char kind : nb::cast<std::string>(parts[4])) general.algebra.push_back(kind == 'a');
  general.prime = nb::cast<std::uint64_t>(parts[5]);
  general.root = nb::cast<std::uint64_t>(parts[6]);
  return proof;
}

}  // namespace

void bind_table_pickle(nb::class_<Table>& c) {
  c.def(
      "__getstate__",
      [](const Table& t) {
        if (!t.is_single()) return nb::make_tuple(t.blocks());
        const Codes *weights = nullptr, *bias = nullptr;
        if (t.block().is_tied())
          Limits().run([&](const Task& task) { weights = &t.weight_codes(task), bias = &t.bias_codes(task); });
        const WeightBlock table = t.block_snapshot();
        nb::object isotypic = nb::none();
        if (table.isotypic) {
          nb::list blocks;
          for (const auto& b : table.isotypic->blocks)
            blocks.append(nb::make_tuple(b.division, b.degree, b.copies_out, b.copies_in));
          isotypic = nb::make_tuple(blocks, bytes_of(table.isotypic->T_out), bytes_of(table.isotypic->T_in));
        }
        return nb::make_tuple(pickled(table.weights, weights), pickled(table.bias, bias), table.channels.out,
                              table.channels.in, table.metadata, isotypic, pickled(table.proof));
      },
      nb::sig("def __getstate__(self) -> tuple[object, ...]"));
  c.def(
      "__setstate__",
      [](Table& t, const nb::tuple& state) {
        if (state.size() == 1) {
          new (&t) Table(nb::cast<std::vector<std::vector<Table>>>(state[0]));
          return;
        }
        WeightBlock table;
        table.weights = unpickled(nb::cast<nb::tuple>(state[0]));
        table.bias = unpickled(nb::cast<nb::tuple>(state[1]));
        table.channels = {nb::cast<std::uint64_t>(state[2]), nb::cast<std::uint64_t>(state[3])};
        table.metadata = nb::cast<std::map<std::string, std::string>>(state[4]);
        if (!state[5].is_none()) {
          const auto parts = nb::cast<nb::tuple>(state[5]);
          IsotypicBlocks blocks;
          for (const nb::handle b : nb::iter(parts[0]))
            blocks.blocks.push_back({nb::cast<std::uint64_t>(b[0]), nb::cast<std::uint64_t>(b[1]),
                                     nb::cast<std::uint64_t>(b[2]), nb::cast<std::uint64_t>(b[3])});
          blocks.T_out = list_of<double>(nb::cast<nb::bytes>(parts[1]));
          blocks.T_in = list_of<double>(nb::cast<nb::bytes>(parts[2]));
          table.isotypic = std::move(blocks);
        }
        if (state.size() > 6) table.proof = unpickled_proof(state[6]);
        Limits().run([&](const Task& task) { require_consistent(table, task); });
        new (&t) Table(std::move(table));
      },
      nb::arg("state"), nb::sig("def __setstate__(self, state: tuple[object, ...], /) -> None"));
}

}  // namespace intertwine::python
