// Parses classical groups, their products with finite ones, and Euclidean groups.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/classical/linear_molecules.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "io/expressions/expression_cursor.hpp"
#include "io/expressions/group_factors.hpp"
#include "io/expressions/group_names.hpp"

namespace intertwine {

namespace {

/// "SO+(1,3)": the family as it is written, and its numbers.
struct ClassicalName {
  std::string family;
  std::vector<std::uint64_t> numbers;
  bool bare = false;  ///< SO3
};

constexpr std::array<std::string_view, 8> classical_families = {"SO", "O",  "SL", "GL",
                                                                "Sp", "SU", "U",  "Spin"};  // in the order of Family

std::optional<ClassicalName> classical_name(std::string_view text) {
  ClassicalName name;
  std::size_t i = 0;
  while (i < text.size() && (std::isalpha(static_cast<unsigned char>(text[i])) || text[i] == '+'))
    name.family += text[i++];
  while (i < text.size() && is_blank(text[i])) ++i;
  const bool plus = name.family == "SO+";
  std::size_t family = 0;
  while (family < classical_families.size() && classical_families[family] != name.family) ++family;
  if (!plus && family == classical_families.size()) return std::nullopt;
  // Alone, O is the octahedral group, and SL and GL wait for the parameters of finite groups.
  if (i == text.size())
    return name.family == "O" || name.family == "SL" || name.family == "GL" ? std::nullopt : std::optional(name);
  name.bare = !plus && std::isdigit(static_cast<unsigned char>(text[i]));
  if (!name.bare && text[i++] != '(') return std::nullopt;
  for (;;) {
    while (i < text.size() && is_blank(text[i])) ++i;
    const std::size_t from = i;
    std::uint64_t value = 0;
    for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])); ++i)
      value = std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(text[i] - '0'), 1'000'000'000);
    if (i == from) return std::nullopt;
    name.numbers.push_back(value);
    if (name.bare) break;
    while (i < text.size() && is_blank(text[i])) ++i;
    if (i == text.size()) return std::nullopt;
    const char c = text[i++];
    if (c == ')') break;
    if (c != ',') return std::nullopt;
  }
  if (i != text.size()) return std::nullopt;
  // Two numbers: orthogonal groups of a form; the linear groups and Sp of these are finite.
  const bool two = name.numbers.size() == 2, orthogonal = plus || name.family == "SO" || name.family == "O";
  return name.numbers.size() == 1 || (two && orthogonal) ? std::optional(name) : std::nullopt;
}

ClassicalGroup classical_group(const ClassicalName& name, std::string_view text, const Excerpt& part) {
  const auto fail = [&](const std::string& message) -> ClassicalGroup {
    throw ParseError(message, std::string(text), part.start);
  };
  if (name.numbers.empty())
    return fail(fmt::format("{} needs its size, for example {}", name.family,
                            name.family == "SO+"  ? "SO+(1,3)"
                            : name.family == "Sp" ? "Sp(4)"
                                                  : name.family + "(3)"));
  if (name.bare)
    if (const std::string readings = two_readings(fmt::format("{}{}", name.family, name.numbers[0])); !readings.empty())
      return fail(readings);
  const auto small = [](std::uint64_t n) { return static_cast<unsigned>(n); };
  if (name.family == "SO+") {
    if (name.numbers.size() != 2)
      return fail("SO+ takes two numbers, the signature, as in SO+(1,3); SO(n) is connected already");
    return {ClassicalGroup::Family::SO, small(name.numbers[0]), small(name.numbers[1])};
  }
  if (name.family == "SO" && name.numbers.size() == 2) {
    const std::string finite = finite_orthogonal_name("SO", name.numbers[0], name.numbers[1]);
    return fail(fmt::format(
        "SO({0},{1}) has two components; write SO+({0},{1}) for that of 1, or O({0},{1}){2}", name.numbers[0],
        name.numbers[1],
        finite.empty() ? finite : fmt::format("; the finite group over GF({}) is {}", name.numbers[1], finite)));
  }
  const auto family = static_cast<ClassicalGroup::Family>(
      std::find(classical_families.begin(), classical_families.end(), name.family) - classical_families.begin());
  if (name.numbers.size() == 2) return {family, small(name.numbers[0]), small(name.numbers[1])};
  return {family, small(name.numbers[0])};
}

