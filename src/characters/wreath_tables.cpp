// Character tables of wreath products and of W(D_n) by formula. [James & Kerber, ch. 4; Specht 1932]
#include <algorithm>
#include <map>
#include <numeric>

#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_form.hpp"
#include "table_writer.hpp"

namespace intertwine {

namespace {

/// Multipartitions with `colours` components and weight at most n, and the ribbons that can be taken from each. A shape
/// is the list of its components that are not empty, as numbers colour * (number of partitions) + partition.
class ColouredRibbons {
 public:
  struct Move {
    std::uint32_t from, to;  ///< numbers of the larger and the smaller shape among those of their weights
    std::uint32_t colour;
    int sign;
  };
  using Shape = std::vector<std::uint32_t>;

  ColouredRibbons(std::size_t n, std::size_t colours, const Task& task) : shapes_(n + 1), index_(n + 1), moves_(n + 1) {
    for (std::size_t m = 1; m <= n; ++m)
      for (const Partition& lambda : partitions(static_cast<int>(m))) {
        number_.emplace(lambda, static_cast<std::uint32_t>(partitions_.size()));
        partitions_.push_back(lambda);
      }
    for (const Partition& lambda : partitions_) {
      ribbons_.emplace_back();
      for (int k = 1; k <= lambda.weight(); ++k)
        for (const Ribbon& ribbon : removable_ribbons(lambda, k)) ribbons_.back().push_back({k, ribbon});
    }
    for (std::size_t m = 0; m <= n; ++m) {
      Shape shape;
      list(m, m, 0, colours, shape, task);
      moves_[m].resize(m + 1);
      for (std::uint32_t i = 0; i < shapes_[m].size(); ++i) add_moves(m, i);
    }
  }

  std::size_t count(std::size_t weight) const { return shapes_[weight].size(); }
  const std::vector<Move>& moves(std::size_t weight, std::size_t length) const { return moves_[weight][length]; }
  std::uint32_t colour(std::uint32_t part) const { return part / static_cast<std::uint32_t>(partitions_.size()); }
  const Partition& partition(std::uint32_t part) const { return partitions_[part % partitions_.size()]; }
  const std::vector<Shape>& shapes(std::size_t weight) const { return shapes_[weight]; }

 private:
  struct SizedRibbon {
    int size;
    Ribbon ribbon;
  };

  void list(std::size_t weight, std::size_t rest, std::size_t from, std::size_t colours, Shape& shape,
            const Task& task) {
    if (rest == 0) {
      task.poll();
      index_[weight].emplace(shape, static_cast<std::uint32_t>(shapes_[weight].size()));
      shapes_[weight].push_back(shape);
      return;
    }
    for (std::size_t colour = from; colour < colours; ++colour)
      for (std::size_t p = 0; p < partitions_.size(); ++p) {
        const auto size = static_cast<std::size_t>(partitions_[p].weight());
        if (size > rest) break;  // partitions are listed by weight
        shape.push_back(static_cast<std::uint32_t>(colour * partitions_.size() + p));
        list(weight, rest - size, colour + 1, colours, shape, task);
        shape.pop_back();
      }
  }

  void add_moves(std::size_t weight, std::uint32_t i) {
    const Shape shape = shapes_[weight][i];
    for (std::size_t k = 0; k < shape.size(); ++k)
      for (const auto& [size, ribbon] : ribbons_[shape[k] % partitions_.size()]) {
        Shape smaller = shape;
        const std::uint32_t c = colour(shape[k]);
        if (ribbon.partition.empty())
          smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(k));
        else
          smaller[k] = static_cast<std::uint32_t>(c * partitions_.size() + number_.at(ribbon.partition));
        const auto length = static_cast<std::size_t>(size);
        moves_[weight][length].push_back({i, index_[weight - length].at(smaller), c, ribbon.height % 2 != 0 ? -1 : 1});
      }
  }

