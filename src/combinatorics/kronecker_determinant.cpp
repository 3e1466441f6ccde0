// Kronecker products by the Jacobi-Trudi determinant: chi^lambda = det(h_{lambda_i - i + j}), and multiplying
// by the permutation character h_alpha is restricting to a Young subgroup and inducing back, which is
// Littlewood-Richardson.
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <unordered_map>

#include "combinatorics/four_rows.hpp"
#include "combinatorics/skew_multiply.hpp"
#include "combinatorics/strips.hpp"
#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/checked_words.hpp"

namespace intertwine {

namespace {

constexpr int max_rows = 16;

void require_rows(const Partition& lambda) {
  if (lambda.length() > max_rows)
    throw LimitError("kronecker: the determinant of " + to_string(lambda) + " has " + std::to_string(lambda.length()) +
                     " rows; the limit is " + std::to_string(max_rows));
}

/// The partitions inside `outer`, by weight.
std::vector<std::vector<Partition>> inside_by_weight(const Partition& outer, const Task& task) {
  std::vector<std::vector<Partition>> result(outer.weight() + 1);
  for (Partition& p : partitions_inside(outer, 20'000'000, task)) result[p.weight()].push_back(std::move(p));
  return result;
}

}  // namespace

SchurSum kronecker_product_by_determinant(const Partition& lambda, const Partition& mu, const Task& task) {
  if (lambda.weight() != mu.weight())
    throw DomainError("kronecker_product: " + to_string(lambda) + " and " + to_string(mu) + " have different weights");
  if (mu.length() < lambda.length()) return kronecker_product_by_determinant(mu, lambda, task);
  require_rows(lambda);
  const int rows = lambda.length();
  const auto inside = inside_by_weight(mu, task);
  // level[S][beta]: rows 0, 1, ... of the determinant expanded in the columns S, on the part of mu outside
  // beta.
  std::map<unsigned, std::map<Partition, SchurSum>> level{{0u, {{Partition(), SchurSum(Partition())}}}};
  for (int i = 0; i < rows; ++i) {
    std::map<unsigned, std::map<Partition, std::vector<SchurTerm>>> terms;
    for (const auto& [columns, sums] : level)
      for (int j = 0; j < rows; ++j) {
        const int size = lambda[i] - i + j;
        if (columns >> j & 1 || size < 0) continue;
        const int sign = std::popcount(columns >> j) % 2 ? -1 : 1;
        for (const auto& [inner, sum] : sums) {
          const int weight = inner.weight() + size;
          if (weight > mu.weight()) continue;
          for (const Partition& outer : inside[weight]) {
            if (!outer.contains(inner)) continue;
            const SchurSum product = Integer(sign) * detail::multiply_by_skew(sum, outer, inner, {}, task);
            auto& target = terms[columns | 1u << j][outer];
            target.insert(target.end(), product.begin(), product.end());
          }
        }
      }
    level.clear();
    for (auto& [columns, sums] : terms)
      for (auto& [outer, list] : sums) {
        SchurSum sum(std::move(list));
        if (sum.size() > 0) level[columns].emplace(outer, std::move(sum));
      }
  }
  const auto& last = level[(1u << rows) - 1];
  return last.empty() ? SchurSum() : last.begin()->second;
}

namespace {

using checked::add_to;
using checked::times;

template <class Count>
using Matrix = std::vector<std::vector<Count>>;

template <class Count>
Matrix<Count> zeros(std::size_t rows, std::size_t cols) {
  return Matrix<Count>(rows, std::vector<Count>(cols));
}

/// a^T b, skipping zeros.
template <class Count>
Matrix<Count> transposed_product(const Matrix<Count>& a, const Matrix<Count>& b, const Task& task) {
  Matrix<Count> c = zeros<Count>(a.empty() ? 0 : a[0].size(), b.empty() ? 0 : b[0].size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    task.poll();
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (a[k][i] == 0) continue;
      for (std::size_t j = 0; j < c[i].size(); ++j)
        if (b[k][j] != 0) add_to(c[i][j], times(a[k][i], b[k][j]));
    }
  }
  return c;
}

/// One coefficient <det(h) * s_mu, s_nu>: the rows of the determinant in two parts that meet in the middle.
template <class Count>
class MiddleMeeting {
 public:
  MiddleMeeting(const Partition& lambda, const Partition& mu, const Partition& nu, const Task& task)
      : lambda_(lambda),
        mu_(mu),
        nu_(nu),
        task_(task),
        in_mu_(inside_by_weight(mu, task)),
        in_nu_(inside_by_weight(nu, task)) {
    std::vector<int> both;
    for (int i = 0; i < std::min(mu.length(), nu.length()); ++i) both.push_back(std::min(mu[i], nu[i]));
    in_both_ = inside_by_weight(Partition(both), task);
    frame_.rows = std::max(mu.length(), nu.length());
    frame_.limit.assign(frame_.rows, -1);
    frame_.limit[0] = std::max(mu[0], nu[0]);
  }

