// Recognises the linear groups of degree 2.
#include "intertwine/groups/linear_form.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/random_words.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

LinearForm::LinearForm(bool special, bool projective, std::uint32_t q)
    : special_(special), projective_(projective), field_(q) {
  determinants_ = special ? 1 : projective ? (q % 2 == 0 ? 1 : 2) : q - 1;
}

std::size_t LinearForm::number(Vector v) const {
  if (!projective_) return std::size_t{v[0]} * q() + v[1];
  return v[1] == 0 ? q() : field_.multiply(v[0], field_.inverse(v[1]));
}

void LinearForm::place_points() {
  point_.assign(projective_ ? q() + 1 : std::size_t{q()} * q(), 0);
  for (std::size_t x = 0; x < vector_.size(); ++x) point_[number(vector_[x])] = static_cast<Point>(x);
}

LinearForm::Element LinearForm::determinant(const Matrix& m) const {
  return field_.add(field_.multiply(m.a, m.d), field_.negative(field_.multiply(m.b, m.c)));
}

LinearForm::Matrix LinearForm::matrix(const Permutation& g) const {
  const Vector x = vector_[g(point_[number({1, 0})])], y = vector_[g(point_[number({0, 1})])];
  Matrix m{x[0], y[0], x[1], y[1]};
  if (!projective_) return m;
  // The image of (1, 1) is s x + t y.
  const Vector z = vector_[g(point_[number({1, 1})])];
  const Element s = determinant({z[0], y[0], z[1], y[1]}), t = determinant({x[0], z[0], x[1], z[1]});
  return {field_.multiply(s, m.a), field_.multiply(t, m.b), field_.multiply(s, m.c), field_.multiply(t, m.d)};
}

Permutation LinearForm::permutation(const Matrix& m) const {
  std::vector<Point> images;
  for (const auto& [x, y] : vector_)
    images.push_back(point_[number({field_.add(field_.multiply(m.a, x), field_.multiply(m.b, y)),
                                    field_.add(field_.multiply(m.c, x), field_.multiply(m.d, y))})]);
  return Permutation::unchecked(std::move(images));
}

bool LinearForm::holds(const Permutation& g) const {
  const Matrix m = matrix(g);
  const Element det = determinant(m);
  if (det == 0 || (special_ && (projective_ ? q() % 2 == 1 && field_.logarithm(det) % 2 == 1 : det != 1))) return false;
  return permutation(m) == g;
}

std::optional<LinearForm> LinearForm::of(const FiniteGroup& G, const Task& task) {
  const std::size_t n = G.degree();
  const Integer& order = G.order();
  if (const auto root = static_cast<std::size_t>(sqrt(Integer(n + 1))); root * root == n + 1) {
    const Integer q = root, all = q * (q * q - 1);
    if (prime_power(root) && (order == all || order == all * (q - 1))) {
      LinearForm form(order == all, false, static_cast<std::uint32_t>(root));
      for (std::uint32_t k = 1; k <= n; ++k) form.vector_.push_back({k / form.q(), k % form.q()});
      form.place_points();
      if (std::ranges::all_of(G.generators(), [&](const Permutation& g) { return form.holds(g); })) {
        form.find_eigenvalues(task);
        return form;
      }
    }
  }
  const Integer q = n - 1, all = q * (q * q - 1);
  if (n < 4 || !prime_power(n - 1)) return std::nullopt;
  const bool special = n % 2 == 0 && order * 2 == all;
  if (!special && order != all) return std::nullopt;
  LinearForm form(special || n % 2 == 1, true, static_cast<std::uint32_t>(n - 1));
  if (!form.find_line(G, task)) return std::nullopt;
  form.find_eigenvalues(task);
  return form;
}

std::optional<AffineElements> affine_elements(const FiniteGroup& G, std::uint64_t turn_order, std::uint64_t shift_order,
                                              const Task& task) {
  const std::size_t n = G.degree();
  const Point base[] = {0, 1};
  const auto chain = StabilizerChain::with_known_order(n, G.generators(), G.order(), base, task);
  if (chain.orbit(0).size() != n || chain.orbit(1).size() != n - 1) return std::nullopt;
  const auto affine = chain.stabilizer_generators(1), torus = chain.stabilizer_generators(2);
  if (affine.empty() || torus.empty()) return std::nullopt;
  RandomElements fixing(torus, n), moving(affine, n);
  constexpr int trials = 2000;
  AffineElements result{fixing.next(), Permutation::identity(n)};
  for (int k = 0; k < trials && result.turn.order() != turn_order; ++k) result.turn = fixing.next();
  for (int k = 0; k < trials && result.shift.order() != shift_order; ++k) {
    const Permutation a = moving.next(), b = moving.next();
    result.shift = a * b * a.inverse() * b.inverse();
  }
  if (result.turn.order() != turn_order || result.shift.order() != shift_order) return std::nullopt;
  return result;
}