  std::vector<Partition> partitions_;
  std::unordered_map<Partition, std::uint32_t> number_;
  std::vector<std::vector<SizedRibbon>> ribbons_;
  std::vector<std::vector<Shape>> shapes_;
  std::vector<std::map<Shape, std::uint32_t>> index_;
  std::vector<std::vector<std::vector<Move>>> moves_;
};

/// A class of the wreath product: (length, class of the product) for every cycle, in increasing order.
using CycleType = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Columns in the order of their cycle types, so that common beginnings are computed once. The characters on a cycle of
/// length r and product class c: a ribbon of r cells is taken from component chi, with its sign times chi(c).
template <class Value, class Step>
class ColumnFiller {
 public:
  /// step(sum, move, class, value): sum plus sign * chi(class) * value.
  ColumnFiller(const ColouredRibbons& ribbons, Value one, Value zero, Step step)
      : ribbons_(ribbons), zero_(zero), step_(std::move(step)) {
    columns_.push_back({one});
    weights_.push_back(0);
  }

  /// One value for every shape of the full weight.
  const std::vector<Value>& column(const CycleType& type) {
    std::size_t common = 0;
    while (common < type_.size() && common < type.size() && type_[common] == type[common]) ++common;
    columns_.resize(common + 1);
    weights_.resize(common + 1);
    for (std::size_t k = common; k < type.size(); ++k) {
      const auto [length, c] = type[k];
      const std::size_t weight = weights_.back() + length;
      std::vector<Value> next(ribbons_.count(weight), zero_);
      for (const auto& move : ribbons_.moves(weight, length))
        next[move.from] = step_(next[move.from], move, c, columns_.back()[move.to]);
      columns_.push_back(std::move(next));
      weights_.push_back(weight);
    }
    type_ = type;
    return columns_.back();
  }

 private:
  const ColouredRibbons& ribbons_;
  Value zero_;
  Step step_;
  CycleType type_;
  std::vector<std::vector<Value>> columns_;
  std::vector<std::size_t> weights_;
};

std::vector<std::size_t> in_order(const std::vector<CycleType>& types) {
  std::vector<std::size_t> order(types.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return types[a] < types[b]; });
  return order;
}

/// `rows` is the number of irreducible characters of the base.
RowLabel label_of(const ColouredRibbons& ribbons, const ColouredRibbons::Shape& shape, std::size_t rows) {
  if (rows == 1) return ShapeLabel{ribbons.partition(shape[0])};
  ShapesLabel label{{}, rows};
  for (const std::uint32_t part : shape) label.parts.emplace_back(ribbons.partition(part), ribbons.colour(part));
  return label;
}

/// The values of the base if they are integers small enough for 64-bit arithmetic: a value of the wreath product is at
/// most the square root of its order in size, and sums on the way are only needed modulo 2^64.
std::vector<std::int64_t> small_values(const CharacterTable& base, const FiniteGroup& G) {
  std::vector<std::int64_t> values;
  if (G.order() >= Integer(1) << 120) return values;
  for (std::size_t i = 0; i < base.size(); ++i)
    for (std::size_t c = 0; c < base.size(); ++c) {
      const Cyclotomic value = base(i, c);
      if (!value.small_integer()) return {};
      values.push_back(*value.small_integer());
    }
  return values;
}

RawTable symmetric_wreath_table(const ConjugacyClasses& classes, const WreathForm& form, const Task& task) {
  const CharacterTable base = character_table(form.base, task);
  const std::size_t k = base.size();
  std::vector<CycleType> types(classes.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (const auto& cycle : form.cycles(classes[c].representative))
      types[c].emplace_back(cycle.length, base.classes().index_of_element(cycle.product));
    std::sort(types[c].begin(), types[c].end());
  }
  const ColouredRibbons ribbons(form.blocks, k, task);
  RawTableWriter writer(classes.size(), task);
  const auto fill = [&](auto& filler, auto number) {
    for (const std::size_t c : in_order(types)) {
      task.poll();
      const auto& column = filler.column(types[c]);
      for (std::size_t row = 0; row < column.size(); ++row) writer.set(row, c, number(column[row]));
    }
  };
  if (const auto values = small_values(base, classes.group()); !values.empty()) {
    const auto step = [&](std::uint64_t sum, const ColouredRibbons::Move& move, std::uint32_t c, std::uint64_t a) {
      const std::uint64_t term = static_cast<std::uint64_t>(values[move.colour * k + c]) * a;
      return move.sign > 0 ? sum + term : sum - term;
    };
    ColumnFiller<std::uint64_t, decltype(step)> filler(ribbons, 1, 0, step);
    fill(filler, [&](std::uint64_t a) { return writer.pool()(static_cast<std::int64_t>(a)); });
  } else {
    ValuePool& pool = writer.pool();
    std::vector<ValuePool::Number> plus, minus;
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t c = 0; c < k; ++c) {
        plus.push_back(pool(base(i, c)));
        minus.push_back(pool.negative(plus.back()));
      }
    const auto step = [&](ValuePool::Number sum, const ColouredRibbons::Move& move, std::uint32_t c,
                          ValuePool::Number a) {
      return pool.add(sum, pool.multiply((move.sign > 0 ? plus : minus)[move.colour * k + c], a));
    };
    ColumnFiller<ValuePool::Number, decltype(step)> filler(ribbons, ValuePool::one, ValuePool::zero, step);
    fill(filler, [](ValuePool::Number a) { return a; });
  }
  for (const auto& shape : ribbons.shapes(form.blocks)) writer.label(label_of(ribbons, shape, k));
  return std::move(writer).table();
}