  /// How many products of Schur functions the best split of the rows needs, about.
  Integer cost() const { return cost(split()); }

  Integer coefficient() {
    for (const auto* inside : {&in_mu_, &in_nu_})
      for (const auto& level : *inside)
        for (std::size_t i = 0; i < level.size(); ++i)
          (inside == &in_mu_ ? number_mu_ : number_nu_).emplace(level[i], i);
    const int rows = lambda_.length();
    const unsigned all = (1u << rows) - 1, top = split();
    Count total = 0;
    for (unsigned columns = 0; columns <= all; ++columns) {
      if (std::popcount(columns) != std::popcount(top)) continue;
      int size = 0, parity = 0;  // Laplace: the sign is that of the sum of the row and column numbers
      for (int i = 0; i < rows; ++i) {
        if (top >> i & 1) size += lambda_[i] - i, parity += i;
        if (columns >> i & 1) size += i, parity += i;
      }
      const int rest = mu_.weight() - size;
      if (size < 0 || rest < 0) continue;
      const Count value = trace(minor(top, columns, size), minor(all & ~top, all & ~columns, rest), size, rest);
      add_to(total, parity % 2 ? Count(-value) : value);
    }
    return Integer(total);
  }

 private:
  /// Up to this weight four rows are multiplied by enumerating tableaux: beyond, multiplicities are large.
  static constexpr int enumerated_weight = 80;
  using Shape = std::vector<int>;
  using ShapeSum = std::vector<std::pair<Shape, Integer>>;

  Integer cost(unsigned set) const {
    Integer part[2] = {1, 1};
    for (int i = 0; i < lambda_.length(); ++i)
      part[set >> i & 1] *= in_both_[std::min<std::size_t>(lambda_[i], in_both_.size() - 1)].size();
    return part[0] + part[1];
  }

  /// The half of the rows for which this is least.
  unsigned split() const {
    const int rows = lambda_.length(), half = (rows + 1) / 2;
    unsigned best = (1u << half) - 1;
    for (unsigned set = 0; set < 1u << rows; ++set)
      if (std::popcount(set) == half && cost(set) < cost(best)) best = set;
    return best;
  }

  /// Sum over bijections of the rows to the columns, with sign, of sum over tau_i |- h_i of c^beta_tau c^gamma_tau, as a matrix in beta
  /// inside mu and gamma inside nu.
  Matrix<Count> minor(unsigned rows, unsigned columns, int size) {
    result_ = zeros<Count>(in_mu_[size].size(), in_nu_[size].size());
    if (std::is_same_v<Count, std::int64_t> && std::popcount(rows) == 2 &&
        frame_.rows <= detail::FourRowProducts::rows && mu_.weight() <= enumerated_weight)
      multiply_pairs(std::countr_zero(rows), std::bit_width(rows) - 1, columns, size);
    else
      distribute(rows, columns, 1, {{Shape(frame_.rows), 1}});
    return std::move(result_);
  }

