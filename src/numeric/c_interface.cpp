// The C interface of tables and layers.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

#include "intertwine/error.hpp"
#include "intertwine/intertwine_numeric.h"
#include "intertwine/io/containers.hpp"
#include "intertwine/numeric/block_layer.hpp"
#include "intertwine/numeric/instruction_set.hpp"
#include "intertwine/numeric/prepared_table.hpp"
#include "numeric/c_support.hpp"

using namespace intertwine;
using namespace intertwine::c_interface;

std::string& intertwine::c_interface::last_error() {
  thread_local std::string text;
  return text;
}

struct intertwine_table {
  PreparedTable prepared;
  Multiplicity channels;

  const PreparedPattern& weights() const { return prepared.weights(); }
  const PreparedPattern& bias() const { return prepared.bias(); }
  template <class T>
  const LayerPlan<T>& plan() const {
    auto& made = std::get<Plan<T>>(*plans);
    std::call_once(made.once, [&] { made.plan.emplace(LayerPlan<T>(prepared).with_channels(channels)); });
    return *made.plan;
  }

 private:
  template <class T>
  struct Plan {
    std::once_flag once;
    std::optional<LayerPlan<T>> plan;
  };
  std::shared_ptr<std::tuple<Plan<float>, Plan<double>>> plans =
      std::make_shared<std::tuple<Plan<float>, Plan<double>>>();

 public:
  intertwine_table(PreparedTable table, Multiplicity c) : prepared(std::move(table)), channels(c) {}
};

struct intertwine_layer {
  std::variant<BlockLayer<float>, BlockLayer<double>> layer;
};

namespace {

LayerOptions options_of(intertwine_mode mode, unsigned threads) {
  constexpr LayerMode modes[] = {LayerMode::automatic, LayerMode::fastest, LayerMode::dense,   LayerMode::lookup,
                                 LayerMode::implicit,  LayerMode::fft,     LayerMode::isotypic};
  const auto number = static_cast<unsigned>(mode);
  if (number >= std::size(modes)) throw DomainError(fmt::format("there is no mode {}", static_cast<int>(mode)));
  return {modes[number], std::max(1U, threads), 1};
}

// The pattern of codes in memory, which are kept in the width of tables.
WeightPattern pattern_of(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, const std::int32_t* codes) {
  if (cols != 0 && rows > (std::uint64_t{1} << 40) / cols)
    throw DomainError(fmt::format("{} x {} codes are more than memory can hold", rows, cols));
  if (params >= (std::uint64_t{1} << 30)) throw DomainError(fmt::format("{} parameters are too many", params));
  const auto all = array<const std::int32_t>(codes, rows * cols, "the array of codes");
  for (const std::int32_t code : all)
    if (code < 0 || static_cast<std::uint64_t>(code) > 2 * params)
      throw DomainError(fmt::format("the code {} is not in [0, {}]", code, 2 * params));
  Codes kept = std::vector<std::int32_t>();
  if (code_bytes(params) == 4) {
    kept = std::vector<std::int32_t>(all.begin(), all.end());
  } else {
    std::vector<std::uint8_t> narrow(all.size());
    std::transform(all.begin(), all.end(), narrow.begin(),
                   [](std::int32_t code) { return static_cast<std::uint8_t>(code); });
    kept = std::move(narrow);
  }
  TiedEntries entries = tied_entries(code_rows(rows, cols, std::move(kept)), params);
  const auto unused = std::find(entries.orbit_size.begin(), entries.orbit_size.end(), 0);
  if (unused != entries.orbit_size.end())
    throw DomainError(fmt::format("no code says the parameter {} of {}; give no more parameters than the codes name",
                                  unused - entries.orbit_size.begin(), params));
  return {rows, cols, params, std::move(entries)};
}

WeightPattern no_bias(std::uint64_t rows) {
  if (rows > (std::uint64_t{1} << 40)) throw DomainError(fmt::format("{} rows are more than memory can hold", rows));
  return {rows, 1, 0, tied_entries(code_rows(rows, 1, std::vector<std::uint8_t>(rows, 0)), 0)};
}

// A table in memory, with one channel and without metadata.
intertwine_table* table_of(WeightPattern weights, WeightPattern bias) {
  return new intertwine_table(
      PreparedTable(WeightBlock{std::move(weights), std::move(bias), {1, 1}, std::nullopt, std::nullopt, {}}), {1, 1});
}

std::unique_ptr<intertwine_table> open_table(const std::string& path) {
  WeightBlock table = read_numeric_table(path).block();
  const Multiplicity channels = table.channels;
  return std::make_unique<intertwine_table>(PreparedTable(std::move(table)), channels);
}

// The elements of a general basis; `col` NULL means column 0.
WeightPattern elements_from(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, const std::int64_t* ptr,
                            const std::int32_t* row, const std::int32_t* col, const double* val) {
  if (params >= (std::uint64_t{1} << 31)) throw DomainError(fmt::format("{} parameters are too many", params));
  const auto starts = array<const std::int64_t>(ptr, params + 1, "ptr");
  const std::int64_t last = starts.back();
  if (last < 0 || last > (std::int64_t{1} << 40))
    throw DomainError(fmt::format("ptr ends with {}, which is no number of entries", last));
  const auto entries = static_cast<std::uint64_t>(last);
  const auto rows_of = array<const std::int32_t>(row, entries, "row");
  const auto values = array<const double>(val, entries, "val");
  SparseElements elements;
  elements.start.assign(starts.begin(), starts.end());
  elements.row.assign(rows_of.begin(), rows_of.end());
  elements.value.assign(values.begin(), values.end());
  if (col == nullptr && cols == 1) {
    elements.col.assign(entries, 0);
  } else {
    const auto cols_of = array<const std::int32_t>(col, entries, "col");
    elements.col.assign(cols_of.begin(), cols_of.end());
  }
  return {rows, cols, params, std::move(elements)};
}

// An array of a product: `count` entries in all, `strides` NULL for contiguous.
template <class T, class Void>
Strided<T> strided(Void* data, std::uint64_t count, const intertwine_strides* strides, const char* name) {
  const std::span<T> all = array<T>(data, count, name);
  if (strides == nullptr) return all;
  return {all, ArrayStrides{strides->batch, strides->channel, strides->entry}};
}

void report(intertwine_mode* ran, LayerForm form) {
  if (ran != nullptr) *ran = static_cast<intertwine_mode>(INTERTWINE_DENSE + static_cast<int>(form));
}

}  // namespace

