// The named representations of expressions, a line of the table for each. `start` is where the name begins.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "intertwine/gl/schur_representation.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/row_name.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/kernel_sites.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "intertwine/representations/representation.hpp"
#include "io/expressions/exact_entries.hpp"
#include "io/expressions/representation_file.hpp"
#include "io/expressions/representation_parser.hpp"
#include "io/expressions/word_list.hpp"

namespace intertwine {

Representation RepresentationParser::orbit(const FiniteGroup& G) {
  return in_brackets([&] {
    std::vector<Point> set;
    std::unordered_set<Point> seen;
    list('{', '}', [&] {
      const std::size_t position = (skip(), at_);
      const std::uint64_t x = number(std::numeric_limits<std::uint64_t>::max(), "a point");
      if (x == 0 || x > G.degree()) fail(fmt::format("{} is not among the points 1 to {}", x, G.degree()), position);
      set.push_back(static_cast<Point>(x - 1));
      if (!seen.insert(set.back()).second) fail(fmt::format("the point {} is in the set twice", x), position);
    });
    return set_orbit_action(G, set, task_);
  });
}

Representation RepresentationParser::induced(const FiniteGroup& G) {
  return in_brackets([&] {
    const FiniteGroup H = generated_group(G);
    comma();
    skip();
    const std::size_t start = at_;
    if (peek_digit() && !multiplicity_follows()) return induction(irreducible(H, start), G, task_);
    return induction(sum(H), G, task_);
  });
}

bool RepresentationParser::multiplicity_follows() const {
  std::size_t i = at_;
  while (i < text_.size() &&
         (std::isdigit(static_cast<unsigned char>(text_[i])) || std::isspace(static_cast<unsigned char>(text_[i]))))
    ++i;
  return i < text_.size() && text_[i] == '*';
}

Representation RepresentationParser::character(const FiniteGroup& G, std::size_t start) {
  std::vector<int> signs;
  list('(', ')', [&] {
    const std::size_t position = (skip(), at_);
    const bool minus = accept('-'), plus = !minus && accept('+'), digit = peek_digit();
    if ((!minus && !plus && !digit) || (digit && number(max_degree, "a sign") != 1))
      fail("a sign is +, -, 1 or -1", position);
    signs.push_back(minus ? -1 : 1);
  });
  if (signs.size() != G.generators().size())
    fail(fmt::format("{} signs are given, but {} has {} generators", signs.size(), G.name(), G.generators().size()),
         start);
  return linear_character(G, signs);
}

/// Sym^2(R), Sym^2 R, Sym²R, sym2(R) or sym(2, R).
Representation RepresentationParser::power_of(const FiniteGroup& G,
                                              Representation (*functor)(unsigned, const Representation&)) {
  const auto degree = [&] { return small_number("the degree k"); };
  if (const auto above = superscript()) return functor(*above, atom(G));
  if (accept('^')) {
    const unsigned k = exponent(degree);
    return functor(k, atom(G));
  }
  if (peek_digit()) {
    const unsigned k = degree();
    return in_brackets([&] { return functor(k, sum(G)); });
  }
  return in_brackets([&] {
    const unsigned k = degree();
    if (peek(')')) fail(fmt::format("the power of what? Write sym({0}, V) or alt({0}, V)", k), at_);
    comma();
    return functor(k, sum(G));
  });
}

/// The action that defines the group: EMLP's V.
Representation RepresentationParser::defining(const FiniteGroup& G) {
  return G.coordinates().matrices ? coordinate_representation(G) : natural_permutation_representation(G);
}

/// T(k) is V^k, T(p,q) has q dual factors: EMLP's names of tensors.
Representation RepresentationParser::tensors(const FiniteGroup& G, std::size_t start) {
  if (!peek('(')) fail("tensors are written T(k) or V^k; rows of the character table are irrep(k)", start);
  return in_brackets([&] {
    const unsigned p = small_number("a number of factors");
    const unsigned q = accept(',') ? small_number("a number of dual factors") : 0;
    const Representation V = defining(G);
    return q == 0 ? tensor_power(V, p) : tensor_power(V, p) * tensor_power(dual(V), q);
  });
}

Representation RepresentationParser::pseudovector(const FiniteGroup& G, std::size_t start) {
  const Representation V = coordinate_representation(G);
  if (V.dimension() != 3)
    fail(fmt::format("a pseudovector is of a group in space; the coordinates of {} have dimension {}", G.name(),
                     V.dimension()),
         start);
  return alt(2, V);
}

/// A row of the character table by its number, from 1, or by its name, a partition with a sign where it needs one.
Representation RepresentationParser::irreducible(const FiniteGroup& G, std::size_t start) {
  std::string name;
  std::uint64_t k = 0;
  if (peek('[')) {
    for (const unsigned part : parts()) name += (name.empty() ? "[" : ",") + std::to_string(part);
    name += "]";
  } else if (name = word_of_row(); !name.empty()) {
    at_ += name.size();
  } else {
    k = number(std::numeric_limits<std::uint32_t>::max(), "the number of an irreducible representation");
    const std::size_t after = at_;
    if (accept(',') && peek_digit()) {  // irrep(3,1)
      name = fmt::format("[{}", k);
      do name += fmt::format(",{}", small_number("a part"));
      while (accept(','));
      name += "]";
      k = 0;
    } else {
      at_ = after;
    }
  }
  const CharacterTable table = table_of(G);
  if (!name.empty()) {
    const std::string sign = sign_of_row(G, at_, name);
    name += sign;
    at_ += sign.size();
    const auto row = row_named(table, name);
    if (const auto pair = row ? std::nullopt : species(G, name)) return *pair;
    if (!row)
      fail(fmt::format("no irreducible representation of {} is called {}; they are {}, and `intertwine "
                       "chartable` lists them",
                       G.name(), name, names_of_rows(table)),
           start);
    k = *row + 1;
  }
  if (k == 0 || k > table.size())
    fail(fmt::format("the irreducible representations of {} are numbered from 1 to {}", G.name(), table.size()), start);
  if (accept(',')) check_character(table, k - 1);
  return irreducible_representation(table, k - 1, task_).representation;
}

/// E of C4: the sum of the rows that its printed table puts together.
std::optional<Representation> RepresentationParser::species(const FiniteGroup& G, std::string_view name) {
  const auto* dihedral = G.structure().as<structure::Dihedral>();
  if (!G.structure().as<structure::PointGroup>() && !G.structure().as<structure::Cyclic>() && !dihedral) return {};
  const CharacterTable table = table_of(G);
  std::vector<Representation> parts;
  for (const std::size_t row : rows_of_species(table, name, task_))
    parts.push_back(irreducible_representation(table, row, task_).representation);
  return parts.empty() ? std::nullopt : std::optional(direct_sum(parts));
}

/// The word that begins here and is no number alone: T1u, 1E, X.4, Γ6; E'' with its primes; spinors of double groups, E1/2 and F3/2u.
std::string RepresentationParser::word_of_row() {
  skip();
  std::size_t end = at_;
  for (const std::string_view letter : {"Γ_", "Gamma_", "G_", "Γ"})
    if (end == at_ && text_.substr(at_).starts_with(letter)) end += letter.size();
  while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '.')) ++end;
  while (end < text_.size() && end > at_ && (text_[end] == '\'' || text_[end] == '"')) ++end;
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  if (std::ranges::any_of(text_.substr(at_, end - at_), is_letter) && text_.substr(end).starts_with("/2")) {
    end += 2;
    if (end < text_.size() && (text_[end] == 'g' || text_[end] == 'u')) ++end;
  }
  const std::string_view word = text_.substr(at_, end - at_);
  return word.find_first_not_of("0123456789") == std::string_view::npos ? std::string() : std::string(word);
}