  void distribute(unsigned rows, unsigned columns, int sign, const ShapeSum& product) {
    if (rows == 0) {
      add_outer(product, sign);
      return;
    }
    const int row = std::countr_zero(rows);
    for (int j = 0; columns >> j != 0; ++j) {
      const int part = lambda_[row] - row + j;
      if (!(columns >> j & 1) || part < 0 || part >= static_cast<int>(in_both_.size())) continue;
      const int next_sign = std::popcount(columns & ((1u << j) - 1)) % 2 ? -sign : sign;
      for (const Partition& tau : in_both_[part]) {
        task_.poll();
        distribute(rows & (rows - 1), columns & ~(1u << j), next_sign,
                   detail::add_strips(product, detail::rows_as_strips(tau.parts(), {}), frame_, task_));
      }
    }
  }

  /// distribute() for two rows of the determinant where all shapes have at most four.
  void multiply_pairs(int first, int second, unsigned columns, int size) {
    std::vector<int> hull;
    for (int i = 0; i < frame_.rows; ++i) hull.push_back(std::max(mu_[i], nu_[i]));
    detail::FourRowProducts products{Partition(hull)};
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<std::uint32_t> of_mu(products.places(), none), of_nu = of_mu;
    for (std::size_t k = 0; k < in_mu_[size].size(); ++k)
      of_mu[products.place(products.rows_of(in_mu_[size][k]))] = static_cast<std::uint32_t>(k);
    for (std::size_t k = 0; k < in_nu_[size].size(); ++k)
      of_nu[products.place(products.rows_of(in_nu_[size][k]))] = static_cast<std::uint32_t>(k);
    const std::size_t width = in_nu_[size].size();
    std::vector<std::int64_t> sum(in_mu_[size].size() * width);
    std::int64_t bound = 0;  // of every entry; leaving 64 bits it throws, so that sums need no check
    std::vector<std::pair<std::uint32_t, std::int64_t>> left, right;
    const int low = std::countr_zero(columns), high = std::bit_width(columns) - 1;
    for (const auto& [j, k, sign] : {std::array{low, high, 1}, std::array{high, low, -1}}) {
      const int a = lambda_[first] - first + j, b = lambda_[second] - second + k;
      if (std::min(a, b) < 0 || std::max(a, b) >= static_cast<int>(in_both_.size())) continue;
      for (const Partition& sigma : in_both_[a]) {
        task_.poll();
        for (const Partition& tau : in_both_[b]) {
          left.clear();
          right.clear();
          std::int64_t most_left = 0, most_right = 0;
          products.multiply(sigma, tau, [&](std::size_t place, std::int64_t c) {
            if (of_mu[place] != none) left.emplace_back(of_mu[place], c), most_left = std::max(most_left, c);
            if (of_nu[place] != none) right.emplace_back(of_nu[place], c), most_right = std::max(most_right, c);
          });
          checked::add_to(bound, checked::times(most_left, most_right));
          for (const auto& [row, x] : left) {
            std::int64_t* const target = sum.data() + row * width;
            for (const auto& [column, y] : right) target[column] += sign * x * y;
          }
        }
      }
    }
    for (std::size_t i = 0; i < result_.size(); ++i)
      for (std::size_t j = 0; j < width; ++j) result_[i][j] = Count(sum[i * width + j]);
  }

  void add_outer(const ShapeSum& product, int sign) {
    left_.clear();
    right_.clear();
    for (const auto& [shape, coefficient] : product) {
      const Count c = static_cast<Count>(coefficient);
      const Partition partition(shape);
      if (const auto at = number_mu_.find(partition); at != number_mu_.end()) left_.emplace_back(at->second, c);
      if (const auto at = number_nu_.find(partition); at != number_nu_.end()) right_.emplace_back(at->second, sign * c);
    }
    for (const auto& [i, a] : left_)
      for (const auto& [j, b] : right_) add_to(result_[i][j], times(a, b));
  }

  /// c^outer_{inner kappa} for inner of weight `size` and kappa of weight `rest`, both inside outer.
  Matrix<Count> skews(const Partition& outer, const std::vector<std::vector<Partition>>& inside,
                      const std::unordered_map<Partition, std::size_t>& number, int size, int rest) {
    Matrix<Count> result = zeros<Count>(inside[size].size(), inside[rest].size());
    for (std::size_t i = 0; i < inside[size].size(); ++i)
      for (const SchurTerm& term : skew_schur(outer, inside[size][i], {}, task_))
        result[i][number.at(term.partition)] = static_cast<Count>(term.coefficient);
    return result;
  }