extern "C" {

uint32_t intertwine_numeric_version(void) { return INTERTWINE_NUMERIC_VERSION; }

const char* intertwine_last_error(void) { return last_error().c_str(); }

const char* intertwine_instruction_set(void) {
  const char* name = "";
  guarded([&] {
    const InstructionSet level = instruction_set();
    name = level == InstructionSet::avx512 ? "avx512" : level == InstructionSet::avx2 ? "avx2" : "scalar";
  });
  return name;
}

intertwine_status intertwine_table_open(const char* path, intertwine_table** table) {
  return guarded([&] {
    intertwine_table*& out = given(table, "table");
    out = open_table(&given(path, "path")).release();
  });
}

intertwine_status intertwine_table_from_codes(uint64_t rows, uint64_t cols, uint64_t params, const int32_t* codes,
                                              uint64_t bias_params, const int32_t* bias_codes,
                                              intertwine_table** table) {
  return guarded([&] {
    intertwine_table*& out = given(table, "table");
    out = table_of(pattern_of(rows, cols, params, codes),
                   bias_codes == nullptr ? no_bias(rows) : pattern_of(rows, 1, bias_params, bias_codes));
  });
}

intertwine_status intertwine_table_from_elements(uint64_t rows, uint64_t cols, uint64_t params, const int64_t* ptr,
                                                 const int32_t* row, const int32_t* col, const double* val,
                                                 uint64_t bias_params, const int64_t* bias_ptr, const int32_t* bias_row,
                                                 const double* bias_val, intertwine_table** table) {
  return guarded([&] {
    intertwine_table*& out = given(table, "table");
    constexpr std::int64_t none[] = {0};
    const bool has_bias = bias_ptr != nullptr;
    out = table_of(
        elements_from(rows, cols, params, ptr, row, col, val),
        elements_from(rows, 1, has_bias ? bias_params : 0, has_bias ? bias_ptr : none, bias_row, nullptr, bias_val));
  });
}

intertwine_status intertwine_table_is_tied(const intertwine_table* table, int* tied) {
  return guarded([&] { given(tied, "tied") = given(table, "table").weights().is_tied() ? 1 : 0; });
}

intertwine_status intertwine_table_squared_norms(const intertwine_table* table, double* norms, uint64_t count) {
  return guarded([&] {
    const auto all = given(table, "table").weights().squared_norms();
    const auto out = array<double>(norms, count, "norms");
    if (count != all.size())
      throw DomainError(fmt::format("norms has {} entries; the table has {} parameters", count, all.size()));
    std::copy(all.begin(), all.end(), out.begin());
  });
}

intertwine_status intertwine_table_repeat(const intertwine_table* table, uint64_t channels_out, uint64_t channels_in,
                                          intertwine_table** repeated) {
  return guarded([&] {
    intertwine_table*& out = given(repeated, "repeated");
    auto copy =
        std::make_unique<intertwine_table>(given(table, "table").prepared, Multiplicity{channels_out, channels_in});
    out = copy.release();
  });
}

void intertwine_table_free(intertwine_table* table) { delete table; }

intertwine_status intertwine_table_shape(const intertwine_table* table, intertwine_shape* shape) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    intertwine_shape& out = given(shape, "shape");
    const std::string& digest = t.prepared.sha256();
    out = {t.weights().rows(),
           t.weights().cols(),
           t.weights().params(),
           t.bias().params(),
           t.channels.out,
           t.channels.in,
           {}};
    std::memcpy(out.sha256, digest.c_str(), std::min(digest.size() + 1, sizeof out.sha256));
  });
}