/// The sign behind a name where there is a row that is called so, as [2,1]+ and Γ6-; otherwise it joins terms.
std::string RepresentationParser::sign_of_row(const FiniteGroup& G, std::size_t at, const std::string& name) {
  for (const std::string_view sign : {"+", "-", "⁺", "⁻", "^+", "^-"})
    if (text_.substr(at).starts_with(sign) && row_named(table_of(G), name + std::string(sign)))
      return std::string(sign);
  return {};
}

CharacterTable RepresentationParser::table_of(const FiniteGroup& G) {
  for (const CharacterTable& table : tables_)
    if (table.group() == G) return table;
  return tables_.emplace_back(character_table(G, task_));
}

/// The values of the character that irrep(k) had when the text was written.
void RepresentationParser::check_character(const CharacterTable& table, std::size_t row) {
  std::size_t c = 0;
  list('[', ']', [&] {
    const std::size_t position = (skip(), at_);
    const Cyclotomic value = exact_number(task_);
    if (c == table.size())
      fail(fmt::format("there are more values than the {} classes of {}", c, table.group().name()), position);
    if (value != table(row, c))
      fail(fmt::format("irrep({}) of {} is another representation than the one meant: its character has the "
                       "value {} on "
                       "class {}, not {}",
                       row + 1, table.group().name(), to_string(table(row, c)), c + 1, to_string(value)),
           position);
    ++c;
  });
  if (c != table.size())
    fail(fmt::format("there are {} values for the {} classes of {}", c, table.size(), table.group().name()), at_);
}

