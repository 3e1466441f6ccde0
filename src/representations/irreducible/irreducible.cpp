// Irreducible representations by matrices: chooses the method and proves the result.
#include "intertwine/representations/irreducible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "alternating.hpp"
#include "constituent_basis.hpp"
#include "extended_irreducible.hpp"
#include "field_descent.hpp"
#include "field_module.hpp"
#include "found_irreducibles.hpp"
#include "half_spherical.hpp"
#include "intertwine/characters/schur_index.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/submodule.hpp"
#include "monomial_irreducibles.hpp"
#include "product_irreducibles.hpp"
#include "representations/expressions/specht_action.hpp"
#include "sampled_constituent.hpp"

namespace intertwine {

namespace {

AbelianField character_field(const CharacterTable& table, std::size_t row, std::vector<Cyclotomic> more = {}) {
  std::set<Cyclotomic> values(more.begin(), more.end());
  for (std::size_t c = 0; c < table.size(); ++c) values.insert(table(row, c));
  more.assign(values.begin(), values.end());
  return AbelianField::generated_by(more);
}

/// An irreducible submodule of a module induced from a linear character.
struct Realization {
  std::size_t row;
  MonomialModule module;
  FieldMatrix basis;   ///< columns; 0 x 0 for the whole module, and for large ones
  FieldMatrix vector;  ///< the spherical vector in the basis
  /// The constituent of a large module, or where chi occurs twice.
  std::optional<SampledConstituent> sampled = {};
  std::optional<MonomialModule> seed_module =
      {};  ///< a module in which chi occurs once, if it occurs twice in `module`