/// SE(n), E(n) or ISpin(n), whatever n.
bool is_euclidean(const Excerpt& part) {
  std::string_view text = part.text;
  for (const std::string_view name : {"SE(", "E(", "ISpin("})
    if (text.starts_with(name) && text.ends_with(')')) {
      text.remove_prefix(name.size());
      text.remove_suffix(1);
      return std::all_of(text.begin(), text.end(),
                         [](char c) { return std::isdigit(static_cast<unsigned char>(c)) || is_blank(c); });
    }
  return false;
}

/// The factors; SO(3)^2 twice. Powers of finite groups are for parse_finite_group.
std::vector<Excerpt> continuous_factors(std::string_view text) {
  std::vector<Excerpt> out;
  for (const Excerpt& part : group_factors(text)) {
    const std::size_t power = std::min(part.text.rfind('^'), part.text.size());
    const Excerpt base = trimmed({part.text.substr(0, power), part.start});
    std::size_t copies = 0;
    if (power < part.text.size() && classical_name(base.text)) {
      const std::string_view digits = trimmed({part.text.substr(power + 1), 0}).text;
      const char* end = digits.data() + digits.size();
      const auto [rest, status] = std::from_chars(digits.data(), end, copies);
      if (rest != end || status != std::errc() || copies == 0 || copies > 1000)
        throw ParseError("a power of a group is a number from 1 on, as in SO(3)^2", std::string(text),
                         part.start + power);
    }
    if (copies == 0)
      out.push_back(part);
    else
      out.insert(out.end(), copies, base);
  }
  return out;
}

}  // namespace

bool names_continuous_group(std::string_view text) {
  const auto factors = continuous_factors(text);
  return std::any_of(factors.begin(), factors.end(), [](const Excerpt& part) {
    return names_axial_group(part.text) || classical_name(part.text).has_value();
  });
}

ContinuousGroup parse_continuous_group(std::string_view text, const Task& task) {
  std::vector<ContinuousGroup::Factor> factors;
  bool continuous = false;
  const std::vector<Excerpt> parts = continuous_factors(text);
  for (const Excerpt& part : parts) {
    task.poll();
    if (names_axial_group(part.text)) {
      const bool centre = axial_group_has_centre(part.text);
      if (parts.size() == 1) return linear_molecule_group(centre);
      throw ParseError(fmt::format("in products {} is written {}", part.text, centre ? "O(2) x Ci" : "O(2)"),
                       std::string(text), part.start);
    }
    if (const auto name = classical_name(part.text)) {
      factors.emplace_back(classical_group(*name, text, part));
      continuous = true;
    } else {
      factors.emplace_back(within(text, part, [&] { return parse_finite_group(part.text, task); }));
    }
  }
  if (!continuous) throw ParseError("no factor of this group is a classical group such as SO(3)", std::string(text), 0);
  return ContinuousGroup(std::move(factors));
}

bool names_euclidean_group(std::string_view text) {
  const auto factors = group_factors(text);
  return std::any_of(factors.begin(), factors.end(), is_euclidean);
}

EuclideanGroup parse_euclidean_group(std::string_view text, const Task& task) {
  const auto factors = group_factors(text);
  if (std::count_if(factors.begin(), factors.end(), is_euclidean) != 1)
    throw ParseError("a Euclidean group has one factor SE(n), E(n) or ISpin(n), as in SE(3) or S5 x E(2)",
                     std::string(text), 0);
  const auto found = std::find_if(factors.begin(), factors.end(), is_euclidean);
  std::string points(
      text);  // SE(3), E(3) and ISpin(3) become SO(3), O(3) and Spin(3), in place, so that positions stay
  if (found->text.front() == 'I')
    points[found->start] = ' ';
  else
    points[found->start + (found->text.front() == 'S' ? 1 : 0)] = 'O';
  const auto index = static_cast<std::size_t>(found - factors.begin());
  return {within(text, {text, 0}, [&] { return parse_continuous_group(points, task); }), index};
}

}  // namespace intertwine
