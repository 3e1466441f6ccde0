#include <fmt/format.h>

#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <variant>

#include "intertwine/error.hpp"
#include "intertwine/intertwine_numeric.h"
#include "intertwine/io/containers.hpp"
#include "intertwine/numeric/instruction_set.hpp"
#include "intertwine/numeric/layer.hpp"
#include "numeric/sparse_basis.hpp"
#include "numeric/tied_pattern.hpp"

using namespace intertwine;
using numeric_detail::SparseBasis;
using numeric_detail::TiedPattern;

struct intertwine_table {
  PreparedPattern weights, bias;
  Multiplicity channels;
  std::optional<IsotypicMap> isotypic;  ///< if the file has the blocks
  std::shared_ptr<const std::map<std::string, std::string>> metadata;
  std::string sha256;
};

struct intertwine_layer {
  std::variant<Layer<float>, Layer<double>> layer;
};

namespace {

thread_local std::string last_error;

intertwine_status failed(intertwine_status status, const char* why) noexcept {
  try {
    last_error = why;
  } catch (...) {
    last_error.clear();  // no memory for the message
  }
  return status;
}

// Runs `body`; what it throws becomes a status and a message.
template <class Body>
intertwine_status guarded(const Body& body) noexcept {
  try {
    body();
    return INTERTWINE_OK;
  } catch (const FileError& e) {
    return failed(INTERTWINE_BAD_FILE, e.what());
  } catch (const LimitError& e) {
    return failed(INTERTWINE_NO_MEMORY, e.what());
  } catch (const InternalError& e) {
    return failed(INTERTWINE_FAULT, e.what());
  } catch (const Error& e) {
    return failed(INTERTWINE_BAD_ARGUMENT, e.what());
  } catch (const std::bad_alloc&) {
    return failed(INTERTWINE_NO_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return failed(INTERTWINE_FAULT, e.what());
  } catch (...) {
    return failed(INTERTWINE_FAULT, "an unknown exception");
  }
}

template <class T>
T& given(T* pointer, const char* name) {
  if (pointer == nullptr) throw DomainError(fmt::format("{} is NULL", name));
  return *pointer;
}

template <class T, class Void>
std::span<T> array(Void* data, std::uint64_t count, const char* name) {
  if (data == nullptr && count != 0)
    throw DomainError(fmt::format("{} is NULL but has {} entries", name, count));
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0)
    throw DomainError(fmt::format("{} is not aligned to its type", name));
  return {static_cast<T*>(data), count};
}

// Calls body with a value of the type that `dtype` names.
template <class Body>
void with_type(intertwine_dtype dtype, bool storage, const Body& body) {
  if (dtype == INTERTWINE_F32) return body(float{});
  if (dtype == INTERTWINE_F64) return body(double{});
  if (dtype == INTERTWINE_BF16 || dtype == INTERTWINE_F16) {
    if constexpr (requires { body(Bf16{}); })
      if (storage) return dtype == INTERTWINE_BF16 ? body(Bf16{}) : body(Half{});
    throw DomainError(
        "bfloat16 and fp16 are for intertwine_materialise, _reduce and _project; take float32 or float64");
  }
  throw DomainError(fmt::format("there is no dtype {}", static_cast<int>(dtype)));
}

LayerOptions options_of(intertwine_mode mode, unsigned threads) {
  constexpr LayerMode modes[] = {LayerMode::automatic, LayerMode::fastest,  LayerMode::dense,
                                 LayerMode::lookup,    LayerMode::implicit, LayerMode::fft,
                                 LayerMode::isotypic};
  const auto number = static_cast<unsigned>(mode);
  if (number >= std::size(modes))
    throw DomainError(fmt::format("there is no mode {}", static_cast<int>(mode)));
  return {modes[number], std::max(1U, threads), 1};
}

Codes codes_from(const std::int32_t* codes, std::uint64_t count, std::uint64_t params) {
  if (count > (std::uint64_t{1} << 40))
    throw DomainError(fmt::format("{} codes are more than memory can hold", count));
  const auto all = array<const std::int32_t>(codes, count, "the array of codes");
  if (code_bytes(params) == 4) return std::vector<std::int32_t>(all.begin(), all.end());
  std::vector<std::uint8_t> narrow;
  for (const std::int32_t code : all) {
    if (code < 0 || static_cast<std::uint64_t>(code) > 2 * params)
      throw DomainError(fmt::format("the code {} is not in [0, {}]", code, 2 * params));
    narrow.push_back(static_cast<std::uint8_t>(code));
  }
  return narrow;
}

using Metadata = const std::map<std::string, std::string>;

// A table of patterns in memory, with one channel and without metadata.
intertwine_table* table_of(PreparedPattern weights, PreparedPattern bias) {
  return new intertwine_table{
      std::move(weights), std::move(bias), {1, 1}, {}, std::make_shared<Metadata>(), ""};
}

std::unique_ptr<intertwine_table> open_table(const std::string& path) {
  WeightTable table = read_numeric_table(path);
  auto out = std::make_unique<intertwine_table>(
      intertwine_table{PreparedPattern(table.weights),
                       PreparedPattern(table.bias),
                       table.channels,
                       {},
                       std::make_shared<Metadata>(std::move(table.metadata)),
                       digest(table)});
  if (table.isotypic) out->isotypic.emplace(out->weights, IsotypicDecomposition(std::move(*table.isotypic)));
  return out;
}

// The elements of a general basis; `col` NULL means column 0.
SparseBasis elements_from(std::uint64_t rows, std::uint64_t cols, std::uint64_t params,
                          const std::int64_t* ptr, const std::int32_t* row, const std::int32_t* col,
                          const double* val) {
  if (params >= (std::uint64_t{1} << 31))
    throw DomainError(fmt::format("{} parameters are too many", params));
  const auto starts = array<const std::int64_t>(ptr, params + 1, "ptr");
  const std::int64_t last = starts.back();
  if (last < 0 || last > (std::int64_t{1} << 40))
    throw DomainError(fmt::format("ptr ends with {}, which is no number of entries", last));
  const auto entries = static_cast<std::uint64_t>(last);
  const auto rows_of = array<const std::int32_t>(row, entries, "row");
  std::vector<std::int32_t> zeros(col == nullptr && cols == 1 ? entries : 0, 0);
  const auto cols_of =
      zeros.empty() ? array<const std::int32_t>(col, entries, "col") : std::span<const std::int32_t>(zeros);
  return SparseBasis(rows, cols, starts, rows_of, cols_of, array<const double>(val, entries, "val"));
}

}  // namespace

