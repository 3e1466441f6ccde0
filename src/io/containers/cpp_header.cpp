#include <fmt/format.h>

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
  const bool narrow = array.dtype == Dtype::u8;
  const std::string items = narrow                      ? numbers<std::uint8_t>(bytes, count, a_line)
                            : array.dtype == Dtype::i32 ? numbers<std::int32_t>(bytes, count, a_line)
                                                        : numbers<std::int64_t>(bytes, count, a_line);
  const std::string_view type = narrow ? "uint8_t" : array.dtype == Dtype::i32 ? "int32_t" : "int64_t";
  return fmt::format("\n// {}\ninline constexpr std::array<std::{}, {}> {} = {{{}}};\n", comment, type, count,
                     name, items);
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

std::string cpp_header_table(const WeightTable& table, std::span<const PlannedArray> arrays,
                             const std::string& sha256, const std::string& file_name) {
  const std::string space = identifier_for(file_name);
  std::string out = fmt::format(
      "// A weight-tying table, {} x {} with {} parameters, written by intertwine {}.\n"
      "// y = W x with W[i][j] = 0 for the code 0, +theta[k] for 1 + k, -theta[k] for 1 + params + k.\n"
      "#pragma once\n#include <array>\n#include <cstdint>\n#include <string_view>\n\n"
      "namespace intertwine_tables::{} {{\n\n",
      table.weights.rows, table.weights.cols, table.weights.params, INTERTWINE_VERSION, space);
  const std::pair<const char*, std::uint64_t> sizes[] = {
      {"rows", table.weights.rows},           {"cols", table.weights.cols},
      {"params", table.weights.params},       {"bias_params", table.bias.params},
      {"multiplicity_in", table.channels.in}, {"multiplicity_out", table.channels.out}};
  for (const auto& [name, value] : sizes)
    out += fmt::format("inline constexpr std::uint64_t {} = {};\n", name, value);
  for (const PlannedArray& array : arrays) {
    if (array.name == array_names::weight_code)
      out += array_definition(array, "weight_code", "[rows][cols], row-major");
    else if (array.name == array_names::orbit_size)
      out += array_definition(array, "orbit_size", "[params]: the entries tied to each parameter");
    else
      out += array_definition(array, "bias_code", "[rows]: the same code for the bias");
  }
  const auto metadata = with_sha256(file_metadata(table), sha256);
  out += fmt::format("\ninline constexpr std::array<std::array<std::string_view, 2>, {}> metadata = {{{{\n",
                     metadata.size());
  for (const auto& [key, value] : metadata)
    out += fmt::format("    {{{},\n     {}}},\n", literal(key), literal(value));
  return out + fmt::format("}}}};\n\n}}  // namespace intertwine_tables::{}\n", space);
}

}  // namespace intertwine
