// Parses representations of finite groups.
#include "intertwine/io/representation_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "intertwine/equivariant/difference.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/io/edit_distance.hpp"
#include "intertwine/io/row_name.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/representation.hpp"
#include "io/expressions/representation_parser.hpp"

namespace intertwine {

Representation RepresentationParser::sum(const FiniteGroup& G) {
  std::vector<Representation> terms = {external(G)};
  for (;;) {
    if (accept_plus()) {
      terms.push_back(external(G));
    } else if (accept_minus()) {
      const Representation V = direct_sum(terms);
      terms = {difference(V, external(G), task_)};
    } else {
      return direct_sum(terms);
    }
  }
}

Representation RepresentationParser::external(const FiniteGroup& G) {
  const std::vector<std::size_t> hashes = hashes_of_term();
  if (hashes.empty()) return product(G);
  std::vector<FiniteGroup> groups;
  for (const FiniteGroup::Factor& factor : G.direct_factors()) groups.push_back(factor.group);
  if (groups.empty())
    fail(fmt::format("'#' joins representations of direct factors, but {} is not given as a direct product", G.name()),
         hashes[0]);
  if (groups.size() == hashes.size() + 1) {
    std::vector<Representation> operands;
    for (const FiniteGroup& factor : groups) operands.push_back(operand(factor, operands.empty()));
    return external_product(operands, G);
  }
  groups.clear();
  append_leaves(G, groups);
  if (groups.size() != hashes.size() + 1)
    fail(fmt::format("{} representations are joined by '#', but {} has {} direct factors", hashes.size() + 1, G.name(),
                     G.direct_factors().size()),
         hashes[0]);
  bool first = true;
  return nested_external(G, first);
}

Representation RepresentationParser::operand(const FiniteGroup& G, bool first) {
  if (!first && !accept("⊠")) expect('#', "between representations of direct factors");
  return product(G);
}

Representation RepresentationParser::nested_external(const FiniteGroup& G, bool& first) {
  if (G.direct_factors().empty()) {
    const bool now = std::exchange(first, false);
    return operand(G, now);
  }
  const Nesting nesting(*this, at_);
  std::vector<Representation> operands;
  for (const FiniteGroup::Factor& factor : G.direct_factors()) operands.push_back(nested_external(factor.group, first));
  return external_product(operands, G);
}

void RepresentationParser::append_leaves(const FiniteGroup& G, std::vector<FiniteGroup>& leaves) {
  const Nesting nesting(*this, at_);
  if (G.direct_factors().empty()) leaves.push_back(G);
  for (const FiniteGroup::Factor& factor : G.direct_factors()) append_leaves(factor.group, leaves);
}

std::vector<std::size_t> RepresentationParser::hashes_of_term() const {
  std::vector<std::size_t> hashes;
  std::size_t open = 0;
  for (std::size_t i = at_; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '@') {  // a file name may contain anything
      const bool quoted = i + 1 < text_.size() && text_[i + 1] == '"';
      const std::size_t end = text_.find(quoted ? '"' : ')', i + (quoted ? 2 : 1));
      if (end == std::string_view::npos) break;
      i = quoted ? end : end - 1;
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      ++open;
    } else if (c == ')' || c == ']' || c == '}' || c == '>') {
      if (open == 0) break;
      --open;
    } else if (open == 0) {
      const std::string_view symbol = text_.substr(i, 3);
      if ((c == '+' || c == '-') && i > 0 && text_[i - 1] == ']' && !operand_follows(i + 1)) continue;
      if (c == '+' || c == '-' || c == ',' || symbol == "⊕" || symbol == "−" || symbol == "⊖") break;
      if (c == '#' || symbol == "⊠") hashes.push_back(i);
    }
  }
  return hashes;
}

bool RepresentationParser::operand_follows(std::size_t i) const {
  while (i < text_.size() && is_space(text_[i])) ++i;
  return i < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[i])) || text_[i] == '(' || text_[i] == '[');
}

std::optional<std::uint64_t> RepresentationParser::multiplicity(const FiniteGroup& G) {
  const std::size_t start = at_;
  std::optional<std::uint64_t> result;
  while (peek_digit() && !row_follows(G)) {
    const std::size_t from = at_;
    const std::uint64_t k = number(std::numeric_limits<std::uint64_t>::max(), "a multiplicity");
    const Integer all = Integer(result.value_or(1)) * k;
    if (all > std::numeric_limits<std::uint64_t>::max()) fail("the multiplicity exceeds 2^64 - 1", start);
    if (k == 1 && ends_factor(at_) && !peek('*')) {  // 1 is the trivial representation, as 1 + V
      at_ = from;
      return result;
    }
    result = static_cast<std::uint64_t>(all);
    if (name_follows()) break;
    if (!accept('*'))
      fail(ends_factor(at_)
               ? fmt::format("a number is a multiplicity, as in {0}*perm; row {0} of the character table is "
                             "irrep({0}), and 1 the trivial representation",
                             k)
               : "expected '*' after a multiplicity, as in 16*perm",
           at_);
  }
  return result;
}

/// 1E: a row whose name begins with a digit.
bool RepresentationParser::row_follows(const FiniteGroup& G) {
  if (!G.structure().as<structure::PointGroup>()) return false;
  const std::string word = word_of_row();
  return !word.empty() && row_named(table_of(G), word);
}

Representation RepresentationParser::product(const FiniteGroup& G) {
  const auto copies = multiplicity(G);
  std::vector<Representation> factors = {power(G)};
  while (accept_times()) {
    if (peek_digit() && !row_follows(G)) fail("a multiplicity comes first: write 3*perm, not perm*3", at_);
    factors.push_back(power(G));
  }
  Representation V = tensor_product(factors);
  return copies ? *copies * V : V;
}

