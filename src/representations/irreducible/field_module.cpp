// Irreducible representations on the fields of linear characters.
#include "field_module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "representations/expressions/node.hpp"

namespace intertwine {

namespace {

std::uint32_t product_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t n) {
  return static_cast<std::uint32_t>(a * b % n);
}

/// The maps T_k with T_k e_1 = zeta^exponent[k] e_point[k].
class SemilinearMaps {
 public:
  SemilinearMaps(const MonomialIrreducibles& monomial, std::size_t source,
                 const std::vector<std::uint32_t>& automorphisms)
      : order_(monomial.order(source)), automorphisms_(automorphisms) {
    for (std::size_t v = 0; v < automorphisms.size(); ++v)
      moves_.push_back(monomial.images(source, monomial.representative(source, v)));
  }

  /// Chooses the points by the characters of H on the lines, and the exponents; false if there are none.
  bool find(const std::vector<std::vector<MonomialEntry>>& subgroup, const Task& task) {
    return find_points(subgroup) && find_exponents(task);
  }
  std::size_t size() const { return automorphisms_.size(); }
  std::uint32_t automorphism(std::size_t i) const { return automorphisms_[i]; }
  std::uint32_t point(std::size_t i) const { return points_[i]; }
  std::uint32_t exponent(std::size_t i) const { return static_cast<std::uint32_t>(exponents_[i]); }
  /// The number of the automorphism whose vector has this point.
  std::size_t at_point(std::uint32_t v) const {
    return static_cast<std::size_t>(std::find(points_.begin(), points_.end(), v) - points_.begin());
  }
  /// Is it one of those that generate the others?
  bool is_generator(std::uint32_t k) const {
    return std::find(generators_.begin(), generators_.end(), k) != generators_.end();
  }
  /// T_i e_v is g T_i e_1, where g takes e_1 to e_v.
  MonomialEntry apply(std::size_t i, std::uint32_t v) const {
    const MonomialEntry& y = moves_[v][points_[i]];
    return {y.point, static_cast<std::uint32_t>((y.exponent + std::uint64_t{exponent(i)}) % order_)};
  }
  /// T_j T_k = T_jk for all of them, and T_k A = A T_k for these matrices.
  bool is_group_beside(const std::vector<std::vector<MonomialEntry>>& matrices) const {
    for (std::size_t j = 0; j < size(); ++j)
      for (std::size_t k = 0; k < size(); ++k)
        if (!is_product(j, k)) return false;
    for (const auto& A : matrices)
      for (std::size_t k = 0; k < size(); ++k)
        for (std::uint32_t v = 0; v < size(); ++v) {
          const MonomialEntry x = apply(k, v), left{A[x.point].point, sum(A[x.point].exponent, x.exponent)};
          const MonomialEntry y = apply(k, A[v].point), right{y.point, sum(y.exponent, twisted(k, A[v].exponent))};
          if (left.point != right.point || left.exponent != right.exponent) return false;
        }
    return true;
  }

 private:
  std::uint32_t sum(std::uint64_t a, std::uint64_t b) const { return static_cast<std::uint32_t>((a + b) % order_); }
  std::uint32_t twisted(std::size_t k, std::uint32_t exponent) const {
    return product_modulo(automorphisms_[k], exponent, order_);
  }
  std::size_t index_of(std::uint32_t k) const {
    return static_cast<std::size_t>(std::lower_bound(automorphisms_.begin(), automorphisms_.end(), k) -
                                    automorphisms_.begin());
  }
  std::size_t product(std::size_t j, std::size_t k) const {
    return index_of(product_modulo(automorphisms_[j], automorphisms_[k], order_));
  }
  /// T_j T_k e_1.
  MonomialEntry composed(std::size_t j, std::size_t k) const {
    const MonomialEntry x = apply(j, points_[k]);
    return {x.point, sum(x.exponent, twisted(j, exponent(k)))};
  }
  bool is_product(std::size_t j, std::size_t k) const {
    const MonomialEntry x = composed(j, k);
    const std::size_t i = product(j, k);
    return x.point == points_[i] && x.exponent == exponent(i);
  }

  bool find_points(const std::vector<std::vector<MonomialEntry>>& subgroup) {
    for (const auto& h : subgroup)
      for (std::uint32_t v = 0; v < size(); ++v)
        if (h[v].point != v) return false;
    for (std::size_t k = 0; k < size(); ++k) {
      const auto has_character = [&](std::uint32_t v) {
        return std::all_of(subgroup.begin(), subgroup.end(),
                           [&](const auto& h) { return h[v].exponent == twisted(k, h[0].exponent); });
      };
      std::uint32_t v = 0;
      while (v < size() && !has_character(v)) ++v;
      if (v == size() || at_point(v) < points_.size()) return false;
      points_.push_back(v);
    }
    return true;
  }

