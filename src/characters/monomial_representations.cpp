// Irreducible monomial representations built along a chief series.
#include "intertwine/characters/monomial_representations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

using Letter = SupersolvableSeries::Letter;
using Matrix = std::vector<MonomialEntry>;
using Node = MonomialRepresentations::Node;

/// An element of a stabilizer with the matrix that intertwines the representation and its conjugate.
struct Stabilizing {
  std::uint32_t element;  ///< number in NumberedElements
  std::uint32_t depth;    ///< in N_depth, as h_depth modulo N_(depth - 1)
  Matrix matrix;
};

/// A representation with its stabilizer along the series.
struct Orbit {
  Node node;
  std::vector<Stabilizing> stabilizer;  ///< depths increase
};

/// NumberedElements of G by number, known by their base images.
class NumberedElements {
 public:
  explicit NumberedElements(const SupersolvableSeries& series) : series_(series) {}
  std::uint32_t add(Permutation g) {
    std::vector<Point> key;
    for (const Point b : series_.base()) key.push_back(g(b));
    const auto [at, fresh] = number_.try_emplace(std::move(key), static_cast<std::uint32_t>(list_.size()));
    if (fresh) {
      inverse_.push_back(g.inverse());
      list_.push_back(std::move(g));
    }
    return at->second;
  }
  const Permutation& operator[](std::uint32_t k) const { return list_[k]; }
  const Permutation& inverse(std::uint32_t k) const { return inverse_[k]; }

 private:
  const SupersolvableSeries& series_;
  std::vector<Permutation> list_, inverse_;
  std::map<std::vector<Point>, std::uint32_t> number_;
};

class RootsOfUnity {
 public:
  explicit RootsOfUnity(std::uint32_t order) : order_(order) {}
  std::uint32_t order() const { return order_; }
  std::uint32_t add(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t c = a + b;
    return c >= order_ ? c - order_ : c;
  }
  std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const { return a >= b ? a - b : a + order_ - b; }
  std::uint32_t times(std::uint32_t a, std::uint32_t k) const {
    return static_cast<std::uint32_t>(std::uint64_t{a} * k % order_);
  }
  /// A applied to zeta^v.exponent e_(v.point).
  MonomialEntry apply(const MonomialEntry* A, MonomialEntry v) const {
    return {A[v.point].point, add(v.exponent, A[v.point].exponent)};
  }
  MonomialEntry apply_power(const MonomialEntry* A, std::uint32_t k, MonomialEntry v) const {
    if (A[v.point].point == v.point) return {v.point, add(v.exponent, times(A[v.point].exponent, k))};
    for (; k > 0; --k) v = apply(A, v);
    return v;
  }
  Matrix product(const Matrix& A, const Matrix& B) const {
    Matrix C(B.size());
    for (std::size_t v = 0; v < B.size(); ++v) C[v] = apply(A.data(), B[v]);
    return C;
  }
  Matrix inverse(const Matrix& A) const {
    Matrix B(A.size());
    for (std::uint32_t v = 0; v < A.size(); ++v) B[A[v].point] = {v, subtract(0, A[v].exponent)};
    return B;
  }
  Matrix power(Matrix A, std::uint32_t k) const {
    Matrix result(A.size());
    for (std::uint32_t v = 0; v < A.size(); ++v) result[v] = {v, 0};
    for (; k > 0; k >>= 1, A = product(A, A))
      if (k & 1) result = product(A, result);
    return result;
  }

 private:
  std::uint32_t order_;
};

/// From the orbits on the representations of N_i to those of N_(i+1).
class Step {
 public:
  Step(const MonomialRepresentations& all, const SupersolvableSeries& series, NumberedElements& elements, std::size_t i)
      : all_(all),
        series_(series),
        elements_(elements),
        roots_(all.roots()),
        i_(i),
        p_(series.prime(i)),
        h_(series.generator(i)),
        h_inverse_(h_.inverse()),
        power_(series.word(h_.power(p_))),
        position_(p_, -1) {}

