// Products of equivariant layers as handlers of XLA: what intertwine.jax calls. A compiled program names its table by a
// text; tables are kept under their names for the life of the process, since nobody says when a program is gone.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/numeric/edge_product.hpp"
#include "intertwine/numeric/point_polynomial.hpp"
#include "plans.hpp"
#include "xla_ffi.hpp"

namespace intertwine::python {

namespace {

constexpr int metadata_extension = 1, execute_stage = 3, scalar_attribute = 3, text_attribute = 4;
constexpr int xla_s32 = 4, xla_s64 = 5, xla_f32 = 11, xla_f64 = 12;
constexpr int invalid_argument = 3;

// --- Tables by name ------------------------------------------------------------------------------------------------

/// A plan and its copies with other channels, each made once.
struct KeptPlan {
  explicit KeptPlan(const Plan& p) : first(p) {}
  Plan first;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::unique_ptr<Plan>> shares;
};

struct KeptTables {
  std::mutex mutex;
  std::map<std::string, KeptPlan, std::less<>> plans;
  std::map<std::string, EdgeProduct, std::less<>> edges;
  std::map<std::string, PointPolynomial, std::less<>> polynomials;
};

KeptTables& kept() {
  static KeptTables* const tables = new KeptTables;  // programs may run while the process ends
  return *tables;
}

template <class Map>
auto& kept_under(Map& map, std::string_view name) {
  const auto found = map.find(name);
  if (found == map.end())
    throw DomainError(
        fmt::format("the table {} of this compiled program is not known in this process: call the function of "
                    "intertwine.jax here once, or compile again",
                    name.substr(0, 12)));
  return found->second;
}

/// Plans stay where they are: the pointer is good for ever.
const Plan& plan_under(std::string_view name, std::uint64_t out, std::uint64_t in) {
  KeptTables& tables = kept();
  const std::scoped_lock lock(tables.mutex);
  KeptPlan& found = kept_under(tables.plans, name);
  std::unique_ptr<Plan>& share = found.shares[{out, in}];
  if (!share) share = std::make_unique<Plan>(found.first, Multiplicity{out, in}, LayerMode::automatic);
  return *share;
}

EdgeProduct edges_under(std::string_view name) {
  const std::scoped_lock lock(kept().mutex);
  return kept_under(kept().edges, name);
}

PointPolynomial polynomial_under(std::string_view name) {
  const std::scoped_lock lock(kept().mutex);
  return kept_under(kept().polynomials, name);
}

// --- A call --------------------------------------------------------------------------------------------------------

/// The operands, results and attributes of a call, read with care.
class XlaCall {
 public:
  explicit XlaCall(const xla_ffi::CallFrame& frame) : frame_(frame) {}

  std::uint64_t operands() const { return static_cast<std::uint64_t>(frame_.operands.count); }
  std::uint64_t results() const { return static_cast<std::uint64_t>(frame_.results.count); }
  const xla_ffi::Buffer& operand(std::uint64_t k) const { return buffer(frame_.operands, k); }
  const xla_ffi::Buffer& result(std::uint64_t k) const { return buffer(frame_.results, k); }
  std::string_view text(std::string_view name) const {
    const auto& t = *static_cast<const xla_ffi::Text*>(attribute(name, text_attribute));
    return {t.first, t.length};
  }
  std::uint64_t integer(std::string_view name) const {
    const auto& s = *static_cast<const xla_ffi::Scalar*>(attribute(name, scalar_attribute));
    const std::int64_t value = s.number == xla_s64 ? *static_cast<const std::int64_t*>(s.value) : -1;
    if (value < 0) throw DomainError(fmt::format("XLA gives the attribute {} in another type", name));
    return static_cast<std::uint64_t>(value);
  }
  unsigned threads() const { return static_cast<unsigned>(std::clamp<std::uint64_t>(integer("threads"), 1, 1024)); }
  /// work(T()) for the numbers of the operand k.
  template <class Work>
  void in_precision_of(std::uint64_t k, const Work& work) const {
    if (operand(k).number == xla_f32) return work(float());
    if (operand(k).number == xla_f64) return work(double());
    throw DomainError("products take float32 and float64");
  }

