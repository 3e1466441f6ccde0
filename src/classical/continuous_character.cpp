// dim Hom by characters: knows the expressions, and nothing of matrices, terms or weight vectors.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "continuous_character.hpp"
#include "continuous_functors.hpp"
#include "external_modules.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/schur_representation.hpp"
#include "intertwine/reductive/classical_form.hpp"
#include "intertwine/reductive/weight_character.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine {

namespace laurent {

namespace {

using Node = ContinuousNode;
using Family = ClassicalGroup::Family;

void add(Laurent& a, const Laurent& b, const Integer& factor) {
  for (const auto& [weight, value] : b) {
    const auto [found, fresh] = a.try_emplace(weight, 0);
    found->second += factor * value;
    if (found->second == 0) a.erase(found);
  }
}

Laurent product(const Laurent& a, const Laurent& b, const Task& task) {
  Laurent out;
  for (const auto& [v, x] : a) {
    task.poll();
    for (const auto& [w, y] : b) {
      Weight sum = v;
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += w[k];
      out[sum] += x * y;
    }
  }
  std::erase_if(out, [](const auto& term) { return term.second == 0; });
  return out;
}

Laurent divided(Laurent a, const Integer& n) {
  for (auto& [weight, value] : a) {
    if (value % n != 0) throw InternalError("a symmetrized character is not integral");
    value /= n;
  }
  return a;
}

/// The character of the dual.
Laurent reversed(const Laurent& character) {
  Laurent out;
  for (const auto& [weight, value] : character) {
    Weight minus = weight;
    for (int& w : minus) w = -w;
    out[minus] = value;
  }
  return out;
}

std::vector<Eigenvalue> plus_minus(std::size_t rank, int sign) {
  std::vector<Eigenvalue> out;
  for (std::size_t k = 0; k < rank; ++k)
    for (const int e : {1, -1}) {
      out.push_back({sign, Weight(rank, 0)});
      out.back().weight[k] = e;
    }
  return out;
}

}  // namespace

std::vector<Component> components_of(const ClassicalGroup& G) {
  const std::size_t n = G.dimension(), m = n / 2;
  if (G.is_orthogonal()) {
    std::vector<Component> out{{n % 2 == 1 ? Component::Type::B : Component::Type::D, m, false, plus_minus(m, 1)}};
    if (n % 2 == 1) out[0].eigenvalues.push_back({1, Weight(m, 0)});
    if (G.family() == Family::Spin) {
      out[0].unit = 2;
      for (Eigenvalue& e : out[0].eigenvalues)
        for (int& w : e.weight) w *= 2;
    }
    if (G.family() != Family::O) return out;
    if (n % 2 == 1) {
      out.push_back({Component::Type::B, m, false, plus_minus(m, -1)});
      out[1].eigenvalues.push_back({-1, Weight(m, 0)});
    } else {
      out.push_back({Component::Type::C, m - 1, false, plus_minus(m - 1, 1)});
      for (const int sign : {1, -1}) out[1].eigenvalues.push_back({sign, Weight(m - 1, 0)});
    }
    out[1].index = 1;
    return out;
  }
  if (G.family() == Family::Sp) return {{Component::Type::C, m, false, plus_minus(m, 1)}};
  Component out{Component::Type::A, n, G.family() == Family::SL || G.family() == Family::SU, {}};
  for (std::size_t k = 0; k < n; ++k) {
    out.eigenvalues.push_back({1, Weight(n, 0)});
    out.eigenvalues.back().weight[k] = 1;
  }
  return {out};
}

namespace {

/// The character of a module of one classical group on a component.
class Characters {
 public:
  Characters(const Component& component, const Task& task) : component_(component), task_(task) {}

