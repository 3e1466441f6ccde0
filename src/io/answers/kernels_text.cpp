// Writes kernels.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "intertwine/classical/steerable_kernels.hpp"
#include "intertwine/equivariant/mackey_basis.hpp"
#include "intertwine/equivariant/point_kernels.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/io/systems_text.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/latex_matrix.hpp"
#include "io/answers/number_arrays.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/system_values.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

std::string side(const Representation& V) {
  return fmt::format("{} of {}, dimension {}", shortened(V.to_string()), shortened(V.group().name()), V.dimension());
}

OrderedJson side_json(const Representation& V) {
  return {{"subgroup", V.group().name()},
          {"order", json_value(V.group().order())},
          {"rep", V.to_string(TextForm::checked)},
          {"dimension", V.dimension()}};
}

std::string monomial_text(const std::vector<unsigned>& exponents, Notation notation = Notation::text) {
  const bool latex = notation == Notation::latex;
  std::string text;
  for (std::size_t i = 0; i < exponents.size(); ++i) {
    if (exponents[i] == 0) continue;
    text += (text.empty() ? ""
             : latex      ? " "
                          : "*") +
            (exponents.size() <= 3 ? std::string(1, "xyz"[i])
                                   : fmt::format(fmt::runtime(latex ? "x_{{{}}}" : "x{}"), i + 1)) +
            (exponents[i] == 1 ? "" : fmt::format(fmt::runtime(latex ? "^{{{}}}" : "^{}"), exponents[i]));
  }
  return text;
}

/// The entries of a kernel as sums, row by row; "0" where there is nothing.
template <class Kernels>
std::vector<std::vector<std::string>> polynomial_entries(const Kernels& kernels, const typename Kernels::Degree& part,
                                                         std::size_t k, Notation notation = Notation::text) {
  const std::uint64_t m = kernels.target.dimension(), n = kernels.source.dimension();
  std::vector<SumText> sums(m * n, SumText(notation));
  part.each_term(k, [&](std::size_t monomial, std::uint64_t entry, const Cyclotomic& value) {
    sums[entry].add(value, monomial_text(part.monomials[monomial], notation));
  });
  std::vector<std::vector<std::string>> cells(m);
  for (std::uint64_t i = 0; i < m; ++i)
    for (std::uint64_t j = 0; j < n; ++j) cells[i].push_back(sums[i * n + j].str());
  return cells;
}

/// A matrix of polynomials, columns aligned.
template <class Kernels>
std::string polynomial_matrix(const Kernels& kernels, const typename Kernels::Degree& part, std::size_t k) {
  std::vector<std::vector<std::string>> cells = polynomial_entries(kernels, part, k);
  std::vector<std::size_t> widths(kernels.source.dimension(), 1);
  for (auto& row : cells)
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == "0") row[j] = ".";
      widths[j] = std::max(widths[j], row[j].size());
    }
  std::string text;
  for (const auto& row : cells) {
    text += "    [";
    for (std::size_t j = 0; j < row.size(); ++j)
      text += fmt::format("{}{:>{}}", j == 0 ? " " : ", ", row[j], widths[j]);
    text += " ]\n";
  }
  return text;
}

template <class Field>
std::string steerable_side(const Field& V, std::uint64_t channels) {
  return fmt::format("{}{}, dimension {}", channels == 1 ? "" : fmt::format("{} x ", channels),
                     shortened(V.to_string()), V.dimension());
}

OrderedJson fields_of(const KernelSpace& kernels) {
  OrderedJson json;
  json["group"] = kernels.group().name();
  json["from"] = side_json(kernels.source());
  json["to"] = side_json(kernels.target());
  json["dimension"] = kernels.dimension();
  json["certificate"] = {{"mackey_dimension", kernels.dimension()},
                         {"character_dimension", json_value(kernels.character_dimension())},
                         {"route", kernels.route()}};
  json["convention"] = "kappa(h g k) = rho(h) kappa(g) sigma(k)";
  json["field"] = kernels.field().to_string();
  OrderedJson blocks = OrderedJson::array();
  std::uint64_t number = 0;
  for (const KernelBlock& block : kernels.blocks()) {
    OrderedJson values = OrderedJson::array();
    for (std::uint64_t k = 0; k < block.values.params(); ++k)
      values.push_back(json_value(kernels.value(number++, block.representative)));
    blocks.push_back({{"representative", json_value(block.representative)},
                      {"size", json_value(block.size)},
                      {"stabilizer_order", json_value(block.stabilizer.order())},
                      {"stabilizer", json_value(block.stabilizer.generators())},
                      {"kernels", block.values.params()},
                      {"values", std::move(values)}});
  }
  json["double_cosets"] = std::move(blocks);
  return json;
}

