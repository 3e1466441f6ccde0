// Unitary matrices of representations at a wave vector, by induction and extension along normal subgroups of prime
// index.
#include <algorithm>
#include <string>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/exact/square_root.hpp"
#include "intertwine/physics/kp_hamiltonian.hpp"
#include "physics/co_group.hpp"
#include "physics/level_forms.hpp"

namespace intertwine {

CyclotomicMatrix CyclotomicMatrix::conjugate() const {
  CyclotomicMatrix result(n);
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (!entries[k].is_zero()) result.entries[k] = entries[k].conjugate();
  return result;
}

CyclotomicMatrix operator*(const CyclotomicMatrix& A, const CyclotomicMatrix& B) {
  CyclotomicMatrix C(A.n);
  for (std::size_t i = 0; i < A.n; ++i)
    for (std::size_t k = 0; k < A.n; ++k) {
      if (A(i, k).is_zero()) continue;
      for (std::size_t j = 0; j < A.n; ++j)
        if (!B(k, j).is_zero()) C(i, j) += A(i, k) * B(k, j);
    }
  return C;
}

CyclotomicMatrix operator*(const Cyclotomic& c, const CyclotomicMatrix& A) {
  CyclotomicMatrix result(A.n);
  for (std::size_t k = 0; k < A.entries.size(); ++k)
    if (!A.entries[k].is_zero()) result.entries[k] = c * A.entries[k];
  return result;
}

namespace {

using Numbers = std::vector<std::size_t>;

CyclotomicMatrix unit_matrix(std::size_t n) {
  CyclotomicMatrix E(n);
  for (std::size_t i = 0; i < n; ++i) E(i, i) = 1;
  return E;
}

/// Writes A into C from row i and column j on.
void put(const CyclotomicMatrix& A, CyclotomicMatrix& C, std::size_t i, std::size_t j) {
  for (std::size_t r = 0; r < A.n; ++r)
    for (std::size_t s = 0; s < A.n; ++s) C(i + r, j + s) = A(r, s);
}

bool is_prime_index(std::size_t n) { return n == 2 || n == 3 || n == 5; }

/// The representations of a co-group and of its subgroups as matrices.
class UnitaryForms {
 public:
  UnitaryForms(const CoGroup& co, const Task& task) : co_(co), task_(task) {}

  /// The irreducible representation with these characters of some operations, a group with the identity first.
  std::vector<CyclotomicMatrix> find(const Numbers& group, const std::vector<Cyclotomic>& characters) const {
    task_.poll();
    const auto degree = characters.front().to_integer().convert_to<std::size_t>();
    if (degree == 1) {
      std::vector<CyclotomicMatrix> forms(group.size(), CyclotomicMatrix(1));
      for (std::size_t k = 0; k < group.size(); ++k) forms[k](0, 0) = characters[k];
      return forms;
    }
    const Numbers normal = normal_subgroup(group);
    std::vector<Cyclotomic> restricted;
    Cyclotomic norm;
    for (const std::size_t g : normal) {
      restricted.push_back(characters[place(group, g)]);
      norm += restricted.back() * restricted.back().conjugate();
    }
    if (norm == Cyclotomic(static_cast<long>(normal.size())))
      return extended(group, characters, normal, find(normal, restricted));
    for (const LittleGroup::Irrep& part : small_representations(co_.subgroup(normal, task_), task_)) {
      Cyclotomic overlap;
      for (std::size_t k = 0; k < normal.size(); ++k) overlap += part.characters[k] * restricted[k].conjugate();
      if (!overlap.is_zero()) return induced(group, normal, find(normal, part.characters));
    }
    throw InternalError("level_matrices: a representation restricts to none");
  }

 private:
  std::size_t times(std::size_t g, std::size_t h) const { return co_(g, h).number; }
  /// D(g) D(h) is this times D(g h).
  Cyclotomic factor(std::size_t g, std::size_t h) const { return phase_root(co_(g, h).phase); }
  static std::size_t place(const Numbers& list, std::size_t g) {
    return static_cast<std::size_t>(std::ranges::find(list, g) - list.begin());
  }
  static bool contains(const Numbers& list, std::size_t g) { return std::ranges::find(list, g) != list.end(); }

  Numbers closure(Numbers generators) const {
    Numbers found{0};
    for (std::size_t k = 0; k < found.size(); ++k)
      for (const std::size_t g : generators)
        if (const std::size_t product = times(g, found[k]); !contains(found, product)) found.push_back(product);
    std::ranges::sort(found);
    return found;
  }

  std::size_t inverse(std::size_t g) const {
    std::size_t h = g;
    while (times(g, h) != 0) h = times(g, h);
    return g == 0 ? 0 : h;
  }

