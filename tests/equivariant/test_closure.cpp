#include "intertwine/equivariant/closure.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>

#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

class Table final : public CodeRows {
 public:
  Table(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, std::vector<std::int32_t> codes)
      : rows_(rows), cols_(cols), params_(params), codes_(std::move(codes)) {}
  std::uint64_t rows() const override { return rows_; }
  std::uint64_t cols() const override { return cols_; }
  std::uint64_t params() const { return params_; }
  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    std::copy_n(codes_.begin() + static_cast<std::ptrdiff_t>(i * cols_), cols_, out.begin());
  }
  std::int32_t at(std::uint64_t i, std::uint64_t j) const { return codes_[i * cols_ + j]; }
  /// 0 for zero, +-(k+1) for +-theta_k
  std::int64_t label(std::uint64_t i, std::uint64_t j) const {
    const auto c = at(i, j), p = static_cast<std::int32_t>(params_);
    return c > p ? p - c : c;
  }
  const std::vector<std::int32_t>& codes() const { return codes_; }

 private:
  std::uint64_t rows_, cols_, params_;
  std::vector<std::int32_t> codes_;
};

using Images = std::vector<SignedPermutation>;

Images natural(const FiniteGroup& G) { return {G.generators().begin(), G.generators().end()}; }

/// The action on pairs (i, j) -> i n + j.
Images on_pairs(const FiniteGroup& G) {
  Images images;
  const auto n = static_cast<Point>(G.degree());
  for (const Permutation& g : G.generators()) {
    std::vector<Point> list;
    for (Point i = 0; i < n; ++i)
      for (Point j = 0; j < n; ++j) list.push_back(g(i) * n + g(j));
    images.emplace_back(Permutation(std::move(list)));
  }
  return images;
}

/// The action on {i, j}, i < j, in lexicographic order.
Images on_two_subsets(const FiniteGroup& G) {
  std::map<std::pair<Point, Point>, Point> number;
  for (Point i = 0; i < G.degree(); ++i)
    for (Point j = i + 1; j < G.degree(); ++j) number.emplace(std::pair(i, j), static_cast<Point>(number.size()));
  Images images;
  for (const Permutation& g : G.generators()) {
    std::vector<Point> list;
    for (const auto& [pair, k] : number) list.push_back(number.at(std::minmax({g(pair.first), g(pair.second)})));
    images.emplace_back(Permutation(std::move(list)));
  }
  return images;
}

/// B_n on its n axes: i and i + n are the two directions of axis i.
Images on_axes(const FiniteGroup& B) {
  const auto n = static_cast<Point>(B.degree() / 2);
  Images images;
  for (const Permutation& g : B.generators()) {
    std::vector<SignedPoint> list;
    for (Point i = 0; i < n; ++i) list.emplace_back(g(i) % n, g(i) >= n);
    images.emplace_back(std::move(list));
  }
  return images;
}

Images signs(const FiniteGroup& G) {
  Images images;
  for (const Permutation& g : G.generators()) images.emplace_back(std::vector{SignedPoint(0, !g.is_even())});
  return images;
}

Table tied(const Images& rows, const Images& cols) {
  const unsigned patience = 2000;  // enough that the pattern of W(E8) is whole
  const OrbitalPattern pattern(rows.front().degree(), cols.front().degree(), rows, cols, 0, patience);
  REQUIRE(pattern.check());
  std::vector<std::int32_t> codes;
  std::visit([&](const auto& c) { codes.assign(c.begin(), c.end()); }, pattern.codes());
  return Table(pattern.rows(), pattern.cols(), pattern.params(), std::move(codes));
}

TableClosure closed(const Table& table, const ClosureOptions& options = {}) {
  auto closure = table_closure(table, table.params(), options);
  REQUIRE(closure);
  return *closure;
}

/// The generators of a closure as images on rows and columns.
std::pair<Images, Images> pairs(const TableClosure& closure, const Table& table) {
  const auto m = static_cast<Point>(table.rows()), lines = m + static_cast<Point>(table.cols());
  std::pair<Images, Images> result;
  for (const Permutation& g : closure.group.generators()) {
    std::vector<SignedPoint> sides[2];
    for (Point x = 0; x < lines; ++x) {
      const SignedPoint image = closure.has_signs ? SignedPoint::from_code(g(2 * x)) : SignedPoint(g(x));
      if (closure.has_signs) REQUIRE(g(2 * x + 1) == image.flipped(true).code());
      const bool column = x >= m;
      REQUIRE((image.point() >= m) == column);
      sides[column ? 1 : 0].emplace_back(image.point() - (column ? m : 0), image.negative());
    }
    result.first.emplace_back(std::move(sides[0]));
    result.second.emplace_back(std::move(sides[1]));
  }
  return result;
}

