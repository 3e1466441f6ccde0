#include "equivariant/column_move.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "support/random.hpp"

using namespace intertwine;

namespace {

/// The definition.
template <class Code>
std::vector<Code> carried(const SignedPermutation& g, const std::vector<Code>& parent, bool negate, Code zeros,
                          Code params) {
  std::vector<Code> child(parent.size());
  for (Point c = 0; c < parent.size(); ++c) {
    Code code = parent[c];
    if (g(c).negative() != negate && code >= zeros)
      code = static_cast<Code>(code < zeros + params ? code + params : code - params);
    child[g(c).point()] = code;
  }
  return child;
}

template <class Code>
void require_move(const SignedPermutation& g, Code zeros, Code params, Rng& rng) {
  const ColumnMove move(g);
  std::vector<Code> parent(g.degree());
  for (Code& code : parent)
    code = static_cast<Code>(rng.below(static_cast<std::uint64_t>(zeros) + 2 * static_cast<std::uint64_t>(params)));
  for (const bool negate : {false, true}) {
    std::vector<Code> child(g.degree(), Code{77});
    move.apply(parent.data(), child.data(), negate, SignedCodes<Code>{zeros, params});
    CAPTURE(g.degree(), negate, sizeof(Code));
    REQUIRE(child == carried(g, parent, negate, zeros, params));
  }
}

void require_moves(const SignedPermutation& g, Rng& rng) {
  require_move<std::uint8_t>(g, 1, 127, rng);
  require_move<std::uint8_t>(g, 250, 3, rng);
  require_move<std::uint16_t>(g, 1, 32767, rng);
  require_move<std::int32_t>(g, 1, (1 << 30) - 1, rng);
  require_move<std::uint32_t>(g, 5, 1U << 30, rng);
}

SignedPermutation with_signs(std::vector<Point> images, Rng& rng, std::uint64_t kind) {
  std::vector<SignedPoint> result;
  bool negative = false;
  for (const Point x : images) {
    if (kind == 2 || (kind == 1 && rng.below(20) == 0)) negative = rng.below(2) == 1;  // runs of signs, or any
    result.emplace_back(x, negative);
  }
  return SignedPermutation(result);
}

}  // namespace

TEST_CASE("moves of every structure do what the permutation says", "[equivariant][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 400 * test_multiplier(); ++trial) {
    const auto n = static_cast<Point>(trial < 20 ? trial : 1 + rng.below(300));
    std::vector<Point> images(n);
    std::iota(images.begin(), images.end(), Point{0});
    switch (rng.below(6)) {
      case 0:  // anything: gathered
        for (Point i = n; i > 1; --i) std::swap(images[i - 1], images[rng.below(i)]);
        break;
      case 1:  // one shift
        if (n > 0)
          std::rotate(images.begin(), images.begin() + static_cast<std::ptrdiff_t>(rng.below(n)), images.end());
        break;
      case 2: {  // a shift with a few points exchanged: runs with gaps, neighbouring ones among them
        if (n > 1)
          std::rotate(images.begin(), images.begin() + static_cast<std::ptrdiff_t>(rng.below(n)), images.end());
        for (std::uint64_t k = rng.below(6); k > 0 && n > 1; --k) {
          const auto a = rng.below(n),
                     b = rng.below(2) == 0 ? std::min<std::uint64_t>(a + 1 + rng.below(3), n - 1) : rng.below(n);
          std::swap(images[a], images[b]);
        }
        break;
      }
      case 3: {  // blocks of equal length permuted
        const Point block = 1 + static_cast<Point>(rng.below(40)), count = n / block;
        std::vector<Point> order(count);
        std::iota(order.begin(), order.end(), Point{0});
        for (Point i = count; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
        for (Point i = 0; i < count * block; ++i) images[i] = order[i / block] * block + i % block;
        break;
      }
      case 4:  // a reflection
        std::reverse(images.begin(), images.end());
        break;
      default:  // two shifts interleaved at a distance
        for (Point i = 0; i + 20 <= n; i += 20)
          std::rotate(images.begin() + i, images.begin() + i + 1, images.begin() + i + 20);
    }
    require_moves(with_signs(images, rng, rng.below(3)), rng);
  }
}

TEST_CASE("copying in runs is the cheaper the longer they are", "[equivariant][quick]") {
  auto rng = test_rng();
  const SignedPermutation identity = SignedPermutation::identity(4096), any(random_permutation(4096, rng));
  REQUIRE(ColumnMove(identity).cost() < ColumnMove(any).cost());
}

TEST_CASE("negation of codes is an involution that fixes the zeros", "[equivariant][quick]") {
  const SignedCodes<std::uint8_t> table{1, 127}, local{3, 100};
  for (int code = 0; code < 255; ++code) {
    const auto c = static_cast<std::uint8_t>(code);
    REQUIRE(table.negated(table.negated(c)) == c);
    REQUIRE((table.negated(c) == c) == (c == 0));
    if (code < 203) REQUIRE(local.negated(local.negated(c)) == c);
    if (code < 203) REQUIRE((local.negated(c) == c) == (c < 3));
  }
}
