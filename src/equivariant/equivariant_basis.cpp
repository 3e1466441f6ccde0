#include "intertwine/equivariant/equivariant_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>

#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/version.hpp"

namespace intertwine {

const char* const table_convention =
    "y = W x with W[i, j] from input basis vector j to output basis vector i, row-major; rho(g) e_i = "
    "+-e_{g(i)}, left "
    "actions; W rho_in(g) = rho_out(g) W";

struct EquivariantBasis::State {
  Representation source, target;
  std::vector<Block> blocks;
  std::vector<BiasBlock> bias_blocks;
  Certificate certificate;
};

namespace {

/// The parts of V by multiplicity: (a, V_a) with V = sum of a V_a. One part, with the common divisor of the
/// multiplicities, if `single`.
std::vector<std::pair<std::uint64_t, Representation>> sites(const Representation& V, bool single) {
  std::map<std::uint64_t, Representation> by_multiplicity;
  std::vector<Representation::Summand> summands = V.summands();
  std::erase_if(summands,
                [](const auto& s) { return s.multiplicity == 0 || s.representation.dimension() == 0; });
  std::uint64_t common = 0;
  for (const auto& s : summands) common = std::gcd(common, s.multiplicity);
  for (const auto& [multiplicity, site] : summands) {
    const std::uint64_t key = single ? common : multiplicity;
    const Representation part = multiplicity == key ? site : (multiplicity / key) * site;
    const auto [at, fresh] = by_multiplicity.try_emplace(key, part);
    if (!fresh) at->second = at->second + part;
  }
  return {by_multiplicity.begin(), by_multiplicity.end()};
}

/// The pattern whose number of parameters is the independently counted dimension. The random part of its
/// construction can only leave classes apart that belong together; more patience joins them.
OrbitalPattern counted_pattern(const Representation& source, const Representation& target,
                               const Integer& dimension, const Task& task) {
  const Integer& order = source.group().chain(task).order();
  for (unsigned patience = 16;; patience *= 8) {
    OrbitalPattern pattern(target.dimension(), source.dimension(), target.generator_images(),
                           source.generator_images(), order, task, patience);
    if (dimension == pattern.params()) return pattern;
    if (dimension > pattern.params() || patience > 10'000)
      throw InternalError(fmt::format(
          "equivariant_basis: {} parameters were found for {} -> {}, but the independent count gives {}",
          pattern.params(), source.to_string(), target.to_string(), dimension.str()));
  }
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t ab = 0, abc = 0;
  return __builtin_mul_overflow(a, b, &ab) || __builtin_mul_overflow(ab, c, &abc) ? ~std::uint64_t{0} : abc;
}

}  // namespace

EquivariantBasis equivariant_basis(const Representation& V, const Representation& U, const Task& task,
                                   const BasisOptions& options) {
  if (!(V.group() == U.group()))
    throw DomainError("equivariant_basis: the input representation belongs to " + V.group().name() +
                      ", the output one to " + U.group().name());
  auto state = std::make_shared<EquivariantBasis::State>(EquivariantBasis::State{V, U, {}, {}, {}});
  Certificate& certificate = state->certificate;
  certificate.commutes = certificate.every_entry_checked = certificate.independent = true;
  const std::size_t generators = V.group().generators().size();
  const auto prove = [&](const OrbitalPattern& pattern) {
    const bool small = saturating_product(pattern.rows(), pattern.cols(),
                                          std::max<std::size_t>(generators, 1)) <= options.max_checked &&
                       saturating_product(pattern.rows(), pattern.cols(), 4) <= task.memory() / 2;
    if (!small) {
      certificate.every_entry_checked = false;
    } else if (!pattern.check(task)) {
      throw InternalError(
          "equivariant_basis: the pattern has the right number of parameters but does not commute");
    }
    const auto sizes = pattern.orbit_size();
    certificate.independent =
        certificate.independent && std::find(sizes.begin(), sizes.end(), 0) == sizes.end();
  };
  const auto inputs = sites(V, options.single_pattern), outputs = sites(U, options.single_pattern);
  for (const auto& [b, target] : outputs) {
    for (const auto& [a, source] : inputs) {
      const CountedDimension counted = hom_dimension(source, target, task);
      certificate.character_dimension += counted.dimension;
      certificate.route = counted.route;
      state->blocks.push_back(
          {a, b, source, target, counted_pattern(source, target, counted.dimension, task)});
      prove(state->blocks.back().pattern);
    }
    const Representation trivial = trivial_representation(U.group());
    const CountedDimension counted = hom_dimension(trivial, target, task);
    certificate.bias_character_dimension += counted.dimension;
    if (certificate.route.empty()) certificate.route = counted.route;
    state->bias_blocks.push_back({b, target, counted_pattern(trivial, target, counted.dimension, task)});
    prove(state->bias_blocks.back().pattern);
  }
  if (certificate.route.empty()) certificate.route = "burnside-elements";  // nothing to count: V or U is zero
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
  for (const Block& b : blocks()) sum += Integer(b.multiplicity_in) * b.multiplicity_out * b.pattern.params();
  return sum;
}

Integer EquivariantBasis::bias_dimension() const {
  Integer sum = 0;
  for (const BiasBlock& b : bias_blocks()) sum += Integer(b.multiplicity) * b.pattern.params();
  return sum;
}

std::uint64_t EquivariantBasis::params() const {
  std::uint64_t sum = 0;
  for (const Block& b : blocks()) sum += b.pattern.params();
  return sum;
}

std::uint64_t EquivariantBasis::bias_params() const {
  std::uint64_t sum = 0;
  for (const BiasBlock& b : bias_blocks()) sum += b.pattern.params();
  return sum;
}

const OrbitalPattern& EquivariantBasis::pattern() const {
  if (blocks().size() != 1)
    throw DomainError(
        fmt::format("EquivariantBasis::pattern: there are {} blocks of different multiplicities, not one; "
                    "ask for a single pattern",
                    blocks().size()));
  return blocks().front().pattern;
}

const OrbitalPattern& EquivariantBasis::bias_pattern() const {
  if (bias_blocks().size() != 1)
    throw DomainError(fmt::format(
        "EquivariantBasis::bias_pattern: there are {} blocks of different multiplicities, not one",
        bias_blocks().size()));
  return bias_blocks().front().pattern;
}

SparseMatrix EquivariantBasis::operator[](std::uint64_t k) const {
  const OrbitalPattern& p = pattern();
  if (k >= p.params()) throw DomainError(fmt::format("basis element {} of {} (0-based)", k, p.params()));
  const MatrixEntry first = p.smallest_entries()[k];
  const auto rows = blocks().front().target.generator_images(),
             cols = blocks().front().source.generator_images();
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

std::vector<SparseMatrix> EquivariantBasis::elements(const Task& task) const {
  const OrbitalPattern& p = pattern();
  task.require_memory(saturating_product(p.rows(), p.cols(), 64),
                      "the list of all entries of all basis elements");
  std::vector<std::vector<SparseMatrix::Entry>> entries(p.params());
  std::vector<std::int32_t> codes(p.cols());
  const auto params = static_cast<std::int64_t>(p.params());
  p.for_each_row(
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

TableHeader EquivariantBasis::table_header() const {
  const OrbitalPattern& p = pattern();
  const OrbitalPattern& bias = bias_pattern();
  const Block& block = blocks().front();
  const FiniteGroup& G = source().group();
  nlohmann::ordered_json group;
  group["expression"] = G.name();
  group["degree"] = G.degree();
  group["order"] = G.order().str();
  group["generators"] = nlohmann::json::array();
  for (const Permutation& g : G.generators()) group["generators"].push_back(g.to_string());
  const Certificate& c = certificate();
  nlohmann::ordered_json proof;
  proof["character_dimension"] = c.character_dimension.str();
  proof["bias_character_dimension"] = c.bias_character_dimension.str();
  proof["commutes"] = c.commutes;
  proof["independent"] = c.independent;
  proof["route"] = c.route;
  TableHeader header;
  header.rows = p.rows();
  header.cols = p.cols();
  header.params = p.params();
  header.bias_params = bias.params();
  header.multiplicity_in = block.multiplicity_in;
  header.multiplicity_out = block.multiplicity_out;
  header.orbit_size = p.orbit_size();
  header.bias_code = bias.codes();
  header.metadata = {{"convention", table_convention},
                     {"group", group.dump()},
                     {"rep_in", block.source.to_string()},
                     {"rep_out", block.target.to_string()},
                     {"field", "Q"},
                     {"kind", "signed-orbit"},
                     {"order", "by smallest row-major entry"},
                     {"sign_rule", "the smallest entry is +"},
                     {"certificate", proof.dump()},
                     {"producer", "intertwine " INTERTWINE_VERSION}};
  return header;
}

std::optional<Permutation> vanishing_witness(const Representation& V, const Representation& U,
                                             MatrixEntry entry, const Task& task) {
  const auto rows = U.generator_images(), cols = V.generator_images();
  const auto& generators = V.group().generators();
  const std::uint64_t n = V.dimension();
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
