// Products that take parameters and arrays where they lie: every form against the plain sums, and what each promises.
#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <limits>

#include "intertwine/error.hpp"
#include "intertwine/io/table_file.hpp"
#include "numeric/pattern_data.hpp"
#include "numeric/patterns.hpp"
#include "numeric/require_laws.hpp"

using namespace intertwine;
using namespace test_patterns;

namespace {

TiedPattern bias_of(std::uint64_t rows, Rng& rng) {
  return random_pattern({rows, 1, std::min<std::uint64_t>(rows, 2)}, Kind::dense, rng);
}

// The plainest sums there are, in double.
struct Reference {
  std::vector<double> y, dx, dtheta, dbias;
};

template <class T>
Reference reference(const LayerPlan<T>& plan, std::uint64_t batch, const std::vector<T>& x, const std::vector<T>& theta,
                    const std::vector<T>& bias, const std::vector<T>& dy) {
  const Multiplicity c = plan.channels();
  const TiedPattern &pattern = plan.weights().tied(), &offsets = plan.bias().tied();
  const std::uint64_t M = pattern.rows(), N = pattern.cols(), P = pattern.params(), Q = offsets.params();
  Reference out{std::vector<double>(dy.size()), std::vector<double>(x.size()), std::vector<double>(theta.size()),
                std::vector<double>(bias.size())};
  const auto signed_place = [](std::uint64_t code, std::uint64_t params) {
    return code <= params ? std::pair(code - 1, 1.0) : std::pair(code - 1 - params, -1.0);
  };
  for (std::uint64_t b = 0; b < batch; ++b)
    for (std::uint64_t co = 0; co < c.out; ++co)
      for (std::uint64_t i = 0; i < M; ++i) {
        const std::size_t at = (b * c.out + co) * M + i;
        if (const std::uint64_t code = offsets.code(i, 0)) {
          const auto [q, sign] = signed_place(code, Q);
          out.y[at] += sign * static_cast<double>(bias[q * c.out + co]);
          out.dbias[q * c.out + co] += sign * static_cast<double>(dy[at]);
        }
        for (std::uint64_t j = 0; j < N; ++j) {
          const std::uint64_t code = pattern.code(i, j);
          if (code == 0) continue;
          const auto [k, sign] = signed_place(code, P);
          for (std::uint64_t ci = 0; ci < c.in; ++ci) {
            const std::size_t from = (b * c.in + ci) * N + j, parameter = (k * c.out + co) * c.in + ci;
            out.y[at] += sign * static_cast<double>(theta[parameter]) * static_cast<double>(x[from]);
            out.dx[from] += sign * static_cast<double>(theta[parameter]) * static_cast<double>(dy[at]);
            out.dtheta[parameter] += sign * static_cast<double>(x[from]) * static_cast<double>(dy[at]);
          }
        }
      }
  return out;
}

template <class T>
void require_near(const std::vector<T>& got, const std::vector<double>& expected, double bound) {
  REQUIRE(got.size() == expected.size());
  double off = 0;
  for (std::size_t k = 0; k < got.size(); ++k)
    off = std::max(off, std::abs(static_cast<double>(got[k]) - expected[k]) / (1 + std::abs(expected[k])));
  REQUIRE(off <= bound);
}

template <class T>
struct Products {
  std::vector<T> y, dx, dtheta, dbias;
  friend bool operator==(const Products& a, const Products& b) {
    return same_bits(a.y, b.y) && same_bits(a.dx, b.dx) && same_bits(a.dtheta, b.dtheta) && same_bits(a.dbias, b.dbias);
  }
};

template <class T>
Products<T> products(const LayerPlan<T>& plan, std::uint64_t batch, const std::vector<T>& x,
                     const std::vector<T>& theta, const std::vector<T>& bias, const std::vector<T>& dy, LayerMode mode,
                     unsigned threads) {
  Products<T> out{std::vector<T>(dy.size(), T(7)), std::vector<T>(x.size(), T(7)), std::vector<T>(theta.size(), T(7)),
                  std::vector<T>(bias.size(), T(7))};
  plan.apply(batch, x, theta, bias, out.y, {mode, threads, 1});
  plan.gradients(batch, x, dy, theta, out.dx, out.dtheta, out.dbias, {mode, threads, 1});
  return out;
}

template <class T>
void against_reference(const TiedPattern& pattern, Multiplicity c, bool integers, double bound, Rng& rng) {
  const LayerPlan<T> plan(pattern, bias_of(pattern.rows(), rng), c);
  const auto numbers = [&](std::uint64_t count) {
    return integers ? random_integers<T>(count, rng) : random_numbers<T>(count, rng);
  };
  for (const std::uint64_t batch : {0, 1, 5, 17}) {
    CAPTURE(pattern.rows(), pattern.cols(), pattern.params(), c.out, c.in, batch);
    const auto x = numbers(batch * plan.inputs()), dy = numbers(batch * plan.outputs()),
               theta = numbers(plan.parameters()), bias = numbers(plan.bias_parameters());
    const Reference expected = reference(plan, batch, x, theta, bias, dy);
    std::map<LayerForm, Products<T>> first;
    for (const InstructionSet level : levels()) {
      const Level forced(level);
      for (const LayerForm form : plan.forms()) {
        CAPTURE(to_string(form), to_string(level));
        const LayerMode mode = parse_layer_mode(to_string(form));
        for (const unsigned threads : {1U, 3U}) {
          const Products<T> got = products(plan, batch, x, theta, bias, dy, mode, threads);
          require_near(got.y, expected.y, bound);
          require_near(got.dx, expected.dx, bound);
          require_near(got.dtheta, expected.dtheta, bound);
          require_near(got.dbias, expected.dbias, bound);
          const auto [known, fresh] = first.try_emplace(form, got);
          REQUIRE(got == known->second);
        }
      }
    }
    REQUIRE(first.at(LayerForm::dense) == first.at(LayerForm::lookup));
    // A layer with these parameters gives the same bits in the forms that promise it.
    const auto layer = BlockLayer<T>(plan).with_parameters(theta, bias);
    for (const LayerForm form : {LayerForm::dense, LayerForm::lookup, LayerForm::implicit}) {
      std::vector<T> y(dy.size());
      layer.forward(batch, x, y, {parse_layer_mode(to_string(form)), 1, 1});
      REQUIRE(same_bits(y, first.at(form).y));
    }
  }
}

}  // namespace