  /// From subgroup to larger subgroup of automorphisms: the exponent of the next one is such that its power in the
  /// smaller group is what it is there, and that it commutes with the smaller group.
  bool find_exponents(const Task& task) {
    exponents_.assign(size(), -1);
    exponents_[index_of(1 % order_)] = 0;
    std::vector<std::size_t> known{index_of(1 % order_)};
    for (std::size_t k = 0; k < size(); ++k) {
      if (exponents_[k] >= 0) continue;
      std::vector<std::size_t> powers{known[0], k};
      while (exponents_[product(powers.back(), k)] < 0) powers.push_back(product(powers.back(), k));
      std::uint32_t x = 0;
      while (x < order_ && !extends(powers, x, known)) {
        task.poll();
        ++x;
      }
      if (x == order_) return false;
      generators_.push_back(automorphisms_[k]);
      const std::size_t before = known.size();
      for (std::size_t i = 1; i < powers.size(); ++i)
        for (std::size_t b = 0; b < before; ++b) {
          const std::size_t j = product(powers[i], known[b]);
          exponents_[j] = composed(powers[i], known[b]).exponent;
          known.push_back(j);
        }
    }
    return true;
  }
  /// Sets the exponents of the powers if that of the first is x.
  bool extends(const std::vector<std::size_t>& powers, std::uint32_t x, const std::vector<std::size_t>& known) {
    exponents_[powers[1]] = x;
    for (std::size_t i = 2; i < powers.size(); ++i) exponents_[powers[i]] = composed(powers[1], powers[i - 1]).exponent;
    return is_product(powers[1], powers.back()) && std::all_of(known.begin(), known.end(), [&](std::size_t b) {
             return composed(powers[1], b).exponent == composed(b, powers[1]).exponent;
           });
  }

  std::uint32_t order_;
  std::vector<std::uint32_t> automorphisms_;
  std::vector<std::vector<MonomialEntry>> moves_;  ///< the elements that take e_1 to e_v, as matrices
  std::vector<std::uint32_t> points_;
  std::vector<std::int64_t> exponents_;    ///< -1: not known yet
  std::vector<std::uint32_t> generators_;  ///< automorphisms that generate all
};

/// 1, z, ..., z^(m-1) for a root of unity z that has m conjugates over F, and the basis of F(z) that is dual to them
/// under the trace: the coefficients of f(x) / (x - z), over f'(z), f the minimal polynomial of z over F [Euler].
class PowerBasis {
 public:
  /// \param root  z = zeta^root  \param conjugates  one k for each conjugate z^k, 1 first
  PowerBasis(std::uint32_t order, std::uint32_t root, std::vector<std::uint32_t> conjugates)
      : order_(order), root_(root), conjugates_(std::move(conjugates)) {
    const Cyclotomic z = power(1);
    std::vector<Cyclotomic> f{1};  // the leading coefficient last
    Cyclotomic derivative = 1;
    for (const std::uint32_t k : conjugates_) {
      const Cyclotomic conjugate = power(k);
      if (k != conjugates_[0]) derivative *= z - conjugate;
      f.insert(f.begin(), 0);
      for (std::size_t i = 0; i + 1 < f.size(); ++i) f[i] -= conjugate * f[i + 1];
    }
    const Cyclotomic factor = derivative.inverse();
    dual_.assign(size(), factor);
    for (std::size_t i = size() - 1; i-- > 0;) dual_[i] = dual_[i + 1] * z + f[i + 1] * factor;
  }

  std::size_t size() const { return conjugates_.size(); }
  /// z^n.
  Cyclotomic power(std::uint64_t n) const {
    return Cyclotomic::root_of_unity(order_, product_modulo(n % order_, root_, order_));
  }
  /// The coordinates of z^n.
  std::vector<Cyclotomic> coordinates(std::uint64_t n) const {
    std::vector<Cyclotomic> result;
    for (std::size_t i = 0; i < size(); ++i) {
      if (n < size()) {
        result.emplace_back(i == n ? 1 : 0);
        continue;
      }
      const Cyclotomic x = power(n) * dual_[i];
      Cyclotomic trace;
      for (const std::uint32_t k : conjugates_) trace += x.galois_conjugate(k);
      result.push_back(trace);
    }
    return result;
  }

 private:
  std::uint32_t order_, root_;
  std::vector<std::uint32_t> conjugates_;
  std::vector<Cyclotomic> dual_;
};

/// The products of power bases for the roots of unity of prime power order, if K is the tensor product over F of what
/// these generate; otherwise the powers of zeta.
class FieldBasis {
 public:
  FieldBasis(std::uint32_t order, const std::vector<std::uint32_t>& automorphisms) : order_(order) {
    std::size_t product = 1;
    for (const auto& [p, e] : factorization(order)) {
      const auto q = static_cast<std::uint32_t>(prime_part(std::uint64_t{order}, p));
      add(q, automorphisms);
      product *= factors_.back().basis.size();
    }
    if (product == automorphisms.size()) return;
    factors_.clear();
    add(order, automorphisms);
  }