  /// chi(g^j)
  Laurent of(const Node& node, int j) {
    task_.poll();
    const Laurent one{{Weight(component_.rank, 0), 1}};
    const auto part = [&] { return of(*node.parts[0], j); };
    const auto powers = [&](int i) { return of(*node.parts[0], j * i); };
    const auto factors = [&] {
      Laurent out = one;
      for (const auto& factor : node.factors()) out = product(out, of(*factor, j), task_);
      return out;
    };
    const auto outside = []() -> Laurent {
      throw InternalError("the character of a product's module was asked of one factor");
    };
    return std::visit(
        Overloaded{
            [&](const Node::Trivial&) { return one; }, [&](const Node::Vector&) { return defining(j); },
            [&](const Node::Determinant&) { return determinant(j); }, [&](const Node::Finite&) { return outside(); },
            [&](const Node::Harmonic& own) {
              const auto axes = [&](int i) { return defining(j * i); };
              const int l = static_cast<int>(own.degree);
              Laurent out = power(axes, l, false);
              if (l >= 2) add(out, power(axes, l - 2, false), -1);
              return out;
            },
            [&](const Node::Irrep& own) {
              return own.is_spin ? spin_irrep(node, own, j) : irrep(node.classical(), own, j);
            },
            [&](const Node::RealForm&) { return of(*node.parts[0]->parts[0], j); },
            [&](const Node::Spinor& own) { return spinor(node.dimension, own.half, j); },
            [&](const Node::Given& own) { return given(own, j); },
            [&](const Node::Adjoint&) {
              Laurent out = part();
              if (component_.modulo_all_ones) add(out, one, -1);  // the trace
              return out;
            },
            [&](const Node::Dual&) { return reversed(part()); },
            [&](const Node::Real&) {  // the conjugate has the character of the dual
              Laurent out = part();
              add(out, reversed(out), 1);
              return out;
            },
            [&](const Node::Functor& own) {
              using Name = Node::Functor::Name;
              return own.name == Name::schur ? schur(own.shape, powers)
                                             : power(powers, static_cast<int>(own.degree()), own.name == Name::alt);
            },
            [&](const Node::Sum&) {
              Laurent out;
              for (const auto& summand : node.parts) add(out, of(*summand, j), 1);
              return out;
            },
            [&](const Node::Multiple& own) {
              Laurent out;
              add(out, part(), Integer(own.times));
              return out;
            },
            [&](const Node::Product&) { return factors(); }, [&](const Node::Power&) { return factors(); },
            [&](const Node::External&) { return outside(); }},
        node.form);
  }

