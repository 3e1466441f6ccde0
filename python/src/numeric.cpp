// Products of equivariant layers on arrays that others own, handed over as addresses: what intertwine.nn calls. An array of 8 x 4 numbers
// through nb::ndarray costs ten times the product, so here are integers, and Python checks shapes, types and devices before.
#include <cmath>

#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/numeric/attention.hpp"
#include "intertwine/numeric/edge_product.hpp"
#include "intertwine/numeric/machine_rates.hpp"
#include "intertwine/numeric/point_polynomial.hpp"
#include "plans.hpp"
#include "tables.hpp"

namespace intertwine::python {

namespace {

void apply(const Plan& p, int number, std::uint64_t batch, Address x, const Strides& strides, Address theta,
           Address bias, Address y, unsigned threads) {
  in_precision(number, [&]<class T>(T) {
    const LayerPlan<T>& plan = p.plan<T>();
    p.ran(plan.apply(batch, array<const T>(x, batch, plan.channels().in, plan.weights().cols(), strides),
                     list<const T>(theta, plan.parameters()), list<const T>(bias, plan.bias_parameters()),
                     std::span<T>(at<T>(y), batch * plan.outputs()), p.options<T>(threads, batch, true, false, false)));
  });
}

void apply_transposed(const Plan& p, int number, std::uint64_t batch, Address dy, const Strides& strides, Address theta,
                      Address dx, unsigned threads) {
  in_precision(number, [&]<class T>(T) {
    const LayerPlan<T>& plan = p.plan<T>();
    plan.apply_transposed(batch, array<const T>(dy, batch, plan.channels().out, plan.weights().rows(), strides),
                          list<const T>(theta, plan.parameters()), std::span<T>(at<T>(dx), batch * plan.inputs()),
                          p.options<T>(threads, batch, false, true, false));
  });
}

void gradients(const Plan& p, int number, std::uint64_t batch, Address x, const Strides& x_strides, Address dy,
               const Strides& dy_strides, Address theta, Address dx, Address dtheta, Address dbias, unsigned threads) {
  in_precision(number, [&]<class T>(T) {
    const LayerPlan<T>& plan = p.plan<T>();
    plan.gradients(batch, array<const T>(x, batch, plan.channels().in, plan.weights().cols(), x_strides),
                   array<const T>(dy, batch, plan.channels().out, plan.weights().rows(), dy_strides),
                   list<const T>(theta, plan.parameters()), Strided<T>(list<T>(dx, batch * plan.inputs())),
                   list<T>(dtheta, plan.parameters()), list<T>(dbias, plan.bias_parameters()),
                   p.options<T>(threads, batch, false, dx != 0, dtheta != 0));
  });
}

double expected_seconds(const Plan& p, std::uint64_t batch) {
  const LayerPlan<float>& plan = p.plan<float>();
  double total = 0;
  for (const LayerProduct product : {LayerProduct::apply, LayerProduct::apply_transposed, LayerProduct::outer})
    total += plan.expected_seconds(product, plan.pick(product, batch, p.options(1)), batch);
  return total;
}

/// work(T()) for the precision `number` of the two linear maps.
template <class Work>
void in_any_precision(int number, const Work& work) {
  if (number == float16) return work(Half());
  if (number == bfloat16) return work(Bf16());
  in_precision(number, work);
}

std::uint64_t weights(const PreparedPattern& p, Multiplicity c) { return c.out * p.rows() * c.in * p.cols(); }

void materialise_at(const Plan& p, int number, Address theta, Address W, unsigned threads, bool bias) {
  const PreparedPattern& pattern = p.pattern(bias);
  const Multiplicity c = p.channels(bias);
  in_any_precision(number, [&]<class T>(T) {
    materialise<T>(pattern, c, list<const T>(theta, pattern.params() * c.out * c.in), list<T>(W, weights(pattern, c)),
                   0, threads);
  });
}

void reduce_at(const Plan& p, int number, Address dW, Address dtheta, unsigned threads, bool bias) {
  const PreparedPattern& pattern = p.pattern(bias);
  const Multiplicity c = p.channels(bias);
  in_any_precision(number, [&]<class T>(T) {
    reduce_gradient<T>(pattern, c, list<const T>(dW, weights(pattern, c)),
                       list<SumOf<T>>(dtheta, pattern.params() * c.out * c.in), 0, threads);
  });
}

std::pair<double, double> project_at(const Plan& p, Address W, Address theta, unsigned threads, bool bias) {
  const PreparedPattern& pattern = p.pattern(bias);
  const Multiplicity c = p.channels(bias);
  const Projection found = project_weights<double>(pattern, c, list<const double>(W, weights(pattern, c)), threads);
  std::copy(found.theta.begin(), found.theta.end(), at<double>(theta));
  return {found.residual, found.norm};
}

// --- Attention -------------------------------------------------------------------------------------------------------------------

/// positions, rows, elements, differences, entries, pairs; batch, heads, width, value width.
using AttentionShape = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                                  std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
/// first, key, code, query_of, difference, element.
using AttentionIndices = std::tuple<Address, Address, Address, Address, Address, Address>;
using FourAddresses = std::tuple<Address, Address, Address, Address>;

struct AttentionCall {
  AttentionPattern pattern;
  AttentionSizes sizes;
  std::uint64_t keys, rows;

