// Bases of Hom(V, U) for finite groups: chooses the method and proves the result.
#include "intertwine/equivariant/hom_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

constexpr std::int64_t max_entries = 100'000'000;  ///< the most entries of one basis element written out

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t ab = 0, abc = 0;
  return __builtin_mul_overflow(a, b, &ab) || __builtin_mul_overflow(ab, c, &abc) ? ~std::uint64_t{0} : abc;
}

/// Elements are sorted by their first entries: independent if no two of these lie at the same place.
bool leading_entries_differ(const IntertwinerSpace& space) {
  const auto first = [&](std::uint64_t k) {
    return std::pair(space.row()[space.start()[k]], space.col()[space.start()[k]]);
  };
  for (std::uint64_t k = 1; k < space.params(); ++k)
    if (first(k - 1) >= first(k)) return false;
  return true;
}

/// The basis for sides of which one is given by matrices, as large as the independently counted dimension. Where the
/// elements are too many or too large for products with every generator, they commute because intertwiner_space checked
/// the maps whose products they are.
IntertwinerSpace proved_space(const Representation& source, const Representation& target, HomCertificate& certificate,
                              std::uint64_t max_checked, const Task& task) {
  IntertwinerSpace space = intertwiner_space(source, target, task);
  if (certificate.dimension != space.params())
    throw InternalError(
        fmt::format("hom_basis: {} intertwiners were found for {} -> {}; the independent count gives {}",
                    space.params(), source.to_string(), target.to_string(), certificate.dimension.str()));
  const std::uint64_t m = target.dimension(), n = source.dimension();
  const std::uint64_t generators = std::max<std::size_t>(source.group().generators().size(), 1);
  // Dense elements are multiplied by a generator's matrices, sparse ones meet a few of its entries.
  const std::uint64_t work = space.density() > 0.02 ? saturating_product(space.params(), m * n, (m + n) * generators)
                                                    : saturating_product(space.nonzeros(), 16, generators);
  const bool check = saturating_product(work, space.field().degree(), 1) <= max_checked;
  certificate.commutation = check ? Commutation::every_entry : Commutation::by_factors;
  if (check && first_that_does_not_commute(space, source, target, task))
    throw InternalError("hom_basis: an element of the basis does not commute");
  certificate.independence = leading_entries_differ(space) ? Independence::leading_entries
                             : saturating_product(space.nonzeros(), space.params(), 1) <= max_checked / 16
                                 ? Independence::rank
                                 : Independence::unchecked;
  if (certificate.independence == Independence::rank && !are_independent(space, task))
    throw InternalError("hom_basis: the elements of the basis are dependent");
  return space;
}

/// The pattern whose number of parameters is the independently counted dimension, checked entry by entry if `check`.
/// The random part of its construction can only leave classes apart that belong together; more patience joins them.
OrbitalPattern proved_pattern(const Representation& source, const Representation& target, const Integer& dimension,
                              bool check, const Task& task) {
  const Integer& order = source.group().order(task);
  for (unsigned patience = 16;; patience *= 8) {
    OrbitalPattern pattern(target.dimension(), source.dimension(), target.generator_images(), source.generator_images(),
                           order, patience, task);
    if (dimension == pattern.params() && (!check || pattern.check(task))) return pattern;
    if (dimension > pattern.params() || patience > 10'000)
      throw InternalError(
          fmt::format("hom_basis: {} parameters were found for {} -> {}; the independent count gives "
                      "{}, and the entries {}",
                      pattern.params(), source.to_string(), target.to_string(), dimension.str(),
                      dimension == pattern.params() ? "do not commute" : "were not checked"));
  }
}

}  // namespace

std::string_view to_string(Commutation commutation) {
  constexpr std::string_view names[] = {"every-entry", "by-count", "by-factors"};
  return names[static_cast<std::size_t>(commutation)];
}

std::string_view to_string(Independence independence) {
  constexpr std::string_view names[] = {"disjoint-supports", "leading-entries", "rank", "unchecked"};
  return names[static_cast<std::size_t>(independence)];
}

HomBasis::HomBasis(Elements elements, HomCertificate certificate)
    : state_(std::make_shared<const State>(State{std::move(elements), std::move(certificate)})) {}