  /// A normal subgroup of prime index: the commutators and as many elements more as can be.
  Numbers normal_subgroup(const Numbers& group) const {
    Numbers commutators;
    for (const std::size_t g : group)
      for (const std::size_t h : group) {
        const std::size_t c = times(times(g, h), times(inverse(g), inverse(h)));
        if (c != 0 && !contains(commutators, c)) commutators.push_back(c);
      }
    Numbers normal = closure(commutators);
    while (!is_prime_index(group.size() / normal.size())) {
      const std::size_t before = normal.size();
      for (const std::size_t g : group) {
        std::size_t power = g;
        for (int e = 1; e <= 3 && normal.size() == before; ++e, power = times(g, power)) {
          if (contains(normal, power)) continue;
          Numbers more = normal;
          more.push_back(power);
          more = closure(more);
          if (more.size() < group.size()) normal = more;
        }
      }
      if (normal.size() == before) throw InternalError("level_matrices: a point group is not solvable");
    }
    return normal;
  }

  /// The first element that is not in the normal subgroup.
  static std::size_t outside(const Numbers& group, const Numbers& normal) {
    return *std::ranges::find_if(group, [&](std::size_t g) { return !contains(normal, g); });
  }

  std::vector<CyclotomicMatrix> induced(const Numbers& group, const Numbers& normal,
                                        const std::vector<CyclotomicMatrix>& forms) const {
    const std::size_t index = group.size() / normal.size(), d = forms.front().n, t = outside(group, normal);
    Numbers cosets{0};
    while (cosets.size() < index) cosets.push_back(times(t, cosets.back()));
    std::vector<CyclotomicMatrix> result;
    for (const std::size_t g : group) {
      CyclotomicMatrix D(index * d);
      for (std::size_t j = 0; j < index; ++j) {
        const std::size_t moved = times(g, cosets[j]);
        for (std::size_t i = 0; i < index; ++i) {
          const std::size_t n = times(inverse(cosets[i]), moved);
          if (!contains(normal, n)) continue;
          put(factor(g, cosets[j]) * factor(cosets[i], n).conjugate() * forms[place(normal, n)], D, i * d, j * d);
        }
      }
      result.push_back(std::move(D));
    }
    return result;
  }

  /// X with X D(n) X^-1 = D(t n t^-1), up to the factors of products, and a factor of its own.
  CyclotomicMatrix twisting(const Numbers& normal, const std::vector<CyclotomicMatrix>& forms, std::size_t t) const {
    const std::size_t d = forms.front().n;
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) {
        CyclotomicMatrix X(d);
        bool zero = true;
        for (std::size_t k = 0; k < normal.size(); ++k) {
          const std::size_t n = normal[k], tn = times(t, n), m = times(tn, inverse(t));
          const CyclotomicMatrix& moved = forms[place(normal, m)];
          const Cyclotomic c = factor(t, n) * factor(m, t).conjugate();
          for (std::size_t r = 0; r < d; ++r) {
            if (moved(r, i).is_zero()) continue;
            const Cyclotomic left = c * moved(r, i);
            for (std::size_t s = 0; s < d; ++s)
              if (!forms[k](s, j).is_zero()) X(r, s) += left * forms[k](s, j).conjugate();
          }
        }
        for (const Cyclotomic& x : X.entries) zero = zero && x.is_zero();
        if (!zero) return X;
      }
    throw InternalError("level_matrices: a representation does not extend");
  }

  std::vector<CyclotomicMatrix> extended(const Numbers& group, const std::vector<Cyclotomic>& characters,
                                         const Numbers& normal, const std::vector<CyclotomicMatrix>& forms) const {
    const std::size_t index = group.size() / normal.size(), t = outside(group, normal);
    CyclotomicMatrix X = twisting(normal, forms, t);
    // The factor is that of a character that is not 0 on t n.
    for (std::size_t k = 0;; ++k) {
      if (k == normal.size()) throw InternalError("level_matrices: a character is 0 on a coset");
      const std::size_t n = normal[k];
      const Cyclotomic& wanted = characters[place(group, times(t, n))];
      if (wanted.is_zero()) continue;
      const CyclotomicMatrix product = X * forms[k];
      Cyclotomic trace;
      for (std::size_t i = 0; i < X.n; ++i) trace += product(i, i);
      X = factor(t, n) * wanted * trace.inverse() * X;
      break;
    }
    std::vector<CyclotomicMatrix> result(group.size(), CyclotomicMatrix(X.n));
    CyclotomicMatrix coset = unit_matrix(X.n);
    std::size_t at = 0;
    for (std::size_t e = 0; e < index; ++e) {
      for (std::size_t k = 0; k < normal.size(); ++k)
        result[place(group, times(at, normal[k]))] = factor(at, normal[k]).conjugate() * (coset * forms[k]);
      coset = factor(t, at).conjugate() * (X * coset);
      at = times(t, at);
    }
    return result;
  }

  const CoGroup& co_;
  const Task& task_;
};

/// The operations that reverse time in products with others.
class ReversingProducts {
 public:
  ReversingProducts(const CoGroup& co, const std::vector<SpaceOperation>& antiunitary)
      : co_(co), antiunitary_(antiunitary) {}