intertwine_status intertwine_table_metadata(const intertwine_table* table, const char* key, char* text, size_t room,
                                            size_t* needed) {
  return guarded([&] {
    const auto& metadata = given(table, "table").prepared.table().metadata;
    const auto found = metadata.find(&given(key, "key"));
    if (found == metadata.end()) throw DomainError(fmt::format("the table has no metadata \"{}\"", key));
    given(needed, "needed") = found->second.size() + 1;
    if (room == 0) return;
    given(text, "text");
    const std::size_t copied = std::min(room - 1, found->second.size());
    std::memcpy(text, found->second.data(), copied);
    text[copied] = '\0';
  });
}

intertwine_status intertwine_table_orbit_sizes(const intertwine_table* table, int64_t* sizes, uint64_t count) {
  return guarded([&] {
    const auto& all = given(table, "table").prepared.table().weights.tied().orbit_size;
    const auto out = array<std::int64_t>(sizes, count, "sizes");
    if (count != all.size())
      throw DomainError(fmt::format("sizes has {} entries; the table has {} parameters", count, all.size()));
    std::copy(all.begin(), all.end(), out.begin());
  });
}

intertwine_status intertwine_table_initial_variance(const intertwine_table* table, double gain, double* variances,
                                                    uint64_t count) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    const auto all = initial_variance(t.weights(), t.channels, gain);
    const auto out = array<double>(variances, count, "variances");
    if (count != all.size())
      throw DomainError(fmt::format("variances has {} entries; the table has {} parameters", count, all.size()));
    std::copy(all.begin(), all.end(), out.begin());
  });
}

intertwine_status intertwine_materialise(const intertwine_table* table, intertwine_dtype dtype, const void* theta,
                                         uint64_t theta_count, void* W, uint64_t W_count, uint64_t row_stride,
                                         unsigned threads) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    with_type(dtype, true, [&](auto zero) {
      using T = decltype(zero);
      materialise<T>(t.weights(), t.channels, array<const T>(theta, theta_count, "theta"), array<T>(W, W_count, "W"),
                     row_stride, std::max(1U, threads));
    });
  });
}

