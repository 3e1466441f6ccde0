// Correlations of the species of point groups and double groups with those of their subgroups.
#include "intertwine/physics/correlation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "physics/point_operations.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t max_elements = 10'000;

/// The action of an operation in space: determinant and trace of its matrix, of double groups the trace in SU(2).
using OperationKind = std::pair<Cyclotomic, Cyclotomic>;

/// The matrix of an operation of a point group or a double group in the frame of the point group.
class MatricesInFrame {
 public:
  MatricesInFrame(const FiniteGroup& G, const Task& task)
      : doubled_(G.structure().as<structure::DoubleGroup>()),
        V_(cartesian_representation(doubled_ ? point_group(doubled_->base.symbol()) : G, task)) {}
  FieldMatrix operator()(const Permutation& g) const {
    return V_.field_matrix(doubled_ ? doubled_->lifts->elements[g(0) / 2] : g);
  }

 private:
  const structure::DoubleGroup* doubled_;
  Representation V_;
};

/// The kind of every class.
std::vector<OperationKind> kinds_of(const CharacterTable& table, const Task& task) {
  std::vector<OperationKind> kinds;
  if (const auto* doubled = table.group().structure().as<structure::DoubleGroup>()) {
    for (std::size_t c = 0; c < table.size(); ++c) {
      const Point lift = table.classes()[c].representative(0);
      const Cyclotomic& trace = doubled->lifts->traces[lift / 2];
      kinds.emplace_back(Cyclotomic(doubled->lifts->determinants[lift / 2]), lift % 2 == 0 ? trace : -trace);
    }
    return kinds;
  }
  for (const FieldMatrix& R : class_matrices(table, task)) kinds.emplace_back(determinant_in_space(R), R.trace());
  return kinds;
}

/// A point group or a double group by its elements: their kinds and classes.
struct Operations {
  Operations(const PointGroupTable& table, const Task& task) {
    const FiniteGroup& G = table.table.group();
    const std::vector<OperationKind> kinds = kinds_of(table.table, task);
    std::vector<std::size_t> column(table.columns.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) column[table.columns[c].number] = c;
    if (G.order(task) > max_elements)
      throw LimitError(fmt::format("{} has {} elements; correlation tables are made for groups of at most {}", G.name(),
                                   G.order(task).str(), max_elements));
    G.chain(task).for_each_element(
        [&](const Permutation& g) {
          const std::size_t number = table.table.classes().index_of(g, task);
          elements.push_back({g, kinds[number], column[number]});
          return true;
        },
        task);
    std::sort(elements.begin(), elements.end(), [](const Element& a, const Element& b) {
      return a.column != b.column ? a.column < b.column : a.g < b.g;
    });
    for (std::size_t k = 0; k < elements.size(); ++k) place.emplace(elements[k].g, k);
  }
  struct Element {
    Permutation g;
    OperationKind kind;
    std::size_t column;
  };
  std::vector<Element> elements;  ///< by column
  std::map<Permutation, std::size_t> place;
};

/// The homomorphism with these images of H's generators if it keeps the kinds: the image of every element, by numbers.
std::optional<std::vector<std::size_t>> homomorphism(const Operations& H, const std::vector<std::size_t>& generators,
                                                     const Operations& G, const std::vector<std::size_t>& images) {
  constexpr std::size_t unknown = static_cast<std::size_t>(-1);
  std::vector<std::size_t> image(H.elements.size(), unknown), todo;
  const auto identity = [](const Operations& group) {
    return group.place.at(Permutation::identity(group.elements.front().g.degree()));
  };
  todo.push_back(identity(H));
  image[todo[0]] = identity(G);
  for (std::size_t at = 0; at < todo.size(); ++at)
    for (std::size_t s = 0; s < generators.size(); ++s) {
      const std::size_t h = H.place.at(H.elements[todo[at]].g * H.elements[generators[s]].g);
      const std::size_t g = G.place.at(G.elements[image[todo[at]]].g * G.elements[images[s]].g);
      if (image[h] == g) continue;
      if (image[h] != unknown || H.elements[h].kind != G.elements[g].kind) return std::nullopt;
      image[h] = g;
      todo.push_back(h);
    }
  return image;
}

/// Characters of G's species on the classes of H, in those of H's species.
std::vector<std::vector<std::uint64_t>> multiplicities(const CorrelationTable& table,
                                                       const std::vector<std::size_t>& fusion) {
  const auto product = [&](const std::vector<Cyclotomic>& a, const std::vector<Cyclotomic>& b) {
    Cyclotomic sum;
    for (std::size_t c = 0; c < a.size(); ++c)
      sum += Cyclotomic(Rational(table.to.columns[c].label.count)) * a[c] * b[c];  // they are real
    return sum;
  };
  std::vector<std::vector<std::uint64_t>> result;
  for (const PointGroupTable::Row& row : table.from.rows) {
    std::vector<Cyclotomic> restricted;
    for (const std::size_t column : fusion) restricted.push_back(row.values[column]);
    result.emplace_back();
    for (const PointGroupTable::Row& species : table.to.rows)
      result.back().push_back(static_cast<std::uint64_t>(
          (product(restricted, species.values) / product(species.values, species.values)).to_integer()));
  }
  return result;
}

/// For every generator the elements that may be its image.
using ImageCandidates = std::vector<std::vector<std::size_t>>;

