// Characters of GL(2, q), SL(2, q), PGL(2, q) and PSL(2, q) [Fulton & Harris 1991, 5.2], and of Sz(q) [Suzuki 1962].
#include <algorithm>
#include <array>
#include <numeric>

#include "intertwine/error.hpp"
#include "intertwine/exact/square_root.hpp"
#include "table_writer.hpp"

namespace intertwine {

namespace {

using Kind = LinearClass::Kind;

/// Sums of powers of zeta_n, each made once.
class SumsOfRoots {
 public:
  SumsOfRoots(std::uint64_t n, ValuePool& pool) : n_(n), pool_(pool) {}
  template <class... Exponents>
  ValuePool::Number sum(Exponents... exponents) {
    std::array<std::uint64_t, sizeof...(exponents)> a{exponents % n_...};
    std::ranges::sort(a);
    std::uint64_t key = 0;
    for (const std::uint64_t k : a) key = key * (n_ + 1) + k + 1;
    const auto [at, fresh] = known_.try_emplace(key, ValuePool::zero);
    if (fresh) {
      Cyclotomic total(0);
      for (const std::uint64_t k : a)
        total = total + Cyclotomic::root_of_unity(static_cast<std::uint32_t>(n_), static_cast<std::int64_t>(k));
      at->second = pool_(total);
    }
    return at->second;
  }

 private:
  std::uint64_t n_;
  ValuePool& pool_;
  std::unordered_map<std::uint64_t, ValuePool::Number> known_;
};

/// Rows one after the other, by values at the types of the classes.
template <class Form>
class FormRows {
 public:
  FormRows(const ConjugacyClasses& classes, const Form& form, std::uint64_t largest_conductor, const Task& task)
      : form_(form), writer_(classes.size(), task), q_(form.q()), task_(task) {
    for (std::size_t c = 0; c < classes.size(); ++c) types_.push_back(form.type(classes[c].representative));
    if (largest_conductor > Cyclotomic::max_conductor)
      throw LimitError("character_table: the field of the linear group is too large");
  }

 protected:
  template <class F>
  void row(F value) {
    task_.poll();
    for (std::size_t c = 0; c < types_.size(); ++c) writer_.set(row_, c, value(types_[c]));
    ++row_;
  }

  const Form& form_;
  RawTableWriter writer_;
  const std::uint64_t q_;

 private:
  const Task& task_;
  std::size_t row_ = 0;
  std::vector<decltype(std::declval<Form>().type(Permutation()))> types_;
};

class LinearRows : FormRows<LinearForm> {
 public:
  LinearRows(const ConjugacyClasses& classes, const LinearForm& form, const Task& task)
      : FormRows(
            classes, form,
            form.special() || form.projective() ? form.q() + std::uint64_t{1} : std::uint64_t{form.q()} * form.q() - 1,
            task) {}

  RawTable table() && {
    if (form_.special())
      special();
    else
      general();
    return std::move(writer_).table();
  }