HomBasis hom_basis(const Representation& source, const Representation& target, const Task& task,
                   std::uint64_t max_checked) {
  if (!(source.group() == target.group()))
    throw DomainError(fmt::format("hom_basis: the input representation belongs to {}, the output one to {}",
                                  source.group().name(), target.group().name()));
  const bool tied = source.is_monomial() && target.is_monomial();
  const std::size_t generators = std::max<std::size_t>(source.group().generators().size(), 1);
  // Refused before anything is counted, which takes an image at least.
  if (tied)
    task.require_memory(
        saturating_product(std::max(source.dimension(), target.dimension()), sizeof(SignedPoint), generators),
        "the images of the generators");
  CountedDimension counted = hom_dimension(source, target, task);
  HomCertificate certificate{std::move(counted.dimension), std::move(counted.route)};
  if (!tied) {
    IntertwinerSpace space = proved_space(source, target, certificate, max_checked, task);
    return {std::move(space), std::move(certificate)};
  }
  const bool check = saturating_product(target.dimension(), source.dimension(), generators) <= max_checked &&
                     saturating_product(target.dimension(), source.dimension(), 4) <= task.memory() / 2;
  OrbitalPattern pattern = proved_pattern(source, target, certificate.dimension, check, task);
  certificate.commutation = check ? Commutation::every_entry : Commutation::by_count;
  if (!pattern.is_canonical())
    throw InternalError("hom_basis: the parameters of a pattern are not numbered by their smallest entries");
  return {std::move(pattern), std::move(certificate)};
}

std::uint64_t HomBasis::rows() const {
  return std::visit([](const auto& e) { return e.rows(); }, state_->elements);
}
std::uint64_t HomBasis::cols() const {
  return std::visit([](const auto& e) { return e.cols(); }, state_->elements);
}
const HomCertificate& HomBasis::certificate() const { return state_->certificate; }
bool HomBasis::is_tied() const { return std::holds_alternative<OrbitalPattern>(state_->elements); }

const OrbitalPattern& HomBasis::pattern() const {
  if (!is_tied())
    throw DomainError("the basis is not one of tied entries, since a representation is given by matrices");
  return std::get<OrbitalPattern>(state_->elements);
}

const IntertwinerSpace& HomBasis::space() const {
  if (is_tied()) throw DomainError("the basis is one of tied entries: ask for its pattern");
  return std::get<IntertwinerSpace>(state_->elements);
}

std::uint64_t HomBasis::params() const {
  return std::visit([](const auto& e) { return e.params(); }, state_->elements);
}

IntertwinerSpace HomBasis::over(const AbelianField& field, const Task& task) const {
  return (is_tied() ? IntertwinerSpace(pattern(), task) : space()).over(field);
}

WeightPattern HomBasis::weight_pattern(const AbelianField& field, const Task& task) const {
  if (!is_tied()) return sparse_pattern(over(field, task));
  const std::shared_ptr<const OrbitalPattern> shared(state_, &pattern());
  return {rows(), cols(), params(), TiedEntries{shared->orbit_size(task), code_rows(shared, task)}};
}

SparseMatrix HomBasis::operator[](std::uint64_t k) const {
  if (!is_tied()) return space()[k];
  const OrbitalPattern& p = pattern();
  if (k >= p.params()) throw DomainError(fmt::format("basis element {} of {} (0-based)", k, p.params()));
  if (p.orbit_size()[k] > max_entries)
    throw LimitError(fmt::format("basis element {} has {} entries, more than {}; read the table by rows instead", k,
                                 p.orbit_size()[k], max_entries));
  const MatrixEntry first = p.smallest_entries()[k];
  const std::span rows = p.row_images(), cols = p.col_images();
  std::unordered_map<std::uint64_t, int> sign{{first.row * p.cols() + first.col, 1}};
  std::vector<MatrixEntry> queue{first};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const MatrixEntry e = queue[head];
    const int s = sign.at(e.row * p.cols() + e.col);
    for (std::size_t g = 0; g < rows.size(); ++g) {
      const SignedPoint i = rows[g](static_cast<Point>(e.row)), j = cols[g](static_cast<Point>(e.col));
      if (sign.try_emplace(std::uint64_t{i.point()} * p.cols() + j.point(), s * i.sign() * j.sign()).second)
        queue.push_back({i.point(), j.point()});
    }
  }
  std::vector<SparseMatrix::Entry> entries;
  for (const auto& [place, s] : sign) entries.push_back({place / p.cols(), place % p.cols(), Rational(s)});
  return {p.rows(), p.cols(), std::move(entries)};
}

