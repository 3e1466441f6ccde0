// Weight spaces and root vectors of modules, modulo primes.
#include "continuous_weights.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "continuous_hom.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using Element = PrimeField::Element;
using Family = ClassicalGroup::Family;
using Node = ContinuousNode;

/// A matrix on the defining module in a basis of weight vectors, by its entries (i, j, value).
using Units = std::vector<std::array<int, 3>>;

/// Root vectors and torus in the basis of weight vectors.
struct SplitForm {
  std::vector<Units> raising, torus;
  std::vector<std::vector<int>> coroots;

  void coroot(std::size_t rank, std::initializer_list<std::pair<int, int>> values) {
    std::vector<int> row(rank);
    for (const auto& [k, c] : values) row[static_cast<std::size_t>(k)] = c;
    coroots.push_back(std::move(row));
  }
};

/// f_1 ... f_m, perhaps f_0, f_-m ... f_-1 with B(f_k, f_-k) = 1 and B(f_0, f_0) = 1.
SplitForm orthogonal_form(int n) {
  SplitForm form;
  const int m = n / 2;
  const auto minus = [n](int k) { return n - 1 - k; };  // the place of f_-k, that of f_k being k - 1 = k here
  for (int k = 0; k < m; ++k) form.torus.push_back({{k, k, 1}, {minus(k), minus(k), -1}});
  const auto rank = static_cast<std::size_t>(m);
  for (int k = 0; k + 1 < m; ++k) {
    form.raising.push_back({{k, k + 1, 1}, {minus(k + 1), minus(k), -1}});
    form.coroot(rank, {{k, 1}, {k + 1, -1}});
  }
  if (n % 2 == 1 && m > 0) {
    form.raising.push_back({{m - 1, m, 1}, {m, minus(m - 1), -1}});
    form.coroot(rank, {{m - 1, 1}});
  } else if (m > 1) {
    form.raising.push_back({{m - 2, minus(m - 1), 1}, {m - 1, minus(m - 2), -1}});
    form.coroot(rank, {{m - 2, 1}, {m - 1, 1}});
  }
  return form;
}

SplitForm symplectic_form(int n) {
  SplitForm form;
  const int m = n / 2;
  const auto rank = static_cast<std::size_t>(m);
  for (int k = 0; k < m; ++k) form.torus.push_back({{k, k, 1}, {m + k, m + k, -1}});
  for (int k = 0; k + 1 < m; ++k) {
    form.raising.push_back({{k, k + 1, 1}, {m + k + 1, m + k, -1}});
    form.coroot(rank, {{k, 1}, {k + 1, -1}});
  }
  form.raising.push_back({{m - 1, n - 1, 1}});
  form.coroot(rank, {{m - 1, 1}});
  return form;
}

SplitForm linear_form(int n, bool special) {
  SplitForm form;
  const auto rank = static_cast<std::size_t>(special ? n - 1 : n);
  for (int k = 0; k < static_cast<int>(rank); ++k) {
    form.torus.push_back({{k, k, 1}});
    if (special) form.torus.back().push_back({k + 1, k + 1, -1});
  }
  for (int k = 0; k + 1 < n; ++k) {
    form.raising.push_back({{k, k + 1, 1}});
    if (special)
      form.coroot(rank, {{k, 1}});
    else
      form.coroot(rank, {{k, 1}, {k + 1, -1}});
  }
  return form;
}

/// The rational coordinates of the isotropic basis: P[j][place], row by row.
std::vector<std::vector<Element>> isotropic_basis(const ClassicalGroup& G, const ModularOperations& field) {
  const PrimeField& F = field.field;
  const unsigned n = G.dimension(), m = n / 2;
  const Element i = field.imaginary_unit(), half = F.inverse(F.from(std::int64_t{2}));
  const auto unit = [&](unsigned j) { return G.form(j) > 0 ? F.one() : i; };  // times e_j: a vector of square 1
  std::vector<std::vector<Element>> P(n, std::vector<Element>(n, 0));
  for (unsigned k = 0; k < m; ++k) {
    P[2 * k][k] = unit(2 * k);
    P[2 * k + 1][k] = F.multiply(i, unit(2 * k + 1));
    P[2 * k][n - 1 - k] = F.multiply(half, P[2 * k][k]);
    P[2 * k + 1][n - 1 - k] = F.negative(F.multiply(half, P[2 * k + 1][k]));
  }
  if (n % 2 == 1) P[n - 1][m] = unit(n - 1);
  return P;
}

