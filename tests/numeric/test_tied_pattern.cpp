// theta -> W and dW -> dtheta: against the plain reference, at every instruction-set level, on 1 and 2 threads.
#include <catch2/catch.hpp>
#include <limits>

#include "intertwine/error.hpp"
#include "numeric/patterns.hpp"

using namespace intertwine;
using namespace test_patterns;

namespace {

const std::vector<Multiplicity> multiplicities = {{1, 1}, {2, 3}};

template <class T>
void materialise_like_reference(Rng& rng) {
  for (const Shape& shape : shapes())
    for (const Kind kind : {Kind::dense, Kind::sparse})
      for (const Multiplicity c : multiplicities) {
        const TiedPattern pattern = random_pattern(shape, kind, rng);
        const auto theta = random_numbers<T>(shape.params * c.out * c.in, rng);
        const auto expected = reference_weights(pattern, c, theta);
        CAPTURE(shape.rows, shape.cols, shape.params, c.out, c.in);
        for (const InstructionSet level : levels()) {
          const Level forced(level);
          for (const unsigned threads : {1U, 2U}) {
            std::vector<T> W(expected.size());
            materialise<T>(pattern, c, theta, W, 0, threads);
            REQUIRE(same_bits(W, expected));
          }
        }
      }
}

template <class T>
std::vector<double> widened(const std::vector<T>& numbers) {
  std::vector<double> out;
  for (const T x : numbers) out.push_back(static_cast<double>(to_number(x)));
  return out;
}

template <class T>
void check_reduction(const TiedPattern& pattern, Multiplicity c, Rng& rng) {
  const auto dW = random_numbers<T>(c.out * pattern.rows() * c.in * pattern.cols(), rng);
  const auto [expected, size] = reference_reduction(pattern, c, widened(dW));
  std::vector<SumOf<T>> first;
  for (const InstructionSet level : levels()) {
    const Level forced(level);
    for (const unsigned threads : {1U, 2U}) {
      std::vector<SumOf<T>> got(expected.size(), SumOf<T>(7));
      reduce_gradient<T>(pattern, c, dW, got, 0, threads);
      if (first.empty()) first = got;
      CAPTURE(to_string(level), threads, pattern.reduction());
      REQUIRE(same_bits(got, first));
      const double unit = std::numeric_limits<SumOf<T>>::epsilon();
      for (std::size_t k = 0; k < got.size(); ++k)
        REQUIRE(std::abs(static_cast<double>(got[k]) - expected[k]) <= 200 * unit * size[k]);
    }
  }
}

/// Rows of codes that do not lie in memory.
class Elsewhere final : public CodeRows {
 public:
  Elsewhere(std::uint64_t side, std::uint64_t params) : side_(side), params_(params) {}
  std::uint64_t rows() const override { return side_; }
  std::uint64_t cols() const override { return side_; }
  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    for (std::uint64_t j = 0; j < side_; ++j) out[j] = static_cast<std::int32_t>((i * side_ + j) % (2 * params_ + 1));
  }

 private:
  std::uint64_t side_, params_;
};

}  // namespace

TEST_CASE("codes that lie elsewhere are read into the fewest bytes", "[numeric][quick]") {
  const std::uint64_t side = 300;
  for (const auto& [params, bytes] :
       {std::pair<std::uint64_t, std::uint64_t>{127, 1}, {128, 2}, {32767, 2}, {32768, 4}}) {
    CAPTURE(params);
    const auto rows = std::make_shared<Elsewhere>(side, params);
    const PreparedPattern pattern(WeightPattern{side, side, params, tied_entries(rows, params)});
    REQUIRE(pattern.stored_bytes() == bytes * side * side);
    for (const std::uint64_t at : {0UL, 255UL, 256UL, 65534UL, 65535UL, 89999UL})
      REQUIRE(pattern.tied().code(at / side, at % side) == at % (2 * params + 1));
    REQUIRE_THROWS_AS(PreparedPattern(WeightPattern{side, side, params, tied_entries(rows, params)},
                                      Task(bytes * side * side - 1, 0, {})),
                      LimitError);
  }
}