 private:
  /// x^(+-1/2, ..., +-1/2), with an even or an odd number of minus signs for half-spinors, each as often as the
  /// dimension says.
  Laurent spinor(std::uint64_t dimension, int half, int j) const {
    Laurent out;
    const std::size_t m = component_.rank;
    const Integer times(dimension >> (half == 0 ? m : m - 1));
    for (std::uint64_t minus = 0; minus >> m == 0; ++minus) {
      if (half != 0 && (std::popcount(minus) % 2 == 0) != (half > 0)) continue;
      Weight weight(m, j);
      for (std::size_t k = 0; k < m; ++k)
        if ((minus >> k & 1) != 0) weight[k] = -j;
      out[weight] += times;
    }
    return out;
  }
  Laurent given(const Node::Given& own, int j) const {
    Laurent out;
    for (const auto& [eigenvalue, count] : own.matrices->eigenvalues[component_.index]) {
      Weight weight = eigenvalue.second;
      for (int& w : weight) w *= own.is_twisted ? -j : j;
      out[weight] += component_.signs && eigenvalue.first < 0 && j % 2 != 0 ? -count : count;
    }
    std::erase_if(out, [](const auto& term) { return term.second == 0; });
    return out;
  }
  Laurent defining(int j) const {
    Laurent out;
    for (const Eigenvalue& e : component_.eigenvalues) {
      Weight weight = e.weight;
      for (int& w : weight) w *= j;
      out[weight] += e.sign < 0 && j % 2 != 0 ? -1 : 1;
    }
    std::erase_if(out, [](const auto& term) { return term.second == 0; });
    return out;
  }
  Laurent determinant(int j) const {
    int sign = 1;
    Weight weight(component_.rank, 0);
    for (const Eigenvalue& e : component_.eigenvalues) {
      if (e.sign < 0 && j % 2 != 0) sign = -sign;
      for (std::size_t k = 0; k < weight.size(); ++k) weight[k] += j * e.weight[k];
    }
    return {{weight, sign}};
  }
  /// A polynomial in the h_k (or e_k) as a determinant: of entries f(rows_i - i + j) - f(rows_i - i - j), or with +
  /// where `plus`, where the first column is f(rows_i - i + 1) alone.
  Laurent determinant_of(const std::vector<int>& rows, const std::vector<Laurent>& f, bool plus) const {
    const int n = static_cast<int>(rows.size());
    const auto entry = [&](int i, int k) {
      Laurent out;
      const int at = rows[static_cast<std::size_t>(i)] - i + k,
                mirror = rows[static_cast<std::size_t>(i)] - i - k - (plus ? 0 : 2);
      if (at >= 0) add(out, f[static_cast<std::size_t>(at)], 1);
      if (mirror >= 0 && !(plus && k == 0)) add(out, f[static_cast<std::size_t>(mirror)], plus ? 1 : -1);
      return out;
    };
    // Row by row: the minors of the first rows, by their sets of columns.
    std::map<std::uint32_t, Laurent> minors{{0, {{Weight(component_.rank, 0), 1}}}};
    for (int i = 0; i < n; ++i) {
      std::map<std::uint32_t, Laurent> next;
      for (int k = 0; k < n; ++k) {
        const Laurent factor = entry(i, k);
        for (const auto& [set, minor] : minors)
          if ((set >> k & 1U) == 0)
            add(next[set | 1U << k], product(minor, factor, task_), std::popcount(set >> k) % 2 == 0 ? 1 : -1);
      }
      minors = std::move(next);
    }
    return minors.begin()->second;
  }
  /// The universal characters o and sp of a partition at the j-th powers of eigenvalues [Koike & Terada 1987]:
  /// determinants in h by rows or in e by columns, whichever are smaller.
  Laurent universal(const Partition& shape, int j, bool symplectic) const {
    if (shape.empty()) return {{Weight(component_.rank, 0), 1}};
    const Partition columns = shape.conjugate();
    const bool by_columns = columns.length() < shape.length();
    const std::vector<int>& rows = by_columns ? columns.parts() : shape.parts();
    const std::vector<Laurent> f =
        powers_up_to([&](int i) { return defining(j * i); }, rows[0] + static_cast<int>(rows.size()), by_columns);
    return determinant_of(rows, f, symplectic != by_columns);
  }
  /// The character of half-integral weights by Freudenthal's formula: the weights, also of a conjugate that differs, as
  /// often as the dimension says.
  Laurent spin_irrep(const Node& node, const Node::Irrep& own, int j) const {
    const LieGroup lie = lie_group_of(node.classical());
    int denominator = 1;
    const auto rows = coordinate_rows(classical_form(lie), lie.type().rank(), denominator);
    Laurent out;
    Integer dimension = 0;
    for (const intertwine::Weight& highest : spin_highest_weights(own.shape, own.half, node.classical().dimension())) {
      dimension += lie.type().dimension(highest);
      for (const WeightTerm& term : dominant_character(lie.type(), highest, task_))
        for (const intertwine::Weight& labels : lie.type().orbit(term.weight, 10'000'000, task_)) {
          Weight weight(component_.rank, 0);
          for (std::size_t i = 0; i < weight.size(); ++i)
            for (std::size_t k = 0; k < labels.size(); ++k) weight[i] += j * rows[i][k] * labels[k];
          out[weight] += term.coefficient;
        }
    }
    const Integer copies = Integer(node.dimension) / dimension;
    for (auto& [weight, value] : out) value *= copies;
    return out;
  }
  /// Halves: their sum is the universal character, their difference the product of the x_k - 1/x_k with sp of the
  /// partition without its first column.
  Laurent irrep(const ClassicalGroup& G, const Node::Irrep& own, int j) {
    Laurent out = universal(own.shape, j, G.family() == Family::Sp);
    if (own.half == 0) return out;
    std::vector<int> inner = own.shape.parts();
    for (int& row : inner) --row;
    Laurent difference = universal(Partition(inner), j, true);
    for (std::size_t k = 0; k < component_.rank; ++k) {
      Weight plus(component_.rank, 0), minus(component_.rank, 0);
      plus[k] = component_.unit * j;
      minus[k] = -plus[k];
      difference = product(difference, {{plus, 1}, {minus, -1}}, task_);
    }
    add(out, difference, own.half);
    return divided(std::move(out), 2);
  }
  /// Newton's identities: k h_k = sum p_i h_{k-i}, and k e_k = sum (-1)^{i-1} p_i e_{k-i}; all up to k.
  template <class Powers>
  std::vector<Laurent> powers_up_to(const Powers& powers, int k, bool alternating) const {
    std::vector<Laurent> p(static_cast<std::size_t>(k) + 1), h{{{Weight(component_.rank, 0), 1}}};
    for (int n = 1; n <= k; ++n) {
      p[static_cast<std::size_t>(n)] = powers(n);
      Laurent sum;
      for (int i = 1; i <= n; ++i)
        add(sum, product(p[static_cast<std::size_t>(i)], h[static_cast<std::size_t>(n - i)], task_),
            alternating && i % 2 == 0 ? -1 : 1);
      h.push_back(divided(std::move(sum), n));
    }
    return h;
  }
  template <class Powers>
  Laurent power(const Powers& powers, int k, bool alternating) const {
    return powers_up_to(powers, k, alternating).back();
  }
  /// sum over cycle types of chi^lambda p_mu / z_mu.
  template <class Powers>
  Laurent schur(const Partition& shape, const Powers& powers) {
    const int n = shape.weight();
    const Integer all = factorial(static_cast<unsigned long>(n));
    Laurent sum;
    for (const Partition& mu : partitions(n)) {
      const Integer value = symmetric_group_character(shape, mu, task_);
      if (value == 0) continue;
      Laurent term{{Weight(component_.rank, 0), 1}};
      for (const int part : mu) term = product(term, powers(part), task_);
      add(sum, term, value * (all / centralizer_order(mu)));
    }
    return divided(std::move(sum), all);
  }