  /// The exponents of zeta for each basis vector. The powers of a root of unity are z^-j, ..., 1, ..., z^(m-1-j),
  /// which makes those that automorphisms take them to less far away.
  std::vector<std::uint32_t> exponents() const {
    std::vector<std::uint32_t> list{0};
    for (const Factor& factor : factors_) {
      std::vector<std::uint32_t> longer;
      for (const std::uint64_t e : list)
        for (std::uint64_t i = 0; i < factor.basis.size(); ++i)
          longer.push_back(static_cast<std::uint32_t>(
              (e + product_modulo(order_ + i - factor.place_of_one(), factor.root, order_)) % order_));
      list = std::move(longer);
    }
    return list;
  }
  /// The coordinates of zeta^n.
  std::vector<Cyclotomic> coordinates(std::uint64_t n) const {
    std::vector<Cyclotomic> list{1};
    for (const Factor& factor : factors_) {
      // zeta^n is the product over the factors of z^k, k root = n modulo the order of z.
      const std::uint64_t k = product_modulo(n % factor.order, factor.inverse, factor.order);
      const auto here = factor.basis.coordinates((k + factor.place_of_one()) % factor.order);
      std::vector<Cyclotomic> longer;
      for (const Cyclotomic& x : list)
        for (const Cyclotomic& y : here) longer.push_back(x * y);
      list = std::move(longer);
    }
    return list;
  }

 private:
  struct Factor {
    std::uint32_t order;    ///< of z = zeta^root
    std::uint32_t root;     ///< the order of zeta over that of z
    std::uint32_t inverse;  ///< of `root` modulo the order of z
    PowerBasis basis;
    std::size_t place_of_one() const { return (basis.size() - 1) / 2; }
  };
  void add(std::uint32_t q, const std::vector<std::uint32_t>& automorphisms) {
    std::vector<std::uint32_t> conjugates, seen;
    for (const std::uint32_t k : automorphisms) {
      if (std::find(seen.begin(), seen.end(), k % q) != seen.end()) continue;
      seen.push_back(k % q);
      conjugates.push_back(k);
    }
    const std::uint32_t root = order_ / q;
    const auto inverse = q == 1 ? 0 : static_cast<std::uint32_t>(inverse_modulo(root % q, q));
    factors_.push_back({q, root, inverse, PowerBasis(order_, root, std::move(conjugates))});
  }

  std::uint32_t order_;
  std::vector<Factor> factors_;
};

}  // namespace

struct FieldModule::Data {
  MonomialIrreducibles monomial;
  std::size_t source;
  std::uint32_t order;
  SemilinearMaps maps;
  FieldBasis basis;
  AbelianField field;     ///< F
  std::uint32_t root;     ///< the matrices are those in the basis for zeta^root in the place of zeta
  std::uint32_t inverse;  ///< the inverse of `root` modulo the order
  std::vector<Permutation> fixing;

  /// An element takes a to zeta^exponent k(a).
  struct Action {
    std::uint32_t exponent, automorphism;
  };
  static Action action(const SemilinearMaps& maps, std::uint32_t order, const std::vector<MonomialEntry>& images) {
    std::uint32_t v = 0;
    while (images[v].point != 0) ++v;
    const std::size_t k = maps.at_point(v);
    return {static_cast<std::uint32_t>((std::uint64_t{images[v].exponent} + maps.exponent(k)) % order),
            maps.automorphism(k)};
  }

  /// The image of the matrix of g under zeta -> zeta^twist.
  FieldMatrix matrix(const Permutation& g, std::uint32_t twist) const {
    const auto [exponent, k] = action(maps, order, monomial.images(source, g));
    const std::vector<std::uint32_t> exponents = basis.exponents();
    const std::size_t m = exponents.size(), degree = field.degree();
    std::vector<Rational> coefficients(m * m * degree);
    for (std::size_t j = 0; j < m; ++j) {
      const std::uint64_t power =
          std::uint64_t{product_modulo(exponent, inverse, order)} + product_modulo(k, exponents[j], order);
      const std::vector<Cyclotomic> column = basis.coordinates(power % order);
      for (std::size_t i = 0; i < m; ++i) {
        const auto at = field.coordinates(column[i].galois_conjugate(product_modulo(twist, root, order)));
        for (std::size_t t = 0; t < degree; ++t) coefficients[(i * degree + t) * m + j] = at[t];
      }
    }
    return {field, RationalMatrix(m, m * degree, coefficients), m};
  }
};

