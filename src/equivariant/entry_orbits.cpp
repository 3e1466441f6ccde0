// The orbits of a group on the entries of a matrix.
#include "intertwine/equivariant/entry_orbits.hpp"

#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "intertwine/groups/words.hpp"

namespace intertwine {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

std::int32_t letter_of(std::uint32_t step) {
  const auto k = static_cast<std::int32_t>((step - 1) / 2 + 1);
  return step % 2 == 1 ? k : -k;
}

std::vector<SignedPoint> list(const SignedPermutation& g) { return {g.images().begin(), g.images().end()}; }

}  // namespace

EntryOrbits::EntryOrbits(std::uint64_t rows, std::uint64_t cols, std::vector<SignedPermutation> row_images,
                         std::vector<SignedPermutation> col_images, const Task& task)
    : rows_(rows), cols_(cols) {
  if (row_images.size() != col_images.size())
    throw DomainError(fmt::format("EntryOrbits: {} row images but {} column images; one of each for every generator",
                                  row_images.size(), col_images.size()));
  for (std::size_t k = 0; k < row_images.size(); ++k)
    if (row_images[k].degree() != rows || col_images[k].degree() != cols)
      throw DomainError(fmt::format("EntryOrbits: the images of generator {} have degrees {} and {}, not {} and {}",
                                    k + 1, row_images[k].degree(), col_images[k].degree(), rows, cols));
  if (rows != 0 && cols > (none - 1) / rows)
    throw LimitError(
        fmt::format("the orbits of {} x {} entries: at most 2^32 - 2 can be visited one by one", rows, cols));
  const std::uint64_t entries = rows * cols;
  task.require_memory(entries * 13 + 16 * (rows + cols) * row_images.size(), "the orbits of all entries");
  for (std::size_t k = 0; k < row_images.size(); ++k) {
    const SignedPermutation &row = row_images[k], &col = col_images[k];
    const SignedPermutation row_inverse = row.inverse(), col_inverse = col.inverse();
    moves_.push_back({list(row), list(col)});
    moves_.push_back({list(row_inverse), list(col_inverse)});
    other_.push_back(true);
    other_.push_back(row != row_inverse || col != col_inverse);
  }
  orbit_of_.assign(entries, none);
  steps_.assign(entries, 0);
  negative_.assign(entries, false);
  std::vector<std::uint32_t> queue;
  for (std::uint64_t root = 0; root < entries; ++root) {
    if (root % 65536 == 0) task.progress("visiting entries", root, entries);
    if (orbit_of_[root] == none) explore(root, queue, task);
  }
}

void EntryOrbits::explore(std::uint64_t root, std::vector<std::uint32_t>& queue, const Task& task) {
  const auto number = static_cast<std::uint32_t>(orbits_.size());
  Orbit orbit{{root / cols_, root % cols_}, 0, std::nullopt};
  queue.assign(1, static_cast<std::uint32_t>(root));
  orbit_of_[root] = number;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    if (head % 4096 == 0) task.poll();
    const std::uint32_t entry = queue[head];
    const auto i = static_cast<Point>(entry / cols_), j = static_cast<Point>(entry % cols_);
    for (std::uint32_t m = 0; m < moves_.size(); ++m) {
      if (!other_[m]) continue;
      const SignedPoint to_row = moves_[m].row[i], to_col = moves_[m].col[j];
      const std::uint64_t image = std::uint64_t{to_row.point()} * cols_ + to_col.point();
      const bool sign = (negative_[entry] != to_row.negative()) != to_col.negative();
      if (orbit_of_[image] == none) {
        orbit_of_[image] = number;
        steps_[image] = m + 1;
        negative_[image] = sign;
        queue.push_back(static_cast<std::uint32_t>(image));
      } else if (negative_[image] != sign && !orbit.negating) {
        // There and back by another way.
        Word way = words::inverse(word_at(image));
        words::append(way, letter_of(m + 1));
        orbit.negating = words::product(std::move(way), word_at(entry));
      }
    }
  }
  orbit.size = queue.size();
  orbits_.push_back(std::move(orbit));
}

GeneratorWord EntryOrbits::word_at(std::uint64_t entry) const {
  GeneratorWord word;
  for (; steps_[entry] != 0; entry = parent(entry)) word.push_back(letter_of(steps_[entry]));
  return word;
}

GeneratorWord EntryOrbits::word(std::uint64_t i, std::uint64_t j) const {
  if (i >= rows_ || j >= cols_)
    throw DomainError(fmt::format("entry ({}, {}) is outside the {} x {} matrix (0-based)", i, j, rows_, cols_));
  return word_at(i * cols_ + j);
}

}  // namespace intertwine