using Tuple = std::vector<std::uint32_t>;

bool is_constant(const Tuple& tuple) {
  return std::all_of(tuple.begin(), tuple.end(), [&](std::uint32_t x) { return x == tuple[0]; });
}

/// Tuples of p numbers below k that are the least of their rotations; p is prime, so that only constant ones are
/// rotated to themselves.
void add_tuples(std::size_t p, std::uint32_t k, Tuple& tuple, std::vector<Tuple>& result) {
  if (tuple.size() < p) {
    for (std::uint32_t x = tuple.empty() ? 0 : tuple[0]; x < k; ++x) {
      tuple.push_back(x);
      add_tuples(p, k, tuple, result);
      tuple.pop_back();
    }
    return;
  }
  Tuple turned = tuple;
  for (std::size_t r = 1; r < p; ++r) {
    std::rotate(turned.begin(), turned.begin() + 1, turned.end());
    if (turned < tuple) return;
  }
  result.push_back(tuple);
}

/// The tensor product of a tuple of characters is induced to an irreducible one unless the tuple is constant; then it
/// extends in p ways: on an element that rotates the blocks by s it is the value on the cycle product times a p-th root
/// of unity to the power s.
RawTable cyclic_wreath_table(const ConjugacyClasses& classes, const WreathForm& form, const Task& task) {
  const CharacterTable base = character_table(form.base, task);
  const auto k = static_cast<std::uint32_t>(base.size());
  const std::size_t p = form.blocks;
  RawTableWriter writer(classes.size(), task);
  ValuePool& pool = writer.pool();
  std::vector<ValuePool::Number> value;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t c = 0; c < k; ++c) value.push_back(pool(base(i, c)));
  std::vector<std::size_t> shift(classes.size());
  std::vector<Tuple> parts(classes.size());  // the classes of the components, or that of the cycle product
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const Permutation& g = classes[c].representative;
    shift[c] = form.image_of_block(g, 0);
    const auto class_of = [&](const Permutation& h) {
      return static_cast<std::uint32_t>(base.classes().index_of_element(h));
    };
    if (shift[c] != 0)
      parts[c] = {class_of(form.cycles(g)[0].product)};
    else
      for (std::size_t b = 0; b < p; ++b) parts[c].push_back(class_of(form.component(g, b)));
  }
  std::vector<Tuple> tuples;
  Tuple start;
  add_tuples(p, k, start, tuples);
  const auto product = [&](const Tuple& characters, std::size_t turn, const Tuple& at) {
    ValuePool::Number result = ValuePool::one;
    for (std::size_t b = 0; b < p && result != ValuePool::zero; ++b)
      result = pool.multiply(result, value[characters[(b + turn) % p] * k + at[b]]);
    return result;
  };
  std::vector<ValuePool::Number> root;
  for (std::size_t j = 0; j < p; ++j)
    root.push_back(pool(Cyclotomic::root_of_unity(static_cast<std::uint32_t>(p), static_cast<std::int64_t>(j))));
  std::size_t row = 0;
  for (const Tuple& tuple : tuples) {
    task.poll();
    const bool constant = is_constant(tuple);
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (shift[c] != 0) {
        if (!constant) continue;
        for (std::size_t j = 0; j < p; ++j)
          writer.set(row + j, c, pool.multiply(value[tuple[0] * k + parts[c][0]], root[j * shift[c] % p]));
        continue;
      }
      ValuePool::Number sum = ValuePool::zero;
      for (std::size_t turn = 0; turn < (constant ? 1 : p); ++turn) sum = pool.add(sum, product(tuple, turn, parts[c]));
      for (std::size_t j = 0; j < (constant ? p : 1); ++j) writer.set(row + j, c, sum);
    }
    row += constant ? p : 1;
  }
  return std::move(writer).table();
}

}  // namespace