std::string text_of(const KernelSpace& kernels, bool elements, std::string_view time) {
  std::string text =
      fmt::format("{}: kernels kappa(h g k) = rho(h) kappa(g) sigma(k)\n", shortened(kernels.group().name()));
  text += "  from sigma   " + side(kernels.source()) + "\n  to rho       " + side(kernels.target()) + "\n";
  text += fmt::format("  dimension    {}: by double cosets {}, by induced characters {} ({})\n", kernels.dimension(),
                      kernels.dimension(), kernels.character_dimension().str(), kernels.route());
  if (!kernels.field().is_rational()) text += "  field        " + kernels.field().to_string() + "\n";
  if (!time.empty()) text += fmt::format("  time         {}\n", time);
  const auto cycles = [](const KernelBlock& block) { return shortened(block.representative.to_string()); };
  std::size_t width = 1;
  for (const KernelBlock& block : kernels.blocks()) width = std::max(width, cycles(block).size());
  text += fmt::format("double cosets {}\n  {:<{}}  {:>10}  {:>10}  {:>7}\n", kernels.blocks().size(), "g", width,
                      "size", "stabilizer", "kernels");
  std::uint64_t number = 0;
  for (const KernelBlock& block : kernels.blocks()) {
    text += fmt::format("  {:<{}}  {:>10}  {:>10}  {:>7}\n", cycles(block), width, block.size.str(),
                        block.stabilizer.order().str(), block.values.params());
    if (!elements) continue;
    for (std::uint64_t k = 0; k < block.values.params(); ++k) {
      const std::string value = kernels.value(number, block.representative).to_string();
      text += fmt::format("    kappa{}(g) = {}\n", ++number, value);
    }
  }
  return text;
}

/// Every degree with its monomials and its kernels, each by its entries [monomial, row, column, coefficient].
template <class Kernels>
OrderedJson degrees_json(const Kernels& kernels) {
  const std::uint64_t n = kernels.source.dimension();
  OrderedJson degrees = OrderedJson::array();
  for (const auto& part : kernels.degrees) {
    OrderedJson list = OrderedJson::array();
    for (std::size_t k = 0; k < part.params(); ++k) {
      OrderedJson entries = OrderedJson::array();
      part.each_term(k, [&](std::size_t monomial, std::uint64_t entry, const Cyclotomic& value) {
        entries.push_back({monomial, entry / n, entry % n, json_value(value)});
      });
      list.push_back(std::move(entries));
    }
    degrees.push_back({{"degree", part.degree}, {"monomials", part.monomials}, {"kernels", std::move(list)}});
  }
  return degrees;
}

/// The degrees and how many kernels they have, or the kernels themselves.
template <class Kernels>
std::string degrees_text(const Kernels& kernels, bool elements) {
  Cells rows{{"degree", "kernels"}};
  for (const auto& part : kernels.degrees) rows.push_back({std::to_string(part.degree), std::to_string(part.params())});
  if (!elements) return aligned(rows);
  std::string text;
  std::size_t number = 0;
  for (const auto& part : kernels.degrees)
    for (std::size_t k = 0; k < part.params(); ++k)
      text += fmt::format("kappa{}(x), degree {}:\n", ++number, part.degree) + polynomial_matrix(kernels, part, k);
  return text;
}