/// The generators preserve the table, and generate a group of the order that the search has proved.
void check(const TableClosure& closure, const Table& table) {
  const auto [rows, cols] = pairs(closure, table);
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (Point i = 0; i < table.rows(); ++i)
      for (Point j = 0; j < table.cols(); ++j) {
        const SignedPoint a = rows[k](i), b = cols[k](j);
        if (table.label(a.point(), b.point()) != a.sign() * b.sign() * table.label(i, j))
          FAIL("generator " << k << " breaks entry " << i << ", " << j);
      }
  CHECK(StabilizerChain(closure.group.degree(), closure.group.generators()).order() == closure.order);
}

/// The order for the pattern of G, found with and without the generators of G as known symmetries, and after
/// shuffling the lines; the orbits of the closure are those of G.
Integer closure_order(const Images& rows, const Images& cols) {
  const Table table = tied(rows, cols);
  ClosureOptions known;
  known.row_images = rows;
  known.col_images = cols;
  const TableClosure closure = closed(table, known);
  check(closure, table);
  const auto [closure_rows, closure_cols] = pairs(closure, table);
  if (!closure.has_signs && !closure_rows.empty()) CHECK(tied(closure_rows, closure_cols).codes() == table.codes());
  const FiniteGroup image = paired_group(table.rows(), table.cols(), rows, cols, closure.has_signs);
  CHECK(closure.order % image.order() == 0);
  CHECK(paired_order(table.rows(), table.cols(), rows, cols, closure.has_signs, image.order()) == image.order());
  CHECK(paired_order(table.rows(), table.cols(), rows, cols, closure.has_signs, 2 * image.order()) ==
        image.order());  // a group that does not act faithfully
  for (const Permutation& g : image.generators()) CHECK(closure.group.contains(g));

  ClosureOptions unknown;
  unknown.with_signs = closure.has_signs;
  CHECK(closed(table, unknown).order == closure.order);
  auto rng = test_rng();
  const Permutation s = random_permutation(table.rows(), rng), t = random_permutation(table.cols(), rng);
  std::vector<std::int32_t> shuffled;
  for (Point i = 0; i < table.rows(); ++i)
    for (Point j = 0; j < table.cols(); ++j) shuffled.push_back(table.at(s(i), t(j)));
  CHECK(closed(Table(table.rows(), table.cols(), table.params(), shuffled), unknown).order == closure.order);
  return closure.order;
}
Integer closure_order(const Images& images) { return closure_order(images, images); }
Integer closure_order(const FiniteGroup& G) { return closure_order(natural(G)); }

/// All permutations of n lines, with all signs if has_signs.
std::vector<std::vector<SignedPoint>> all_line_permutations(unsigned n, bool has_signs) {
  std::vector<Point> order(n);
  std::iota(order.begin(), order.end(), Point{0});
  std::vector<std::vector<SignedPoint>> result;
  do {
    for (unsigned mask = 0; mask < (has_signs ? 1U << n : 1U); ++mask) {
      std::vector<SignedPoint> images;
      for (unsigned i = 0; i < n; ++i) images.emplace_back(order[i], ((mask >> i) & 1) != 0);
      result.push_back(std::move(images));
    }
  } while (std::ranges::next_permutation(order).found);
  return result;
}

/// Counts the pairs one by one.
Integer brute_force_order(const Table& table, bool has_signs) {
  const auto m = static_cast<unsigned>(table.rows()), n = static_cast<unsigned>(table.cols());
  const auto rows = all_line_permutations(m, has_signs), cols = all_line_permutations(n, has_signs);
  const auto value = [&](unsigned i, unsigned j) { return has_signs ? table.label(i, j) : table.at(i, j); };
  std::int64_t count = 0;
  for (const auto& s : rows)
    for (const auto& t : cols) {
      bool preserved = true;
      for (unsigned i = 0; preserved && i < m; ++i)
        for (unsigned j = 0; preserved && j < n; ++j)
          preserved = value(s[i].point(), t[j].point()) == s[i].sign() * t[j].sign() * value(i, j);
      if (preserved) ++count;
    }
  return count;
}

Table random_table(unsigned m, unsigned n, unsigned params, bool minus, Rng& rng) {
  std::vector<std::int32_t> codes;
  for (unsigned k = 0; k < m * n; ++k)
    codes.push_back(static_cast<std::int32_t>(rng() % ((minus ? 2 : 1) * params + 1)));
  return Table(m, n, params, std::move(codes));
}

}  // namespace

