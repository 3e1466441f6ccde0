// The interactive picture: a page (src/io/pictures/table_page.*) and the table as JSON in it.
//
// The page looks up and draws; what is true is said here. Arrays are base64 of little-endian integers, as narrow as they can
// be. The page knows the code of an entry and, where the table names its group, the last letter of the word that
// carries the first entry of its orbit to it; the images of the letters lead it back to the first entry, letter by
// letter.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "intertwine/equivariant/entry_orbits.hpp"
#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/words.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/version.hpp"
#include "io/answers/filled.hpp"
#include "io/answers/json_values.hpp"
#include "io/containers/text.hpp"
#include "io/pictures/parameter_colours.hpp"
#include "io/pictures/picture_source.hpp"
#include "io/pictures/picture_text.hpp"

namespace intertwine {

namespace embedded {
extern const std::string_view table_page_html, table_page_css, table_data_js, table_page_js;
}  // namespace embedded

namespace {

constexpr std::uint64_t max_entries = 4'194'304, max_side = 16384;
constexpr std::size_t max_element_text = 1 << 20;  ///< bytes of all group elements in cycles
constexpr std::size_t max_cycles = 400, longest_name = 80;

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t word = 0;
    for (std::size_t b = 0; b < 3; ++b) word = word << 8 | (b < count ? bytes[k + b] : 0U);
    for (std::size_t d = 0; d < 4; ++d) out += d <= count ? digits[word >> (18 - 6 * d) & 63] : '=';
  }
  return out;
}

OrderedJson packed(std::span<const std::uint32_t> numbers) {
  std::uint32_t largest = 0;
  for (const std::uint32_t x : numbers) largest = std::max(largest, x);
  const unsigned width = largest < 256 ? 1 : largest < 65536 ? 2 : 4;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(numbers.size() * width);
  for (const std::uint32_t x : numbers)
    for (unsigned b = 0; b < width; ++b) bytes.push_back(static_cast<std::uint8_t>(x >> (8 * b)));
  return {{"bytes", width}, {"data", base64(bytes)}};
}

/// The origin of a table, and the action of the generators.
struct Source {
  TableClaim claim;
  std::vector<SignedPermutation> rows, cols;  ///< images of the generators, of tied entries
};

std::optional<Source> source_of(const std::optional<TableClaim>& claim, const WeightBlock& table) {
  if (!claim) return std::nullopt;
  if (!table.is_tied()) return Source{*claim, {}, {}};
  return Source{*claim, claim->out.generator_images(), claim->in.generator_images()};
}

/// Group elements in cycles, each once.
class Elements {
 public:
  explicit Elements(const FiniteGroup& G) : degree_(G.degree()) {
    for (const Permutation& g : G.generators()) {
      letters_.push_back(g);
      letters_.push_back(g.inverse());
    }
  }

  /// The product of a letter (a step of EntryOrbits) and an element that is there already; nothing when the texts are more
  /// than a page should hold.
  std::optional<std::uint32_t> product(std::uint32_t step, std::uint32_t element) {
    return number(letters_[step - 1] * elements_[element]);
  }
  std::optional<std::uint32_t> number(Permutation g) {
    const auto [at, fresh] = numbers_.try_emplace(g, static_cast<std::uint32_t>(elements_.size()));
    if (!fresh) return at->second;
    texts_.push_back(g.to_string());
    size_ += texts_.back().size() + 8 * degree_;  // the elements themselves are held as well
    if (size_ > 8 * max_element_text) return std::nullopt;
    text_size_ += texts_.back().size();
    if (text_size_ > max_element_text) return std::nullopt;
    elements_.push_back(std::move(g));
    return at->second;
  }
  std::optional<std::uint32_t> identity() { return number(Permutation::identity(degree_)); }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::size_t degree_, size_ = 0, text_size_ = 0;
  std::vector<Permutation> letters_, elements_;
  std::map<Permutation, std::uint32_t> numbers_;
  std::vector<std::string> texts_;
};

/// The element of every entry's word, where all of them together are few enough for a page.
OrderedJson elements_json(const EntryOrbits& orbits, const FiniteGroup& G, const Task& task) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  Elements elements(G);
  const auto identity = elements.identity();
  if (!identity) return nullptr;
  std::vector<std::uint32_t> of(orbits.steps().size(), none), path;
  for (std::uint64_t entry = 0; entry < of.size(); ++entry) {
    if (entry % 1024 == 0) task.progress("naming group elements", entry, of.size());
    path.clear();
    std::uint64_t at = entry;
    for (; of[at] == none && orbits.steps()[at] != 0; at = orbits.parent(at))
      path.push_back(static_cast<std::uint32_t>(at));
    if (of[at] == none) of[at] = *identity;
    for (std::size_t k = path.size(); k-- > 0; at = path[k]) {
      const auto element = elements.product(orbits.steps()[path[k]], of[at]);
      if (!element) return nullptr;
      of[path[k]] = *element;
    }
  }
  return {{"of", packed(of)}, {"text", elements.texts()}};
}