intertwine_status intertwine_reduce(const intertwine_table* table, intertwine_dtype dtype, const void* dW,
                                    uint64_t dW_count, uint64_t row_stride, void* dtheta, uint64_t dtheta_count,
                                    unsigned threads) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    with_type(dtype, true, [&](auto zero) {
      using T = decltype(zero);
      reduce_gradient<T>(t.weights(), t.channels, array<const T>(dW, dW_count, "dW"),
                         array<SumOf<T>>(dtheta, dtheta_count, "dtheta"), row_stride, std::max(1U, threads));
    });
  });
}

intertwine_status intertwine_project(const intertwine_table* table, intertwine_dtype dtype, const void* W,
                                     uint64_t W_count, double* theta, uint64_t theta_count, double* relative_residual) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    const auto out = array<double>(theta, theta_count, "theta");
    with_type(dtype, true, [&](auto zero) {
      using T = decltype(zero);
      const Projection found = project_weights<T>(t.weights(), t.channels, array<const T>(W, W_count, "W"));
      if (found.theta.size() != theta_count)
        throw DomainError(fmt::format("theta has {} entries; the layer has {}", theta_count, found.theta.size()));
      std::copy(found.theta.begin(), found.theta.end(), out.begin());
      if (relative_residual != nullptr) *relative_residual = found.norm > 0 ? found.residual / found.norm : 0;
    });
  });
}

intertwine_status intertwine_apply(const intertwine_table* table, intertwine_dtype dtype, uint64_t batch, const void* x,
                                   uint64_t x_count, const intertwine_strides* x_strides, const void* theta,
                                   uint64_t theta_count, const void* bias, uint64_t bias_count, void* y,
                                   uint64_t y_count, const intertwine_strides* y_strides, intertwine_mode mode,
                                   unsigned threads, intertwine_mode* ran) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    const LayerOptions options = options_of(mode, threads);
    with_type(
        dtype, false, [&]<class T>(T) requires(!is_narrow<T>) {
                                        report(ran,
                                               t.plan<T>().apply(batch, strided<const T>(x, x_count, x_strides, "x"),
                                                                 array<const T>(theta, theta_count, "theta"),
                                                                 array<const T>(bias, bias_count, "bias"),
                                                                 strided<T>(y, y_count, y_strides, "y"), options));
                                      });
  });
}

intertwine_status intertwine_apply_transposed(const intertwine_table* table, intertwine_dtype dtype, uint64_t batch,
                                              const void* dy, uint64_t dy_count, const intertwine_strides* dy_strides,
                                              const void* theta, uint64_t theta_count, void* dx, uint64_t dx_count,
                                              const intertwine_strides* dx_strides, intertwine_mode mode,
                                              unsigned threads, intertwine_mode* ran) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    const LayerOptions options = options_of(mode, threads);
    with_type(
        dtype, false, [&]<class T>(T) requires(!is_narrow<T>) {
                                        report(ran, t.plan<T>().apply_transposed(
                                                        batch, strided<const T>(dy, dy_count, dy_strides, "dy"),
                                                        array<const T>(theta, theta_count, "theta"),
                                                        strided<T>(dx, dx_count, dx_strides, "dx"), options));
                                      });
  });
}

intertwine_status intertwine_outer(const intertwine_table* table, intertwine_dtype dtype, uint64_t batch, const void* x,
                                   uint64_t x_count, const intertwine_strides* x_strides, const void* dy,
                                   uint64_t dy_count, const intertwine_strides* dy_strides, void* dtheta,
                                   uint64_t dtheta_count, intertwine_mode mode, unsigned threads,
                                   intertwine_mode* ran) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    const LayerOptions options = options_of(mode, threads);
    with_type(
        dtype, false, [&]<class T>(T) requires(!is_narrow<T>) {
                                        report(ran,
                                               t.plan<T>().outer(batch, strided<const T>(x, x_count, x_strides, "x"),
                                                                 strided<const T>(dy, dy_count, dy_strides, "dy"),
                                                                 array<T>(dtheta, dtheta_count, "dtheta"), options));
                                      });
  });
}

