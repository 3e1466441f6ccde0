// Counts force constants by characters, and finds those that sum rules allow.
#include "intertwine/physics/force_constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "intertwine/error.hpp"
#include "intertwine/exact/sparse_equations.hpp"
#include "intertwine/physics/space.hpp"
#include "physics/force_clusters.hpp"
#include "physics/supercell.hpp"

namespace intertwine {

using namespace space;

namespace {

using Tuple = ForceClusters::Tuple;
using Tensor = ForceClusters::Tensor;

void require_question(const ForceConstantQuestion& question) {
  if (question.order < 2 || question.order > ForceClusters::most)
    throw DomainError(fmt::format("force constants are of order 2, 3 or 4, not {}", question.order));
  if (question.cutoff && !(*question.cutoff > 0 && std::isfinite(*question.cutoff)))
    throw DomainError(
        fmt::format("the cutoff of force constants is a positive distance, such as 5.0, not {}", *question.cutoff));
}

/// The character of the n-th symmetric power, from those of the powers g^1, ..., g^n.
Integer symmetric_character(const std::vector<Integer>& p) {
  switch (p.size()) {
    case 2:
      return (p[0] * p[0] + p[1]) / 2;
    case 3:
      return (p[0] * p[0] * p[0] + 3 * p[0] * p[1] + 2 * p[2]) / 6;
    default:
      return (p[0] * p[0] * p[0] * p[0] + 6 * p[0] * p[0] * p[1] + 3 * p[1] * p[1] + 8 * p[0] * p[2] + 6 * p[3]) / 24;
  }
}

/// Traces of the powers of W, the first of them W itself.
std::vector<long> traces_of_powers(const Supercell::Integral3& W, unsigned n) {
  std::vector<long> traces;
  Supercell::Integral3 power = W;
  for (unsigned k = 0; k < n; ++k) {
    traces.push_back(power[0][0] + power[1][1] + power[2][2]);
    Supercell::Integral3 next{};
    for (std::size_t i = 0; i < 9; ++i)
      for (std::size_t j = 0; j < 3; ++j) next[i / 3][i % 3] += power[i / 3][j] * W[j][i % 3];
    power = next;
  }
  return traces;
}

/// The dimension of the invariants of Sym^n of the displacements, and of the displacements modulo translations.
std::pair<Integer, Integer> counts_by_characters(const Supercell& cell, unsigned n, const Task& task) {
  Integer tied = 0, dimension = 0;
  for (const auto& g : cell.operations) {
    const std::vector<long> traces = traces_of_powers(g.W, n);
    for (std::uint32_t by = 0; by < cell.translations; ++by) {
      task.poll();
      std::vector<long> kept(n, 0);
      for (std::uint32_t i = 0; i < cell.size(); ++i) {
        std::uint32_t at = i;
        for (unsigned k = 0; k < n; ++k) {
          at = cell.moved(g.image[at], by);
          kept[k] += at == i;
        }
      }
      std::vector<Integer> all, modulo;
      for (unsigned k = 0; k < n; ++k) {
        all.emplace_back(traces[k] * kept[k]);
        modulo.emplace_back(traces[k] * (kept[k] - 1));
      }
      tied += symmetric_character(all);
      dimension += symmetric_character(modulo);
    }
  }
  const std::uint64_t order = cell.operations.size() * cell.translations;
  if (tied % order != 0 || dimension % order != 0)
    throw InternalError("count_force_constants: a sum of characters is no multiple of the order of the group");
  return {tied / order, dimension / order};
}

/// The equations sum over k of the tensor of (J, k) = 0, for the first J of every orbit.
std::vector<IntegralEquation> sum_rule_equations(const Supercell& cell, const ForceClusters& clusters,
                                                 const ForceClusters& smaller, unsigned n, const Task& task) {
  std::vector<IntegralEquation> equations;
  const std::size_t entries = clusters.moved({}, clusters.images().front()).size();
  for (const auto& orbit : smaller.orbits()) {
    std::vector<std::map<std::uint32_t, std::int64_t>> rows(entries);
    for (std::uint32_t k = 0; k < cell.size(); ++k) {
      task.poll();
      Tuple tuple = orbit.atoms;
      tuple[n - 1] = k;
      bool near = true;
      for (unsigned s = 0; s + 1 < n; ++s) near = near && clusters.near(tuple[s], k);
      if (!near) continue;
      const auto [image, places] = clusters.find(tuple);
      const auto& tied = clusters.orbits()[image->orbit];
      for (std::size_t b = 0; b < tied.basis.size(); ++b) {
        const Tensor tensor = clusters.moved(tied.basis[b], *image);
        for (std::size_t at = 0; at < entries; ++at) {
          if (tensor[at] == 0) continue;
          std::array<std::size_t, ForceClusters::most> digit{};
          std::size_t left = at, row = 0;
          for (unsigned s = n; s-- > 0; left /= 3) digit[places[s]] = left % 3;
          for (unsigned s = 0; s < n; ++s) row = 3 * row + digit[s];
          rows[row][static_cast<std::uint32_t>(tied.first + b)] += tensor[at];
        }
      }
    }
    for (const auto& row : rows) {
      IntegralEquation equation;
      for (const auto& term : row)
        if (term.second != 0) equation.terms.push_back(term);
      if (!equation.terms.empty()) equations.push_back(std::move(equation));
    }
  }
  return equations;
}

using Order = std::array<std::uint8_t, ForceClusters::most>;

/// The place of the entry `at` of a tensor of n indices, once index order[s] is its index s.
std::size_t reordered(std::size_t at, const Order& order, unsigned n) {
  std::array<std::size_t, ForceClusters::most> digit{};
  for (unsigned s = n; s-- > 0; at /= 3) digit[s] = at % 3;
  std::size_t to = 0;
  for (unsigned s = 0; s < n; ++s) to = 3 * to + digit[order[s]];
  return to;
}

/// Which atom repeats how often: the number of orders of a tuple that are the same one.
double exchanges(const Tuple& tuple, unsigned n) {
  double product = 1;
  for (unsigned s = 0; s < n; ++s) {
    unsigned before = 1;
    for (unsigned r = 0; r < s; ++r) before += tuple[r] == tuple[s];
    product *= before;
  }
  return product;
}

}  // namespace

struct ForceConstants::Data {
  ForceConstantQuestion question;
  Supercell cell;
  ForceClusters tied;
  SolvedEquations solved;
  ForceConstantCount count;
  std::vector<ForceCluster> clusters;
  std::vector<std::uint32_t> first_images;
  std::vector<std::uint32_t> primitive;  ///< of the atoms of the cell as given
  Matrix3 to_edges;                      ///< Cartesian displacements in edges of the standard cell

