// Decompositions of representations of continuous groups.
#include "intertwine/classical/continuous_decomposition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "continuous_character.hpp"
#include "continuous_functors.hpp"
#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/decomposition.hpp"

namespace intertwine {

namespace {

using laurent::CharacterTerm;
using laurent::Component;
using laurent::Laurent;
using Family = ClassicalGroup::Family;
using Node = ContinuousNode;
/// Labels of irreducible representations of a factor and how often they occur; of finite factors {row}.
using Multiplicities = std::map<std::vector<int>, Integer>;

/// Twice the coordinates of the highest weights on a component, and how often they occur (on the component of 1).
Multiplicities doubled_weights(const Laurent& character, const Component& component) {
  const laurent::Weight rho = laurent::twice_rho(component);
  Multiplicities out;
  for (const auto& [shifted, count] : laurent::constituents(character, component)) {
    std::vector<int> weight = shifted;
    for (std::size_t k = 0; k < weight.size(); ++k) weight[k] -= rho[k];
    out.emplace(std::move(weight), count);
  }
  return out;
}

/// Dynkin labels, then the charge.
Weight labels_of(const ClassicalGroup& G, const std::vector<int>& doubled) {
  const std::size_t n = doubled.size();
  Weight labels;
  for (std::size_t k = 0; k + 1 < n; ++k) labels.push_back((doubled[k] - doubled[k + 1]) / 2);
  switch (G.family()) {
    case Family::SL:
    case Family::SU:
      break;
    case Family::GL:
    case Family::U: {
      int charge = 0;
      for (const int x : doubled) charge += x / 2;
      labels.push_back(charge);
      break;
    }
    case Family::Sp:
      labels.push_back(doubled.back() / 2);
      break;
    default:
      if (G.dimension() % 2 == 1 && n > 0) labels.push_back(doubled.back());
      if (G.dimension() == 2) labels.push_back(doubled.back() / 2);
      if (G.dimension() % 2 == 0 && n > 1) labels.push_back((doubled[n - 2] + doubled[n - 1]) / 2);
  }
  return labels;
}

/// [lambda] times the determinant: the first column has n cells less those that it had.
std::vector<int> associated(std::vector<int> label, unsigned n) {
  label.resize(n - label.size(), 1);
  return label;
}

/// Weyl's labels of O(n) from both components: on that of 1 [lambda] and [lambda] det are the same, on the other they
/// differ by the sign.
Multiplicities orthogonal_labels(const ClassicalGroup& G, const CharacterTerm::Piece& piece,
                                 const std::vector<Component>& components) {
  const unsigned n = G.dimension();
  const Multiplicities proper = doubled_weights(piece.characters[0], components[0]),
                       improper = doubled_weights(piece.characters[1], components[1]);
  Multiplicities out;
  for (const auto& [doubled, count] : proper) {
    std::vector<int> label;
    int cells = 0;
    for (const int x : doubled)
      if (x > 0) label.push_back(x / 2), cells += x / 2;
    if (!doubled.empty() && doubled.back() < 0) continue;  // the other half of what is counted
    if (n % 2 == 0 && label.size() == n / 2) {
      out[label] += count;
      continue;
    }
    std::vector<int> other = doubled;
    if (n % 2 == 0) other.pop_back();
    const auto found = improper.find(other);
    Integer difference = found == improper.end() ? Integer(0) : found->second;
    if (n % 2 == 1 && cells % 2 == 1) difference = -difference;  // there it is minus an element of SO(n)
    if ((count + difference) % 2 != 0) throw InternalError("a multiplicity over O(n) is not integral");
    if (count + difference != 0) out[label] += (count + difference) / 2;
    if (count - difference != 0) out[associated(label, n)] += (count - difference) / 2;
  }
  return out;
}

std::string orthogonal_name(const std::vector<int>& label, unsigned n) {
  const bool twisted = 2 * label.size() > n;
  std::vector<int> own = label;
  if (twisted) own.resize(n - label.size());
  if (own.empty()) return twisted ? "det" : "trivial";
  std::string name = own.size() == 1 ? own[0] == 1 ? "vector" : fmt::format("harmonic({})", own[0])
                                     : fmt::format("irrep([{}] as partition)", fmt::join(own, ","));
  return twisted ? name + "*det" : name;
}

/// Takes representations of one group apart.
class Decomposer {
 public:
  Decomposer(const ContinuousGroup& G, const Task& task) : G_(G), task_(task), characters_(G, task) {
    tables_.resize(G.factors().size());
  }

  std::map<std::vector<std::vector<int>>, Integer> of(const ContinuousNode& node) {
    std::map<std::vector<std::vector<int>>, Integer> sum;
    for (const CharacterTerm& term : characters_.of(node)) {
      std::map<std::vector<std::vector<int>>, Integer> product{{{}, term.multiplicity}};
      for (std::size_t f = 0; f < term.pieces.size(); ++f) {
        const Multiplicities own = factor(f, term.pieces[f]);
        std::map<std::vector<std::vector<int>>, Integer> next;
        for (const auto& [labels, count] : product) {
          task_.poll();
          for (const auto& [label, times] : own) {
            auto longer = labels;
            longer.push_back(label);
            next[std::move(longer)] += count * times;
          }
        }
        product = std::move(next);
      }
      for (const auto& [labels, count] : product) sum[labels] += count;
    }
    return sum;
  }