  AttentionCall(const AttentionShape& shape, const AttentionIndices& indices) {
    auto& p = pattern;
    std::uint64_t pairs = 0;
    std::tie(p.positions, p.rows, p.elements, p.differences, p.entries, pairs, sizes.batch, sizes.heads, sizes.width,
             sizes.value_width) = shape;
    const auto [first, key, code, query_of, difference, element] = indices;
    p.first = list<const std::int64_t>(first, p.positions + 1);
    p.key = list<const std::int64_t>(key, pairs);
    p.code = list<const std::int64_t>(code, pairs);
    p.query_of = list<const std::int64_t>(query_of, p.rows);
    p.difference = list<const std::int64_t>(difference, p.rows * p.differences);
    p.element = list<const std::int64_t>(element, p.rows * p.elements);
    keys = sizes.batch * p.positions * p.elements * sizes.heads;
    rows = sizes.batch * p.positions * p.rows * sizes.heads;
  }
  template <class T>
  AttentionInput<T> input(const FourAddresses& qkve) const {
    const auto [q, k, v, e] = qkve;
    return {list<const T>(q, keys * sizes.width), list<const T>(k, keys * sizes.width),
            list<const T>(v, keys * sizes.value_width), list<const T>(e, sizes.heads * pattern.entries * sizes.width)};
  }
};

void attend(int number, const AttentionShape& shape, const AttentionIndices& indices, const FourAddresses& qkve,
            Address o, Address sums, unsigned threads) {
  const AttentionCall call(shape, indices);
  in_precision(number, [&]<class T>(T) {
    attention<T>(call.pattern, call.sizes, call.input<T>(qkve),
                 {list<T>(o, call.rows * call.sizes.value_width), list<T>(sums, call.rows * 2)}, threads);
  });
}

void attend_gradients(int number, const AttentionShape& shape, const AttentionIndices& indices,
                      const FourAddresses& qkve, Address o, Address sums, Address d_o, const FourAddresses& gradients,
                      unsigned threads) {
  const AttentionCall call(shape, indices);
  in_precision(number, [&]<class T>(T) {
    const AttentionInput<T> in = call.input<T>(qkve);
    const auto [dq, dk, dv, de] = gradients;
    const std::uint64_t outputs = call.rows * call.sizes.value_width;
    attention_gradients<T>(
        call.pattern, call.sizes, in, {list<const T>(o, outputs), list<const T>(sums, call.rows * 2)},
        list<const T>(d_o, outputs),
        {list<T>(dq, in.q.size()), list<T>(dk, in.k.size()), list<T>(dv, in.v.size()), list<T>(de, in.e.size())},
        threads);
  });
}

// --- Products along edges ---------------------------------------------------------------------------------------------------

using ThreeAddresses = std::tuple<Address, Address, Address>;
/// nodes, edges; source, target, target_first, by_target, source_first, by_source.
using EdgeGraphCall = std::tuple<std::uint64_t, std::uint64_t, Address, Address, Address, Address, Address, Address>;
using Triple = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

struct EdgeCall {
  const EdgeProduct& product;
  EdgeGraph graph;
  std::uint64_t edges = 0, channels, x, y, w, out;