OrderedJson fields_of(const SteerableKernels& kernels) {
  const std::uint64_t n = kernels.source.dimension();
  OrderedJson json;
  json["group"] = kernels.group.name();
  json["point_group"] = kernels.group.point_group().name();
  json["in"] = {{"rep", kernels.source.to_string()}, {"dimension", n}, {"channels", kernels.channels.in}};
  json["out"] = {{"rep", kernels.target.to_string()},
                 {"dimension", kernels.target.dimension()},
                 {"channels", kernels.channels.out}};
  json["params"] = kernels.params();
  json["dimension"] = json_value(kernels.dimension());
  json["certificate"] = {{"stabilizer", kernels.stabilizer},
                         {"stabilizer_dimension", json_value(kernels.by_stabilizer.dimension)},
                         {"route", kernels.by_stabilizer.route},
                         {"equivariant", true},
                         {"independent", true}};
  json["convention"] = "kappa(h x) = rho_out(h) kappa(x) rho_in(h)^-1";
  json["degrees"] = degrees_json(kernels);
  return json;
}

std::string text_of(const SteerableKernels& kernels, bool elements, std::string_view time) {
  std::string text = fmt::format("{}: kernels on R^{}, kappa(h x) = rho_out(h) kappa(x) rho_in(h)^-1 for h in {}\n",
                                 kernels.group.name(), kernels.group.dimension(), kernels.group.point_group().name());
  text += "  in           " + steerable_side(kernels.source, kernels.channels.in) + "\n";
  text += "  out          " + steerable_side(kernels.target, kernels.channels.out) + "\n";
  text += fmt::format("  dimension    {} at every radius: by harmonics {}, over the stabilizer {} of a point {} ({})\n",
                      kernels.params(), kernels.params(), shortened(kernels.stabilizer),
                      kernels.by_stabilizer.dimension.str(), kernels.by_stabilizer.route);
  text += "  equivariant  yes: every polynomial checked under every generator\n";
  if (!time.empty()) text += fmt::format("  time         {}\n", time);
  return text + degrees_text(kernels, elements);
}

OrderedJson fields_of(const PointKernels& kernels) {
  const FiniteGroup& G = kernels.group.group();
  const auto side = [](const Representation& V, std::uint64_t channels) {
    return OrderedJson{{"rep", V.to_string(TextForm::checked)}, {"dimension", V.dimension()}, {"channels", channels}};
  };
  std::vector<FieldMatrix> matrices;
  for (const Permutation& g : G.generators()) matrices.push_back(kernels.group.matrices().field_matrix(g));
  OrderedJson counts = OrderedJson::array();
  for (const auto& part : kernels.degrees)
    counts.push_back({{"degree", part.degree},
                      {"dimension", json_value(part.by_characters.dimension)},
                      {"route", part.by_characters.route}});
  OrderedJson json;
  json["group"] = kernels.group.name();
  json["point_group"] = G.name();
  json["order"] = json_value(G.order());
  json["generators"] = json_value(G.generators());
  json["matrices"] = json_value(matrices);
  json["in"] = side(kernels.source, kernels.channels.in);
  json["out"] = side(kernels.target, kernels.channels.out);
  json["up_to_degree"] = kernels.most;
  json["params"] = kernels.params();
  json["dimension"] = json_value(kernels.dimension());
  json["field"] = kernels.field().to_string();
  json["certificate"] = {{"by_characters", std::move(counts)}, {"equivariant", true}, {"independent", true}};
  json["convention"] = "kappa(g x) = rho_out(g) kappa(x) rho_in(g)^-1";
  json["degrees"] = degrees_json(kernels);
  return json;
}

std::string text_of(const PointKernels& kernels, bool elements, std::string_view time) {
  const FiniteGroup& G = kernels.group.group();
  std::string text =
      fmt::format("{}: kernels on R^{}, kappa(g x) = rho_out(g) kappa(x) rho_in(g)^-1 for g in {}, order {}\n",
                  shortened(kernels.group.name()), kernels.group.dimension(), shortened(G.name()), G.order().str());
  text += "  in           " + steerable_side(kernels.source, kernels.channels.in) + "\n";
  text += "  out          " + steerable_side(kernels.target, kernels.channels.out) + "\n";
  text += fmt::format("  dimension    {} up to degree {}: by harmonics {}, by characters {}{}\n", kernels.params(),
                      kernels.most, kernels.params(), kernels.params(),
                      kernels.degrees.empty() ? "" : " (" + kernels.degrees.front().by_characters.route + ")");
  if (!kernels.field().is_rational()) text += "  field        " + kernels.field().to_string() + "\n";
  text += "  equivariant  yes: every polynomial checked under every generator\n";
  if (!time.empty()) text += fmt::format("  time         {}\n", time);
  return text + degrees_text(kernels, elements);
}

