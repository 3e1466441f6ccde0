// Orbits of sets of atoms by marking images; tensors that a stabilizer fixes by kernels over Q.
#include "physics/force_clusters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"

namespace intertwine {

namespace {

using Tensor = ForceClusters::Tensor;
using SparseTensor = ForceClusters::SparseTensor;
using Places = std::array<std::uint8_t, ForceClusters::most>;

std::size_t power_of_three(std::size_t n) { return n == 0 ? 1 : 3 * power_of_three(n - 1); }

Tensor dense_tensor(const SparseTensor& tensor, std::size_t n) {
  Tensor dense(power_of_three(n), 0);
  for (const auto& [at, value] : tensor) dense[at] = value;
  return dense;
}

/// Every index b of the result is contracted with index a of the tensor by inverse[a][b]: derivatives by coordinates.
Tensor turned(Tensor tensor, const Supercell::Integral3& inverse, std::size_t n) {
  const std::size_t rest = tensor.size() / 3;
  for (std::size_t k = 0; k < n; ++k) {  // the first index becomes the last one
    Tensor next(tensor.size(), 0);
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t r = 0; r < rest; ++r)
        if (const auto x = tensor[a * rest + r]; x != 0)
          for (std::size_t b = 0; b < 3; ++b) next[3 * r + b] += inverse[a][b] * x;
    tensor = std::move(next);
  }
  return tensor;
}

/// Index s of the tensor becomes index places[s].
Tensor with_places(const Tensor& tensor, const Places& places, std::size_t n) {
  Tensor result(tensor.size());
  for (std::size_t at = 0; at < tensor.size(); ++at) {
    std::array<std::size_t, ForceClusters::most> digit{};
    std::size_t left = at;
    for (std::size_t s = n; s-- > 0; left /= 3) digit[places[s]] = left % 3;
    std::size_t to = 0;
    for (std::size_t s = 0; s < n; ++s) to = 3 * to + digit[s];
    result[to] = tensor[at];
  }
  return result;
}

/// A symmetry of a tuple: it takes the atom at s to the one at places[s].
struct TupleSymmetry {
  std::size_t operation;
  Places places;
};

/// The combinations of rows that are 0: the kernel of the transpose, as small integers.
std::vector<std::vector<std::int64_t>> relations_of(const std::vector<Tensor>& rows, const Task& task) {
  IntegerMatrix columns(rows.front().size(), rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t i = 0; i < rows[k].size(); ++i)
      if (rows[k][i] != 0) columns.set(i, k, static_cast<long>(rows[k][i]));
  const IntegerMatrix kernel_rows = null_space(columns, task);
  std::vector<std::vector<std::int64_t>> result;
  for (std::size_t r = 0; r < kernel_rows.rows(); ++r) {
    result.emplace_back();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Integer x = kernel_rows(r, k);
      if (abs(x) > 1'000'000) throw InternalError("ForceClusters: the entries of a fixed tensor are too large");
      result.back().push_back(x.convert_to<std::int64_t>());
    }
  }
  return result;
}

/// Divides by the greatest common divisor.
void make_primitive(Tensor& tensor) {
  std::int64_t divisor = 0;
  for (const std::int64_t x : tensor) divisor = std::gcd(divisor, x);
  if (divisor > 1)
    for (std::int64_t& x : tensor) x /= divisor;
  for (const std::int64_t x : tensor)
    if (std::abs(x) > 1'000'000) throw InternalError("ForceClusters: the entries of a fixed tensor are too large");
}

}  // namespace

ForceClusters::ForceClusters(const Supercell& cell, unsigned n, std::optional<double> cutoff, bool tensors,
                             const Task& task)
    : cell_(&cell), n_(n), cutoff_(cutoff) {
  if (cutoff_)
    for (const double d : cell.distances)
      if (std::abs(d - *cutoff_) < 1e-6 * *cutoff_)
        throw DomainError(
            fmt::format("two atoms are {:.6g} apart, which is the cutoff; take a smaller one to leave "
                        "such pairs out, or a larger one to keep them",
                        d));
  std::vector<bool> seen(cell.size(), false);
  for (std::uint32_t i = 0; i < cell.size(); i += static_cast<std::uint32_t>(cell.translations)) {
    if (seen[i]) continue;
    for (const auto& g : cell.operations) seen[g.image[i] - cell.translation(g.image[i])] = true;
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t j = 0; j < cell.size(); ++j)
      if (near(i, j)) candidates.push_back(j);
    std::vector<std::uint32_t> chosen{i};
    visit(chosen, candidates, 0, tensors, task);
  }
}

