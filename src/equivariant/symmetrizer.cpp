// The projection of matrices on equivariant ones.
#include "intertwine/equivariant/symmetrizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "equivariant/group_action.hpp"
#include "equivariant/schreier_tree.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine {

namespace {

/// A sum of doubles with the rounding errors summed beside it [Neumaier 1974].
class CompensatedSum {
 public:
  void add(double x) {
    const double t = sum_ + x;
    error_ += std::abs(sum_) >= std::abs(x) ? (sum_ - t) + x : (x - t) + sum_;
    sum_ = t;
  }
  void add(const CompensatedSum& other) {
    add(other.sum_);
    error_ += other.error_;
  }
  double value() const { return std::isfinite(sum_) ? sum_ + error_ : sum_; }

 private:
  double sum_ = 0, error_ = 0;
};

/// The classes of entries that are proved to be whole orbits; the random part of their construction can only leave
/// classes apart, and more patience joins them.
OrbitalPattern proved_orbits(const Representation& V, const Representation& U, const Task& task) {
  const Integer& order = V.group().order(task);
  const auto rows = U.generator_images(), cols = V.generator_images();
  for (unsigned patience = 16; patience < 100'000; patience *= 8) {
    OrbitalPattern pattern(U.dimension(), V.dimension(), rows, cols, order, patience, task);
    if (pattern.check(task)) return pattern;
  }
  throw InternalError("Symmetrizer: the orbits on the entries were not completed");
}

double norm(std::span<const double> v) {
  double largest = 0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  if (largest == 0 || !std::isfinite(largest)) return largest;
  CompensatedSum squares;
  for (const double x : v) squares.add((x / largest) * (x / largest));
  return largest * std::sqrt(squares.value());
}

/// ||rest||^2 / ||W||^2 in the Frobenius norm, 0 for rest = 0.
Cyclotomic squared_ratio(const FieldMatrix& rest, const FieldMatrix& W) {
  if (rest.is_zero()) return 0;
  const std::size_t size = W.rows() * W.cols();
  const auto squared_norm = [&](const FieldMatrix& A) {
    return (A.conjugate().reshape(1, size) * A.reshape(size, 1))(0, 0);
  };
  return squared_norm(rest) / squared_norm(W);
}

/// The entries of every orbit, and their number.
struct Orbits {
  Codes codes;
  std::vector<std::int64_t> size;
};

/// One level of the stabilizer chain: the tree on its orbit, whose generator s is number generators[s] of all.
struct Transversal {
  SchreierTree tree;
  std::vector<std::size_t> generators;
};

struct Transversals {
  std::vector<Permutation> generators;
  std::vector<RealAction> actions;  ///< by generator, where V and U are real
  std::vector<Transversal> levels;  ///< G first; levels with one point are left out
};

Transversals make_transversals(const Representation& V, const Representation& U, const Task& task) {
  Transversals result;
  const bool real = V.field().is_real() && U.field().is_real();
  const StabilizerChain& chain = V.group().chain(task);
  std::map<std::vector<Point>, std::size_t> number;
  std::uint64_t bytes = 0;
  for (std::size_t l = 0; l < chain.length(); ++l) {
    if (chain.orbit(l).size() == 1) continue;
    task.poll();
    const std::vector<Permutation> generators = chain.stabilizer_generators(l);
    Transversal level{SchreierTree(chain.base_point(l), chain.degree(), generators), {}};
    if (level.tree.size() != chain.orbit(l).size())
      throw InternalError("Symmetrizer: the generators of a stabilizer miss points of its orbit");
    for (const Permutation& g : generators) {
      const auto [at, is_new] =
          number.emplace(std::vector<Point>(g.images().begin(), g.images().end()), result.generators.size());
      level.generators.push_back(at->second);
      if (!is_new) continue;
      task.poll();
      result.generators.push_back(g);
      if (!real) continue;
      result.actions.emplace_back(V, U, g, task);
      bytes += result.actions.back().bytes();
      task.require_memory(bytes, "the matrices of the strong generators");
    }
    result.levels.push_back(std::move(level));
  }
  return result;
}

/// Calls f(entry, code) for entries first, ..., last - 1 in row-major order.
template <class F>
void for_each_code(const Codes& codes, std::uint64_t first, std::uint64_t last, const F& f) {
  std::visit(
      [&](const auto& list) {
        for (std::size_t k = first; k < last; ++k) f(k, static_cast<std::size_t>(list[k]));
      },
      codes);
}

/// How many entries are added up by themselves: so that sums of all parameters cost little beside them. It does not depend
/// on the threads, and so neither do rounded sums.
std::uint64_t entries_together(std::size_t params) {
  return std::max<std::uint64_t>(std::uint64_t{1} << 18U, 16 * std::uint64_t{params});
}

/// The sums over a range of entries, for every range in order: sums[p] of the entries of parameter p, by add(sum,
/// entry, negative).
template <class Sum, class Add, class Take>
void sum_over_orbits(const Orbits& orbits, std::uint64_t entries, const Add& add, const Take& take, const Task& task) {
  const std::size_t params = orbits.size.size();
  const std::uint64_t together = entries_together(params), most = task.threads();
  for (std::uint64_t start = 0; start < entries; start += together * most) {
    task.poll();
    const std::uint64_t ranges = std::min(most, (entries - start + together - 1) / together);
    std::vector<std::vector<Sum>> sums(ranges, std::vector<Sum>(params));
    task.share(ranges, 1, [&](std::uint64_t a, std::uint64_t b) {
      for (std::uint64_t r = a; r < b; ++r)
        for_each_code(orbits.codes, start + r * together, std::min(start + (r + 1) * together, entries),
                      [&](std::size_t k, std::size_t code) {
                        if (code == 0) return;
                        add(sums[r][code <= params ? code - 1 : code - 1 - params], k, code > params);
                      });
    });
    for (const std::vector<Sum>& part : sums) take(part);
  }
}

RationalMatrix orbit_means(const Orbits& orbits, const RationalMatrix& W, const Task& task) {
  const std::size_t params = orbits.size.size(), n = W.cols();
  std::vector<Integer> sums(params);
  const IntegerMatrix& N = W.numerator();
  sum_over_orbits<Integer>(
      orbits, W.rows() * n,
      [&](Integer& sum, std::size_t k, bool negative) {
        if (N.sign(k / n, k % n) == 0) return;
        if (negative)
          sum -= N(k / n, k % n);
        else
          sum += N(k / n, k % n);
      },
      [&](const std::vector<Integer>& part) {
        for (std::size_t p = 0; p < params; ++p) sums[p] += part[p];
      },
      task);
  Integer common = 1;
  for (std::size_t p = 0; p < params; ++p)
    if (sums[p] != 0) common = lcm(common, Integer(orbits.size[p] / gcd(sums[p], Integer(orbits.size[p]))));
  std::vector<Integer> means(params);
  for (std::size_t p = 0; p < params; ++p) means[p] = sums[p] * common / orbits.size[p];
  IntegerMatrix result(W.rows(), n);
  task.share(W.rows(), 1 + 16384 / n, [&](std::uint64_t first, std::uint64_t last) {
    for_each_code(orbits.codes, first * n, last * n, [&](std::size_t k, std::size_t code) {
      if (code == 0) return;
      const Integer& mean = means[code <= params ? code - 1 : code - 1 - params];
      if (mean != 0) result.set(k / n, k % n, code <= params ? mean : Integer(-mean));
    });
  });
  return {std::move(result), common * W.denominator()};
}

void orbit_means(const Orbits& orbits, std::span<const double> W, std::span<double> out, const Task& task) {
  const std::size_t params = orbits.size.size();
  std::vector<CompensatedSum> sums(params);
  sum_over_orbits<CompensatedSum>(
      orbits, W.size(), [&](CompensatedSum& sum, std::size_t k, bool negative) { sum.add(negative ? -W[k] : W[k]); },
      [&](const std::vector<CompensatedSum>& part) {
        for (std::size_t p = 0; p < params; ++p) sums[p].add(part[p]);
      },
      task);
  std::vector<double> value(2 * params + 1, 0.0);
  for (std::size_t p = 0; p < params; ++p) {
    value[1 + p] = sums[p].value() / static_cast<double>(orbits.size[p]);
    value[1 + params + p] = -value[1 + p];
  }
  task.share(W.size(), 1U << 16U, [&](std::uint64_t first, std::uint64_t last) {
    for_each_code(orbits.codes, first, last, [&](std::size_t k, std::size_t code) { out[k] = value[code]; });
  });
}

}  // namespace