intertwine_status intertwine_gradients(const intertwine_table* table, intertwine_dtype dtype, uint64_t batch,
                                       const void* x, uint64_t x_count, const intertwine_strides* x_strides,
                                       const void* dy, uint64_t dy_count, const intertwine_strides* dy_strides,
                                       const void* theta, uint64_t theta_count, void* dx, uint64_t dx_count,
                                       const intertwine_strides* dx_strides, void* dtheta, uint64_t dtheta_count,
                                       void* dbias, uint64_t dbias_count, intertwine_mode mode, unsigned threads,
                                       intertwine_mode* ran) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    const LayerOptions options = options_of(mode, threads);
    with_type(
        dtype,
        false, [&]<class T>(T) requires(!is_narrow<T>) {
                                 report(ran, t.plan<T>().gradients(batch, strided<const T>(x, x_count, x_strides, "x"),
                                                                   strided<const T>(dy, dy_count, dy_strides, "dy"),
                                                                   array<const T>(theta, theta_count, "theta"),
                                                                   strided<T>(dx, dx_count, dx_strides, "dx"),
                                                                   array<T>(dtheta, dtheta_count, "dtheta"),
                                                                   array<T>(dbias, dbias_count, "dbias"), options));
                               });
  });
}

intertwine_status intertwine_layer_new(const intertwine_table* table, intertwine_dtype dtype, const void* theta,
                                       uint64_t theta_count, const void* bias, uint64_t bias_count,
                                       intertwine_layer** layer) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    intertwine_layer*& out = given(layer, "layer");
    with_type(
        dtype, false, [&]<class T>(T) requires(!is_narrow<T>) {
                                        out = new intertwine_layer{
                                            BlockLayer<T>(t.plan<T>())
                                                .with_parameters(array<const T>(theta, theta_count, "theta"),
                                                                 array<const T>(bias, bias_count, "bias"))};
                                      });
  });
}

intertwine_status intertwine_layer_decompose(const intertwine_layer* layer, const intertwine_block* blocks,
                                             uint64_t block_count, const double* T_out, uint64_t T_out_count,
                                             const double* T_in, uint64_t T_in_count, intertwine_layer** decomposed) {
  return guarded([&] {
    intertwine_layer*& out = given(decomposed, "decomposed");
    IsotypicBlocks all;
    for (const intertwine_block& block : array<const intertwine_block>(blocks, block_count, "blocks"))
      all.blocks.push_back({block.ring, block.degree, block.copies_out, block.copies_in});
    const auto rows = array<const double>(T_out, T_out_count, "T_out"),
               cols = array<const double>(T_in, T_in_count, "T_in");
    all.T_out.assign(rows.begin(), rows.end());
    all.T_in.assign(cols.begin(), cols.end());
    out = std::visit([&](const auto& l) { return new intertwine_layer{l.with_decomposition(std::move(all))}; },
                     given(layer, "layer").layer);
  });
}

void intertwine_layer_free(intertwine_layer* layer) { delete layer; }

intertwine_status intertwine_layer_apply(const intertwine_layer* layer, uint64_t batch, const void* x, uint64_t x_count,
                                         void* y, uint64_t y_count, intertwine_mode mode, unsigned threads,
                                         intertwine_mode* ran) {
  return guarded([&] {
    const LayerOptions options = options_of(mode, threads);
    std::visit(
        [&]<class T>(const BlockLayer<T>& l) {
          const LayerForm form = l.forward(batch, array<const T>(x, x_count, "x"), array<T>(y, y_count, "y"), options);
          report(ran, form);
        },
        given(layer, "layer").layer);
  });
}

intertwine_status intertwine_layer_gradients(const intertwine_layer* layer, uint64_t batch, const void* x,
                                             uint64_t x_count, const void* dy, uint64_t dy_count, void* dx,
                                             uint64_t dx_count, void* dtheta, uint64_t dtheta_count, void* dbias,
                                             uint64_t dbias_count, intertwine_mode mode, unsigned threads) {
  return guarded([&] {
    const LayerOptions options = options_of(mode, threads);
    std::visit(
        [&]<class T>(const BlockLayer<T>& l) {
          l.backward(batch, array<const T>(x, x_count, "x"), array<const T>(dy, dy_count, "dy"),
                     array<T>(dx, dx_count, "dx"), array<T>(dtheta, dtheta_count, "dtheta"),
                     array<T>(dbias, dbias_count, "dbias"), options);
        },
        given(layer, "layer").layer);
  });
}

}  // extern "C"