/// All sets that contain the atoms chosen, and others behind `from` among the candidates.
void ForceClusters::visit(std::vector<std::uint32_t>& chosen, const std::vector<std::uint32_t>& candidates,
                          std::size_t from, bool tensors, const Task& task) {
  if (chosen.size() == n_) {
    task.poll();
    Tuple tuple{};
    std::ranges::copy(chosen, tuple.begin());
    if (!numbers_.contains(key(tuple, nullptr))) add_orbit(tuple, tensors, task);
    return;
  }
  for (std::size_t k = from; k < candidates.size(); ++k) {
    if (!std::ranges::all_of(chosen, [&](std::uint32_t a) { return near(a, candidates[k]); })) continue;
    chosen.push_back(candidates[k]);
    visit(chosen, candidates, k, tensors, task);
    chosen.pop_back();
  }
}

/// The least of the sets that translations take this one to, of those that have an atom without translation.
std::uint64_t ForceClusters::key(const Tuple& tuple, std::uint32_t* by) const {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t e = 0; e < n_; ++e) {
    const std::uint32_t back = cell_->difference(0, cell_->translation(tuple[e]));
    Tuple moved{};
    for (std::size_t s = 0; s < n_; ++s) moved[s] = cell_->moved(tuple[s], back);
    std::sort(moved.begin(), moved.begin() + static_cast<std::ptrdiff_t>(n_));
    std::uint64_t packed = 0;
    for (std::size_t s = 0; s < n_; ++s) packed = packed << 16 | moved[s];
    if (packed < least) {
      least = packed;
      if (by != nullptr) *by = back;
    }
  }
  return least;
}

void ForceClusters::add_orbit(const Tuple& tuple, bool tensors, const Task& task) {
  Orbit orbit{tuple, {}, size_, 0};
  std::sort(orbit.atoms.begin(), orbit.atoms.begin() + static_cast<std::ptrdiff_t>(n_));
  const std::size_t first = images_.size();
  for (std::uint32_t g = 0; g < cell_->operations.size(); ++g) {
    Tuple image{};
    for (std::size_t s = 0; s < n_; ++s) image[s] = cell_->operations[g].image[orbit.atoms[s]];
    std::uint32_t by = 0;
    const std::uint64_t packed = key(image, &by);
    if (!numbers_.emplace(packed, static_cast<std::uint32_t>(images_.size())).second) continue;
    for (std::size_t s = 0; s < n_; ++s) image[s] = cell_->moved(image[s], by);
    images_.push_back({image, static_cast<std::uint32_t>(orbits_.size()), g, 0});
  }
  // Translations that keep one image are conjugate to those that keep another.
  const Tuple& kept = images_[first].atoms;
  std::uint32_t repeats = 0;
  for (std::size_t e = 0; e < n_; ++e) {
    const std::uint32_t by = cell_->difference(cell_->translation(kept[e]), cell_->translation(kept[0]));
    bool known = false;  // atoms that repeat, and another atom of the same place, give the same translation
    for (std::size_t f = 0; f < e; ++f)
      known = known || cell_->difference(cell_->translation(kept[f]), cell_->translation(kept[0])) == by;
    Tuple moved{}, sorted = kept;
    for (std::size_t s = 0; s < n_; ++s) moved[s] = cell_->moved(kept[s], by);
    const auto n = static_cast<std::ptrdiff_t>(n_);
    std::sort(moved.begin(), moved.begin() + n);
    std::sort(sorted.begin(), sorted.begin() + n);
    if (!known && moved == sorted) ++repeats;
  }
  for (std::size_t k = first; k < images_.size(); ++k) images_[k].repeats = repeats;
  orbit.sets = (images_.size() - first) * (cell_->translations / repeats);
  if (tensors) orbit.basis = fixed_tensors(orbit.atoms, task);
  size_ += orbit.basis.size();
  entries_ += std::accumulate(orbit.basis.begin(), orbit.basis.end(), std::uint64_t{2},
                              [](std::uint64_t sum, const SparseTensor& b) { return sum + 2 + b.size(); });
  task.require_memory(64 * images_.size() + 16 * entries_, "sets of atoms of a supercell");
  orbits_.push_back(std::move(orbit));
}

