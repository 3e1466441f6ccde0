// The proof that a stabilizer chain is complete, from the last level up.
//
// At level l let b be the base point, O its orbit, H = G^(l+1), already proved, and G^(l) = <H, Z>. Stab(b) =
// H holds once x -> f(x) = w_x H (w_x takes b to x, w_b = 1) is an equivariant map from O to the cosets of H,
// because the stabilizer of b then fixes f(b) = H. Equivariance need not be checked at every point and
// generator [Sims; Seress 2003, 8.2]:
//   (A) f is extended from one point y of an H-orbit by H. That is well defined when w_y^{-1} Stab_H(y) w_y
//   <= H. For the
//       orbit of the next base point Stab_H(y) = G^(l+2) is at hand; in other H-orbits every point and
//       generator is checked.
//   (B) z f(x) = f(z x) need be checked only on one x of every K-orbit, for any K <= H with z K z^{-1} <= H.
//   If
//       z^{-1} takes b to the next base point, K = G^(l+2) is such a group as soon as the conjugates of its
//       generators sift.
//   (C) A strong generator g of level l outside Z is in <H, Z> when w_{g b}^{-1} g is in H. To sift g
//       through the level would not do: where its own edge leads to g b nothing is left, however wrong the
//       chain is.
// A 2-transitive group costs a handful of sifts a level instead of |O| times the number of generators.
#pragma once
#include "chain_builder.hpp"

namespace intertwine {

template <class T>
class LevelCheck {
 public:
  using Builder = ChainBuilder<T>;
  using Images = typename Builder::Images;
  using Level = typename Builder::Level;

  /// \param inner  indices of strong generators that generate H
  /// \param core   indices of strong generators that generate G^(l+2)
  LevelCheck(Builder& builder, std::size_t l, const std::vector<std::size_t>& inner,
             const std::vector<std::size_t>& core)
      : builder_(builder), l_(l), level_(builder.levels_[l]), n_(builder.n_), inner_(inner), core_(core) {}

  /// True if proved; `kept` receives generators of G^(l). False after inserting a missing element into the
  /// builder.
  bool run(std::vector<std::size_t>& kept) {
    grow_forest();
    choose_generators(kept);
    if (!check_orbit_stabilizers()) return false;
    for (std::size_t k = 0; k < outer_.size(); ++k)
      if (!check_outer(outer_[k], k == 0 && canonical_)) return false;
    for (std::size_t k = 0; k < builder_.gens_.size(); ++k)
      if (builder_.depth_[k] == l_ && !check_edge(builder_.gens_[k], 0)) return false;  // (C)
    return true;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// The H-orbits on O as trees: w_{s y} = s w_y along an edge s of H, w_root = u_root.
  void grow_forest() {
    const std::size_t size = level_.orbit.size();
    parent_.assign(size, none);
    edge_.assign(size, none);
    tree_.assign(size, none);
    forward_.resize(size);
    if (l_ + 1 < builder_.levels_.size()) {
      const std::int32_t at = level_.position[builder_.levels_[l_ + 1].base];
      if (at != Builder::outside) next_base_ = static_cast<std::uint32_t>(at);
    }
    grow_tree(0);
    if (next_base_ != none && tree_[next_base_] == none) grow_tree(next_base_);
    for (std::uint32_t i = 0; i < size; ++i)
      if (tree_[i] == none) grow_tree(i);
  }

  void grow_tree(std::uint32_t start) {
    std::vector<std::uint32_t> queue{start};
    tree_[start] = start;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::uint32_t i = queue[head];
      for (const std::size_t k : inner_) {
        const auto j = at(builder_.gens_[k][level_.orbit[i]]);
        if (tree_[j] != none) continue;
        tree_[j] = start;
        parent_[j] = i;
        edge_[j] = static_cast<std::uint32_t>(k);
        queue.push_back(j);
      }
    }
    order_.insert(order_.end(), queue.begin(), queue.end());
  }

  std::uint32_t at(Point x) const { return static_cast<std::uint32_t>(level_.position[x]); }