/// kernel(3,3), and kernel(3,3, R) with the action on the axes.
Representation RepresentationParser::kernel(const FiniteGroup& G) {
  return in_brackets([&] {
    std::vector<std::uint64_t> sizes = {small_number("the size of an axis")};
    while (accept(',')) {
      if (skip(); at_ == text_.size() || text_[at_] < '0' || text_[at_] > '9')
        return kernel_sites(sum(G), sizes, task_);
      sizes.push_back(small_number("the size of an axis"));
    }
    return kernel_sites(G, sizes, task_);
  });
}

Representation RepresentationParser::schur(const FiniteGroup& G, std::size_t start) {
  return in_brackets([&] {
    const std::vector<unsigned> lambda = parts();
    comma();
    if (!std::is_sorted(lambda.rbegin(), lambda.rend()))
      fail("a partition has positive, weakly decreasing parts", start);
    if (lambda.size() == 1) return sym(lambda[0], sum(G));
    if (!lambda.empty() && lambda[0] > max_degree) fail(fmt::format("a part is at most {}", max_degree), start);
    return schur_power(Partition(std::vector<int>(lambda.begin(), lambda.end())), sum(G));
  });
}

Representation RepresentationParser::specht(const FiniteGroup& G, std::size_t start) {
  return in_brackets([&]() -> Representation {
    std::vector<unsigned> lambda;
    if (peek('['))
      lambda = parts();
    else
      do lambda.push_back(small_number("a part"));
      while (accept(','));
    std::uint64_t weight = 0;
    for (std::size_t i = 0; i < lambda.size(); ++i) {
      if (lambda[i] == 0 || (i != 0 && lambda[i] > lambda[i - 1]))
        fail("a partition has positive, weakly decreasing parts", start);
      weight += lambda[i];
    }
    if (weight != G.degree())
      fail(fmt::format("Specht modules of partitions of {} belong to groups on {} points; {} permutes {}", weight,
                       weight, G.name(), G.degree()),
           start);
    return specht_module(G, Partition(std::vector<int>(lambda.begin(), lambda.end())), task_);
  });
}

Representation RepresentationParser::rep(const FiniteGroup& G, std::size_t start) {
  return in_brackets([&] { return accept('@') ? from_file(G) : from_lists(G, start); });
}

Representation RepresentationParser::from_file(const FiniteGroup& G) {
  const std::size_t start = at_;
  const bool quoted = accept('"');
  const std::size_t from = at_;
  const std::size_t to = text_.find(quoted ? '"' : ')', from);
  if (to == std::string_view::npos)
    fail(quoted ? "the file name is not closed with '\"'" : "expected ')' after the file name", start);
  std::string_view name = text_.substr(from, to - from);
  while (!quoted && !name.empty() && std::isspace(static_cast<unsigned char>(name.back()))) name.remove_suffix(1);
  if (name.empty()) fail("expected a file name after '@'", start);
  at_ = quoted ? to + 1 : to;
  return read_representation(G, std::filesystem::path(name), task_);
}

Representation RepresentationParser::from_lists(const FiniteGroup& G, std::size_t start) {
  std::vector<SignedPermutation> images;
  std::vector<FieldMatrix> matrices;
  list('[', ']', [&] {
    const std::size_t position = (skip(), at_);
    const bool is_matrix = list_of_lists_follows();
    if (is_matrix ? !images.empty() : !matrices.empty()) fail("matrices and lists of images cannot be mixed", position);
    if (is_matrix)
      matrices.push_back(matrix(task_));
    else
      images.push_back(signed_list());
  });
  if (!matrices.empty()) return matrix_representation(G, matrices, {}, task_);
  if (images.size() != G.generators().size())
    fail(fmt::format("{} images are given, but {} has {} generators", images.size(), G.name(), G.generators().size()),
         start);
  std::uint64_t dimension = images.empty() ? 0 : images[0].degree();
  if (accept(',')) {
    const std::size_t position = (skip(), at_);
    const std::uint64_t stated = number(max_degree, "the dimension");
    if (!images.empty() && stated != dimension) fail(fmt::format("the lists have {} entries", dimension), position);
    dimension = stated;
  }
  if (images.empty()) return dimension * trivial_representation(G);
  for (const SignedPermutation& image : images)
    if (image.degree() != dimension)
      fail(fmt::format("the lists have different lengths, {} and {}", dimension, image.degree()), start);
  return monomial_representation(G, std::move(images), {}, task_);
}