TEST_CASE("closure agrees with counting all pairs of permutations", "[equivariant][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 150 * test_multiplier(); ++trial) {
    const auto m = static_cast<unsigned>(1 + rng() % 4), n = static_cast<unsigned>(1 + rng() % 4);
    const Table table = random_table(m, n, static_cast<unsigned>(1 + rng() % 3), false, rng);
    INFO(m << " x " << n << ", trial " << trial);
    const TableClosure closure = closed(table);
    REQUIRE_FALSE(closure.has_signs);
    CHECK(closure.order == brute_force_order(table, false));
    check(closure, table);
  }
}

TEST_CASE("closure agrees with counting all pairs of signed permutations", "[equivariant][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 100 * test_multiplier(); ++trial) {
    const auto m = static_cast<unsigned>(1 + rng() % 3),
               n = static_cast<unsigned>(1 + rng() % (trial % 8 == 0 ? 4 : 3));
    const Table table = random_table(m, n, static_cast<unsigned>(1 + rng() % 2), trial % 5 != 0, rng);
    INFO(m << " x " << n << ", trial " << trial);
    ClosureOptions options;
    options.with_signs = true;
    const TableClosure closure = closed(table, options);
    REQUIRE(closure.has_signs);
    CHECK(closure.order == brute_force_order(table, true));
    check(closure, table);
  }
}

TEST_CASE("closure of a whole small grid of tables", "[equivariant][slow][.]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 40; ++trial) {
    const Table table = random_table(4, 4, 1, true, rng);
    ClosureOptions options;
    options.with_signs = true;
    CHECK(closed(table, options).order == brute_force_order(table, true));
  }
  for (unsigned bits = 0; bits < 1U << 16; ++bits) {  // all 0/1 tables
    std::vector<std::int32_t> codes;
    for (unsigned k = 0; k < 16; ++k) codes.push_back(static_cast<std::int32_t>((bits >> k) & 1));
    const Table table(4, 4, 1, std::move(codes));
    REQUIRE(closed(table).order == brute_force_order(table, false));
  }
}

TEST_CASE("closure of patterns without freedom or without ties", "[equivariant][quick]") {
  const Table dense(40, 60, 1, std::vector<std::int32_t>(2400, 1));
  const TableClosure closure = closed(dense);
  CHECK(closure.order == factorial(40) * factorial(60));
  check(closure, dense);

  std::vector<std::int32_t> codes(600);
  std::iota(codes.begin(), codes.end(), 1);
  CHECK(closed(Table(20, 30, 600, codes)).order == 1);

  CHECK(closed(Table(3, 0, 0, {})).order == 6);
  CHECK(closed(Table(0, 0, 0, {})).order == 1);
  ClosureOptions signs_too;
  signs_too.with_signs = true;
  const Table zeros(2, 3, 0, std::vector<std::int32_t>(6, 0));
  CHECK(closed(zeros, signs_too).order == 8 * 48);
  check(closed(zeros, signs_too), zeros);
}

TEST_CASE("closure of patterns whose group it finds again", "[equivariant][quick]") {
  CHECK(closure_order(on_pairs(symmetric_group(4))) == 24);
  CHECK(closure_order(on_two_subsets(symmetric_group(7))) == 5040);
  CHECK(closure_order(on_two_subsets(symmetric_group(6)), natural(symmetric_group(6))) == 720);
  CHECK(closure_order(pixel_group("D4", 8, 8)) == 8);
  for (const unsigned n : {3, 4, 5, 6, 40}) {
    CHECK(closure_order(cyclic_group(n)) == n);
    CHECK(closure_order(dihedral_group(n)) == 2 * n);
  }
  // The pattern of C_n by exhaustion: circulants with all codes different.
  for (unsigned n = 2; n <= 5; ++n) {
    const Table table = tied(natural(cyclic_group(n)), natural(cyclic_group(n)));
    CHECK(brute_force_order(table, false) == n);
  }
  CHECK(closure_order(grid_group("p4", 5, 5)) == 100);
}

TEST_CASE("closure of multiply transitive groups is the symmetric group", "[equivariant][quick]") {
  CHECK(closure_order(projective_special_linear_group(3, 2)) == factorial(7));
  CHECK(closure_order(affine_general_linear_group(1, 8)) == factorial(8));
  CHECK(closure_order(sporadic_group("M11")) == factorial(11));
}