RawTable wreath_table(const ConjugacyClasses& classes, const WreathForm& form, const Task& task) {
  return form.top == WreathForm::Top::symmetric ? symmetric_wreath_table(classes, form, task)
                                                : cyclic_wreath_table(classes, form, task);
}

/// The characters of pairs {lambda, mu} of W(B_n) restrict to irreducible ones, equal for (lambda, mu) and (mu, lambda),
/// except that for lambda = mu the restriction is a sum of two. These differ on the classes that split: for cycles 2 nu,
/// by +- 2^l(nu) chi^lambda(nu). [Geck & Pfeiffer, Characters of Finite Coxeter Groups and Iwahori-Hecke Algebras, 5.6
/// and 10.4]
RawTable even_signed_table(const ConjugacyClasses& classes, const Task& task) {
  const std::size_t n = classes.group().degree() / 2;
  if (classes.group().order() >= Integer(1) << 120)
    throw LimitError("character_table: the values for " + classes.group().name() + " may exceed 64 bits");
  std::vector<EvenSignedForm::Type> signed_types;
  std::vector<CycleType> types(classes.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    signed_types.push_back(EvenSignedForm::type(classes[c].representative));
    for (const int part : signed_types[c].positive) types[c].emplace_back(part, 0);
    for (const int part : signed_types[c].negative) types[c].emplace_back(part, 1);
    std::sort(types[c].begin(), types[c].end());
  }
  const ColouredRibbons ribbons(n, 2, task);
  const auto step = [](std::uint64_t sum, const ColouredRibbons::Move& move, std::uint32_t c, std::uint64_t a) {
    return (move.sign > 0) == (move.colour == 0 || c == 0) ? sum + a : sum - a;
  };
  ColumnFiller<std::uint64_t, decltype(step)> filler(ribbons, 1, 0, step);
  const SymmetricGroupTable half = symmetric_group_character_table(n % 2 == 0 ? static_cast<int>(n / 2) : 0, task);
  std::unordered_map<Partition, std::size_t> number;
  for (std::size_t i = 0; i < half.partitions.size(); ++i) number.emplace(half.partitions[i], i);

  struct Row {
    std::size_t shape;
    int sign;  // +-1 for the two parts of (lambda, lambda), otherwise 0
    std::size_t lambda;
  };
  std::vector<Row> rows;
  RawTableWriter writer(classes.size(), task);
  for (std::size_t s = 0; s < ribbons.count(n); ++s) {
    Partition pair[2];
    for (const std::uint32_t part : ribbons.shapes(n)[s]) pair[ribbons.colour(part)] = ribbons.partition(part);
    if (pair[0] > pair[1]) continue;
    if (pair[0] != pair[1]) {
      rows.push_back({s, 0, 0});
      writer.label(ShapePairLabel{pair[0], pair[1], 0});
      continue;
    }
    for (const int sign : {1, -1}) {
      rows.push_back({s, sign, number.at(pair[0])});
      writer.label(ShapePairLabel{pair[0], pair[1], sign});
    }
  }
  for (const std::size_t c : in_order(types)) {
    task.poll();
    const auto& column = filler.column(types[c]);
    std::size_t nu = 0;
    std::int64_t scale = 0;
    if (signed_types[c].splits) {
      std::vector<int> halves;
      for (const int part : signed_types[c].positive) halves.push_back(part / 2);
      nu = number.at(Partition(std::move(halves)));
      scale = (std::int64_t{1} << (signed_types[c].positive.length() - 1)) * (signed_types[c].second ? -1 : 1);
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      auto value = static_cast<std::int64_t>(column[rows[r].shape]);
      if (rows[r].sign != 0) {
        value /= 2;
        if (scale != 0) value += rows[r].sign * scale * half(rows[r].lambda, nu);
      }
      writer.set(r, c, writer.pool()(value));
    }
  }
  return std::move(writer).table();
}

}  // namespace intertwine