extern "C" {

uint32_t intertwine_numeric_version(void) { return INTERTWINE_NUMERIC_VERSION; }

const char* intertwine_last_error(void) { return last_error.c_str(); }

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

intertwine_status intertwine_table_from_codes(uint64_t rows, uint64_t cols, uint64_t params,
                                              const int32_t* codes, uint64_t bias_params,
                                              const int32_t* bias_codes, intertwine_table** table) {
  return guarded([&] {
    intertwine_table*& out = given(table, "table");
    if (cols != 0 && rows > (std::uint64_t{1} << 40) / cols)
      throw DomainError(fmt::format("{} x {} codes are more than memory can hold", rows, cols));
    const bool has_bias = bias_codes != nullptr;
    const Codes bias =
        has_bias ? codes_from(bias_codes, rows, bias_params) : Codes(std::vector<std::uint8_t>(rows, 0));
    out = table_of(TiedPattern(rows, cols, params, codes_from(codes, rows * cols, params)),
                   TiedPattern(rows, 1, has_bias ? bias_params : 0, bias));
  });
}

intertwine_status intertwine_table_from_elements(uint64_t rows, uint64_t cols, uint64_t params,
                                                 const int64_t* ptr, const int32_t* row, const int32_t* col,
                                                 const double* val, uint64_t bias_params,
                                                 const int64_t* bias_ptr, const int32_t* bias_row,
                                                 const double* bias_val, intertwine_table** table) {
  return guarded([&] {
    intertwine_table*& out = given(table, "table");
    constexpr std::int64_t none[] = {0};
    const bool has_bias = bias_ptr != nullptr;
    out = table_of(elements_from(rows, cols, params, ptr, row, col, val),
                   elements_from(rows, 1, has_bias ? bias_params : 0, has_bias ? bias_ptr : none, bias_row,
                                 nullptr, bias_val));
  });
}

intertwine_status intertwine_table_is_tied(const intertwine_table* table, int* tied) {
  return guarded([&] { given(tied, "tied") = given(table, "table").weights.is_tied() ? 1 : 0; });
}

intertwine_status intertwine_table_squared_norms(const intertwine_table* table, double* norms,
                                                 uint64_t count) {
  return guarded([&] {
    const auto all = given(table, "table").weights.squared_norms();
    const auto out = array<double>(norms, count, "norms");
    if (count != all.size())
      throw DomainError(fmt::format("norms has {} entries; the table has {} parameters", count, all.size()));
    std::copy(all.begin(), all.end(), out.begin());
  });
}

intertwine_status intertwine_table_repeat(const intertwine_table* table, uint64_t channels_out,
                                          uint64_t channels_in, intertwine_table** repeated) {
  return guarded([&] {
    intertwine_table*& out = given(repeated, "repeated");
    auto copy = std::make_unique<intertwine_table>(given(table, "table"));
    copy->channels = {channels_out, channels_in};
    out = copy.release();
  });
}

void intertwine_table_free(intertwine_table* table) { delete table; }

intertwine_status intertwine_table_shape(const intertwine_table* table, intertwine_shape* shape) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    intertwine_shape& out = given(shape, "shape");
    out = {t.weights.rows(),
           t.weights.cols(),
           t.weights.params(),
           t.bias.params(),
           t.channels.out,
           t.channels.in,
           {}};
    std::memcpy(out.sha256, t.sha256.c_str(), std::min(t.sha256.size() + 1, sizeof out.sha256));
  });
}

