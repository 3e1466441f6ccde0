// Weight tables as C++ headers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "intertwine/version.hpp"
#include "io/containers/text.hpp"
#include "io/containers/text_tables.hpp"

namespace intertwine {
namespace {

// Words that cannot name a namespace: the keywords of C++20 with the alternative tokens, and what compilers
// for Unix predefine as macros; each between spaces.
constexpr std::string_view taken =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export "
    "extern false float for friend goto i386 if inline int linux long mutable namespace new noexcept "
    "not not_eq nullptr operator or or_eq private protected public register reinterpret_cast "
    "requires return short signed sizeof static static_assert static_cast struct switch template "
    "this thread_local throw true try typedef typeid typename union unix unsigned using virtual void "
    "volatile wchar_t while xor xor_eq ";

// A string literal, in pieces that every compiler takes. Octal escapes end after three digits, so that the
// character behind them cannot change them; '?' is escaped against trigraphs.
std::string literal(std::string_view text) {
  std::string out = "\"";
  std::size_t column = 0;
  for (const char c : text) {
    if (++column % 512 == 0) out += "\"\n    \"";
    if (c == '"' || c == '\\' || c == '?') {
      out += '\\';
      out += c;
    } else if (c < 32 || c > 126) {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string_view name_in_header(std::string_view array) {
  return array == array_names::weight_code  ? "weight_code"
         : array == array_names::orbit_size ? "orbit_size"
                                            : "bias_code";
}

template <class Item>
std::string numbers(const std::byte* bytes, std::uint64_t count, std::uint64_t a_line) {
  std::string out;
  for (std::uint64_t k = 0; k < count; ++k) {
    Item item;
    std::memcpy(&item, bytes + k * sizeof(Item), sizeof(Item));
    out += fmt::format("{}{},", k % a_line == 0 ? "\n    " : " ", item);
  }
  return out;
}

std::string array_definition(const PlannedArray& array, std::string_view name, std::string_view comment) {
  const std::byte* bytes = array.contents.data();
  std::uint64_t count = 1;
  for (const std::uint64_t side : array.shape) count *= side;
  const std::uint64_t a_line = std::min<std::uint64_t>(array.shape.back() == 0 ? 1 : array.shape.back(), 32);
  const std::string_view type = array.dtype == Dtype::u8    ? "uint8_t"
                                : array.dtype == Dtype::u16 ? "uint16_t"
                                : array.dtype == Dtype::i32 ? "int32_t"
                                                            : "int64_t";
  if (array.contents.size() != array.bytes)
    return fmt::format("\n// {}\nextern const std::array<std::{}, {}> {};\n", comment, type, count, name);
  const std::string items = array.dtype == Dtype::u8    ? numbers<std::uint8_t>(bytes, count, a_line)
                            : array.dtype == Dtype::i32 ? numbers<std::int32_t>(bytes, count, a_line)
                                                        : numbers<std::int64_t>(bytes, count, a_line);
  return fmt::format("\n// {}\ninline constexpr std::array<std::{}, {}> {} = {{{}}};\n", comment, type, count, name,
                     items);
}

}  // namespace

std::string identifier_for(std::string_view stem) {
  std::string out;
  for (const char c : stem) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain) {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';  // names with two underscores in a row, or one in front, belong to the compiler
    }
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  if (out.empty()) return "table";
  if (out[0] >= '0' && out[0] <= '9') out = "table_" + out;
  return taken.find(" " + out + " ") == std::string_view::npos ? out : out + "_table";
}

std::string cpp_header_assembly(std::span<const StoredArray> arrays, const std::string& name) {
  const std::string space = identifier_for(std::filesystem::path(name).stem().string());
  std::string out = "        .section .rodata\n";
  for (const StoredArray& array : arrays) {
    if (array.bytes == 0) continue;  // the header has it
    // The name of a constant in two namespaces, as the C++ ABI of Linux spells it.
    const std::string_view constant = name_in_header(array.name);
    const std::string symbol =
        fmt::format("_ZN{}{}{}{}{}{}E", 17, "intertwine_tables", space.size(), space, constant.size(), constant);
    out += fmt::format(
        "        .balign 64\n        .globl {0}\n        .type {0}, %object\n        .size {0}, {1}\n"
        "{0}:\n        .incbin \"{2}.safetensors\", {3}, {1}\n",
        symbol, array.bytes, name, array.offset);
  }
  return out + "        .section .note.GNU-stack, \"\", %progbits\n";
}

std::string cpp_header_table(const WeightBlock& table, std::span<const PlannedArray> arrays, const std::string& sha256,
                             const std::filesystem::path& path) {
  const std::string space = identifier_for(path.stem().string());
  const bool linked = std::any_of(arrays.begin(), arrays.end(),
                                  [](const PlannedArray& array) { return array.contents.size() != array.bytes; });
  std::string out = fmt::format(
      "// A weight-tying table, {} x {} with {} parameters, written by intertwine {}.\n"
      "// y = W x with W[i][j] = 0 for the code 0, +theta[k] for 1 + k, -theta[k] for 1 + params + k.\n"
      "{}#pragma once\n#include <array>\n#include <cstdint>\n#include <string_view>\n\n"
      "namespace intertwine_tables::{} {{\n\n",
      table.weights.rows, table.weights.cols, table.weights.params, INTERTWINE_VERSION,
      linked ? fmt::format("// Its arrays lie in {0}.safetensors: c++ -c -I FOLDER {0}.S, with the folder of these "
                           "files, makes the object to link.\n",
                           path.filename().string())
             : "",
      space);
  const std::pair<const char*, std::uint64_t> sizes[] = {
      {"rows", table.weights.rows},           {"cols", table.weights.cols},
      {"params", table.weights.params},       {"bias_params", table.bias.params},
      {"multiplicity_in", table.channels.in}, {"multiplicity_out", table.channels.out}};
  for (const auto& [name, value] : sizes) out += fmt::format("inline constexpr std::uint64_t {} = {};\n", name, value);
  for (const PlannedArray& array : arrays)
    out += array_definition(array, name_in_header(array.name),
                            array.name == array_names::weight_code  ? "[rows][cols], row-major"
                            : array.name == array_names::orbit_size ? "[params]: the entries tied to each parameter"
                                                                    : "[rows]: the same code for the bias");
  const auto metadata = with_sha256(file_metadata(table), sha256);
  out += fmt::format("\ninline constexpr std::array<std::array<std::string_view, 2>, {}> metadata = {{{{\n",
                     metadata.size());
  for (const auto& [key, value] : metadata) out += fmt::format("    {{{},\n     {}}},\n", literal(key), literal(value));
  return out + fmt::format("}}}};\n\n}}  // namespace intertwine_tables::{}\n", space);
}

}  // namespace intertwine