struct Symmetrizer::State {
  State(const Representation& source, const Representation& target)
      : V(source), U(target), field(AbelianField::compositum(V.field(), U.field())) {}

  Representation V, U;
  AbelianField field;
  std::size_t rows = 0, cols = 0;
  std::variant<Orbits, Transversals> data;

  void require_shape(std::size_t m, std::size_t n) const {
    if (m != rows || n != cols)
      throw DomainError(fmt::format("Symmetrizer: a {} x {} matrix; maps from {} to {} are {} x {}", m, n,
                                    V.to_string(), U.to_string(), rows, cols));
  }
  void require_size(std::size_t size) const {
    if (size != rows * cols)
      throw DomainError(fmt::format("Symmetrizer: {} entries for a {} x {} matrix", size, rows, cols));
  }
  void require_real() const {
    if (!field.is_real())
      throw DomainError(
          fmt::format("S(W) in double precision is for real matrices; those of maps from {} to {} are over {}: "
                      "symmetrize exact numbers, or take real(V) of the representations",
                      V.to_string(), U.to_string(), field.to_string()));
  }
};

Symmetrizer::Symmetrizer(const Representation& V, const Representation& U, const Task& task, Method method) {
  if (!(V.group() == U.group()))
    throw DomainError(fmt::format("Symmetrizer: the representations belong to different groups, {} and {}",
                                  V.group().name(), U.group().name()));
  const std::uint64_t m = U.dimension(), n = V.dimension();
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  if (m > most || n > most || (m != 0 && n > most / m))
    throw LimitError(fmt::format("Symmetrizer: {} x {} entries exceed the limit of 2^40", m, n));
  const bool monomial = V.is_monomial() && U.is_monomial();
  if (method == Method::orbits && !monomial)
    throw DomainError("Symmetrizer: orbits need representations by signed permutations");
  if (method == Method::automatic) method = monomial ? Method::orbits : Method::transversals;
  const auto state = std::make_shared<State>(V, U);
  state->rows = m;
  state->cols = n;
  if (method == Method::transversals) {
    state->data = make_transversals(V, U, task);
  } else if (m == 0 || n == 0) {
    state->data = Orbits{};
  } else {
    const OrbitalPattern pattern = proved_orbits(V, U, task);
    state->data = Orbits{pattern.codes(task), pattern.orbit_size(task)};
  }
  state_ = state;
}

