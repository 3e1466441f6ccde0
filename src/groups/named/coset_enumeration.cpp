// Todd and Coxeter's enumeration of cosets, in Haselgrove's, Leech's and Trotter's order: every relator is traced from every coset,
// and what is missing is defined. [Holt, Eick & O'Brien 2005, ch. 5]
#include "groups/named/coset_enumeration.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

class CosetEnumeration {
 public:
  CosetEnumeration(const Presentation& P, std::uint64_t most, const std::function<void()>& when_large, const Task& task)
      : letters_(P.generators.size()), most_(most), when_large_(when_large), task_(task) {
    std::vector<bool> involution(letters_);
    for (const Word& w : P.relators) {
      for (const std::int32_t x : w)
        if (x == 0 || static_cast<std::size_t>(std::abs(x)) > letters_)
          throw DomainError(fmt::format("the letter {} of a word is none of the {} generators", x, letters_));
      if (w.size() == 2 && w[0] == w[1]) involution[static_cast<std::size_t>(std::abs(w[0])) - 1] = true;
    }
    for (std::size_t k = 0; k < letters_; ++k) {
      column_.push_back(width_);
      inverse_.push_back(width_ + !involution[k]);
      if (!involution[k]) inverse_.push_back(width_);
      width_ += 2 - involution[k];
    }
    for (const Word& w : P.relators)
      if (std::vector<Column> r = reduced(w); !r.empty()) relators_.push_back(std::move(r));
    std::ranges::stable_sort(relators_, {}, &std::vector<Column>::size);
    room_ = std::min(room_, most_);
    add_row();
  }

  CosetTable run(std::span<const Word> subgroup) {
    std::size_t letters_in_all = width_;
    for (const auto& w : relators_) letters_in_all += w.size();
    for (const Word& w : subgroup) trace(0, columns(w), true);
    for (at_ = 0; at_ < parent_.size(); ++at_) {
      if ((at_ & 255) == 0) task_.progress("enumerating cosets", at_, parent_.size());
      // Tracing from one coset defines no more than the letters; rows get other numbers here only.
      while (parent_.size() + letters_in_all > room_) make_room(letters_in_all);
      if (at_ == parent_.size()) break;
      for (std::size_t r = 0; r < relators_.size() && live(at_); ++r) trace(at_, relators_[r], true);
      for (Column x = 0; x < width_ && live(at_); ++x)
        if (to(at_, x) == none) define(at_, x);
    }
    compress();
    return table(subgroup);
  }

 private:
  using Coset = std::uint32_t;
  using Column = std::uint32_t;
  static constexpr Coset none = ~Coset{0};

  Coset& to(Coset c, Column x) { return table_[std::size_t{c} * width_ + x]; }
  bool live(Coset c) const { return parent_[c] == c; }

  std::vector<Column> columns(const Word& w) const {
    std::vector<Column> list;
    for (const std::int32_t x : w) {
      if (x == 0 || static_cast<std::size_t>(std::abs(x)) > letters_)
        throw DomainError(fmt::format("the letter {} of a word is none of the {} generators", x, letters_));
      const Column c = column_[static_cast<std::size_t>(std::abs(x)) - 1];
      list.push_back(x > 0 ? c : inverse_[c]);
    }
    return list;
  }
  /// Freely and cyclically reduced.
  std::vector<Column> reduced(const Word& w) const {
    std::vector<Column> list;
    for (const Column x : columns(w)) {
      const bool involution = inverse_[x] == x;
      if (!list.empty() && list.back() == inverse_[x] && !(involution && w.size() == 2))
        list.pop_back();
      else
        list.push_back(x);
    }
    std::size_t cut = 0;
    while (list.size() > 2 * cut + 1 && list[cut] == inverse_[list[list.size() - 1 - cut]] && list.size() > 2) ++cut;
    return {list.begin() + static_cast<std::ptrdiff_t>(cut), list.end() - static_cast<std::ptrdiff_t>(cut)};
  }

  void add_row() {
    const std::uint64_t bytes = (std::uint64_t{width_} + 1) * sizeof(Coset);
    if (parent_.size() == parent_.capacity()) {
      // The old arrays are there until their contents are in the new ones.
      const std::size_t room = std::max<std::size_t>(1024, 2 * parent_.capacity());
      task_.require_memory((room + parent_.size()) * bytes, "the table of cosets");
      parent_.reserve(room);
      table_.reserve(room * width_);
    }
    parent_.push_back(static_cast<Coset>(parent_.size()));
    table_.resize(table_.size() + width_, none);
    ++alive_;
  }

  void define(Coset c, Column x) {
    const auto d = static_cast<Coset>(parent_.size());
    add_row();
    join(c, x, d);
  }
  void join(Coset c, Column x, Coset d) {
    to(c, x) = d;
    to(d, inverse_[x]) = c;
  }

  /// Follows a word around from c, from both ends; a gap of one letter is closed, and longer ones are filled if asked.
  void trace(Coset c, const std::vector<Column>& w, bool fill) {
    Coset front = c, back = c;
    std::size_t i = 0, j = w.size();  // w[i..j) is not yet followed
    while (true) {
      while (i < j && to(front, w[i]) != none) front = to(front, w[i++]);
      if (i == j) {
        if (front != back) identify(front, back);
        return;
      }
      while (i < j && to(back, inverse_[w[j - 1]]) != none) back = to(back, inverse_[w[--j]]);
      if (i == j) {
        if (front != back) identify(front, back);
        return;
      }
      if (i + 1 == j) {
        join(front, w[i], back);
        return;
      }
      if (!fill) return;
      define(front, w[i]);
    }
  }