/// Calls it for every block with its values, in their order.
template <class Call>
void each_block(const KernelSpace& kernels, Call call) {
  std::uint64_t number = 0;
  for (std::size_t b = 0; b < kernels.blocks().size(); ++b) {
    const KernelBlock& block = kernels.blocks()[b];
    std::vector<FieldMatrix> values;
    for (std::uint64_t k = 0; k < block.values.params(); ++k)
      values.push_back(kernels.value(number++, block.representative));
    call(b, block, values);
  }
}

std::string title_of(const KernelSpace& kernels) {
  return fmt::format("Kernels of {} from {} of {} to {} of {}", kernels.group().name(), kernels.source().to_string(),
                     kernels.source().group().name(), kernels.target().to_string(), kernels.target().group().name());
}

template <class Kernels>
std::string polynomial_title(const Kernels& kernels) {
  return fmt::format("Kernels of {} on R^{} from {} to {}", kernels.group.name(), kernels.group.dimension(),
                     kernels.source.to_string(), kernels.target.to_string());
}

/// A permutation of G, in Sage and Magma as an element of the group.
std::string system_element(Format system, const Permutation& g) {
  if (system == Format::gap) return g.to_string();
  if (system == Format::sage) return "G(\"" + g.to_string() + "\")";
  return g.is_identity() ? "Id(G)" : "G!" + g.to_string();
}

std::string latex_of(const KernelSpace& kernels) {
  std::string text = latex_words(title_of(kernels) + ":");
  std::uint64_t number = 0;
  each_block(kernels, [&](std::size_t, const KernelBlock& block, const std::vector<FieldMatrix>& values) {
    for (const FieldMatrix& value : values)
      text += latex_display(fmt::format("\\kappa_{{{}}}({}) = {}", ++number,
                                        escaped_latex(block.representative.to_string()), to_latex(value)));
  });
  return text;
}

Sheet sheet_of(const KernelSpace& kernels) {
  Sheet sheet{title_of(kernels), {"kernel", "double coset", "representative", "row", "column", "value"}, {}, "rrlrrr"};
  std::uint64_t number = 0;
  each_block(kernels, [&](std::size_t b, const KernelBlock& block, const std::vector<FieldMatrix>& values) {
    for (const FieldMatrix& value : values) {
      ++number;
      for (std::size_t i = 0; i < value.rows(); ++i)
        for (std::size_t j = 0; j < value.cols(); ++j)
          if (const Cyclotomic a = value(i, j); a != 0)
            sheet.rows.push_back({std::to_string(number), std::to_string(b + 1), block.representative.to_string(),
                                  std::to_string(i + 1), std::to_string(j + 1),
                                  Cell::formula(to_string(a), to_latex(a))});
    }
  });
  return sheet;
}

std::string system_of(Format system, const KernelSpace& kernels, const Task& task) {
  std::uint32_t n = 1;
  each_block(kernels, [&](std::size_t, const KernelBlock&, const std::vector<FieldMatrix>& values) {
    task.poll();
    for (const FieldMatrix& value : values) n = std::lcm(n, conductor_of(value));
  });
  const bool magma = system == Format::magma;
  const char* pair = system == Format::gap ? "[{}, [{}]]" : magma ? "<{}, [* {} *]>" : "({}, [{}])";
  std::string text;
  each_block(kernels, [&](std::size_t b, const KernelBlock& block, const std::vector<FieldMatrix>& values) {
    task.poll();
    text += b == 0 ? "" : ", ";
    text += fmt::format(
        fmt::runtime(pair), system_element(system, block.representative),
        list_of(values, ", ", [&](const FieldMatrix& value) { return system_matrix(system, value, n, task); }));
  });
  text = magma ? "[* " + text + " *]" : "[" + text + "]";
  if (system == Format::gap) return text;
  const std::string G = to_system(system, kernels.group());
  return with_roots(
      system,
      system == Format::sage ? fmt::format("(lambda G: {})({})", text, G) : fmt::format("{} where G is {}", text, G),
      n);
}

