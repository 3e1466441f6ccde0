#include "intertwine/equivariant/orbital_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "column_move.hpp"
#include "intertwine/error.hpp"
#include "parity_union.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t max_params = std::uint64_t{1} << 30;
constexpr std::uint32_t none = ~std::uint32_t{0};

/// A signed permutation of the rows together with one of the columns.
struct Pair {
  std::vector<SignedPoint> row, col;
};

std::vector<SignedPoint> product(const std::vector<SignedPoint>& g, const std::vector<SignedPoint>& h) {
  std::vector<SignedPoint> result(h.size());
  for (std::size_t i = 0; i < h.size(); ++i) result[i] = g[h[i].point()].flipped(h[i].negative());
  return result;
}

std::vector<SignedPoint> to_vector(const SignedPermutation& g) {
  return {g.images().begin(), g.images().end()};
}

std::vector<SignedPoint> inverse(const std::vector<SignedPoint>& g) {
  std::vector<SignedPoint> result(g.size());
  for (Point i = 0; i < g.size(); ++i) result[g[i].point()] = SignedPoint(i, g[i].negative());
  return result;
}

/// Elements of the stabilizers of rows, by Schreier's lemma from random words. The words extend the
/// generators so that the trees used here are shallow whatever the generators are (a cycle alone gives a tree
/// as deep as it is long).
class StabilizerWords {
 public:
  StabilizerWords(const std::vector<SignedPermutation>& rows, const std::vector<SignedPermutation>& cols) {
    for (std::size_t k = 0; k < rows.size(); ++k)
      elements_.push_back({to_vector(rows[k]), to_vector(cols[k])});
    generators_ = elements_.size();
    if (generators_ == 0) return;
    current_ = elements_.back();
    for (int k = 0; k < 6; ++k) elements_.push_back(next_word());
    for (const Pair& element : elements_) inverses_.push_back({inverse(element.row), inverse(element.col)});
    step_.assign(elements_[0].row.size(), none);
  }

  bool empty() const { return generators_ == 0; }

  void start(std::uint32_t r) {
    r_ = r;
    orbit_.assign(1, r);
    step_[r] = root;
    for (std::size_t head = 0; head < orbit_.size(); ++head)
      for (std::uint32_t k = 0; k < elements_.size(); ++k) {
        const std::uint32_t q = elements_[k].row[orbit_[head]].point();
        if (step_[q] != none) continue;
        step_[q] = k;
        orbit_.push_back(q);
      }
  }

  /// The next element h with h r = +-r: its action on the columns, and the sign at r.
  bool next(std::vector<SignedPoint>& cols) {
    current_ = next_word();
    cols = current_.col;
    return return_to_start(current_.row[r_], cols);
  }

  /// Number of Schreier generators of the stabilizer of r; they generate it, whatever transversal is used.
  std::size_t number_of_generators() const { return orbit_.size() * generators_; }

  /// Schreier generator number k, in the form of next().
  bool generator(std::size_t k, std::vector<SignedPoint>& cols) const {
    const std::uint32_t p = orbit_[k / generators_];
    std::vector<std::uint32_t> path;
    for (std::uint32_t q = p; q != r_; q = inverses_[step_[q]].row[q].point()) path.push_back(step_[q]);
    path.insert(path.begin(), static_cast<std::uint32_t>(k % generators_));
    cols = elements_[path.back()].col;
    SignedPoint at = elements_[path.back()].row[r_];
    for (std::size_t i = path.size() - 1; i-- > 0;) {
      const Pair& by = elements_[path[i]];
      at = by.row[at.point()].flipped(at.negative());
      for (SignedPoint& x : cols) x = by.col[x.point()].flipped(x.negative());
    }
    return return_to_start(at, cols);
  }

 private:
  static constexpr std::uint32_t root = none - 1;