/// The stabilizer of a point, infinity, has the translations as its derived group, and in it the stabilizer of another point,
/// 0, is a cyclic group <t> of multiplications. Some translation is called x -> x + 1 and t multiplication by a generator of
/// the group of its order, one after the other, until the generators are what they must be.
bool LinearForm::find_line(const FiniteGroup& G, const Task& task) {
  const std::size_t n = G.degree();
  const std::uint64_t step = special_ && q() % 2 == 1 ? 2 : 1, order = (q() - 1) / step;
  const auto found = affine_elements(G, order, field_.characteristic(), task);
  if (!found) return false;
  const Permutation &t = found->turn, &shift = found->shift;
  // The orbit of 1 under t, and where x + 1 is for every x in it.
  constexpr std::uint64_t elsewhere = ~std::uint64_t{0};
  std::vector<std::uint64_t> place(n, elsewhere);
  std::vector<Point> cycle;
  for (Point x = shift(1); place[x] == elsewhere; x = t(x)) place[x] = cycle.size(), cycle.push_back(x);
  if (cycle.size() != order) return false;
  for (std::uint64_t s = 1; s <= order; ++s) {
    if (std::gcd(s, order) != 1) continue;
    task.poll();
    const bool fits = std::ranges::all_of(cycle, [&](Point x) {
      const std::uint64_t next = place[shift(x)];
      const Element sum = field_.add(field_.power(step * s * place[x]), 1);
      return shift(x) == 1 ? sum == 0 : next == elsewhere || field_.power(step * s * next) == sum;
    });
    if (!fits) continue;
    vector_.assign(n, {0, 1});
    vector_[0] = {1, 0};
    const auto spread = [&](Point x, Element value) {
      for (std::uint64_t k = 0; k < order; ++k, x = t(x))
        vector_[x][0] = field_.multiply(value, field_.power(step * s * k));
    };
    spread(shift(1), 1);
    const auto outside =
        std::ranges::find_if(cycle, [&](Point x) { return shift(x) != 1 && place[shift(x)] == elsewhere; });
    if (outside != cycle.end()) spread(shift(*outside), field_.add(vector_[*outside][0], 1));
    std::vector<char> taken(q() + 1, 0);
    if (!std::ranges::all_of(vector_, [&](Vector v) { return std::exchange(taken[number(v)], 1) == 0; })) continue;
    place_points();
    if (std::ranges::all_of(G.generators(), [&](const Permutation& g) { return holds(g); })) return true;
  }
  return false;
}

LinearForm::Matrix LinearForm::normalised(const Matrix& m) const {
  if (!projective_) return m;
  const std::uint32_t e = field_.logarithm(determinant(m)), k = q() - 1;
  // s^2 det = w^(e mod 2) for odd q, 1 for even q.
  const std::uint64_t half = q() % 2 == 0 ? (e % 2 == 0 ? e / 2 : (e + k) / 2) : e / 2;
  const Element s = field_.power(k - half % k);
  const auto times = [&](Element x, const Matrix& r) {
    return Matrix{field_.multiply(x, r.a), field_.multiply(x, r.b), field_.multiply(x, r.c), field_.multiply(x, r.d)};
  };
  const Matrix plus = times(s, m), minus = times(field_.negative(1), plus);
  return field_.add(minus.a, minus.d) < field_.add(plus.a, plus.d) ? minus : plus;
}

/// The traces of w^i + w^(d-i) and of e^k with e^(k (q+1)) = w^d for every determinant w^d.
void LinearForm::find_eigenvalues(const Task& task) {
  const std::uint64_t Q = q(), units = Q * Q - 1;
  task.require_memory(determinants_ * Q * sizeof(LinearClass), "the eigenvalues of matrices");
  eigenvalues_.assign(determinants_ * Q, {});
  // e as the root t of t^2 = tau t - w: the first tau for which it has order q^2 - 1.
  using Number = std::array<Element, 2>;  // x + y e
  Element tau = 0;
  const Element w = field_.primitive_element();
  const auto product = [&](const Number& a, const Number& b) {
    const Element high = field_.multiply(a[1], b[1]);
    return Number{
        field_.add(field_.multiply(a[0], b[0]), field_.negative(field_.multiply(high, w))),
        field_.add(field_.add(field_.multiply(a[0], b[1]), field_.multiply(a[1], b[0])), field_.multiply(high, tau))};
  };
  const auto raised = [&](Number a, std::uint64_t k) {
    Number result{1, 0};
    for (; k > 0; k >>= 1, a = product(a, a))
      if (k & 1) result = product(result, a);
    return result;
  };
  const auto primes = prime_divisors(units);
  const auto primitive = [&] {
    return raised({0, 1}, units) == Number{1, 0} && std::ranges::none_of(primes, [&](std::uint64_t p) {
             return raised({0, 1}, units / p) == Number{1, 0};
           });
  };
  while (!primitive()) ++tau;
  const Number turn = raised({0, 1}, Q - 1);
  for (std::uint64_t d = 0; d < determinants_; ++d) {
    task.poll();
    LinearClass* row = &eigenvalues_[d * Q];
    for (std::uint32_t i = 0; i + 1 < Q; ++i) {
      const auto j = static_cast<std::uint32_t>((d + Q - 1 - i) % (Q - 1));
      row[field_.add(field_.power(i), field_.power(j))] = {
          i == j ? LinearClass::Kind::unipotent : LinearClass::Kind::split, std::min(i, j), std::max(i, j)};
    }
    Number x = raised({0, 1}, d);
    for (std::uint64_t k = d; k < units; k += Q - 1, x = product(x, turn))
      if (k % (Q + 1) != 0)
        row[field_.add(field_.add(x[0], x[0]), field_.multiply(x[1], tau))] = {
            LinearClass::Kind::anisotropic, static_cast<std::uint32_t>(std::min(k, k * Q % units))};
  }
}