TEST_CASE("codes without signs take fewer bytes", "[numeric][quick]") {
  const std::uint64_t side = 300;
  for (const auto& [params, signed_bytes, bytes] : {std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>{127, 1, 1},
                                                    {128, 2, 1},
                                                    {255, 2, 1},
                                                    {256, 2, 2},
                                                    {32768, 4, 2},
                                                    {65535, 4, 2},
                                                    {65536, 4, 4}}) {
    CAPTURE(params);
    std::vector<std::int32_t> codes(side * side);
    for (std::size_t at = 0; at < codes.size(); ++at) codes[at] = static_cast<std::int32_t>(at % (params + 1));
    const auto rows = [&, width = code_bytes(params)]() -> Codes {
      if (width == 1) return std::vector<std::uint8_t>(codes.begin(), codes.end());
      return codes;
    };
    class Read final : public CodeRows {
     public:
      explicit Read(const std::vector<std::int32_t>& codes) : codes_(codes) {}
      std::uint64_t rows() const override { return side; }
      std::uint64_t cols() const override { return side; }
      void row(std::uint64_t i, std::span<std::int32_t> out) const override {
        std::copy_n(codes_.begin() + static_cast<std::ptrdiff_t>(i * side), side, out.begin());
      }

     private:
      const std::vector<std::int32_t>& codes_;
    };
    for (const TiedPattern& pattern :
         {TiedPattern(side, side, params, rows()), TiedPattern(side, side, params, Read(codes), Task())}) {
      REQUIRE(pattern.stored_bytes() == bytes * side * side);
      for (std::size_t at = 0; at < codes.size(); at += 97)
        REQUIRE(pattern.code(at / side, at % side) == static_cast<std::uint32_t>(codes[at]));
    }
    codes[77] = static_cast<std::int32_t>(2 * params);
    REQUIRE(TiedPattern(side, side, params, rows()).stored_bytes() == signed_bytes * side * side);
  }
}

TEST_CASE("materialise copies parameters bit by bit", "[numeric][quick]") {
  auto rng = test_rng();
  materialise_like_reference<float>(rng);
  materialise_like_reference<double>(rng);
  materialise_like_reference<Bf16>(rng);
  materialise_like_reference<Half>(rng);
}

TEST_CASE("materialise of large arrays writes past the caches, and everything between rows stays", "[numeric][quick]") {
  auto rng = test_rng();
  for (const std::uint64_t params : {3, 14, 60, 120, 300}) {
    const TiedPattern pattern = random_pattern({4100, 4096, params}, Kind::dense, rng);  // above 64 MB in float
    const auto theta = random_numbers<float>(params, rng);
    std::vector<float> W(4100 * 4096), expected;
    expected = reference_weights(pattern, {1, 1}, theta);
    for (const InstructionSet level : levels()) {
      const Level forced(level);
      std::fill(W.begin(), W.end(), 7.0F);
      materialise<float>(pattern, {1, 1}, theta, W);
      REQUIRE(same_bits(W, expected));
    }
  }
  const TiedPattern pattern = random_pattern({9, 7, 5}, Kind::dense, rng);
  const auto theta = random_numbers<float>(5 * 2, rng);
  const auto expected = reference_weights(pattern, {2, 1}, theta);
  std::vector<float> W(18 * 10, 3.0F);
  materialise<float>(pattern, {2, 1}, theta, W, 10);
  for (std::size_t i = 0; i < 18; ++i)
    for (std::size_t j = 0; j < 10; ++j) REQUIRE(W[i * 10 + j] == (j < 7 ? expected[i * 7 + j] : 3.0F));
}