  FactorIrrep irrep(std::size_t f, const std::vector<int>& label) const {
    if (tables_[f]) {
      const auto row = static_cast<std::size_t>(label[0]);
      return {FactorIrrep::Kind::row, {}, row, tables_[f]->degree(row), tables_[f]->indicator(row),
              tables_[f]->name(row)};
    }
    const auto& classical = std::get<ClassicalGroup>(G_.factors()[f]);
    if (classical.family() != Family::O) {
      const RootSystem type = lie_group_of(classical).type();
      return {FactorIrrep::Kind::weight,  label, 0, type.dimension(label), type.indicator(label),
              dimension_name(type, label)};
    }
    const unsigned n = classical.dimension();
    std::vector<int> own = label;
    if (2 * own.size() > n) own.resize(n - label.size());
    const LieGroup connected = LieGroup::classical("SO", static_cast<int>(n));
    Integer degree = connected.type().dimension(connected.weight_of_partition(own));
    if (2 * own.size() == n) degree *= 2;
    return {FactorIrrep::Kind::partition, label, 0, std::move(degree), 1, orthogonal_name(label, n)};
  }

 private:
  Multiplicities factor(std::size_t f, const CharacterTerm::Piece& piece) {
    if (piece.finite) {
      if (!tables_[f]) tables_[f] = character_table(std::get<FiniteGroup>(G_.factors()[f]), task_);
      Multiplicities out;
      for (const Constituent& part : intertwine::decompose(*piece.finite, *tables_[f], BaseField::complex, task_))
        out[{static_cast<int>(part.irreps[0])}] = part.multiplicity;
      return out;
    }
    const auto& classical = std::get<ClassicalGroup>(G_.factors()[f]);
    const std::vector<Component>& components = characters_.components()[f];
    if (classical.family() == Family::O) return orthogonal_labels(classical, piece, components);
    Multiplicities out;
    for (const auto& [doubled, count] : doubled_weights(piece.characters[0], components[0]))
      out[labels_of(classical, doubled)] += count;
    return out;
  }

  const ContinuousGroup& G_;
  const Task& task_;
  laurent::TermCharacters characters_;
  std::vector<std::optional<CharacterTable>> tables_;
};

ContinuousRepresentation with_vector(const Node& node, const ContinuousRepresentation& W, const Task& task) {
  const auto part = [&](std::size_t k) { return with_vector(*node.parts[k], W, task); };
  if (auto functor = same_functor<ContinuousRepresentation>(node, part, task)) return *functor;
  if (node.is<Node::RealForm>())  // it has the character of V
    return with_vector(*node.parts[0]->parts[0], W, task);
  if (node.is<Node::Vector>()) return W;
  if (node.is<Node::Adjoint>())
    throw DomainError(
        "adjoint is not restricted along a representation; write vector*dual(vector), which has one trivial "
        "constituent more");
  if (node.is<Node::Given>())
    throw DomainError(
        "a representation by matrices is not restricted along another one: that would be what its matrices "
        "do on it");
  if (node.is<Node::Determinant>()) return alt(static_cast<unsigned>(W.dimension()), W);
  return trivial_representation(W.group());
}

}  // namespace

std::string ContinuousConstituent::name() const {
  std::string joined;
  for (const FactorIrrep& irrep : factors) joined += (joined.empty() ? "" : " # ") + irrep.name;
  return joined;
}

std::vector<ContinuousConstituent> decompose(const ContinuousRepresentation& V, const Task& task) {
  std::vector<ContinuousConstituent> out;
  Decomposer decomposer(V.group(), task);
  Integer sum = 0;
  for (const auto& [labels, multiplicity] : decomposer.of(V.node())) {
    ContinuousConstituent part{{}, 1, multiplicity};
    for (std::size_t f = 0; f < labels.size(); ++f) {
      part.factors.push_back(decomposer.irrep(f, labels[f]));
      part.degree *= part.factors.back().degree;
    }
    sum += part.degree * multiplicity;
    if (multiplicity < 0) throw InternalError("a multiplicity is negative");
    if (multiplicity != 0) out.push_back(std::move(part));
  }
  if (sum != V.dimension()) throw InternalError("the degrees of constituents do not add up");
  std::reverse(out.begin(), out.end());
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.degree > b.degree; });
  return out;
}

ContinuousRepresentation restricted_along(const ContinuousRepresentation& V, const ContinuousRepresentation& vector,
                                          const Task& task) {
  const auto* G = V.group().is_product() ? nullptr : std::get_if<ClassicalGroup>(&V.group().factors().front());
  const bool linear = G != nullptr && (G->family() == Family::SL || G->family() == Family::GL ||
                                       G->family() == Family::SU || G->family() == Family::U);
  if (!linear)
    throw DomainError(
        fmt::format("representations of SU(n), SL(n), U(n) and GL(n) are restricted along any "
                    "representation, not those of {}",
                    V.group().name()));
  if (vector.dimension() != G->dimension())
    throw DomainError(fmt::format("{} of {} has dimension {}, but {} acts on a space of dimension {}",
                                  vector.to_string(), vector.group().name(), vector.dimension(), V.group().name(),
                                  G->dimension()));
  return with_vector(V.node(), vector, task);
}

}  // namespace intertwine