/// "a*b^-1 = (1,3,2)".
std::string element_text(const Word& word, const FiniteGroup& G) {
  Permutation g = Permutation::identity(G.degree());
  for (const std::int32_t letter : word) {
    const Permutation& x = G.generators()[static_cast<std::size_t>(std::abs(letter) - 1)];
    g = g * (letter > 0 ? x : x.inverse());
  }
  return fmt::format("{} = {}", words::text(word, G.generators().size()), shortened(g.to_string(), max_cycles));
}

/// The codes of a part and the first entry of every parameter. Vanishing orbits have codes after those of parameters.
struct Codes32 {
  std::vector<std::uint32_t> code, first;
  std::uint64_t zeros = 0;
};

Codes32 codes_of(const WeightPattern& pattern, const Task& task) {
  Codes32 out;
  out.first.assign(pattern.params, ~std::uint32_t{0});
  out.code.reserve(pattern.rows * pattern.cols);
  std::vector<std::int32_t> row;
  for (std::uint64_t i = 0; i < pattern.rows; ++i) {
    if (i % 64 == 0) task.progress("reading the table", i, pattern.rows);
    read_row(pattern, i, row);
    for (const std::int32_t code : row) {
      const CodeMeaning meaning = meaning_of(code, pattern.params);
      if (meaning.zero)
        ++out.zeros;
      else
        out.first[meaning.parameter] =
            std::min(out.first[meaning.parameter], static_cast<std::uint32_t>(out.code.size()));
      out.code.push_back(static_cast<std::uint32_t>(code));
    }
  }
  return out;
}

/// Adds what the group says of the entries. \throws VerificationError if the table is not the one that it has.
void add_orbits(OrderedJson& part, Codes32& codes, const WeightPattern& pattern, const EntryOrbits& orbits,
                const FiniteGroup& G, const Task& task) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::vector<std::uint32_t> parameter, zero, zero_sizes, zero_first;
  std::vector<std::string> why;
  std::uint32_t params = 0;
  for (const EntryOrbits::Orbit& orbit : orbits.orbits()) {
    const bool vanishes = orbit.negating.has_value();
    parameter.push_back(vanishes ? none : params++);
    zero.push_back(vanishes ? static_cast<std::uint32_t>(zero_sizes.size()) : none);
    if (!vanishes) continue;
    zero_sizes.push_back(static_cast<std::uint32_t>(orbit.size));
    zero_first.push_back(static_cast<std::uint32_t>(orbit.first.row * pattern.cols + orbit.first.col));
    why.push_back(element_text(*orbit.negating, G));
  }
  for (std::uint64_t e = 0; e < codes.code.size(); ++e) {
    const std::uint32_t orbit = orbits.orbit_of()[e], k = parameter[orbit];
    const std::uint64_t expected = k == none ? 0 : 1 + k + (orbits.negative()[e] ? pattern.params : 0);
    if (codes.code[e] != expected)
      throw VerificationError(
          fmt::format("the table is not that of the group and the representations it names: entry ({}, {}) "
                      "(0-based) has the code {}, and its orbit {}; `intertwine verify` says more",
                      e / pattern.cols, e % pattern.cols, codes.code[e], expected));
    if (k == none) codes.code[e] = static_cast<std::uint32_t>(2 * pattern.params + 1 + zero[orbit]);
  }
  part["zero_sizes"] = packed(zero_sizes);
  part["zero_first"] = packed(zero_first);
  part["zero_why"] = why;
  part["steps"] = packed(orbits.steps());
  if (OrderedJson elements = elements_json(orbits, G, task); !elements.is_null())
    part["elements"] = std::move(elements);
}

OrderedJson tied_json(OrderedJson part, const WeightPattern& pattern, const Source* source, bool bias,
                      const Task& task) {
  Codes32 codes = codes_of(pattern, task);
  part["zeros"] = codes.zeros;
  const std::vector<std::int64_t>& sizes = pattern.tied().orbit_size;
  part["sizes"] = packed(std::vector<std::uint32_t>(sizes.begin(), sizes.end()));
  part["first"] = packed(codes.first);
  if (source != nullptr) {
    const std::vector<SignedPermutation> point(source->rows.size(), SignedPermutation::identity(1));
    const EntryOrbits orbits(pattern.rows, pattern.cols, source->rows, bias ? point : source->cols, task);
    add_orbits(part, codes, pattern, orbits, source->claim.group, task);
  }
  part["codes"] = packed(codes.code);
  return part;
}

