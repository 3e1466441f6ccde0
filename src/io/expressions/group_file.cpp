// Reads files of groups by generators.
#include "io/expressions/group_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/group_expression.hpp"
#include "io/containers/strict_json.hpp"
#include "io/expressions/exact_entries.hpp"
#include "io/expressions/gap_generators.hpp"

namespace intertwine {

namespace {

using nlohmann::json;

constexpr std::uintmax_t max_file_bytes = 32U << 20U;

std::string read_text(const std::filesystem::path& path) {
  std::error_code status;
  if (!std::filesystem::is_regular_file(path, status))
    throw FileError(fmt::format("{}: there is no such file; check the name after @", path.string()));
  if (std::filesystem::file_size(path, status) > max_file_bytes && !status)
    throw LimitError(fmt::format("{}: a group file may have at most {} MiB", path.string(), max_file_bytes >> 20U));
  return read_file(path, max_file_bytes);
}

/// JSON begins with a brace, and files of GAP do not.
json document_of(const std::string& text, const std::string& name) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool gap =
      first != std::string::npos && text[first] != '{' && text.find_first_of("(;", first) != std::string::npos;
  return gap ? group_document_of_gap(text, name) : parse_strict_json(text, name, {16, max_file_bytes});
}

/// One group file; every error names it.
class GroupFile {
 public:
  explicit GroupFile(const std::filesystem::path& path)
      : name_(path.string()), document_(document_of(read_text(path), name_)) {}

  FiniteGroup group(const Task& task) const {
    if (!document_.is_object()) fail("the file", "must be an object with \"degree\" and \"generators\"");
    if (document_.contains("field")) return matrix_group(task);
    const std::size_t n = degree();
    const json& list = entry("generators");
    if (!list.is_array()) fail("\"generators\"", "must be an array of cycle strings or image arrays");
    try {
      named::require_size("the group", Integer(n), list.size());
    } catch (const LimitError& e) {
      throw LimitError(fmt::format("{}: {}", name_, e.what()), e.remedy());
    }
    std::vector<Permutation> generators;
    for (std::size_t k = 0; k < list.size(); ++k)
      generators.push_back(generator(list[k], n, fmt::format("generators[{}]", k)));
    if (generators.size() == 1 && generators.front().is_identity()) generators.clear();  // as <(3)> has none
    std::string expression = explicit_group_expression(n, generators);
    return FiniteGroup(n, std::move(generators), std::move(expression));
  }

 private:
  [[noreturn]] void fail(const std::string& where, const std::string& what) const {
    throw FileError(fmt::format("{}: {} {}", name_, where, what));
  }

  const json& entry(const char* key) const {
    const auto place = document_.find(key);
    if (place == document_.end())
      fail(fmt::format("\"{}\"", key), "is missing; a group file needs degree and generators");
    return *place;
  }

  /// {"field": "Q", "generators": [[["0","-1"],["1","0"]], ...]}, {"field": "GF(4)", "generators": [[[0,1],[1,1]], ...]}
  FiniteGroup matrix_group(const Task& task) const {
    const json& list = entry("generators");
    if (!list.is_array() || list.empty()) fail("\"generators\"", "must be an array of one or more square matrices");
    const std::uint32_t q = field_size();
    const std::size_t d = dimension(list);
    std::vector<FieldMatrix> cyclotomic;
    std::vector<RationalMatrix> rational;
    std::vector<std::vector<std::vector<std::uint32_t>>> finite;
    for (std::size_t k = 0; k < list.size(); ++k) try {
        if (q == 0 && entry("field") != "Q")
          cyclotomic.push_back(matrix_from_json(list[k], d, task));
        else if (q == 0)
          rational.push_back(rational_matrix_from_json(list[k], d, task));
        else if (list[k].is_array() && list[k].size() == d)
          finite.push_back(field_matrix_from_json(list[k], q));
        else
          throw MatrixFault{fmt::format("is no list of {0} rows of {0} entries", d)};
      } catch (const MatrixFault& fault) {
        fail(fmt::format("generators[{}]", k), fault.text);
      }
    const FiniteGroup G = !cyclotomic.empty() ? intertwine::matrix_group(cyclotomic, {}, task)
                          : q == 0            ? rational_matrix_group(rational, {}, task)
                                              : finite_field_matrix_group(q, finite, {}, task);
    structure::Matrices structure{entry("field").get<std::string>(),
                                  explicit_group_expression(G.degree(), G.generators())};
    return FiniteGroup::built_as(std::move(structure), G.degree(), G.generators()).with_coordinates(G.coordinates());
  }

  /// 0 for Q and "cyclotomic".
  std::uint32_t field_size() const {
    const json& value = entry("field");
    if (value == "Q" || value == "cyclotomic") return 0;
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    std::uint32_t q = 0;
    const bool is_finite = text.size() > 4 && text.compare(0, 3, "GF(") == 0 && text.back() == ')';
    const char* end = text.data() + text.size() - 1;
    if (!is_finite || std::from_chars(text.data() + 3, end, q).ptr != end || q < 2)
      fail("\"field\"", "must be \"Q\", \"cyclotomic\" or \"GF(q)\" for a prime power q, as in \"GF(4)\"");
    return q;
  }

  /// The dimension of the first matrix, which must be the stated one.
  std::size_t dimension(const json& list) const {
    constexpr std::uint64_t largest = 1000;
    const std::size_t found = list[0].is_array() ? list[0].size() : 0;
    const auto stated = document_.find("dimension");
    if (stated != document_.end() && (!stated->is_number_unsigned() || stated->get<std::uint64_t>() != found))
      fail("generators[0]", "does not have as many rows as \"dimension\" says");
    if (found == 0) fail("generators[0]", "must be a square matrix: a list of rows");
    if (found > largest)
      throw LimitError(fmt::format("{}: the matrices have {} rows, more than the limit of {}", name_, found, largest));
    return found;
  }

  std::size_t degree() const {
    const json& value = entry("degree");
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() == 0)
      fail("\"degree\"", "must be a positive whole number");
    const auto n = value.get<std::uint64_t>();
    if (n > max_named_degree)
      throw LimitError(
          fmt::format("{}: \"degree\" is {}, more than the limit of {} points", name_, n, max_named_degree));
    return static_cast<std::size_t>(n);
  }

  Permutation generator(const json& value, std::size_t n, const std::string& where) const {
    if (value.is_string()) {
      try {
        return parse_permutation(value.get_ref<const std::string&>(), n);
      } catch (const ParseError& e) {
        fail(where, fmt::format("is no permutation of {} points: {}, at character {}", n, e.what(), e.position() + 1));
      }
    }
    if (!value.is_array()) fail(where, "must be a string of 1-based cycles or an array of 0-based images");
    if (value.size() != n) fail(where, fmt::format("has {} images, but \"degree\" is {}", value.size(), n));
    std::vector<Point> images;
    images.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (!value[i].is_number_unsigned() || value[i].get<std::uint64_t>() >= n)
        fail(fmt::format("{}[{}]", where, i), fmt::format("must be a whole number from 0 to {}", n - 1));
      images.push_back(static_cast<Point>(value[i].get<std::uint64_t>()));
    }
    try {
      return Permutation(std::move(images));
    } catch (const DomainError& e) {
      fail(where, fmt::format("is no bijection: {}", e.what()));
    }
  }

  std::string name_;
  json document_;
};

}  // namespace

FiniteGroup read_group_file(const std::filesystem::path& path, const Task& task) { return GroupFile(path).group(task); }

}  // namespace intertwine