TEST_CASE("every form of a plan gives the plain sums and their gradients", "[numeric][quick]") {
  auto rng = test_rng();
  const std::vector<Shape> tried = {{1, 1, 1},    {3, 4, 0},    {5, 5, 2},     {33, 31, 4},   {40, 65, 15},
                                    {66, 30, 16}, {31, 70, 60}, {50, 40, 100}, {36, 64, 200}, {20, 30, 40000}};
  for (const Shape& shape : tried)
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{3, 2}, Multiplicity{2, 33}, Multiplicity{40, 1}})
      for (const Kind kind : {Kind::dense, Kind::plus, Kind::sparse}) {
        if (c.in * c.out > 20 && kind != Kind::plus) continue;
        against_reference<float>(random_pattern(shape, kind, rng), c, true, 0, rng);
        if (c.out == 3) against_reference<double>(random_pattern(shape, kind, rng), c, false, 1e-12, rng);
      }
}

TEST_CASE("orbits of more than half a row are summed as what the others leave", "[numeric][quick]") {
  auto rng = test_rng();
  for (const std::uint64_t params : {3, 8}) {
    std::vector<std::uint8_t> codes(20 * 50);  // mostly parameter 0, some zeros
    for (auto& code : codes) code = static_cast<std::uint8_t>(rng.below(4) != 0 ? 1 : rng.below(params + 1));
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{5, 3}}) {
      against_reference<float>(TiedPattern(20, 50, params, codes), c, true, 0, rng);
      against_reference<double>(TiedPattern(50, 20, params, codes), c, false, 1e-12, rng);
    }
  }
}

