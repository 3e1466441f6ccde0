#include "intertwine/io/polynomial_maps_text.hpp"

#include <fmt/format.h>

#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"
#include "io/exact_entries.hpp"
#include "io/json_values.hpp"

namespace intertwine {

namespace {

constexpr const char* convention =
    "F(rho_in(g) x) = rho_out(g) F(x); maps are lists of [output, monomial, coefficient], monomials lists of "
    "[variable, exponent], all numbers from 0";

/// Maps with more terms than this in all are not written for people.
constexpr std::size_t shown_terms = 5000;

}  // namespace

std::string to_json(const PolynomialMaps& F) {
  using Json = OrderedJson;
  Json monomials = Json::array(), maps = Json::array();
  for (const Monomial& monomial : F.monomials) {
    Json factors = Json::array();
    for (const auto& [v, e] : monomial) factors.push_back({v, e});
    monomials.push_back(std::move(factors));
  }
  for (const auto& map : F.maps) {
    Json terms = Json::array();
    for (const PolynomialTerm& term : map)
      terms.push_back({term.output, term.monomial, json_value(term.coefficient)});
    maps.push_back(std::move(terms));
  }
  Json json = {
      {"group", F.source.group().name()},
      {"in", F.source.to_string(TextForm::checked)},
      {"out", F.target.to_string(TextForm::checked)},
      {"degree", F.degree},
      {"variables", F.source.dimension()},
      {"outputs", F.target.dimension()},
      {"dimension", F.maps.size()},
      {"certificate", {{"character_dimension", to_string(F.character_dimension)}, {"route", F.route}}},
      {"convention", convention}};
  if (const AbelianField K = F.field(); !K.is_rational()) json["field"] = K.to_string();
  json["monomials"] = std::move(monomials);
  json["maps"] = std::move(maps);
  return json.dump(2);
}

std::string to_text(const PolynomialMaps& F, unsigned width, std::string_view time) {
  const std::size_t terms = F.terms();
  std::string text =
      fmt::format("{}: equivariant polynomial maps {} -> {} of degree {}\n", F.source.group().name(),
                  F.source.to_string(), F.target.to_string(), F.degree) +
      fmt::format("  maps         {} in {} variables, {} outputs; {} terms, {} monomials\n", F.maps.size(),
                  F.source.dimension(), F.target.dimension(), terms, F.monomials.size()) +
      fmt::format("  complete     yes: <Sym^{} in, out> = {}{}\n", F.degree, to_string(F.character_dimension),
                  F.route.empty() ? "" : ", counted independently (" + F.route + ")");
  if (const AbelianField K = F.field(); !K.is_rational())
    text += fmt::format("  field        {}\n", K.to_string());
  if (!time.empty()) text += fmt::format("  time         {}\n", time);
  if (terms > shown_terms)
    return text + fmt::format("  more than {} terms: --output FILE.json writes them, --json prints them\n",
                              shown_terms);
  for (std::size_t k = 0; k < F.maps.size(); ++k) {
    text += fmt::format("F{}:\n", k + 1);
    for (std::uint64_t output = 0; output < F.target.dimension(); ++output)
      text += wrapped(fmt::format("  y{} = {}", output + 1, F.coordinate(k, output)), width);
  }
  return text;
}

std::string to_latex(const PolynomialMaps& F) {
  if (F.terms() > shown_terms)
    throw LimitError(
        fmt::format("polynomials: {} terms are too many for LaTeX; the limit is {}", F.terms(), shown_terms));
  std::string text;
  for (std::size_t k = 0; k < F.maps.size(); ++k) {
    text += fmt::format("F_{{{}}}(x) = \\begin{{pmatrix}} ", k + 1);
    for (std::uint64_t output = 0; output < F.target.dimension(); ++output)
      text += (output == 0 ? "" : " \\\\ ") + F.coordinate(k, output, Notation::latex);
    text += " \\end{pmatrix}\n";
  }
  return text;
}

namespace {

using nlohmann::json;

/// Takes a document apart; what is wrong with it is said with the name of the file.
class MapsReader {
 public:
  MapsReader(const json& document, const std::string& name, const Task& task)
      : document_(document), name_(name), task_(task) {
    if (!document.is_object()) fail("it is no JSON object");
  }

