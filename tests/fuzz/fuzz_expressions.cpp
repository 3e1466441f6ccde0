// Everything that people type: permutations, rational numbers, group and representation expressions.
//
// The first byte of an input says which parser reads the rest: 'p' a permutation, 'q' a rational number, 'g' a group,
// 'a' to 'd' a representation of one of four small groups, 'k' a continuous group, 'e' a Euclidean one, 's' a spin, 'l'
// and 'm' a representation of O(3) or S3 x SO(2), 'n' a group of every size or, behind a semicolon, tensors over two. A
// parser may refuse with an Error of the library, whose position must lie in the text; anything else that is thrown is
// a finding, and so is an answer that does not survive being written and read again. covers:
// src/io/expressions/group_expression.cpp src/io/expressions/group_families.cpp src/io/expressions/group_parser.hpp
// src/io/expressions/presentation_parser.hpp src/io/expressions/representation_expression.cpp
// src/io/expressions/representation_parser.hpp src/io/expressions/continuous_expression.cpp
// src/io/expressions/o3_irreps.cpp src/io/expressions/diagram_expression.cpp src/io/expressions/group_factors.hpp
// src/io/expressions/crystal_parser.hpp src/groups/named/space_settings.cpp
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/reductive/wigner_symbols.hpp"
#include "numbers_in_text.hpp"

namespace {

using namespace intertwine;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void fuzz_permutation(std::string_view text) {
  const Permutation g = parse_permutation(text);
  if (g.degree() > 1'000'000) return;  // the rest takes seconds under the sanitizers, and shows nothing new
  require(Permutation({g.images().begin(), g.images().end()}) == g, "a parsed permutation is a bijection");
  require(parse_permutation(g.to_string(), g.degree()) == g, "a permutation survives its text");
  require((g * g.inverse()).is_identity(), "g g^-1 = 1");
}

void fuzz_rational(const std::string& text) {
  const Rational a = parse_rational(text);
  require(parse_rational(to_string(a)) == a, "a rational number survives its text");
}

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t times = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++times;
  return times;
}

/// Whether what the text asks for is small. No files, at most one wreath product, and numbers up to the bound or so
/// large that they have to be refused.
bool is_modest(std::string_view text) {
  if (text.size() > 64 || text.find('@') != text.npos || count(text, "wr") > 1) return false;
  const bool linear = text.find_first_of("Ll") != text.npos;  // degrees grow as q^n
  const std::uint64_t bound = linear ? 4 : 24, refused = 1'000'000'000'000'000'000;
  const auto numbers = numbers_in(text);
  return std::all_of(numbers.begin(), numbers.end(), [&](auto n) { return n <= bound || n >= refused; });
}

void fuzz_group(std::string_view text) {
  if (!is_modest(text)) return;
  const FiniteGroup G = parse_finite_group(text);
  for (const Permutation& g : G.generators()) require(g.degree() == G.degree(), "generators permute the points");
  try {
    require(parse_finite_group(G.name()) == G, "a group survives its name");
  } catch (const ParseError&) {  // names need not be expressions
  }
}

void fuzz_representation(const FiniteGroup& G, std::string_view text) {
  if (!is_modest(text)) return;
  Task task(std::uint64_t{256} << 20, 10, {});
  const Representation V = parse_representation(G, text, task);
  const std::string written = V.to_string();
  const Representation again = parse_representation(G, written, task);
  require(again.dimension() == V.dimension() && again.to_string() == written, "a representation survives its text");
  if (V.dimension() > 2000) return;
  require(V.character(Permutation::identity(G.degree())) == Integer(V.dimension()),
          "the character of 1 is the dimension");
  const std::vector<SignedPermutation> images = V.generator_images();
  require(images.size() == G.generators().size(), "one image a generator");
  for (std::size_t k = 0; k < images.size(); ++k) {
    require(images[k].degree() == V.dimension(), "images act on the space");
    require(V.character(G.generators()[k]) == images[k].trace(), "the character is the trace");
    require(again.generator_images()[k] == images[k], "the same text gives the same matrices");
  }
}

void fuzz_continuous_group(std::string_view text) {
  if (!is_modest(text) || !names_continuous_group(text)) return;
  const ContinuousGroup G = parse_continuous_group(text);
  try {
    require(parse_continuous_group(G.name()) == G, "a continuous group survives its name");
  } catch (const ParseError&) {  // names of finite factors need not be expressions
  }
}

void fuzz_euclidean_group(std::string_view text) {
  if (!is_modest(text) || !names_euclidean_group(text)) return;
  const EuclideanGroup G = parse_euclidean_group(text);
  require(G.factor() < G.point_group().factors().size(), "one factor turns space");
  try {
    require(parse_euclidean_group(G.name()).point_group() == G.point_group(), "a Euclidean group survives its name");
  } catch (const ParseError&) {  // names of finite factors need not be expressions
  }
}

void fuzz_spin(std::string_view text) {
  const HalfInteger j = parse_half_integer(text);
  require(parse_half_integer(to_string(j)) == j, "a spin survives its text");
}

void fuzz_every_size(std::string_view text) {
  const bool tensors = text.starts_with(';');
  if (!is_modest(text)) return;
  const Task task(std::uint64_t{256} << 20, 10, {});
  const auto table = tensors ? parse_diagrams("GL(n) x B(n)", text.substr(1), "", true, task)
                             : parse_diagrams(text, "", "", false, task);
  if (!table) return;
  require_consistent(*table, task);
  require(table->axes_in == table->axes_out, "the output is the input where it is left out");
}

void fuzz_continuous_representation(const ContinuousGroup& G, std::string_view text) {
  if (!is_modest(text)) return;
  Task task(std::uint64_t{256} << 20, 10, {});
  const ContinuousRepresentation V = parse_representation(G, text, task);
  const std::string written = V.to_string();
  const ContinuousRepresentation again = parse_representation(G, written, task);
  require(again.dimension() == V.dimension() && again.to_string() == written, "a representation survives its text");
  if (V.dimension() <= 100)
    require(V.generator_matrices(task) == again.generator_matrices(task), "the same text gives the same matrices");
}

const FiniteGroup& small_group(unsigned k) {
  static const std::vector<FiniteGroup> groups = {parse_finite_group("S3"), parse_finite_group("C4"),
                                                  parse_finite_group("S3 x C2"), parse_finite_group("D4")};
  return groups[k];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const char kind = static_cast<char>(data[0]);
  try {
    if (kind == 'p') {
      fuzz_permutation(text);
    } else if (kind == 'q') {
      fuzz_rational(text);
    } else if (kind == 'g') {
      fuzz_group(text);
    } else if (kind == 'k') {
      fuzz_continuous_group(text);
    } else if (kind == 'e') {
      fuzz_euclidean_group(text);
    } else if (kind == 's') {
      fuzz_spin(text);
    } else if (kind == 'n') {
      fuzz_every_size(text);
    } else if (kind == 'l' || kind == 'm') {
      static const ContinuousGroup single = parse_continuous_group("O(3)"),
                                   product = parse_continuous_group("S3 x SO(2)");
      fuzz_continuous_representation(kind == 'l' ? single : product, text);
    } else if (kind >= 'a' && kind <= 'd') {
      fuzz_representation(small_group(static_cast<unsigned>(kind - 'a')), text);
    } else {
      return -1;
    }
  } catch (const InternalError&) {
    throw;
  } catch (const ParseError& e) {
    require(e.position() <= e.text().size(), "the position lies in the text");
    require(e.what()[0] != '\0', "an error says something");
  } catch (const Error& e) {
    require(e.what()[0] != '\0', "an error says something");
  }
  return 0;
}
