// Arrays of numbers as .npy files.
#include "intertwine/io/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>

#include "intertwine/error.hpp"
#include "io/containers/atomic_file.hpp"
#include "io/containers/npy_header.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are read and written as they lie in memory");

struct Kind {
  const char* descr;
  const char* name;
};
constexpr Kind kinds[] = {{"<f4", "float32"}, {"<f8", "float64"}, {"|u1", "uint8"}, {"<i4", "int32"}, {"<i8", "int64"}};

// The product of the sides, if it and `item` times it fit 63 bits.
std::optional<std::uint64_t> element_count(const std::vector<std::uint64_t>& shape, std::uint64_t item) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::uint64_t count = 1;
  for (const std::uint64_t side : shape) {
    if (count > (std::uint64_t{1} << 62) / item / side) return std::nullopt;
    count *= side;
  }
  return count;
}

template <std::size_t I = 0>
NpyArray::Values empty_values(std::size_t kind) {
  if constexpr (I + 1 < std::variant_size_v<NpyArray::Values>)
    if (kind != I) return empty_values<I + 1>(kind);
  return NpyArray::Values(std::in_place_index<I>);
}

// From the order in which the first index varies fastest.
template <class T>
std::vector<T> to_c_order(const std::vector<T>& values, const std::vector<std::uint64_t>& shape) {
  std::vector<T> out(values.size());
  std::vector<std::uint64_t> stride(shape.size(), 1), index(shape.size(), 0);
  for (std::size_t k = 1; k < shape.size(); ++k) stride[k] = stride[k - 1] * shape[k - 1];
  std::uint64_t from = 0;
  for (T& value : out) {
    value = values[from];
    for (std::size_t k = shape.size(); k-- > 0;) {
      from += stride[k];
      if (++index[k] < shape[k]) break;
      from -= stride[k] * shape[k];
      index[k] = 0;
    }
  }
  return out;
}

}  // namespace

std::size_t NpyArray::size() const {
  return std::visit([](const auto& items) { return items.size(); }, values);
}

std::string NpyArray::dtype() const { return kinds[values.index()].name; }

std::string shape_text(const std::vector<std::uint64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

NpyArray read_npy(const std::filesystem::path& path, const Task& task) {
  const FileSource source(path);
  const auto refuse = [&](const std::string& why) { throw FileError(fmt::format("{}: it {}", source.name(), why)); };
  const NpyStart start = parse_npy_start(source, 0, source.size(), refuse);
  const NpyHeader& header = start.header;
  const auto* kind =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& k) { return k.descr == header.descr; });
  if (kind == std::end(kinds))
    refuse(fmt::format("has entries of type '{}'; save it as float32, float64, uint8, int32 or int64",
                       shown(header.descr)));
  NpyArray out{header.shape, empty_values(static_cast<std::size_t>(kind - kinds))};
  std::visit(
      [&](auto& items) {
        using T = typename std::decay_t<decltype(items)>::value_type;
        const auto count = element_count(header.shape, sizeof(T));
        const std::uint64_t bytes = source.size() - start.text.size();
        if (!count || *count * sizeof(T) != bytes)
          refuse(fmt::format("holds {} bytes of data, which is not what its shape {} of {} needs", bytes,
                             shape_text(header.shape), kind->name));
        task.require_memory(bytes, fmt::format("the array of {}", source.name()));
        items.resize(*count);
        source.read(start.text.size(), std::as_writable_bytes(std::span(items)));
        const auto sides = std::count_if(header.shape.begin(), header.shape.end(), [](auto n) { return n > 1; });
        if (header.fortran_order && sides > 1) {
          task.require_memory(2 * bytes, fmt::format("the array of {} and its transpose", source.name()));
          items = to_c_order(items, header.shape);
        }
      },
      out.values);
  return out;
}

namespace {

/// The header, and the bytes of the values, as arguments of f.
template <class Function>
void with_parts(const NpyArray& array, Function f) {
  if (array.shape.size() > 8) throw DomainError("write_npy: arrays have at most 8 indices");
  std::visit(
      [&](const auto& items) {
        using T = typename std::decay_t<decltype(items)>::value_type;
        const auto count = element_count(array.shape, sizeof(T));
        if (!count || *count != items.size())
          throw DomainError(
              fmt::format("write_npy: {} values do not fill the shape {}", items.size(), shape_text(array.shape)));
        f(npy_header(kinds[array.values.index()].descr, array.shape), std::as_bytes(std::span(items)));
      },
      array.values);
}

}  // namespace

void write_npy(const std::filesystem::path& path, const NpyArray& array) {
  with_parts(array, [&](const std::string& head, std::span<const std::byte> values) {
    AtomicFile file(path);
    file.reserve(head.size() + values.size());
    file.write_at(0, head);
    file.write_at(head.size(), values);
    file.commit(head.size() + values.size());
  });
}

std::string to_npy(const NpyArray& array) {
  std::string bytes;
  with_parts(array, [&](const std::string& head, std::span<const std::byte> values) {
    bytes = head;
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size());
  });
  return bytes;
}

std::vector<double> to_doubles(const NpyArray& array) {
  return std::visit(
      [](const auto& items) {
        std::vector<double> out(items.size());
        std::transform(items.begin(), items.end(), out.begin(), [](auto v) { return static_cast<double>(v); });
        return out;
      },
      array.values);
}

}  // namespace intertwine