TEST_CASE("closure of the cube's facelets is the group of assemblies", "[equivariant][quick]") {
  // Corners and edges move and turn freely when the cube may be taken apart: 12 times the cube group.
  CHECK(closure_order(rubik_group(3)) == factorial(8) * 6561 * factorial(12) * 4096);
  CHECK(closure_order(rubik_group(3)) == 12 * Integer("43252003274489856000"));
  CHECK(closure_order(rubik_group(2)) == factorial(8) * 6561);
}

TEST_CASE("closure of block structures is a wreath product", "[equivariant][quick]") {
  CHECK(closure_order(wreath_product(cyclic_group(4), symmetric_group(3))) == 64 * 6);
  // A 2-transitive group inside a block counts as the symmetric group.
  CHECK(closure_order(wreath_product(alternating_group(4), cyclic_group(3))) == 24 * 24 * 24 * 3);
  // Twelve equal rows in three blocks over columns of blocks: Sym(4) wr Sym(3) on the rows, independent of
  // Sym(2) wr on the columns.
  std::vector<std::int32_t> codes;
  for (unsigned i = 0; i < 12; ++i)
    for (unsigned j = 0; j < 6; ++j) codes.push_back(i / 4 == j / 2 ? 1 : 2);
  const Table blocks(12, 6, 2, codes);
  check(closed(blocks), blocks);
  CHECK(closed(blocks).order == 24 * 24 * 24 * 8 * 6);
}

TEST_CASE("closure of designs", "[equivariant][quick]") {
  // Points and lines of PG(2,3) and PG(2,4): PGL(3,3) and PGammaL(3,4). Lines are translates of a perfect
  // difference set [Singer 1938].
  const auto plane = [](unsigned n, const std::vector<unsigned>& difference_set) {
    std::vector<std::int32_t> codes(n * n, 1);
    for (unsigned i = 0; i < n; ++i)
      for (const unsigned d : difference_set) codes[i * n + (i + d) % n] = 2;
    return Table(n, n, 2, codes);
  };
  CHECK(closed(plane(13, {0, 1, 3, 9})).order == 5616);
  CHECK(closed(plane(21, {3, 6, 7, 12, 14})).order == 120960);
  check(closed(plane(21, {3, 6, 7, 12, 14})), plane(21, {3, 6, 7, 12, 14}));
  // The Paley graph on 29 points: affine maps with a square factor.
  std::vector<std::int32_t> paley;
  for (unsigned i = 0; i < 29; ++i)
    for (unsigned j = 0; j < 29; ++j) {
      const unsigned d = (i + 29 - j) % 29;
      bool square = false;
      for (unsigned x = 1; x < 29; ++x) square = square || x * x % 29 == d;
      paley.push_back(d == 0 ? 1 : square ? 2 : 3);
    }
  CHECK(closed(Table(29, 29, 3, paley)).order == 29 * 14);
}

TEST_CASE("closure of rank 3 graphs of sporadic groups and of root systems", "[equivariant][quick]") {
  // Automorphism groups of the graphs of Higman and Sims, McLaughlin, Hall and Janko, Livingstone.
  CHECK(closure_order(sporadic_group("HS")) == 88704000);     // HS:2
  CHECK(closure_order(sporadic_group("McL")) == 1796256000);  // McL:2
  CHECK(closure_order(sporadic_group("J2")) == 1209600);      // J2:2
  CHECK(closure_order(sporadic_group("J1")) == 175560);
  CHECK(closure_order(weyl_group('E', 8)) == 696729600);
  // Rook's graph: the torus of 3 x 3 pixels cannot tell p4m from S_3 wr C_2. From 4 x 4 on it can.
  CHECK(closure_order(grid_group("p4m", 3, 3)) == 72);
  CHECK(closure_order(grid_group("p4m", 4, 4)) == 128);
  CHECK(closure_order(grid_group("p4m", 8, 8)) == 512);
}

TEST_CASE("closure with signs: Hadamard matrices", "[equivariant][quick]") {
  // Sylvester's: 2^(m+1) |AGL(m,2)|.
  for (unsigned m = 1; m <= 4; ++m) {
    const unsigned n = 1U << m;
    std::vector<std::int32_t> codes;
    for (unsigned i = 0; i < n; ++i)
      for (unsigned j = 0; j < n; ++j) codes.push_back(__builtin_parity(i & j) != 0 ? 2 : 1);
    const Table table(n, n, 1, codes);
    const TableClosure closure = closed(table);
    REQUIRE(closure.has_signs);
    check(closure, table);
    CHECK(closure.order == affine_general_linear_group(m, 2).order() * (2 * n));
  }
  // Paley's of order 12: 2.M12 [Hall 1962].
  std::vector<std::int32_t> codes;
  for (unsigned i = 0; i < 12; ++i)
    for (unsigned j = 0; j < 12; ++j) {
      const unsigned d = (i + 11 - j) % 11;
      const bool plus = i == 11   ? true
                        : j == 11 ? false
                        : d == 0  ? true
                                  : d == 1 || d == 3 || d == 4 || d == 5 || d == 9;
      codes.push_back(plus ? 1 : 2);
    }
  const Table paley(12, 12, 1, codes);
  check(closed(paley), paley);
  CHECK(closed(paley).order == 190080);
}

