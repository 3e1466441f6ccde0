// Bases of Hom(V, U) and of layers: chooses the method and proves the result.
#include "intertwine/equivariant/equivariant_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/equivariant/table_proof.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/actions.hpp"
#include "layer_metadata.hpp"

namespace intertwine {

struct HomBasis::State {
  Representation source, target;
  std::variant<OrbitalPattern, IntertwinerSpace> elements;
  HomCertificate certificate;
};

struct EquivariantBasis::State {
  Representation source, target;
  std::vector<Block> blocks;
  std::vector<BiasBlock> bias_blocks;
  Certificate certificate;
};

namespace {

constexpr std::int64_t max_entries = 100'000'000;  ///< the most entries of one basis element written out

using Part = std::pair<std::uint64_t, Representation>;

/// The parts of V, (a, V_a) for a V_a: neighbours of the same multiplicity together, in the order of V. One part, with the
/// common divisor of the multiplicities, if `single`.
std::vector<Part> parts_of(const Representation& V, bool single) {
  std::vector<Part> parts;
  std::vector<Representation::Summand> summands = V.summands();
  std::erase_if(summands,
                [](const auto& s) { return s.multiplicity == 0 || s.representation.dimension() == 0; });
  std::uint64_t common = 0;
  for (const auto& s : summands) common = std::gcd(common, s.multiplicity);
  for (const auto& [multiplicity, site] : summands) {
    const std::uint64_t channels = single ? common : multiplicity;
    const Representation part = multiplicity == channels ? site : (multiplicity / channels) * site;
    if (!parts.empty() && parts.back().first == channels)
      parts.back().second = parts.back().second + part;
    else
      parts.emplace_back(channels, part);
  }
  return parts;
}

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
IntertwinerSpace proved_space(const Representation& source, const Representation& target,
                              HomCertificate& certificate, std::uint64_t max_checked, const Task& task) {
  IntertwinerSpace space = intertwiner_space(source, target, task);
  if (certificate.dimension != space.params())
    throw InternalError(fmt::format(
        "equivariant_basis: {} intertwiners were found for {} -> {}; the independent count gives {}",
        space.params(), source.to_string(), target.to_string(), certificate.dimension.str()));
  const std::uint64_t m = target.dimension(), n = source.dimension();
  const std::uint64_t generators = std::max<std::size_t>(source.group().generators().size(), 1);
  // Dense elements are multiplied by a generator's matrices, sparse ones meet a few of its entries.
  const std::uint64_t work = space.density() > 0.02
                                 ? saturating_product(space.params(), m * n, (m + n) * generators)
                                 : saturating_product(space.nonzeros(), 16, generators);
  const bool check = saturating_product(work, space.field().degree(), 1) <= max_checked;
  certificate.commutation = check ? Commutation::every_entry : Commutation::by_factors;
  if (check && first_that_does_not_commute(space, source, target, task))
    throw InternalError("equivariant_basis: an element of the basis does not commute");
  certificate.independence = leading_entries_differ(space) ? Independence::leading_entries
                             : saturating_product(space.nonzeros(), space.params(), 1) <= max_checked / 16
                                 ? Independence::rank
                                 : Independence::unchecked;
  if (certificate.independence == Independence::rank && !are_independent(space, task))
    throw InternalError("equivariant_basis: the elements of the basis are dependent");
  return space;
}

/// The pattern whose number of parameters is the independently counted dimension, checked entry by entry if `check`. The
/// random part of its construction can only leave classes apart that belong together; more patience joins them.
OrbitalPattern proved_pattern(const Representation& source, const Representation& target,
                              const Integer& dimension, bool check, const Task& task) {
  const Integer& order = source.group().order(task);
  for (unsigned patience = 16;; patience *= 8) {
    OrbitalPattern pattern(target.dimension(), source.dimension(), target.generator_images(),
                           source.generator_images(), order, patience, task);
    if (dimension == pattern.params() && (!check || pattern.check(task))) return pattern;
    if (dimension > pattern.params() || patience > 10'000)
      throw InternalError(
          fmt::format("equivariant_basis: {} parameters were found for {} -> {}; the independent count gives "
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

/// Counts the basis of one Hom and finds it, with every proof that the sizes allow.
HomBasis EquivariantBasis::prove(const Representation& source, const Representation& target, const Task& task,
                                 const BasisOptions& options) {
  // Refused before anything is counted, which takes an image at least.
  if (source.is_monomial() && target.is_monomial())
    task.require_memory(
        saturating_product(std::max(source.dimension(), target.dimension()), sizeof(SignedPoint),
                           std::max<std::size_t>(source.group().generators().size(), 1)),
        "the images of the generators");
  CountedDimension counted = hom_dimension(source, target, task);
  HomCertificate certificate{std::move(counted.dimension), std::move(counted.route)};
  const auto made = [&](auto elements) {
    return HomBasis(std::make_shared<const HomBasis::State>(
        HomBasis::State{source, target, std::move(elements), std::move(certificate)}));
  };
  if (!source.is_monomial() || !target.is_monomial())
    return made(proved_space(source, target, certificate, options.max_checked, task));
  const std::size_t generators = std::max<std::size_t>(source.group().generators().size(), 1);
  const bool check =
      saturating_product(target.dimension(), source.dimension(), generators) <= options.max_checked &&
      saturating_product(target.dimension(), source.dimension(), 4) <= task.memory() / 2;
  OrbitalPattern pattern = proved_pattern(source, target, certificate.dimension, check, task);
  certificate.commutation = check ? Commutation::every_entry : Commutation::by_count;
  if (!pattern.is_canonical())
    throw InternalError(
        "equivariant_basis: the parameters of a pattern are not numbered by their smallest entries");
  return made(std::move(pattern));
}

EquivariantBasis equivariant_basis(const Representation& V, const Representation& U, const Task& task,
                                   const BasisOptions& options) {
  if (!(V.group() == U.group()))
    throw DomainError("equivariant_basis: the input representation belongs to " + V.group().name() +
                      ", the output one to " + U.group().name());
  auto state = std::make_shared<EquivariantBasis::State>(EquivariantBasis::State{V, U, {}, {}, {}});
  Certificate& certificate = state->certificate;
  const auto add = [&](const HomCertificate& proof, Integer& dimension, std::string& routes) {
    dimension += proof.dimension;
    if (routes.empty())
      routes = proof.route;
    else if (routes.find(proof.route) == std::string::npos)
      routes += ", " + proof.route;
    certificate.every_entry_checked &= proof.commutation == Commutation::every_entry;
    certificate.independent &= proof.independence != Independence::unchecked;
  };
  const auto inputs = parts_of(V, options.single_pattern), outputs = parts_of(U, options.single_pattern);
  for (const auto& [b, target] : outputs) {
    std::vector<HomBasis> weights;
    for (const auto& input : inputs) {
      weights.push_back(EquivariantBasis::prove(input.second, target, task, options));
      add(weights.back().certificate(), certificate.character_dimension, certificate.route);
    }
    const HomBasis bias = EquivariantBasis::prove(trivial_representation(U.group()), target, task, options);
    add(bias.certificate(), certificate.bias_character_dimension, certificate.bias_route);
    for (std::size_t k = 0; k < inputs.size(); ++k)
      state->blocks.push_back({{b, inputs[k].first}, std::move(weights[k]), bias});
    state->bias_blocks.push_back({b, bias});
  }
  // Nothing to count: V or U is zero.
  for (std::string* route : {&certificate.route, &certificate.bias_route})
    if (route->empty()) *route = "burnside-elements";
  return EquivariantBasis(std::move(state));
}

const Representation& EquivariantBasis::source() const { return state_->source; }
const Representation& EquivariantBasis::target() const { return state_->target; }
const std::vector<EquivariantBasis::Block>& EquivariantBasis::blocks() const { return state_->blocks; }
const std::vector<EquivariantBasis::BiasBlock>& EquivariantBasis::bias_blocks() const {
  return state_->bias_blocks;
}
const Certificate& EquivariantBasis::certificate() const { return state_->certificate; }

Integer EquivariantBasis::dimension() const {
  Integer sum = 0;
  for (const Block& b : blocks()) sum += Integer(b.channels.in) * b.channels.out * b.weights.params();
  return sum;
}

Integer EquivariantBasis::bias_dimension() const {
  Integer sum = 0;
  for (const BiasBlock& b : bias_blocks()) sum += Integer(b.multiplicity) * b.bias.params();
  return sum;
}

std::uint64_t EquivariantBasis::params() const {
  std::uint64_t sum = 0;
  for (const Block& b : blocks()) sum += b.weights.params();
  return sum;
}

std::uint64_t EquivariantBasis::bias_params() const {
  std::uint64_t sum = 0;
  for (const BiasBlock& b : bias_blocks()) sum += b.bias.params();
  return sum;
}

AbelianField EquivariantBasis::field() const {
  return AbelianField::compositum(source().field(), target().field());
}

bool EquivariantBasis::is_tied() const {
  return std::all_of(blocks().begin(), blocks().end(), [](const Block& b) { return b.weights.is_tied(); }) &&
         std::all_of(bias_blocks().begin(), bias_blocks().end(),
                     [](const BiasBlock& b) { return b.bias.is_tied(); });
}

WeightBlock EquivariantBasis::Block::table(const TableOptions& options, const Task& task) const {
  WeightBlock table;
  const auto pattern_of = [&](const HomBasis& basis) {
    const std::shared_ptr<const OrbitalPattern> pattern(basis.state_, &basis.pattern());
    return WeightPattern{basis.rows(), basis.cols(), basis.params(),
                         TiedEntries{pattern->orbit_size(task), code_rows(pattern, task)}};
  };
  const AbelianField F = AbelianField::compositum(weights.source().field(), weights.target().field());
  const auto elements_of = [&](const HomBasis& basis) {
    return sparse_pattern(
        (basis.is_tied() ? IntertwinerSpace(basis.pattern(), task) : basis.space()).over(F));
  };
  table.weights = weights.is_tied() ? pattern_of(weights) : elements_of(weights);
  table.bias = weights.is_tied() ? pattern_of(bias) : elements_of(bias);
  table.channels = channels;
  table.metadata = table_metadata(weights, bias, F);
  if (options.proof) table = with_proof(std::move(table), weights.source(), weights.target(), task);
  return table;
}

EquivariantBasis EquivariantBasis::single(const Task& task) const {
  if (blocks().size() <= 1) return *this;
  return equivariant_basis(source(), target(), task, {.single_pattern = true});
}

EquivariantBasis EquivariantBasis::sites(const Task& task) const {
  if (blocks().size() <= 1) return *this;
  Representation V = blocks().front().weights.source(), U = blocks().front().weights.target();
  const std::size_t inputs = blocks().size() / bias_blocks().size();
  for (std::size_t k = 1; k < inputs; ++k) V = V + blocks()[k].weights.source();
  for (std::size_t k = 1; k < bias_blocks().size(); ++k) U = U + bias_blocks()[k].bias.target();
  return equivariant_basis(V, U, task, {.single_pattern = true});
}

WeightTable EquivariantBasis::table(const TableOptions& options, const Task& task) const {
  if (blocks().empty()) throw DomainError("V or U has dimension 0, there is no table");
  WeightTable table;
  for (std::size_t k = 0; k < blocks().size(); ++k) {
    if (k % (blocks().size() / bias_blocks().size()) == 0) table.blocks.emplace_back();
    table.blocks.back().push_back(blocks()[k].table(options, task));
  }
  return table;
}

const Representation& HomBasis::source() const { return state_->source; }
const Representation& HomBasis::target() const { return state_->target; }
std::uint64_t HomBasis::rows() const { return target().dimension(); }
std::uint64_t HomBasis::cols() const { return source().dimension(); }
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

SparseMatrix HomBasis::operator[](std::uint64_t k) const {
  if (!is_tied()) return space()[k];
  const OrbitalPattern& p = pattern();
  if (k >= p.params()) throw DomainError(fmt::format("basis element {} of {} (0-based)", k, p.params()));
  if (p.orbit_size()[k] > max_entries)
    throw LimitError(
        fmt::format("basis element {} has {} entries, more than {}; read the table by rows instead", k,
                    p.orbit_size()[k], max_entries));
  const MatrixEntry first = p.smallest_entries()[k];
  const auto rows = target().generator_images(), cols = source().generator_images();
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
  task.require_memory(saturating_product(p.rows(), p.cols(), 128),
                      "the list of all entries of all basis elements");
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

std::optional<Permutation> vanishing_witness(const Representation& V, const Representation& U,
                                             MatrixEntry entry, const Task& task) {
  const auto& generators = V.group().generators();
  const std::uint64_t n = V.dimension();
  task.require_memory((U.dimension() + n) * generators.size() * sizeof(SignedPoint),
                      "the images of the generators");
  const auto rows = U.generator_images(), cols = V.generator_images();
  if (entry.row >= U.dimension() || entry.col >= n)
    throw DomainError(fmt::format("entry ({}, {}) is outside the {} x {} matrix (0-based)", entry.row,
                                  entry.col, U.dimension(), n));
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
      const SignedPoint i = rows[k](static_cast<Point>(place / n)),
                        j = cols[k](static_cast<Point>(place % n));
      const std::uint64_t image = std::uint64_t{i.point()} * n + j.point();
      const int image_sign = sign * i.sign() * j.sign();
      const auto [at, fresh] =
          reached.try_emplace(image, Reached{place, static_cast<std::int32_t>(k), image_sign});
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