  struct Moved {
    std::size_t antiunitary;  ///< a g is this one, up to a translation
    Cyclotomic factor;        ///< D(a) D(g) is this times its matrix
    std::size_t operation;    ///< a g a^-1, up to a translation
    Cyclotomic twist;         ///< D(a) D(g) is this times D(a g a^-1) D(a)
  };
  /// For the first operation that reverses time.
  Moved moved(std::size_t g) const {
    const SpaceOperation& a = antiunitary_.front();
    const auto product = co_.product_among(antiunitary_, a, co_.operations()[g]);
    for (std::size_t m = 0; m < co_.size(); ++m) {
      const auto other = co_.product_among(antiunitary_, co_.operations()[m], a);
      if (other.number == product.number)
        return {product.number, phase_root(product.phase), m, phase_root(product.phase - other.phase)};
    }
    throw InternalError("level_matrices: an antiunitary operation takes the little group elsewhere");
  }

 private:
  const CoGroup& co_;
  const std::vector<SpaceOperation>& antiunitary_;
};

/// U with U conj(D(g)) = twist D(a g a^-1) U, unitary: of type a.
CyclotomicMatrix reversing_matrix(const std::vector<CyclotomicMatrix>& forms,
                                  const std::vector<ReversingProducts::Moved>& moves) {
  const std::size_t d = forms.front().n;
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      CyclotomicMatrix X(d);
      for (std::size_t g = 0; g < forms.size(); ++g) {
        const CyclotomicMatrix& image = forms[moves[g].operation];
        for (std::size_t r = 0; r < d; ++r) {
          if (image(r, i).is_zero()) continue;
          const Cyclotomic left = moves[g].twist * image(r, i);
          for (std::size_t s = 0; s < d; ++s)
            if (!forms[g](s, j).is_zero()) X(r, s) += left * forms[g](s, j);
        }
      }
      Cyclotomic square;
      for (std::size_t s = 0; s < d; ++s) square += X(0, s) * X(0, s).conjugate();
      if (square.is_zero()) continue;
      try {
        if (const auto root = cyclotomic_square_root(square)) return root->inverse() * X;
      } catch (const DomainError&) {  // its degree is too high; another start has another norm
      }
    }
  throw InternalError("level_matrices: no matrix of time reversal was made unitary");
}

}  // namespace

LevelForms level_forms(const LittleGroup& little, std::size_t level, const Task& task) {
  if (level >= little.corepresentations.size())
    throw DomainError("there is no level " + std::to_string(level) + ": those at this wave vector are 0 to " +
                      std::to_string(little.corepresentations.size() - 1));
  const std::optional<SpinLifts> lifts = lifts_of(little);
  const CoGroup co(little.k, little.operations, lifts ? &*lifts : nullptr, task);
  const auto& numbers = little.corepresentations[level].irreps;
  Numbers all;
  for (std::size_t g = 0; g < co.size(); ++g) all.push_back(g);
  LevelForms forms;
  forms.operations = UnitaryForms(co, task).find(all, little.irreps[numbers.front()].characters);
  if (little.antiunitary.empty()) return forms;
  const ReversingProducts products(co, little.antiunitary);
  std::vector<ReversingProducts::Moved> moves;
  for (const std::size_t g : all) moves.push_back(products.moved(g));
  const std::size_t d = forms.operations.front().n, n = d * numbers.size();
  CyclotomicMatrix U(n);
  if (numbers.size() == 1) {
    U = reversing_matrix(forms.operations, moves);
  } else {
    // Induced: a takes the first copy to the second, and a^2 is an operation of the first.
    CoGroup::Product square = co.product(little.antiunitary.front(), little.antiunitary.front());
    if (little.spin == SpinKind::half) square.phase += Rational(1, 2);
    put(phase_root(square.phase) * forms.operations[square.number], U, 0, d);
    put(unit_matrix(d), U, d, 0);
    std::vector<CyclotomicMatrix> both(all.size(), CyclotomicMatrix(n));
    for (const std::size_t g : all) {
      put(forms.operations[g], both[g], 0, 0);
      put(moves[g].twist.conjugate() * forms.operations[g].conjugate(), both[moves[g].operation], d, d);
    }
    forms.operations = std::move(both);
  }
  forms.antiunitary.assign(little.antiunitary.size(), CyclotomicMatrix(n));
  for (const std::size_t g : all)
    forms.antiunitary[moves[g].antiunitary] = moves[g].factor.conjugate() * (U * forms.operations[g].conjugate());
  return forms;
}

LevelMatrices level_matrices(const LittleGroup& little, std::size_t level, const Task& task) {
  const LevelForms forms = level_forms(little, level, task);
  LevelMatrices result;
  for (const CyclotomicMatrix& D : forms.operations) result.operations.emplace_back(D.n, D.n, D.entries);
  for (const CyclotomicMatrix& U : forms.antiunitary) result.antiunitary.emplace_back(U.n, U.n, U.entries);
  return result;
}

}  // namespace intertwine