  const MonomialModule& seeds() const { return seed_module ? *seed_module : module; }
  bool is_induced() const { return basis.cols() == 0 && !sampled; }
};

/// v in the basis C, up to a rational factor.
FieldMatrix coordinates_of(const SphericalVector& v, const FieldMatrix& C, const AbelianField& K, const Task& task) {
  std::vector<Cyclotomic> entries;
  for (const std::uint32_t code : v.codes()) entries.push_back(v.value(code));
  const FieldMatrix column = FieldMatrix(entries.size(), 1, entries).over(K);
  std::vector<std::size_t> pivots;
  C.reduce(K.split_prime(0), 0)->transpose().echelon(&pivots, task);
  const auto w = linear_solve(C.select_rows(pivots), column.select_rows(pivots), task);
  if (!w || !(C * *w == column))
    throw InternalError("irreducible_representation: the seed lies outside the submodule it generates");
  const RationalMatrix& coefficients = w->coefficients();
  return {K, exact_quotient(coefficients.numerator(), coefficients.numerator().content()), 1};
}

std::uint64_t residue(const Cyclotomic& x, const AbelianField& K, const AbelianField::SplitPrime& prime) {
  const std::vector<Rational> coordinates = K.coordinates(x);
  Integer denominator = 1, sum = 0;
  for (const Rational& c : coordinates) denominator = lcm(denominator, boost::multiprecision::denominator(c));
  for (std::size_t l = coordinates.size(); l-- > 0;)
    sum = (sum * prime.roots[0] + boost::multiprecision::numerator(coordinates[l] * denominator)) % prime.p;
  const Integer inverse = boost::multiprecision::powm(denominator, Integer(prime.p - 2), Integer(prime.p));
  sum = sum * inverse % prime.p;
  return (sum < 0 ? Integer(sum + prime.p) : sum).convert_to<std::uint64_t>();
}

/// The first prime that splits in K and does not divide |G|. The primes of split_prime exceed every degree.
AbelianField::SplitPrime prime_for_traces(const AbelianField& K, const CharacterTable& table) {
  std::size_t k = 0;
  while (mpz_divisible_ui_p(table.group().order().backend().data(), K.split_prime(k).p) != 0) ++k;
  return K.split_prime(k);
}

/// Compares trace(g) modulo a prime p that does not divide |G| and exceeds the degree with a row, at all classes: then the
/// irreducible characters are those of irreducible representations over the field with p elements, and independent, so that
/// equal traces prove equal characters.
template <class Trace>
void compare_traces(const Trace& trace, const CharacterTable& table, std::size_t row, const AbelianField& K,
                    const AbelianField::SplitPrime& prime, const Task& task) {
  for (std::size_t c = 0; c < table.size(); ++c) {
    task.poll();
    if (trace(table.classes()[c].representative) != residue(table(row, c), K, prime))
      throw InternalError(fmt::format(
          "irreducible_representation: the trace at class {} is not the value of character {}", c, table.name(row)));
  }
}

/// With the columns in echelon form modulo p, the trace of g needs one row of rho(g) for every pivot.
void verify_character(const Realization& R, const CharacterTable& table, const Task& task) {
  const AbelianField& K = R.basis.field();
  const AbelianField::SplitPrime prime = prime_for_traces(K, table);
  const auto reduced = R.basis.reduce(prime, 0);
  std::vector<std::size_t> pivots;
  if (!reduced) throw InternalError("irreducible_representation: the basis has no residues");
  const ModularMatrix echelon = reduced->transpose().echelon(&pivots, task);  // rows
  std::vector<std::uint64_t> roots;
  for (std::uint32_t x = 0; x < R.module.order(); ++x) roots.push_back(residue(R.module.root(x), K, prime));
  const auto trace_of = [&](const Permutation& g) {
    const Permutation inverse = g.inverse();
    std::uint64_t trace = 0;
    for (std::size_t i = 0; i < pivots.size(); ++i) {
      const MonomialModule::Image image = R.module.image(inverse, pivots[i]);
      const std::uint32_t exponent = (R.module.order() - image.exponent) % R.module.order();
      const Wide term = static_cast<Wide>(roots[exponent]) * echelon(i, image.point);
      trace = static_cast<std::uint64_t>((trace + term) % prime.p);
    }
    return trace;
  };
  compare_traces(trace_of, table, R.row, K, prime, task);
}

/// The traces of a sampled constituent are those of its row.
void verify_character(const SampledConstituent& constituent, const CharacterTable& table, std::size_t row,
                      const Task& task) {
  const AbelianField& K = constituent.field();
  const AbelianField::SplitPrime prime = prime_for_traces(K, table);
  compare_traces(constituent.traces(prime, task), table, row, K, prime, task);
}

Realization realize(const GaloisTable& table, std::size_t row, const LinearPair& pair, const Task& task) {
  const MonomialModule M(table.table().group(), pair, task);
  const auto d = table.table().degree(row).convert_to<std::size_t>();
  if (pair.index == d) {
    FieldMatrix first = FieldMatrix::identity(AbelianField::cyclotomic(pair.order), d);
    return {row, M, FieldMatrix(), first.block(0, 0, d, 1)};
  }
  const AbelianField K = character_field(table.table(), row, {M.root(1)});
  const SphericalVector v(M, table, row, task);
  if (!has_small_constituent(M.size(), d, K.degree())) {
    SampledConstituent constituent(v, table, row, K, task);
    verify_character(constituent, table.table(), row, task);
    FieldMatrix seed = constituent.seed(task);
    return {row, M, FieldMatrix(), std::move(seed), std::move(constituent)};
  }
  FieldMatrix C = constituent_basis(v, d, K, task);
  FieldMatrix w = coordinates_of(v, C, K, task);
  return {row, M, std::move(C), std::move(w)};
}

/// One of the two constituents of the module of `pairs.twice`, over a field of least degree, with the seed of `pairs.once`; nothing if
/// none was found.
std::optional<Realization> realize_half(const GaloisTable& table, std::size_t row, const FoundPairs& pairs,
                                        const SchurIndex& index, const Task& task) {
  const FiniteGroup& G = table.table().group();
  const MonomialModule M(G, *pairs.twice, task);
  const auto d = table.table().degree(row).convert_to<std::size_t>();
  const SphericalVector whole(M, table, row, task);
  for (const AbelianField& K : least_fields(table.table(), row, index, task)) {
    const auto w = half_spherical(whole, d, K, task);
    if (!w) continue;
    SampledConstituent constituent(*w, table, row, K, task);
    verify_character(constituent, table.table(), row, task);
    FieldMatrix seed = constituent.seed(*pairs.once, task);
    return Realization{
        row, M, FieldMatrix(), std::move(seed), std::move(constituent), MonomialModule(G, *pairs.once, task)};
  }
  return std::nullopt;
}

/// The image under zeta -> zeta^k.
Realization conjugate(const Realization& R, std::size_t row, std::uint32_t k) {
  Realization result{row, R.module.galois_conjugate(k), R.basis.cols() == 0 ? R.basis : R.basis.galois_conjugate(k),
                     R.vector.galois_conjugate(k)};
  if (R.sampled) result.sampled = R.sampled->galois_conjugate(k);
  if (R.seed_module) result.seed_module = R.seed_module->galois_conjugate(k);
  return result;
}

/// The module induced from a linear character of order r, in words.
std::string induced_module(std::uint32_t r, std::size_t index) {
  return fmt::format("induced from {} of a subgroup of index {}",
                     r == 1 ? "the trivial character" : fmt::format("a linear character of order {}", r), index);
}

std::string construction_of(const Realization& R, std::size_t d) {
  if (d == 1) return "linear character";
  const std::string module = induced_module(R.module.order(), R.module.size());
  if (R.is_induced()) return module;
  return (R.seed_module ? "one of two equal constituents of the module " : "constituent of the module ") + module;
}

IrreducibleRepresentation finished(const Realization& R, const CharacterTable& table, const Task& task) {
  Representation V = R.module.representation();
  if (R.sampled) {
    V = R.sampled->representation(task);
  } else if (!R.is_induced()) {
    verify_character(R, table, task);
    V = submodule(V, R.basis, {}, task);
  }
  MultiplicityOneSeed seed;
  for (const Permutation& h : R.seeds().subgroup().generators()) {
    seed.generators.push_back(h);
    seed.values.push_back(R.seeds().root(R.seeds().exponent_at(h)));
  }
  seed.vector = R.vector;
  const bool small = V.field().degree() == character_field(table, R.row).degree();
  const auto d = static_cast<std::size_t>(V.dimension());
  return {R.row, named_irreducible(V, table, R.row), std::move(seed), construction_of(R, d), small};
}

bool is_natural_symmetric(const CharacterTable& table) {
  const std::size_t n = table.group().degree();
  return n >= 2 && n < 1000 && std::holds_alternative<ShapeLabel>(table.label(0)) &&
         table.group().order() == factorial(static_cast<unsigned long>(n));
}

/// The Specht module, with the first standard polytabloid as the seed: the column stabilizer of its tableau acts on it
/// by the sign, and on no other vector, since the Kostka number of a partition with itself is 1.
IrreducibleRepresentation specht(const CharacterTable& table, std::size_t row, const Task& task) {
  const FiniteGroup& G = table.group();
  const Partition& shape = std::get<ShapeLabel>(table.label(row)).shape;
  const Representation R = specht_module(G, shape, task);
  MultiplicityOneSeed seed;
  const Tableau T = unrank_standard(shape, 0);
  for (std::size_t i = 1; i < T.rows().size(); ++i)
    for (std::size_t j = 0; j < T.rows()[i].size(); ++j) {
      std::vector<Point> images(G.degree());
      std::iota(images.begin(), images.end(), Point{0});
      std::swap(images[static_cast<std::size_t>(T.rows()[i - 1][j])], images[static_cast<std::size_t>(T.rows()[i][j])]);
      seed.generators.push_back(Permutation::unchecked(std::move(images)));
      seed.values.emplace_back(-1);
    }
  require_seeds(R.dimension(), G, task);
  seed.vector = FieldMatrix(unit_vector(R.dimension(), 0));
  return {row, R, std::move(seed), "Young's natural form", true, shape};
}

/// Below this degree the search for subgroups finds matrices with smaller entries.
bool is_large_alternating(const CharacterTable& table) {
  return table.group().degree() >= 8 && is_natural_alternating(table);
}

/// The common part of the rows of one table.
class Construction {
 public:
  Construction(const CharacterTable& table, const std::vector<std::size_t>& rows, const Task& task)
      : table_(table), galois_(table), task_(task), monomial_(MonomialIrreducibles::find(table, task)) {
    for (std::size_t row = 0; row < table.size(); ++row) {
      const std::size_t source = galois_.member(row).source;
      accepted_.push_back(source < row ? accepted_[source] : monomial_ && is_over_smallest_field(row));
      if (source == row && monomial_ && !accepted_[row]) find_field_module(row);
    }
    search(rows);
  }