  /// Z: enough elements to make <H, Z> transitive on O; and strong generators of depth l that do the same.
  void choose_generators(std::vector<std::size_t>& kept) {
    kept = inner_;
    std::vector<std::uint32_t> joined(tree_);
    const auto find = [&](std::vector<std::uint32_t>& f, std::uint32_t i) {
      while (f[i] != i) i = f[i] = f[f[i]];
      return i;
    };
    const auto unite = [&](std::vector<std::uint32_t>& f, const Images& z) {
      bool changed = false;
      for (std::uint32_t i = 0; i < tree_.size(); ++i) {
        const std::uint32_t a = find(f, i), b = find(f, at(z[level_.orbit[i]]));
        if (a == b) continue;
        f[std::max(a, b)] = std::min(a, b);
        changed = true;
      }
      return changed;
    };
    std::vector<std::uint32_t> joined_by_outer(joined);
    if (next_base_ != none && next_base_ != 0) {
      canonical_ = true;
      Images z(n_);
      std::iota(z.begin(), z.end(), T{0});
      builder_.divide(level_, level_.orbit[next_base_], z);
      unite(joined_by_outer, z);
      outer_.push_back(std::move(z));
    }
    for (std::size_t k = 0; k < builder_.gens_.size(); ++k) {
      if (builder_.depth_[k] != l_) continue;
      if (unite(joined, builder_.gens_[k])) kept.push_back(k);
      if (unite(joined_by_outer, builder_.gens_[k])) outer_.push_back(builder_.gens_[k]);
    }
  }

  /// (A).
  bool check_orbit_stabilizers() {
    if (canonical_) {
      const Images& z = outer_.front();  // w^{-1} for the next base point
      if (!check_conjugates(z)) return false;
    }
    Integer order = 1;  // of H
    for (std::size_t k = l_ + 1; k < builder_.levels_.size(); ++k) order *= builder_.levels_[k].orbit.size();
    if (order == 1) return true;
    for (std::size_t start = 0, end = 0; start < order_.size(); start = end) {
      const std::uint32_t rep = tree_[order_[start]];
      while (end < order_.size() && tree_[order_[end]] == rep) ++end;
      if (rep == 0 || (canonical_ && rep == next_base_)) continue;
      const Integer stabilizer_order = order / Integer(end - start);
      if (stabilizer_order == 1) continue;
      if ((end - start) * inner_.size() <= 32) {
        builder_.task_.poll();
        for (std::size_t i = start; i < end; ++i)
          for (const std::size_t k : inner_)
            if (!check_edge(builder_.gens_[k], order_[i])) return false;
      } else if (!check_stabilizer(rep, stabilizer_order)) {
        return false;
      }
    }
    return true;
  }

  /// w^{-1} Stab_H(y) w <= H for y = O[rep], w = u_y.
  bool check_stabilizer(std::uint32_t rep, const Integer& order) {
    Builder stabilizer(n_, {}, {}, builder_.task_);
    const Images w = forward(rep);
    Images conjugate(n_);
    inverse_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) inverse_[w[i]] = static_cast<T>(i);
    while (stabilizer.order() < order) {
      builder_.task_.poll();
      Images h = random_inner();
      // Divide by the tree path from the root of the H-orbit to h(y): an element of Stab_H(y).
      for (std::uint32_t i = at(h[level_.orbit[rep]]); parent_[i] != none; i = parent_[i])
        for (T& y : h) y = builder_.inverses_[edge_[i]][y];
      if (!stabilizer.insert(h)) continue;
      for (std::size_t i = 0; i < n_; ++i) conjugate[i] = inverse_[h[w[i]]];
      if (!is_member(conjugate, l_ + 1)) return false;
    }
    return true;
  }

  /// A uniformly random element of H.
  Images random_inner() {
    Images h(n_);
    std::iota(h.begin(), h.end(), T{0});
    for (std::size_t k = l_ + 1; k < builder_.levels_.size(); ++k) {
      Level& level = builder_.levels_[k];
      const Point x = level.orbit[rng_.below(level.orbit.size())];
      builder_.keep_transversal(level, x);
      builder_.divide(level, x, h);
    }
    return h;  // the inverse of a product of random transversal elements
  }

  /// z k z^{-1} in H for the generators k of G^(l+2).
  bool check_conjugates(const Images& z) {
    Images inverse(n_), conjugate(n_);
    for (std::size_t i = 0; i < n_; ++i) inverse[z[i]] = static_cast<T>(i);
    for (const std::size_t k : core_) {
      const Images& g = builder_.gens_[k];
      for (std::size_t i = 0; i < n_; ++i) conjugate[i] = z[g[inverse[i]]];
      if (!is_member(conjugate, l_ + 1)) return false;
    }
    return true;
  }