 private:
  static const xla_ffi::Buffer& buffer(const xla_ffi::Buffers& all, std::uint64_t k) {
    if (k >= static_cast<std::uint64_t>(all.count)) throw DomainError("XLA gives fewer arrays than this handler takes");
    return *all.buffers[k];
  }
  const void* attribute(std::string_view name, int type) const {
    const xla_ffi::Attributes& all = frame_.attributes;
    for (std::int64_t k = 0; k < all.count; ++k)
      if (all.types[k] == type && std::string_view(all.names[k]->first, all.names[k]->length) == name)
        return all.values[k];
    throw DomainError(fmt::format("XLA gives no attribute {} of this handler", name));
  }
  const xla_ffi::CallFrame& frame_;
};

std::uint64_t length(const xla_ffi::Buffer& b, std::int64_t axis) {
  if (axis >= b.rank) throw DomainError("XLA gives an array with too few axes");
  return static_cast<std::uint64_t>(b.dims[axis]);
}

std::uint64_t size(const xla_ffi::Buffer& b) {
  std::uint64_t n = 1;
  for (std::int64_t axis = 0; axis < b.rank; ++axis) n *= static_cast<std::uint64_t>(b.dims[axis]);
  return n;
}

template <class T>
constexpr int number_of = std::is_same_v<T, float>    ? xla_f32
                          : std::is_same_v<T, double> ? xla_f64
                                                      : xla_s32;

template <class T>
std::span<T> numbers(const xla_ffi::Buffer& b) {
  if (b.number != number_of<std::remove_const_t<T>>) throw DomainError("XLA gives arrays of several types of numbers");
  return {static_cast<T*>(b.data), size(b)};
}

/// One that has another size is an error of the caller; kernels compare sizes, too, where they take spans.
void require_size(const xla_ffi::Buffer& b, std::uint64_t wanted, const char* name) {
  if (size(b) != wanted)
    throw DomainError(fmt::format("{} has {} numbers, and its shape has {}", name, size(b), wanted));
}

// --- Linear layers -------------------------------------------------------------------------------------------------

/// x [b, in, cols], theta [params, out, in] to y [b, out, rows]; transposed: dy and theta to dx.
void xla_apply(const XlaCall& call, bool transposed) {
  const xla_ffi::Buffer &x = call.operand(0), &theta = call.operand(1), &y = call.result(0);
  const std::uint64_t batch = length(x, 0), out = length(theta, 1), in = length(theta, 2);
  const Plan& p = plan_under(call.text("table"), out, in);
  call.in_precision_of(0, [&]<class T>(T) {
    const LayerPlan<T>& plan = p.plan<T>();
    require_size(x, batch * (transposed ? plan.outputs() : plan.inputs()), transposed ? "dy" : "x");
    require_size(theta, plan.parameters(), "theta");
    require_size(y, batch * (transposed ? plan.inputs() : plan.outputs()), transposed ? "dx" : "y");
    const LayerOptions options = p.options<T>(call.threads(), batch, !transposed, transposed, false);
    if (transposed)
      plan.apply_transposed(batch, Strided<const T>(numbers<const T>(x)), numbers<const T>(theta), numbers<T>(y),
                            options);
    else
      p.ran(plan.apply(batch, Strided<const T>(numbers<const T>(x)), numbers<const T>(theta), std::span<const T>(),
                       numbers<T>(y), options));
  });
}

/// x [b, in, cols] and dy [b, out, rows] to dtheta [params, out, in].
void xla_outer(const XlaCall& call) {
  const xla_ffi::Buffer &x = call.operand(0), &dy = call.operand(1), &dtheta = call.result(0);
  const std::uint64_t batch = length(x, 0), out = length(dy, 1), in = length(x, 1);
  const Plan& p = plan_under(call.text("table"), out, in);
  call.in_precision_of(0, [&]<class T>(T) {
    const LayerPlan<T>& plan = p.plan<T>();
    require_size(x, batch * plan.inputs(), "x");
    require_size(dy, batch * plan.outputs(), "dy");
    require_size(dtheta, plan.parameters(), "dtheta");
    const std::span<T> sums = numbers<T>(dtheta);
    if (batch == 0) return void(std::fill(sums.begin(), sums.end(), T{}));
    plan.gradients(batch, Strided<const T>(numbers<const T>(x)), Strided<const T>(numbers<const T>(dy)),
                   std::span<const T>(), Strided<T>(std::span<T>()), sums, std::span<T>(),
                   p.options<T>(call.threads(), batch, false, false, true));
  });
}

/// theta [params, out, in] to W [out rows, in cols], or the adjoint.
void xla_weights(const XlaCall& call, bool adjoint) {
  const xla_ffi::Buffer &theta = adjoint ? call.result(0) : call.operand(0),
                        &W = adjoint ? call.operand(0) : call.result(0);
  const Multiplicity c{length(theta, 1), length(theta, 2)};
  const Plan& p = plan_under(call.text("table"), c.out, c.in);
  const PreparedPattern& pattern = p.pattern(false);
  require_size(theta, pattern.params() * c.out * c.in, "theta");
  require_size(W, c.out * pattern.rows() * c.in * pattern.cols(), "W");
  call.in_precision_of(0, [&]<class T>(T) {
    if (adjoint)
      reduce_gradient<T>(pattern, c, numbers<const T>(W), numbers<SumOf<T>>(theta), 0, call.threads());
    else
      materialise<T>(pattern, c, numbers<const T>(theta), numbers<T>(W), 0, call.threads());
  });
}

// --- Products along edges ------------------------------------------------------------------------------------------

/// Edges [2, edges] of int32 in both orders, by counting.
struct XlaGraph {
  std::uint64_t nodes;
  std::vector<std::int64_t> source, target, target_first, by_target, source_first, by_source;