  /// Rows that are Galois conjugate.
  std::vector<std::vector<std::size_t>> families() const {
    std::map<std::size_t, std::vector<std::size_t>> by_source;
    for (std::size_t row = 0; row < table_.size(); ++row) by_source[galois_.member(row).source].push_back(row);
    std::vector<std::vector<std::size_t>> result;
    for (auto& [source, rows] : by_source) result.push_back(std::move(rows));
    return result;
  }

  /// The common part of the rows of a family, as far as it was needed.
  struct Shared {
    std::optional<Realization> realization;
    std::optional<std::optional<Realization>> half;
    std::optional<std::optional<FieldDescent>> descent;
  };
  /// Nothing if there is no subgroup for it. Rows of several families can be found at once.
  std::optional<IrreducibleRepresentation> find(std::size_t row, Shared& shared) const {
    const std::size_t source = galois_.member(row).source;
    if (const auto own = field_modules_.find(source); own != field_modules_.end())
      return own->second(row, row == source ? 1 : automorphism(row, monomial_->order(source)));
    if (accepted_[row]) return monomial(row, source, automorphism(row, monomial_->order(source)));
    if (pairs_.find(source) == pairs_.end() && !monomial_) return std::nullopt;
    if (const Realization* half = half_of(source, shared)) {
      const FoundPairs& found = pairs_.at(source);
      const std::uint32_t k = automorphism(row, std::lcm(found.once->order, found.twice->order));
      return finished(row == source ? *half : conjugate(*half, row, k), table_, task_);
    }
    if (!shared.descent) shared.descent = descent_of(source, shared);
    const std::optional<FieldDescent>& descent = *shared.descent;
    const std::uint32_t conductor = descent ? descent->columns.field().conductor() : 1;
    const std::uint32_t k = automorphism(row, std::lcm(order_of(source), conductor));
    IrreducibleRepresentation R = before_descent(row, source, k, shared);
    if (!descent) return R;
    return descended(R, row == source ? *descent : descent->galois_conjugate(k), table_, task_);
  }
  /// How the row is made of smaller ones, where a lattice would be too large to be reduced and there are no monomial matrices.
  std::optional<ProductOfRows> product(std::size_t row) const {
    const std::size_t source = galois_.member(row).source;
    const auto pair = pairs_.find(source);
    if (accepted_[row] || pair == pairs_.end()) return std::nullopt;
    const auto degree = table_.degree(row).convert_to<std::size_t>();
    if (pair->second.once->index == degree || degree * character_field(table_, source).degree() <= largest_reduced_rank)
      return std::nullopt;
    return product_of_rows(galois_, row);
  }
  std::optional<IrreducibleRepresentation> from_factors(std::size_t row, const ProductOfRows& form,
                                                        const IrreducibleRepresentation& first,
                                                        const IrreducibleRepresentation& second) const {
    const LinearPair& pair = *pairs_.at(galois_.member(row).source).once;
    return product_irreducible(galois_, row, form, first, second, pair, automorphism(row, pair.order), task_);
  }
  /// Why find() gives nothing.
  std::string refusal(std::size_t row) const {
    return fmt::format(
        "irreducible_representation: for {} of degree {} no subgroup of index at most {} with a linear "
        "character that occurs once in it was found",
        table_.name(row), table_.degree(row).str(), largest_index(table_.group()));
  }