std::string value_text(const SparseElements& elements, std::size_t e, const AbelianField& field) {
  return field.is_rational() ? elements.integer(e) : to_string(value_of(field, coordinates_of(elements, e, 1), 0));
}

OrderedJson sparse_json(OrderedJson part, const WeightPattern& pattern, const Task& task) {
  const SparseElements& elements = pattern.sparse();
  const AbelianField field = elements.exact.degree == 1 ? AbelianField{} : field_of(elements.exact);
  std::vector<std::uint32_t> start, sizes, entry, value;
  std::map<std::string, std::uint32_t> numbers;
  std::vector<std::string> texts;
  std::vector<bool> occurs(pattern.rows * pattern.cols, false);
  for (std::size_t e = 0; e < elements.value.size(); ++e) {
    if (e % 1024 == 0) task.progress("reading the table", e, elements.value.size());
    const std::uint64_t at =
        static_cast<std::uint64_t>(elements.row[e]) * pattern.cols + static_cast<std::uint64_t>(elements.col[e]);
    occurs[at] = true;
    entry.push_back(static_cast<std::uint32_t>(at));
    std::string text = value_text(elements, e, field);
    const auto [found, fresh] = numbers.try_emplace(text, static_cast<std::uint32_t>(texts.size()));
    if (fresh) texts.push_back(std::move(text));
    value.push_back(found->second);
  }
  for (std::size_t k = 0; k <= pattern.params; ++k) {
    start.push_back(static_cast<std::uint32_t>(elements.start[k]));
    if (k > 0) sizes.push_back(start[k] - start[k - 1]);
  }
  part["zeros"] = std::count(occurs.begin(), occurs.end(), false);
  part["sizes"] = packed(sizes);
  part["start"] = packed(start);
  part["entry"] = packed(entry);
  part["value"] = packed(value);
  part["values"] = texts;
  return part;
}

OrderedJson part_json(const WeightBlock& table, bool bias, const Source* source, const Task& task) {
  const WeightPattern& pattern = bias ? table.bias : table.weights;
  OrderedJson part = {{"name", bias ? "b" : "W"}, {"letter", bias ? "b" : "θ"},
                      {"rows", pattern.rows},     {"cols", pattern.cols},
                      {"params", pattern.params}, {"colour_start", bias ? table.weights.params : 0}};
  return table.is_tied() ? tied_json(std::move(part), pattern, source, bias, task)
                         : sparse_json(std::move(part), pattern, task);
}

/// One side of the matrix: its name, its blocks, the labels of its basis vectors.
OrderedJson axis_json(const std::string& name, std::uint64_t size, const std::vector<PictureBlock>& parts,
                      const Representation* V) {
  OrderedJson blocks = OrderedJson::array();
  for (const PictureBlock& block : parts.empty() ? std::vector<PictureBlock>{{name, 0, size}} : parts)
    blocks.push_back({{"name", block.name}, {"start", block.start}, {"size", block.size}});
  OrderedJson axis = {{"name", name}, {"blocks", std::move(blocks)}};
  if (V == nullptr) return axis;
  std::vector<std::string> labels;
  for (std::uint64_t i = 0; i < size; ++i) labels.push_back(V->basis_label(i));
  axis["labels"] = labels;
  return axis;
}

OrderedJson stamps_json(const std::vector<PictureStamp>& stamps) {
  OrderedJson list = OrderedJson::array();
  for (const PictureStamp& stamp : stamps)
    list.push_back({{"name", stamp.name}, {"start", stamp.start}, {"rows", stamp.rows}, {"cols", stamp.cols}});
  return list;
}

OrderedJson palette_json(const ParameterColours& colours) {
  OrderedJson palette = OrderedJson::array();
  for (const Rgb colour : colours.colours) {
    palette.push_back(
        {{"plain", hex_colour(colour)}, {"dark", hex_colour(darker(colour))}, {"ink", hex_colour(contrast(colour))}});
  }
  return palette;
}

/// The facts about the table as a whole, for people.
OrderedJson facts_json(const WeightBlock& table, const PictureText& text, const Source* source) {
  OrderedJson facts = OrderedJson::array();
  if (source != nullptr) {
    const FiniteGroup& G = source->claim.group;
    facts.push_back({"group", fmt::format("{}, order {}", shortened(G.name(), longest_name), G.order().str())});
    for (std::size_t k = 0; k < G.generators().size(); ++k)
      facts.push_back({words::text({static_cast<std::int32_t>(k + 1)}, G.generators().size()),
                       shortened(G.generators()[k].to_string(), max_cycles)});
  }
  if (!text.input.empty()) facts.push_back({"input", text.input});
  if (!text.output.empty()) facts.push_back({"output", text.output});
  if (table.channels != Multiplicity{})
    facts.push_back({"channels", fmt::format("each θ is a {} × {} block of free numbers, each b a list of {}",
                                             table.channels.out, table.channels.in, table.channels.out)});
  if (!table.is_tied()) facts.push_back({"field", table.weights.sparse().exact.field});
  facts.push_back({"sha256", digest(table)});
  return facts;
}