template <class Kernels>
std::string polynomials_latex(const Kernels& kernels) {
  std::string text = latex_words(polynomial_title(kernels) + ":");
  std::size_t number = 0;
  for (const auto& part : kernels.degrees)
    for (std::size_t k = 0; k < part.params(); ++k)
      text += latex_display(fmt::format("\\kappa_{{{}}}(x) = {}", ++number,
                                        latex_matrix(polynomial_entries(kernels, part, k, Notation::latex))));
  return text;
}

template <class Kernels>
Sheet polynomials_sheet(const Kernels& kernels) {
  Sheet sheet{polynomial_title(kernels), {"kernel", "degree", "row", "column", "polynomial"}, {}, "rrrrl"};
  std::size_t number = 0;
  for (const auto& part : kernels.degrees)
    for (std::size_t k = 0; k < part.params(); ++k) {
      ++number;
      const auto cells = polynomial_entries(kernels, part, k);
      for (std::size_t i = 0; i < cells.size(); ++i)
        for (std::size_t j = 0; j < cells[i].size(); ++j)
          if (cells[i][j] != "0")
            sheet.rows.push_back({std::to_string(number), std::to_string(part.degree), std::to_string(i + 1),
                                  std::to_string(j + 1), cells[i][j]});
    }
  return sheet;
}

template <class Kernels>
std::uint32_t common_conductor(const Kernels& kernels) {
  std::uint32_t n = 1;
  for (const auto& part : kernels.degrees)
    for (std::size_t k = 0; k < part.params(); ++k)
      part.each_term(k,
                     [&](std::size_t, std::uint64_t, const Cyclotomic& value) { n = std::lcm(n, value.conductor()); });
  return n;
}

template <class Kernels>
std::string polynomials_system(Format system, const Kernels& kernels, const Task& task) {
  const std::uint64_t m = kernels.target.dimension(), n = kernels.source.dimension();
  const std::uint64_t variables = kernels.group.dimension();
  const std::uint32_t conductor = common_conductor(kernels);
  const char* form = system == Format::gap ? "[{}]" : system == Format::sage ? "matrix(P, [{}])" : "Matrix(P, [{}])";
  std::string text;
  for (const auto& part : kernels.degrees)
    for (std::size_t k = 0; k < part.params(); ++k) {
      task.poll();
      std::vector<std::vector<SystemTerm>> entries(m * n);
      part.each_term(k, [&](std::size_t row, std::uint64_t entry, const Cyclotomic& value) {
        Monomial monomial;
        for (std::uint32_t v = 0; v < variables; ++v)
          if (const unsigned power = part.monomials[row][v]; power != 0) monomial.emplace_back(v, power);
        entries[entry].emplace_back(value, std::move(monomial));
      });
      std::string rows;
      for (std::uint64_t i = 0; i < m; ++i) {
        rows += i == 0 ? "[" : ", [";
        for (std::uint64_t j = 0; j < n; ++j)
          rows += (j == 0 ? "" : ", ") + system_polynomial(system, entries[i * n + j], variables, conductor);
        rows += "]";
      }
      text += (text.empty() ? "" : ", ") + fmt::format(fmt::runtime(form), rows);
    }
  return with_variables(system, "[" + text + "]", variables, conductor);
}

std::string latex_of(const SteerableKernels& kernels) { return polynomials_latex(kernels); }

Sheet sheet_of(const SteerableKernels& kernels) { return polynomials_sheet(kernels); }

std::string system_of(Format system, const SteerableKernels& kernels, const Task& task) {
  return polynomials_system(system, kernels, task);
}

std::string latex_of(const PointKernels& kernels) { return polynomials_latex(kernels); }

Sheet sheet_of(const PointKernels& kernels) { return polynomials_sheet(kernels); }

std::string system_of(Format system, const PointKernels& kernels, const Task& task) {
  return polynomials_system(system, kernels, task);
}

