// Writes bases of Hom and their certificates.
#include "intertwine/io/basis_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/io/basis_elements.hpp"
#include "intertwine/io/records.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

constexpr std::size_t shown_reasons = 3;

/// "entry (2, (1,2)): (1,2) fixes it and changes its sign" for the first orbits without a parameter.
std::vector<std::string> vanishing_reasons(const EquivariantBasis::Block& block, const Task& task) {
  std::vector<std::string> reasons;
  for (const MatrixEntry& entry : block.weights.pattern().vanishing_orbits()) {
    if (reasons.size() == shown_reasons) break;
    const auto g = vanishing_witness(block.weights.source(), block.weights.target(), entry, task);
    if (!g) throw InternalError("an orbit was taken to vanish, but no element negates its entry");
    reasons.push_back(fmt::format("entry ({}, {}): {} fixes it and changes its sign",
                                  block.weights.target().basis_label(entry.row),
                                  block.weights.source().basis_label(entry.col), shortened(g->to_string())));
  }
  return reasons;
}

template <class AnyRepresentation>
std::string arrow(const AnyRepresentation& source, const AnyRepresentation& target) {
  return shortened(source.to_string()) + " -> " + shortened(target.to_string());
}

/// The sizes of a block; `which` if there are several.
std::string block_line(const std::string& which, std::uint64_t rows, std::uint64_t cols, std::uint64_t params,
                       const Multiplicity& channels) {
  std::string text = (which.empty() ? "  matrix       " : "  block        " + which + ": ") +
                     fmt::format("{} x {} entries, {}", rows, cols,
                                 counted(std::to_string(params), "parameter", "parameters"));
  if (channels != Multiplicity{})
    text += fmt::format(", each a {} x {} block of free scalars", channels.out, channels.in);
  return text + "\n";
}

std::string elements_line(const IntertwinerSpace& space) {
  if (space.params() == 0) return {};
  const std::string what = space.field().is_rational()
                               ? "integral matrices, entries"
                               : "matrices over " + space.field().to_string() + ", coordinates";
  return fmt::format("  elements     {} up to {}, {:.1f} % of them not 0\n", what, space.height().str(),
                     100 * space.density());
}

template <class Basis>
std::string dimension_line(const Basis& basis) {
  return fmt::format("  dimension    {}, {}\n", counted(basis.dimension().str(), "weight", "weights"),
                     counted(basis.bias_dimension().str(), "bias", "biases"));
}

std::string vanishing_lines(const EquivariantBasis::Block& block, bool several, const Task& task) {
  const std::size_t count = block.weights.is_tied() ? block.weights.pattern().vanishing_orbits().size() : 0;
  if (count == 0) return {};
  std::string text = fmt::format(
      "  vanishing    {} of entries{} {} no parameter:\n", counted(std::to_string(count), "orbit", "orbits"),
      several ? " of " + arrow(block.weights.source(), block.weights.target()) : "",
      count == 1 ? "carries" : "carry");
  for (const std::string& reason : vanishing_reasons(block, task)) text += "               " + reason + "\n";
  if (count > shown_reasons) text += fmt::format("               and {} more\n", count - shown_reasons);
  return text;
}

/// The facts proved of one Hom.
OrderedJson certificate_json(const HomCertificate& c) {
  return {{"dimension", c.dimension.str()},
          {"route", c.route},
          {"commutation", to_string(c.commutation)},
          {"independence", to_string(c.independence)}};
}

/// Why all elements commute, and for how many of the bases of weights and biases, if not for all.
std::vector<std::string> reasons_of_commutation(const EquivariantBasis& basis) {
  constexpr std::string_view reasons[] = {
      "every entry checked under every generator",
      "by the count (the table is too large to check every entry here)",
      "every element is put together from smaller maps that were checked"};
  std::array<std::size_t, std::size(reasons)> times{};
  for (const auto& block : basis.blocks())
    ++times[static_cast<std::size_t>(block.weights.certificate().commutation)];
  for (const auto& block : basis.bias_blocks())
    ++times[static_cast<std::size_t>(block.bias.certificate().commutation)];
  const std::size_t all = basis.blocks().size() + basis.bias_blocks().size();
  std::vector<std::string> out;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (times[k] != 0)
      out.push_back(times[k] == all ? std::string(reasons[k])
                                    : fmt::format("{} of {} bases: {}", times[k], all, reasons[k]));
  if (out.empty()) out.emplace_back(reasons[0]);
  return out;
}