/// Weights of spinors are halves, so that the torus of Spin(n) is taken twice.
int torus_unit(const ClassicalGroup& G) { return G.family() == Family::Spin ? 2 : 1; }

/// The largest |eigenvalue| of the torus on a module, or more.
int weight_bound(const Node& node) {
  return static_cast<int>(additive_bound(node, 0, [](const Node& leaf) -> std::uint64_t {
    if (const auto* given = leaf.as<Node::Given>()) return static_cast<std::uint64_t>(given->matrices->bound);
    if (leaf.is<Node::Vector>() || leaf.is<Node::Determinant>())
      return static_cast<std::uint64_t>(torus_unit(leaf.classical()));
    return leaf.is<Node::Spinor>() ? 1 : 0;
  }));
}

ModularMatrix dense(const EntryList<Element>& list, std::size_t size, const PrimeField& F) {
  std::vector<Element> sum(size * size, 0);
  for (const auto& e : list.entries) sum[e.row * size + e.col] = F.add(sum[e.row * size + e.col], e.value);
  ModularMatrix A(F.p(), size, size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) A.set(i, j, F.residue(sum[i * size + j]));
  return A;
}

WeightLeaf::Lists row_lists(const ModularMatrix& A, const PrimeField& F) {
  WeightLeaf::Lists lists(A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j)
      if (A(i, j) != 0) lists[i].emplace_back(static_cast<std::uint32_t>(j), F.from(Integer(A(i, j))));
  return lists;
}

/// Splits the space that the rows of a reduced echelon form span into eigenspaces of the torus, one torus element after
/// the other.
class TorusSplitting {
 public:
  TorusSplitting(std::vector<ModularMatrix> transposed, int bound, const Task& task)
      : torus_(std::move(transposed)), bound_(bound), task_(task) {}
  std::vector<ModularMatrix> spaces;
  std::vector<std::vector<int>> weights;

  /// False where an eigenvalue is no integer, or a torus element has no basis of eigenvectors.
  bool split(const ModularMatrix& rows, std::vector<int> weight) {
    task_.poll();
    if (weight.size() == torus_.size()) {
      spaces.push_back(rows);
      weights.insert(weights.end(), rows.rows(), weight);
      return true;
    }
    std::vector<std::size_t> pivots;
    const ModularMatrix R = rows.echelon(&pivots, task_);
    const ModularMatrix M = (R * torus_[weight.size()]).select_cols(pivots).transpose();
    std::size_t found = 0;
    for (int step = 0; step <= 2 * bound_ && found < R.rows(); ++step) {
      task_.poll();
      const int c = step % 2 == 1 ? (step + 1) / 2 : -step / 2;
      ModularMatrix shifted = M;
      const std::uint64_t p = M.prime(),
                          shift = c < 0 ? static_cast<std::uint64_t>(-c) : p - static_cast<std::uint64_t>(c);
      for (std::size_t i = 0; i < M.rows(); ++i) shifted.set(i, i, (M(i, i) + shift % p) % p);
      const ModularMatrix kernel = shifted.kernel(task_);
      if (kernel.rows() == 0) continue;
      found += kernel.rows();
      std::vector<int> more = weight;
      more.push_back(c);
      if (!split(kernel * R, std::move(more))) return false;
    }
    return found == R.rows();
  }

 private:
  std::vector<ModularMatrix> torus_;
  int bound_;
  const Task& task_;
};

/// Additive: the sum over k of w_k r_k modulo 2^64 for odd constants r_k.
std::uint64_t key_of(const std::vector<int>& weight) {
  std::uint64_t key = 0, r = 0x9e3779b97f4a7c15ULL;
  for (const int w : weight) {
    key += static_cast<std::uint64_t>(static_cast<std::int64_t>(w)) * (r | 1);
    r = (r ^ (r >> 29)) * 0xbf58476d1ce4e5b9ULL;
  }
  return key;
}

}  // namespace

