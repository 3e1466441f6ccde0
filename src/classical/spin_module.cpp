// Spinors of Spin(n) by real Clifford modules.
#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "continuous_node.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

/// A matrix with one entry 1 or -1 in every column.
struct SignedMap {
  std::vector<std::uint32_t> row;
  std::vector<int> sign;
};

SignedMap times(const SignedMap& A, const SignedMap& B) {
  SignedMap out{std::vector<std::uint32_t>(B.row.size()), std::vector<int>(B.row.size())};
  for (std::size_t c = 0; c < B.row.size(); ++c) {
    out.row[c] = A.row[B.row[c]];
    out.sign[c] = A.sign[B.row[c]] * B.sign[c];
  }
  return out;
}
SignedMap negative(SignedMap A) {
  for (int& s : A.sign) s = -s;
  return A;
}
SignedMap kronecker(const SignedMap& A, const SignedMap& B) {
  SignedMap out;
  for (std::size_t i = 0; i < A.row.size(); ++i)
    for (std::size_t j = 0; j < B.row.size(); ++j) {
      out.row.push_back(static_cast<std::uint32_t>(A.row[i] * B.row.size() + B.row[j]));
      out.sign.push_back(A.sign[i] * B.sign[j]);
    }
  return out;
}
SignedMap unit_map(std::size_t size) {
  SignedMap out{std::vector<std::uint32_t>(size), std::vector<int>(size, 1)};
  for (std::size_t i = 0; i < size; ++i) out.row[i] = static_cast<std::uint32_t>(i);
  return out;
}

/// Kronecker products of 2 x 2 matrices: I, X = [[0,1],[1,0]], Z = diag(1,-1) and E = [[0,-1],[1,0]], of square -1.
SignedMap word_map(std::string_view word) {
  SignedMap out = unit_map(1);
  for (const char letter : word)
    out = kronecker(out, letter == 'I'   ? unit_map(2)
                         : letter == 'X' ? SignedMap{{1, 0}, {1, 1}}
                         : letter == 'Z' ? SignedMap{{0, 1}, {1, -1}}
                                         : SignedMap{{1, 0}, {1, -1}});
  return out;
}

/// Products of an odd number of E that anticommute: the most on 2, 4, 8 and 16 dimensions, by the theorem of Radon and
/// Hurwitz.
constexpr std::array<std::string_view, 1> on_2{"E"};
constexpr std::array<std::string_view, 3> on_4{"EX", "EZ", "IE"};
constexpr std::array<std::string_view, 7> on_8{"EEE", "EXI", "EZI", "XIE", "ZIE", "IEX", "IEZ"};
constexpr std::array<std::string_view, 8> on_16{"EEEX", "EEEZ", "EEIE", "EXII", "EZII", "XIEI", "XIXE", "XIZE"};

/// k anticommuting matrices of square -1, on the least dimension that has them.
std::vector<SignedMap> anticommuting(unsigned k) {
  std::vector<SignedMap> out;
  const auto take = [&](const auto& words, unsigned count) {
    for (unsigned i = 0; i < count; ++i) out.push_back(word_map(words[i]));
  };
  if (k <= 1) {
    take(on_2, k);
  } else if (k <= 3) {
    take(on_4, k);
  } else if (k <= 7) {
    take(on_8, k);
  } else {
    // Period 8: eight on 16 dimensions beside k - 8 others, which are twisted by the product of the eight, of square 1.
    take(on_16, 8);
    if (k == 8) return out;
    const std::vector<SignedMap> rest = anticommuting(k - 8);
    const std::size_t size = rest[0].row.size();
    SignedMap product = unit_map(16);
    for (const SignedMap& J : out) product = times(product, J);
    for (SignedMap& J : out) J = kronecker(J, unit_map(size));
    for (const SignedMap& J : rest) out.push_back(kronecker(product, J));
  }
  return out;
}

/// The dimension of anticommuting(k).
std::uint64_t clifford_dimension(unsigned k) {
  constexpr std::array<std::uint64_t, 8> least{1, 2, 4, 4, 8, 8, 8, 8};
  std::uint64_t dimension = least[k % 8];
  for (unsigned i = 0; i < k / 8; ++i) dimension *= 16;
  return dimension;
}

}  // namespace

ContinuousRepresentation spinor_representation(const ContinuousGroup& G, int half) {
  const auto* classical = G.is_product() ? nullptr : std::get_if<ClassicalGroup>(&G.factors().front());
  if (classical == nullptr || classical->family() != ClassicalGroup::Family::Spin)
    throw DomainError(fmt::format("spinors are of Spin(n), not of {}", G.name()));
  const unsigned n = classical->dimension();
  const bool halves = n % 4 == 0;
  if (half != 0 && !halves)
    throw DomainError(
        fmt::format("the real spinor of {} has no halves; those of Spin(4), Spin(8), Spin(12), ... have", G.name()));
  if (halves && half == 0) return spinor_representation(G, 1) + spinor_representation(G, -1);
  const std::uint64_t dimension = clifford_dimension(n - 1);
  if (dimension > ContinuousRepresentation::max_functor_dimension)
    throw LimitError(fmt::format("the spinor of {} has dimension {}, more than {}", G.name(), dimension,
                                 ContinuousRepresentation::max_functor_dimension));
  // e_0 e_j is J_j, and e_i e_j = -(e_0 e_i)(e_0 e_j) for 0 < i < j.
  std::vector<SignedMap> J = anticommuting(n - 1);
  const auto plane = [&](unsigned a, unsigned b) { return a == 0 ? J[b - 1] : negative(times(J[a - 1], J[b - 1])); };
  if (halves) {
    // e_0 e_1 ... e_(n-1) is i^(n/2) times the signs of a weight: they are to multiply to `half`.
    SignedMap volume = unit_map(static_cast<std::size_t>(dimension));
    for (unsigned k = 0; k < n; k += 2) volume = times(volume, plane(k, k + 1));
    const int sign = volume.sign[0] * (n % 8 == 0 ? 1 : -1);
    if (sign != half)
      for (SignedMap& map : J) map = negative(std::move(map));
  }
  ContinuousNode::Spinor spinor{{}, half};
  for (unsigned a = 0; a < n; ++a)
    for (unsigned b = a + 1; b < n; ++b) {
      const SignedMap map = plane(a, b);
      for (std::uint32_t c = 0; c < dimension; ++c)
        spinor.entries.push_back({a, b, map.row[c], c, Rational(map.sign[c], 2)});
    }
  return made({std::move(spinor), G, dimension});
}

}  // namespace intertwine