const Representation& Symmetrizer::source() const { return state_->V; }
const Representation& Symmetrizer::target() const { return state_->U; }
std::size_t Symmetrizer::rows() const { return state_->rows; }
std::size_t Symmetrizer::cols() const { return state_->cols; }
AbelianField Symmetrizer::field() const { return state_->field; }
Symmetrizer::Method Symmetrizer::method() const {
  return std::holds_alternative<Orbits>(state_->data) ? Method::orbits : Method::transversals;
}

FieldMatrix Symmetrizer::operator()(const FieldMatrix& W, const Task& task) const {
  state_->require_shape(W.rows(), W.cols());
  if (rows() == 0 || cols() == 0) return W.over(AbelianField::compositum(field(), W.field()));
  if (const auto* orbits = std::get_if<Orbits>(&state_->data))
    return by_coordinates(W, [&](const RationalMatrix& X) { return orbit_means(*orbits, X, task); });
  const auto& chain = std::get<Transversals>(state_->data);
  const AbelianField K = AbelianField::compositum(field(), W.field());
  // W, what is added up beside it and a product, a word a coordinate at least.
  task.require_memory(std::uint64_t{rows()} * cols() * K.degree() * 24, "the sums over transversals");
  ExactSum result{W.over(K)};
  std::map<std::size_t, ExactAction> actions;
  // The sum over G is that over the stabilizer H of the sum over representatives of the cosets H u: G comes first.
  for (const Transversal& level : chain.levels) {
    // Strong generators of a stabilizer mostly have served further up.
    std::erase_if(actions, [&](const auto& known) {
      return std::ranges::find(level.generators, known.first) == level.generators.end();
    });
    for (const std::size_t g : level.generators)
      if (!actions.contains(g)) actions.try_emplace(g, state_->V, state_->U, chain.generators[g], K);
    result = level.tree.sum(result, [&](std::uint32_t s, const ExactSum& X) {
      task.poll();
      return ExactSum{actions.at(level.generators[s])(X.value)};
    });
    result.value = Cyclotomic(Rational(1, level.tree.size())) * result.value;
  }
  return result.value;
}

void Symmetrizer::apply(std::span<const double> W, std::span<double> out, const Task& task) const {
  state_->require_size(W.size());
  state_->require_size(out.size());
  if (const auto* orbits = std::get_if<Orbits>(&state_->data)) return orbit_means(*orbits, W, out, task);
  state_->require_real();
  const auto& chain = std::get<Transversals>(state_->data);
  RealSum result{{W.begin(), W.end()}};
  for (const Transversal& level : chain.levels) {
    result = level.tree.sum(result, [&](std::uint32_t s, const RealSum& X) {
      task.poll();
      return RealSum{chain.actions[level.generators[s]](X.values, task)};
    });
    const auto size = static_cast<double>(level.tree.size());
    for (double& x : result.values) x /= size;
  }
  std::ranges::copy(result.values, out.begin());
}