intertwine_status intertwine_table_metadata(const intertwine_table* table, const char* key, char* text,
                                            size_t room, size_t* needed) {
  return guarded([&] {
    const auto& metadata = *given(table, "table").metadata;
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

intertwine_status intertwine_table_orbit_sizes(const intertwine_table* table, int64_t* sizes,
                                               uint64_t count) {
  return guarded([&] {
    const auto all = given(table, "table").weights.tied().orbit_size();
    const auto out = array<std::int64_t>(sizes, count, "sizes");
    if (count != all.size())
      throw DomainError(fmt::format("sizes has {} entries; the table has {} parameters", count, all.size()));
    std::copy(all.begin(), all.end(), out.begin());
  });
}

intertwine_status intertwine_table_initial_variance(const intertwine_table* table, double gain,
                                                    double* variances, uint64_t count) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    const auto all = initial_variance(t.weights, t.channels, gain);
    const auto out = array<double>(variances, count, "variances");
    if (count != all.size())
      throw DomainError(
          fmt::format("variances has {} entries; the table has {} parameters", count, all.size()));
    std::copy(all.begin(), all.end(), out.begin());
  });
}

intertwine_status intertwine_materialise(const intertwine_table* table, intertwine_dtype dtype,
                                         const void* theta, uint64_t theta_count, void* W, uint64_t W_count,
                                         uint64_t row_stride, unsigned threads) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    with_type(dtype, true, [&](auto zero) {
      using T = decltype(zero);
      materialise<T>(t.weights, t.channels, array<const T>(theta, theta_count, "theta"),
                     array<T>(W, W_count, "W"), row_stride, std::max(1U, threads));
    });
  });
}

intertwine_status intertwine_reduce(const intertwine_table* table, intertwine_dtype dtype, const void* dW,
                                    uint64_t dW_count, uint64_t row_stride, void* dtheta,
                                    uint64_t dtheta_count, unsigned threads) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    with_type(dtype, true, [&](auto zero) {
      using T = decltype(zero);
      reduce<T>(t.weights, t.channels, array<const T>(dW, dW_count, "dW"),
                array<SumOf<T>>(dtheta, dtheta_count, "dtheta"), row_stride, std::max(1U, threads));
    });
  });
}