/// Those of the kinds of the generators; up to conjugation in G the first image is the first of its class.
ImageCandidates candidates_by_kind(const Operations& H, const std::vector<std::size_t>& generators,
                                   const Operations& G) {
  ImageCandidates candidates(generators.size());
  for (std::size_t s = 0; s < generators.size(); ++s)
    for (std::size_t k = 0; k < G.elements.size(); ++k) {
      if (G.elements[k].kind != H.elements[generators[s]].kind) continue;
      if (s == 0 && k > 0 && G.elements[k].column == G.elements[k - 1].column) continue;
      candidates[s].push_back(k);
    }
  return candidates;
}

/// All choices of images, one after the other; `found` is told those that make a homomorphism, until it returns false.
template <class Found>
void each_embedding(const Operations& H, const std::vector<std::size_t>& generators, const Operations& G,
                    const ImageCandidates& candidates, const Task& task, Found found) {
  std::vector<std::size_t> choice(generators.size(), 0), images(generators.size());
  if (std::any_of(candidates.begin(), candidates.end(), [](const auto& list) { return list.empty(); })) return;
  for (bool more = true; more;) {
    task.poll();
    for (std::size_t s = 0; s < choice.size(); ++s) images[s] = candidates[s][choice[s]];
    if (const auto image = homomorphism(H, generators, G, images); image && !found(*image)) return;
    more = false;
    for (std::size_t s = choice.size(); s-- > 0 && !more;) {
      more = ++choice[s] < candidates[s].size();
      if (!more) choice[s] = 0;
    }
  }
}

/// The fusion of the columns of H by the images of its elements, and the columns of these, sorted.
struct Fusion {
  Fusion(const Operations& H, const Operations& G, std::size_t size, const std::vector<std::size_t>& image)
      : fusion(size) {
    for (std::size_t h = 0; h < image.size(); ++h) {
      fusion[H.elements[h].column] = G.elements[image[h]].column;
      columns.push_back(G.elements[image[h]].column);
    }
    std::sort(columns.begin(), columns.end());
  }
  std::vector<std::size_t> fusion, columns;
};

/// The way in which H lies in G by its own matrices, both in their frames: that of printed tables where it exists. In
/// double groups two lifts lie over a half turn, and the first choice that makes a homomorphism is taken.
std::optional<std::vector<std::size_t>> by_matrices(const Operations& to, const std::vector<std::size_t>& generators,
                                                    const Operations& from, const FiniteGroup& G, const FiniteGroup& H,
                                                    const Task& task) {
  const MatricesInFrame large(G, task), small(H, task);
  ImageCandidates candidates(generators.size());
  for (std::size_t s = 0; s < generators.size(); ++s) {
    const auto& h = to.elements[generators[s]];
    const FieldMatrix R = small(h.g);
    for (std::size_t k = 0; k < from.elements.size(); ++k) {
      task.poll();
      if (from.elements[k].kind == h.kind && large(from.elements[k].g) == R) candidates[s].push_back(k);
    }
  }
  std::optional<std::vector<std::size_t>> result;
  each_embedding(to, generators, from, candidates, task, [&](const std::vector<std::size_t>& image) {
    result = image;
    return false;
  });
  return result;
}

}  // namespace

CorrelationTable correlation_table(const FiniteGroup& G, const FiniteGroup& H, const Task& task) {
  if ((G.structure().as<structure::DoubleGroup>() == nullptr) !=
      (H.structure().as<structure::DoubleGroup>() == nullptr))
    throw DomainError(
        fmt::format("{} and {} are a point group and a double group; take two of one kind, as "
                    "double(Oh) and double(D4h)",
                    G.name(), H.name()));
  CorrelationTable table{point_group_table(G, false, task), point_group_table(H, false, task), {}};
  const Operations from(table.from, task), to(table.to, task);
  std::vector<std::size_t> generators;
  for (const Permutation& h : H.generators())
    if (!h.is_identity()) generators.push_back(to.place.at(h));
  // For every choice of classes of G the first fusion.
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> settings;
  const auto candidates = candidates_by_kind(to, generators, from);
  each_embedding(to, generators, from, candidates, task, [&](const std::vector<std::size_t>& image) {
    const Fusion found(to, from, table.to.columns.size(), image);
    const auto [known, added] = settings.emplace(found.columns, found.fusion);
    if (!added) known->second = std::min(known->second, found.fusion);
    return true;
  });
  if (settings.empty())
    throw DomainError(fmt::format("{} is no subgroup of {}: its operations are not all among those of {}",
                                  table.to.schoenflies, table.from.schoenflies, table.from.schoenflies));
  std::vector<std::size_t> usual;
  if (const auto image = by_matrices(to, generators, from, G, H, task)) {
    const Fusion found(to, from, table.to.columns.size(), *image);
    usual = settings[found.columns] = found.fusion;
  }
  for (const auto& [columns, fusion] : settings) table.settings.push_back({fusion, multiplicities(table, fusion)});
  std::sort(table.settings.begin(), table.settings.end(),
            [&](const CorrelationSetting& a, const CorrelationSetting& b) {
              return std::pair(a.fusion != usual, a.fusion) < std::pair(b.fusion != usual, b.fusion);
            });
  return table;
}

}  // namespace intertwine
