#include "continuous_hom.hpp"

#include <algorithm>
#include <optional>

#include "continuous_weights.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/linear_algebra.hpp"

namespace intertwine {

namespace {

using Element = PrimeField::Element;
using Vector = WeightModule::Vector;
using Root = WeightModule::Root;

/// Words f in the lowering root vectors whose images f u are a basis of the irreducible module of u: each lengthens an
/// earlier one by a letter applied last.
struct LoweringWords {
  struct Word {
    std::size_t parent, letter;
  };
  std::vector<Word> words;  ///< from the second one on; the first is empty

  template <class Step>
  std::vector<Vector> images(const Vector& first, Step step) const {
    std::vector<Vector> out{first};
    for (const Word& word : words) out.push_back(step(word.letter, out[word.parent]));
    return out;
  }
};

LoweringWords words_of(const WeightModule& U, const Vector& u, std::size_t rank, const PrimeField& F,
                       const Task& task) {
  LoweringWords found;
  IncrementalEchelon<PrimeField> echelon(F, U.size());
  std::vector<Vector> images{u};
  echelon.insert(u);
  for (std::size_t k = 0; k < images.size(); ++k)
    for (std::size_t root = 0; root < rank; ++root) {
      task.poll();
      Vector v = U.apply(Root::lowering, root, images[k]);
      if (!echelon.insert(v)) continue;
      task.require_memory(echelon.rank() * U.size() * 16, "an irreducible module");
      found.words.push_back({k, root});
      images.push_back(std::move(v));
    }
  return found;
}

Vector spread(const ModularMatrix& rows, std::size_t k, const std::vector<std::uint32_t>& space,
              std::size_t size, const PrimeField& F) {
  Vector v(size, 0);
  for (std::size_t c = 0; c < space.size(); ++c) v[space[c]] = F.from(Integer(rows(k, c)));
  return v;
}

/// The vectors as rows.
ModularMatrix stacked(const std::vector<Vector>& vectors, std::size_t size, const PrimeField& F) {
  ModularMatrix A(F.p(), vectors.size(), size);
  for (std::size_t i = 0; i < vectors.size(); ++i)
    for (std::size_t j = 0; j < size; ++j)
      if (vectors[i][j] != 0) A.set(i, j, F.residue(vectors[i][j]));
  return A;
}

/// Signs of components on both sides: entry (i, j) of an equivariant matrix is 0 unless out[i] = in[j] for all of them.
struct ComponentSigns {
  std::vector<int> out, in;
  bool forbids_all() const {
    const auto constant = [](const std::vector<int>& s) {
      return std::all_of(s.begin(), s.end(), [&](int x) { return x == s[0]; });
    };
    return !out.empty() && !in.empty() && out[0] != in[0] && constant(out) && constant(in);
  }
};

std::vector<int> signs_of(const ContinuousPiece& piece, const std::vector<int>& component) {
  std::vector<int> signs{1};
  for (const auto& leaf : piece.leaves) {
    const std::vector<int> factor = component_action(*leaf, 0, component);
    std::vector<int> next;
    next.reserve(signs.size() * factor.size());
    for (const int a : signs)
      for (const int b : factor) next.push_back(a * b);
    signs = std::move(next);
  }
  return signs;
}

}  // namespace

struct ClassicalHom::ModularGroup {
  ModularGroup(const ClassicalGroup& G, std::uint64_t p) : roots(G, p) {}
  ModularRoots roots;
  std::map<std::string, std::unique_ptr<WeightLeaf>> leaves;

  WeightModule module(const ContinuousPiece& piece, const Task& task) {
    std::vector<const WeightLeaf*> list;
    for (const auto& node : piece.leaves) {
      auto& leaf = leaves[ContinuousRepresentation(node).to_string()];
      if (!leaf) leaf = std::make_unique<WeightLeaf>(*node, roots, task);
      list.push_back(leaf.get());
    }
    return {std::move(list), roots};
  }