namespace {

class FieldMatrices final : public MatrixNode {
 public:
  FieldMatrices(std::shared_ptr<const FieldModule::Data> data, const FiniteGroup& G, std::uint32_t twist)
      : MatrixNode(G, data->maps.size(), 1, data->field), data_(std::move(data)), twist_(twist) {
    for (const Permutation& s : G.generators()) images_.push_back(data_->matrix(s, twist_));
  }

  Cyclotomic character(const Permutation& g) const override { return dense(g).trace(); }
  std::string text(TextForm) const override { return matrices_text(images_); }

 private:
  FieldMatrix matrix(const Permutation& g) const override { return data_->matrix(g, twist_); }

  std::shared_ptr<const FieldModule::Data> data_;
  std::uint32_t twist_;
};

/// A product of powers of the generators of H at which l is zeta: the Euclidean algorithm on exponents. Nothing if
/// there is none.
std::optional<Permutation> element_with_value_zeta(const MonomialLine& line, std::uint32_t order, std::size_t degree) {
  Permutation x = Permutation::identity(degree);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < line.generators->size(); ++i) {
    Permutation y = (*line.generators)[i];
    for (std::uint64_t e = line.exponents[i]; e != 0; std::swap(value, e), std::swap(x, y)) {
      x = x * y.power(-Integer(value / e));
      value %= e;
    }
  }
  if (std::gcd(value, order) != 1) return std::nullopt;
  return x.power(Integer(inverse_modulo(value % order, order)));
}

/// The exponent of the value of l at a generator of G, the first whose value has full order.
std::uint32_t best_root(const MonomialIrreducibles& monomial, std::size_t source, const FiniteGroup& G) {
  for (const Permutation& s : G.generators()) {
    const MonomialEntry first = monomial.images(source, s)[0];
    if (first.point == 0 && std::gcd(first.exponent, monomial.order(source)) == 1) return first.exponent;
  }
  return 1;
}

}  // namespace

std::optional<FieldModule> FieldModule::find(const MonomialIrreducibles& monomial, std::size_t source,
                                             const std::vector<std::uint32_t>& automorphisms, const Task& task) {
  const CharacterTable& table = monomial.table();
  const FiniteGroup& G = table.group();
  const std::uint32_t order = monomial.order(source);
  if (automorphisms.size() < 2 || table.degree(source) != Integer(automorphisms.size())) return std::nullopt;
  const MonomialLine& line = monomial.line(source);
  const auto h = element_with_value_zeta(line, order, G.degree());
  if (!h) return std::nullopt;
  std::vector<std::vector<MonomialEntry>> subgroup, generators;
  for (const Permutation& g : *line.generators) subgroup.push_back(monomial.images(source, g));
  for (const Permutation& g : G.generators()) generators.push_back(monomial.images(source, g));
  SemilinearMaps maps(monomial, source, automorphisms);
  if (!maps.find(subgroup, task) || !maps.is_group_beside(generators)) return std::nullopt;
  const std::uint32_t root = best_root(monomial, source, G);
  std::vector<Permutation> fixing;  // they take a to k(a), for generators k of A
  for (std::uint32_t v = 0; v < maps.size(); ++v) {
    const Permutation g = monomial.representative(source, v);
    const auto [exponent, k] = Data::action(maps, order, monomial.images(source, g));
    if (!maps.is_generator(k)) continue;
    const std::uint64_t back = product_modulo(exponent, inverse_modulo(k, order), order);
    fixing.push_back(g * h->power(-Integer(back)));
  }
  return FieldModule(
      std::make_shared<Data>(Data{monomial, source, order, std::move(maps), FieldBasis(order, automorphisms),
                                  AbelianField::generated_by(table.row(source)), root,
                                  static_cast<std::uint32_t>(inverse_modulo(root, order)), std::move(fixing)}));
}

IrreducibleRepresentation FieldModule::operator()(std::size_t row, std::uint32_t k) const {
  const CharacterTable& table = data_->monomial.table();
  const std::size_t m = data_->maps.size();
  const std::vector<std::uint32_t> exponents = data_->basis.exponents();
  const auto one = static_cast<std::size_t>(std::find(exponents.begin(), exponents.end(), 0) - exponents.begin());
  MultiplicityOneSeed seed{data_->fixing, std::vector<Cyclotomic>(data_->fixing.size(), 1),
                           FieldMatrix::identity(AbelianField(), m).block(0, one, m, 1)};
  const Representation V(std::make_shared<FieldMatrices>(data_, table.group(), k % data_->order));
  return {row, named_irreducible(V, table, row), std::move(seed),
          fmt::format("the field {} over that of the character, which a subgroup of index {} multiplies",
                      AbelianField::cyclotomic(data_->order).to_string(), m),
          true};
}

}  // namespace intertwine