  EdgeCall(const EdgeProduct& p, const EdgeGraphCall& call, std::uint64_t channel_count)
      : product(p), channels(channel_count) {
    const auto [nodes, edge_count, source, target, target_first, by_target, source_first, by_source] = call;
    const auto indices = [](Address a, std::uint64_t n) { return list<const std::int64_t>(a, n); };
    edges = edge_count;
    graph = {nodes,
             indices(source, edges),
             indices(target, edges),
             indices(target_first, nodes + 1),
             indices(by_target, edges),
             indices(source_first, nodes + 1),
             indices(by_source, edges)};
    x = nodes * p.sizes().in * channels;
    y = edges * p.sizes().edge;
    w = edges * p.paths() * channels;
    out = nodes * p.sizes().out * channels;
  }
  template <class T>
  EdgeOperands<T> operands(const ThreeAddresses& xyw) const {
    return {list<const T>(std::get<0>(xyw), x), list<const T>(std::get<1>(xyw), y), list<const T>(std::get<2>(xyw), w)};
  }
  template <class T>
  EdgeGradients<T> gradients(const ThreeAddresses& xyw) const {
    return {list<T>(std::get<0>(xyw), x), list<T>(std::get<1>(xyw), y), list<T>(std::get<2>(xyw), w)};
  }
};

bool moves(const ThreeAddresses& along) { return along != ThreeAddresses{}; }

void edge_apply(const EdgeProduct& p, int number, const EdgeGraphCall& graph, std::uint64_t channels,
                const ThreeAddresses& at, const ThreeAddresses& along, Address out, unsigned threads) {
  const EdgeCall call(p, graph, channels);
  in_precision(number, [&]<class T>(T) {
    if (moves(along))
      p.apply_along<T>(call.graph, channels, call.operands<T>(at), call.operands<T>(along), list<T>(out, call.out),
                       threads);
    else
      p.apply<T>(call.graph, channels, call.operands<T>(at), list<T>(out, call.out), threads);
  });
}

void edge_gradients(const EdgeProduct& p, int number, const EdgeGraphCall& graph, std::uint64_t channels,
                    const ThreeAddresses& at, Address g, const ThreeAddresses& along, const ThreeAddresses& gradients,
                    unsigned threads) {
  const EdgeCall call(p, graph, channels);
  in_precision(number, [&]<class T>(T) {
    if (moves(along))
      p.gradients_along<T>(call.graph, channels, call.operands<T>(at), list<const T>(g, call.out),
                           call.operands<T>(along), call.gradients<T>(gradients), threads);
    else
      p.gradients<T>(call.graph, channels, call.operands<T>(at), list<const T>(g, call.out),
                     call.gradients<T>(gradients), threads);
  });
}

EdgeProduct edge_product(const Triple& sizes, const std::vector<std::array<std::uint64_t, 6>>& paths,
                         const std::vector<std::array<std::uint64_t, 4>>& places, const std::vector<double>& values) {
  if (places.size() != values.size()) throw DomainError("an edge product has one value for each place");
  std::vector<EdgePath> shapes;
  for (const auto& p : paths) shapes.push_back({p[0], p[1], p[2], p[3], p[4], p[5]});
  std::vector<EdgeCoupling> couplings;
  for (std::size_t k = 0; k < places.size(); ++k)
    couplings.push_back({places[k][0], places[k][1], places[k][2], places[k][3], values[k]});
  return {{std::get<0>(sizes), std::get<1>(sizes), std::get<2>(sizes)}, shapes, couplings};
}

void bind_edge_product(nb::module_& m) {
  using unlocked = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<EdgeProduct> c(
      m, "EdgeProduct", nb::is_final(),
      "The products along edges of edge_product.hpp, for arrays given by their addresses; "
      "used by intertwine.nn.geometric, which checks them.\n\n"
      "graph: nodes, edges, and the addresses (int64) of source, target, target_first, by_target, "
      "source_first and by_source.\nThree addresses are those of x, y and w. `along` is a "
      "direction in which they move, or three zeros: then nothing\nmoves.");
  c.def(
      "__init__",
      [](EdgeProduct* self, const Triple& sizes, const std::vector<std::array<std::uint64_t, 6>>& paths,
         const std::vector<std::array<std::uint64_t, 4>>& places,
         const std::vector<double>& values) { new (self) EdgeProduct(edge_product(sizes, paths, places, values)); },
      nb::arg("sizes"), nb::arg("paths"), nb::arg("places"), nb::arg("values"),
      "sizes: components of x, y and the product. paths: for each of these three, the first component and "
      "how many.\n"
      "places: (path, i, j, k) of every coupling.");
  c.def("apply", &edge_apply, unlocked(), nb::arg("number"), nb::arg("graph"), nb::arg("channels"), nb::arg("at"),
        nb::arg("along"), nb::arg("out"), nb::arg("threads") = 1, "The product, or its derivative along a direction.");
  c.def("gradients", &edge_gradients, unlocked(), nb::arg("number"), nb::arg("graph"), nb::arg("channels"),
        nb::arg("at"), nb::arg("g"), nb::arg("along"), nb::arg("gradients"), nb::arg("threads") = 1,
        "The gradients, those whose address is not 0, or their derivatives along a direction.");
}

// --- Polynomials of points -------------------------------------------------------------------------------------------

using TwoAddresses = std::tuple<Address, Address>;
/// kinds, points; the kind of every point.
using PointKindsCall = std::tuple<std::uint64_t, std::uint64_t, Address>;

struct PolynomialCall {
  const PointPolynomial& polynomial;
  PointKinds kinds;
  std::uint64_t channels, x, w, out;