 private:
  /// Are the entries of the monomial matrices in the character field, or, for characters of indicator -1, in an extension
  /// of degree 2?
  bool is_over_smallest_field(std::size_t row) const {
    return galois_.extension_degree(row, monomial_->order(row)) <= least_extension(row);
  }
  /// Acts on the field from a rank on at which the search is slow; below, the search finds numbers that are as small.
  void find_field_module(std::size_t row) {
    constexpr std::size_t least_rank = 17;
    const std::uint32_t order = monomial_->order(row);
    const auto degree = table_.degree(row).convert_to<std::size_t>();
    if (galois_.extension_degree(row, order) != degree) return;
    if (degree * character_field(table_, row).degree() < least_rank) return;
    auto own = FieldModule::find(*monomial_, row, galois_.fixing(row, order), task_);
    if (!own) return;
    field_modules_.emplace(row, std::move(*own));
    accepted_[row] = 1;
  }
  /// At least the degree of the field over that of the character.
  std::uint32_t least_extension(std::size_t row) const { return table_.indicator(row) == -1 ? 2 : 1; }

  /// zeta -> zeta^k on the field of the source of a row and of roots of unity of an order, the row its image.
  std::uint32_t automorphism(std::size_t row, std::uint32_t order) const {
    const auto [source, known] = galois_.member(row);
    const std::uint32_t N = galois_.conductor(source), common = std::lcm(N, order);
    std::uint32_t k = known;
    while (std::gcd(k, common) != 1) k += N;
    return k;
  }