Representation RepresentationParser::power(const FiniteGroup& G) {
  return with_powers(atom(G), [&] { return small_number("an exponent"); });
}

Representation RepresentationParser::atom(const FiniteGroup& G) {
  skip();
  const std::size_t start = at_;
  const Nesting nesting(*this, start);
  if (accept('(')) {
    Representation V = sum(G);
    expect(')', "to close the bracket");
    return V;
  }
  if (peek('[') || text_.substr(at_).starts_with("X.") || (peek_digit() && row_follows(G)))
    return irreducible(G, start);
  if (accept('1')) return trivial_representation(G);
  if (accept_exterior()) return power_of(G, alt);
  // T1u, E1/2g, Γ6: the names of rows of these groups are those of representations.
  const bool capital = at_ < text_.size() && std::isupper(static_cast<unsigned char>(text_[at_]));
  if (G.structure().as<structure::PointGroup>() || G.structure().as<structure::DoubleGroup>()) {
    const std::string word = capital ? word_of_row() : std::string();
    if (text_.substr(at_).starts_with("Γ") ||
        (capital && (row_named(table_of(G), word) || !sign_of_row(G, at_ + word.size(), word).empty())))
      return irreducible(G, start);
  }
  while (at_ < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
  const std::string_view name = text_.substr(start, at_ - start), meant = canonical(name);
  if (name.empty()) fail("expected a representation, for example perm, sign or sym(2, perm)", start);
  for (const Name& known : names)
    if (known.name == meant) return known.rule(*this, G, start);
  if (name == "S" && (peek('^') || text_.substr(at_).starts_with("²"))) return power_of(G, sym);
  at_ = start;
  if (const std::string word = word_of_row(); !word.empty())
    if (const auto found = species(G, word)) {
      at_ += word.size();
      return *found;
    }
  if (name.size() == 1 && std::string_view("ABE").find(name[0]) != std::string_view::npos &&
      G.structure().as<structure::PointGroup>())
    return irreducible(G, start);  // refuses it, and names those that there are
  fail(unknown(name), start);
}

std::string RepresentationParser::unknown(std::string_view name) {
  std::string lower(name.substr(0, 40));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::string shown(name.substr(0, 40));
  if (name == "S") return "Schur functors are written schur([2,1], R), symmetric powers sym(2, R)";
  if (name.size() == 1 && std::string_view("spdfgl").find(name[0]) != std::string_view::npos)
    return fmt::format(
        "there is no representation named '{}'; orbitals of angular momentum l are harmonic(l): d is "
        "harmonic(2)",
        shown);
  if (name.size() == 1 && std::string_view("ABEFGHX").find(name[0]) != std::string_view::npos)
    return fmt::format("there is no representation named '{}'; irrep(k) is row k of the character table", shown);
  if (lower == "det" || lower == "determinant")
    return fmt::format(
        "there is no representation named '{}'; the sign of permutations is sign, and det is of groups such "
        "as O(3)",
        shown);
  const Name* nearest = nullptr;
  std::size_t best = std::min<std::size_t>(4, 2 * ((name.size() + 1) / 3)) + 1;  // a third of the letters may be wrong
  for (const Name& known : names)
    if (const std::size_t distance = edit_distance(lower, known.name); distance < best)
      best = distance, nearest = &known;
  if (nearest)
    return fmt::format("there is no representation named '{}'; the nearest known one is {}", shown, nearest->usage);
  std::string all;
  for (const Name& known : names)
    if (all.empty() || !all.ends_with(known.name)) all += (all.empty() ? "" : ", ") + std::string(known.name);
  return fmt::format("there is no representation named '{}'; there are {}", shown, all);
}

void RepresentationParser::comma() { expect(',', "before the next argument"); }

std::vector<unsigned> RepresentationParser::parts() {
  std::vector<unsigned> result;
  const bool round = peek('(');
  list(round ? '(' : '[', round ? ')' : ']', [&] {
    const std::size_t position = (skip(), at_);
    result.push_back(small_number("a part"));
    if (result.back() == 0) fail("parts are positive", position);
  });
  return result;
}

FiniteGroup RepresentationParser::generated_group(const FiniteGroup& G) {
  if (!peek('<')) fail("expected a group given by generators, for example <(1,2,3),(1,2)>", at_);
  const std::size_t start = at_++;
  std::vector<Permutation> generators;
  if (accept('>')) return FiniteGroup(G.degree(), {});
  for (;;) {
    const std::size_t from = at_;
    std::size_t open = 0;
    while (at_ < text_.size() && (open != 0 || (text_[at_] != ',' && text_[at_] != '>'))) {
      if (text_[at_] == '(') ++open;
      if (text_[at_] == ')' && open != 0) --open;
      ++at_;
    }
    if (at_ == text_.size()) fail("the list of generators is not closed with '>'", start);
    task_.require_memory((generators.size() + 1) * G.degree() * sizeof(Point), "the generators in the expression");
    generators.push_back(permutation(from, at_, G.degree()));
    if (text_[at_++] == '>') return FiniteGroup(G.degree(), std::move(generators));
  }
}

Permutation RepresentationParser::permutation(std::size_t from, std::size_t to, std::size_t degree) const {
  try {
    Permutation g = parse_permutation(text_.substr(from, to - from), degree);
    if (g.degree() != degree) fail(fmt::format("the group has {} points", degree), from);
    return g;
  } catch (const ParseError& e) {
    if (e.text() == text_) throw;
    fail(e.what(), from + e.position());
  }
}

Representation parse_representation(const FiniteGroup& G, std::string_view text, const Task& task) {
  return RepresentationParser(text, task).parse(G);
}

}  // namespace intertwine
