// Tables as they are written by formulas: different values are kept once, and sums and products of them are remembered.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "intertwine/groups/group_form.hpp"
#include "table_data.hpp"

namespace intertwine {

/// Different values with numbers. 0 has number 0 and 1 has number 1.
class ValuePool {
 public:
  using Number = std::uint32_t;
  static constexpr Number zero = 0, one = 1;

  ValuePool();
  Number operator()(const Cyclotomic& a);
  Number operator()(std::int64_t a);
  Number add(Number a, Number b);
  Number multiply(Number a, Number b);
  Number negative(Number a);
  const Cyclotomic& value(Number a) const { return values_[a]; }
  std::size_t size() const { return values_.size(); }

 private:
  /// Results by pairs of numbers: a square array for the first numbers, which grows with them, a map for the rest.
  static constexpr Number unknown = 0xffffffff;
  struct Memory {
    static constexpr std::size_t largest_side = 1024;
    std::size_t side = 0;
    std::vector<Number> square;
    std::unordered_map<std::uint64_t, Number> rest;
    Number& at(Number a, Number b);
    void widen(std::size_t least);
  };
  std::vector<Cyclotomic> values_;
  std::unordered_map<Cyclotomic, Number> numbers_;
  /// Open addressing: pairs of an integer and its number, `unknown` where free.
  struct Slot {
    std::int64_t integer;
    Number number;
  };
  void grow();
  Slot& slot(std::int64_t a);
  std::vector<Slot> integers_;
  std::size_t integers_used_ = 0;
  Memory sums_, products_;
};

/// A table being written in any order; entries start as 0.
class RawTableWriter {
 public:
  using Number = ValuePool::Number;

  /// \throws LimitError by the task's memory.
  RawTableWriter(std::size_t n, const Task& task);
  ValuePool& pool() { return pool_; }
  void set(std::size_t row, std::size_t column, Number a) { values_[row * n_ + column] = a; }
  void set(std::size_t row, std::size_t column, const Cyclotomic& a) { set(row, column, pool_(a)); }
  void label(RowLabel label) { labels_.push_back(std::move(label)); }
  /// The table, with the values that occur in it.
  RawTable table() &&;

 private:
  std::size_t n_;
  ValuePool pool_;
  std::vector<Number> values_;
  std::vector<RowLabel> labels_;
};

/// G wr Sym(n) and G wr C_p.
RawTable wreath_table(const ConjugacyClasses& classes, const WreathForm& form, const Task& task);
/// W(D_n).
RawTable even_signed_table(const ConjugacyClasses& classes, const Task& task);
/// GL(2, q), SL(2, q), PGL(2, q), PSL(2, q), and Sz(q).
RawTable linear_table(const ConjugacyClasses& classes, const LinearForm& form, const Task& task);
RawTable linear_table(const ConjugacyClasses& classes, const SuzukiForm& form, const Task& task);

}  // namespace intertwine