  /// The pair of a source, or nothing where monomial matrices are over a smaller field, or all that there is.
  const LinearPair* pair_of(std::size_t source) const {
    const auto pair = pairs_.find(source);
    if (pair == pairs_.end()) return nullptr;
    const LinearPair& once = *pair->second.once;
    if (monomial_ && galois_.extension_degree(source, monomial_->order(source)) < once.extension) return nullptr;
    return &once;
  }
  /// One of two constituents, where a descent would be in a large rank.
  const Realization* half_of(std::size_t source, Shared& shared) const {
    constexpr std::size_t largest_rank = 500;
    const LinearPair* pair = pair_of(source);
    if (pair == nullptr || !pairs_.at(source).twice) return nullptr;
    const auto degree = table_.degree(source).convert_to<std::size_t>();
    if (degree * character_field(table_, source).degree() * pair->extension <= largest_rank) return nullptr;
    if (!shared.half) {
      const SchurIndex index = schur_index(table_, source, task_);
      shared.half.emplace();
      if (index.undecided.empty()) *shared.half = realize_half(galois_, source, pairs_.at(source), index, task_);
    }
    return *shared.half ? &**shared.half : nullptr;
  }
  /// The entries before the descent are in the field of the character and of roots of unity of this order.
  std::uint32_t order_of(std::size_t source) const {
    const LinearPair* pair = pair_of(source);
    return pair != nullptr ? pair->order : monomial_->order(source);
  }
  /// The row as the image of its source under zeta -> zeta^k, over the field that its construction gives.
  IrreducibleRepresentation before_descent(std::size_t row, std::size_t source, std::uint32_t k, Shared& shared) const {
    const LinearPair* pair = pair_of(source);
    if (pair == nullptr) return monomial(row, source, k);
    if (!shared.realization) shared.realization = realize(galois_, source, *pair, task_);
    return finished(row == source ? *shared.realization : conjugate(*shared.realization, row, k), table_, task_);
  }

  /// To a least field. Nothing if it is reached before, or is not known.
  std::optional<FieldDescent> descent_of(std::size_t source, Shared& shared) const {
    if (galois_.extension_degree(source, order_of(source)) <= least_extension(source)) return std::nullopt;
    const SchurIndex index = schur_index(table_, source, task_);
    const IrreducibleRepresentation R = before_descent(source, source, 1, shared);
    if (!index.undecided.empty() || is_over_least_field(R, table_, index)) return std::nullopt;
    return descent_to_least_field(R, table_, index, task_);
  }

  IrreducibleRepresentation monomial(std::size_t row, std::size_t source, std::uint32_t k) const {
    const std::uint32_t order = monomial_->order(source);
    IrreducibleRepresentation R = (*monomial_)(row, source, row == source ? 1 : k);
    const auto d = static_cast<std::size_t>(R.representation.dimension());
    R.construction = d == 1 ? "linear character" : induced_module(order, d);
    R.over_character_field = galois_.extension_degree(source, order) == 1;
    R.representation = named_irreducible(R.representation, table_, row);
    return R;
  }

  /// Pairs for the families of those rows that have no good monomial matrices.
  void search(const std::vector<std::size_t>& rows) {
    std::vector<std::size_t> sources;
    for (const std::size_t i : rows)
      if (!accepted_[i]) sources.push_back(galois_.member(i).source);
    if (sources.empty()) return;
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    auto pairs = multiplicity_one_pairs(galois_, sources, task_);
    for (std::size_t k = 0; k < sources.size(); ++k)
      if (pairs[k].once) pairs_.emplace(sources[k], std::move(pairs[k]));
  }

