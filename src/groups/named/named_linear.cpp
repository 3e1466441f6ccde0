// General, special, projective and affine linear groups over finite fields.
#include <fmt/format.h>

#include <utility>

#include "groups/named/field_action.hpp"
#include "groups/named/named_support.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/finite_field.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

using Vector = std::vector<GaloisField::Element>;

/// v -> A v + t. Each row of A lists its non-zero entries as (column, entry); t may be empty.
struct AffineMap {
  std::vector<std::vector<std::pair<unsigned, GaloisField::Element>>> rows;
  Vector translation;

  static AffineMap identity(unsigned n) {
    AffineMap map;
    for (unsigned i = 0; i < n; ++i) map.rows.push_back({{i, 1}});
    return map;
  }
  void apply(const GaloisField& field, const Vector& v, Vector& image) const {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto [first, factor] = rows[i].front();
      image[i] = factor == 1 ? v[first] : field.multiply(factor, v[first]);
      for (std::size_t k = 1; k < rows[i].size(); ++k)
        image[i] = field.add(image[i], field.multiply(rows[i][k].second, v[rows[i][k].first]));
      if (!translation.empty() && translation[i] != 0) image[i] = field.add(image[i], translation[i]);
    }
  }
};

/// Generators of SL(n,q), and of GL(n,q) with `general`. They generate: conjugates of 1 + E_12 by diag(w,
/// w^-1, 1, ...) are 1 + w^2i E_12, whose products are the whole root subgroup, since w^2 lies in no proper
/// subfield; the monomial cycle carries it to the other simple roots, and the commutators give all
/// transvections.
std::vector<AffineMap> linear_generators(const GaloisField& field, unsigned n, bool general) {
  const GaloisField::Element w = field.primitive_element();
  std::vector<AffineMap> maps;
  AffineMap diagonal = AffineMap::identity(n);
  diagonal.rows[0] = {{0, general ? w : n > 1 ? w : 1}};
  if (!general && n > 1) diagonal.rows[1] = {{1, field.inverse(w)}};
  maps.push_back(std::move(diagonal));
  if (n > 1) {
    AffineMap transvection = AffineMap::identity(n);
    transvection.rows[0].emplace_back(1, 1);
    maps.push_back(std::move(transvection));
    AffineMap cycle = AffineMap::identity(n);
    for (unsigned i = 1; i < n; ++i) cycle.rows[i] = {{i - 1, 1}};
    cycle.rows[0] = {{n - 1, n % 2 == 1 ? 1 : field.negative(1)}};
    maps.push_back(std::move(cycle));
  }
  return maps;
}

std::vector<AffineMap> translations(const GaloisField& field, unsigned n, bool general) {
  // GL(n,q), and SL(n,q) for n > 1, are transitive on the non-zero vectors: one translation is enough.
  const unsigned count = general || n > 1 ? 1 : field.exponent();
  std::vector<AffineMap> maps;
  GaloisField::Element power = 1;
  for (unsigned i = 0; i < count; ++i, power = field.multiply(power, field.primitive_element())) {
    maps.push_back(AffineMap::identity(n));
    maps.back().translation.assign(n, 0);
    maps.back().translation[0] = power;
  }
  return maps;
}

enum class Domain { nonzero_vectors, projective_points, all_vectors };

/// The vectors of a domain, numbered in lexicographic order.
class Numbering {
 public:
  Numbering(const GaloisField& field, unsigned n, Domain domain) : field_(field), n_(n), domain_(domain) {}

  void decode(std::uint64_t point, Vector& v) const {
    if (domain_ == Domain::nonzero_vectors) ++point;
    if (domain_ == Domain::projective_points) {
      // The points with last free entries m = 0, 1, ... number q^m each.
      std::uint64_t block = 1;
      while (point >= block) {
        point -= block;
        block *= field_.size();
      }
      point += block;
    }
    for (unsigned i = n_; i-- > 0; point /= field_.size())
      v[i] = static_cast<GaloisField::Element>(point % field_.size());
  }
  std::uint64_t encode(Vector& v) const {
    if (domain_ != Domain::projective_points) return number(v, 0) - (domain_ == Domain::nonzero_vectors ? 1 : 0);
    unsigned lead = 0;
    while (v[lead] == 0) ++lead;
    const GaloisField::Element scale = field_.inverse(v[lead]);
    std::uint64_t before = 0;
    for (unsigned i = lead; i < n_; ++i) v[i] = field_.multiply(v[i], scale);
    for (unsigned i = lead + 1; i < n_; ++i) before = before * field_.size() + 1;
    return before + number(v, lead + 1);
  }