  /// Appends what lies over orbit number `below`, and spends it.
  void lift(Orbit& F, std::uint32_t below, std::vector<Orbit>& result) {
    if (!F.stabilizer.empty() && F.stabilizer[0].depth == i_ + 1)
      extend(F, below, result);
    else
      result.push_back(induced(F, below));
  }

 private:
  MonomialEntry apply(const Node& R, const SupersolvableSeries::Word& word, MonomialEntry v) const {
    return all_.apply(R, word, v);
  }

  /// The word of the element x -> image(x).
  template <class Image>
  SupersolvableSeries::Word word_of(Image image) const {
    std::vector<Point> images;
    for (const Point b : series_.base()) images.push_back(image(b));
    SupersolvableSeries::Word word;
    if (!series_.factorize(images, word)) throw InternalError("an element lies outside the chief series");
    return word;
  }

  /// t h t^-1
  const SupersolvableSeries::Word& conjugated(std::uint32_t t) {
    const auto [at, fresh] = conjugated_.try_emplace(t);
    if (fresh) {
      const Permutation &g = elements_[t], &back = elements_.inverse(t);
      at->second = word_of([&](Point x) { return g(h_(back(x))); });
    }
    return at->second;
  }

  void extend(Orbit& F, std::uint32_t below, std::vector<Orbit>& result) {
    const std::uint32_t d = F.node.degree, step = roots_.order() / p_;
    const Stabilizing first = std::move(F.stabilizer.front());
    F.stabilizer.erase(F.stabilizer.begin());
    const Permutation& back = elements_.inverse(first.element);
    const SupersolvableSeries::Word correction = word_of([&](Point x) { return back(h_(x)); });  // m^-1 for t = h m
    Matrix Y(d);
    for (std::uint32_t v = 0; v < d; ++v) Y[v] = roots_.apply(first.matrix.data(), apply(F.node, correction, {v, 0}));
    const std::uint32_t difference =
        roots_.subtract(apply(F.node, power_, {0, 0}).exponent, roots_.apply_power(Y.data(), p_, {0, 0}).exponent);
    if (difference % p_ != 0) throw InternalError("monomial representations: a root of unity is missing");
    for (MonomialEntry& y : Y) y.exponent = roots_.add(y.exponent, difference / p_);
    F.node.entries.insert(F.node.entries.end(), Y.begin(), Y.end());
    F.node.below = below;
    F.node.extends = true;
    const std::vector<Affine> actions = actions_on_extensions(F);
    std::vector<char> seen(p_, 0);
    for (std::uint32_t k = 0; k < p_; ++k) {
      if (seen[k]) continue;
      Orbit E;
      E.stabilizer = stabilizer(F, actions, k, seen);
      E.node = F.node;
      for (std::uint32_t v = 0; v < d; ++v) {
        MonomialEntry& y = E.node.entries[i_ * d + v];
        y.exponent = roots_.add(y.exponent, step * k);
      }
      result.push_back(std::move(E));
    }
  }

  /// k -> a k + b modulo p
  struct Affine {
    std::uint32_t a, b;
    std::uint32_t operator()(std::uint32_t k, std::uint32_t p) const {
      return static_cast<std::uint32_t>((std::uint64_t{a} * k + b) % p);
    }
  };

  /// How the stabilizer permutes the extensions: X_t F_k(h) X_t^-1 = F_l(t h t^-1), compared at one vector. With
  /// t h t^-1 = h^a m and X_t F_0(h) X_t^-1 = zeta_p^b F_0(t h t^-1) this is k + b = a l.
  std::vector<Affine> actions_on_extensions(const Orbit& F) {
    std::vector<Affine> result;
    const MonomialEntry* H = F.node.entries.data() + i_ * F.node.degree;
    const std::uint32_t step = roots_.order() / p_;
    for (const Stabilizing& t : F.stabilizer) {
      const SupersolvableSeries::Word& word = conjugated(t.element);
      std::uint32_t a = 0;
      for (const Letter& x : word)
        if (x.generator == i_) a = x.exponent;
      const MonomialEntry left = roots_.apply(t.matrix.data(), H[0]), right = apply(F.node, word, t.matrix[0]);
      const std::uint32_t ratio = roots_.subtract(left.exponent, right.exponent);
      if (left.point != right.point || ratio % step != 0 || a == 0)
        throw InternalError("monomial representations: an element does not permute the extensions");
      const auto inverse = static_cast<std::uint32_t>(inverse_modulo(a, p_));
      result.push_back({inverse, static_cast<std::uint32_t>(std::uint64_t{inverse} * (ratio / step) % p_)});
    }
    return result;
  }