 private:
  /// The rows of GL(2, q); those that scalars do not show are the ones of PGL(2, q): w^i on scalars for the m-th power
  /// of the determinant is omega^(2 i m).
  void general() {
    ValuePool& pool = writer_.pool();
    const bool all = !form_.projective();
    const std::uint64_t n = q_ - 1;
    SumsOfRoots omega(n, pool), zeta(all ? n * (q_ + 1) : q_ + 1, pool);
    const auto scaled = [&](std::int64_t a, ValuePool::Number x) { return pool.multiply(pool(a), x); };
    const auto Q = static_cast<std::int64_t>(q_);
    for (std::uint64_t m = 0; m < n; ++m) {
      if (!all && 2 * m % n != 0) continue;
      row([&](const LinearClass& c) {
        return omega.sum(m * (c.kind == Kind::anisotropic ? c.i : c.kind == Kind::split ? c.i + c.j : 2 * c.i));
      });
      row([&](const LinearClass& c) {
        if (c.kind == Kind::unipotent) return ValuePool::zero;
        if (c.kind == Kind::anisotropic) return scaled(-1, omega.sum(m * c.i));
        return c.kind == Kind::split ? omega.sum(m * (c.i + c.j)) : scaled(Q, omega.sum(2 * m * c.i));
      });
    }
    for (std::uint64_t a = 0; a < n; ++a)
      for (std::uint64_t b = all ? a + 1 : n - a; b < (all ? n : n - a + 1); ++b) {
        if (b <= a || b >= n) continue;
        row([&](const LinearClass& c) {
          if (c.kind == Kind::anisotropic) return ValuePool::zero;
          if (c.kind == Kind::split) return omega.sum(c.i * a + c.j * b, c.i * b + c.j * a);
          return scaled(c.kind == Kind::central ? Q + 1 : 1, omega.sum(c.i * (a + b)));
        });
      }
    // e^k to zeta^(t k), t = (q - 1) s where scalars are divided out.
    const std::uint64_t step = all ? 1 : n, units = n * (q_ + 1);
    for (std::uint64_t t = 0; t < units; t += step) {
      if (t % (q_ + 1) == 0 || t * q_ % units < t || t * q_ % units == t) continue;
      row([&](const LinearClass& c) {
        if (c.kind == Kind::split) return ValuePool::zero;
        if (c.kind == Kind::anisotropic)
          return scaled(-1, zeta.sum(t / step * c.i, t / step * c.i % (units / step) * q_));
        return scaled(c.kind == Kind::central ? Q - 1 : -1, omega.sum(t % n * c.i));
      });
    }
  }

  /// With the centre divided out those that are trivial on -1.
  void special() {
    ValuePool& pool = writer_.pool();
    const bool odd = q_ % 2 == 1, all = !(odd && form_.projective());
    const auto Q = static_cast<std::int64_t>(q_);
    SumsOfRoots rho(q_ - 1, pool), sigma(q_ + 1, pool);
    const auto is_minus = [](const LinearClass& c) { return c.i != 0; };  // of central and unipotent ones
    const auto signed_by = [&](bool minus, ValuePool::Number x) { return minus ? pool.negative(x) : x; };
    row([](const LinearClass&) { return ValuePool::one; });
    row([&](const LinearClass& c) {
      return pool(c.kind == Kind::central ? Q : c.kind == Kind::unipotent ? 0 : c.kind == Kind::split ? 1 : -1);
    });
    const std::uint64_t step = all ? 1 : 2;
    for (std::uint64_t k = step; 2 * k < q_ - 1; k += step)
      row([&](const LinearClass& c) {
        if (c.kind == Kind::anisotropic) return ValuePool::zero;
        if (c.kind == Kind::split) return rho.sum(k * c.i, k * c.j);
        return signed_by(is_minus(c) && k % 2 == 1, pool(c.kind == Kind::central ? Q + 1 : 1));
      });
    for (std::uint64_t k = step; 2 * k < q_ + 1; k += step)
      row([&](const LinearClass& c) {
        if (c.kind == Kind::split) return ValuePool::zero;
        if (c.kind == Kind::anisotropic) {
          const std::uint64_t m = c.i / (q_ - 1);
          return pool.negative(sigma.sum(k * m, k * (q_ + 1 - m)));
        }
        return signed_by(is_minus(c) && k % 2 == 1, pool(c.kind == Kind::central ? Q - 1 : -1));
      });
    if (odd) halves(all);
  }