LinearClass LinearForm::classified(const Matrix& m) const {
  LinearClass result = eigenvalues_[std::size_t{field_.logarithm(determinant(m))} * q() + field_.add(m.a, m.d)];
  if (result.kind != LinearClass::Kind::unipotent) return result;
  if (m.b == 0 && m.c == 0) {
    result.kind = LinearClass::Kind::central;
  } else if (special_ && q() % 2 == 1) {
    // A = r (1 + N): det(v, N v) is a square or not, for all v that N does not annihilate alike.
    const Element r = field_.inverse(field_.power(result.i));
    const Element at_first = field_.multiply(r, m.c), at_second = field_.negative(field_.multiply(r, m.b));
    result.second = field_.logarithm(m.c != 0 ? at_first : at_second) % 2 == 1;
  }
  return result;
}

std::uint64_t LinearForm::key_of(const Matrix& m) const {
  const LinearClass c = classified(m);
  const std::uint64_t place = std::uint64_t{field_.logarithm(determinant(m))} * q() + field_.add(m.a, m.d);
  return place * 4 + (c.kind == LinearClass::Kind::central ? 2 : 0) + (c.second ? 1 : 0);
}

std::uint64_t LinearForm::key(const Permutation& g) const { return key_of(normalised(matrix(g))); }
LinearClass LinearForm::type(const Permutation& g) const { return classified(normalised(matrix(g))); }

std::uint64_t LinearForm::number_of_classes() const {
  const std::uint64_t Q = q(), odd = Q % 2;
  if (special_) return projective_ && odd ? (Q + 5) / 2 : Q + 1 + 3 * odd;
  return projective_ ? Q + 1 + odd : Q * Q - 1;
}

Integer LinearForm::centralizer_order(const LinearClass& c, Element trace) const {
  const Integer Q = q();
  const bool two = special_ && q() % 2 == 1;  // -1 is there, or is divided out
  const Integer scalars = special_ ? (two ? 2 : 1) : q() - 1, divided = projective_ ? scalars : Integer(1);
  const bool swapped = projective_ && q() % 2 == 1 && trace == 0;  // conjugate to its negative
  switch (c.kind) {
    case LinearClass::Kind::central:
      return Q * (Q * Q - 1) * (special_ ? Integer(1) : Integer(Q - 1)) / divided;
    case LinearClass::Kind::unipotent:
      return Q * scalars / divided;
    case LinearClass::Kind::split:
      return (Q - 1) * (special_ ? Integer(1) : Integer(Q - 1)) * (swapped ? 2 : 1) / divided;
    default:
      return (Q + 1) * (special_ ? Integer(1) : Integer(Q - 1)) * (swapped ? 2 : 1) / divided;
  }
}

std::vector<ListedClass> LinearForm::classes(const Task& task) const {
  std::vector<ListedClass> result;
  const auto add = [&](const Matrix& m) {
    const LinearClass type = classified(m);
    result.push_back({permutation(m), centralizer_order(type, field_.add(m.a, m.d)), key_of(m)});
  };
  task.require_memory(number_of_classes() * vector_.size() * sizeof(Point), "the conjugacy classes");
  add(normalised({1, 0, 0, 1}));
  for (std::uint64_t d = 0; d < determinants_; ++d)
    for (Element trace = 0; trace < q(); ++trace) {
      task.poll();
      if (projective_ && field_.negative(trace) < trace) continue;
      const LinearClass& c = eigenvalues_[d * q() + trace];
      const Element r = field_.power(c.i);
      if (c.kind != LinearClass::Kind::unipotent) {
        add({0, field_.negative(field_.power(d)), 1, trace});
        continue;
      }
      if (r != 1 && !projective_) add({r, 0, 0, r});
      add({r, r, 0, r});
      if (special_ && q() % 2 == 1) add({r, field_.multiply(r, field_.primitive_element()), 0, r});
    }
  return result;
}

}  // namespace intertwine