  /// Multiplies from the left by what takes `at` back to r along the tree.
  bool return_to_start(SignedPoint at, std::vector<SignedPoint>& cols) const {
    while (at.point() != r_) {
      const Pair& back = inverses_[step_[at.point()]];
      at = back.row[at.point()].flipped(at.negative());
      for (SignedPoint& x : cols) x = back.col[x.point()].flipped(x.negative());
    }
    return at.negative();
  }

  /// A longer and longer random word; the elements seen are multiplied in, so it does not wait for the
  /// generators to mix.
  Pair next_word() {
    const Pair& by = elements_[rng_.below(elements_.size())];
    const Pair& by2 = elements_[rng_.below(elements_.size())];
    const bool left = (rng_() >> 63) != 0;
    Pair word = left ? Pair{product(by.row, current_.row), product(by.col, current_.col)}
                     : Pair{product(current_.row, by.row), product(current_.col, by.col)};
    return {product(word.row, by2.row), product(word.col, by2.col)};
  }

  std::vector<Pair> elements_, inverses_;
  std::size_t generators_ = 0;
  Pair current_;
  std::vector<std::uint32_t> step_, orbit_;
  std::uint32_t r_ = 0;
  Rng rng_;
};

std::vector<ColumnMove> column_moves(const std::vector<SignedPermutation>& images,
                                     const std::vector<SignedPermutation>& inverses) {
  std::vector<ColumnMove> moves;
  for (std::size_t k = 0; k < images.size(); ++k) {
    moves.emplace_back(images[k]);
    moves.emplace_back(inverses[k]);
  }
  return moves;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Rows of codes

/// Carries codes down the row trees.
template <class Code>
class OrbitalPattern::Filler {
 public:
  explicit Filler(const OrbitalPattern& pattern)
      : pattern_(pattern),
        n_(pattern.cols_),
        params_(static_cast<Code>(pattern.params())),
        moves_(column_moves(pattern.col_images_, pattern.col_inverses_)) {}

  void first_row(std::uint32_t orbit, Code* out) const {
    const std::vector<std::int32_t>& labels = pattern_.labels_[orbit];
    for (std::size_t c = 0; c < n_; ++c)
      out[c] = static_cast<Code>(labels[c] >= 0 ? labels[c] : static_cast<std::int32_t>(params_) - labels[c]);
  }

  void carry(std::uint32_t row, const Code* parent, Code* out) const {
    const Step step = pattern_.steps_[row];
    const auto k = static_cast<std::size_t>(step.generator / 2);
    const SignedPoint image =
        (step.generator % 2 == 0 ? pattern_.row_images_ : pattern_.row_inverses_)[k](step.parent);
    moves_[static_cast<std::size_t>(step.generator)].apply(parent, out, n_, image.negative(), params_);
  }

  /// out = the row that generator k makes of `row`.
  void move(std::size_t k, const Code* row, Code* out, bool negate) const {
    moves_[2 * k].apply(row, out, n_, negate, params_);
  }

  void fill(Code* table, const Task& task) const {
    for (std::size_t done = 0; done < pattern_.order_.size(); ++done) {
      if (done % 64 == 0) task.progress("filling the table", done, pattern_.rows_);
      const std::uint32_t row = pattern_.order_[done];
      Code* out = table + std::size_t{row} * n_;
      if (pattern_.steps_[row].generator < 0)
        first_row(pattern_.orbit_of_row_[row], out);
      else
        carry(row, table + std::size_t{pattern_.steps_[row].parent} * n_, out);
    }
  }

  void stream(const RowSink& sink, const Task& task) const {
    // A row is kept while children of it are to come. The child with the largest subtree comes last, so that
    // at most log2(m) + 1 rows are kept at any time.
    std::vector<std::vector<Code>> spare, waiting;  // waiting: the rows with children to come, innermost last
    for (std::size_t done = 0; done < pattern_.order_.size(); ++done) {
      if (done % 64 == 0) task.progress("streaming the table", done, pattern_.rows_);
      const std::uint32_t row = pattern_.order_[done];
      std::vector<Code> out;
      if (!spare.empty()) {
        out = std::move(spare.back());
        spare.pop_back();
      }
      out.resize(n_);
      if (pattern_.steps_[row].generator < 0) {
        first_row(pattern_.orbit_of_row_[row], out.data());
      } else {
        carry(row, waiting.back().data(), out.data());
        if (is_last_child(done)) {
          spare.push_back(std::move(waiting.back()));
          waiting.pop_back();
        }
      }
      sink(row, std::as_bytes(std::span<const Code>(out)));
      (pattern_.subtree_[row] > 1 ? waiting : spare).push_back(std::move(out));
    }
  }

 private:
  /// In preorder the subtree of a row is contiguous: a child is last when its subtree ends with its parent's.
  bool is_last_child(std::size_t at) const {
    const std::uint32_t row = pattern_.order_[at];
    const std::uint32_t parent = pattern_.steps_[row].parent;
    return at + pattern_.subtree_[row] == pattern_.place_[parent] + pattern_.subtree_[parent];
  }

  const OrbitalPattern& pattern_;
  std::size_t n_;
  Code params_;
  std::vector<ColumnMove> moves_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Construction

OrbitalPattern::OrbitalPattern(std::uint64_t rows, std::uint64_t cols,
                               std::vector<SignedPermutation> row_images,
                               std::vector<SignedPermutation> col_images, const Integer& group_order,
                               const Task& task, unsigned patience)
    : rows_(rows), cols_(cols), row_images_(std::move(row_images)), col_images_(std::move(col_images)) {
  if (row_images_.size() != col_images_.size())
    throw DomainError(
        fmt::format("OrbitalPattern: {} row images but {} column images; one of each for every generator",
                    row_images_.size(), col_images_.size()));
  if (rows > max_degree || cols > max_degree)
    throw LimitError(fmt::format(
        "a pattern of {} x {} entries exceeds the limit of 2^31 - 1 rows and columns", rows, cols));
  for (std::size_t k = 0; k < row_images_.size(); ++k)
    if (row_images_[k].degree() != rows || col_images_[k].degree() != cols)
      throw DomainError(
          fmt::format("OrbitalPattern: the images of generator {} have degrees {} and {}, not {} and {}",
                      k + 1, row_images_[k].degree(), col_images_[k].degree(), rows, cols));
  task.require_memory(rows * 32 + cols * 64 + (row_images_.size() + 6) * (rows + cols) * 16,
                      "the orbits of the entries");
  for (std::size_t k = 0; k < row_images_.size(); ++k) {
    row_inverses_.push_back(row_images_[k].inverse());
    col_inverses_.push_back(col_images_[k].inverse());
  }
  build_row_tree();
  task.require_memory(first_row_.size() * cols * 4 + rows * 32, "the labels of the first rows of all orbits");
  label_orbits(group_order, patience, task);
}

void OrbitalPattern::build_row_tree() {
  const auto m = static_cast<std::uint32_t>(rows_);
  // A spanning forest of the graph row -> g row that prefers generators whose column permutation is cheap to
  // copy along.
  const std::vector<ColumnMove> moves = column_moves(col_images_, col_inverses_);
  std::vector<std::uint32_t> by_cost(row_images_.size());
  std::iota(by_cost.begin(), by_cost.end(), 0U);
  std::stable_sort(by_cost.begin(), by_cost.end(),
                   [&](auto a, auto b) { return moves[2 * a].cost() < moves[2 * b].cost(); });
  ParityUnion joined(m);
  struct Edge {
    std::uint32_t from, to;
    std::int32_t generator;
  };
  std::vector<Edge> edges;
  std::vector<std::uint32_t> start(m + 1, 0);
  for (const std::uint32_t k : by_cost)
    for (std::uint32_t p = 0; p < m; ++p) {
      const std::uint32_t q = row_images_[k](p).point();
      if (!joined.join(p, q, false)) continue;
      edges.push_back({p, q, static_cast<std::int32_t>(2 * k)});
      ++start[p + 1];
      ++start[q + 1];
    }
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1), neighbour(2 * edges.size());
  std::vector<std::int32_t> via(2 * edges.size());
  for (const Edge& e : edges) {
    neighbour[next[e.from]] = e.to;
    via[next[e.from]++] = e.generator;
    neighbour[next[e.to]] = e.from;
    via[next[e.to]++] = e.generator + 1;
  }

  steps_.assign(m, {none, -1});
  orbit_of_row_.assign(m, none);
  subtree_.assign(m, 1);
  place_.assign(m, 0);
  order_.reserve(m);
  std::vector<std::uint32_t> breadth, stack;
  std::vector<std::uint32_t> children;
  for (std::uint32_t r = 0; r < m; ++r) {
    if (orbit_of_row_[r] != none) continue;
    const auto orbit = static_cast<std::uint32_t>(first_row_.size());
    first_row_.push_back(r);
    breadth.assign(1, r);
    orbit_of_row_[r] = orbit;
    for (std::size_t head = 0; head < breadth.size(); ++head) {
      const std::uint32_t p = breadth[head];
      for (std::uint32_t e = start[p]; e < start[p + 1]; ++e) {
        const std::uint32_t q = neighbour[e];
        if (orbit_of_row_[q] != none) continue;
        orbit_of_row_[q] = orbit;
        steps_[q] = {p, via[e]};
        breadth.push_back(q);
      }
    }
    for (std::size_t i = breadth.size(); i-- > 1;)
      subtree_[steps_[breadth[i]].parent] += subtree_[breadth[i]];
    orbit_length_.push_back(static_cast<std::uint32_t>(breadth.size()));
    stack.assign(1, r);
    while (!stack.empty()) {
      const std::uint32_t p = stack.back();
      stack.pop_back();
      place_[p] = static_cast<std::uint32_t>(order_.size());
      order_.push_back(p);
      children.clear();
      for (std::uint32_t e = start[p]; e < start[p + 1]; ++e)
        if (neighbour[e] != steps_[p].parent) children.push_back(neighbour[e]);
      std::sort(children.begin(), children.end(),
                [&](auto a, auto b) { return std::pair(subtree_[b], b) < std::pair(subtree_[a], a); });
      stack.insert(stack.end(), children.begin(), children.end());  // the smallest subtree is popped first
    }
  }
}

void OrbitalPattern::label_orbits(const Integer& group_order, unsigned patience, const Task& task) {
  StabilizerWords words(row_images_, col_images_);
  std::vector<SignedPoint> cols;
  for (std::uint32_t orbit = 0; orbit < first_row_.size(); ++orbit) {
    task.progress("joining orbits", orbit, first_row_.size());
    const bool regular = group_order != 0 && group_order == orbit_length_[orbit];
    ParityUnion joined(words.empty() || regular ? 0 : cols_);
    if (words.empty() || regular) {
      number_labels(orbit, nullptr);
      continue;
    }
    words.start(first_row_[orbit]);
    const auto join = [&](bool negative) {
      task.poll();
      bool changed = false;
      for (std::uint32_t c = 0; c < cols_; ++c)
        changed = joined.join(c, cols[c].point(), cols[c].negative() != negative) || changed;
      return changed;
    };
    if (words.number_of_generators() <= patience) {
      for (std::size_t k = 0; k < words.number_of_generators(); ++k) join(words.generator(k, cols));
    } else {
      // An element of the stabilizer that joins nothing new is evidence that nothing is left to join.
      for (unsigned idle = 0; idle < patience;) idle = join(words.next(cols)) ? 0 : idle + 1;
    }
    number_labels(orbit, &joined);
  }
}

/// Numbers the classes of columns of one row orbit; every column by itself if there are none.
void OrbitalPattern::number_labels(std::uint32_t orbit, ParityUnion* joined) {
  const std::uint32_t r = first_row_[orbit];
  std::vector<std::int32_t>& labels = labels_.emplace_back(cols_);
  for (std::uint32_t c = 0; c < cols_; ++c) {
    const auto [top, negative] = joined ? joined->find(c) : std::pair(c, false);
    if (top != c) {
      labels[c] = negative ? -labels[top] : labels[top];
    } else if (joined && joined->is_zero(c)) {
      labels[c] = 0;
      vanishing_.push_back({r, c});
    } else {
      if (params() >= max_params)
        throw LimitError(
            "more than 2^30 parameters: the table would not fit its index type; split the representation");
      labels[c] = static_cast<std::int32_t>(++params_);
    }
  }
}

std::vector<std::int64_t> OrbitalPattern::orbit_size() const {
  std::vector<std::int64_t> sizes(params_, 0);
  for (std::size_t orbit = 0; orbit < labels_.size(); ++orbit)
    for (const std::int32_t label : labels_[orbit])
      if (label != 0) sizes[static_cast<std::size_t>(std::abs(label)) - 1] += orbit_length_[orbit];
  return sizes;
}

std::vector<MatrixEntry> OrbitalPattern::smallest_entries() const {
  std::vector<MatrixEntry> entries;
  entries.reserve(params_);
  for (std::size_t orbit = 0; orbit < labels_.size(); ++orbit)
    for (std::size_t c = 0; c < cols_; ++c)
      if (labels_[orbit][c] == static_cast<std::int64_t>(entries.size()) + 1)
        entries.push_back({first_row_[orbit], c});
  return entries;
}

std::int64_t OrbitalPattern::label(std::uint64_t i, std::uint64_t j) const {
  if (i >= rows_ || j >= cols_)
    throw DomainError(
        fmt::format("entry ({}, {}) is outside the {} x {} matrix (0-based)", i, j, rows_, cols_));
  auto row = static_cast<std::uint32_t>(i);
  SignedPoint col(static_cast<Point>(j));
  while (steps_[row].generator >= 0) {
    const Step step = steps_[row];
    const auto k = static_cast<std::size_t>(step.generator / 2);
    const bool forward = step.generator % 2 == 0;
    col = (forward ? col_inverses_ : col_images_)[k](col);
    col = col.flipped((forward ? row_images_ : row_inverses_)[k](step.parent).negative());
    row = step.parent;
  }
  return std::int64_t{col.sign()} * labels_[orbit_of_row_[row]][col.point()];
}

void OrbitalPattern::for_each_row(const RowSink& sink, const Task& task) const {
  if (code_bytes(params()) == 1)
    Filler<std::uint8_t>(*this).stream(sink, task);
  else
    Filler<std::int32_t>(*this).stream(sink, task);
}

void OrbitalPattern::fill(std::span<std::byte> buffer, const Task& task) const {
  if (buffer.size() != rows_ * cols_ * code_bytes(params()))
    throw DomainError("OrbitalPattern::fill: the buffer has the wrong size");
  if (code_bytes(params()) == 1)
    Filler<std::uint8_t>(*this).fill(reinterpret_cast<std::uint8_t*>(buffer.data()), task);
  else
    Filler<std::int32_t>(*this).fill(reinterpret_cast<std::int32_t*>(buffer.data()), task);
}

Codes OrbitalPattern::codes(const Task& task) const {
  const std::uint64_t entries = rows_ * cols_;
  task.require_memory(entries * code_bytes(params()), fmt::format("a table of {} x {} codes", rows_, cols_));
  const auto filled = [&](auto codes) {
    codes.resize(entries);
    fill(std::as_writable_bytes(std::span(codes)), task);
    return Codes(std::move(codes));
  };
  return code_bytes(params()) == 1 ? filled(std::vector<std::uint8_t>())
                                   : filled(std::vector<std::int32_t>());
}

class OrbitalPattern::View final : public CodeRows {
 public:
  explicit View(const OrbitalPattern& pattern) : pattern_(pattern), filler_(pattern) {}
  std::uint64_t rows() const override { return pattern_.rows_; }
  std::uint64_t cols() const override { return pattern_.cols_; }
  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    std::vector<std::uint32_t> path;
    auto row = static_cast<std::uint32_t>(i);
    for (; pattern_.steps_[row].generator >= 0; row = pattern_.steps_[row].parent) path.push_back(row);
    filler_.first_row(pattern_.orbit_of_row_[row], out.data());
    std::vector<std::int32_t> next(path.empty() ? 0 : out.size());
    for (std::size_t k = path.size(); k-- > 0;) {
      filler_.carry(path[k], out.data(), next.data());
      std::copy(next.begin(), next.end(), out.begin());
    }
  }

 private:
  const OrbitalPattern& pattern_;
  Filler<std::int32_t> filler_;
};

