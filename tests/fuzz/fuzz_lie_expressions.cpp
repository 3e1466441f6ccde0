// Reductive groups and their representations, "GROUP;REPRESENTATION": a refusal points into the text, and what is read is a character.
// Honest requests for large answers are left out.
// covers: src/io/expressions/lie_expression.cpp
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "numbers_in_text.hpp"

using namespace intertwine;

/// Few factors for groups of large dimension: of E8 a square, of SU(2) several.
static bool is_modest(const std::string& rep, std::size_t dimension) {
  return std::log2(largest_term(rep)) * std::log2(static_cast<double>(dimension + 2)) <= 18;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 256) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t semicolon = text.find(';');
  const std::string group = text.substr(0, semicolon),
                    rep = semicolon == std::string::npos ? "vector" : text.substr(semicolon + 1);
  const auto ranks = numbers_in(group);
  if (std::any_of(ranks.begin(), ranks.end(), [](auto n) { return n > 12 && n < 1000; })) return 0;
  const Task task(std::uint64_t{256} << 20, 0, {});
  names_lie_group(group);
  try {
    const LieGroup G = parse_lie_group(group);
    if (!(parse_lie_group(G.name()) == G)) std::abort();
    const std::size_t dimension = static_cast<std::size_t>(G.type().rank()) + 2 * G.type().positive_roots().size();
    if (G.type().rank() > 12 || !is_modest(rep, dimension)) return 0;
    const LieCharacter chi = parse_lie_representation(G, rep, task);
    if (!chi.is_character() || chi.dual().dimension() != chi.dimension()) std::abort();
  } catch (const ParseError& e) {
    if (e.position() > std::max(group.size(), rep.size())) std::abort();
  } catch (const Error&) {
  }
  if (!is_modest(rep, 3)) return 0;
  try {
    static const OrthogonalEmbedding cube(ClassFunction::irreducible(character_table(parse_finite_group("S4")), 3));
    multiplicities(parse_orthogonal_representation(cube, rep, task));
  } catch (const ParseError& e) {
    if (e.position() > rep.size()) std::abort();
  } catch (const LimitError&) {
  }
  return 0;
}