  /// The halves of the reducible members of both series: on transvections (e +- sqrt(e' q)) / 2 with e' = (-1)^((q - 1) / 2).
  void halves(bool all) {
    ValuePool& pool = writer_.pool();
    const auto Q = static_cast<std::int64_t>(q_);
    const std::int64_t sign = q_ % 4 == 1 ? 1 : -1;
    const Cyclotomic root = square_root(sign * Q), half = Rational(1, 2);
    for (const bool principal : {true, false}) {
      const std::int64_t one = principal ? 1 : -1, centre = one * sign;  // what -1 goes to
      if (!all && centre < 0) continue;
      for (const bool first : {true, false}) {
        const ValuePool::Number a = pool(half * (Cyclotomic(one) + root)), b = pool(half * (Cyclotomic(one) - root));
        row([&](const LinearClass& c) {
          const bool minus = c.i != 0 && centre < 0;
          if (c.kind == Kind::central) return pool((minus ? -1 : 1) * (Q + one) / 2);
          if (c.kind == Kind::unipotent) {
            const ValuePool::Number x = c.second == first ? b : a;
            return minus ? pool.negative(x) : x;
          }
          if (c.kind == Kind::split) return principal ? pool(c.i % 2 == 0 ? 1 : -1) : ValuePool::zero;
          return principal ? ValuePool::zero : pool(c.i / (q_ - 1) % 2 == 0 ? -1 : 1);
        });
      }
    }
  }
};

class SuzukiRows : FormRows<SuzukiForm> {
 public:
  SuzukiRows(const ConjugacyClasses& classes, const SuzukiForm& form, const Task& task)
      : FormRows(classes, form, form.q() + form.r() + 1, task) {}

  RawTable table() && {
    using Order = SuzukiClass::Kind;
    ValuePool& pool = writer_.pool();
    const auto q = static_cast<std::int64_t>(q_), r = static_cast<std::int64_t>(form_.r());
    /// Values on the identity, involutions, elements of order 4, and those of odd order.
    const auto family = [&](std::int64_t degree, std::int64_t involution, std::int64_t quarter, auto odd) {
      row([&](const SuzukiClass& c) {
        return c.kind == Order::identity     ? pool(degree)
               : c.kind == Order::involution ? pool(involution)
               : c.kind == Order::quarter    ? pool(quarter)
                                             : odd(c);
      });
    };
    family(1, 1, 1, [](const SuzukiClass&) { return ValuePool::one; });
    family(q * q, 0, 0, [&](const SuzukiClass& c) { return pool(c.kind == Order::split ? 1 : -1); });
    SumsOfRoots split(q_ - 1, pool);
    for (std::uint64_t i = 1; 2 * i < q_ - 1; ++i)
      family(q * q + 1, 1, 1, [&](const SuzukiClass& c) {
        return c.kind == Order::split ? split.sum(i * c.k, i * (q_ - 1 - c.k)) : ValuePool::zero;
      });
    for (const Order kind : {Order::plus, Order::minus}) {
      const std::int64_t s = kind == Order::plus ? r : -r;
      const auto n = static_cast<std::uint64_t>(q + s + 1);
      SumsOfRoots roots(n, pool);
      for (std::uint64_t j = 1; 2 * j < n; ++j) {
        const std::uint64_t turned = j * q_ % n;
        if (std::min(turned, n - turned) < j) continue;
        family((q - s + 1) * (q - 1), s - 1, -1, [&](const SuzukiClass& c) {
          if (c.kind != kind) return ValuePool::zero;
          return pool.negative(roots.sum(j * c.k, turned * c.k, j * (n - c.k), turned * (n - c.k)));
        });
      }
    }
    for (const std::uint64_t first : {0, 1})
      row([&](const SuzukiClass& c) {
        if (c.kind == Order::quarter) {
          const Cyclotomic i = Cyclotomic::root_of_unity(4, c.k == first ? 1 : -1);
          return pool(Cyclotomic(r / 2) * i);
        }
        return pool(c.kind == Order::identity     ? r / 2 * (q - 1)
                    : c.kind == Order::involution ? -r / 2
                    : c.kind == Order::split      ? 0
                    : c.kind == Order::plus       ? 1
                                                  : -1);
      });
    return std::move(writer_).table();
  }
};

}  // namespace

RawTable linear_table(const ConjugacyClasses& classes, const LinearForm& form, const Task& task) {
  return LinearRows(classes, form, task).table();
}

RawTable linear_table(const ConjugacyClasses& classes, const SuzukiForm& form, const Task& task) {
  return SuzukiRows(classes, form, task).table();
}

}  // namespace intertwine