std::unique_ptr<CodeRows> OrbitalPattern::view() const { return std::make_unique<View>(*this); }

// ---------------------------------------------------------------------------------------------------------------------
// Proof

bool OrbitalPattern::commutes(const CodeRows& table, std::uint64_t params,
                              std::span<const SignedPermutation> row_images,
                              std::span<const SignedPermutation> col_images, const Task& task,
                              MatrixEntry* witness, std::size_t* generator) {
  const std::uint64_t m = table.rows(), n = table.cols();
  std::vector<ColumnMove> moves;
  for (const SignedPermutation& g : col_images) moves.emplace_back(g);
  std::vector<std::int32_t> row(n), carried(n), image(n);
  for (std::uint64_t i = 0; i < m; ++i) {
    if (i % 16 == 0) task.progress("checking commutation", i, m);
    table.row(i, row);
    for (std::size_t k = 0; k < row_images.size(); ++k) {
      const SignedPoint to = row_images[k](static_cast<Point>(i));
      moves[k].apply(row.data(), carried.data(), n, to.negative(), static_cast<std::int32_t>(params));
      if (to.point() == i)
        image = row;
      else
        table.row(to.point(), image);
      if (carried == image) continue;
      if (witness) {
        const auto [a, b] = std::mismatch(carried.begin(), carried.end(), image.begin());
        const auto inverse = col_images[k].inverse();
        *witness = {i, inverse(static_cast<Point>(a - carried.begin())).point()};
      }
      if (generator) *generator = k;
      return false;
    }
  }
  return true;
}

