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

constexpr std::int64_t max_entries = 100'000'000;  ///< of one basis element written out

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

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t ab = 0, abc = 0;
  return __builtin_mul_overflow(a, b, &ab) || __builtin_mul_overflow(ab, c, &abc) ? ~std::uint64_t{0} : abc;
}

/// The basis for sides of which one is given by matrices, as large as the independently counted dimension.
/// `checked` becomes false if the elements are too many or too large for products with every generator; then
/// they commute because intertwiner_space checked the maps whose products they are.
IntertwinerSpace proved_space(const Representation& source, const Representation& target,
                              const Integer& dimension, std::uint64_t max_checked, bool& checked,
                              const Task& task) {
  IntertwinerSpace space = intertwiner_space(source, target, task);
  if (dimension != space.params())
    throw InternalError(fmt::format(
        "equivariant_basis: {} intertwiners were found for {} -> {}; the independent count gives {}",
        space.params(), source.to_string(), target.to_string(), dimension.str()));
  const std::uint64_t m = target.dimension(), n = source.dimension();
  const std::uint64_t generators = std::max<std::size_t>(source.group().generators().size(), 1);
  // Dense elements are multiplied by a generator's matrices, sparse ones meet a few of its entries.
  const std::uint64_t work = space.density() > 0.02
                                 ? saturating_product(space.params(), m * n, (m + n) * generators)
                                 : saturating_product(space.nonzeros(), 16, generators);
  const bool check = saturating_product(work, space.field().degree(), 1) <= max_checked;
  if (check && first_that_does_not_commute(space, source, target, task))
    throw InternalError("equivariant_basis: an element of the basis does not commute");
  if (saturating_product(space.nonzeros(), space.params(), 1) <= max_checked / 16 &&
      !are_independent(space, task))
    throw InternalError("equivariant_basis: the elements of the basis are dependent");
  checked = checked && check;
  return space;
}

