// Finds Hom between modules of one classical group, through weight spaces.
#include "continuous_hom.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "continuous_weights.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/field_matrix.hpp"
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

Vector spread(const ModularMatrix& rows, std::size_t k, const std::vector<std::uint32_t>& space, std::size_t size,
              const PrimeField& F) {
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

/// A component on both sides. Where it acts by signs entry (i, j) of an equivariant matrix is 0 unless out[i] = in[j];
/// otherwise by matrices, whose squares are 1.
struct ComponentPair {
  std::vector<int> out, in;
  std::optional<EntryList<Cyclotomic>> left, right;
  bool forbids_all() const {
    const auto constant = [](const std::vector<int>& s) {
      return std::all_of(s.begin(), s.end(), [&](int x) { return x == s[0]; });
    };
    return !out.empty() && !in.empty() && out[0] != in[0] && constant(out) && constant(in);
  }
};

std::vector<int> signs_of(const EntryList<Cyclotomic>& diagonal) {
  std::vector<int> signs(diagonal.entries.size());
  for (const auto& e : diagonal.entries) signs[e.row] = e.value == Cyclotomic(1) ? 1 : -1;
  return signs;
}

EntryList<Cyclotomic> component_matrix(const ContinuousPiece& piece, const std::vector<int>& component,
                                       const Task& task) {
  EntryList<Cyclotomic> out = identity_entries(1);
  for (const auto& leaf : piece.leaves)
    out = kronecker_product(out, element_action(*leaf, 0, component, task), leaf->dimension, task);
  return out;
}

std::vector<ComponentPair> components_between(const ClassicalGroup& G, const ContinuousPiece& V,
                                              const ContinuousPiece& U, const Task& task) {
  std::vector<ComponentPair> out;
  for (const auto& component : G.component_generators()) {
    auto left = component_matrix(U, component, task), right = component_matrix(V, component, task);
    if (is_diagonal(left) && is_diagonal(right))
      out.push_back({signs_of(left), signs_of(right), {}, {}});
    else
      out.push_back({{}, {}, std::move(left), std::move(right)});
  }
  return out;
}

/// W where the component commutes with it: W without some entries, or W + A W B.
ModularMatrix kept_by(const ComponentPair& component, ModularMatrix W, const ModularOperations& operations) {
  const PrimeField& F = operations.field;
  if (!component.left) {
    for (std::size_t i = 0; i < W.rows(); ++i)
      for (std::size_t j = 0; j < W.cols(); ++j)
        if (component.out[i] != component.in[j]) W.set(i, j, 0);
    return W;
  }
  const auto dense = [&](const EntryList<Cyclotomic>& A, std::size_t size) {
    ModularMatrix out(F.p(), size, size);
    for (const auto& e : A.entries) out.set(e.row, e.col, F.residue(operations.from(e.value)));
    return out;
  };
  const ModularMatrix turned = dense(*component.left, W.rows()) * W * dense(*component.right, W.cols());
  for (std::size_t i = 0; i < W.rows(); ++i)
    for (std::size_t j = 0; j < W.cols(); ++j) {
      const std::uint64_t sum = W(i, j) + turned(i, j);
      W.set(i, j, sum >= F.p() ? sum - F.p() : sum);
    }
  return W;
}

}  // namespace

struct ClassicalHom::ModularGroup {
  ModularGroup(const ClassicalGroup& G, const ModularOperations& field) : roots(G, field) {}
  ModularRoots roots;
  std::map<std::string, std::unique_ptr<WeightLeaf>> leaves;

  std::optional<ModularMatrix> maps(const ContinuousPiece& V, const ContinuousPiece& U,
                                    const std::vector<ComponentPair>& components, std::vector<std::size_t>& pivots,
                                    const Task& task);

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
                   const std::vector<ComponentPair>& components, std::vector<ModularMatrix>& out,
                   const Task& task) const {
    const PrimeField& F = roots.field.field;
    const auto &below = V.spaces().at(key), &above = U.spaces().at(key);
    if (!U.is_dominant(above[0])) return;
    const ModularMatrix highest = U.killed(Root::raising, above, task);
    if (highest.rows() == 0) return;
    const ModularMatrix covectors = V.killed(Root::lowering_transposed, below, task);
    if (covectors.rows() == 0) return;
    // W = sum over words w, w' of a(w, w') (f_w u) (x) (phi e_w'), a the inverse of the form u* e_w' f_w u [Shapovalov
    // 1972].
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
    const auto form = (stacked(functionals, U.size(), F) * stacked(images, U.size(), F).transpose()).inverse();
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
    task.require_memory((out.size() + left.size() * right.size()) * 2 * U.size() * V.size() * sizeof(std::uint64_t),
                        "the equivariant matrices modulo a prime");
    for (const ModularMatrix& a : left)
      for (const ModularMatrix& b : right) {
        task.poll();
        ModularMatrix W = a * b;
        for (const ComponentPair& component : components) W = kept_by(component, std::move(W), roots.field);
        ModularMatrix row(F.p(), 1, U.size() * V.size());
        for (std::size_t i = 0; i < W.rows(); ++i)
          for (std::size_t j = 0; j < W.cols(); ++j) row.set(0, i * W.cols() + j, W(i, j));
        out.push_back(std::move(row));
      }
  }
};

