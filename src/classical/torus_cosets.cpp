// Components of continuous groups as cosets of tori, for series.
#include "torus_cosets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"

namespace intertwine::laurent {

namespace {

/// (sign, weight) and how often it is an eigenvalue.
using Signed = std::map<std::pair<int, Weight>, std::uint64_t>;
/// The trace of g^d for the divisors d of the order of g.
using Traces = std::map<std::uint64_t, Cyclotomic>;

/// The data of a term of V or W on an element of one factor.
struct Part {
  Signed eigenvalues;
  Laurent constituents;
  Traces traces;
};

Weight shortened(Weight w, const Component& component) {
  if (!component.modulo_all_ones) return w;
  const int last = w.back();
  w.pop_back();
  for (int& x : w) x -= last;
  return w;
}

/// From traces with and without the sign of the component.
Signed eigenvalues_of(const Laurent& plain, const Laurent& with_signs, const Component& component) {
  Signed out;
  for (const auto& [weight, both] : plain) {
    const auto found = with_signs.find(weight);
    const Integer difference = found == with_signs.end() ? Integer(0) : found->second;
    for (const int sign : {1, -1}) {
      const Integer twice = both + sign * difference;
      if (twice < 0 || twice % 2 != 0) throw InternalError("eigenvalues do not have the traces of a character");
      if (twice != 0) out[{sign, shortened(weight, component)}] += (twice / 2).convert_to<std::uint64_t>();
    }
  }
  return out;
}

Integer weyl_order(const Component& component) {
  using Type = Component::Type;
  const Integer permutations = factorial(component.rank);
  if (component.type == Type::A || component.rank == 0) return permutations;
  return permutations << (component.type == Type::D ? component.rank - 1 : component.rank);
}

/// sum over the Weyl group of sign * x^(w (lambda + rho) - rho), for every constituent lambda.
Laurent targets_of(const Laurent& constituents, const Component& component) {
  using Type = Component::Type;
  const Weight rho = twice_rho(component);
  Laurent out;
  for (const auto& [highest, multiplicity] : constituents) {
    std::map<Weight, int> orbit{{highest, 1}};
    std::vector<Weight> open{highest};
    while (!open.empty()) {
      const Weight v = std::move(open.back());
      open.pop_back();
      const int sign = -orbit.at(v);
      const auto meet = [&](const Weight& w) {
        if (orbit.try_emplace(w, sign).second) open.push_back(w);
      };
      for (std::size_t k = 0; k + 1 < v.size(); ++k) {
        Weight w = v;
        std::swap(w[k], w[k + 1]);
        meet(w);
      }
      Weight w = v;
      if ((component.type == Type::B || component.type == Type::C) && !v.empty()) {
        w.back() = -w.back();
        meet(w);
      } else if (component.type == Type::D && v.size() > 1) {
        w[w.size() - 1] = -v[w.size() - 2];
        w[w.size() - 2] = -v[w.size() - 1];
        meet(w);
      }
    }
    for (const auto& [v, sign] : orbit) {
      Weight w = v;
      for (std::size_t k = 0; k < w.size(); ++k) w[k] = (w[k] - rho[k]) * component.unit / 2;
      out[shortened(std::move(w), component)] += sign * multiplicity;
    }
  }
  return out;
}

/// The sum of the m-th powers of the primitive q-th roots of unity.
std::int64_t ramanujan_sum(std::uint64_t q, std::uint64_t m) {
  const std::uint64_t rest = q / std::gcd(q, m);
  return moebius(rest) * static_cast<std::int64_t>(totient(q) / totient(rest));
}

Weight joined(Weight a, const Weight& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The trace of g^d, g of order n: a conjugate of that at a divisor.
Cyclotomic trace_at(const Traces& traces, std::uint64_t n, std::uint64_t d) {
  const std::uint64_t e = std::gcd(d, n);
  return traces.at(e).galois_conjugate(static_cast<std::int64_t>(e == n ? 1 : d / e));
}

/// From the field of roots of unity of this order, in which the number lies.
Rational trace_from(std::uint64_t order, const Cyclotomic& value) {
  return value.trace() * totient(order) / totient(value.conductor());
}

/// Representations need not be over Q: of classes that powers exchange, conjugates of characters are added up, so that all numbers are rational.
class Cosets {
 public:
  Cosets(const ContinuousRepresentation& V, const ContinuousRepresentation& W, const Task& task)
      : dimension_(V.dimension()), task_(task) {
    TermCharacters with_signs(V.group(), task), plain(V.group(), task, false);
    components_ = with_signs.components();
    for (const auto& factor : V.group().factors()) {
      const auto* finite = std::get_if<FiniteGroup>(&factor);
      classes_.push_back(finite ? std::optional(conjugacy_classes(*finite, task)) : std::nullopt);
      all_ *= finite ? finite->order(task) : Integer(components_[classes_.size() - 1].size());
    }
    const auto of_V = with_signs.of(V.node()), plain_V = plain.of(V.node()), of_W = with_signs.of(W.node());
    for (std::size_t k = 0; k < of_V.size(); ++k) add_to_V(parts_of(of_V[k], &plain_V[k]));
    for (const CharacterTerm& term : of_W) W_.push_back(parts_of(term, nullptr));
    if (rational_) exponent_ = 1;
    all_ *= totient(exponent_);
  }

  void operator()(const std::function<void(const Coset&)>& f) const {
    std::vector<std::size_t> choice(classes_.size(), 0);
    while (true) {
      task_.poll();
      f(coset(choice));
      std::size_t k = 0;
      for (; k < choice.size(); ++k) {
        if (++choice[k] < (classes_[k] ? classes_[k]->size() : components_[k].size())) break;
        choice[k] = 0;
      }
      if (k == choice.size()) return;
    }
  }
  const Integer& all() const { return all_; }

 private:
  /// A sum of external products: by factor and element of it.
  struct Term {
    Integer multiplicity;
    std::vector<std::vector<Part>> parts;
  };

  /// To the terms of V with the same eigenvalues on tori: finite factors may have rational traces together.
  void add_to_V(Term term) {
    const auto alike = [&](const std::vector<Term>& terms) {
      for (std::size_t f = 0; f < classes_.size(); ++f)
        if (!classes_[f] &&
            !std::ranges::equal(terms.front().parts[f], term.parts[f], {}, &Part::eigenvalues, &Part::eigenvalues))
          return false;
      return true;
    };
    const auto found = std::ranges::find_if(V_, alike);
    (found == V_.end() ? V_.emplace_back() : *found).push_back(std::move(term));
  }

  /// \param plain  of V the same without signs; W has targets
  Term parts_of(const CharacterTerm& term, const CharacterTerm* plain) {
    Term out{term.multiplicity, {}};
    for (std::size_t f = 0; f < term.pieces.size(); ++f) {
      auto& parts = out.parts.emplace_back();
      const auto& piece = term.pieces[f];
      for (std::size_t c = 0; c < piece.characters.size(); ++c) {
        const Component& component = components_[f][c];
        parts.push_back(
            plain ? Part{eigenvalues_of(plain->pieces[f].characters[c], piece.characters[c], component), {}, {}}
                  : Part{{}, constituents(piece.characters[c], component), {}});
      }
      if (!piece.finite) continue;
      for (std::size_t c = 0; c < classes_[f]->size(); ++c) {
        const ConjugacyClass& k = (*classes_[f])[c];
        Part part;
        for (const std::uint64_t d : plain ? divisors(k.element_order) : std::vector<std::uint64_t>{1}) {
          task_.poll();
          const Cyclotomic& trace = part.traces[d] = piece.finite->character(k.representative.power(Integer(d)));
          rational_ = rational_ && trace.is_rational();
        }
        exponent_ = std::lcm(exponent_, k.element_order);
        parts.push_back(std::move(part));
      }
    }
    return out;
  }

  Coset coset(const std::vector<std::size_t>& choice) const {
    Coset out;
    std::uint64_t order = 1;
    Integer weyl = 1;
    for (std::size_t f = 0; f < choice.size(); ++f) {
      if (classes_[f]) {
        const ConjugacyClass& k = (*classes_[f])[choice[f]];
        out.elements *= k.size;
        order = std::lcm(order, k.element_order);
      } else {
        const Component& component = components_[f][choice[f]];
        out.rank += component.rank - (component.modulo_all_ones ? 1 : 0);
        weyl *= weyl_order(component);
      }
    }
    const bool rational = std::ranges::all_of(V_, [&](const auto& terms) {
      return std::ranges::all_of(divisors(order),
                                 [&](std::uint64_t d) { return trace(terms, choice, d).is_rational(); });
    });
    if (!rational) ++out.rank;
    for (const auto& terms : V_) add_roots(out, terms, choice, order, rational);
    std::uint64_t found = 0;
    for (const auto& [root, copies] : out.roots) found += totient(root.first) * copies;
    if (found != dimension_) throw InternalError("the eigenvalues of an element are not as many as the dimension");
    if (rational)
      out.target = [this, choice](const Weight& weight) { return target(weight, choice, 1); };
    else
      out.target = [this, choice, order](Weight weight) {
        const Cyclotomic root = Cyclotomic::root_of_unity(static_cast<std::uint32_t>(order), weight.back());
        weight.pop_back();
        return target(weight, choice, root);
      };
    if (rational && weyl <= Integer(largest_weyl_group)) out.targets = targets(choice);
    return out;
  }

  /// The trace of g^d in the finite factors, on the sum of these terms.
  Cyclotomic trace(const std::vector<Term>& terms, const std::vector<std::size_t>& choice, std::uint64_t d) const {
    Cyclotomic sum = 0;
    for (const Term& term : terms) {
      Cyclotomic product = term.multiplicity;
      for (std::size_t f = 0; f < choice.size(); ++f)
        if (classes_[f])
          product *= trace_at(term.parts[f][choice[f]].traces, (*classes_[f])[choice[f]].element_order, d);
      sum += product;
    }
    return sum;
  }

  /// The contribution of a term of W in the finite factors, for an eigenvalue on a symmetric power of V: a sum over
  /// conjugates.
  Integer finite_part(const Term& term, const std::vector<std::size_t>& choice, const Cyclotomic& root) const {
    Cyclotomic value = root * term.multiplicity;
    for (std::size_t f = 0; f < choice.size(); ++f)
      if (classes_[f]) value *= term.parts[f][choice[f]].traces.at(1).conjugate();
    return numerator(trace_from(exponent_, value));
  }

  Laurent targets(const std::vector<std::size_t>& choice) const {
    Laurent out;
    for (const Term& term : W_) {
      Laurent some{{{}, finite_part(term, choice, 1)}};
      for (std::size_t f = 0; f < choice.size(); ++f) {
        if (classes_[f]) continue;
        const Laurent factor = targets_of(term.parts[f][choice[f]].constituents, components_[f][choice[f]]);
        Laurent next;
        for (const auto& [weight, value] : some)
          for (const auto& [w, times] : factor) next[joined(weight, w)] += value * times;
        some = std::move(next);
      }
      for (const auto& [weight, value] : some) out[weight] += value;
    }
    std::erase_if(out, [](const auto& term) { return term.second == 0; });
    return out;
  }

  /// The target at one weight, found by the reflections of the weight.
  Integer target(const Weight& weight, const std::vector<std::size_t>& choice, const Cyclotomic& root) const {
    std::vector<Laurent> dominant(choice.size());  // one term, or none
    auto from = weight.begin();
    for (std::size_t f = 0; f < choice.size(); ++f) {
      if (classes_[f]) continue;
      const Component& component = components_[f][choice[f]];
      const auto to = from + static_cast<std::ptrdiff_t>(component.rank - (component.modulo_all_ones ? 1 : 0));
      Weight own(from, to);
      if (component.modulo_all_ones) own.push_back(0);
      dominant[f] = constituents({{std::move(own), 1}}, component);
      if (dominant[f].empty()) return 0;
      from = to;
    }
    Integer sum = 0;
    for (const Term& term : W_) {
      Integer value = 1;
      for (std::size_t f = 0; f < choice.size() && value != 0; ++f) {
        if (classes_[f]) continue;
        const Part& part = term.parts[f][choice[f]];
        const auto found = part.constituents.find(dominant[f].begin()->first);
        value *= found == part.constituents.end() ? Integer(0) : dominant[f].begin()->second * found->second;
      }
      if (value != 0) sum += value * finite_part(term, choice, root);
    }
    return sum;
  }

  /// On tori, the same for all of these terms.
  Signed torus_eigenvalues(const Term& term, const std::vector<std::size_t>& choice) const {
    Signed eigenvalues{{{1, {}}, 1}};
    for (std::size_t f = 0; f < choice.size(); ++f) {
      if (classes_[f]) continue;
      Signed next;
      for (const auto& [a, copies] : eigenvalues)
        for (const auto& [b, times] : term.parts[f][choice[f]].eigenvalues)
          next[{a.first * b.first, joined(a.second, b.second)}] += copies * times;
      eigenvalues = std::move(next);
    }
    return eigenvalues;
  }

  /// The eigenvalues of terms alike: where some are not rational together, roots of unity are powers, with one more coordinate of weights for the exponent.
  void add_roots(Coset& coset, const std::vector<Term>& terms, const std::vector<std::size_t>& choice,
                 std::uint64_t order, bool rational) const {
    const Signed eigenvalues = torus_eigenvalues(terms.front(), choice);
    const auto add = [&](std::uint64_t e, const Integer& sum, const Weight& exponent) {
      if (sum % order != 0 || sum < 0)
        throw InternalError("traces at powers are not those of a matrix of finite order");
      const auto times = Integer(sum / order).convert_to<std::uint64_t>();
      if (times == 0) return;
      for (const auto& [eigenvalue, copies] : eigenvalues) {
        const std::uint64_t negative = e % 2 == 1 ? 2 * e : e % 4 == 2 ? e / 2 : e;
        coset.roots[{eigenvalue.first > 0 ? e : negative, joined(eigenvalue.second, exponent)}] += copies * times;
      }
    };
    const std::vector<std::uint64_t> all = divisors(order);
    std::vector<Cyclotomic> traces;
    for (const std::uint64_t d : all) traces.push_back(trace(terms, choice, d));
    if (rational) {
      for (const std::uint64_t e : all) {
        Integer sum = 0;  // order * how often each primitive e-th root is an eigenvalue of the finite factors
        for (std::size_t k = 0; k < all.size(); ++k)
          sum += traces[k].to_integer() * ramanujan_sum(order / all[k], order / e);
        add(e, sum, {});
      }
      return;
    }
    const auto n = static_cast<int>(order);
    for (int exponent = -(n - 1) / 2; exponent <= n / 2; ++exponent) {
      // order * how often this power of a root is an eigenvalue: g^d with the same gcd of d and the order have conjugate traces.
      Rational sum = 0;
      for (std::size_t k = 0; k < all.size(); ++k) {
        task_.poll();
        const std::uint64_t q = order / all[k];
        sum += trace_from(
            q, traces[k] * Cyclotomic::root_of_unity(static_cast<std::uint32_t>(q), -std::int64_t{exponent}));
      }
      add(1, numerator(sum), {exponent});
    }
  }

  std::uint64_t dimension_;
  const Task& task_;
  std::vector<std::vector<Component>> components_;
  std::vector<std::optional<ConjugacyClasses>> classes_;
  Integer all_ = 1;
  std::vector<std::vector<Term>> V_;
  std::vector<Term> W_;
  bool rational_ = true;  ///< are all traces of finite factors?
  /// The exponent of the finite factors, 1 where all are rational: conjugates of characters over its roots of unity are
  /// added up.
  std::uint64_t exponent_ = 1;
};

}  // namespace

Integer for_each_coset(const ContinuousRepresentation& V, const ContinuousRepresentation& W, const Task& task,
                       const std::function<void(const Coset&)>& f) {
  const Cosets cosets(V, W, task);
  cosets(f);
  return cosets.all();
}

}  // namespace intertwine::laurent