intertwine_status intertwine_project(const intertwine_table* table, intertwine_dtype dtype, const void* W,
                                     uint64_t W_count, double* theta, uint64_t theta_count,
                                     double* relative_residual) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    const auto out = array<double>(theta, theta_count, "theta");
    with_type(dtype, true, [&](auto zero) {
      using T = decltype(zero);
      const Projection found = project<T>(t.weights, t.channels, array<const T>(W, W_count, "W"));
      if (found.theta.size() != theta_count)
        throw DomainError(
            fmt::format("theta has {} entries; the layer has {}", theta_count, found.theta.size()));
      std::copy(found.theta.begin(), found.theta.end(), out.begin());
      if (relative_residual != nullptr) *relative_residual = found.norm > 0 ? found.residual / found.norm : 0;
    });
  });
}

intertwine_status intertwine_layer_new(const intertwine_table* table, intertwine_dtype dtype,
                                       const void* theta, uint64_t theta_count, const void* bias,
                                       uint64_t bias_count, intertwine_layer** layer) {
  return guarded([&] {
    const intertwine_table& t = given(table, "table");
    intertwine_layer*& out = given(layer, "layer");
    with_type(
        dtype, false, [&]<class T>(T) requires(!is_narrow<T>) {
                                        Layer<T> empty(t.weights, t.bias, t.channels);
                                        if (t.isotypic) empty = empty.with_decomposition(*t.isotypic);
                                        out = new intertwine_layer{
                                            empty.with_parameters(array<const T>(theta, theta_count, "theta"),
                                                                  array<const T>(bias, bias_count, "bias"))};
                                      });
  });
}

intertwine_status intertwine_layer_decompose(const intertwine_layer* layer, const intertwine_block* blocks,
                                             uint64_t block_count, const double* T_out, uint64_t T_out_count,
                                             const double* T_in, uint64_t T_in_count,
                                             intertwine_layer** decomposed) {
  return guarded([&] {
    intertwine_layer*& out = given(decomposed, "decomposed");
    IsotypicBlocks all;
    for (const intertwine_block& block : array<const intertwine_block>(blocks, block_count, "blocks"))
      all.blocks.push_back({block.ring, block.degree, block.copies_out, block.copies_in});
    const auto rows = array<const double>(T_out, T_out_count, "T_out"),
               cols = array<const double>(T_in, T_in_count, "T_in");
    all.T_out.assign(rows.begin(), rows.end());
    all.T_in.assign(cols.begin(), cols.end());
    out =
        std::visit([&](const auto& l) { return new intertwine_layer{l.with_decomposition(std::move(all))}; },
                   given(layer, "layer").layer);
  });
}

void intertwine_layer_free(intertwine_layer* layer) { delete layer; }

intertwine_status intertwine_layer_apply(const intertwine_layer* layer, uint64_t batch, const void* x,
                                         uint64_t x_count, void* y, uint64_t y_count, intertwine_mode mode,
                                         unsigned threads, intertwine_mode* ran) {
  return guarded([&] {
    const LayerOptions options = options_of(mode, threads);
    std::visit(
        [&]<class T>(const Layer<T>& l) {
          const LayerForm form =
              l.forward(batch, array<const T>(x, x_count, "x"), array<T>(y, y_count, "y"), options);
          if (ran != nullptr) *ran = static_cast<intertwine_mode>(INTERTWINE_DENSE + static_cast<int>(form));
        },
        given(layer, "layer").layer);
  });
}

intertwine_status intertwine_layer_gradients(const intertwine_layer* layer, uint64_t batch, const void* x,
                                             uint64_t x_count, const void* dy, uint64_t dy_count, void* dx,
                                             uint64_t dx_count, void* dtheta, uint64_t dtheta_count,
                                             void* dbias, uint64_t dbias_count, intertwine_mode mode,
                                             unsigned threads) {
  return guarded([&] {
    const LayerOptions options = options_of(mode, threads);
    std::visit(
        [&]<class T>(const Layer<T>& l) {
          l.backward(batch, array<const T>(x, x_count, "x"), array<const T>(dy, dy_count, "dy"),
                     array<T>(dx, dx_count, "dx"), array<T>(dtheta, dtheta_count, "dtheta"),
                     array<T>(dbias, dbias_count, "dbias"), options);
        },
        given(layer, "layer").layer);
  });
}

}  // extern "C"