 private:
  std::uint64_t number(const Vector& v, unsigned from) const {
    std::uint64_t result = 0;
    for (unsigned i = from; i < n_; ++i) result = result * field_.size() + v[i];
    return result;
  }
  const GaloisField& field_;
  unsigned n_;
  Domain domain_;
};

/// The number of points, cut off once it is clear that it exceeds every limit.
Integer number_of_points(unsigned n, unsigned q, Domain domain) {
  if (domain == Domain::projective_points) {
    Integer points = 0;
    for (unsigned i = 0; i < n && points <= Integer(max_named_degree); ++i) points = points * Integer(q) + 1;
    return points;
  }
  Integer points = 1;
  for (unsigned i = 0; i < n && points <= Integer(max_named_degree) + 1; ++i) points *= Integer(q);
  return domain == Domain::all_vectors ? points : Integer(points - 1);
}

/// With the automorphism v -> v^p of the field, if asked.
FiniteGroup linear_group(const char* family, unsigned n, unsigned q, Domain domain, bool general, bool frobenius,
                         const Task& task) {
  const GroupStructure structure = structure::Linear{family, n, q};
  const std::string name = to_string(structure);
  if (n == 0) throw DomainError(fmt::format("{}: the dimension must be at least 1", name));
  named::require_field(name, q);
  const Integer points = number_of_points(n, q, domain);
  if (points > Integer(max_named_degree))
    throw LimitError(
        fmt::format("{} would act on more points than the limit of {}; choose a smaller dimension or field", name,
                    max_named_degree));
  // Tables of the field are as large as the projective line, the smallest domain that needs more than one
  // point.
  if (n == 1 && domain == Domain::projective_points) return FiniteGroup::built_as(structure, 1, {});
  named::require_size(name, points, 5);
  const GaloisField field(q);
  std::vector<AffineMap> maps = linear_generators(field, n, general);
  if (domain == Domain::all_vectors)
    for (AffineMap& map : translations(field, n, general)) maps.push_back(std::move(map));
  const Numbering numbering(field, n, domain);
  const auto degree = static_cast<std::size_t>(points);
  Vector v(n);
  Vector image(n);
  std::vector<Permutation> generators;
  for (const AffineMap& map : maps)
    generators.push_back(named::permutation_by(degree, [&](std::size_t i) {
      task.poll();
      numbering.decode(i, v);
      map.apply(field, v, image);
      return numbering.encode(image);
    }));
  if (frobenius)
    generators.push_back(named::permutation_by(degree, [&](std::size_t i) {
      task.poll();
      numbering.decode(i, v);
      for (unsigned k = 0; k < n; ++k) {
        image[k] = v[k];
        for (std::uint32_t e = 1; e < field.characteristic(); ++e) image[k] = field.multiply(image[k], v[k]);
      }
      return numbering.encode(image);
    }));
  return FiniteGroup::built_as(structure, degree, named::without_redundant(std::move(generators)));
}

}  // namespace

FiniteGroup general_linear_group(unsigned n, unsigned q, const Task& task) {
  return linear_group("GL", n, q, Domain::nonzero_vectors, true, false, task);
}
FiniteGroup special_linear_group(unsigned n, unsigned q, const Task& task) {
  return linear_group("SL", n, q, Domain::nonzero_vectors, false, false, task);
}
FiniteGroup projective_general_linear_group(unsigned n, unsigned q, const Task& task) {
  return linear_group("PGL", n, q, Domain::projective_points, true, false, task);
}
FiniteGroup projective_special_linear_group(unsigned n, unsigned q, const Task& task) {
  return linear_group("PSL", n, q, Domain::projective_points, false, false, task);
}
FiniteGroup affine_general_linear_group(unsigned n, unsigned q, const Task& task) {
  return linear_group("AGL", n, q, Domain::all_vectors, true, false, task);
}
FiniteGroup affine_special_linear_group(unsigned n, unsigned q, const Task& task) {
  return linear_group("ASL", n, q, Domain::all_vectors, false, false, task);
}
FiniteGroup semilinear_group(unsigned n, unsigned q, const Task& task) {
  return linear_group("GammaL", n, q, Domain::nonzero_vectors, true, true, task);
}
FiniteGroup projective_semilinear_group(unsigned n, unsigned q, const Task& task) {
  return linear_group("PGammaL", n, q, Domain::projective_points, true, true, task);
}
FiniteGroup projective_special_semilinear_group(unsigned n, unsigned q, const Task& task) {
  return linear_group("PSigmaL", n, q, Domain::projective_points, false, true, task);
}
FiniteGroup affine_semilinear_group(unsigned n, unsigned q, const Task& task) {
  return linear_group("AGammaL", n, q, Domain::all_vectors, true, true, task);
}

}  // namespace intertwine