  /// sum M_{beta gamma} c^mu_{beta kappa} N_{kappa iota} c^nu_{gamma iota}.
  Count trace(const Matrix<Count>& M, const Matrix<Count>& N, int size, int rest) {
    const Matrix<Count> left =
        transposed_product(skews(mu_, in_mu_, number_mu_, size, rest), M, task_);  // kappa x gamma
    const Matrix<Count> both = transposed_product(N, left, task_);                 // iota x gamma
    const Matrix<Count> right = skews(nu_, in_nu_, number_nu_, size, rest);        // gamma x iota
    Count total = 0;
    for (std::size_t gamma = 0; gamma < right.size(); ++gamma)
      for (std::size_t iota = 0; iota < right[gamma].size(); ++iota)
        if (right[gamma][iota] != 0) add_to(total, times(both[iota][gamma], right[gamma][iota]));
    return total;
  }

  const Partition lambda_, mu_, nu_;
  const Task& task_;
  std::vector<std::vector<Partition>> in_mu_, in_nu_, in_both_;
  std::unordered_map<Partition, std::size_t> number_mu_, number_nu_;  ///< within each weight
  detail::Frame frame_;
  std::vector<std::pair<std::size_t, Count>> left_, right_;
  Matrix<Count> result_;
};

}  // namespace

Integer kronecker_coefficient_by_determinant(const Partition& lambda, const Partition& mu, const Partition& nu,
                                             const Task& task) {
  if (lambda.weight() != mu.weight() || mu.weight() != nu.weight()) return 0;
  if (lambda.empty()) return 1;
  require_rows(lambda);
  try {
    return MiddleMeeting<std::int64_t>(lambda, mu, nu, task).coefficient();
  } catch (const checked::Overflow&) {
    return MiddleMeeting<Integer>(lambda, mu, nu, task).coefficient();
  }
}

Integer kronecker_coefficient(const Partition& lambda, const Partition& mu, const Partition& nu, const Task& task) {
  if (lambda.weight() != mu.weight() || mu.weight() != nu.weight()) return 0;
  const int n = lambda.weight();
  if (n <= 24) return kronecker_coefficient_by_characters(lambda, mu, nu, task);
  // g is unchanged when two of the three are conjugated, and when they are permuted: fewest rows first, the
  // others short.
  std::vector<std::array<Partition, 3>> forms;
  const std::array<Partition, 3> given{lambda, mu, nu};
  for (int kept = -1; kept < 3; ++kept) {
    std::array<Partition, 3> form = given;
    for (int f = 0; f < 3; ++f)
      if (kept >= 0 && f != kept) form[f] = given[f].conjugate();
    std::sort(form.begin(), form.end(), [](const Partition& a, const Partition& b) { return a.length() < b.length(); });
    forms.push_back(form);
  }
  const auto& best = *std::min_element(forms.begin(), forms.end(), [](const auto& a, const auto& b) {
    return std::pair(a[0].length(), a[1].length() + a[2].length()) <
           std::pair(b[0].length(), b[1].length() + b[2].length());
  });
  if (best[0].length() > 4 && n <= 45) return kronecker_coefficient_by_characters(lambda, mu, nu, task);
  // A bound of lambda's rows on nu's: g vanishes unless length(nu) <= length(lambda) length(mu).
  if (best[2].length() > best[0].length() * best[1].length()) return 0;
  // Which of the shortest is expanded changes the number of products.
  std::array<Partition, 3> chosen = best;
  Integer least = -1;
  for (int f = 0; f < 3 && best[f].length() == best[0].length(); ++f) {
    require_rows(best[f]);
    const Integer cost = MiddleMeeting<std::int64_t>(best[f], best[(f + 1) % 3], best[(f + 2) % 3], task).cost();
    if (least < 0 || cost < least) {
      least = cost;
      chosen = {best[f], best[(f + 1) % 3], best[(f + 2) % 3]};
    }
  }
  return kronecker_coefficient_by_determinant(chosen[0], chosen[1], chosen[2], task);
}

}  // namespace intertwine