AnswerArrays arrays_of(const KernelSpace& kernels, const Task& task) {
  const std::uint64_t m = kernels.target().dimension(), n = kernels.source().dimension();
  const std::size_t degree = kernels.group().degree();
  Numbers values(saturated_product(kernels.dimension(), saturated_product(m, n)), task);
  std::vector<std::int64_t> cosets, representatives;
  std::vector<Integer> sizes;
  std::uint64_t number = 0;
  for (const KernelBlock& block : kernels.blocks()) {
    for (std::uint64_t k = 0; k < block.values.params(); ++k) {
      cosets.push_back(static_cast<std::int64_t>(sizes.size()));
      values.add_matrix(kernels.value(number++, block.representative), task);
    }
    add_images(representatives, block.representative, degree);
    sizes.push_back(block.size);
  }
  return {{{"values", {number, m, n}, std::move(values).over(kernels.field().is_real())},
           {"double_coset", {number}, std::move(cosets)},
           {"representatives", {sizes.size(), degree}, std::move(representatives)},
           {"sizes", {sizes.size()}, whole_numbers(sizes)}},
          described({{"group", kernels.group().name()},
                     {"from_subgroup", kernels.source().group().name()},
                     {"from", kernels.source().to_string()},
                     {"to_subgroup", kernels.target().group().name()},
                     {"to", kernels.target().to_string()},
                     {"convention", "kappa(h g k) = rho(h) kappa(g) sigma(k)"}})};
}

/// For every degree the arrays hold the coefficients and the exponents of its monomials.
template <class Kernels>
AnswerArrays polynomial_arrays(const Kernels& kernels, const std::string& convention, bool real, const Task& task) {
  const std::uint64_t m = kernels.target.dimension(), n = kernels.source.dimension();
  AnswerArrays answer{{},
                      described({{"group", kernels.group.name()},
                                 {"in", kernels.source.to_string()},
                                 {"out", kernels.target.to_string()},
                                 {"convention", convention}})};
  for (const auto& part : kernels.degrees) {
    const std::uint64_t monomials = part.monomials.size(), count = part.params();
    std::vector<std::int64_t> exponents;
    for (const std::vector<unsigned>& monomial : part.monomials)
      exponents.insert(exponents.end(), monomial.begin(), monomial.end());
    const std::uint64_t size = saturated_product(monomials, saturated_product(m, n));
    task.require_memory(saturated_product(4 * sizeof(double), saturated_product(size, count)), "the kernels as arrays");
    std::vector<std::complex<double>> values(count * size);
    for (std::size_t k = 0; k < count; ++k)
      part.each_term(k, [&](std::size_t row, std::uint64_t entry, const Cyclotomic& value) {
        values[k * size + row * m * n + entry] = value.to_complex();
      });
    AnswerArray array{fmt::format("coefficients.{}", part.degree), {count, monomials, m, n}, {}};
    if (real) {
      std::vector<double> parts(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) parts[i] = values[i].real();
      array.values = std::move(parts);
    } else {
      array.values = std::move(values);
    }
    answer.arrays.push_back(std::move(array));
    answer.arrays.push_back(
        {fmt::format("exponents.{}", part.degree), {monomials, kernels.group.dimension()}, std::move(exponents)});
  }
  answer.several = "and kernels on R^n are polynomials: coefficients and exponents of every degree";
  return answer;
}

AnswerArrays arrays_of(const SteerableKernels& kernels, const Task& task) {
  return polynomial_arrays(kernels, "kappa(h x) = rho_out(h) kappa(x) rho_in(h)^-1", true, task);
}

AnswerArrays arrays_of(const PointKernels& kernels, const Task& task) {
  return polynomial_arrays(kernels, "kappa(g x) = rho_out(g) kappa(x) rho_in(g)^-1", kernels.field().is_real(), task);
}

template <class Kernels>
Record kernels_record(Kept<Kernels> kernels, const KernelForm& form) {
  return {.fields = at_once([=](const Task&) { return fields_of(*kernels); }),
          .text = [=](unsigned, const Task&) { return text_of(*kernels, form.elements, form.time); },
          .latex = [=](const Task&) { return latex_of(*kernels); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*kernels)}; },
          .expression = [=](Format system, const Task& task) { return system_of(system, *kernels, task); },
          .arrays = [=](const Task& task) { return arrays_of(*kernels, task); }};
}

}  // namespace

Record record(Kept<KernelSpace> kernels, const KernelForm& form) { return kernels_record(kernels, form); }
Record record(Kept<SteerableKernels> kernels, const KernelForm& form) { return kernels_record(kernels, form); }
Record record(Kept<PointKernels> kernels, const KernelForm& form) { return kernels_record(kernels, form); }

}  // namespace intertwine