  PolynomialCall(const PointPolynomial& p, const PointKindsCall& call, std::uint64_t channel_count)
      : polynomial(p), channels(channel_count) {
    const auto [count, points, of_point] = call;
    kinds = {count, list<const std::int64_t>(of_point, points)};
    x = points * p.sizes().in * channels;
    w = count * p.sizes().weights * channels;
    out = points * p.sizes().out * channels;
  }
  template <class T>
  PolynomialOperands<T> operands(const TwoAddresses& xw) const {
    return {list<const T>(std::get<0>(xw), x), list<const T>(std::get<1>(xw), w)};
  }
  template <class T>
  std::vector<PolynomialOperands<T>> operands(const std::vector<TwoAddresses>& directions) const {
    std::vector<PolynomialOperands<T>> found;
    for (const TwoAddresses& xw : directions) found.push_back(operands<T>(xw));
    return found;
  }
};

void polynomial_value(const PointPolynomial& p, int number, const PointKindsCall& kinds, std::uint64_t channels,
                      const TwoAddresses& at, const std::vector<TwoAddresses>& directions, Address out,
                      unsigned threads) {
  const PolynomialCall call(p, kinds, channels);
  in_precision(number, [&]<class T>(T) {
    p.value<T>(call.kinds, channels, call.operands<T>(at), call.operands<T>(directions), list<T>(out, call.out),
               threads);
  });
}

void polynomial_gradients(const PointPolynomial& p, int number, const PointKindsCall& kinds, std::uint64_t channels,
                          const TwoAddresses& at, Address g, const std::vector<TwoAddresses>& directions,
                          const TwoAddresses& gradients, unsigned threads) {
  const PolynomialCall call(p, kinds, channels);
  in_precision(number, [&]<class T>(T) {
    p.gradients<T>(call.kinds, channels, call.operands<T>(at), list<const T>(g, call.out), call.operands<T>(directions),
                   {list<T>(std::get<0>(gradients), call.x), list<T>(std::get<1>(gradients), call.w)}, threads);
  });
}

PointPolynomial point_polynomial(const Triple& sizes, const std::vector<std::vector<std::uint64_t>>& monomials,
                                 const std::vector<std::array<std::uint64_t, 3>>& places,
                                 const std::vector<double>& values) {
  if (places.size() != values.size()) throw DomainError("a point polynomial has one value for each place");
  std::vector<PointTerm> terms;
  for (std::size_t k = 0; k < places.size(); ++k)
    terms.push_back({places[k][0], places[k][1], places[k][2], values[k]});
  return {{std::get<0>(sizes), std::get<1>(sizes), std::get<2>(sizes)}, monomials, terms};
}

void bind_point_polynomial(nb::module_& m) {
  using unlocked = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<PointPolynomial> c(
      m, "PointPolynomial", nb::is_final(),
      "The polynomials of points of point_polynomial.hpp, for arrays given by their addresses; used by "
      "intertwine.nn.geometric, which checks them.\n\n"
      "kinds: how many, points, and the address (int64) of the kind of every point. Two addresses are those "
      "of x "
      "and w.\n`directions` are at most two in which they move.");
  c.def(
      "__init__",
      [](PointPolynomial* self, const Triple& sizes, const std::vector<std::vector<std::uint64_t>>& monomials,
         const std::vector<std::array<std::uint64_t, 3>>& places, const std::vector<double>& values) {
        new (self) PointPolynomial(point_polynomial(sizes, monomials, places, values));
      },
      nb::arg("sizes"), nb::arg("monomials"), nb::arg("places"), nb::arg("values"),
      "sizes: components of x and the polynomial, and weights. monomials: the variables of each.\n"
      "places: (weight, component, monomial) of every term.");
  c.def("value", &polynomial_value, unlocked(), nb::arg("number"), nb::arg("kinds"), nb::arg("channels"), nb::arg("at"),
        nb::arg("directions"), nb::arg("out"), nb::arg("threads") = 1,
        "The polynomial, or its derivative along all directions.");
  c.def("gradients", &polynomial_gradients, unlocked(), nb::arg("number"), nb::arg("kinds"), nb::arg("channels"),
        nb::arg("at"), nb::arg("g"), nb::arg("directions"), nb::arg("gradients"), nb::arg("threads") = 1,
        "The gradients, those whose address is not 0, or their derivatives along all directions.");
}

}  // namespace

void bind_numeric(nb::module_& m) {
  using unlocked = nb::call_guard<nb::gil_scoped_release>;
  bind_edge_product(m);
  bind_point_polynomial(m);
  m.def("attend", &attend, unlocked(), nb::arg("number"), nb::arg("shape"), nb::arg("indices"), nb::arg("qkve"),
        nb::arg("o"), nb::arg("sums"), nb::arg("threads") = 1,
        "For intertwine.gsa: attention() of attention.hpp on addresses. shape: positions, rows, elements, "
        "differences, entries, "
        "pairs, batch, heads,\nwidth, value width; indices (int64): first, key, code, query_of, difference, "
        "element.");
  m.def("attend_gradients", &attend_gradients, unlocked(), nb::arg("number"), nb::arg("shape"), nb::arg("indices"),
        nb::arg("qkve"), nb::arg("o"), nb::arg("sums"), nb::arg("d_o"), nb::arg("gradients"), nb::arg("threads") = 1,
        "The gradients of q, k, v and e, written to four addresses.");
  nb::class_<Plan> c(m, "Plan", nb::is_final(), nb::is_weak_referenceable(),
                     "The products of a layer of a table, for arrays given by their addresses; used by "
                     "intertwine.nn, which checks them.\n\n"
                     "Arrays x [batch, in, cols] and y [batch, out, rows] come with the strides of their "
                     "three axes in numbers; outputs are\n"
                     "contiguous, theta is [params, out, in] and bias [bias_params, out]. number: 0 float32, "
                     "1 float64; for materialise and\n"
                     "reduce also 2 float16, 3 bfloat16. Address 0 leaves an array out. The interpreter's "
                     "lock is released. Products of\n"
                     "less than about 0.2 ms run on one thread, whatever is asked for.");
  c.def(
      "threads",
      [](const Plan& p, int number, std::uint64_t batch, unsigned threads, bool gradients) {
        unsigned used = 1;
        in_precision(
            number, [&]<class T>(T) { used = p.options<T>(threads, batch, !gradients, gradients, gradients).threads; });
        return used;
      },
      nb::arg("number"), nb::arg("batch"), nb::arg("threads"), nb::arg("gradients") = false, unlocked(),
      "How many of these threads a product W x of so many rows runs on, or both gradients together.");
  c.def(
      "__init__",
      [](Plan* self, const Table& table, std::uint64_t out, std::uint64_t in, const std::string& mode) {
        const LayerMode parsed = parse_layer_mode(mode);
        // Brought into memory first: then the table and all plans share them.
        Limits().run([&](const Task& task) {
          if (table.block().weights.is_tied()) table.weight_codes(task);
          if (table.block().bias.is_tied()) table.bias_codes(task);
          new (self) Plan(PreparedTable(table.block_snapshot(), task), {out, in}, parsed);
        });
      },
      nb::arg("table"), nb::arg("out"), nb::arg("in_"), nb::arg("mode") = "automatic");
  c.def(
      "with_channels",
      [](const Plan& p, std::uint64_t out, std::uint64_t in, const std::string& mode) {
        return Plan(p, {out, in}, parse_layer_mode(mode));
      },
      nb::arg("out"), nb::arg("in_"), nb::arg("mode"),
      "The same table with other channels or another mode. Shares the patterns.");
  c.def_prop_ro(
      "rows", [](const Plan& p) { return p.pattern(false).rows(); }, "Outputs of the site pattern.");
  c.def_prop_ro(
      "cols", [](const Plan& p) { return p.pattern(false).cols(); }, "Inputs of the site pattern.");
  c.def_prop_ro(
      "params", [](const Plan& p) { return p.pattern(false).params(); }, "Weight parameters of the site pattern.");
  c.def_prop_ro(
      "bias_params", [](const Plan& p) { return p.pattern(true).params(); }, "Bias parameters of the site pattern.");
  c.def_prop_ro(
      "channels", [](const Plan& p) { return std::pair(p.channels(false).out, p.channels(false).in); }, "(out, in).");
  c.def("expected_seconds", &expected_seconds, nb::arg("batch"),
        "What the cost model expects of y, dx and dtheta in float32 in the forms of the mode, on one core of "
        "this machine.");
  c.def(
      "seconds_of",
      [](const Plan&, double operations, double bytes) {
        return operations / machine_rate<float>(&MachineRates::flops) +
               bytes / machine_rate<float>(&MachineRates::bytes);
      },
      nb::arg("operations"), nb::arg("bytes"),
      "So many floating-point operations and bytes read or written, by the rates that the cost model "
      "measures.");
  c.def_prop_ro("form", &Plan::form, "The form in which apply ran last; empty before.");
  c.def_prop_ro(
      "forms",
      [](const Plan& p) {
        std::vector<std::string> names;
        for (const LayerForm form : p.plan<float>().forms()) names.push_back(to_string(form));
        return names;
      },
      "The forms that there are for this table.");
  c.def(
      "initial_variance",
      [](const Plan& p, double gain, bool bias) { return initial_variance(p.pattern(bias), p.channels(bias), gain); },
      nb::arg("gain") = 1.0, nb::arg("bias") = false,
      "[params] the variances of independent theta for which outputs have the variance gain^2 when inputs "
      "have variance 1.");
  c.def("apply", &apply, unlocked(), nb::arg("number"), nb::arg("batch"), nb::arg("x"), nb::arg("strides"),
        nb::arg("theta"), nb::arg("bias"), nb::arg("y"), nb::arg("threads") = 1, "y = W x + b.");
  c.def("apply_transposed", &apply_transposed, unlocked(), nb::arg("number"), nb::arg("batch"), nb::arg("dy"),
        nb::arg("strides"), nb::arg("theta"), nb::arg("dx"), nb::arg("threads") = 1, "dx = W^T dy.");
  c.def("gradients", &gradients, unlocked(), nb::arg("number"), nb::arg("batch"), nb::arg("x"), nb::arg("x_strides"),
        nb::arg("dy"), nb::arg("dy_strides"), nb::arg("theta"), nb::arg("dx"), nb::arg("dtheta"), nb::arg("dbias"),
        nb::arg("threads") = 1, "dx = W^T dy, dtheta and dbias summed over the batch: those whose address is not 0.");
  c.def("materialise", &materialise_at, unlocked(), nb::arg("number"), nb::arg("theta"), nb::arg("W"),
        nb::arg("threads") = 1, nb::arg("bias") = false,
        "W [out * rows, in * cols] of theta; bias: b [out, rows] of the bias.");
  c.def("reduce", &reduce_at, unlocked(), nb::arg("number"), nb::arg("dW"), nb::arg("dtheta"), nb::arg("threads") = 1,
        nb::arg("bias") = false, "dtheta of dW, the adjoint; float32 for the numbers of 16 bits.");
  c.def("project", &project_at, unlocked(), nb::arg("W"), nb::arg("theta"), nb::arg("threads") = 1,
        nb::arg("bias") = false, "theta of the nearest W of the family, all in float64; gives |W - W(theta)| and |W|.");
}

}  // namespace intertwine::python