TEST_CASE("reduce sums each orbit, with the same bits everywhere", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : shapes())
    for (const Kind kind : {Kind::dense, Kind::plus, Kind::sparse, Kind::none})
      for (const Multiplicity c : multiplicities) {
        const TiedPattern pattern = random_pattern(shape, kind, rng);
        CAPTURE(shape.rows, shape.cols, shape.params, c.out, c.in, static_cast<int>(kind));
        check_reduction<float>(pattern, c, rng);
        check_reduction<double>(pattern, c, rng);
        check_reduction<Bf16>(pattern, c, rng);
        check_reduction<Half>(pattern, c, rng);
      }
}

TEST_CASE("reduce in many chunks gives the same bits on any number of threads", "[numeric][quick]") {
  auto rng = test_rng();
  for (const std::uint64_t params : {1, 6, 40, 400, 6000}) {
    const TiedPattern pattern = random_pattern({1030, 700, params}, Kind::dense, rng);
    check_reduction<float>(pattern, {1, 1}, rng);
  }
}

TEST_CASE("rows that are shifts of one another are added as runs", "[numeric][quick]") {
  auto rng = test_rng();
  for (const bool shuffled : {false, true})
    for (const bool signs : {false, true})
      for (const auto& [n, blocks] : {std::pair<std::uint64_t, std::uint64_t>{64, 1}, {100, 3}, {32, 9}}) {
        const TiedPattern pattern = circulant(n, blocks, shuffled, signs, rng);
        CAPTURE(n, blocks, shuffled, signs);
        if (!signs) REQUIRE(pattern.reduction() == "runs");
        check_reduction<float>(pattern, {1, 1}, rng);
        check_reduction<double>(pattern, {2, 2}, rng);
        check_reduction<Bf16>(pattern, {1, 1}, rng);
        check_reduction<Half>(pattern, {1, 1}, rng);
      }
  // A random table has no such structure.
  REQUIRE(random_pattern({64, 64, 60}, Kind::dense, rng).reduction() == "tables");
}

TEST_CASE("strided gradients give the same bits as contiguous ones", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : {Shape{70, 40, 4}, Shape{70, 40, 30}, Shape{40, 200, 8}}) {
    const TiedPattern pattern = random_pattern(shape, Kind::dense, rng);
    const auto dW = random_numbers<float>(shape.rows * shape.cols, rng);
    const std::uint64_t stride = shape.cols + 9;
    std::vector<float> apart(shape.rows * stride, std::numeric_limits<float>::quiet_NaN());
    for (std::uint64_t i = 0; i < shape.rows; ++i)
      std::copy_n(dW.begin() + static_cast<std::ptrdiff_t>(i * shape.cols), shape.cols,
                  apart.begin() + static_cast<std::ptrdiff_t>(i * stride));
    std::vector<float> a(shape.params), b(shape.params);
    reduce_gradient<float>(pattern, {1, 1}, dW, a);
    reduce_gradient<float>(pattern, {1, 1}, apart, b, stride);
    REQUIRE(same_bits(a, b));
  }
}

TEST_CASE("materialise and reduce are adjoint", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : shapes())
    for (const Multiplicity c : multiplicities) {
      const TiedPattern pattern = random_pattern(shape, Kind::dense, rng);
      const auto theta = random_integers<double>(shape.params * c.out * c.in, rng);
      const auto G = random_integers<double>(shape.rows * shape.cols * c.out * c.in, rng);
      std::vector<double> W(G.size()), back(theta.size());
      materialise<double>(pattern, c, theta, W);
      reduce_gradient<double>(pattern, c, G, back);
      double left = 0, right = 0;
      for (std::size_t k = 0; k < G.size(); ++k) left += W[k] * G[k];
      for (std::size_t k = 0; k < theta.size(); ++k) right += theta[k] * back[k];
      REQUIRE(left == right);
    }
}