  CharacterTable table_;
  GaloisTable galois_;
  Task task_;
  std::optional<MonomialIrreducibles> monomial_;
  std::map<std::size_t, FieldModule> field_modules_;
  std::vector<char> accepted_;  ///< rows with monomial matrices over the smallest field, or with a field module
  std::map<std::size_t, FoundPairs> pairs_;
};

}  // namespace

IrreducibleRepresentation irreducible_representation(const CharacterTable& table, std::size_t k, const Task& task) {
  if (k >= table.size())
    throw DomainError(fmt::format("irreducible_representation: there is no character number {}: {} has {}", k,
                                  table.group().name(), table.size()));
  if (is_natural_symmetric(table)) return specht(table, k, task);
  if (is_large_alternating(table)) return alternating_irreducible(table, k, task);
  const Construction construction(table, {k}, task);
  if (const auto form = construction.product(k)) {
    try {
      const auto first = irreducible_representation(table, form->first, task);
      const auto second = form->second == form->first ? first : irreducible_representation(table, form->second, task);
      if (auto R = construction.from_factors(k, *form, first, second)) return std::move(*R);
    } catch (const LimitError&) {  // of a factor, without which the row may be found
      task.poll();
    }
  }
  Construction::Shared shared;
  if (auto R = construction.find(k, shared)) return std::move(*R);
  if (auto R = extended_irreducible(table, k, task)) return std::move(*R);
  throw LimitError(construction.refusal(k) + "; other rows can be asked for one by one");
}

FoundIrreducibles found_irreducibles(const CharacterTable& table, const Task& task) {
  FoundIrreducibles result{std::vector<std::optional<IrreducibleRepresentation>>(table.size()), {}};
  if (is_natural_symmetric(table) || is_large_alternating(table)) {
    Integer degrees = 0;
    for (std::size_t k = 0; k < table.size(); ++k) degrees += table.degree(k);
    require_seeds(degrees, table.group(), task);
  }
  std::atomic<std::size_t> done{0};
  const auto for_each = [&](std::size_t count, const auto& work) {
    task.share(count, 1, [&](std::uint64_t first, std::uint64_t last) {
      for (std::size_t k = first; k < last; ++k) {
        work(k);
        task.progress("irreducible representations", done, table.size());
      }
    });
  };
  if (is_natural_symmetric(table)) {
    for_each(table.size(), [&](std::size_t k) { result.rows[k] = specht(table, k, task), ++done; });
  } else if (is_large_alternating(table)) {
    for_each(table.size(), [&](std::size_t k) { result.rows[k] = alternating_irreducible(table, k, task), ++done; });
  } else {
    std::vector<std::size_t> all(table.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const Construction construction(table, all, task);
    const auto families = construction.families();
    std::vector<std::optional<ProductOfRows>> forms(table.size());
    for_each(families.size(), [&](std::size_t f) {
      Construction::Shared shared;
      for (const std::size_t k : families[f])
        if (!(forms[k] = construction.product(k))) result.rows[k] = construction.find(k, shared), ++done;
    });
    for (const std::size_t k : all) {  // factors have smaller degrees and come before
      if (!forms[k]) continue;
      const auto &first = result.rows[forms[k]->first], &second = result.rows[forms[k]->second];
      if (first && second) result.rows[k] = construction.from_factors(k, *forms[k], *first, *second);
      Construction::Shared shared;
      if (!result.rows[k]) result.rows[k] = construction.find(k, shared);
      task.progress("irreducible representations", ++done, table.size());
    }
    for (const std::size_t k : all)
      if (!result.rows[k]) result.rows[k] = extended_irreducible(table, k, task);
    for (const std::size_t k : all)
      if (!result.rows[k]) result.missing.push_back({k, construction.refusal(k)});
  }
  return result;
}

std::vector<IrreducibleRepresentation> irreducible_representations(const CharacterTable& table, const Task& task) {
  FoundIrreducibles found = found_irreducibles(table, task);
  if (!found.missing.empty())
    throw LimitError(found.missing.front().reason + "; other rows can be asked for one by one");
  std::vector<IrreducibleRepresentation> result;
  for (auto& R : found.rows) result.push_back(std::move(*R));
  return result;
}

}  // namespace intertwine