bool RepresentationParser::list_of_lists_follows() {
  const std::size_t start = at_;
  const bool result = accept('[') && peek('[');
  at_ = start;
  return result;
}

SignedPermutation RepresentationParser::signed_list() {
  const std::size_t start = (skip(), at_);
  std::vector<SignedPoint> points;
  list('[', ']', [&] {
    const bool negative = accept('-');
    const std::size_t position = (skip(), at_);
    const std::uint64_t x = number(max_degree, "a basis vector (1-based, with a sign)");
    if (x == 0) fail("basis vectors are numbered from 1", position);
    points.emplace_back(static_cast<Point>(x - 1), negative);
  });
  try {
    return SignedPermutation(std::move(points));
  } catch (const DomainError& e) {
    fail(fmt::format("the list is no signed permutation: {}", e.what()), start);
  }
}

// clang-format off
const std::array<RepresentationParser::Name, 32> RepresentationParser::names = {{
    {"trivial", "trivial", [](auto&, auto& G, auto) { return trivial_representation(G); },
     "dimension 1, every element is 1"},
    {"perm", "perm", [](auto&, auto& G, auto) { return natural_permutation_representation(G); },
     "the points of the group, permuted"},
    {"sign", "sign", [](auto&, auto& G, auto) { return sign_representation(G); },
     "the sign of permutations of the points"},
    {"regular", "regular", [](auto& p, auto& G, auto) {
       static_cast<void>(G.chain(p.task_)); return regular_representation(G); },
     "the elements of the group, multiplied from the left"},
    {"V", "V", [](auto& p, auto& G, auto) { return p.defining(G); },
     "coordinates where the group has them, else perm"},
    {"coordinates", "coordinates", [](auto&, auto& G, auto) { return coordinate_representation(G); },
     "the matrices that define the group: vectors in space for point groups, also called vector"},
    {"cartesian", "cartesian", [](auto&, auto& G, auto) { return cartesian_representation(G); },
     "coordinates by orthogonal matrices: axes x, y, z, the main axis of a point group along z"},
    {"harmonic", "harmonic(l)", [](auto& p, auto& G, auto) { return p.in_brackets([&] {
        return harmonic_representation(G, p.small_number("the degree l"), p.task_);
      }); },
     "harmonic polynomials of degree l of a group in space (harmonic(2) of Oh is Eg + T2g) or in the plane "
     "(cos and sin of l times the angle: harmonic(2) of D5)"},
    {"pseudovector", "pseudovector", [](auto& p, auto& G, auto start) { return p.pseudovector(G, start); },
     "alt(2, coordinates) of a group in space, as rotations and magnetic fields"},
    {"std", "std", [](auto&, auto& G, auto) { return standard_representation(G); }, "perm minus trivial"},
    {"irrep", "irrep(k), irrep([3,1])", [](auto& p, auto& G, auto) { return p.in_brackets([&] {
        p.skip(); return p.irreducible(G, p.at_);
      }); },
     "the irreducible representation of row k of the character table, or by its name; [3,1] alone is the "
     "same"},
    {"specht", "specht(3,1)", [](auto& p, auto& G, auto start) { return p.specht(G, start); },
     "the Specht module of a partition"},
    {"T", "T(k), T(p,q)", [](auto& p, auto& G, auto start) { return p.tensors(G, start); },
     "V^k; V^p * dual(V)^q"},
    {"tuples", "tuples(k)", [](auto& p, auto& G, auto) { return p.in_brackets([&] {
        return tuple_action(G, p.small_number("the length k"));
      }); },
     "k points in order"},
    {"arrangements", "arrangements(k)", [](auto& p, auto& G, auto) { return p.in_brackets([&] {
        return arrangement_action(G, p.small_number("the length k"));
      }); },
     "k different points in order"},
    {"subsets", "subsets(k)", [](auto& p, auto& G, auto) { return p.in_brackets([&] {
        return subset_action(G, p.small_number("the size k"));
      }); },
     "sets of k points"},
    {"orbit", "orbit({1,2,5})", [](auto& p, auto& G, auto) { return p.orbit(G); },
     "the images of a set of points"},
    {"partitions", "partitions([2,2,1])", [](auto& p, auto& G, auto) { return p.in_brackets([&] {
        return set_partition_action(G, p.parts(), p.task_);
      }); },
     "divisions of the points into sets of these sizes"},
    {"cosets", "cosets(<(1,2,3)>)", [](auto& p, auto& G, auto) { return p.in_brackets([&] {
        return coset_action(G, p.generated_group(G), p.task_);
      }); },
     "the cosets of a subgroup"},
    {"induced", "induced(<(1,2,3)>, R)", [](auto& p, auto& G, auto) { return p.induced(G); },
     "induced from a representation of a subgroup"},
    {"restricted", "restricted(<(1,2,3),(1,2)>, R)", [](auto& p, auto& G, auto) { return p.in_brackets([&] {
        const FiniteGroup larger = p.generated_group(G);
        p.comma();
        return restriction(p.sum(larger), G);
      }); },
     "restricted from a larger group on the same points"},
    {"character", "character(1,-1)", [](auto& p, auto& G, auto start) { return p.character(G, start); },
     "dimension 1, a sign for each generator"},
    {"kernel", "kernel(3,3)", [](auto& p, auto& G, auto) { return p.kernel(G); },
     "the sites of a convolution kernel"},
    {"dual", "dual(R)", [](auto& p, auto& G, auto) { return p.in_brackets([&] { return dual(p.sum(G)); }); },
     "the inverse transpose of R"},
    {"real", "real(R)", [](auto& p, auto& G, auto) { return p.in_brackets([&] {
        const Representation V = p.sum(G); return restriction_of_scalars(V, V.field().real_subfield());
      }); },
     "R over the real part of its field, by real matrices"},
    {"rational", "rational(R)", [](auto& p, auto& G, auto) { return p.in_brackets([&] {
        return restriction_of_scalars(p.sum(G), AbelianField());
      }); },
     "R over Q, by rational matrices"},
    {"sym", "sym(k, R)", [](auto& p, auto& G, auto) { return p.power_of(G, sym); },
     "the symmetric power, polynomials of degree k"},
    {"alt", "alt(k, R)", [](auto& p, auto& G, auto) { return p.power_of(G, alt); }, "the exterior power"},
    {"schur", "schur([2,1], R)", [](auto& p, auto& G, auto start) { return p.schur(G, start); },
     "the Schur functor of a partition"},
    {"rep", "rep(@file.json)", [](auto& p, auto& G, auto start) { return p.rep(G, start); },
     "matrices from a file"},
    {"rep", "rep([[2,-1,3],[1,2,3]])", [](auto& p, auto& G, auto start) { return p.rep(G, start); },
     "signed permutations: where each generator takes the basis vectors"},
    {"rep", "rep([[[0,-1],[1,-1]]])", [](auto& p, auto& G, auto start) { return p.rep(G, start); },
     "a matrix for each generator, by rows"},
}};
// clang-format on