  PolynomialMaps read() const {
    if (text("convention") != convention) fail("\"convention\" is not \"" + std::string(convention) + "\"");
    const std::string in = expression("in"), out = expression("out"), group = expression("group");
    const auto degree = static_cast<unsigned>(number(key("degree"), 10'000, "degree"));
    try {
      const FiniteGroup G = parse_group(group, {}, task_);
      PolynomialMaps F{
          parse_representation(G, in, {}, task_), parse_representation(G, out, {}, task_), degree, {}, {}, 0,
          text("route", key("certificate"))};
      require_size("variables", F.source.dimension());
      require_size("outputs", F.target.dimension());
      read_monomials(F);
      read_maps(F);
      require_size("dimension", F.maps.size());
      if (text("character_dimension", key("certificate")) != std::to_string(F.maps.size()))
        fail("\"character_dimension\" is not the number of maps");
      F.character_dimension = F.maps.size();
      require_well_formed(F);
      return F;
    } catch (const ParseError& e) {
      fail(e.what());
    } catch (const VerificationError& e) {
      fail(e.what());
    } catch (const DomainError& e) {
      fail(e.what());
    }
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw FileError(name_ + ": " + why); }

  const json& key(const char* name) const { return key(name, document_); }
  const json& key(const char* name, const json& object) const {
    if (!object.is_object() || !object.contains(name)) fail(fmt::format("there is no \"{}\"", name));
    return object[name];
  }
  std::string text(const char* name) const { return text(name, document_); }
  std::string text(const char* name, const json& object) const {
    const json& value = key(name, object);
    if (!value.is_string()) fail(fmt::format("\"{}\" is no string", name));
    return value.get<std::string>();
  }
  /// Of this file alone: what refers to other files is refused.
  std::string expression(const char* name) const {
    std::string found = text(name);
    if (found.find('@') != std::string::npos) fail(fmt::format("\"{}\" refers to another file", name));
    return found;
  }
  std::uint64_t number(const json& value, std::uint64_t largest, const char* what) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest)
      fail(fmt::format("\"{}\": {} is no whole number from 0 to {}", what, shown(value.dump(), 40), largest));
    return value.get<std::uint64_t>();
  }
  void require_size(const char* name, std::uint64_t size) const {
    if (number(key(name), std::uint64_t{1} << 62, name) != size)
      fail(fmt::format("\"{}\" is not {}", name, size));
  }
  /// The elements of a list, each a list of `length` (0: any) elements.
  const json& lists(const char* name, const json& value, std::size_t length) const {
    if (!value.is_array()) fail(fmt::format("\"{}\" is no list", name));
    for (const json& element : value)
      if (!element.is_array() || (length != 0 && element.size() != length))
        fail(fmt::format("\"{}\": {} is no list{}", name, shown(element.dump(-1, ' ', true), 40),
                         length == 0 ? "" : fmt::format(" of {}", length)));
    return value;
  }

  void read_monomials(PolynomialMaps& F) const {
    constexpr std::uint64_t most = 0xFFFFFFFF;
    for (const json& factors : lists("monomials", key("monomials"), 0)) {
      task_.poll();
      Monomial& monomial = F.monomials.emplace_back();
      for (const json& factor : lists("monomials", factors, 2))
        monomial.emplace_back(number(factor[0], most, "monomials"), number(factor[1], most, "monomials"));
    }
  }

  void read_maps(PolynomialMaps& F) const {
    constexpr std::uint64_t most = 0xFFFFFFFF;
    for (const json& terms : lists("maps", key("maps"), 0)) {
      task_.poll();
      auto& map = F.maps.emplace_back();
      for (const json& term : lists("maps", terms, 3)) {
        const auto coefficient = cyclotomic_from_json(term[2]);
        if (!coefficient)
          fail(fmt::format("\"maps\": {} is no exact number", shown(term[2].dump(-1, ' ', true), 40)));
        map.push_back({number(term[0], most, "maps"),
                       static_cast<std::uint32_t>(number(term[1], most, "maps")), *coefficient});
      }
    }
  }

  const json& document_;
  const std::string& name_;
  const Task& task_;
};

}  // namespace

PolynomialMaps parse_polynomial_maps(std::string_view text, const std::string& name, const Task& task) {
  task.require_memory(32 * std::uint64_t{text.size()}, "the polynomial maps of " + name);
  return MapsReader(parse_strict_json(text, name, {7, std::uint64_t{1} << 26}), name, task).read();
}

PolynomialMaps read_polynomial_maps(const std::filesystem::path& path, const Task& task) {
  return parse_polynomial_maps(read_file(path, std::uint64_t{256} << 20), shown_path(path), task);
}

}  // namespace intertwine