  XlaGraph(const xla_ffi::Buffer& ends, std::uint64_t node_count) : nodes(node_count) {
    const std::span<const std::int32_t> all = numbers<const std::int32_t>(ends);
    const std::uint64_t edges = length(ends, 1);
    require_size(ends, 2 * edges, "edges");
    for (std::uint64_t k = 0; k < all.size(); ++k)
      if (all[k] < 0 || static_cast<std::uint64_t>(all[k]) >= nodes)
        throw DomainError(
            fmt::format("edge {} has an end {}, and the nodes go from 0 to {} - 1", k % edges, all[k], nodes));
    source.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(edges));
    target.assign(all.begin() + static_cast<std::ptrdiff_t>(edges), all.end());
    sort(target, target_first, by_target);
    sort(source, source_first, by_source);
  }
  void sort(const std::vector<std::int64_t>& of, std::vector<std::int64_t>& first,
            std::vector<std::int64_t>& order) const {
    first.assign(nodes + 1, 0);
    order.resize(of.size());
    for (const std::int64_t n : of) ++first[static_cast<std::size_t>(n) + 1];
    for (std::size_t n = 0; n < nodes; ++n) first[n + 1] += first[n];
    std::vector<std::int64_t> next(first.begin(), first.end() - 1);
    for (std::size_t e = 0; e < of.size(); ++e)
      order[static_cast<std::size_t>(next[static_cast<std::size_t>(of[e])]++)] = static_cast<std::int64_t>(e);
  }
  EdgeGraph view() const { return {nodes, source, target, target_first, by_target, source_first, by_source}; }
};

template <class T>
EdgeOperands<T> edge_operands(const XlaCall& call, std::uint64_t from) {
  return {numbers<const T>(call.operand(from)), numbers<const T>(call.operand(from + 1)),
          numbers<const T>(call.operand(from + 2))};
}

/// x, y, w, edges, and perhaps directions of x, y and w, to the product.
void xla_edge_product(const XlaCall& call) {
  const EdgeProduct product = edges_under(call.text("table"));
  const XlaGraph graph(call.operand(3), length(call.operand(0), 0));
  const std::uint64_t channels = length(call.operand(2), 2);
  call.in_precision_of(0, [&]<class T>(T) {
    const std::span<T> out = numbers<T>(call.result(0));
    if (out.empty()) return;
    if (call.operands() > 4)
      product.apply_along<T>(graph.view(), channels, edge_operands<T>(call, 0), edge_operands<T>(call, 4), out,
                             call.threads());
    else
      product.apply<T>(graph.view(), channels, edge_operands<T>(call, 0), out, call.threads());
  });
}

/// x, y, w, edges and g to those gradients in x, y and w whose bits `wanted` has.
void xla_edge_gradients(const XlaCall& call) {
  const EdgeProduct product = edges_under(call.text("table"));
  const XlaGraph graph(call.operand(3), length(call.operand(0), 0));
  const std::uint64_t channels = length(call.operand(2), 2), wanted = call.integer("wanted");
  call.in_precision_of(0, [&]<class T>(T) {
    std::array<std::span<T>, 3> found;
    bool any = false;
    for (std::uint64_t n = 0, k = 0; n < 3; ++n)
      if (wanted >> n & 1) {
        found[n] = numbers<T>(call.result(k++));
        any = any || !found[n].empty();
      }
    if (any)
      product.gradients<T>(graph.view(), channels, edge_operands<T>(call, 0), numbers<const T>(call.operand(4)),
                           {found[0], found[1], found[2]}, call.threads());
  });
}

// --- Polynomials of points -----------------------------------------------------------------------------------------

template <class T>
std::vector<PolynomialOperands<T>> directions(const XlaCall& call, std::uint64_t from) {
  std::vector<PolynomialOperands<T>> found;
  for (std::uint64_t k = from; k + 1 < call.operands(); k += 2)
    found.push_back({numbers<const T>(call.operand(k)), numbers<const T>(call.operand(k + 1))});
  return found;
}

/// x, w, the kinds of int32, and directions of x and w, two and two, to the polynomial; with gradients g stands before
/// the directions.
void xla_polynomial(const XlaCall& call, bool gradients) {
  const PointPolynomial polynomial = polynomial_under(call.text("table"));
  const xla_ffi::Buffer &x = call.operand(0), &w = call.operand(1);
  const std::span<const std::int32_t> given = numbers<const std::int32_t>(call.operand(2));
  const std::vector<std::int64_t> of_point(given.begin(), given.end());
  const PointKinds kinds{length(w, 0), of_point};
  const std::uint64_t channels = length(x, 2);
  call.in_precision_of(0, [&]<class T>(T) {
    const PolynomialOperands<T> at{numbers<const T>(x), numbers<const T>(w)};
    if (!gradients) {
      const std::span<T> out = numbers<T>(call.result(0));
      if (!out.empty()) polynomial.value<T>(kinds, channels, at, directions<T>(call, 3), out, call.threads());
      return;
    }
    const std::uint64_t wanted = call.integer("wanted");
    PolynomialGradients<T> found;
    std::uint64_t k = 0;
    if (wanted & 1) found.x = numbers<T>(call.result(k++));
    if (wanted & 2) found.w = numbers<T>(call.result(k++));
    if (given.empty()) return void(std::fill(found.w.begin(), found.w.end(), T{}));
    if (!found.x.empty() || !found.w.empty())
      polynomial.gradients<T>(kinds, channels, at, numbers<const T>(call.operand(3)), directions<T>(call, 4), found,
                              call.threads());
  });
}

// --- Handlers ------------------------------------------------------------------------------------------------------

xla_ffi::Failure* failure(const xla_ffi::CallFrame& frame, const char* message) {
  xla_ffi::ErrorText text{sizeof(xla_ffi::ErrorText), nullptr, message, invalid_argument};
  return frame.functions->create_error(&text);
}

template <class Work>
xla_ffi::Failure* handled(xla_ffi::CallFrame* frame, const Work& work) {
  if (frame->extensions != nullptr && frame->extensions->type == metadata_extension) {
    xla_ffi::Metadata& metadata = *reinterpret_cast<xla_ffi::MetadataExtension*>(frame->extensions)->metadata;
    metadata.version.major = xla_ffi::major_version;
    metadata.version.minor = xla_ffi::minor_version;
    metadata.traits = 0;
    return nullptr;
  }
  if (frame->stage != execute_stage) return nullptr;
  try {
    work(XlaCall(*frame));
    return nullptr;
  } catch (const std::exception& e) {
    return failure(*frame, e.what());
  }
}

#define INTERTWINE_XLA_HANDLER(name, work)                    \
  xla_ffi::Failure* name(xla_ffi::CallFrame* frame) {         \
    return handled(frame, [](const XlaCall& call) { work; }); \
  }
INTERTWINE_XLA_HANDLER(handle_apply, xla_apply(call, false))
INTERTWINE_XLA_HANDLER(handle_apply_t, xla_apply(call, true))
INTERTWINE_XLA_HANDLER(handle_outer, xla_outer(call))
INTERTWINE_XLA_HANDLER(handle_materialise, xla_weights(call, false))
INTERTWINE_XLA_HANDLER(handle_reduce, xla_weights(call, true))
INTERTWINE_XLA_HANDLER(handle_edge_product, xla_edge_product(call))
INTERTWINE_XLA_HANDLER(handle_edge_gradients, xla_edge_gradients(call))
INTERTWINE_XLA_HANDLER(handle_polynomial, xla_polynomial(call, false))
INTERTWINE_XLA_HANDLER(handle_polynomial_gradients, xla_polynomial(call, true))
#undef INTERTWINE_XLA_HANDLER

}  // namespace