std::string_view RepresentationParser::canonical(std::string_view name) {
  // These names are those of other systems and textbooks.
  static constexpr std::string_view synonyms =
      "triv=trivial scalar=trivial scalars=trivial permutation=perm natural=perm defining=V fundamental=V "
      "sgn=sign signum=sign alternating=sign reg=regular standard=std vector=coordinates vectors=coordinates "
      "xyz=coordinates axial=pseudovector Sym=sym symmetric=sym Alt=alt ext=alt Ext=alt exterior=alt "
      "wedge=alt "
      "Lambda=alt ind=induced Ind=induced induce=induced res=restricted Res=restricted restrict=restricted "
      "Specht=specht Schur=schur irr=irrep Irr=irrep irreps=irrep chi=irrep conjugate=dual "
      "contragredient=dual "
      "Dual=dual";
  for (const std::string_view ending : {"_repr", "_rep", "_representation"})
    if (name.size() > ending.size() && name.ends_with(ending)) name.remove_suffix(ending.size());
  const std::string_view meant = meaning_of(synonyms, name);
  return meant.empty() ? name : meant;
}

std::string known_representations() {
  constexpr std::size_t column = 33;
  std::string text;
  for (const auto& known : RepresentationParser::names)
    text += fmt::format("{:<{}}{}\n", known.usage, column, known.meaning);
  return text + fmt::format("{:<{}}{}\n{:<{}}{}\n{:<{}}{}\n{:<{}}{}", "R + R, 3*R, (R)", column,
                            "direct sums; a number in front is a multiplicity", "R - R", column,
                            "the difference where it is a representation: perm^2 - perm", "R*R, R^k", column,
                            "tensor products and powers", "R # R", column,
                            "of a direct product, a representation of each factor");
}

std::vector<std::string> representation_name_examples() {
  std::vector<std::string> examples;
  for (const auto& known : RepresentationParser::names) {
    const std::string_view first = known.usage.substr(0, known.usage.find("), "));
    examples.emplace_back(first.size() < known.usage.size() ? std::string(first) + ")" : std::string(first));
  }
  return examples;
}

}  // namespace intertwine