/// The elements of the first block, or of a space, which are gone through one entry at a time.
class Elements {
 public:
  explicit Elements(IntertwinerSpace space) : space_(std::move(space)) {}
  Elements(const EquivariantBasis& basis, const Task& task) {
    if (basis.blocks().empty()) throw DomainError("V or U has dimension 0, there is no table");
    const HomBasis& weights = basis.blocks().front().weights;
    if (basis.field().is_rational())
      matrices_ = weights.elements(task);
    else
      space_ = weights.space();
  }

  /// Calls element() before every one, and entry(row, column, value as text) for its entries in row-major order.
  template <class Element, class Entry>
  void visit(Element element, Entry entry) const {
    for (const SparseMatrix& matrix : matrices_) {
      element();
      for (const auto& e : matrix.entries()) entry(e.row, e.col, to_string(e.value));
    }
    if (!space_) return;
    for (std::uint64_t k = 0; k < space_->params(); ++k) {
      element();
      for (std::uint64_t e = space_->start()[k]; e < space_->start()[k + 1]; ++e)
        entry(space_->row()[e], space_->col()[e], to_string(space_->value(e)));
    }
  }

 private:
  std::vector<SparseMatrix> matrices_;
  std::optional<IntertwinerSpace> space_;
};

/// "+", "-3/2", "+(E(5)+E(5)^4)" before a place.
std::string coefficient(const std::string& value) {
  const bool negative = value.front() == '-';
  const std::string size = negative ? value.substr(1) : value;
  if (value.find('E') != std::string::npos) return "+(" + value + ")";
  return (negative ? "-" : "+") + (size == "1" ? "" : size);
}

OrderedJson fields_of(const EquivariantBasis& basis) {
  const FiniteGroup& G = basis.source().group();
  std::uint64_t rows = 0, cols = 0;
  for (const auto& block : basis.bias_blocks()) rows += block.bias.rows();
  // The blocks of the first part of U.
  for (std::size_t k = 0; rows != 0 && k < basis.blocks().size() / basis.bias_blocks().size(); ++k)
    cols += basis.blocks()[k].weights.cols();
  OrderedJson json;
  json["group"] = G.name();
  json["order"] = G.order().str();
  json["rep_in"] = basis.source().to_string();
  json["rep_out"] = basis.target().to_string();
  json["rows"] = rows;
  json["cols"] = cols;
  json["dimension"] = basis.dimension().str();
  json["params"] = basis.params();
  json["bias_dimension"] = basis.bias_dimension().str();
  json["bias_params"] = basis.bias_params();
  json["kind"] = basis.is_tied() ? "signed-orbit" : "sparse-basis";
  json["field"] = basis.field().to_string();
  OrderedJson blocks = OrderedJson::array();
  std::uint64_t vanishing = 0;
  for (const auto& block : basis.blocks()) {
    const HomBasis& weights = block.weights;
    if (weights.is_tied()) vanishing += weights.pattern().vanishing_orbits().size();
    blocks.push_back({{"rep_in", weights.source().to_string()},
                      {"rep_out", weights.target().to_string()},
                      {"multiplicity_in", block.channels.in},
                      {"multiplicity_out", block.channels.out},
                      {"params", weights.params()},
                      {"certificate", certificate_json(weights.certificate())},
                      {"bias_certificate", certificate_json(block.bias.certificate())}});
    if (weights.is_tied()) continue;
    blocks.back()["height"] = weights.space().height().str();
    blocks.back()["density"] = weights.space().density();
  }
  json["blocks"] = std::move(blocks);
  json["vanishing_orbits"] = vanishing;
  const Certificate& c = basis.certificate();
  json["certificate"] = {{"character_dimension", c.character_dimension.str()},
                         {"bias_character_dimension", c.bias_character_dimension.str()},
                         {"commutes", c.commutes},
                         {"every_entry_checked", c.every_entry_checked},
                         {"independent", c.independent},
                         {"route", c.route},
                         {"bias_route", c.bias_route}};
  return json;
}