  Coset find(Coset c) {
    while (parent_[c] != c) c = parent_[c] = parent_[parent_[c]];
    return c;
  }
  void merge(Coset a, Coset b) {
    a = find(a), b = find(b);
    if (a == b) return;
    if (a > b) std::swap(a, b);
    parent_[b] = a;
    --alive_;
    gone_.push_back(b);
  }
  /// a and b are one coset, and so are all that follows from it.
  void identify(Coset a, Coset b) {
    gone_.clear();
    merge(a, b);
    for (std::size_t k = 0; k < gone_.size(); ++k) {
      if ((k & 1023) == 0) task_.poll();
      const Coset e = gone_[k];
      for (Column x = 0; x < width_; ++x) {
        const Coset f = to(e, x);
        if (f == none) continue;
        to(e, x) = none;
        if (to(f, inverse_[x]) == e) to(f, inverse_[x]) = none;
        const Coset e1 = find(e), f1 = find(f);
        if (to(e1, x) != none)
          merge(f1, to(e1, x));
        else if (to(f1, inverse_[x]) != none)
          merge(e1, to(f1, inverse_[x]));
        else
          join(e1, x, f1);
      }
    }
  }

  /// Room for more definitions: a larger table, the rows of dead cosets, and in the end cosets that turn out equal when all
  /// relators are traced ahead.
  void make_room(std::size_t needed) {
    if (10 * alive_ > 9 * parent_.size() && room_ >= most_) {
      const auto rows = static_cast<Coset>(parent_.size());
      for (Coset c = at_; c < rows; ++c) {
        if ((c & 255) == 0) task_.progress("looking ahead", c, rows);
        for (std::size_t r = 0; r < relators_.size() && live(c); ++r) trace(c, relators_[r], false);
      }
    }
    if (10 * alive_ <= 9 * parent_.size()) {
      compress();
    } else if (room_ < most_) {
      if (when_large_ && room_ <= large_table && 4 * room_ > large_table) when_large_();
      room_ = std::min<std::uint64_t>(most_, std::max<std::uint64_t>(4 * room_, parent_.size() + needed));
    } else {
      throw LimitError(
          fmt::format("the enumeration did not close with {} cosets: the group is infinite or too large, or "
                      "its relations need a longer way round",
                      most_));
    }
  }

  /// Renumbers the live cosets; at_ becomes the first that was not before it.
  void compress() {
    const auto rows = static_cast<Coset>(parent_.size());
    std::vector<Coset> number(rows, none);
    Coset next = 0, first = 0;
    for (Coset c = 0; c < rows; ++c) {
      if (c == at_) first = next;
      if (live(c)) number[c] = next++;
    }
    if (at_ >= rows) first = next;
    for (Coset c = 0; c < rows; ++c) {
      if (number[c] == none) continue;
      for (Column x = 0; x < width_; ++x) {
        const Coset d = to(c, x);
        to(number[c], x) = d == none ? none : number[d];
      }
    }
    table_.resize(std::size_t{next} * width_);
    parent_.resize(next);
    for (Coset c = 0; c < next; ++c) parent_[c] = c;
    alive_ = next;
    at_ = first;
  }

  CosetTable table(std::span<const Word> subgroup) {
    CosetTable result;
    result.cosets = parent_.size();
    for (const Column x : column_) {
      std::vector<Point> action(result.cosets);
      for (Coset c = 0; c < result.cosets; ++c) action[c] = to(c, x);
      result.actions.push_back(std::move(action));
    }
    // The relations on which the answer rests are checked once more.
    for (Coset c = 0; c < result.cosets; ++c) {
      if ((c & 255) == 0) task_.poll();
      for (Column x = 0; x < width_; ++x)
        if (to(c, x) >= result.cosets || to(to(c, x), inverse_[x]) != c)
          throw InternalError("enumerate_cosets: the table of cosets is not closed");
      for (const std::vector<Column>& w : relators_) follow(c, w);
    }
    for (const Word& w : subgroup) follow(0, columns(w));
    return result;
  }
  void follow(Coset c, const std::vector<Column>& w) {
    Coset d = c;
    for (const Column x : w) d = to(d, x);
    if (d != c) throw InternalError("enumerate_cosets: a relation does not hold");
  }

  std::size_t letters_;
  std::uint64_t most_;
  const std::function<void()>& when_large_;
  const Task& task_;
  Column width_ = 0;
  std::vector<Column> column_;   ///< the column of each generator
  std::vector<Column> inverse_;  ///< the inverse of each column; an involution has one column
  std::vector<std::vector<Column>> relators_;
  std::vector<Coset> table_, parent_, gone_;
  std::uint64_t room_ = 1U << 16;
  std::size_t alive_ = 0;
  Coset at_ = 0;  ///< from here on relators are still to be traced
};

}  // namespace

CosetTable enumerate_cosets(const Presentation& P, std::span<const Word> subgroup, std::uint64_t most,
                            const Task& task) {
  return enumerate_cosets(P, subgroup, most, {}, task);
}

CosetTable enumerate_cosets(const Presentation& P, std::span<const Word> subgroup, std::uint64_t most,
                            const std::function<void()>& when_large, const Task& task) {
  return CosetEnumeration(P, std::clamp<std::uint64_t>(most, 1, max_degree), when_large, task).run(subgroup);
}

}  // namespace intertwine