ModularRoots::ModularRoots(const ClassicalGroup& G, const ModularOperations& operations) : field(operations) {
  const auto n = static_cast<int>(G.dimension());
  const SplitForm form = G.is_orthogonal() ? orthogonal_form(n)
                         : G.family() == Family::Sp
                             ? symplectic_form(n)
                             : linear_form(n, G.family() == Family::SL || G.family() == Family::SU);
  coroots = form.coroots;
  const PrimeField& F = field.field;
  // To rational coordinates: P X P^{-1}, where row k of P^{-1} is x -> B(x, f_-k).
  const auto P = G.is_orthogonal() ? isotropic_basis(G, field) : std::vector<std::vector<Element>>{};
  const auto rational = [&](const Units& units, bool transposed) {
    EntryList<Element> out;
    for (const auto& [row, col, value] : units) {
      const auto i = static_cast<std::uint32_t>(transposed ? col : row),
                 j = static_cast<std::uint32_t>(transposed ? row : col);
      const Element x = F.from(std::int64_t{value});
      if (!G.is_orthogonal()) {
        out.entries.push_back({i, j, x});
        continue;
      }
      const std::size_t opposite = G.dimension() - 1 - j;
      for (std::uint32_t a = 0; a < G.dimension(); ++a)
        for (std::uint32_t b = 0; b < G.dimension(); ++b) {
          const Element y = F.multiply(F.multiply(P[a][i], P[b][opposite]), x);
          if (y != 0) out.entries.push_back({a, b, G.form(b) > 0 ? y : F.negative(y)});
        }
    }
    return out;
  };
  for (const Units& units : form.raising) {
    raising.push_back(rational(units, false));
    lowering.push_back(rational(units, true));
  }
  for (Units units : form.torus) {
    for (auto& unit : units) unit[2] *= torus_unit(G);
    torus.push_back(rational(units, false));
  }
}

WeightLeaf::WeightLeaf(const ContinuousNode& node, const ModularRoots& roots, const Task& task)
    : size(static_cast<std::size_t>(node.dimension)) {
  const PrimeField& F = roots.field.field;
  task.require_memory(size * size * sizeof(std::uint64_t) * (4 + roots.torus.size()),
                      "the weight vectors of a representation");
  const auto matrix = [&](const EntryList<Element>& X) { return dense(lie_action(node, 0, X, roots.field), size, F); };
  std::vector<ModularMatrix> torus;
  for (const auto& H : roots.torus) torus.push_back(matrix(H).transpose());
  TorusSplitting splitting(std::move(torus), weight_bound(node), task);
  if (size > 0 && !splitting.split(ModularMatrix::identity(F.p(), size), {})) {
    const auto* given = node.as<Node::Given>();
    if (given == nullptr) throw InternalError("the torus does not act with integral eigenvalues on a module");
    const ClassicalGroup& G = node.classical();
    refuse_weights(*given->matrices,
                   fmt::format("the matrices represent the Lie algebra of {}, but no representation of the group: its "
                               "tori do not act by integral weights{}",
                               G.name(), G.family() == Family::SO ? "; spinors are of Spin(n)" : ""));
  }
  weight = std::move(splitting.weights);
  const ModularMatrix P = size > 0 ? vertical_stack(splitting.spaces).transpose() : ModularMatrix(F.p(), 0, 0);
  const auto Q = P.inverse(task);
  if (!Q) throw InternalError("the weight vectors of a module are dependent");
  basis = row_lists(P, F);
  dual_basis = row_lists(Q->transpose(), F);
  const auto add = [&](const EntryList<Element>& X, std::vector<Lists>& columns, std::vector<Lists>& rows) {
    task.poll();
    const ModularMatrix A = *Q * matrix(X) * P;
    rows.push_back(row_lists(A, F));
    columns.push_back(row_lists(A.transpose(), F));
  };
  for (const auto& E : roots.raising) add(E, raising, raising_transposed);
  for (const auto& E : roots.lowering) add(E, lowering, lowering_transposed);
}

WeightModule::WeightModule(std::vector<const WeightLeaf*> leaves, const ModularRoots& roots)
    : leaves_(std::move(leaves)), stride_(leaves_.size()), size_(1), roots_(roots) {
  for (std::size_t l = leaves_.size(); l-- > 0;) {
    stride_[l] = size_;
    size_ *= leaves_[l]->size;
  }
  std::vector<std::uint64_t> keys{0};
  for (const WeightLeaf* leaf : leaves_) {
    std::vector<std::uint64_t> next;
    next.reserve(keys.size() * leaf->size);
    for (const std::uint64_t key : keys)
      for (const auto& weight : leaf->weight) next.push_back(key + key_of(weight));
    keys = std::move(next);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) spaces_[keys[i]].push_back(static_cast<std::uint32_t>(i));
}