std::string text_of(const EquivariantBasis& basis, const BasisNames& names, std::string_view time,
                    const Task& task) {
  const FiniteGroup& G = basis.source().group();
  const Certificate& c = basis.certificate();
  const bool several = basis.blocks().size() > 1;
  std::string text =
      fmt::format("{}: Hom({}, {})\n", shortened(names.group), shortened(names.in), shortened(names.out));
  text += fmt::format("  group        order {}, degree {}, {}\n", G.order().str(), G.degree(),
                      counted(std::to_string(G.generators().size()), "generator", "generators"));
  for (const auto& b : basis.blocks()) {
    const HomBasis& W = b.weights;
    text +=
        block_line(several ? arrow(W.source(), W.target()) : "", W.rows(), W.cols(), W.params(), b.channels);
    if (!W.is_tied()) text += elements_line(W.space());
  }
  text += dimension_line(basis);
  const bool repeated =
      c.character_dimension != basis.dimension() || c.bias_character_dimension != basis.bias_dimension();
  text += fmt::format("  complete     {}: <chi_in, chi_out> = {} and {}{}, counted independently ({}{})\n",
                      c.independent ? "yes" : "if independent (not checked: too many entries)",
                      c.character_dimension.str(),
                      counted(c.bias_character_dimension.str(), "invariant", "invariants"),
                      repeated ? " without multiplicities" : "", c.route,
                      c.bias_route == c.route ? "" : "; the invariants: " + c.bias_route);
  text += fmt::format("  equivariant  yes: {}\n", fmt::join(reasons_of_commutation(basis), "; "));
  for (const auto& b : basis.blocks()) text += vanishing_lines(b, several, task);
  if (!time.empty()) text += fmt::format("  time         {}\n", time);
  return text;
}

JsonPiece piece_of(const std::shared_ptr<const Elements>& elements) {
  return [elements](JsonWriter& json) {
    bool first = true;
    json.open_list();
    elements->visit(
        [&] {
          if (!std::exchange(first, false)) json.close();
          json.open_list();
        },
        [&](std::uint64_t row, std::uint64_t col, const std::string& value) {
          json.value(json_text(OrderedJson::array({row, col, value})));
        });
    if (!first) json.close();
    json.close();
  };
}

std::string text_of_elements(const Elements& elements) {
  std::string text;
  std::uint64_t k = 0;
  elements.visit([&] { text += fmt::format("{}B{}:", k == 0 ? "" : "\n", k + 1), ++k; },
                 [&](std::uint64_t row, std::uint64_t col, const std::string& value) {
                   text += fmt::format(" {}[{},{}]", coefficient(value), row + 1, col + 1);
                 });
  return k == 0 ? text : text + "\n";
}

Elements elements_of(const EquivariantBasis& basis, const Task& task) { return {basis, task}; }
Elements elements_of(const ContinuousBlocks& basis, const Task&) {
  return Elements(basis.blocks.front().front().weights);
}

/// The sums over the blocks of a basis: they count patterns, so without multiplicities.
struct BlockSums {
  std::uint64_t rows = 0, cols = 0, params = 0, bias_params = 0;
  Integer weights = 0, biases = 0;
  std::set<std::string> routes, bias_routes;
  bool multiplicities = false;

  explicit BlockSums(const ContinuousBlocks& basis) {
    for (const auto& row : basis.blocks) {
      rows += row.front().weights.rows();
      bias_params += row.front().bias.params();
      biases += row.front().certificate.bias.dimension;
      bias_routes.insert(row.front().certificate.bias.route);
      for (const ContinuousBasis& block : row) {
        if (&row == &basis.blocks.front()) cols += block.weights.cols();
        params += block.weights.params();
        weights += block.certificate.weights.dimension;
        routes.insert(block.certificate.weights.route);
        multiplicities |= block.channels != Multiplicity{};
      }
    }
  }
  OrderedJson certificate() const {
    return {{"character_dimension", weights.str()},
            {"bias_character_dimension", biases.str()},
            {"commutes", true},
            {"every_entry_checked", true},
            {"independent", true},
            {"route", fmt::format("{}", fmt::join(routes, "; "))},
            {"bias_route", fmt::format("{}", fmt::join(bias_routes, "; "))}};
  }
};

bool has_complex_scalars(const ContinuousBlocks& basis) {
  return common_scalars(basis.source, basis.target) == Scalars::complex;
}

/// Adds the facts of one block beside its representations and its certificate.
void add_block(OrderedJson& json, const ContinuousBasis& block) {
  json["multiplicity_in"] = block.channels.in;
  json["multiplicity_out"] = block.channels.out;
  json["kind"] = "sparse-basis";
  json["field"] = block.weights.field().to_string();
  json["height"] = block.weights.height().str();
  json["density"] = block.weights.density();
}