template <class Code>
bool OrbitalPattern::check_orbits(const Task& task) const {
  const Filler<Code> filler(*this);
  std::vector<Code> rows, carried(cols_);
  for (std::uint32_t orbit = 0; orbit < first_row_.size(); ++orbit) {
    const std::size_t length = orbit_length_[orbit], first = place_[first_row_[orbit]];
    task.require_memory(length * cols_ * sizeof(Code), "checking one orbit of rows");
    rows.resize(std::max(rows.size(), length * cols_));
    for (std::size_t t = 0; t < length; ++t) {
      const std::uint32_t row = order_[first + t];
      if (t == 0)
        filler.first_row(orbit, rows.data());
      else
        filler.carry(row, &rows[(place_[steps_[row].parent] - first) * cols_], &rows[t * cols_]);
    }
    for (std::size_t t = 0; t < length; ++t) {
      task.progress("checking commutation", first + t, rows_);
      const std::uint32_t row = order_[first + t];
      for (std::size_t k = 0; k < row_images_.size(); ++k) {
        const SignedPoint to = row_images_[k](row);
        filler.move(k, &rows[t * cols_], carried.data(), to.negative());
        if (std::memcmp(carried.data(), &rows[(place_[to.point()] - first) * cols_], cols_ * sizeof(Code)) !=
            0)
          return false;
      }
    }
  }
  return true;
}

bool OrbitalPattern::check(const Task& task) const {
  return code_bytes(params()) == 1 ? check_orbits<std::uint8_t>(task) : check_orbits<std::int32_t>(task);
}

}  // namespace intertwine