void bind_xla(nb::module_& m) {
  m.def(
      "xla_handlers",
      [] {
        nb::dict found;
        const auto add = [&](const char* name, xla_ffi::Handler* handler) {
          found[name] = nb::capsule(reinterpret_cast<void*>(handler));
        };
        add("apply", handle_apply);
        add("apply_t", handle_apply_t);
        add("outer", handle_outer);
        add("materialise", handle_materialise);
        add("reduce", handle_reduce);
        add("edge_product", handle_edge_product);
        add("edge_gradients", handle_edge_gradients);
        add("polynomial", handle_polynomial);
        add("polynomial_gradients", handle_polynomial_gradients);
        return found;
      },
      nb::sig("def xla_handlers() -> dict[str, object]"),
      "For intertwine.jax: the handlers of XLA's foreign function interface by name, as capsules.");
  m.def(
      "keep_for_xla",
      [](const std::string& name, const std::variant<const Plan*, const EdgeProduct*, const PointPolynomial*>& table) {
        KeptTables& tables = kept();
        const std::scoped_lock lock(tables.mutex);
        if (const auto* plan = std::get_if<const Plan*>(&table))
          tables.plans.try_emplace(name, **plan);
        else if (const auto* edges = std::get_if<const EdgeProduct*>(&table))
          tables.edges.try_emplace(name, **edges);
        else
          tables.polynomials.try_emplace(name, *std::get<const PointPolynomial*>(table));
      },
      nb::arg("name"), nb::arg("table"),
      "For intertwine.jax: keeps a table under its name, for programs that XLA has compiled.");
}

}  // namespace intertwine::python