  /// The stabilizer of extension k; its orbit is marked. Orbits grow along the series from below as in the chain of a chief
  /// series: an element that leads back into the orbit becomes one of the stabilizer.
  std::vector<Stabilizing> stabilizer(const Orbit& F, const std::vector<Affine>& actions, std::uint32_t k,
                                      std::vector<char>& seen) {
    std::vector<Stabilizing> result;
    std::vector<std::uint32_t> orbit{k};
    std::vector<std::size_t> moving;  // the elements that made the orbit longer
    position_[k] = 0;
    seen[k] = 1;
    for (std::size_t j = 0; j < actions.size(); ++j) {
      const std::int32_t at = position_[actions[j](k, p_)];
      if (at < 0) {
        const std::uint32_t q = series_.prime(F.stabilizer[j].depth - 1);
        const std::size_t before = orbit.size();
        for (std::size_t m = before; m < before * q; ++m) {
          const std::uint32_t x = actions[j](orbit[m - before], p_);
          position_[x] = static_cast<std::int32_t>(m);
          seen[x] = 1;
          orbit.push_back(x);
        }
        moving.push_back(j);
        continue;
      }
      result.push_back(at == 0 ? F.stabilizer[j] : divided(F, j, moving, static_cast<std::uint32_t>(at), orbit.size()));
    }
    for (const std::uint32_t x : orbit) position_[x] = -1;
    return result;
  }

  /// u^-1 t for t = element j and u the product of powers of `moving` elements at this place of the orbit.
  Stabilizing divided(const Orbit& F, std::size_t j, const std::vector<std::size_t>& moving, std::uint32_t place,
                      std::size_t orbit) {
    Permutation g = elements_[F.stabilizer[j].element];
    Matrix X = F.stabilizer[j].matrix;
    auto stride = static_cast<std::uint32_t>(orbit);
    for (std::size_t k = moving.size(); k-- > 0;) {
      const Stabilizing& u = F.stabilizer[moving[k]];
      stride /= series_.prime(u.depth - 1);
      const std::uint32_t digit = place / stride;
      place %= stride;
      if (digit == 0) continue;
      g = elements_.inverse(u.element).power(digit) * g;
      X = roots_.product(roots_.power(roots_.inverse(u.matrix), digit), X);
    }
    return {elements_.add(std::move(g)), F.stabilizer[j].depth, std::move(X)};
  }

  /// Basis vectors h^k (x) e_v are numbered k d + v.
  Orbit induced(const Orbit& F, std::uint32_t below) {
    const std::uint32_t d = F.node.degree, D = d * p_;
    Orbit result{{D, below, false, Matrix((i_ + 1) * std::size_t{D})}, {}};
    MonomialEntry* out = result.node.entries.data();
    conjugate_generators();
    for (std::size_t j = 0; j < i_; ++j)
      for (std::uint32_t k = 0; k < p_; ++k)
        for (std::uint32_t v = 0; v < d; ++v) {
          const MonomialEntry y = apply(F.node, generator_words_[j * p_ + k], {v, 0});
          *out++ = {k * d + y.point, y.exponent};
        }
    for (std::uint32_t v = 0; v + d < D; ++v) *out++ = {v + d, 0};
    for (std::uint32_t v = 0; v < d; ++v) *out++ = apply(F.node, power_, {v, 0});
    for (const Stabilizing& t : F.stabilizer) {
      const SupersolvableSeries::Word& word = conjugated(t.element);
      Matrix X = t.matrix;
      X.resize(D);
      for (std::uint32_t v = d; v < D; ++v) X[v] = apply(result.node, word, X[v - d]);
      result.stabilizer.push_back({t.element, t.depth, std::move(X)});
    }
    return result;
  }