TEST_CASE("plans on a torus and with a decomposition obey the laws", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{3, 2}}) {
    const auto pattern = circulant(12, 3, false, true, rng);
    laws::require_laws_of(laws::OnPlan<double>{LayerPlan<double>(pattern, bias_of(36, rng), c)}, 1e-12, rng);
  }
  // W = [[t, -u], [u, t]]: one complex block.
  const TiedPattern pair(2, 2, 2, std::vector<std::uint8_t>{1, 4, 2, 1});
  const auto plan = LayerPlan<double>(pair, bias_of(2, rng), {2, 3})
                        .with_decomposition(IsotypicBlocks{{{2, 2, 1, 1}}, {1, 0, 0, 1}, {1, 0, 0, 1}});
  REQUIRE(plan.forms().back() == LayerForm::isotypic);
  laws::require_laws_of(laws::OnPlan<double>{plan}, 1e-13, rng);
  laws::require_laws_of(laws::OnPlan<double>{plan.with_channels({4, 1})}, 1e-13, rng);
}

TEST_CASE("the products of a plan are each other's derivatives", "[numeric][quick]") {
  auto rng = test_rng();
  const std::uint64_t batch = 4;
  for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
    const LayerPlan<double> plan(random_pattern({9, 14, 5}, Kind::dense, rng), bias_of(9, rng), c);
    for (const LayerForm form : plan.forms()) {
      const LayerOptions options{parse_layer_mode(to_string(form)), 1, 1};
      const auto x = random_integers<double>(batch * plan.inputs(), rng),
                 dy = random_integers<double>(batch * plan.outputs(), rng),
                 theta = random_integers<double>(plan.parameters(), rng);
      std::vector<double> y(dy.size()), dx(x.size()), dtheta(theta.size());
      plan.apply(batch, x, theta, {}, y, options);
      plan.apply_transposed(batch, dy, theta, dx, options);
      plan.outer(batch, x, dy, dtheta, options);
      // <dy, W(theta) x> three times, exactly.
      const double value = laws::inner(y, dy);
      REQUIRE(laws::inner(dx, x) == value);
      REQUIRE(laws::inner(dtheta, theta) == value);
    }
  }
}

TEST_CASE("arrays may lie with any strides, inputs also without any", "[numeric][quick]") {
  auto rng = test_rng();
  const Multiplicity c{2, 3};
  const std::uint64_t batch = 5;
  const LayerPlan<float> plan(random_pattern({33, 20, 6}, Kind::plus, rng), bias_of(33, rng), c);
  const auto theta = random_integers<float>(plan.parameters(), rng);
  for (const LayerForm form : plan.forms()) {
    const LayerOptions options{parse_layer_mode(to_string(form)), 1, 1};
    // One number as the gradient of a sum: every stride is 0.
    const std::vector<float> one = {3};
    const std::vector<float> same(batch * plan.outputs(), 3);
    std::vector<float> dx(batch * plan.inputs()), expected(dx.size());
    plan.apply_transposed(batch, {std::span<const float>(one), ArrayStrides{0, 0, 0}}, theta, dx, options);
    plan.apply_transposed(batch, same, theta, expected, options);
    REQUIRE(dx == expected);
    // Vectors written between others, which stay as they are.
    const auto x = random_integers<float>(batch * plan.inputs(), rng);
    std::vector<float> wide(batch * 2 * plan.outputs(), 55), y(batch * plan.outputs());
    const ArrayStrides apart{2 * plan.outputs(), 33, 1};
    plan.apply(batch, x, theta, {}, {std::span(wide).first(wide.size() - plan.outputs()), apart}, options);
    plan.apply(batch, x, theta, {}, y, options);
    for (std::uint64_t b = 0; b < batch; ++b)
      for (std::uint64_t r = 0; r < plan.outputs(); ++r) {
        REQUIRE(wide[b * 2 * plan.outputs() + r] == y[b * plan.outputs() + r]);
        REQUIRE(wide[(b * 2 + 1) * plan.outputs() + r] == 55);
      }
  }
}