// Ten copies of Sylvester's matrix of order 4 and zeros beside them: their groups, and all permutations of the copies.
TEST_CASE("closure with signs of a table with few entries", "[equivariant][quick]") {
  std::vector<std::int32_t> codes;
  for (unsigned i = 0; i < 40; ++i)
    for (unsigned j = 0; j < 40; ++j) codes.push_back(i / 4 != j / 4 ? 0 : __builtin_parity(i & j & 3U) != 0 ? 2 : 1);
  const Table table(40, 40, 1, codes);
  const TableClosure closure = closed(table);
  check(closure, table);
  Integer order = factorial(10);
  for (int k = 0; k < 10; ++k) order *= affine_general_linear_group(2, 2).order() * 8;
  CHECK(closure.order == order);
}

TEST_CASE("closure with signs: signed representations", "[equivariant][quick]") {
  // The multiples of the identity: the pairs (S, S).
  CHECK(closure_order(on_axes(hyperoctahedral_group(3))) == 48);
  CHECK(closure_order(on_axes(hyperoctahedral_group(6))) == 64 * 720);
  // One entry theta: (1, 1) and (-1, -1).
  CHECK(closure_order(signs(symmetric_group(4))) == 2);
  // One entry that is zero: all four pairs.
  Images trivial(2, SignedPermutation::identity(1));
  CHECK(closure_order(signs(symmetric_group(4)), trivial) == 4);
}

TEST_CASE("closure of larger patterns", "[equivariant][quick]") {
  CHECK(closed(tied(on_pairs(symmetric_group(20)), on_pairs(symmetric_group(20)))).order == factorial(20));
  CHECK(closed(tied(natural(pixel_group("D4", 16, 16)), natural(pixel_group("D4", 16, 16)))).order == 8);
  CHECK(closed(tied(natural(symmetric_group(150)), natural(symmetric_group(150)))).order == factorial(150));
}

TEST_CASE("closure: limits give nothing, never a part", "[equivariant][quick]") {
  const Images images = natural(symmetric_group(6));
  const Table table = tied(images, images);
  ClosureOptions options;
  options.max_entries = 35;
  CHECK_FALSE(table_closure(table, table.params(), options));
  options = {};
  options.max_nodes = 0;
  CHECK_FALSE(table_closure(table, table.params(), options));
  CHECK_FALSE(table_closure(table, table.params(), {}, Task(100, 0, {})));
  const Task cancelled(0, 0, {});
  cancelled.cancel();
  CHECK_THROWS_AS(table_closure(table, table.params(), {}, cancelled), Interrupted);
}

TEST_CASE("closure: bad input is refused", "[equivariant][quick]") {
  CHECK_THROWS_AS(table_closure(Table(1, 2, 1, {1, 3}), 1), DomainError);
  CHECK_THROWS_AS(table_closure(Table(1, 2, 1, {1, -1}), 1), DomainError);
  const Table table(2, 2, 2, {1, 2, 2, 2});
  const Permutation swap({1, 0});
  ClosureOptions options;
  options.row_images = {SignedPermutation(swap)};
  CHECK_THROWS_AS(table_closure(table, 2, options), DomainError);  // a row image without a column image
  options.col_images = {SignedPermutation::identity(3)};
  CHECK_THROWS_AS(table_closure(table, 2, options), DomainError);  // another degree
  options.col_images = {SignedPermutation(swap)};
  CHECK_THROWS_AS(table_closure(table, 2, options), DomainError);  // no symmetry
  // Merging lines is no symmetry either: rows 0 and 1 are equal, row 2 is not.
  options.row_images = {SignedPermutation(Permutation({2, 1, 0}))};
  options.col_images = {SignedPermutation::identity(1)};
  CHECK_THROWS_AS(table_closure(Table(3, 1, 2, {1, 1, 2}), 2, options), DomainError);
  CHECK_THROWS_AS(paired_group(1, 1, {SignedPermutation(std::vector{SignedPoint(0, true)})},
                               {SignedPermutation::identity(1)}, false),
                  DomainError);
}