  /// h^-k h_j h^k
  void conjugate_generators() {
    if (!generator_words_.empty()) return;
    for (std::size_t j = 0; j < i_; ++j) {
      Permutation x = series_.generator(j);
      for (std::uint32_t k = 0; k < p_; ++k) {
        generator_words_.push_back(series_.word(x));
        x = h_inverse_ * x * h_;
      }
    }
  }

  const MonomialRepresentations& all_;
  const SupersolvableSeries& series_;
  NumberedElements& elements_;
  RootsOfUnity roots_;
  std::size_t i_;
  std::uint32_t p_;
  Permutation h_, h_inverse_;
  SupersolvableSeries::Word power_;  ///< h^p
  std::vector<SupersolvableSeries::Word> generator_words_;
  std::map<std::uint32_t, SupersolvableSeries::Word> conjugated_;
  std::vector<std::int32_t> position_;  ///< the positions of extensions in the orbit under construction
};

std::uint64_t bytes_of(const std::vector<Orbit>& orbits) {
  std::uint64_t entries = 0;
  for (const Orbit& F : orbits)
    entries += F.node.entries.size() + F.stabilizer.size() * (F.node.degree + sizeof(Stabilizing) / 8);
  return entries * sizeof(MonomialEntry) + orbits.size() * sizeof(Orbit);
}

}  // namespace

MonomialEntry MonomialRepresentations::apply(const Node& R, std::span<const Letter> word, MonomialEntry v) const {
  const RootsOfUnity roots(roots_);
  for (std::size_t k = word.size(); k-- > 0;)
    v = roots.apply_power(R.entries.data() + std::size_t{word[k].generator} * R.degree, word[k].exponent, v);
  return v;
}

MonomialRepresentations::MonomialRepresentations(const SupersolvableSeries& series, std::size_t most, const Task& task)
    : series_(series) {
  std::uint64_t order = 1;
  for (std::size_t i = 0; i < series.length(); ++i) {
    order *= series.prime(i);
    if (order > std::uint64_t{1} << 31)
      throw LimitError("monomial representations: the group has more than 2^31 elements");
  }
  roots_ = static_cast<std::uint32_t>(order);
  // The squares of the degrees add up to |G|: their sum is at most the root of their number times |G|.
  const double degrees = std::sqrt(static_cast<double>(most) * static_cast<double>(order));
  task.require_memory(
      static_cast<std::uint64_t>(degrees * static_cast<double>(2 * series.length() * sizeof(MonomialEntry))),
      "the monomial representations");
  NumberedElements elements(series);
  std::vector<Orbit> orbits{{{1, 0, true, {}}, {}}};
  for (std::size_t i = 0; i < series.length(); ++i)
    orbits[0].stabilizer.push_back(
        {elements.add(series.generator(i)), static_cast<std::uint32_t>(i + 1), Matrix{{0, 0}}});
  levels_.push_back({orbits[0].node});
  for (std::size_t i = 0; i < series.length(); ++i) {
    Step step(*this, series, elements, i);
    std::vector<Orbit> next;
    // Degrees and numbers grow by the prime at most.
    task.require_memory(bytes_of(orbits) * (series.prime(i) + 1), "the monomial representations");
    for (std::size_t k = 0; k < orbits.size(); ++k) {
      task.progress("monomial representations", k, orbits.size());
      step.lift(orbits[k], static_cast<std::uint32_t>(k), next);
      orbits[k] = {};
    }
    if (next.size() > most)
      throw LimitError(fmt::format("monomial representations: more than {}, the number of classes, were found", most));
    orbits = std::move(next);
    levels_.emplace_back();
    for (Orbit& F : orbits) {
      levels_.back().push_back({F.node.degree, F.node.below, F.node.extends, {}});
      if (i + 1 == series.length()) levels_.back().back().entries = std::move(F.node.entries);
    }
  }
}

}  // namespace intertwine
