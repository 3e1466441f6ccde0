// What chartable says beside the values: kernels, centres, determinants, conjugates of characters, and the characters of a
// subgroup.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "character_commands.hpp"
#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/group_expression.hpp"

namespace intertwine::app {

std::vector<CharacterDetails> details_of(const CharacterTable& table, const Task& task) {
  const auto families = galois_families(table);
  std::map<std::vector<Cyclotomic>, std::size_t> linear;
  for (std::size_t i = 0; i < table.size() && table.degree(i) == 1; ++i) linear.emplace(table.row(i), i);
  const auto size_of = [&](const std::vector<std::uint32_t>& classes) {
    Integer sum = 0;
    for (const std::uint32_t c : classes) sum += table.classes()[c].size;
    return sum;
  };
  const std::vector<SchurIndex> indices = schur_indices(table, task);
  std::vector<CharacterDetails> result;
  for (std::size_t i = 0; i < table.size(); ++i) {
    task.progress("determinants", i, table.size());
    const auto chi = ClassFunction::irreducible(table, i);
    CharacterDetails d{AbelianField::generated_by(chi.values()).to_string(),
                       kernel_classes(chi),
                       centre_classes(chi),
                       0,
                       0,
                       linear.at(determinant(chi, task).values()),
                       {},
                       indices[i]};
    d.kernel_order = size_of(d.kernel);
    d.centre_order = size_of(d.centre);
    for (std::size_t j = 0; j < table.size(); ++j)
      if (families[j] == families[i]) d.family.push_back(j);
    result.push_back(std::move(d));
  }
  return result;
}

Json to_json(const SchurIndex& index) {
  const auto by_prime = [](const std::vector<LocalIndex>& list) {
    Json json = Json::object();
    for (const LocalIndex& local : list) json[std::to_string(local.prime)] = local.index;
    return json;
  };
  Json json{{"index", index.index}, {"real", index.real}, {"finite", by_prime(index.finite)}};
  if (!index.undecided.empty()) json["undecided"] = by_prime(index.undecided);
  return json;
}

std::string to_text(const SchurIndex& index) {
  std::string places = index.real > 1 ? "inf" : "";
  for (const LocalIndex& local : index.finite)
    places += fmt::format("{}{}", places.empty() ? "" : ", ", local.prime);
  for (const LocalIndex& local : index.undecided)
    places += fmt::format("{}{} undecided", places.empty() ? "" : ", ", local.prime);
  return places.empty() ? "1" : fmt::format("{} (at {})", index.index, places);
}

Json to_json(const std::vector<CharacterDetails>& details) {
  Json list = Json::array();
  for (const CharacterDetails& d : details)
    list.push_back({{"field", d.field},
                    {"kernel", d.kernel},
                    {"kernel_order", d.kernel_order.str()},
                    {"centre", d.centre},
                    {"centre_order", d.centre_order.str()},
                    {"determinant", d.determinant},
                    {"galois_family", d.family},
                    {"schur_index", to_json(d.index)}});
  return list;
}

std::string to_text(const CharacterTable& table, const std::vector<CharacterDetails>& details) {
  const auto names = table.class_names();
  const auto classes = [&](const std::vector<std::uint32_t>& list) {
    std::string text;
    for (const std::uint32_t c : list) text += (text.empty() ? "" : " ") + names[c];
    constexpr std::size_t shown = 24;
    return list.size() == table.size() ? "all"
           : text.size() > shown       ? fmt::format("{} classes", list.size())
                                       : text;
  };
  std::vector<std::vector<std::string>> rows{{"", "degree", "field", "kernel", "order", "centre", "order",
                                              "determinant", "Schur index", "conjugates"}};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const CharacterDetails& d = details[i];
    std::string conjugates;
    for (const std::size_t j : d.family)
      if (j != i && conjugates.size() < 40) conjugates += (conjugates.empty() ? "" : " ") + table.name(j);
    rows.push_back({table.name(i), table.degree(i).str(), d.field, classes(d.kernel), d.kernel_order.str(),
                    classes(d.centre), d.centre_order.str(), table.name(d.determinant), to_text(d.index),
                    conjugates});
  }
  return aligned(rows);
}

FiniteGroup subgroup_of(const FiniteGroup& G, const std::string& expression, const Task& task) {
  FiniteGroup H = parse_group(expression, {}, task);
  if (H.degree() > G.degree())
    throw DomainError(fmt::format(
        "--subgroup {}: it acts on {} points and {} on {}; give a subgroup, for example by generators <...>",
        expression, H.degree(), G.name(), G.degree()));
  for (const Permutation& h : H.generators()) {
    std::vector<Point> images(h.images().begin(), h.images().end());
    for (std::size_t x = images.size(); x < G.degree(); ++x) images.push_back(static_cast<Point>(x));
    if (!G.contains(Permutation(std::move(images))))
      throw DomainError(fmt::format("--subgroup {}: {} is no element of {}; give generators that are",
                                    expression, h.to_string(), G.name()));
  }
  return H;
}

SubgroupTable subgroup_table(const CharacterTable& G, const std::string& expression, const Task& task) {
  SubgroupTable result{character_table(subgroup_of(G.group(), expression, task), task), {}, {}};
  result.fusion = fusion(result.table, G);
  result.multiplicities = restriction_multiplicities(G, result.table, task);
  return result;
}

Json to_json(const SubgroupTable& subgroup, const Json& table_of_it, const Integer& order) {
  Json json = table_of_it;
  json.erase("intertwine");
  json.erase("command");
  json["index"] = Integer(order / subgroup.table.group().order()).str();
  json["fusion"] = subgroup.fusion;
  Json rows = Json::array();
  for (const auto& row : subgroup.multiplicities) {
    rows.push_back(Json::array());
    for (const Integer& m : row) rows.back().push_back(m.str());
  }
  json["multiplicities"] = std::move(rows);
  return json;
}

std::string to_text(const CharacterTable& G, const SubgroupTable& subgroup, unsigned width) {
  const CharacterTable& H = subgroup.table;
  std::vector<std::vector<std::string>> classes{{"class"}, {"in " + G.group().name()}};
  if (classes[1][0].size() > 20) classes[1][0] = "in G";
  const auto names = H.class_names(), larger = G.class_names();
  for (std::size_t c = 0; c < H.size(); ++c) {
    classes[0].push_back(names[c]);
    classes[1].push_back(larger[subgroup.fusion[c]]);
  }
  std::vector<std::vector<std::string>> cells{{""}};
  for (std::size_t j = 0; j < H.size(); ++j) cells[0].push_back(H.name(j));
  for (std::size_t i = 0; i < G.size(); ++i) {
    cells.push_back({G.name(i)});
    for (const Integer& m : subgroup.multiplicities[i]) cells.back().push_back(m == 0 ? "." : m.str());
  }
  return fmt::format("{}, order {}, index {}, {}\n\n", H.group().name(), H.group().order().str(),
                     Integer(G.group().order() / H.group().order()).str(),
                     counted(std::to_string(H.size()), "class", "classes")) +
         in_blocks(classes, 0, width) + "\nrows restricted to it, columns induced from it\n\n" +
         in_blocks(cells, 1, width);
}

}  // namespace intertwine::app