std::vector<SparseMatrix> HomBasis::elements(const Task& task) const {
  if (!is_tied()) {
    task.require_memory(space().nonzeros() * 128, "the list of all entries of all basis elements");
    std::vector<SparseMatrix> list;
    for (std::uint64_t k = 0; k < params(); ++k) list.push_back(space()[k]);
    return list;
  }
  const OrbitalPattern& p = pattern();
  task.require_memory(saturating_product(p.rows(), p.cols(), 128), "the list of all entries of all basis elements");
  std::vector<std::vector<SparseMatrix::Entry>> entries(p.params());
  std::vector<std::int32_t> codes(p.cols());
  const auto params = static_cast<std::int64_t>(p.params());
  p.for_each_row(
      code_bytes(p.params()),
      [&](std::uint64_t row, std::span<const std::byte> bytes) {
        for (std::uint64_t col = 0; col < p.cols(); ++col) {
          std::int64_t code = 0;
          if (code_bytes(p.params()) == 1)
            code = std::to_integer<std::int64_t>(bytes[col]);
          else
            code = reinterpret_cast<const std::int32_t*>(bytes.data())[col];
          if (code == 0) continue;
          const bool negative = code > params;
          entries[static_cast<std::size_t>(negative ? code - params - 1 : code - 1)].push_back(
              {row, col, Rational(negative ? -1 : 1)});
        }
      },
      task);
  std::vector<SparseMatrix> result;
  result.reserve(entries.size());
  for (auto& e : entries) result.emplace_back(p.rows(), p.cols(), std::move(e));
  return result;
}

std::optional<Permutation> vanishing_witness(const Representation& V, const Representation& U, MatrixEntry entry,
                                             const Task& task) {
  const auto& generators = V.group().generators();
  const std::uint64_t n = V.dimension();
  task.require_memory((U.dimension() + n) * generators.size() * sizeof(SignedPoint), "the images of the generators");
  const auto rows = U.generator_images(), cols = V.generator_images();
  if (entry.row >= U.dimension() || entry.col >= n)
    throw DomainError(
        fmt::format("entry ({}, {}) is outside the {} x {} matrix (0-based)", entry.row, entry.col, U.dimension(), n));
  struct Reached {
    std::uint64_t parent;
    std::int32_t generator;
    int sign;
  };
  std::unordered_map<std::uint64_t, Reached> reached;
  const std::uint64_t start = entry.row * n + entry.col;
  reached[start] = {start, -1, 1};
  std::vector<std::uint64_t> queue{start};
  // The element that the tree multiplies together on the way from the start to a place.
  const auto word = [&](std::uint64_t place) {
    Permutation t = Permutation::identity(V.group().degree());
    for (Reached r = reached.at(place); r.generator >= 0; place = r.parent, r = reached.at(place))
      t = t * generators[static_cast<std::size_t>(r.generator)];
    return t;
  };
  for (std::size_t head = 0; head < queue.size(); ++head) {
    task.poll();
    task.require_memory(queue.size() * 64, "the search for the element that makes an entry vanish");
    const std::uint64_t place = queue[head];
    const int sign = reached.at(place).sign;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const SignedPoint i = rows[k](static_cast<Point>(place / n)), j = cols[k](static_cast<Point>(place % n));
      const std::uint64_t image = std::uint64_t{i.point()} * n + j.point();
      const int image_sign = sign * i.sign() * j.sign();
      const auto [at, fresh] = reached.try_emplace(image, Reached{place, static_cast<std::int32_t>(k), image_sign});
      if (fresh) {
        queue.push_back(image);
      } else if (at->second.sign != image_sign) {
        return word(image).inverse() * generators[k] * word(place);
      }
    }
  }
  return std::nullopt;
}

}  // namespace intertwine