TEST_CASE("plans refuse what does not fit", "[numeric][quick]") {
  auto rng = test_rng();
  const LayerPlan<double> plan(random_pattern({4, 3, 2}, Kind::dense, rng), bias_of(4, rng), {2, 2});
  std::vector<double> x(6), y(8), theta(8), bias(4), nothing;
  const std::span<const double> missing(static_cast<const double*>(nullptr), 6);
  REQUIRE_NOTHROW(plan.apply(1, x, theta, bias, y));
  REQUIRE_NOTHROW(plan.apply(0, nothing, theta, {}, nothing));
  REQUIRE_NOTHROW(plan.gradients(1, {}, y, theta, x, {}, {}));
  REQUIRE_NOTHROW(plan.gradients(1, x, y, {}, {}, theta, {}));
  REQUIRE_NOTHROW(plan.gradients(1, {}, y, {}, {}, {}, bias));
  REQUIRE_THROWS_WITH(plan.apply(2, x, theta, {}, y), Catch::Contains("x has 6 entries; a batch of 2 needs 2 x 6"));
  REQUIRE_THROWS_WITH(plan.apply(1, missing, theta, {}, y), Catch::Contains("x is null"));
  REQUIRE_THROWS_WITH(plan.apply(1, x, bias, {}, y), Catch::Contains("theta has 4 entries"));
  REQUIRE_THROWS_WITH(plan.apply(1, x, theta, theta, y), Catch::Contains("the bias has 8 entries"));
  REQUIRE_THROWS_WITH(plan.apply(1, {std::span<const double>(x), ArrayStrides{6, 3, 2}}, theta, {}, y),
                      Catch::Contains("x has 6 entries; [1, 2, 3] with the strides 6, 3, 2 needs 8"));
  REQUIRE_THROWS_WITH(plan.apply(1, x, theta, {}, {std::span(y), ArrayStrides{0, 3, 1}}),
                      Catch::Contains("entries of y lie upon each other"));
  REQUIRE_THROWS_WITH(plan.apply_transposed(1, y, theta, {std::span(x), ArrayStrides{0, 0, 1}}),
                      Catch::Contains("lie upon each other"));
  REQUIRE_THROWS_WITH(
      plan.apply(std::uint64_t{1} << 40, {std::span<const double>(x), ArrayStrides{std::uint64_t{1} << 60, 3, 1}},
                 theta, {}, nothing),
      Catch::Contains("leads out of memory"));
  REQUIRE_THROWS_AS(plan.outer(1, x, y, bias), DomainError);
  REQUIRE_THROWS_AS(plan.outer(1, nothing, y, theta), DomainError);
  REQUIRE_THROWS_AS(plan.apply_transposed(1, x, theta, x), DomainError);
  REQUIRE_THROWS_AS(plan.apply_transposed(1, y, {}, x), DomainError);
  REQUIRE_THROWS_AS(plan.bias_gradient(1, y, theta), DomainError);
  REQUIRE_THROWS_WITH(plan.apply(1, x, theta, {}, y, {LayerMode::isotypic, 1, 1}), Catch::Contains("isotypic"));
  REQUIRE_THROWS_AS(plan.expected_seconds(LayerProduct::outer, LayerForm::fft, 1), DomainError);
  REQUIRE_THROWS_AS(plan.with_channels({std::uint64_t{1} << 40, std::uint64_t{1} << 40}), DomainError);
  REQUIRE_THROWS_AS(LayerPlan<double>(plan.weights(), plan.weights(), {1, 1}), DomainError);
}

TEST_CASE("a NaN in one vector stays in it", "[numeric][quick]") {
  auto rng = test_rng();
  const LayerPlan<float> plan(random_pattern({40, 50, 5}, Kind::plus, rng), bias_of(40, rng), {2, 3});
  const auto theta = random_numbers<float>(plan.parameters(), rng);
  for (const LayerForm form : plan.forms()) {
    auto x = random_numbers<float>(6 * plan.inputs(), rng);
    x[2 * plan.inputs() + 7] = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> y(6 * plan.outputs());
    plan.apply(6, x, theta, {}, y, {parse_layer_mode(to_string(form)), 1, 1});
    for (std::size_t k = 0; k < y.size(); ++k)
      if (k / plan.outputs() != 2) REQUIRE(std::isfinite(y[k]));
    REQUIRE(std::count_if(y.begin(), y.end(), [](float v) { return std::isnan(v); }) > 0);
  }
}

