#include "table_writer.hpp"

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

ValuePool::Number ValuePool::operator()(std::int64_t a) {
  const auto [at, fresh] = integers_.try_emplace(a, 0);
  if (!fresh) return at->second;
  const Cyclotomic value(static_cast<long>(a));
  if (!value.small_integer()) {  // too large for the short form
    integers_.erase(at);
    const auto [there, is_new] = numbers_.try_emplace(value, static_cast<Number>(values_.size()));
    if (is_new) values_.push_back(value);
    return there->second;
  }
  at->second = static_cast<Number>(values_.size());
  values_.push_back(value);
  return at->second;
}

ValuePool::Number& ValuePool::Memory::at(Number a, Number b) {
  if (a < side && b < side) {
    if (square.empty()) square.assign(side * side, unknown);
    return square[a * side + b];
  }
  return rest.try_emplace(std::uint64_t{a} << 32 | b, unknown).first->second;
}

ValuePool::Number ValuePool::add(Number a, Number b) {
  if (a == zero) return b;
  if (b == zero) return a;
  Number& known = sums_.at(a, b);
  if (known == Memory::unknown) known = (*this)(values_[a] + values_[b]);
  return known;
}

ValuePool::Number ValuePool::multiply(Number a, Number b) {
  if (a == zero || b == zero) return zero;
  if (a == one) return b;
  if (b == one) return a;
  Number& known = products_.at(a, b);
  if (known == Memory::unknown) known = (*this)(values_[a] * values_[b]);
  return known;
}

ValuePool::Number ValuePool::negative(Number a) { return multiply(a, (*this)(std::int64_t{-1})); }

TableWriter::TableWriter(std::size_t n, const Task& task) : n_(n) {
  task.require_memory(n * n * sizeof(Number), "the character table");
  values_.assign(n * n, ValuePool::zero);
}

RawTable TableWriter::table() && {
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
  result.names = std::move(names_);
  return result;
}

}  // namespace intertwine
