// Layers of diagrams on GPUs: the steps emulated on the processor, against the processor's own layer and the laws of layers.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/numeric/cuda_diagram_layer.hpp"
#include "numeric/cuda/diagram_emulation.hpp"
#include "require_laws.hpp"
#include "support/random.hpp"

using namespace intertwine;
namespace cuda = numeric_detail::cuda;
using numeric_detail::DiagramPlan;
using numeric_detail::SizedDiagrams;

namespace {

/// What CudaDiagramLayer does on a device.
template <class T>
struct EmulatedDiagrams {
  DiagramLayer<T> layer;
  SizedDiagrams sized;

  EmulatedDiagrams(const DiagramTable& table, const std::vector<std::uint64_t>& sizes)
      : layer(table, sizes), sized(std::make_shared<const DiagramPlan>(table), sizes) {}
  std::uint64_t params() const { return layer.theta().size(); }
  std::uint64_t biases() const { return layer.bias_parameters().size(); }
  std::uint64_t inputs() const { return layer.inputs(); }
  std::uint64_t outputs() const { return layer.outputs(); }
  std::vector<LayerForm> forms() const { return layer.forms(); }

  cuda::DiagramEmulation<T> with(const laws::Parameters& p, const laws::Numbers& x) const {
    cuda::DiagramEmulation<T> out;
    out.arrays[cuda::diagram_given] = laws::stored<T>(p.theta);
    out.run(cuda::diagram_parameters(sized));
    out.arrays[cuda::diagram_bias] = laws::stored<T>(p.bias);
    out.arrays[cuda::diagram_x] = laws::stored<T>(x);
    return out;
  }
  laws::Numbers forward(const laws::Parameters& p, std::uint64_t batch, const laws::Numbers& x, LayerMode,
                        unsigned) const {
    cuda::DiagramEmulation<T> run = with(p, x);
    run.run(cuda::diagram_forward(sized, batch));
    return laws::widened(run.arrays[cuda::diagram_y]);
  }
  laws::Gradients backward(const laws::Parameters& p, std::uint64_t batch, const laws::Numbers& x,
                           const laws::Numbers& dy, LayerMode, unsigned, laws::Wanted wanted) const {
    cuda::DiagramEmulation<T> run = with(p, x);
    run.arrays[cuda::diagram_dy] = laws::stored<T>(dy);
    run.run(cuda::diagram_backward(sized, batch, wanted.dx, wanted.dtheta, wanted.dbias));
    return {laws::widened(run.arrays[cuda::diagram_dx]), laws::widened(run.arrays[cuda::diagram_dtheta]),
            laws::widened(run.arrays[cuda::diagram_dbias])};
  }
};

struct Case {
  const char *out, *in;
  std::vector<const char*> groups;
  std::vector<std::uint64_t> sizes;
};
const std::vector<Case> cases = {
    {"aa", "aa", {"S(n)"}, {1}},   {"aa", "aa", {"S(n)"}, {5}},   {"aaa", "a", {"S(n)"}, {4}},
    {"", "aa", {"S(n)"}, {130}},  // sums by a warp
    {"a", "aa", {"S(n)"}, {130}},  {"aa", "", {"S(n)"}, {6}},     {"ab", "ba", {"S(n)", "S(n)"}, {3, 5}},
    {"aa+", "aa+", {"B(n)"}, {4}}, {"aa", "aa", {"O(n)"}, {5}},   {"aa", "aa", {"Sp(n)"}, {6}},
    {"aa", "a", {"SO(3)"}, {3}},   {"a", "a*a*", {"SL(3)"}, {3}}, {"av", "aav", {"S(n)", "O(3)"}, {4, 3}}};

DiagramTable table_of(const Case& c, bool mean, Multiplicity channels) {
  std::vector<DiagramGroup> groups;
  for (const char* name : c.groups) groups.push_back(parse_diagram_group(name));
  return diagram_table(c.out, c.in, groups, mean, channels);
}

template <class T>
void check_emulation(double bound, Rng& rng) {
  for (const Case& c : cases)
    for (const bool mean : {false, true}) {
      CAPTURE(c.out, c.in, c.groups[0], c.sizes, mean);
      const EmulatedDiagrams<T> emulated(table_of(c, mean, {2, 3}), c.sizes);
      laws::require_laws_of(emulated, bound, rng);
      const laws::OnProcessor<DiagramLayer<T>> processor{emulated.layer};
      const auto numbers = [&](std::uint64_t count) {
        laws::Numbers out(count);
        for (double& v : out) v = static_cast<double>(rng.below(9)) - 4;
        return out;
      };
      const laws::Parameters p{numbers(emulated.params()), numbers(emulated.biases())};
      const laws::Numbers x = numbers(2 * emulated.inputs()), dy = numbers(2 * emulated.outputs());
      const LayerMode mode = LayerMode::diagram;
      CHECK(laws::off(emulated.forward(p, 2, x, mode, 1), processor.forward(p, 2, x, mode, 1)) <= bound);
      const laws::Gradients got = emulated.backward(p, 2, x, dy, mode, 1, {}),
                            right = processor.backward(p, 2, x, dy, mode, 1, {});
      CHECK(laws::off(got.dx, right.dx) <= bound);
      CHECK(laws::off(got.dtheta, right.dtheta) <= bound);
      CHECK(laws::off(got.dbias, right.dbias) <= bound);
    }
}

}  // namespace

TEST_CASE("emulated layers of diagrams are those of the processor", "[numeric][quick]") {
  Rng rng = test_rng();
  check_emulation<double>(1e-12, rng);
  check_emulation<float>(2e-4, rng);
}

TEST_CASE("a sum along an axis leaves no number out and takes none twice", "[numeric][quick]") {
  for (const std::uint64_t count : {0, 1, 31, 32, 127, 128, 1000})
    for (const std::uint64_t stride : {1, 7}) {
      std::vector<double> from(count * stride + 1, 0), to(1, 5);
      for (std::uint64_t s = 0; s < count; ++s) from[s * stride] = static_cast<double>(s + 1);
      cuda::AxisSum sum{1, {1}, {0}, count, stride, 2, false};
      CHECK(sum.by_warp() == (count >= 128));
      cuda::emulate_axis_sum(sum, from.data(), to.data());
      const auto right = static_cast<double>(count * (count + 1));
      CHECK(to[0] == right);
      sum.add = true;
      cuda::emulate_axis_sum(sum, from.data(), to.data());
      CHECK(to[0] == 2 * right);
    }
}

TEST_CASE("a step that leaves its arrays is noticed", "[numeric][quick]") {
  const SizedDiagrams sized(std::make_shared<const DiagramPlan>(diagram_table("aa", "aa")), {3});
  for (const bool sums : {true, false}) {
    cuda::DiagramSteps list = cuda::diagram_forward(sized, 1);
    for (cuda::DiagramStep& step : list.steps) {
      if (sums && step.kind == cuda::DiagramStep::Kind::sum) ++step.sum.count;
      if (!sums && step.kind == cuda::DiagramStep::Kind::product) step.product.c.offset += 10;
    }
    cuda::DiagramEmulation<double> run;
    REQUIRE_THROWS_AS(run.run(list), std::out_of_range);
  }
}

TEST_CASE("what layers of diagrams on devices refuse", "[numeric][quick]") {
  REQUIRE_THROWS_AS(CudaProducts(cuda_devices()), DomainError);
  const SizedDiagrams sized(std::make_shared<const DiagramPlan>(diagram_table("a", "a")), {0});
  CHECK_THROWS_AS(cuda::require_points(sized), DomainError);
}