  /// The maps between the isotypic components of one highest weight, as rows of entries in row-major order.
  void append_maps(const WeightModule& V, const WeightModule& U, std::uint64_t key,
                   const std::vector<ComponentSigns>& signs, std::vector<ModularMatrix>& out,
                   const Task& task) const {
    const PrimeField& F = roots.field.field;
    const auto &below = V.spaces().at(key), &above = U.spaces().at(key);
    if (!U.is_dominant(above[0])) return;
    const ModularMatrix highest = U.killed(Root::raising, above, task);
    if (highest.rows() == 0) return;
    const ModularMatrix covectors = V.killed(Root::lowering_transposed, below, task);
    if (covectors.rows() == 0) return;
    // W = sum over words w, w' of a(w, w') (f_w u) (x) (phi e_w'), a the inverse of the form u* e_w' f_w u [Shapovalov 1972].
    const Vector first = spread(highest, 0, above, U.size(), F);
    const LoweringWords words = words_of(U, first, roots.raising.size(), F, task);
    const auto lower = [&](std::size_t root, const Vector& x) { return U.apply(Root::lowering, root, x); };
    const auto pull = [&](const WeightModule& M) {
      return [&](std::size_t root, const Vector& x) { return M.apply(Root::raising_transposed, root, x); };
    };
    const std::size_t pivot = static_cast<std::size_t>(
        std::find_if(first.begin(), first.end(), [](Element x) { return x != 0; }) - first.begin());
    Vector coordinate(U.size(), 0);
    coordinate[pivot] = F.inverse(first[pivot]);
    const auto images = words.images(first, lower), functionals = words.images(coordinate, pull(U));
    const auto form =
        (stacked(functionals, U.size(), F) * stacked(images, U.size(), F).transpose()).inverse();
    if (!form) throw InternalError("the form of an irreducible module is singular modulo a prime");
    std::vector<ModularMatrix> left, right;
    for (std::size_t k = 0; k < highest.rows(); ++k) {
      auto list = words.images(spread(highest, k, above, U.size(), F), lower);
      for (Vector& v : list) v = U.to_rational(std::move(v));
      left.push_back(stacked(list, U.size(), F).transpose() * *form);
    }
    for (std::size_t k = 0; k < covectors.rows(); ++k) {
      auto list = words.images(spread(covectors, k, below, V.size(), F), pull(V));
      for (Vector& v : list) v = V.covector_to_rational(std::move(v));
      right.push_back(stacked(list, V.size(), F));
    }
    task.require_memory(
        (out.size() + left.size() * right.size()) * 2 * U.size() * V.size() * sizeof(std::uint64_t),
        "the equivariant matrices modulo a prime");
    for (const ModularMatrix& a : left)
      for (const ModularMatrix& b : right) {
        task.poll();
        out.push_back(row_of(a * b, signs));
      }
  }

 private:
  static ModularMatrix row_of(const ModularMatrix& W, const std::vector<ComponentSigns>& signs) {
    ModularMatrix row(W.prime(), 1, W.rows() * W.cols());
    for (std::size_t i = 0; i < W.rows(); ++i)
      for (std::size_t j = 0; j < W.cols(); ++j)
        if (std::all_of(signs.begin(), signs.end(),
                        [&](const ComponentSigns& s) { return s.out[i] == s.in[j]; }))
          row.set(0, i * W.cols() + j, W(i, j));
    return row;
  }
};

ClassicalHom::ClassicalHom(const ClassicalGroup& G) : G_(G) {}
ClassicalHom::~ClassicalHom() = default;

ClassicalHom::ModularGroup& ClassicalHom::modular(std::size_t k) {
  while (modular_.size() <= k) {
    while (word_prime(next_prime_) % 4 != 1) ++next_prime_;
    modular_.push_back(std::make_unique<ModularGroup>(G_, word_prime(next_prime_++)));
  }
  return *modular_[k];
}

const ClassicalHom::Elements& ClassicalHom::operator()(const ContinuousPiece& V, const ContinuousPiece& U,
                                                       const Task& task) {
  const auto [found, fresh] = found_.try_emplace({V.key(), U.key()});
  if (fresh) {
    try {
      found->second = find(V, U, task);
    } catch (...) {
      found_.erase(found);
      throw;
    }
  }
  return found->second;
}

ClassicalHom::Elements ClassicalHom::find(const ContinuousPiece& V, const ContinuousPiece& U,
                                          const Task& task) {
  std::vector<ComponentSigns> signs;
  for (const auto& component : G_.component_generators()) {
    signs.push_back({signs_of(U, component), signs_of(V, component)});
    if (signs.back().forbids_all()) return {};
  }
  RationalLift lift;
  std::vector<std::size_t> best;
  std::optional<RationalMatrix> basis;
  for (std::size_t k = 0; !basis; ++k) {
    ModularGroup& group = modular(k);
    const WeightModule source = group.module(V, task), target = group.module(U, task);
    std::vector<ModularMatrix> rows;
    for (const auto& [key, space] : target.spaces())
      if (source.spaces().contains(key)) group.append_maps(source, target, key, signs, rows, task);
    if (rows.empty()) return {};
    task.progress("lifting equivariant matrices", k, 0);
    std::vector<std::size_t> pivots;
    const ModularMatrix reduced = vertical_stack(rows).echelon(&pivots);
    if (pivots.empty()) return {};
    // An unlucky prime has a smaller rank or later pivots.
    if (!best.empty() && (pivots.size() < best.size() || (pivots.size() == best.size() && pivots > best)))
      continue;
    if (pivots != best) lift.clear();
    best = std::move(pivots);
    lift.add(reduced);
    basis = lift.candidate();
  }
  std::vector<std::size_t> support;
  for (std::size_t j = 0; j < basis->cols(); ++j)
    for (std::size_t i = 0; i < basis->rows(); ++i)
      if (basis->numerator().sign(i, j) != 0) {
        support.push_back(j);
        break;
      }
  IntegerMatrix reduced = basis->numerator().select_cols(support);
  constexpr std::uint64_t most_sparsified = 300'000;
  if (reduced.rows() * reduced.cols() <= most_sparsified) reduced = sparsify(reduced, task);
  Elements elements;
  for (std::size_t i = 0; i < reduced.rows(); ++i) {
    std::vector<std::uint64_t> place;
    std::vector<Integer> values;
    for (std::size_t j = 0; j < reduced.cols(); ++j) {
      if (reduced.sign(i, j) == 0) continue;
      place.push_back(support[j]);
      values.push_back(reduced(i, j));
    }
    elements.push_back({std::move(place), IntegerMatrix(1, values.size(), values)});
  }
  return elements;
}

}  // namespace intertwine
