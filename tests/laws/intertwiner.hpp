// What every basis of equivariant matrices and its pattern must satisfy.
#pragma once
#include <cstring>
#include <map>
#include <string>

#include "intertwine/hom/equivariant_basis.hpp"
#include "support/linear_algebra.hpp"

namespace laws {

using intertwine::MatrixEntry;
using intertwine::OrbitalPattern;
using intertwine::Rational;
using intertwine::Representation;
using intertwine::SignedPermutation;
using intertwine::SparseMatrix;

/// W V(g) = U(g) W for every pair of images, by products of sparse matrices.
inline bool commutes(const SparseMatrix& W, const std::vector<SignedPermutation>& V,
                     const std::vector<SignedPermutation>& U) {
  for (std::size_t k = 0; k < V.size(); ++k)
    if (!(W * test_algebra::matrix(V[k]) == test_algebra::matrix(U[k]) * W)) return false;
  return true;
}

inline bool commutes(const SparseMatrix& W, const Representation& V, const Representation& U) {
  return commutes(W, V.generator_images(), U.generator_images());
}

/// The label that a code of a table stands for.
inline std::int64_t label_of(std::int64_t code, std::uint64_t params) {
  const auto P = static_cast<std::int64_t>(params);
  return code <= P ? code : P - code;
}

/// All labels, row-major, by label() alone.
inline std::vector<std::int64_t> labels(const OrbitalPattern& p) {
  std::vector<std::int64_t> result;
  for (std::uint64_t i = 0; i < p.rows(); ++i)
    for (std::uint64_t j = 0; j < p.cols(); ++j) result.push_back(p.label(i, j));
  return result;
}

/// The empty text if codes(), fill(), for_each_row() and view() agree with label(); otherwise what differs.
inline std::string broken_rows(const OrbitalPattern& p) {
  const std::vector<std::int64_t> expected = labels(p);
  const intertwine::Codes codes = p.codes();
  if ((codes.index() == 0) != (intertwine::code_bytes(p.params()) == 1)) return "codes have the width of the table";
  std::vector<std::int64_t> seen;
  std::visit(
      [&](const auto& c) {
        for (const auto code : c) seen.push_back(label_of(code, p.params()));
      },
      codes);
  if (seen != expected) return "codes() = label()";
  const auto bytes = std::visit([](const auto& c) { return std::as_bytes(std::span(c)); }, codes);
  std::vector<std::byte> buffer(bytes.size());
  p.fill(buffer);
  if (!std::equal(buffer.begin(), buffer.end(), bytes.begin())) return "fill() = codes()";
  std::vector<int> times(p.rows(), 0);
  bool equal = true;
  const std::size_t width = p.cols() * intertwine::code_bytes(p.params());
  p.for_each_row(intertwine::code_bytes(p.params()), [&](std::uint64_t row, std::span<const std::byte> out) {
    ++times.at(row);
    equal = equal && out.size() == width &&
            std::equal(out.begin(), out.end(), bytes.begin() + static_cast<std::ptrdiff_t>(row * width));
  });
  if (!equal || times != std::vector<int>(p.rows(), 1)) return "for_each_row() = codes(), each row once";
  const auto kept = intertwine::code_rows(std::make_shared<OrbitalPattern>(p));
  if (!(intertwine::all_codes(*kept, p.params()) == codes)) return "all_codes() = codes()";
  for (const auto& view : {p.view(), kept}) {
    if (view->rows() != p.rows() || view->cols() != p.cols()) return "the view has the size of the pattern";
    std::vector<std::int32_t> row(p.cols());
    for (std::uint64_t i = 0; i < p.rows(); ++i) {
      view->row(i, row);
      for (std::uint64_t j = 0; j < p.cols(); ++j)
        if (label_of(row[j], p.params()) != expected[i * p.cols() + j]) return "view() = label()";
    }
  }
  if (p.rows() * p.cols() != 0 && (kept->in_memory() == nullptr || !(*kept->in_memory() == codes)))
    return "rows that were asked for one by one are kept";
  if (!(intertwine::all_codes(*kept, p.params()) == codes)) return "all_codes() = codes(), kept";
  return {};
}

/// Canonical order, sign rule, smallest entries, orbit sizes, and the two lists of entries without a parameter.
inline std::string broken_order(const OrbitalPattern& p) {
  const auto all = labels(p);
  const auto smallest = p.smallest_entries();
  const auto sizes = p.orbit_size();
  if (smallest.size() != p.params() || sizes.size() != p.params()) return "one smallest entry and one size a parameter";
  std::vector<std::int64_t> counted(p.params(), 0);
  std::int64_t next = 1;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k] == 0) continue;
    const auto theta = static_cast<std::size_t>(std::abs(all[k])) - 1;
    if (theta >= p.params()) return "labels are at most the number of parameters";
    ++counted[theta];
    if (std::abs(all[k]) < next) continue;
    if (all[k] != next++) return "parameters are numbered by their smallest entries, which are +";
    if (!(smallest[theta] == MatrixEntry{k / p.cols(), k % p.cols()})) return "smallest_entries()";
  }
  if (counted != sizes) return "orbit_size()";
  if (!p.is_canonical()) return "is_canonical()";
  for (const MatrixEntry& e : p.vanishing_orbits())
    if (p.label(e.row, e.col) != 0) return "vanishing orbits have the label 0";
  return {};
}

inline const intertwine::Representation& finite(const intertwine::hom::Representation& V) {
  return *V.as<intertwine::Representation>();
}

/// Elements, operator[] and labels agree, commute and have disjoint supports.
inline std::string broken_elements(const intertwine::hom::Basis::Block& block) {
  const intertwine::HomBasis& basis = block.weights;
  const OrbitalPattern& p = basis.pattern();
  const auto elements = basis.elements();
  if (elements.size() != p.params()) return "one element a parameter";
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::int64_t> support;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const SparseMatrix& W = elements[k];
    if (!(W == basis[k])) return "operator[] = elements()";
    if (!commutes(W, finite(block.source), finite(block.target))) return "basis elements commute";
    if (W.entries().empty() || W.entries().front().value != 1) return "the first entry is 1";
    for (const auto& e : W.entries()) {
      if (!support.emplace(std::pair(e.row, e.col), k).second) return "supports are disjoint";
      if (Rational(p.label(e.row, e.col)) != e.value * Rational(static_cast<std::int64_t>(k) + 1))
        return "entries are the signs of the labels";
    }
  }
  return {};
}

}  // namespace laws