/// The pattern whose number of parameters is the independently counted dimension, checked entry by entry if `check`. The
/// random part of its construction can only leave classes apart that belong together; more patience joins them.
OrbitalPattern proved_pattern(const Representation& source, const Representation& target,
                              const Integer& dimension, bool check, const Task& task) {
  const Integer& order = source.group().chain(task).order();
  for (unsigned patience = 16;; patience *= 8) {
    OrbitalPattern pattern(target.dimension(), source.dimension(), target.generator_images(),
                           source.generator_images(), order, task, patience);
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

EquivariantBasis equivariant_basis(const Representation& V, const Representation& U, const Task& task,
                                   const BasisOptions& options) {
  if (!(V.group() == U.group()))
    throw DomainError("equivariant_basis: the input representation belongs to " + V.group().name() +
                      ", the output one to " + U.group().name());
  auto state = std::make_shared<EquivariantBasis::State>(EquivariantBasis::State{V, U, {}, {}, {}});
  Certificate& certificate = state->certificate;
  certificate.commutes = certificate.every_entry_checked = certificate.independent = true;
  const std::size_t generators = std::max<std::size_t>(V.group().generators().size(), 1);
  // Counts the basis of one block and finds it, with every proof that the sizes allow.
  const auto prove = [&](const Representation& source, const Representation& target,
                         Integer& total) -> BlockElements {
    const CountedDimension counted = hom_dimension(source, target, task);
    total += counted.dimension;
    if (certificate.route.empty()) certificate.route = counted.route;
    if (!source.is_monomial() || !target.is_monomial())
      return proved_space(source, target, counted.dimension, options.max_checked,
                          certificate.every_entry_checked, task);
    const bool check =
        saturating_product(target.dimension(), source.dimension(), generators) <= options.max_checked &&
        saturating_product(target.dimension(), source.dimension(), 4) <= task.memory() / 2;
    OrbitalPattern pattern = proved_pattern(source, target, counted.dimension, check, task);
    certificate.every_entry_checked = certificate.every_entry_checked && check;
    certificate.independent = certificate.independent && pattern.is_canonical();
    return pattern;
  };
  const auto inputs = sites(V, options.single_pattern), outputs = sites(U, options.single_pattern);
  for (const auto& [b, target] : outputs) {
    for (const auto& [a, source] : inputs)
      state->blocks.push_back({a, b, source, target, prove(source, target, certificate.character_dimension)});
    const Representation trivial = trivial_representation(U.group());
    state->bias_blocks.push_back({b, target, prove(trivial, target, certificate.bias_character_dimension)});
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
  for (const Block& b : blocks())
    sum += Integer(b.multiplicity_in) * b.multiplicity_out * b.elements.params();
  return sum;
}

Integer EquivariantBasis::bias_dimension() const {
  Integer sum = 0;
  for (const BiasBlock& b : bias_blocks()) sum += Integer(b.multiplicity) * b.elements.params();
  return sum;
}

std::uint64_t EquivariantBasis::params() const {
  std::uint64_t sum = 0;
  for (const Block& b : blocks()) sum += b.elements.params();
  return sum;
}

std::uint64_t EquivariantBasis::bias_params() const {
  std::uint64_t sum = 0;
  for (const BiasBlock& b : bias_blocks()) sum += b.elements.params();
  return sum;
}

AbelianField EquivariantBasis::field() const {
  return AbelianField::compositum(source().field(), target().field());
}

bool EquivariantBasis::is_tied() const {
  const auto tied = [](const auto& block) { return block.elements.is_tied(); };
  return std::all_of(blocks().begin(), blocks().end(), tied) &&
         std::all_of(bias_blocks().begin(), bias_blocks().end(), tied);
}

const BlockElements& EquivariantBasis::block_elements() const {
  if (blocks().empty()) throw DomainError("EquivariantBasis: V or U has dimension 0, there is no table");
  if (blocks().size() != 1)
    throw DomainError(
        fmt::format("EquivariantBasis: there are {} blocks of different multiplicities, not one; ask for a "
                    "single pattern",
                    blocks().size()));
  return blocks().front().elements;
}

const BlockElements& EquivariantBasis::bias_elements() const {
  if (bias_blocks().empty()) throw DomainError("EquivariantBasis: U has dimension 0, there is no table");
  if (bias_blocks().size() != 1)
    throw DomainError(
        fmt::format("EquivariantBasis: there are {} bias blocks of different multiplicities, not one",
                    bias_blocks().size()));
  return bias_blocks().front().elements;
}

const OrbitalPattern& BlockElements::pattern() const {
  if (!is_tied())
    throw DomainError("the basis is not one of tied entries, since a representation is given by matrices");
  return std::get<OrbitalPattern>(elements_);
}

const IntertwinerSpace& BlockElements::space() const {
  if (is_tied()) throw DomainError("the basis is one of tied entries: ask for its pattern");
  return std::get<IntertwinerSpace>(elements_);
}

std::uint64_t BlockElements::rows() const {
  return std::visit([](const auto& e) { return e.rows(); }, elements_);
}
std::uint64_t BlockElements::cols() const {
  return std::visit([](const auto& e) { return e.cols(); }, elements_);
}
std::uint64_t BlockElements::params() const {
  return std::visit([](const auto& e) { return e.params(); }, elements_);
}

SparseMatrix EquivariantBasis::operator[](std::uint64_t k) const {
  if (!block_elements().is_tied()) return block_elements().space()[k];
  const OrbitalPattern& p = pattern();
  if (k >= p.params()) throw DomainError(fmt::format("basis element {} of {} (0-based)", k, p.params()));
  if (p.orbit_size()[k] > max_entries)
    throw LimitError(
        fmt::format("basis element {} has {} entries, more than {}; read the table by rows instead", k,
                    p.orbit_size()[k], max_entries));
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
  if (!block_elements().is_tied()) {
    const IntertwinerSpace& space = block_elements().space();
    task.require_memory(space.nonzeros() * 128, "the list of all entries of all basis elements");
    std::vector<SparseMatrix> list;
    for (std::uint64_t k = 0; k < space.params(); ++k) list.push_back(space[k]);
    return list;
  }
  const OrbitalPattern& p = pattern();
  task.require_memory(saturating_product(p.rows(), p.cols(), 128),
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

std::map<std::string, std::string> EquivariantBasis::metadata() const {
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
  return {{"convention", table_convention},
          {"group", group.dump()},
          {"rep_in", block.source.to_string(TextForm::checked)},
          {"rep_out", block.target.to_string(TextForm::checked)},
          {"field", field().to_string()},
          {"kind", is_tied() ? "signed-orbit" : "sparse-basis"},
          {"order", "by smallest row-major entry"},
          {"sign_rule", "the smallest entry is +"},
          {"certificate", proof.dump()},
          {"producer", "intertwine " INTERTWINE_VERSION}};
}

TableHeader EquivariantBasis::table_header() const {
  const OrbitalPattern& p = pattern();
  const OrbitalPattern& bias = bias_pattern();
  TableHeader header;
  header.rows = p.rows();
  header.cols = p.cols();
  header.params = p.params();
  header.bias_params = bias.params();
  header.multiplicity_in = blocks().front().multiplicity_in;
  header.multiplicity_out = blocks().front().multiplicity_out;
  header.orbit_size = p.orbit_size();
  header.bias_code = bias.codes();
  header.metadata = metadata();
  return header;
}

SparseTable EquivariantBasis::sparse_table() const {
  if (is_tied())
    throw DomainError("EquivariantBasis: the basis is one of tied entries: ask for table_header()");
  const BlockElements &weights = block_elements(), &bias = bias_elements();
  const auto space_of = [](const BlockElements& e) {
    return e.is_tied() ? IntertwinerSpace(e.pattern()) : e.space();
  };
  const AbelianField F = field();
  const IntertwinerSpace space = space_of(weights).over(F), bias_space = space_of(bias).over(F);
  SparseTable table;
  table.field = F;
  table.rows = space.rows();
  table.cols = space.cols();
  table.params = space.params();
  table.bias_params = bias_space.params();
  table.multiplicity_in = blocks().front().multiplicity_in;
  table.multiplicity_out = blocks().front().multiplicity_out;
  table.start.assign(space.start().begin(), space.start().end());
  table.row.assign(space.row().begin(), space.row().end());
  table.col.assign(space.col().begin(), space.col().end());
  table.value = space.values();
  table.bias_start.assign(bias_space.start().begin(), bias_space.start().end());
  table.bias_row.assign(bias_space.row().begin(), bias_space.row().end());
  table.bias_value = bias_space.values();
  table.metadata = metadata();
  return table;
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
