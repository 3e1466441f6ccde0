// Collects the values of tables that formulas write.
#include "table_writer.hpp"

#include <algorithm>
#include <bit>

namespace intertwine {

ValuePool::ValuePool() {
  (*this)(std::int64_t{0});
  (*this)(std::int64_t{1});
}

ValuePool::Number ValuePool::operator()(const Cyclotomic& a) {
  if (const std::int64_t* small = a.small_integer()) return (*this)(*small);
  const auto [at, fresh] = numbers_.try_emplace(a, static_cast<Number>(values_.size()));
  if (fresh) values_.push_back(a);
  return at->second;
}

ValuePool::Slot& ValuePool::slot(std::int64_t a) {
  const std::size_t mask = integers_.size() - 1;
  std::size_t at = (static_cast<std::uint64_t>(a) * 0x9e3779b97f4a7c15ULL) >> 20 & mask;
  while (integers_[at].number != unknown && integers_[at].integer != a) at = (at + 1) & mask;
  return integers_[at];
}

void ValuePool::grow() {
  std::vector<Slot> before = std::move(integers_);
  integers_.assign(before.empty() ? 256 : before.size() * 2, Slot{0, unknown});
  for (const Slot& s : before)
    if (s.number != unknown) slot(s.integer) = s;
}

ValuePool::Number ValuePool::operator()(std::int64_t a) {
  if (2 * integers_used_ >= integers_.size()) grow();
  Slot& at = slot(a);
  if (at.number != unknown) return at.number;
  const Cyclotomic value(static_cast<long>(a));
  Number number = static_cast<Number>(values_.size());
  if (!value.small_integer()) number = numbers_.try_emplace(value, number).first->second;  // beyond the short form
  if (number == values_.size()) values_.push_back(value);
  at = {a, number};
  ++integers_used_;
  return number;
}

void ValuePool::Memory::widen(std::size_t least) {
  const std::size_t wider = std::max<std::size_t>(32, std::bit_ceil(least));
  std::vector<Number> larger(wider * wider, unknown);
  for (std::size_t a = 0; a < side; ++a)
    std::copy_n(square.begin() + static_cast<std::ptrdiff_t>(a * side), side,
                larger.begin() + static_cast<std::ptrdiff_t>(a * wider));
  square = std::move(larger);
  side = wider;
}

ValuePool::Number& ValuePool::Memory::at(Number a, Number b) {
  if (a < largest_side && b < largest_side) {
    if (std::max(a, b) >= side) widen(std::max(a, b) + std::size_t{1});
    return square[a * side + b];
  }
  return rest.try_emplace(std::uint64_t{a} << 32 | b, unknown).first->second;
}

ValuePool::Number ValuePool::add(Number a, Number b) {
  if (a == zero) return b;
  if (b == zero) return a;
  Number& known = sums_.at(a, b);
  if (known == unknown) known = (*this)(values_[a] + values_[b]);
  return known;
}

ValuePool::Number ValuePool::multiply(Number a, Number b) {
  if (a == zero || b == zero) return zero;
  if (a == one) return b;
  if (b == one) return a;
  Number& known = products_.at(a, b);
  if (known == unknown) known = (*this)(values_[a] * values_[b]);
  return known;
}

ValuePool::Number ValuePool::negative(Number a) { return multiply(a, (*this)(std::int64_t{-1})); }

RawTableWriter::RawTableWriter(std::size_t n, const Task& task) : n_(n) {
  task.require_memory(n * n * sizeof(Number), "the character table");
  values_.assign(n * n, ValuePool::zero);
}

RawTable RawTableWriter::table() && {
  constexpr Number unused = 0xffffffff;
  std::vector<Number> number(pool_.size(), unused);
  RawTable result;
  for (Number& v : values_) {
    if (number[v] == unused) {
      number[v] = static_cast<Number>(result.pool.size());
      result.pool.push_back(pool_.value(v));
    }
    v = number[v];
  }
  result.values = std::move(values_);
  result.labels = std::move(labels_);
  return result;
}

}  // namespace intertwine