TEST_CASE("every product has its own pick", "[numeric][quick]") {
  auto rng = test_rng();
  const LayerPlan<float> plan(random_pattern({64, 64, 3}, Kind::plus, rng), bias_of(64, rng), {4, 4});
  for (const LayerProduct product : {LayerProduct::apply, LayerProduct::apply_transposed, LayerProduct::outer})
    for (const LayerForm form : {LayerForm::dense, LayerForm::lookup, LayerForm::implicit}) {
      REQUIRE(plan.expected_seconds(product, form, 8) > 0);
      REQUIRE(plan.expected_seconds(product, form, 4096) > plan.expected_seconds(product, form, 8));
    }
  REQUIRE(plan.pick(LayerProduct::outer, 8, {LayerMode::lookup, 1, 1}) == LayerForm::dense);
  REQUIRE(plan.pick(LayerProduct::outer, 8, {LayerMode::implicit, 1, 1}) == LayerForm::implicit);
  REQUIRE(plan.pick(LayerProduct::apply, 8, {LayerMode::implicit, 1, 1}) == LayerForm::implicit);
}

TEST_CASE("automatic takes orbit sums where W is too large to be written and few parameters are in a row",
          "[numeric][quick]") {
  auto rng = test_rng();
  const LayerPlan<float> few(random_pattern({64, 64, 3}, Kind::plus, rng), bias_of(64, rng), {1, 1});
  const LayerPlan<float> many(random_pattern({64, 64, 1000}, Kind::dense, rng), bias_of(64, rng), {1, 1});
  for (const LayerProduct product : {LayerProduct::apply, LayerProduct::apply_transposed, LayerProduct::outer}) {
    for (const std::uint64_t batch : {1, 100}) {
      REQUIRE(few.with_channels({300, 300}).pick(product, batch) == LayerForm::implicit);
      REQUIRE(few.with_channels({200, 200}).pick(product, batch) != LayerForm::implicit);
      REQUIRE(many.with_channels({300, 300}).pick(product, batch) != LayerForm::implicit);
    }
    REQUIRE(few.with_channels({300, 300}).pick(product, 1, {LayerMode::dense, 1, 1}) == LayerForm::dense);
  }
}

TEST_CASE("a prepared table shares its codes and has the digest of its file", "[numeric][quick]") {
  for (const std::uint64_t params : {5, 200, 33000}) {
    const std::uint64_t rows = 300, cols = 250;
    std::vector<std::int32_t> all(rows * cols);  // every code occurs, as files demand
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<std::int32_t>(k * 7 % (2 * params + 1));
    const auto codes = params == 5 ? code_rows(rows, cols, std::vector<std::uint8_t>(all.begin(), all.end()))
                                   : code_rows(rows, cols, all);
    std::vector<std::uint8_t> offsets(rows);
    for (std::size_t k = 0; k < rows; ++k) offsets[k] = static_cast<std::uint8_t>(k % 5);
    const auto bias = code_rows(rows, 1, offsets);
    const WeightBlock table{{rows, cols, params, tied_entries(codes, params)},
                            {rows, 1, 2, tied_entries(bias, 2)},
                            {2, 3},
                            std::nullopt,
                            {},
                            {}};
    const PreparedTable prepared(table);
    const void* lies =
        std::visit([](const auto& items) { return static_cast<const void*>(items.data()); }, *codes->in_memory());
    const LayerPlan<float> plan(prepared);
    const auto codes_of = [](const PreparedPattern& pattern) {
      return std::visit([](const auto& items) { return static_cast<const void*>(items.data()); },
                        pattern.tied().data().codes);
    };
    REQUIRE(codes_of(plan.weights()) == codes_of(prepared.weights()));
    for (const PreparedPattern& pattern : {prepared.weights(), BlockLayer<double>(table).weights()})
      REQUIRE((codes_of(pattern) == lies) == (params != 200));  // two bytes hold those of 200 parameters
    REQUIRE(plan.channels() == Multiplicity{2, 3});
    REQUIRE(prepared.sha256() == digest(table));
    const auto file = std::filesystem::temp_directory_path() /
                      fmt::format("intertwine_prepared_{}_{}.safetensors", static_cast<int>(getpid()), params);
    const std::string written = write_table(file, table);
    const PreparedTable read(read_numeric_table(file).block());
    std::filesystem::remove(file);
    REQUIRE(prepared.sha256() == written);
    REQUIRE(read.sha256() == written);
  }
}