std::size_t Symmetrizer::generators() const { return state_->V.group().generators().size(); }

std::string Symmetrizer::method_text() const {
  return method() == Method::orbits ? "means over the orbits of the entries"
                                    : "means over the transversals of the stabilizer chain";
}

FieldMatrix EquivariantProjection::by_coordinates(const FieldMatrix& W,
                                                  const std::function<RationalMatrix(const RationalMatrix&)>& S) {
  if (W.field().is_rational()) return S(W.coefficients());
  std::vector<RationalMatrix> parts;
  for (std::size_t t = 0; t < W.field().degree(); ++t)
    parts.push_back(S(W.coefficients().block(0, t * W.cols(), W.rows(), W.cols())));
  return {W.field(), horizontal_stack(parts), W.cols()};
}

FieldMatrix EquivariantProjection::complement(const FieldMatrix& W, const Task& task) const {
  return W - (*this)(W, task);
}

Cyclotomic EquivariantProjection::squared_residual(const FieldMatrix& W, const Task& task) const {
  return squared_ratio(complement(W, task), W);
}

double EquivariantProjection::residual(std::span<const double> W, const Task& task) const {
  std::vector<double> rest(W.size());
  apply(W, rest, task);
  for (std::size_t k = 0; k < rest.size(); ++k) rest[k] = W[k] - rest[k];
  const double size = norm(W);
  return size == 0 ? 0 : norm(rest) / size;
}

std::optional<std::size_t> Symmetrizer::failing_generator(const FieldMatrix& W, const Task& task) const {
  state_->require_shape(W.rows(), W.cols());
  const AbelianField K = AbelianField::compositum(field(), W.field());
  const FieldMatrix X = W.over(K);
  const auto& generators = state_->V.group().generators();
  for (std::size_t k = 0; k < generators.size() && rows() != 0 && cols() != 0; ++k) {
    task.poll();
    if (!(ExactAction(state_->V, state_->U, generators[k], K)(X) == X)) return k;
  }
  return std::nullopt;
}

double Symmetrizer::defect(std::span<const double> W, const Task& task) const {
  state_->require_size(W.size());
  state_->require_real();
  double largest = 0;
  for (const Permutation& g : state_->V.group().generators()) {
    if (W.empty()) break;
    const std::vector<double> moved = RealAction(state_->V, state_->U, g, task)({W.begin(), W.end()}, task);
    for (std::size_t k = 0; k < moved.size(); ++k) largest = std::max(largest, std::abs(moved[k] - W[k]));
  }
  return largest;
}

Symmetrization symmetrize(const EquivariantProjection& S, const FieldMatrix& W, const Task& task) {
  FieldMatrix matrix = S(W, task);
  if (!S.is_equivariant(matrix, task)) throw InternalError("symmetrize: S(W) is not equivariant");
  const Cyclotomic squared = squared_ratio(W - matrix, W);
  return {
      S.rows(), S.cols(), S.generators(), S.method_text(), std::move(matrix), std::sqrt(squared.to_complex().real()),
      squared,  0};
}

Symmetrization symmetrize(const EquivariantProjection& S, std::span<const double> W, const Task& task) {
  std::vector<double> matrix(W.size());
  S.apply(W, matrix, task);
  const double defect = S.defect(matrix, task);
  const double residual = S.residual(W, task);
  return {S.rows(), S.cols(), S.generators(), S.method_text(), std::move(matrix), residual, {}, defect};
}

FieldMatrix invariant_part(const Representation& U, const FieldMatrix& b, const Task& task) {
  const std::uint64_t count = b.cols();
  return Symmetrizer(count * trivial_representation(U.group()), U, task)(b, task);
}

IntegerMatrix invariant_form(const Representation& V, const Task& task) {
  if (!V.field().is_rational())
    throw DomainError(fmt::format("invariant_form: the matrices of {} are over {}; take rational(V)", V.to_string(),
                                  V.field().to_string()));
  const Symmetrizer S(V, dual(V), task);
  const RationalMatrix B = S(RationalMatrix::identity(S.rows()), task).to_rational();
  if (!(B.transpose() == B) || !S.is_equivariant(B, task))
    throw InternalError("invariant_form: the mean form of " + V.to_string() + " is not invariant");
  const Integer content = B.numerator().content();
  return content == 0 ? B.numerator() : exact_quotient(B.numerator(), content);
}

}  // namespace intertwine
