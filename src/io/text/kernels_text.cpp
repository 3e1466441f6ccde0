#include "intertwine/io/kernels_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/exact/sum_text.hpp"
#include "io/containers/text.hpp"
#include "io/text/json_values.hpp"

namespace intertwine {

namespace {

std::string side(const Representation& V) {
  return fmt::format("{} of {}, dimension {}", shortened(V.to_string()), shortened(V.group().name()),
                     V.dimension());
}

OrderedJson side_json(const Representation& V) {
  return {{"subgroup", V.group().name()},
          {"order", json_value(V.group().order())},
          {"rep", V.to_string(TextForm::checked)},
          {"dimension", V.dimension()}};
}

std::string monomial_text(const std::vector<unsigned>& exponents) {
  std::string text;
  for (std::size_t i = 0; i < exponents.size(); ++i) {
    if (exponents[i] == 0) continue;
    text += (text.empty() ? "" : "*") +
            (exponents.size() <= 3 ? std::string(1, "xyz"[i]) : fmt::format("x{}", i + 1)) +
            (exponents[i] == 1 ? "" : fmt::format("^{}", exponents[i]));
  }
  return text;
}

/// A matrix of polynomials, columns aligned.
std::string polynomial_matrix(const SteerableKernels& kernels, const SteerableKernels::Degree& part,
                              std::size_t k) {
  const std::uint64_t m = kernels.target.dimension(), n = kernels.source.dimension();
  std::vector<SumText> sums(m * n);
  for (const auto& e : part.kernels[k].entries())
    sums[e.col].add(Cyclotomic(e.value), monomial_text(part.monomials[e.row]));
  std::vector<std::size_t> widths(n, 1);
  const auto entry = [&](std::uint64_t i, std::uint64_t j) {
    const std::string text = sums[i * n + j].str();
    return text == "0" ? std::string(".") : text;
  };
  for (std::uint64_t i = 0; i < m; ++i)
    for (std::uint64_t j = 0; j < n; ++j) widths[j] = std::max(widths[j], entry(i, j).size());
  std::string text;
  for (std::uint64_t i = 0; i < m; ++i) {
    text += "    [";
    for (std::uint64_t j = 0; j < n; ++j)
      text += fmt::format("{}{:>{}}", j == 0 ? " " : ", ", entry(i, j), widths[j]);
    text += " ]\n";
  }
  return text;
}

std::string steerable_side(const ContinuousRepresentation& V, std::uint64_t channels) {
  return fmt::format("{}{}, dimension {}", channels == 1 ? "" : fmt::format("{} x ", channels),
                     shortened(V.to_string()), V.dimension());
}

}  // namespace

std::string to_json(const KernelSpace& kernels) {
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
  return json.dump(2);
}

std::string to_text(const KernelSpace& kernels, bool elements, std::string_view time) {
  std::string text =
      fmt::format("{}: kernels kappa(h g k) = rho(h) kappa(g) sigma(k)\n", shortened(kernels.group().name()));
  text += "  from sigma   " + side(kernels.source()) + "\n  to rho       " + side(kernels.target()) + "\n";
  text += fmt::format("  dimension    {}: by double cosets {}, by induced characters {} ({})\n",
                      kernels.dimension(), kernels.dimension(), kernels.character_dimension().str(),
                      kernels.route());
  if (!kernels.field().is_rational()) text += "  field        " + kernels.field().to_string() + "\n";
  if (!time.empty()) text += fmt::format("  time         {}\n", time);
  const auto cycles = [](const KernelBlock& block) { return shortened(block.representative.to_string()); };
  std::size_t width = 1;
  for (const KernelBlock& block : kernels.blocks()) width = std::max(width, cycles(block).size());
  text += fmt::format("double cosets {}\n  {:<{}}  {:>10}  {:>10}  {:>7}\n", kernels.blocks().size(), "g",
                      width, "size", "stabilizer", "kernels");
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

std::string to_json(const SteerableKernels& kernels) {
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
  OrderedJson degrees = OrderedJson::array();
  for (const auto& part : kernels.degrees) {
    OrderedJson list = OrderedJson::array();
    for (const SparseMatrix& A : part.kernels) {
      OrderedJson entries = OrderedJson::array();
      for (const auto& e : A.entries()) entries.push_back({e.row, e.col / n, e.col % n, to_string(e.value)});
      list.push_back(std::move(entries));
    }
    degrees.push_back({{"degree", part.degree}, {"monomials", part.monomials}, {"kernels", std::move(list)}});
  }
  json["degrees"] = std::move(degrees);
  return json.dump(2);
}

std::string to_text(const SteerableKernels& kernels, bool elements, std::string_view time) {
  std::string text =
      fmt::format("{}: kernels on R^{}, kappa(h x) = rho_out(h) kappa(x) rho_in(h)^-1 for h in {}\n",
                  kernels.group.name(), kernels.group.dimension(), kernels.group.point_group().name());
  text += "  in           " + steerable_side(kernels.source, kernels.channels.in) + "\n";
  text += "  out          " + steerable_side(kernels.target, kernels.channels.out) + "\n";
  text += fmt::format(
      "  dimension    {} at every radius: by harmonics {}, over the stabilizer {} of a point {} ({})\n",
      kernels.params(), kernels.params(), shortened(kernels.stabilizer),
      kernels.by_stabilizer.dimension.str(), kernels.by_stabilizer.route);
  text += "  equivariant  yes: every polynomial checked under every generator\n";
  if (!time.empty()) text += fmt::format("  time         {}\n", time);
  std::size_t number = 0;
  Cells rows{{"degree", "kernels"}};
  for (const auto& part : kernels.degrees)
    rows.push_back({std::to_string(part.degree), std::to_string(part.kernels.size())});
  if (!elements) return text + aligned(rows);
  for (const auto& part : kernels.degrees)
    for (std::size_t k = 0; k < part.kernels.size(); ++k)
      text += fmt::format("kappa{}(x), degree {}:\n", ++number, part.degree) +
              polynomial_matrix(kernels, part, k);
  return text;
}

}  // namespace intertwine