OrderedJson fields_of(const ContinuousBlocks& basis) {
  const BlockSums sums(basis);
  OrderedJson json = {{"group", basis.source.group().name()},
                      {"order", nullptr},
                      {"scalars", has_complex_scalars(basis) ? "complex" : "real"},
                      {"rep_in", basis.source.to_string()},
                      {"rep_out", basis.target.to_string()},
                      {"rows", sums.rows},
                      {"cols", sums.cols},
                      {"dimension", basis.dimension().str()},
                      {"params", sums.params},
                      {"bias_dimension", basis.bias_dimension().str()},
                      {"bias_params", sums.bias_params}};
  if (basis.blocks.size() == 1 && basis.blocks.front().size() == 1) {
    add_block(json, basis.blocks.front().front());
  } else {
    json["blocks"] = OrderedJson::array();
    for (const auto& row : basis.blocks)
      for (const ContinuousBasis& block : row) {
        json["blocks"].push_back({{"rep_in", block.pattern_source.to_string()},
                                  {"rep_out", block.pattern_target.to_string()},
                                  {"params", block.weights.params()}});
        add_block(json["blocks"].back(), block);
      }
  }
  json["certificate"] = sums.certificate();
  return json;
}

std::string text_of(const ContinuousBlocks& basis, const BasisNames& names, std::string_view time,
                    const Task& /*task*/) {
  const BlockSums sums(basis);
  const ContinuousGroup& G = basis.source.group();
  const AbelianField compositum = AbelianField::compositum(basis.source.field(), basis.target.field());
  const bool several = basis.blocks.size() > 1 || (basis.blocks.size() == 1 && basis.blocks[0].size() > 1);
  std::string text =
      fmt::format("{}: Hom({}, {})\n", shortened(names.group), shortened(names.in), shortened(names.out));
  text += fmt::format("  group        {} of Lie algebras, components and finite factors{}\n",
                      counted(std::to_string(G.generator_names().size()), "generator", "generators"),
                      !has_complex_scalars(basis) ? ""
                      : compositum.is_rational()  ? "; complex representations with rational equivariant maps"
                                                  : "; complex representations");
  for (const auto& row : basis.blocks)
    for (const ContinuousBasis& block : row) {
      const IntertwinerSpace& W = block.weights;
      text += block_line(several ? arrow(block.pattern_source, block.pattern_target) : "", W.rows(), W.cols(),
                         W.params(), block.channels) +
              elements_line(W);
    }
  text += dimension_line(basis);
  text += fmt::format("  complete     yes: <chi_in, chi_out> = {} and {}{}, counted independently ({}{})\n",
                      sums.weights.str(), counted(sums.biases.str(), "invariant", "invariants"),
                      sums.multiplicities ? " without multiplicities" : "", fmt::join(sums.routes, "; "),
                      sums.bias_routes == sums.routes
                          ? std::string()
                          : fmt::format("; the invariants: {}", fmt::join(sums.bias_routes, "; ")));
  text += "  equivariant  yes: every entry checked under every generator\n";
  if (!time.empty()) text += fmt::format("  time         {}\n", time);
  return text;
}

}  // namespace

PictureText picture_text(const BasisNames& names, const WeightBlock& table) {
  const std::string in = title_name(names.in), out = title_name(names.out);
  return {fmt::format("{}: {} → {}", title_name(names.group), in, out),
          picture_text(table).subtitle + ", complete", in, out};
}

PictureText picture_text(const BasisNames& names, const WeightBlock& table, const ContinuousBasis& basis) {
  PictureText text = picture_text(names, table);
  const auto blocks_of = [](const ContinuousRepresentation& V) {
    std::vector<PictureBlock> blocks;
    std::uint64_t start = 0;
    for (const auto& [copies, W] : V.summands()) {
      const std::string name = shortened(W.to_string());
      blocks.push_back(
          {copies == 1 ? name : fmt::format("{}*{}", copies, name), start, copies * W.dimension()});
      start += blocks.back().size;
    }
    return blocks;
  };
  text.input_blocks = blocks_of(basis.pattern_source);
  text.output_blocks = blocks_of(basis.pattern_target);
  return text;
}