TEST_CASE("NaN and infinities reach their own parameter only", "[numeric][quick]") {
  auto rng = test_rng();
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const Shape& shape : {Shape{20, 20, 5}, Shape{60, 60, 3}, Shape{60, 60, 50}, Shape{60, 60, 2000}})
    for (const InstructionSet level : levels()) {
      const Level forced(level);
      const TiedPattern pattern = random_pattern(shape, Kind::dense, rng);
      auto dW = random_numbers<float>(shape.rows * shape.cols, rng);
      // Infinity in one parameter, NaN in the structural zeros.
      const std::uint32_t hit = pattern.code(3, 4) == 0 ? 1 : pattern.code(3, 4);
      const std::uint64_t k = (hit - 1) % shape.params;
      for (std::uint64_t i = 0; i < shape.rows; ++i)
        for (std::uint64_t j = 0; j < shape.cols; ++j) {
          if (pattern.code(i, j) == 0) dW[i * shape.cols + j] = nan;
          if (pattern.code(i, j) == hit) dW[i * shape.cols + j] = inf;
        }
      std::vector<float> out(shape.params);
      reduce_gradient<float>(pattern, {1, 1}, dW, out);
      for (std::uint64_t p = 0; p < shape.params; ++p)
        REQUIRE(std::isfinite(out[p]) == (p != k || pattern.orbit_size()[k] == 0));
    }
  std::vector<float> theta = {inf, nan, -0.0F}, W(4);
  materialise<float>(TiedPattern(1, 4, 3, std::vector<std::uint8_t>{4, 5, 6, 0}), {1, 1}, theta, W);
  REQUIRE(W[0] == -inf);
  REQUIRE(std::isnan(W[1]));
  REQUIRE(same_bits(std::vector<float>{W[2], W[3]}, {0.0F, 0.0F}));
}

TEST_CASE("bfloat16 rounds to nearest, ties to even", "[numeric][quick]") {
  REQUIRE(to_float(to_bf16(1.0F)) == 1.0F);
  REQUIRE(to_bf16(1.0F + 0x1p-8F) == to_bf16(1.0F));             // a tie, to even
  REQUIRE(to_float(to_bf16(1.0F + 0x3p-8F)) == 1.0F + 0x1p-6F);  // a tie, to even
  REQUIRE(to_float(to_bf16(1.0F + 0x1.1p-8F)) == 1.0F + 0x1p-7F);
  REQUIRE(to_float(to_bf16(std::numeric_limits<float>::max())) == std::numeric_limits<float>::infinity());
  REQUIRE(std::isnan(to_float(to_bf16(std::numeric_limits<float>::quiet_NaN()))));
  REQUIRE((-to_bf16(0.0F)).bits == 0x8000);
}

TEST_CASE("initial variances give outputs of the wanted variance", "[numeric][quick]") {
  auto rng = test_rng();
  const TiedPattern pattern = random_pattern({30, 50, 12}, Kind::sparse, rng);
  const Multiplicity c{4, 3};
  for (const auto kind : {InitialVariance::by_orbit, InitialVariance::uniform}) {
    const auto variance = initial_variance(pattern, c, 2.0, kind);
    // Var y_i = sum over inputs of Var W_ij, for inputs independent of variance 1.
    double total = 0;
    for (std::size_t k = 0; k < variance.size(); ++k)
      total += variance[k] * static_cast<double>(pattern.orbit_size()[k]);
    REQUIRE(total * 3 / 30 == Approx(4.0));
  }
  REQUIRE(initial_variance(random_pattern({3, 4, 0}, Kind::none, rng), c).empty());
  REQUIRE(initial_variance(random_pattern({3, 4, 2}, Kind::none, rng), c) == std::vector<double>{0, 0});
}

