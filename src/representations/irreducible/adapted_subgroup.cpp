// Chooses the subgroup to which a basis is adapted.
#include "adapted_subgroup.hpp"

#include <algorithm>
#include <numeric>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "subgroup_candidates.hpp"

namespace intertwine {

namespace {

/// A piece that is irreducible over K: rows of the table of H whose characters are conjugate over K.
struct Piece {
  std::vector<std::size_t> rows;
  std::size_t multiplicity;
  bool rational;  ///< its character has values in Q on account of several rows
};

std::size_t degree_of(const CharacterTable& own, const Piece& piece) {
  return piece.rows.size() * own.degree(piece.rows[0]).convert_to<std::size_t>();
}

/// The multiplicity of a row of H in the character with these values.
std::size_t multiplicity(const CharacterTable& own, std::size_t row, const std::vector<Cyclotomic>& values) {
  Cyclotomic sum;
  for (std::size_t c = 0; c < own.size(); ++c)
    sum += Cyclotomic(Rational(own.classes()[c].size)) * values[c] * own(row, c).conjugate();
  return (sum.to_rational() / Rational(own.group().order())).convert_to<std::size_t>();
}

/// The pieces of the restriction; nothing if one is of another kind, or too large. Characters of fields that meet K in Q are taken with all their
/// conjugates, those of fields in K alone.
std::optional<std::vector<Piece>> pieces_of(const GaloisTable& own, const std::vector<Cyclotomic>& values,
                                            const AbelianField& K, std::size_t largest, const Task& task) {
  const CharacterTable& table = own.table();
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (own.member(i).source != i) continue;
    task.poll();
    std::vector<std::size_t> family, counts;
    for (std::size_t k = i; k < table.size(); ++k)
      if (own.member(k).source == i) family.push_back(k), counts.push_back(multiplicity(table, k, values));
    if (std::accumulate(counts.begin(), counts.end(), std::size_t{0}) == 0) continue;
    const AbelianField F = AbelianField::generated_by(table.row(i));
    const std::size_t common = AbelianField::compositum(K, F).degree();
    const std::size_t first = pieces.size();
    if (common == K.degree() * F.degree()) {
      pieces.push_back({family, counts[0], true});
    } else if (common == K.degree()) {
      for (std::size_t k = 0; k < family.size(); ++k)
        if (counts[k] != 0) pieces.push_back({{family[k]}, counts[k], false});
    } else {
      return std::nullopt;
    }
    for (std::size_t k = first; k < pieces.size(); ++k)
      if (degree_of(table, pieces[k]) > largest) return std::nullopt;
  }
  return pieces;
}

/// The factors that tell a piece from all others, by short classes; nothing if there are none.
std::optional<std::vector<AdaptedConstituent::Factor>> factors_for(const CharacterTable& own,
                                                                   const std::vector<Piece>& pieces,
                                                                   std::size_t piece) {
  constexpr unsigned longest_class = 20'000;
  std::vector<std::size_t> classes(own.size());
  std::iota(classes.begin(), classes.end(), std::size_t{0});
  std::ranges::stable_sort(classes, {}, [&](std::size_t c) { return own.classes()[c].size; });
  const auto central = [&](const Piece& p, std::size_t c) {
    return Cyclotomic(Rational(own.classes()[c].size, own.degree(p.rows[0]))) * own(p.rows[0], c);
  };
  std::vector<char> left(pieces.size(), 1);
  left[piece] = 0;
  std::vector<AdaptedConstituent::Factor> factors;
  for (const std::size_t c : classes) {
    if (std::ranges::count(left, 1) == 0) return factors;
    if (own.classes()[c].size > longest_class) return std::nullopt;
    // On a piece of several rows the sum over the class must be one number.
    if (std::ranges::any_of(pieces, [&](const Piece& p) { return p.rational && !own(p.rows[0], c).is_rational(); }))
      continue;
    for (std::size_t j = 0; j < pieces.size(); ++j) {
      const Cyclotomic value = central(pieces[j], c);
      if (left[j] == 0 || value == central(pieces[piece], c)) continue;
      for (std::size_t k = j; k < pieces.size(); ++k)
        if (central(pieces[k], c) == value) left[k] = 0;
      factors.push_back({own.classes()[c].representative, value});
    }
  }
  if (std::ranges::count(left, 1) == 0) return factors;
  return std::nullopt;
}

std::optional<std::vector<AdaptedConstituent>> constituents_under(const GaloisTable& table, std::size_t row,
                                                                  const FiniteGroup& H, const AbelianField& K,
                                                                  std::size_t largest, const Task& task) {
  const CharacterTable own = character_table(conjugacy_classes(H, task), task);
  std::vector<Cyclotomic> values;
  for (const std::uint32_t c : fusion(own, table.table(), task)) values.push_back(table.table()(row, c));
  const GaloisTable galois(own);
  const auto pieces = pieces_of(galois, values, K, largest, task);
  if (!pieces) return std::nullopt;
  std::vector<std::size_t> sources;
  for (const Piece& piece : *pieces) {
    if (own.indicator(piece.rows[0]) == -1) return std::nullopt;
    sources.push_back(galois.member(piece.rows[0]).source);
  }
  sources.erase(std::unique(sources.begin(), sources.end()),
                sources.end());  // of a family they are neighbours
  const auto pairs = multiplicity_one_pairs(galois, sources, task);
  std::vector<AdaptedConstituent> result;
  for (std::size_t k = 0; k < pieces->size(); ++k) {
    const std::size_t source = galois.member((*pieces)[k].rows[0]).source;
    const auto& pair = pairs[std::ranges::find(sources, source) - sources.begin()].once;
    auto factors = factors_for(own, *pieces, k);
    if (!pair || pair->order > 2 || !factors) return std::nullopt;
    result.push_back({degree_of(own, (*pieces)[k]), (*pieces)[k].multiplicity, *pair, std::move(*factors)});
  }
  return result;
}

}  // namespace

std::optional<AdaptedSubgroup> AdaptedSubgroup::find(const GaloisTable& table, std::size_t row, const AbelianField& K,
                                                     std::size_t largest, const Task& task) {
  constexpr int most_candidates = 60, most_failures = 12;
  const CharacterTable& G = table.table();
  // On a smaller group some constituent has more copies than its degree.
  const Integer least_order = G.degree(row);
  SubgroupCandidates candidates(G.classes(), task);
  int failures = 0;
  for (int k = 0; k < most_candidates && failures < most_failures; ++k) {
    task.poll();
    const std::optional<FiniteGroup> H = candidates.next();
    if (!H) break;
    if (H->order() < least_order || H->order() == G.group().order()) continue;
    if (auto constituents = constituents_under(table, row, *H, K, largest, task))
      return AdaptedSubgroup{*H, std::move(*constituents)};
    ++failures;
  }
  return std::nullopt;
}

}  // namespace intertwine
