// Semidefinite programs with exact data.
#include "intertwine/sdp/semidefinite_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/groups/automorphism_group.hpp"
#include "intertwine/representations/actions.hpp"
#include "sdp/unit_blocks.hpp"

namespace intertwine::sdp {

namespace {

using Place = std::pair<std::uint32_t, std::uint32_t>;

bool by_place(const SymmetricEntry& a, const SymmetricEntry& b) {
  return std::tie(a.row, a.col) < std::tie(b.row, b.col);
}

/// Sorted, entries of one place added up, zeros dropped.
SymmetricMatrix tidied(SymmetricMatrix A) {
  std::sort(A.begin(), A.end(), by_place);
  SymmetricMatrix out;
  for (SymmetricEntry& e : A) {
    if (!out.empty() && out.back().row == e.row && out.back().col == e.col)
      out.back().value += e.value;
    else
      out.push_back(std::move(e));
  }
  std::erase_if(out, [](const SymmetricEntry& e) { return e.value == 0; });
  return out;
}

/// g A g^T.
SymmetricMatrix moved(const SymmetricMatrix& A, const SignedPermutation& g) {
  SymmetricMatrix out;
  for (const SymmetricEntry& e : A) {
    const SignedPoint r = g(Point{e.row}), c = g(Point{e.col});
    out.push_back({std::min(r.point(), c.point()), std::max(r.point(), c.point()),
                   r.negative() != c.negative() ? Rational(-e.value) : e.value});
  }
  std::sort(out.begin(), out.end(), by_place);
  return out;
}

/// A constraint up to a factor: the first entry becomes 1.
struct Ray {
  std::vector<std::tuple<std::uint32_t, std::uint32_t, Rational>> entries;
  Rational right;
  Ray(const SymmetricMatrix& A, const Rational& b) : right(b) {
    const Rational scale = A.empty() ? (b == 0 ? Rational(1) : b) : A.front().value;
    for (const SymmetricEntry& e : A) entries.emplace_back(e.row, e.col, Rational(e.value / scale));
    right = Rational(right / scale);
  }
  friend bool operator<(const Ray& x, const Ray& y) {
    return std::tie(x.entries, x.right) < std::tie(y.entries, y.right);
  }
};

/// The first place where the matrices differ.
Place difference(const SymmetricMatrix& A, const SymmetricMatrix& B) {
  for (std::size_t k = 0; k < std::max(A.size(), B.size()); ++k) {
    if (k == A.size()) return {B[k].row, B[k].col};
    if (k == B.size()) return {A[k].row, A[k].col};
    if (!(A[k] == B[k])) return by_place(B[k], A[k]) ? Place{B[k].row, B[k].col} : Place{A[k].row, A[k].col};
  }
  return {0, 0};
}

std::string element_text(const SignedPermutation& g, std::size_t k) {
  std::string text = g.to_string();
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return fmt::format("generator {} of the group, {},", k + 1, text);
}

/// The numbers that labels stand for.
class Labels {
 public:
  std::uint32_t of(const Rational& value) {
    return numbers_.try_emplace(value, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::map<Rational, std::uint32_t> numbers_;
};

}  // namespace

Problem::Problem(std::vector<Block> blocks, SymmetricMatrix C, std::vector<SymmetricMatrix> A, std::vector<Rational> b)
    : blocks_(std::move(blocks)), C_(std::move(C)), A_(std::move(A)), b_(std::move(b)) {
  std::uint64_t rows = 0;
  std::vector<std::uint64_t> ends;  // the row behind each block
  for (const Block& block : blocks_) ends.push_back(rows += block.size);
  if (rows > (std::uint64_t{1} << 30)) throw LimitError("a semidefinite program has at most 2^30 rows");
  rows_ = static_cast<std::uint32_t>(rows);
  if (A_.size() != b_.size())
    throw DomainError(fmt::format(
        "a semidefinite program has a number b for every constraint: there are {} matrices A and {} numbers", A_.size(),
        b_.size()));
  const auto block_of = [&](std::uint32_t row) {
    return std::upper_bound(ends.begin(), ends.end(), row) - ends.begin();
  };
  const auto check = [&](SymmetricMatrix& M, const std::string& name) {
    for (const SymmetricEntry& e : M) {
      if (e.row > e.col || e.col >= rows_)
        throw DomainError(fmt::format("{} has an entry in row {} and column {} (from 0), which is {}", name, e.row,
                                      e.col, e.row > e.col ? "below the diagonal" : "outside of the blocks"));
      const auto in = block_of(e.row);
      if (in != block_of(e.col) || (e.row != e.col && blocks_[in].diagonal))
        throw DomainError(fmt::format(
            "{} has an entry in row {} and column {} (from 0), which belong to different blocks", name, e.row, e.col));
    }
    M = tidied(std::move(M));
  };
  check(C_, "the objective C");
  for (std::size_t k = 0; k < A_.size(); ++k) check(A_[k], fmt::format("constraint {} (from 1)", k + 1));
}

std::uint64_t Problem::variables() const {
  std::uint64_t count = 0;
  for (const Block& block : blocks_) {
    const std::uint64_t n = block.size;
    count += block.diagonal ? n : n * (n + 1) / 2;
  }
  return count;
}

Representation action_on_rows(const std::vector<SignedPermutation>& generators) {
  if (generators.empty()) throw DomainError("a group on rows is given by at least one generator");
  const std::size_t n = generators.front().degree();
  bool is_signed = false;
  std::set<std::vector<SignedPoint>> seen;
  std::vector<SignedPermutation> images;
  for (const SignedPermutation& g : generators) {
    if (g.degree() != n) throw DomainError(fmt::format("the generators permute {} and {} rows", n, g.degree()));
    if (!seen.emplace(g.images().begin(), g.images().end()).second) continue;
    if (g.is_identity()) continue;
    images.push_back(g);
    is_signed = is_signed || !g.is_unsigned();
  }
  std::vector<Permutation> permutations;
  for (const SignedPermutation& g : images) {
    if (!is_signed) {
      permutations.push_back(g.permutation());
      continue;
    }
    std::vector<Point> points(2 * n);
    for (Point i = 0; i < n; ++i)
      for (const bool negative : {false, true}) points[2 * i + negative] = g(SignedPoint(i, negative)).code();
    permutations.push_back(Permutation::unchecked(std::move(points)));
  }
  const FiniteGroup G(is_signed ? 2 * n : n, permutations);
  return is_signed ? monomial_representation(G, images) : natural_permutation_representation(G);
}

Representation symmetries(const Problem& problem, const Task& task) {
  const std::uint32_t n = problem.rows();
  if (n == 0) throw DomainError("a semidefinite program without rows has no symmetries to be found");
  LabelledGraph graph;
  graph.vertices = n;
  graph.colours.assign(n, 0);
  const auto vertex = [&](std::uint32_t colour) {
    graph.colours.push_back(colour);
    return static_cast<std::uint32_t>(graph.vertices++);
  };
  const UnitBlocks units(problem.blocks());
  std::map<std::pair<std::uint32_t, bool>, std::uint32_t> kinds;  // of blocks
  for (std::size_t u = 0; u < units.first.size(); ++u) {
    const std::uint32_t kind =
        kinds.try_emplace({units.size[u], units.diagonal[u]}, static_cast<std::uint32_t>(kinds.size())).first->second;
    for (std::uint32_t i = 0; i < units.size[u]; ++i) graph.colours[units.first[u] + i] = 4 + kind;
  }
  for (std::size_t u = 0; u < units.first.size(); ++u)
    if (units.size[u] > 1 && units.first.size() > 1) {
      const std::uint32_t block = vertex(0);
      for (std::uint32_t i = 0; i < units.size[u]; ++i) graph.edges.push_back({units.first[u] + i, block, 0});
    }
  const auto colours = static_cast<std::uint32_t>(4 + kinds.size());
  Labels values, rights;
  values.of(0);  // the label of edges that carry no number
  std::map<Place, std::uint32_t> places;
  const auto add = [&](const SymmetricMatrix& M, std::uint32_t matrix) {
    for (const SymmetricEntry& e : M) {
      const auto [at, is_new] = places.try_emplace({e.row, e.col}, 0);
      if (is_new) {
        at->second = vertex(e.row == e.col ? 1 : 2);
        graph.edges.push_back({e.row, at->second, 0});
        if (e.row != e.col) graph.edges.push_back({e.col, at->second, 0});
      }
      graph.edges.push_back({at->second, matrix, values.of(e.value)});
    }
  };
  add(problem.objective(), vertex(3));
  std::set<Ray> seen;  // equal constraints say nothing twice
  for (std::size_t k = 0; k < problem.constraints().size(); ++k) {
    task.poll();
    if (problem.constraints()[k].empty() || !seen.emplace(problem.constraints()[k], problem.right_sides()[k]).second)
      continue;
    add(problem.constraints()[k], vertex(colours + rights.of(problem.right_sides()[k])));
  }
  Automorphisms found = automorphisms(graph, task);
  if (found.generators.empty()) return natural_permutation_representation(FiniteGroup(n, {}, "1"));
  return natural_permutation_representation(
      std::move(found).restricted(n).group("Aut", Automorphisms::most_images, task));
}

void require_blocks_fixed(const Problem& problem, const Representation& rows) {
  if (!rows.is_monomial())
    throw DomainError("a semidefinite program is reduced by a group that permutes its rows, with signs or without; " +
                      rows.to_string() + " acts by other matrices");
  if (rows.dimension() != problem.rows())
    throw DomainError(fmt::format("the group acts on {} rows, and the blocks of the problem have {}", rows.dimension(),
                                  problem.rows()));
  const UnitBlocks units(problem.blocks());
  const std::vector<SignedPermutation> images = rows.generator_images();
  for (std::size_t s = 0; s < images.size(); ++s) {
    const SignedPermutation& g = images[s];
    for (std::size_t u = 0; u < units.first.size(); ++u) {
      const std::uint32_t to = units.of_row[g(Point{units.first[u]}).point()];
      for (std::uint32_t i = 0; i < units.size[u]; ++i)
        if (units.of_row[g(Point{units.first[u] + i}).point()] != to)
          throw DomainError(element_text(g, s) +
                            fmt::format(" takes rows of the block from row {} (from 0) to different "
                                        "blocks: it does not fix the problem",
                                        units.first[u]));
      if (units.size[to] != units.size[u] || units.diagonal[to] != units.diagonal[u])
        throw DomainError(element_text(g, s) +
                          fmt::format(" takes the block from row {} (from 0) to one of another kind: it does not fix "
                                      "the problem",
                                      units.first[u]));
    }
  }
}

void require_fixed(const Problem& problem, const Representation& rows, const Task& task) {
  require_blocks_fixed(problem, rows);
  std::map<Ray, std::size_t> known;
  for (std::size_t k = 0; k < problem.constraints().size(); ++k)
    known.try_emplace(Ray(problem.constraints()[k], problem.right_sides()[k]), k);
  const std::vector<SignedPermutation> images = rows.generator_images();
  for (std::size_t s = 0; s < images.size(); ++s) {
    const SignedPermutation& g = images[s];
    const SymmetricMatrix C = moved(problem.objective(), g);
    if (!(C == problem.objective())) {
      const auto [r, c] = difference(problem.objective(), C);
      throw DomainError(
          element_text(g, s) +
          fmt::format(" changes the objective C in row {} and column {} (from 0): it does not fix the problem", r, c));
    }
    for (std::size_t k = 0; k < problem.constraints().size(); ++k) {
      task.poll();
      if (!known.contains(Ray(moved(problem.constraints()[k], g), problem.right_sides()[k])))
        throw DomainError(element_text(g, s) +
                          fmt::format(" takes constraint {} (from 1) to none of the constraints: it does not fix the "
                                      "problem",
                                      k + 1));
    }
  }
}

}  // namespace intertwine::sdp
