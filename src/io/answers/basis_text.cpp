// Writes bases of Hom and their certificates.
#include "intertwine/io/basis_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
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

using Block = hom::Basis::Block;

const Representation& finite(const hom::Representation& V) { return *V.as<Representation>(); }

/// "entry (2, (1,2)): (1,2) fixes it and changes its sign" for the first orbits without a parameter.
std::vector<std::string> vanishing_reasons(const Block& block, const Task& task) {
  const Representation &V = finite(block.source), &U = finite(block.target);
  std::vector<std::string> reasons;
  for (const MatrixEntry& entry : block.weights.pattern().vanishing_orbits()) {
    if (reasons.size() == shown_reasons) break;
    const auto g = vanishing_witness(V, U, entry, task);
    if (!g) throw InternalError("an orbit was taken to vanish, but no element negates its entry");
    reasons.push_back(fmt::format("entry ({}, {}): {} fixes it and changes its sign", U.basis_label(entry.row),
                                  V.basis_label(entry.col), shortened(g->to_string())));
  }
  return reasons;
}

std::string arrow(const Block& block) {
  return shortened(block.source.to_string()) + " -> " + shortened(block.target.to_string());
}

/// The sizes of a block, with its representations where there are several.
std::string block_line(const Block& block, bool several) {
  const HomBasis& W = block.weights;
  std::string text = (several ? "  block        " + arrow(block) + ": " : "  matrix       ") +
                     fmt::format("{} x {} entries, {}", W.rows(), W.cols(),
                                 counted(std::to_string(W.params()), "parameter", "parameters"));
  if (block.channels != Multiplicity{})
    text += fmt::format(", each a {} x {} block of free scalars", block.channels.out, block.channels.in);
  return text + "\n";
}

std::string elements_line(const IntertwinerSpace& space) {
  if (space.params() == 0) return {};
  const std::string what = space.field().is_rational() ? "integral matrices, entries"
                                                       : "matrices over " + space.field().to_string() + ", coordinates";
  return fmt::format("  elements     {} up to {}, {:.1f} % of them not 0\n", what, space.height().str(),
                     100 * space.density());
}

std::string dimension_line(const hom::Basis& basis) {
  return fmt::format("  dimension    {}, {}\n", counted(basis.dimension().str(), "weight", "weights"),
                     counted(basis.bias_dimension().str(), "bias", "biases"));
}