ClassicalHom::ClassicalHom(const ClassicalGroup& G) : G_(G) {}
ClassicalHom::~ClassicalHom() = default;

/// The embeddings of a field modulo a prime, with the modules of the group under each.
ClassicalHom::Reduction ClassicalHom::reduction(const AbelianField& K, std::size_t k) {
  const std::uint32_t n = K.conductor(), order = std::lcm(4U, n);  // with i all classical groups split
  const auto [cyclotomic, fresh] = cyclotomic_.try_emplace(order);
  if (fresh) cyclotomic->second = AbelianField::cyclotomic(order);
  const AbelianField::SplitPrime split = cyclotomic->second.split_prime(k);
  const PrimeField field(split.p);
  Reduction out{{split.p, {}}, {}};
  for (std::uint32_t unit : K.automorphisms()) {
    while (std::gcd(unit, order) != 1) unit += n;
    const ModularOperations operations{field, order, field.power(field.from(Integer(split.roots[0])), unit)};
    out.prime.roots.push_back(field.residue(operations.from(K.generator())));
    auto& group = modular_[{split.p, field.residue(operations.root)}];
    if (!group) group = std::make_unique<ModularGroup>(G_, operations);
    out.groups.push_back(group.get());
  }
  return out;
}

const FieldElements& ClassicalHom::operator()(const ContinuousPiece& V, const ContinuousPiece& U, const Task& task) {
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

/// The maps modulo one prime under one embedding, as the rows of a reduced echelon form; nothing if there are none.
std::optional<ModularMatrix> ClassicalHom::ModularGroup::maps(const ContinuousPiece& V, const ContinuousPiece& U,
                                                              const std::vector<ComponentPair>& components,
                                                              std::vector<std::size_t>& pivots, const Task& task) {
  const WeightModule source = module(V, task), target = module(U, task);
  std::vector<ModularMatrix> rows;
  for (const auto& [key, space] : target.spaces())
    if (source.spaces().contains(key)) append_maps(source, target, key, components, rows, task);
  if (rows.empty()) return std::nullopt;
  ModularMatrix reduced = vertical_stack(rows).echelon(&pivots, task);
  return pivots.empty() ? std::nullopt : std::optional(std::move(reduced));
}

FieldElements ClassicalHom::find(const ContinuousPiece& V, const ContinuousPiece& U, const Task& task) {
  AbelianField K;
  for (const ContinuousPiece* piece : {&V, &U})
    for (const auto& leaf : piece->leaves) K = AbelianField::compositum(K, ContinuousRepresentation(leaf).field());
  const std::vector<ComponentPair> components = components_between(G_, V, U, task);
  if (std::ranges::any_of(components, [](const ComponentPair& c) { return c.forbids_all(); })) return {K, {}};
  FieldLift lift(K);
  std::vector<std::size_t> best;
  std::optional<FieldMatrix> basis;
  for (std::size_t k = 0; !basis; ++k) {
    const Reduction reduction = this->reduction(K, k);
    std::vector<ModularMatrix> images;
    std::vector<std::size_t> pivots;
    bool agree = true;  // the embeddings, as they do but for unlucky primes
    for (ModularGroup* group : reduction.groups) {
      std::vector<std::size_t> own;
      std::optional<ModularMatrix> image = group->maps(V, U, components, own, task);
      if (!image) return {K, {}};
      agree = agree && (images.empty() || own == pivots);
      pivots = std::move(own);
      images.push_back(std::move(*image));
    }
    task.progress("lifting equivariant matrices", k, 0);
    // An unlucky prime has a smaller rank or later pivots.
    if (!agree || (!best.empty() && (pivots.size() < best.size() || (pivots.size() == best.size() && pivots > best))))
      continue;
    if (pivots != best) lift.clear();
    best = std::move(pivots);
    lift.add(reduction.prime, images);
    basis = lift.candidate();
  }
  return sparse_elements(*basis, task);
}

FieldElements sparse_elements(const FieldMatrix& rows, const Task& task) {
  const IntegerMatrix& numbers = rows.coefficients().numerator();
  const std::size_t f = rows.field().degree(), width = rows.cols();
  std::vector<std::size_t> support;
  for (std::size_t j = 0; j < width; ++j)
    for (std::size_t i = 0; i < f * rows.rows(); ++i)
      if (numbers.sign(i / f, i % f * width + j) != 0) {
        support.push_back(j);
        break;
      }
  FieldMatrix reduced = rows.select_cols(support);
  constexpr std::uint64_t most_sparsified = 300'000;
  if (f * f * reduced.rows() * reduced.cols() <= most_sparsified)
    reduced = sparsify(FieldMatrix(rows.field(), reduced.coefficients().numerator(), reduced.cols()), task);
  FieldElements out{rows.field(), {}};
  for (std::size_t i = 0; i < reduced.rows(); ++i) {
    out.elements.push_back(IntertwinerSpace::Element::of(reduced.block(i, 0, 1, reduced.cols())));
    for (std::uint64_t& place : out.elements.back().place) place = support[place];
  }
  return out;
}

}  // namespace intertwine