bool WeightModule::is_dominant(std::uint32_t index) const {
  for (const auto& coroot : roots_.coroots) {
    int value = 0;
    for (std::size_t l = 0; l < leaves_.size(); ++l) {
      const auto& weight = leaves_[l]->weight[index / stride_[l] % leaves_[l]->size];
      for (std::size_t k = 0; k < coroot.size(); ++k) value += coroot[k] * weight[k];
    }
    if (value < 0) return false;
  }
  return true;
}

const std::vector<WeightLeaf::Lists>& WeightModule::lists(const WeightLeaf& leaf, Root kind) const {
  switch (kind) {
    case Root::raising:
      return leaf.raising;
    case Root::raising_transposed:
      return leaf.raising_transposed;
    case Root::lowering:
      return leaf.lowering;
    default:
      return leaf.lowering_transposed;
  }
}

template <class F>
void WeightModule::for_image(Root kind, std::size_t root, std::uint32_t j, F f) const {
  for (std::size_t l = 0; l < leaves_.size(); ++l) {
    const std::size_t digit = j / stride_[l] % leaves_[l]->size;
    for (const auto& [i, value] : lists(*leaves_[l], kind)[root][digit])
      f(static_cast<std::uint32_t>(j + (i - digit) * stride_[l]), value);
  }
}

WeightModule::Vector WeightModule::apply(Root kind, std::size_t root, const Vector& x) const {
  const PrimeField& F = roots_.field.field;
  Vector y(size_, 0);
  for (std::uint32_t j = 0; j < size_; ++j)
    if (x[j] != 0)
      for_image(kind, root, j, [&](std::uint32_t i, Element value) { y[i] = F.add(y[i], F.multiply(value, x[j])); });
  return y;
}

ModularMatrix WeightModule::killed(Root kind, const std::vector<std::uint32_t>& space, const Task& task) const {
  const PrimeField& F = roots_.field.field;
  if (space.size() > ClassicalHom::max_weight_space)
    throw LimitError(fmt::format("a tensor product has a weight space of dimension {}, more than {}", space.size(),
                                 ClassicalHom::max_weight_space));
  std::vector<ModularMatrix> equations;
  for (std::size_t root = 0; root < roots_.raising.size(); ++root) {
    task.poll();
    std::unordered_map<std::uint32_t, std::size_t> row;
    for (const std::uint32_t j : space)
      for_image(kind, root, j, [&](std::uint32_t i, Element) { row.try_emplace(i, row.size()); });
    task.require_memory(2 * row.size() * space.size() * sizeof(std::uint64_t),
                        "the highest-weight vectors of a weight space");
    ModularMatrix A(F.p(), row.size(), space.size());
    for (std::size_t c = 0; c < space.size(); ++c)
      for_image(kind, root, space[c], [&](std::uint32_t i, Element value) {
        const std::size_t r = row.at(i);
        const std::uint64_t sum = A(r, c) + F.residue(value);
        A.set(r, c, sum >= F.p() ? sum - F.p() : sum);
      });
    equations.push_back(std::move(A));
  }
  if (equations.empty()) return ModularMatrix::identity(F.p(), space.size());
  return vertical_stack(equations).kernel(task);
}

WeightModule::Vector WeightModule::change(Vector x, WeightLeaf::Lists WeightLeaf::*rows) const {
  const PrimeField& F = roots_.field.field;
  for (std::size_t l = 0; l < leaves_.size(); ++l) {
    Vector y(size_, 0);
    const std::size_t d = leaves_[l]->size, stride = stride_[l];
    for (std::size_t i = 0; i < size_; ++i) {
      const std::size_t digit = i / stride % d;
      for (const auto& [c, value] : (leaves_[l]->*rows)[digit])
        y[i] = F.add(y[i], F.multiply(value, x[i + (c - digit) * stride]));
    }
    x = std::move(y);
  }
  return x;
}

}  // namespace intertwine