namespace {

/// "x [batch, 16, 5] = 16 x (e1, e2, e3, t1, t2)": how features lie; of several blocks "x [batch, 113] = 16 x (1, 2,
/// 3, 4, 5), 33 x (1)".
std::string side_of_features(const char* letter, bool several,
                             const std::vector<std::pair<std::uint64_t, Representation>>& parts) {
  constexpr std::uint64_t shown = 6;
  std::vector<std::string> texts;
  std::uint64_t total = 0;
  for (const auto& [channels, V] : parts) {
    std::string entries;
    for (std::uint64_t i = 0; i < std::min(V.dimension(), shown); ++i)
      entries += (i == 0 ? "" : ", ") + V.basis_label(i);
    if (V.dimension() > shown) entries += ", ...";
    texts.push_back(fmt::format("{}({})", channels == 1 ? "" : fmt::format("{} x ", channels), entries));
    total += channels * V.dimension();
  }
  const auto& [channels, V] = parts.front();
  const std::string shape =
      several || channels == 1 ? std::to_string(total) : fmt::format("{}, {}", channels, V.dimension());
  return fmt::format("{} [batch, {}] = {}\n", letter, shape, fmt::join(texts, ", "));
}

std::string features_of(const EquivariantBasis& basis) {
  if (basis.blocks().empty()) return {};
  std::vector<std::pair<std::uint64_t, Representation>> x, y;
  const bool several = basis.blocks().size() > 1;
  for (std::size_t j = 0; j < basis.blocks().size() / basis.bias_blocks().size(); ++j)
    x.emplace_back(basis.blocks()[j].channels.in, basis.blocks()[j].weights.source());
  for (const auto& part : basis.bias_blocks()) y.emplace_back(part.multiplicity, part.bias.target());
  return "  features     " + side_of_features("x", several, x) + "               " +
         side_of_features("y", several, y);
}

std::string features_of(const ContinuousBlocks& basis) {
  if (basis.blocks.size() == 1 && basis.blocks[0].size() == 1) return {};
  const auto side = [](const char* letter, const ContinuousRepresentation& V) {
    std::vector<std::string> texts;
    for (const auto& [channels, part] : V.parts())
      texts.push_back((channels == 1 ? "" : fmt::format("{} x ", channels)) + part.to_string());
    return fmt::format("{} [batch, {}] = {}\n", letter, V.dimension(), fmt::join(texts, ", "));
  };
  return "  features     " + side("x", basis.source) + "               " + side("y", basis.target);
}

BasisElements only_elements(const EquivariantBasis& basis, const Task& task) {
  return basis_elements(basis, task);
}
BasisElements only_elements(const ContinuousBlocks& basis, const Task& task) {
  return basis_elements(basis.blocks.front().front(), task);
}

template <class Basis>
JsonPiece fields_with_elements(const Basis& basis, const BasisForm& form, const Task& task) {
  JsonPiece elements;
  if (form.elements) elements = piece_of(std::make_shared<Elements>(elements_of(basis, task)));
  return [object = json_text(fields_of(basis)), elements](JsonWriter& json) {
    json.members(object);
    if (elements) elements(json.key("elements"));
  };
}

template <class Basis>
Record basis_record(Kept<Basis> basis, const BasisForm& form) {
  const auto elements = [=](const Task& task) { return record(only_elements(*basis, task)); };
  return {
      .fields = [=](const Task& task) { return fields_with_elements(*basis, form, task); },
      .text =
          [=](unsigned, const Task& task) {
            return text_of(*basis, form.names, form.time, task) +
                   (form.features ? features_of(*basis) : std::string()) +
                   (form.elements ? text_of_elements(elements_of(*basis, task)) : std::string());
          },
      .latex = [=](const Task& task) { return to_latex(elements(task), task); },
      .sheets = [=](const Task& task) { return elements(task).sheets(task); },
      .expression = [=](Format system, const Task& task) { return to_system(system, elements(task), task); },
      .arrays = [=](const Task& task) { return elements(task).arrays(task); }};
}

}  // namespace

Record record(Kept<EquivariantBasis> basis, const BasisForm& form) { return basis_record(basis, form); }
Record record(Kept<ContinuousBlocks> basis, const BasisForm& form) { return basis_record(basis, form); }
Record record(Kept<hom::Basis> basis, const BasisForm& form) {
  return std::visit(
      [&]<class Found>(const Found& found) { return basis_record(Kept<Found>(basis, found), form); },
      basis->kind());
}

namespace hom {

std::string elements_text(const Basis& basis, const Task& task) {
  return std::visit([&](const auto& found) { return text_of_elements(elements_of(found, task)); },
                    basis.kind());
}

PictureText picture_text(const BasisNames& names, const WeightBlock& table, const Basis& basis) {
  const auto* found = basis.as<ContinuousBlocks>();
  return found != nullptr ? intertwine::picture_text(names, table, found->blocks.front().front())
                          : intertwine::picture_text(names, table);
}

}  // namespace hom

std::string to_text(const LargestGroup& largest) {
  std::string text = "  symmetry     the largest group of the table has order " + largest.order.str();
  if (largest.index)
    text += *largest.index == 1 ? ", the image of G itself"
                                : fmt::format(", {} times that of G's image", largest.index->str());
  return text + "\n";
}

}  // namespace intertwine