TEST_CASE("projection finds the nearest tied array", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Multiplicity c : multiplicities) {
    const TiedPattern pattern = random_pattern({23, 31, 9}, Kind::dense, rng);
    const auto theta = random_numbers<double>(9 * c.out * c.in, rng);
    const auto W = reference_weights(pattern, c, theta);
    const Projection same = project_weights<double>(pattern, c, W);
    REQUIRE(same.residual <= 1e-14 * same.norm);
    for (std::size_t k = 0; k < theta.size(); ++k) REQUIRE(std::abs(same.theta[k] - theta[k]) < 1e-14);
    // W + E with E orthogonal to all tied arrays: the residual is |E|.
    auto E = random_numbers<double>(W.size(), rng);
    const auto tied = reference_weights(pattern, c, project_weights<double>(pattern, c, E).theta);
    double norm = 0;
    auto sum = W;
    for (std::size_t k = 0; k < E.size(); ++k) {
      E[k] -= tied[k];
      norm += E[k] * E[k];
      sum[k] += E[k];
    }
    const Projection projected = project_weights<double>(pattern, c, sum);
    REQUIRE(projected.residual == Approx(std::sqrt(norm)));
    for (std::size_t k = 0; k < theta.size(); ++k) REQUIRE(std::abs(projected.theta[k] - theta[k]) < 1e-12);
  }
}

TEST_CASE("the transposed pattern has the transposed array", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : shapes()) {
    const TiedPattern pattern = random_pattern(shape, Kind::dense, rng), turned = pattern.transposed();
    REQUIRE(turned.rows() == pattern.cols());
    REQUIRE(turned.cols() == pattern.rows());
    for (std::uint64_t i = 0; i < pattern.rows(); ++i)
      for (std::uint64_t j = 0; j < pattern.cols(); ++j) REQUIRE(turned.code(j, i) == pattern.code(i, j));
  }
}

TEST_CASE("wrong shapes and codes are refused", "[numeric][quick]") {
  const Codes codes = std::vector<std::uint8_t>{0, 1, 2, 1};
  REQUIRE_THROWS_AS(TiedPattern(2, 3, 1, codes), DomainError);
  REQUIRE_THROWS_WITH(TiedPattern(2, 2, 0, codes), Catch::Contains("row 0, column 1"));
  REQUIRE_THROWS_AS(TiedPattern(2, 2, 1, std::vector<std::int32_t>{0, 1, -1, 2}), DomainError);
  REQUIRE_THROWS_AS(TiedPattern(std::uint64_t{1} << 40, std::uint64_t{1} << 40, 1, codes), DomainError);
  REQUIRE_THROWS_AS(TiedPattern(2, 2, std::uint64_t{1} << 40, codes), DomainError);
  const TiedPattern pattern(2, 2, 1, codes);
  std::vector<float> theta(1), W(4), two(2);
  REQUIRE_THROWS_AS(materialise<float>(pattern, {1, 1}, two, W), DomainError);
  REQUIRE_THROWS_AS(materialise<float>(pattern, {1, 2}, two, W), DomainError);
  REQUIRE_THROWS_AS(materialise<float>(pattern, {1, 1}, theta, W, 1), DomainError);
  REQUIRE_THROWS_AS(materialise<float>(pattern, {1, 1}, theta, W, 3), DomainError);
  REQUIRE_THROWS_AS(reduce_gradient<float>(pattern, {1, 1}, two, theta), DomainError);
  REQUIRE_THROWS_AS(reduce_gradient<float>(pattern, {1, 1}, W, two), DomainError);
  REQUIRE_THROWS_AS(materialise<float>(pattern, {std::uint64_t{1} << 40, std::uint64_t{1} << 40}, theta, W),
                    DomainError);
  REQUIRE_THROWS_AS(project_weights<float>(pattern, {1, 1}, two), DomainError);
  REQUIRE_THROWS_AS(pattern.code(2, 0), DomainError);
}

TEST_CASE("levels have names, and only those the processor has can be forced", "[numeric][quick]") {
  for (const auto level : {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512}) {
    REQUIRE(parse_instruction_set(to_string(level)) == level);
    if (level > best_instruction_set()) REQUIRE_THROWS_AS(force_instruction_set(level), DomainError);
  }
  REQUIRE_THROWS_AS(parse_instruction_set("sse9"), DomainError);
  {
    const Level forced(InstructionSet::scalar);
    REQUIRE(instruction_set() == InstructionSet::scalar);
  }
}