std::string vanishing_lines(const Block& block, bool several, const Task& task) {
  const std::size_t count = block.weights.is_tied() ? block.weights.pattern().vanishing_orbits().size() : 0;
  if (count == 0) return {};
  std::string text = fmt::format("  vanishing    {} of entries{} {} no parameter:\n",
                                 counted(std::to_string(count), "orbit", "orbits"),
                                 several ? " of " + arrow(block) : "", count == 1 ? "carries" : "carry");
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
std::vector<std::string> reasons_of_commutation(const hom::Basis& basis) {
  constexpr std::string_view reasons[] = {"every entry checked under every generator",
                                          "by the count (the table is too large to check every entry here)",
                                          "every element is put together from smaller maps that were checked"};
  std::array<std::size_t, std::size(reasons)> times{};
  for (const auto& block : basis.blocks()) ++times[static_cast<std::size_t>(block.weights.certificate().commutation)];
  for (const auto& bias : basis.biases()) ++times[static_cast<std::size_t>(bias.basis.certificate().commutation)];
  const std::size_t all = basis.blocks().size() + basis.biases().size();
  std::vector<std::string> out;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (times[k] != 0)
      out.push_back(times[k] == all ? std::string(reasons[k])
                                    : fmt::format("{} of {} bases: {}", times[k], all, reasons[k]));
  if (out.empty()) out.emplace_back(reasons[0]);
  return out;
}

/// The elements of the first block, which are gone through one entry at a time.
class Elements {
 public:
  Elements(const hom::Basis& basis, const Task& task) {
    if (basis.blocks().empty()) throw DomainError("V or U has dimension 0, there is no table");
    const HomBasis& weights = basis.blocks().front().weights;
    if (weights.is_tied())
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

bool is_complex(const hom::Basis& basis) {
  const auto *V = basis.source().as<ContinuousRepresentation>(), *U = basis.target().as<ContinuousRepresentation>();
  return V != nullptr ? common_scalars(*V, *U) == Scalars::complex : !basis.field().is_real();
}

/// Adds how large the entries are and how many, of elements that are not tied.
void add_entries(OrderedJson& json, const HomBasis& weights) {
  if (weights.is_tied()) return;
  json["height"] = weights.space().height().str();
  json["density"] = weights.space().density();
}

OrderedJson block_json(const Block& block) {
  OrderedJson json = {{"rep_in", block.source.to_string()},
                      {"rep_out", block.target.to_string()},
                      {"multiplicity_in", block.channels.in},
                      {"multiplicity_out", block.channels.out},
                      {"params", block.weights.params()},
                      {"kind", block.weights.is_tied() ? "signed-orbit" : "sparse-basis"},
                      {"field", block.field().to_string()},
                      {"certificate", certificate_json(block.weights.certificate())},
                      {"bias_certificate", certificate_json(block.bias.certificate())}};
  add_entries(json, block.weights);
  return json;
}

OrderedJson fields_of(const hom::Basis& basis, const Task& task) {
  const std::optional<Integer> order = basis.source().group().order(task);
  const bool one = basis.blocks().size() == 1;
  const Multiplicity channels = one ? basis.blocks().front().channels : Multiplicity{};
  OrderedJson json = {{"group", basis.source().group().name()},
                      {"order", order ? OrderedJson(order->str()) : OrderedJson()},
                      {"scalars", is_complex(basis) ? "complex" : "real"},
                      {"rep_in", basis.source().to_string()},
                      {"rep_out", basis.target().to_string()},
                      {"rows", basis.rows()},
                      {"cols", basis.cols()},
                      {"dimension", basis.dimension().str()},
                      {"params", basis.params()},
                      {"bias_dimension", basis.bias_dimension().str()},
                      {"bias_params", basis.bias_params()},
                      {"multiplicity_in", one ? OrderedJson(channels.in) : OrderedJson()},
                      {"multiplicity_out", one ? OrderedJson(channels.out) : OrderedJson()},
                      {"kind", basis.is_tied() ? "signed-orbit" : "sparse-basis"},
                      {"field", basis.field().to_string()}};
  if (one) add_entries(json, basis.blocks().front().weights);
  json["blocks"] = OrderedJson::array();
  std::uint64_t vanishing = 0;
  for (const Block& block : basis.blocks()) {
    json["blocks"].push_back(block_json(block));
    if (block.weights.is_tied()) vanishing += block.weights.pattern().vanishing_orbits().size();
  }
  json["vanishing_orbits"] = vanishing;
  const hom::Certificate& c = basis.certificate();
  json["certificate"] = {{"character_dimension", c.character_dimension.str()},
                         {"bias_character_dimension", c.bias_character_dimension.str()},
                         {"commutes", c.commutes},
                         {"every_entry_checked", c.every_entry_checked},
                         {"independent", c.independent},
                         {"route", c.route},
                         {"bias_route", c.bias_route}};
  return json;
}

/// "order 24, degree 4, 2 generators"; of other groups their generators and scalars.
std::string group_facts(const hom::Basis& basis) {
  const hom::Group& group = basis.source().group();
  if (const auto* G = group.as<FiniteGroup>())
    return fmt::format("order {}, degree {}, {}", G->order().str(), G->degree(),
                       counted(std::to_string(G->generators().size()), "generator", "generators"));
  const std::size_t generators = group.as<ContinuousGroup>()->generator_names().size();
  return counted(std::to_string(generators), "generator", "generators") +
         " of Lie algebras, components and finite factors" +
         (!is_complex(basis)            ? ""
          : basis.field().is_rational() ? "; complex representations with rational equivariant maps"
                                        : "; complex representations");
}

std::string text_of(const hom::Basis& basis, const BasisNames& names, std::string_view time, const Task& task) {
  const hom::Certificate& c = basis.certificate();
  const bool several = basis.is_several();
  std::string text =
      fmt::format("{}: Hom({}, {})\n", shortened(names.group), shortened(names.in), shortened(names.out));
  text += fmt::format("  group        {}\n", group_facts(basis));
  for (const Block& block : basis.blocks()) {
    text += block_line(block, several);
    if (!block.weights.is_tied()) text += elements_line(block.weights.space());
  }
  text += dimension_line(basis);
  const bool repeated =
      c.character_dimension != basis.dimension() || c.bias_character_dimension != basis.bias_dimension();
  text += fmt::format("  complete     {}: <chi_in, chi_out> = {} and {}{}, counted independently ({}{})\n",
                      c.independent ? "yes" : "if independent (not checked: too many entries)",
                      c.character_dimension.str(), counted(c.bias_character_dimension.str(), "invariant", "invariants"),
                      repeated ? " without multiplicities" : "", c.route,
                      c.bias_route == c.route ? "" : "; the invariants: " + c.bias_route);
  text += fmt::format("  equivariant  yes: {}\n", fmt::join(reasons_of_commutation(basis), "; "));
  for (const Block& block : basis.blocks()) text += vanishing_lines(block, several, task);
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

}  // namespace

PictureText picture_text(const BasisNames& names, const WeightBlock& table) {
  const std::string in = title_name(names.in), out = title_name(names.out);
  return {fmt::format("{}: {} → {}", title_name(names.group), in, out), picture_text(table).subtitle + ", complete", in,
          out};
}

namespace {

/// The summands of a part of V as a picture bounds them.
std::vector<PictureBlock> blocks_of(const ContinuousRepresentation& V) {
  std::vector<PictureBlock> blocks;
  std::uint64_t start = 0;
  for (const auto& [copies, W] : V.summands()) {
    const std::string name = shortened(W.to_string());
    blocks.push_back({copies == 1 ? name : fmt::format("{}*{}", copies, name), start, copies * W.dimension()});
    start += blocks.back().size;
  }
  return blocks;
}

/// "(e1, e2, e3, t1, t2)" of a part of finite groups, of others its name.
std::string part_text(const hom::Representation& part) {
  const auto* V = part.as<Representation>();
  if (V == nullptr) return part.to_string();
  constexpr std::uint64_t shown = 6;
  std::string entries;
  for (std::uint64_t i = 0; i < std::min(V->dimension(), shown); ++i)
    entries += (i == 0 ? "" : ", ") + V->basis_label(i);
  return fmt::format("({}{})", entries, V->dimension() > shown ? ", ..." : "");
}

/// "x [batch, 16, 5] = 16 x (e1, e2, e3, t1, t2)": how features lie; of several blocks "x [batch, 113] = 16 x (1, 2,
/// 3, 4, 5), 33 x (1)".
std::string side_of_features(const char* letter, bool several,
                             const std::vector<std::pair<std::uint64_t, hom::Representation>>& parts) {
  std::vector<std::string> texts;
  Integer total = 0;
  for (const auto& [channels, V] : parts) {
    texts.push_back((channels == 1 ? "" : fmt::format("{} x ", channels)) + part_text(V));
    total += channels * V.dimension();
  }
  const auto& [channels, V] = parts.front();
  const std::string shape =
      several || channels == 1 ? total.str() : fmt::format("{}, {}", channels, V.dimension().str());
  return fmt::format("{} [batch, {}] = {}\n", letter, shape, fmt::join(texts, ", "));
}

/// How the features lie. One block of a continuous group has the order of its representations alone.
std::string features_of(const hom::Basis& basis) {
  const bool is_finite = basis.source().as<Representation>() != nullptr;
  if (basis.is_empty() || (!is_finite && !basis.is_several())) return {};
  std::vector<std::pair<std::uint64_t, hom::Representation>> x, y;
  for (std::size_t j = 0; j < basis.inputs(); ++j)
    x.emplace_back(basis.blocks()[j].channels.in, basis.blocks()[j].source);
  for (const auto& part : basis.biases()) y.emplace_back(part.multiplicity, part.target);
  return "  features     " + side_of_features("x", basis.is_several(), x) + "               " +
         side_of_features("y", basis.is_several(), y);
}

JsonPiece fields_with_elements(const hom::Basis& basis, const BasisForm& form, const Task& task) {
  JsonPiece elements;
  if (form.elements) elements = piece_of(std::make_shared<Elements>(basis, task));
  return [object = json_text(fields_of(basis, task)), elements](JsonWriter& json) {
    json.members(object);
    if (elements) elements(json.key("elements"));
  };
}

}  // namespace

Record record(Kept<hom::Basis> basis, const BasisForm& form) {
  const auto elements = [=](const Task& task) { return record(hom::basis_elements(*basis, task)); };
  return {.fields = [=](const Task& task) { return fields_with_elements(*basis, form, task); },
          .text =
              [=](unsigned, const Task& task) {
                return text_of(*basis, form.names, form.time, task) +
                       (form.features ? features_of(*basis) : std::string()) +
                       (form.elements ? text_of_elements(Elements(*basis, task)) : std::string());
              },
          .latex = [=](const Task& task) { return to_latex(elements(task), task); },
          .sheets = [=](const Task& task) { return elements(task).sheets(task); },
          .expression = [=](Format system, const Task& task) { return to_system(system, elements(task), task); },
          .arrays = [=](const Task& task) { return elements(task).arrays(task); }};
}

namespace hom {

std::string elements_text(const Basis& basis, const Task& task) { return text_of_elements(Elements(basis, task)); }

PictureText picture_text(const BasisNames& names, const WeightBlock& table, const Basis& basis) {
  PictureText text = intertwine::picture_text(names, table);
  const Basis::Block& block = basis.blocks().front();
  if (const auto* V = block.source.as<ContinuousRepresentation>()) text.input_blocks = blocks_of(*V);
  if (const auto* U = block.target.as<ContinuousRepresentation>()) text.output_blocks = blocks_of(*U);
  return text;
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