std::vector<SparseTensor> ForceClusters::fixed_tensors(const Tuple& tuple, const Task& task) const {
  std::vector<TupleSymmetry> symmetries;
  for (std::uint8_t s = 0; s + 1U < n_; ++s)
    if (tuple[s] == tuple[s + 1U]) {
      TupleSymmetry exchange{0, {0, 1, 2, 3}};
      std::swap(exchange.places[s], exchange.places[s + 1U]);
      symmetries.push_back(exchange);
    }
  for (std::size_t g = 0; g < cell_->operations.size(); ++g)
    for (std::size_t e = 0; e < n_; ++e) {  // the translation that takes the first image to the atom at e
      const std::uint32_t image = cell_->operations[g].image[tuple[0]];
      if (image / cell_->translations != tuple[e] / cell_->translations) continue;
      const std::uint32_t by = cell_->difference(cell_->translation(tuple[e]), cell_->translation(image));
      TupleSymmetry symmetry{g, {}};
      std::array<bool, most> taken{};
      std::size_t fits = 0;
      for (std::size_t s = 0; s < n_; ++s) {
        const std::uint32_t to = cell_->moved(cell_->operations[g].image[tuple[s]], by);
        for (std::size_t p = 0; p < n_; ++p)
          if (tuple[p] == to && !taken[p]) {
            taken[p] = true;
            symmetry.places[s] = static_cast<std::uint8_t>(p);
            ++fits;
            break;
          }
      }
      if (fits == n_) symmetries.push_back(symmetry);
    }
  const std::size_t entries = power_of_three(n_);
  std::vector<Tensor> basis;
  for (std::size_t k = 0; k < entries; ++k) {
    basis.emplace_back(entries, 0);
    basis.back()[k] = 1;
  }
  for (const TupleSymmetry& symmetry : symmetries) {
    task.poll();
    std::vector<Tensor> changes;
    bool fixed = true;
    for (const Tensor& b : basis) {
      changes.push_back(with_places(turned(b, cell_->operations[symmetry.operation].inverse, n_), symmetry.places, n_));
      for (std::size_t k = 0; k < entries; ++k) changes.back()[k] -= b[k];
      fixed = fixed && std::ranges::all_of(changes.back(), [](std::int64_t x) { return x == 0; });
    }
    if (fixed) continue;
    std::vector<Tensor> left;
    for (const auto& combination : relations_of(changes, task)) {
      left.emplace_back(entries, 0);
      for (std::size_t k = 0; k < basis.size(); ++k)
        if (combination[k] != 0)
          for (std::size_t i = 0; i < entries; ++i) left.back()[i] += combination[k] * basis[k][i];
      make_primitive(left.back());
    }
    basis = std::move(left);
    if (basis.empty()) break;
  }
  std::vector<SparseTensor> sparse;
  for (const Tensor& b : basis) {
    sparse.emplace_back();
    for (std::size_t k = 0; k < entries; ++k)
      if (b[k] != 0) sparse.back().emplace_back(static_cast<std::uint8_t>(k), b[k]);
  }
  return sparse;
}

std::pair<const ForceClusters::Image*, Places> ForceClusters::find(const Tuple& tuple) const {
  std::uint32_t by = 0;
  const Image& image = images_[numbers_.at(key(tuple, &by))];
  Places places{};
  std::array<bool, most> taken{};
  for (std::size_t s = 0; s < n_; ++s)
    for (std::size_t p = 0; p < n_; ++p)
      if (!taken[p] && cell_->moved(tuple[p], by) == image.atoms[s]) {
        taken[p] = true;
        places[s] = static_cast<std::uint8_t>(p);
        break;
      }
  return {&image, places};
}

Tensor ForceClusters::moved(const SparseTensor& tensor, const Image& image) const {
  return turned(dense_tensor(tensor, n_), cell_->operations[image.operation].inverse, n_);
}

}  // namespace intertwine
