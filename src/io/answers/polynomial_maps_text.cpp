// Writes polynomial maps and reads them back.
#include "intertwine/io/polynomial_maps_text.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>
#include <vector>

#include "intertwine/classical/continuous_polynomials.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/system_values.hpp"
#include "io/containers/strict_json.hpp"
#include "io/expressions/exact_entries.hpp"
#include "io/expressions/json_reader.hpp"

namespace intertwine {

namespace {

constexpr const char* convention =
    "F(rho_in(g) x) = rho_out(g) F(x); maps are lists of [output, monomial, coefficient], monomials lists of "
    "[variable, exponent], all numbers from 0";

/// Maps with more terms than this in all are not written for people.
constexpr std::size_t shown_terms = 5000;

std::string checked_text(const Representation& V) { return V.to_string(TextForm::checked); }
std::string checked_text(const ContinuousRepresentation& V) { return V.to_string(); }

template <class Maps>
void write_maps(JsonWriter& json, const Maps& F) {
  write_member(json, "group", F.source.group().name());
  write_member(json, "in", checked_text(F.source));
  write_member(json, "out", checked_text(F.target));
  write_member(json, "degree", F.degree);
  write_member(json, "variables", F.variables);
  write_member(json, "outputs", F.outputs);
  write_member(json, "dimension", F.maps.size());
  write_member(json, "certificate", {{"character_dimension", to_string(F.character_dimension)}, {"route", F.route}});
  write_member(json, "convention", convention);
  if (!F.field.is_rational()) write_member(json, "field", F.field.to_string());
  json.key("monomials");
  write_list(json, F.monomials, [](const Monomial& monomial) {
    OrderedJson factors = OrderedJson::array();
    for (const auto& [v, e] : monomial) factors.push_back({v, e});
    return factors;
  });
  json.key("maps").open_list();
  for (const auto& map : F.maps)
    write_list(json, map, [](const PolynomialTerm& term) {
      return OrderedJson::array({term.output, term.monomial, json_value(term.coefficient)});
    });
  json.close();
}

template <class Maps>
std::string text_of_maps(const Maps& F, unsigned width, std::string_view time) {
  const std::size_t terms = F.terms();
  std::string text =
      fmt::format("{}: equivariant polynomial maps {} -> {} of degree {}\n", F.source.group().name(),
                  F.source.to_string(), F.target.to_string(), F.degree) +
      fmt::format("  maps         {} in {} variables, {} outputs; {} terms, {} monomials\n", F.maps.size(), F.variables,
                  F.outputs, terms, F.monomials.size()) +
      fmt::format("  complete     yes: <Sym^{} in, out> = {}{}\n", F.degree, to_string(F.character_dimension),
                  F.route.empty() ? "" : ", counted independently (" + F.route + ")");
  if (!F.field.is_rational()) text += fmt::format("  field        {}\n", F.field.to_string());
  if (!time.empty()) text += fmt::format("  time         {}\n", time);
  if (terms > shown_terms)
    return text +
           fmt::format("  more than {} terms: --output FILE.json writes them, --json prints them\n", shown_terms);
  for (std::size_t k = 0; k < F.maps.size(); ++k) {
    text += fmt::format("F{}:\n", k + 1);
    for (std::uint64_t output = 0; output < F.outputs; ++output)
      text += wrapped_sum(fmt::format("  y{} = {}", output + 1, F.coordinate(k, output)), width);
  }
  return text;
}

template <class Maps>
Sheet sheet_of_maps(const Maps& F) {
  Sheet sheet{
      fmt::format("Equivariant maps {} -> {} of degree {}", F.source.to_string(), F.target.to_string(), F.degree),
      {"map", "output", "polynomial"},
      {},
      "rrl"};
  for (std::size_t k = 0; k < F.maps.size(); ++k)
    for (std::uint64_t output = 0; output < F.outputs; ++output)
      sheet.rows.push_back({std::to_string(k + 1), std::to_string(output + 1), F.coordinate(k, output)});
  return sheet;
}

void write_fields(JsonWriter& json, const PolynomialMaps& F) { write_maps(json, F); }

void write_fields(JsonWriter& json, const ContinuousPolynomialMaps& F) { write_maps(json, F); }

Sheet sheet_of(const PolynomialMaps& F) { return sheet_of_maps(F); }

Sheet sheet_of(const ContinuousPolynomialMaps& F) { return sheet_of_maps(F); }

std::string latex_of(const PolynomialBasis& F) {
  if (F.terms() > shown_terms)
    throw LimitError(
        fmt::format("polynomials: {} terms are too many for LaTeX; the limit is {}", F.terms(), shown_terms));
  if (F.maps.empty()) return latex_display("F(x) = 0");  // the only map
  std::string text;
  for (std::size_t k = 0; k < F.maps.size(); ++k) {
    std::string values;
    for (std::uint64_t output = 0; output < F.outputs; ++output)
      values += (output == 0 ? "" : " \\\\ ") + F.coordinate(k, output, Notation::latex);
    text += latex_display(fmt::format("F_{{{}}}(x) = \\begin{{pmatrix}} {} \\end{{pmatrix}}", k + 1, values));
  }
  return text;
}

std::string system_of(Format system, const PolynomialBasis& F, const Task& task) {
  std::uint32_t n = 1;
  for (const auto& map : F.maps)
    for (const PolynomialTerm& term : map) n = std::lcm(n, term.coefficient.conductor());
  std::string text;
  for (const auto& map : F.maps) {
    task.poll();
    std::vector<std::vector<SystemTerm>> coordinates(F.outputs);
    for (const PolynomialTerm& term : map)
      coordinates[term.output].emplace_back(term.coefficient, F.monomials[term.monomial]);
    text += (text.empty() ? "[" : ", [") +
            list_of(coordinates, ", ",
                    [&](const auto& terms) { return system_polynomial(system, terms, F.variables, n); }) +
            "]";
  }
  return with_variables(system, "[" + text + "]", F.variables, n);
}

class MapsReader : JsonReader {
 public:
  MapsReader(const Json& document, const std::string& name, const Task& task)
      : JsonReader(document, name), task_(task) {}