  /// (B).
  bool check_outer(Images z, bool canonical) {
    bool reduced = canonical;
    if (!canonical && canonical_ && core_.size() < level_.orbit.size())
      reduced = make_canonical(z) && check_conjugates(z);
    if (!reduced) {
      if (failed_) return false;
      for (const std::uint32_t i : order_)
        if (!check_edge(z, i)) return false;
      return true;
    }
    std::vector<char> seen(level_.orbit.size(), 0);
    std::vector<std::uint32_t> stack;
    for (const std::uint32_t start : order_) {
      if (seen[start]) continue;
      if (!check_edge(z, start)) return false;
      seen[start] = 1;
      stack.push_back(start);
      while (!stack.empty()) {
        const Point x = level_.orbit[stack.back()];
        stack.pop_back();
        for (const std::size_t k : core_) {
          const std::uint32_t j = at(builder_.gens_[k][x]);
          if (seen[j]) continue;
          seen[j] = 1;
          stack.push_back(j);
        }
      }
    }
    return true;
  }

  /// Replaces z by z h, h in H, so that z^{-1} takes b to the next base point. False if z^{-1} b is in
  /// another H-orbit.
  bool make_canonical(Images& z) const {
    Point x = 0;
    while (z[x] != level_.base) ++x;
    const std::int32_t position = level_.position[x];
    if (position == Builder::outside || tree_[static_cast<std::size_t>(position)] != next_base_) return false;
    std::vector<std::size_t> path;  // from x down to the next base point
    for (auto i = static_cast<std::uint32_t>(position); parent_[i] != none; i = parent_[i]) path.push_back(edge_[i]);
    Images h(n_), next(n_);
    std::iota(h.begin(), h.end(), T{0});
    for (std::size_t k = path.size(); k-- > 0;)
      for (T& y : h) y = builder_.gens_[path[k]][y];
    for (std::size_t i = 0; i < n_; ++i) next[i] = z[h[i]];
    z = std::move(next);
    return true;
  }

  /// w_{gx}^{-1} g w_x in H for x = O[i].
  bool check_edge(const Images& g, std::uint32_t i) {
    builder_.task_.poll();
    const std::uint32_t j = at(g[level_.orbit[i]]);
    moved_ = forward(i);
    for (T& y : moved_) y = g[y];
    const Images& target = forward(j);
    if (moved_ == target) return true;
    inverse_.resize(n_);
    for (std::size_t k = 0; k < n_; ++k) inverse_[target[k]] = static_cast<T>(k);
    for (T& y : moved_) y = inverse_[y];
    return is_member(moved_, l_ + 1);
  }

  /// w for O[i]; the reference is valid until the next call but one.
  const Images& forward(std::uint32_t i) {
    if (!forward_[i].empty()) return forward_[i];
    std::vector<std::uint32_t> path;
    std::uint32_t top = i;
    while (forward_[top].empty() && parent_[top] != none) {
      path.push_back(edge_[top]);
      top = parent_[top];
    }
    if (forward_[top].empty()) builder_.keep_transversal(builder_.levels_[l_], level_.orbit[top]);
    Images w = forward_[top].empty() ? builder_.transversal(level_, level_.orbit[top]) : forward_[top];
    for (std::size_t k = path.size(); k-- > 0;) {
      builder_.task_.poll();
      for (T& y : w) y = builder_.gens_[path[k]][y];
    }
    if ((stored_ + 1) * n_ * sizeof(T) <= (std::size_t{256} << 20)) {
      ++stored_;
      return forward_[i] = std::move(w);
    }
    return scratch_ = std::move(w);
  }

  /// Is g in G^(level), as far as proved? If not, its residue becomes a strong generator.
  bool is_member(Images g, std::size_t level) {
    const std::size_t reached = builder_.sift_and_keep(g, level);
    if (reached == builder_.levels_.size() && Builder::is_identity(g)) return true;
    builder_.add_generator(std::move(g), reached);
    failed_ = true;
    return false;
  }

  Builder& builder_;
  std::size_t l_;
  const Level& level_;
  std::size_t n_;
  const std::vector<std::size_t>& inner_;
  const std::vector<std::size_t>& core_;
  std::uint32_t next_base_ = none;
  bool canonical_ = false, failed_ = false;
  std::vector<std::uint32_t> parent_, edge_, tree_, order_;
  std::vector<Images> forward_;
  std::vector<Images> outer_;
  Images moved_, inverse_, scratch_;
  Rng rng_{fixed_seed};
  std::size_t stored_ = 0;
};

/// Proves the chain, or improves it: false if a missing element was found and made a strong generator.
template <class T>
bool verify_chain(ChainBuilder<T>& builder) {
  std::vector<std::size_t> inner, core;
  for (std::size_t l = builder.levels().size(); l-- > 0;) {
    std::vector<std::size_t> kept;
    if (!LevelCheck<T>(builder, l, inner, core).run(kept)) return false;
    core = std::move(inner);
    inner = std::move(kept);
  }
  return true;
}

}  // namespace intertwine