  Data(const CrystalSymmetry& crystal, const ForceConstantQuestion& asked, const Task& task)
      : question(asked),
        cell(make_supercell(crystal, asked.supercell, task)),
        tied(cell, asked.order, asked.cutoff, true, task),
        primitive(crystal.primitive),
        to_edges(inverse(transpose(cell.edges))) {}

  std::size_t entries() const { return tied.moved({}, tied.images().front()).size(); }
  /// Derivatives by Cartesian displacements from those by coordinates.
  std::vector<double> cartesian(std::vector<double> tensor) const {
    const std::size_t rest = tensor.size() / 3;
    for (unsigned k = 0; k < question.order; ++k) {  // the first index becomes the last one
      std::vector<double> next(tensor.size(), 0);
      for (std::size_t at = 0; at < tensor.size(); ++at)
        for (std::size_t b = 0; b < 3; ++b) next[3 * (at % rest) + b] += tensor[at] * to_edges[at / rest][b];
      tensor = std::move(next);
    }
    return tensor;
  }
  /// visit(place, order) for every order of the indices, with its first atom in every place of the cell. Where atoms repeat,
  /// or translations keep the set, a place comes `visits` times.
  template <class Visit>
  void for_each_place(const ForceClusters::Image& image, const Visit& visit) const {
    const auto n = static_cast<std::ptrdiff_t>(question.order);
    Order order{0, 1, 2, 3};
    do {
      for (std::size_t k = 0; k < first_images.size(); ++k) {
        const std::uint32_t first = cell.internal[first_images[k]], own = image.atoms[order[0]];
        if (primitive[k] != own / cell.translations) continue;
        const std::uint32_t by = cell.difference(cell.translation(first), cell.translation(own));
        std::size_t place = k;
        for (std::size_t s = 1; s < question.order; ++s)
          place = place * cell.size() + cell.given[cell.moved(image.atoms[order[s]], by)];
        visit(place, order);
      }
    } while (std::next_permutation(order.begin(), order.begin() + n));
  }
  double visits(const ForceClusters::Image& image) const {
    return exchanges(image.atoms, question.order) * image.repeats;
  }
  /// A linear form on tied constants as one on parameters.
  std::vector<double> on_free(std::vector<double> form) const {
    for (const auto& [unknown, sum] : solved.determined)
      for (const auto& term : sum)
        form[term.unknown] +=
            form[unknown] * static_cast<double>(term.numerator) / static_cast<double>(term.denominator);
    std::vector<double> result;
    for (const std::uint32_t j : solved.free) result.push_back(form[j]);
    return result;
  }
  std::uint64_t numbers() const {
    std::uint64_t size = first_images.size() * entries();
    for (unsigned s = 1; s < question.order; ++s) size *= cell.size();
    return size;
  }
};

ForceConstantCount count_force_constants(const CrystalSymmetry& crystal, const ForceConstantQuestion& question,
                                         const Task& task) {
  require_question(question);
  if (question.cutoff) return ForceConstants(crystal, question, task).count();
  const Supercell cell = make_supercell(crystal, question.supercell, task);
  const auto [tied, dimension] = counts_by_characters(cell, question.order, task);
  return {cell.size(), cell.operations.size() * cell.translations, tied, question.sum_rules ? dimension : tied};
}

ForceConstants::ForceConstants(const CrystalSymmetry& crystal, const ForceConstantQuestion& question,
                               const Task& task) {
  require_question(question);
  const auto data = std::make_shared<Data>(crystal, question, task);
  const Supercell& cell = data->cell;
  const unsigned n = question.order;
  std::vector<IntegralEquation> equations;
  if (question.sum_rules) {
    const ForceClusters smaller(cell, n - 1, question.cutoff, false, task);
    equations = sum_rule_equations(cell, data->tied, smaller, n, task);
  }
  data->solved = solve_equations(std::move(equations), data->tied.size(), task);
  data->count = {cell.size(), cell.operations.size() * cell.translations, Integer(data->tied.size()),
                 Integer(data->solved.free.size())};
  if (!question.cutoff) {
    const auto [tied, dimension] = counts_by_characters(cell, n, task);
    if (data->count.tied != tied || data->count.dimension != (question.sum_rules ? dimension : tied))
      throw InternalError("ForceConstants: characters count other constants than relations leave");
  }
  for (const auto& orbit : data->tied.orbits()) {
    ForceCluster cluster{{}, orbit.sets, orbit.basis.size()};
    for (unsigned s = 0; s < n; ++s) cluster.atoms.push_back(cell.given[orbit.atoms[s]]);
    std::ranges::sort(cluster.atoms);
    data->clusters.push_back(std::move(cluster));
  }
  const std::size_t cells = cell.size() / crystal.crystal.atoms.size();
  for (std::size_t k = 0; k < crystal.crystal.atoms.size(); ++k)
    data->first_images.push_back(static_cast<std::uint32_t>(k * cells));
  data_ = data;
}

const ForceConstantQuestion& ForceConstants::question() const { return data_->question; }
const ForceConstantCount& ForceConstants::count() const { return data_->count; }
std::size_t ForceConstants::dimension() const { return data_->solved.free.size(); }
const std::vector<ForceCluster>& ForceConstants::clusters() const { return data_->clusters; }
const CrystalStructure& ForceConstants::supercell() const { return data_->cell.structure; }
const std::vector<std::uint32_t>& ForceConstants::first_images() const { return data_->first_images; }

std::vector<double> ForceConstants::constants(std::span<const double> parameters, const Task& task) const {
  const Data& d = *data_;
  const unsigned n = d.question.order;
  if (parameters.size() != dimension())
    throw DomainError(
        fmt::format("there are {} free force constants, and {} parameters were given", dimension(), parameters.size()));
  std::vector<double> values(d.tied.size(), 0);
  for (std::size_t k = 0; k < parameters.size(); ++k) values[d.solved.free[k]] = parameters[k];
  for (const auto& [unknown, sum] : d.solved.determined)
    for (const auto& term : sum)
      values[unknown] +=
          values[term.unknown] * static_cast<double>(term.numerator) / static_cast<double>(term.denominator);
  const std::size_t entries = d.entries();
  task.require_memory(8 * d.numbers(), "force constants");
  std::vector<double> result(d.numbers(), 0);
  for (const auto& image : d.tied.images()) {
    task.poll();
    const auto& orbit = d.tied.orbits()[image.orbit];
    std::vector<double> tensor(entries, 0);
    for (std::size_t b = 0; b < orbit.basis.size(); ++b) {
      const Tensor moved = d.tied.moved(orbit.basis[b], image);
      for (std::size_t at = 0; at < entries; ++at)
        tensor[at] += values[orbit.first + b] * static_cast<double>(moved[at]);
    }
    tensor = d.cartesian(std::move(tensor));
    d.for_each_place(image, [&](std::size_t place, const Order& order) {
      for (std::size_t at = 0; at < entries; ++at) result[place * entries + reordered(at, order, n)] = tensor[at];
    });
  }
  return result;
}

std::vector<double> ForceConstants::forces(std::span<const double> displacements, const Task& task) const {
  const Data& d = *data_;
  const unsigned n = d.question.order;
  const std::size_t N = d.cell.size(), m = d.tied.size(), free = dimension();
  if (displacements.size() != 3 * N)
    throw DomainError(fmt::format("displacements are {} vectors, one for every atom of the supercell, not {} numbers",
                                  N, displacements.size()));
  task.require_memory(8 * 3 * N * (m + free), "the forces of all force constants");
  std::vector<Vector3> u(N);
  for (std::size_t k = 0; k < N; ++k)
    u[d.cell.internal[k]] =
        d.to_edges * Vector3{displacements[3 * k], displacements[3 * k + 1], displacements[3 * k + 2]};
  std::vector<double> tied(3 * N * m, 0);
  for (const auto& image : d.tied.images()) {
    const auto& orbit = d.tied.orbits()[image.orbit];
    const double weight = -1 / d.visits(image);
    for (std::size_t b = 0; b < orbit.basis.size(); ++b) {
      const Tensor tensor = d.tied.moved(orbit.basis[b], image);
      const std::size_t column = orbit.first + b;
      for (std::uint32_t by = 0; by < d.cell.translations; ++by) {
        task.poll();
        Tuple atoms{};
        for (unsigned s = 0; s < n; ++s) atoms[s] = d.cell.moved(image.atoms[s], by);
        for (std::size_t at = 0; at < tensor.size(); ++at) {
          if (tensor[at] == 0) continue;
          std::array<std::size_t, ForceClusters::most> digit{};
          std::size_t left = at;
          for (unsigned s = n; s-- > 0; left /= 3) digit[s] = left % 3;
          for (unsigned s = 0; s < n; ++s) {
            double product = weight * static_cast<double>(tensor[at]);
            for (unsigned r = 0; r < n; ++r)
              if (r != s) product *= u[atoms[r]][digit[r]];
            tied[(3 * atoms[s] + digit[s]) * m + column] += product;
          }
        }
      }
    }
  }
  std::vector<double> result(3 * N * free, 0);
  for (std::size_t i = 0; i < N; ++i) {
    task.poll();
    double* own = tied.data() + 3 * i * m;
    for (std::size_t a = 0; a < 3; ++a, own += m) {
      for (const auto& [unknown, sum] : d.solved.determined)
        for (const auto& term : sum)
          own[term.unknown] +=
              own[unknown] * static_cast<double>(term.numerator) / static_cast<double>(term.denominator);
      for (std::size_t alpha = 0; alpha < 3; ++alpha)
        for (std::size_t k = 0; k < free; ++k)
          result[(3 * d.cell.given[i] + alpha) * free + k] += d.to_edges[a][alpha] * own[d.solved.free[k]];
    }
  }
  return result;
}

std::vector<double> ForceConstants::products(std::span<const double> constants, const Task& task) const {
  const Data& d = *data_;
  const unsigned n = d.question.order;
  if (constants.size() != d.numbers())
    throw DomainError(
        fmt::format("these force constants are {} numbers, and {} were given", d.numbers(), constants.size()));
  const std::size_t entries = d.entries();
  std::vector<double> tied(d.tied.size(), 0);
  for (const auto& image : d.tied.images()) {
    task.poll();
    const auto& orbit = d.tied.orbits()[image.orbit];
    std::vector<double> sum(entries, 0);
    d.for_each_place(image, [&](std::size_t place, const Order& order) {
      for (std::size_t at = 0; at < entries; ++at) sum[at] += constants[place * entries + reordered(at, order, n)];
    });
    for (std::size_t b = 0; b < orbit.basis.size(); ++b) {
      const Tensor moved = d.tied.moved(orbit.basis[b], image);
      const std::vector<double> tensor = d.cartesian({moved.begin(), moved.end()});
      for (std::size_t at = 0; at < entries; ++at) tied[orbit.first + b] += sum[at] * tensor[at] / d.visits(image);
    }
  }
  return d.on_free(std::move(tied));
}

std::vector<double> ForceConstants::gram(const Task& task) const {
  const Data& d = *data_;
  const unsigned n = d.question.order;
  const std::size_t m = d.tied.size(), free = dimension(), entries = d.entries();
  task.require_memory(8 * free * (m + free), "products of force constants");
  std::vector<double> rows(m * free, 0);  // row k: products of tied constant k with all parameters
  double orders = 1;
  for (unsigned s = 2; s <= n; ++s) orders *= s;
  const double cells = static_cast<double>(d.cell.size()) / static_cast<double>(d.first_images.size());
  for (const auto& orbit : d.tied.orbits()) {
    const double weight = static_cast<double>(orbit.sets) * orders / exchanges(orbit.atoms, n) / cells;
    std::vector<std::vector<double>> tensors;
    for (const auto& basis : orbit.basis) {
      std::vector<double> tensor(entries, 0);
      for (const auto& [at, value] : basis) tensor[at] = static_cast<double>(value);
      tensors.push_back(d.cartesian(std::move(tensor)));
    }
    for (std::size_t b = 0; b < tensors.size(); ++b) {
      task.poll();
      std::vector<double> tied(m, 0);
      for (std::size_t c = 0; c < tensors.size(); ++c)
        for (std::size_t at = 0; at < entries; ++at) tied[orbit.first + c] += weight * tensors[b][at] * tensors[c][at];
      std::ranges::copy(d.on_free(std::move(tied)),
                        rows.begin() + static_cast<std::ptrdiff_t>((orbit.first + b) * free));
    }
  }
  std::vector<double> result(free * free);
  for (std::size_t k = 0; k < free; ++k) {
    task.poll();
    std::vector<double> tied(m);
    for (std::size_t j = 0; j < m; ++j) tied[j] = rows[j * free + k];
    std::ranges::copy(d.on_free(std::move(tied)), result.begin() + static_cast<std::ptrdiff_t>(k * free));
  }
  return result;
}

}  // namespace intertwine