OrderedJson table_json(const WeightBlock& table, const PictureText& text, const Task& task) {
  const std::optional<TableClaim> claim = picture_source(table, task);
  const std::optional<Source> acting = source_of(claim, table);
  const Source* source = acting ? &*acting : nullptr;
  OrderedJson page = {{"title", text.title}, {"subtitle", text.subtitle}, {"tied", table.is_tied()}};
  page["rows"] = axis_json(text.output, table.weights.rows, output_blocks(text, claim), claim ? &claim->out : nullptr);
  page["cols"] = axis_json(text.input, table.weights.cols, input_blocks(text, claim), claim ? &claim->in : nullptr);
  const std::vector<PictureStamp> stamps = picture_stamps(table, claim);
  page["stamps"] = stamps_json(stamps);
  page["stamp_row"] = stamp_row(table, stamps);
  const ParameterColours colours = parameter_colours(table, claim, task);
  page["palette"] = palette_json(colours);
  if (!colours.order.empty()) page["order"] = colours.order;
  const Rgb several = several_colour();
  page["several"] = {
      {"plain", hex_colour(several)}, {"dark", hex_colour(several)}, {"ink", hex_colour(contrast(several))}};
  page["facts"] = facts_json(table, text, source);
  if (!colours.meaning.empty()) page["meaning"] = colours.meaning;
  if (!text.bias) page["alone"] = true;
  if (source != nullptr && table.is_tied()) {
    OrderedJson letters = OrderedJson::array(), rows = OrderedJson::array(), cols = OrderedJson::array();
    const auto points = [](const SignedPermutation& g) {
      std::vector<std::uint32_t> out;
      for (const SignedPoint x : g.images()) out.push_back(x.point());
      return packed(out);
    };
    for (std::size_t k = 0; k < source->rows.size(); ++k)
      for (const int exponent : {1, -1}) {
        letters.push_back({words::text({static_cast<std::int32_t>(k + 1)}, source->rows.size()), exponent});
        rows.push_back(points(exponent == 1 ? source->rows[k].inverse() : source->rows[k]));
        cols.push_back(points(exponent == 1 ? source->cols[k].inverse() : source->cols[k]));
      }
    page["letters"] = std::move(letters);
    page["back"] = {{"rows", std::move(rows)}, {"cols", std::move(cols)}};
  }
  page["weights"] = part_json(table, false, source, task);
  page["bias"] = part_json(table, true, source, task);
  return page;
}

void require_fits_page(const WeightBlock& table) {
  const std::uint64_t rows = table.weights.rows, cols = table.weights.cols;
  if (rows > max_side || cols > max_side || rows * cols > max_entries)
    throw LimitError(
        fmt::format("an HTML picture holds at most {} entries and {} rows or columns, and the table has {} x "
                    "{}; write a .png, which is drawn of any size",
                    max_entries, max_side, rows, cols));
  if (!table.is_tied() && table.weights.sparse().value.size() > max_entries)
    throw LimitError(
        fmt::format("an HTML picture holds at most {} entries of basis elements, and the table has {}; write "
                    "a .json or .safetensors file",
                    max_entries, table.weights.sparse().value.size()));
}

}  // namespace

std::string html_picture(const WeightBlock& table, const PictureText& text, const Task& task) {
  require_consistent(table, task);
  require_fits_page(table);
  PictureText words = text;
  if (words.title.empty()) words.title = "weight-tying table";
  const std::string title = escaped_markup(words.title), subtitle = escaped_markup(words.subtitle);
  // In a script element nothing ends the JSON but "</script", and "<!--" would change how it is read.
  const std::string data = json_text(table_json(table, words, task), -1);
  std::string safe;
  safe.reserve(data.size());
  for (const char c : data)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  const std::string script = std::string(embedded::table_data_js) + std::string(embedded::table_page_js);
  return filled(embedded::table_page_html, {{"title", title},
                                            {"subtitle", subtitle},
                                            {"producer", "intertwine " INTERTWINE_VERSION},
                                            {"style", embedded::table_page_css},
                                            {"script", script},
                                            {"data", safe}});
}

}  // namespace intertwine
