// Sums of species, formulas, names in LaTeX.
#include "io/answers/species_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "intertwine/physics/crystal.hpp"

namespace intertwine {

std::string sum_of_species(const std::vector<Species>& species, std::uint64_t Species::*part) {
  std::string text;
  for (const Species& s : species) {
    const std::uint64_t m = s.*part;
    if (m == 0) continue;
    text += (text.empty() ? "" : " + ") + (m == 1 ? s.name : fmt::format("{} {}", m, s.name));
  }
  return text.empty() ? "0" : text;
}

std::string formula(const std::vector<Atom>& atoms, bool reduced) {
  std::map<std::string, std::size_t> numbers;
  for (const Atom& atom : atoms) ++numbers[atom.element];
  std::vector<std::string> order;
  if (numbers.contains("C"))
    for (const char* first : {"C", "H"})
      if (numbers.contains(first)) order.emplace_back(first);
  for (const auto& [element, number] : numbers)
    if (std::find(order.begin(), order.end(), element) == order.end()) order.push_back(element);
  std::size_t unit = reduced ? 0 : 1;
  if (reduced)
    for (const auto& [element, number] : numbers) unit = std::gcd(unit, number);
  std::string text;
  for (const std::string& element : order)
    if (numbers[element] == unit)
      text += element;
    else if (site_species(element).empty())
      text += element + std::to_string(numbers[element] / unit);
    else
      text += fmt::format("({}){}", element, numbers[element] / unit);  // (Fe0.5Co0.5)2
  return text;
}

double cleaned(double x) { return std::abs(x) < 5e-13 ? 0.0 : x; }
Vector3 cleaned(const Vector3& v) { return {cleaned(v[0]), cleaned(v[1]), cleaned(v[2])}; }

std::string latex_species(const std::string& name) {
  constexpr std::pair<const char*, const char*> greek[] = {
      {"Σ", "\\Sigma"}, {"Π", "\\Pi"}, {"Δ", "\\Delta"}, {"Φ", "\\Phi"}};
  std::string letter = name.substr(0, 1), rest = name.substr(1);
  for (const auto& [utf8, command] : greek)
    if (name.starts_with(utf8)) letter = command, rest = name.substr(std::string(utf8).size());
  const std::size_t end = std::min(rest.find_first_of("'+-"), rest.size());
  std::string text = letter;
  if (end > 0) text += "_{" + rest.substr(0, end) + "}";
  if (end < rest.size()) text += rest[end] == '\'' ? rest.substr(end) : "^{" + rest.substr(end) + "}";
  return text;
}

std::string latex_symbol(const std::string& schoenflies) {
  const auto below = schoenflies.substr(1);
  const bool infinite = below.starts_with("∞");
  return below.empty() ? schoenflies
                       : fmt::format("{}_{{{}}}", schoenflies[0],
                                     infinite ? "\\infty " + below.substr(std::string("∞").size()) : below);
}

}  // namespace intertwine