  const Component& component_;
  const Task& task_;
};

}  // namespace

Weight twice_rho(const Component& component) {
  using Type = Component::Type;
  const auto rank = static_cast<int>(component.rank);
  Weight rho;
  for (int k = 0; k < rank; ++k)
    rho.push_back(component.type == Type::B   ? 2 * (rank - k) - 1
                  : component.type == Type::C ? 2 * (rank - k)
                                              : 2 * (rank - 1 - k));
  return rho;
}

Laurent constituents(const Laurent& character, const Component& component) {
  using Type = Component::Type;
  Laurent out;
  const Weight rho = twice_rho(component);
  for (const auto& [weight, value] : character) {
    Weight v = weight;  // twice (weight + rho)
    int sign = 1;
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = 2 / component.unit * v[k] + rho[k];
    bool negative = false;
    if (component.type != Type::A)
      for (int& x : v)
        if (x < 0) {
          x = -x;
          negative = !negative;
        }
    for (std::size_t i = 1; i < v.size(); ++i)  // insertion keeps the sign of the permutation
      for (std::size_t k = i; k > 0 && v[k - 1] < v[k]; --k) {
        std::swap(v[k - 1], v[k]);
        sign = -sign;
      }
    bool singular = false;
    for (std::size_t k = 0; k + 1 < v.size(); ++k) singular = singular || v[k] == v[k + 1];
    if (component.type == Type::C || component.type == Type::B) {
      if (negative) sign = -sign;
      singular = singular || (!v.empty() && v.back() == 0);
    } else if (component.type == Type::D && negative) {
      v.back() = -v.back();  // signs change in pairs
    }
    if (singular) continue;
    if (component.modulo_all_ones) {
      const int last = v.back();
      for (int& x : v) x -= last;
    }
    const auto [found, fresh] = out.try_emplace(v, 0);
    found->second += sign * value;
    if (found->second == 0) out.erase(found);
  }
  return out;
}

namespace {

/// An expression over a single finite factor as a representation of that group.
Representation finite_expression(const Node& node, const Task& task) {
  if (const auto* finite = node.as<Node::Finite>()) return finite->V;
  const auto part = [&](std::size_t k) { return finite_expression(*node.parts[k], task); };
  if (auto functor = same_functor<Representation>(node, part, task)) return *functor;
  return trivial_representation(std::get<FiniteGroup>(node.group.factors().front()));
}

std::vector<CharacterTerm> duals(std::vector<CharacterTerm> terms) {
  for (CharacterTerm& term : terms)
    for (auto& piece : term.pieces) {
      if (piece.finite) piece.finite = dual(*piece.finite);
      for (Laurent& character : piece.characters) character = reversed(character);
    }
  return terms;
}

}  // namespace

TermCharacters::TermCharacters(const ContinuousGroup& G, const Task& task, bool signs) : task_(task) {
  for (const auto& factor : G.factors()) {
    const auto* classical = std::get_if<ClassicalGroup>(&factor);
    components_.push_back(classical != nullptr ? components_of(*classical) : std::vector<Component>{});
    if (!signs)
      for (Component& component : components_.back()) {
        component.signs = false;
        for (Eigenvalue& e : component.eigenvalues) e.sign = 1;
      }
  }
}

std::vector<CharacterTerm> TermCharacters::of(const Node& node) {
  if (!node.group.is_product()) return {{{piece(node, 0)}, 1}};
  std::vector<CharacterTerm> out;
  if (node.is<Node::Dual>()) return duals(of(*node.parts[0]));
  if (node.is<Node::External>() || node.is<Node::Functor>() || node.is<Node::Real>()) {
    for (const ExternalModule& module : external_modules(node, task_)) {
      CharacterTerm term{{}, module.multiplicity};
      for (std::size_t k = 0; k < module.parts.size(); ++k) term.pieces.push_back(piece(*module.parts[k], k));
      out.push_back(std::move(term));
    }
    return out;
  }
  if (!node.is<Node::Sum>() && !node.is<Node::Multiple>()) {  // a product, or of no factors the trivial module
    out = {unit(node.group)};
    for (const auto& factor : node.factors()) out = products(out, of(*factor));
    return out;
  }
  for (const auto& part : node.parts)
    for (CharacterTerm& term : of(*part)) {
      if (const auto* multiple = node.as<Node::Multiple>()) term.multiplicity *= Integer(multiple->times);
      out.push_back(std::move(term));
    }
  return out;
}

Integer TermCharacters::pairing(const CharacterTerm& V, const CharacterTerm& U) {
  Integer out = V.multiplicity * U.multiplicity;
  for (const bool of_finite : {false, true})  // which cost more
    for (std::size_t f = 0; f < V.pieces.size() && out != 0; ++f) {
      const auto &a = V.pieces[f], &b = U.pieces[f];
      if (a.finite.has_value() != of_finite) continue;
      out *= a.finite ? finite(*a.finite, *b.finite) : classical(f, a, b);
    }
  return out;
}
CharacterTerm::Piece TermCharacters::piece(const Node& node, std::size_t f) {
  if (components_[f].empty()) return {finite_expression(node, task_), {}};
  CharacterTerm::Piece out;
  for (const Component& component : components_[f]) out.characters.push_back(Characters(component, task_).of(node, 1));
  return out;
}
CharacterTerm TermCharacters::unit(const ContinuousGroup& G) const {
  CharacterTerm term;
  for (std::size_t f = 0; f < components_.size(); ++f) {
    CharacterTerm::Piece piece;
    if (const auto* finite = std::get_if<FiniteGroup>(&G.factors()[f])) piece.finite = trivial_representation(*finite);
    for (const Component& component : components_[f]) piece.characters.push_back({{Weight(component.rank, 0), 1}});
    term.pieces.push_back(std::move(piece));
  }
  return term;
}
std::vector<CharacterTerm> TermCharacters::products(const std::vector<CharacterTerm>& a,
                                                    const std::vector<CharacterTerm>& b) {
  std::vector<CharacterTerm> out;
  for (const CharacterTerm& x : a)
    for (const CharacterTerm& y : b) {
      CharacterTerm term;
      term.multiplicity = x.multiplicity * y.multiplicity;
      for (std::size_t f = 0; f < x.pieces.size(); ++f) {
        CharacterTerm::Piece piece;
        if (x.pieces[f].finite) piece.finite = *x.pieces[f].finite * *y.pieces[f].finite;
        for (std::size_t c = 0; c < x.pieces[f].characters.size(); ++c)
          piece.characters.push_back(product(x.pieces[f].characters[c], y.pieces[f].characters[c], task_));
        term.pieces.push_back(std::move(piece));
      }
      out.push_back(std::move(term));
    }
  return out;
}

Integer TermCharacters::finite(const Representation& A, const Representation& B) {
  const auto [found, fresh] = finite_.try_emplace({A.to_string(TextForm::checked), B.to_string(TextForm::checked)});
  if (fresh) {
    const CountedDimension counted = hom_dimension(A, B, task_);
    routes.insert(counted.route);
    found->second = counted.dimension;
  }
  return found->second;
}
Integer TermCharacters::classical(std::size_t f, const CharacterTerm::Piece& a, const CharacterTerm::Piece& b) const {
  Integer sum = 0;
  const auto count = static_cast<int>(components_[f].size());
  for (std::size_t c = 0; c < components_[f].size(); ++c) {
    const Laurent left = constituents(a.characters[c], components_[f][c]),
                  right = constituents(b.characters[c], components_[f][c]);
    for (const auto& [weight, value] : left)
      if (const auto found = right.find(weight); found != right.end()) sum += value * found->second;
  }
  if (sum % count != 0) throw InternalError("the mean of characters over components is not integral");
  return sum / count;
}

}  // namespace laurent

CountedDimension continuous_hom_dimension(const ContinuousRepresentation& V, const ContinuousRepresentation& U,
                                          const Task& task) {
  if (!(V.group() == U.group()))
    throw DomainError(
        fmt::format("the representations belong to different groups, {} and {}", V.group().name(), U.group().name()));
  static_cast<void>(common_scalars(V, U));
  laurent::TermCharacters characters(V.group(), task);
  const auto in = characters.of(V.node()), out = characters.of(U.node());
  Integer sum = 0;
  for (const laurent::CharacterTerm& a : in)
    for (const laurent::CharacterTerm& b : out) {
      task.poll();
      sum += characters.pairing(a, b);
    }
  std::string route = "weyl-characters";
  for (const std::string& name : characters.routes)
    if (name != "weyl-characters") route += ", " + name;
  return {sum, route};
}

}  // namespace intertwine