  hom::AnyPolynomials read(std::vector<std::string>* claims) const {
    hom::AnyPolynomials found = maps();
    add_unread(claims);
    return found;
  }

 private:
  hom::AnyPolynomials maps() const {
    if (text("convention") != convention) fail("\"convention\" is not \"" + std::string(convention) + "\"");
    const std::string in = expression("in"), out = expression("out"), group = expression("group");
    const auto degree = static_cast<unsigned>(number(key("degree"), 10'000, "degree"));
    try {
      const hom::Group any = parse_group(group, task_);
      if (const auto* G = any.as<ContinuousGroup>()) {
        const ContinuousRepresentation V = parse_stored_representation(*G, in, task_),
                                       W = parse_stored_representation(*G, out, task_);
        return ContinuousPolynomialMaps{basis(V.dimension(), W.dimension(), degree, {}), V, W};
      }
      if (any.as<FiniteGroup>() == nullptr) fail(group + " has no polynomial maps here");
      const FiniteGroup& G = *any.as<FiniteGroup>();
      const Representation V = parse_representation(G, in, task_), W = parse_representation(G, out, task_);
      return PolynomialMaps{basis(V.dimension(), W.dimension(), degree, AbelianField::compositum(V.field(), W.field())),
                            V, W};
    } catch (const ParseError& e) {
      fail(e.what());
    } catch (const VerificationError& e) {
      fail(e.what());
    } catch (const DomainError& e) {
      fail(e.what());
    }
  }

  PolynomialBasis basis(std::uint64_t variables, std::uint64_t outputs, unsigned degree, AbelianField field) const {
    PolynomialBasis F{variables, outputs, degree, std::move(field), {}, {}, 0, text("route", key("certificate"))};
    require_size("variables", variables);
    require_size("outputs", outputs);
    read_monomials(F);
    read_maps(F);
    require_size("dimension", F.maps.size());
    if (text("character_dimension", key("certificate")) != std::to_string(F.maps.size()))
      fail("\"character_dimension\" is not the number of maps");
    F.character_dimension = F.maps.size();
    leave_unchecked("route", key("certificate"));
    require_well_formed(F);
    return F;
  }

  void require_size(const char* name, std::uint64_t size) const {
    if (number(key(name), std::uint64_t{1} << 62, name) != size) fail(fmt::format("\"{}\" is not {}", name, size));
  }
  void read_monomials(PolynomialBasis& F) const {
    constexpr std::uint64_t most = 0xFFFFFFFF;
    for (const Json& factors : lists("monomials", key("monomials"), 0)) {
      task_.poll();
      Monomial& monomial = F.monomials.emplace_back();
      for (const Json& factor : lists("monomials", factors, 2))
        monomial.emplace_back(number(factor[0], most, "monomials"), number(factor[1], most, "monomials"));
    }
  }

  void read_maps(PolynomialBasis& F) const {
    constexpr std::uint64_t most = 0xFFFFFFFF;
    for (const Json& terms : lists("maps", key("maps"), 0)) {
      task_.poll();
      auto& map = F.maps.emplace_back();
      for (const Json& term : lists("maps", terms, 3)) {
        const auto coefficient = cyclotomic_from_json(term[2], task_);
        if (!coefficient) fail(fmt::format("\"maps\": {} is no exact number", excerpt(term[2])));
        map.push_back(
            {number(term[0], most, "maps"), static_cast<std::uint32_t>(number(term[1], most, "maps")), *coefficient});
      }
    }
  }

  const Task& task_;
};

}  // namespace

hom::AnyPolynomials parse_polynomial_maps(std::string_view text, const std::string& name, const Task& task,
                                          std::vector<std::string>* claims) {
  task.require_memory(32 * std::uint64_t{text.size()}, "the polynomial maps of " + name);
  return MapsReader(parse_strict_json(text, name, {7, std::uint64_t{1} << 26}), name, task).read(claims);
}

hom::AnyPolynomials read_polynomial_maps(const std::filesystem::path& path, const Task& task) {
  return parse_polynomial_maps(read_file(path, std::uint64_t{256} << 20), shown_path(path), task);
}

Record record(Kept<PolynomialMaps> maps, const std::string& time) {
  return {.fields = piecewise([=](JsonWriter& json) { write_fields(json, *maps); }),
          .text = [=](unsigned width, const Task&) { return text_of_maps(*maps, width, time); },
          .latex = [=](const Task&) { return latex_of(*maps); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*maps)}; },
          .expression = [=](Format system, const Task& task) { return system_of(system, *maps, task); }};
}

Record record(Kept<ContinuousPolynomialMaps> maps, const std::string& time) {
  return {.fields = piecewise([=](JsonWriter& json) { write_fields(json, *maps); }),
          .text = [=](unsigned width, const Task&) { return text_of_maps(*maps, width, time); },
          .latex = [=](const Task&) { return latex_of(*maps); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*maps)}; },
          .expression = [=](Format system, const Task& task) { return system_of(system, *maps, task); }};
}

}  // namespace intertwine
