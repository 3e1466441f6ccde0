// The C interface of layers of diagrams.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/io/containers.hpp"
#include "intertwine/numeric/diagram_layer.hpp"
#include "numeric/c_support.hpp"

using namespace intertwine;
using namespace intertwine::c_interface;

struct intertwine_diagrams {
  DiagramTable table;
};

namespace {

template <class T>
DiagramLayer<T> layer_at(const intertwine_diagrams* diagrams, const uint64_t* sizes, uint64_t letters) {
  const auto list = array<const std::uint64_t>(sizes, letters, "sizes");
  return DiagramLayer<T>(given(diagrams, "diagrams").table, {list.begin(), list.end()});
}

}  // namespace

extern "C" {

intertwine_status intertwine_diagrams_open(const char* path, intertwine_diagrams** diagrams) {
  return guarded([&] {
    intertwine_diagrams*& out = given(diagrams, "diagrams");
    out = new intertwine_diagrams{read_diagrams(&given(path, "path"))};
  });
}

intertwine_status intertwine_diagrams_new(const char* axes_out, const char* axes_in, const char* groups, int mean,
                                          uint64_t channels_out, uint64_t channels_in, intertwine_diagrams** diagrams) {
  return guarded([&] {
    intertwine_diagrams*& out = given(diagrams, "diagrams");
    std::vector<DiagramGroup> list;
    for (std::string_view rest = &given(groups, "groups"); !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      list.push_back(parse_diagram_group(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    DiagramTable table = diagram_table(&given(axes_out, "axes_out"), &given(axes_in, "axes_in"), std::move(list),
                                       mean != 0, {channels_out, channels_in});
    require_consistent(table);
    out = new intertwine_diagrams{std::move(table)};
  });
}

void intertwine_diagrams_free(intertwine_diagrams* diagrams) { delete diagrams; }

intertwine_status intertwine_diagrams_shape_of(const intertwine_diagrams* diagrams, intertwine_diagrams_shape* shape) {
  return guarded([&] {
    const DiagramTable& table = given(diagrams, "diagrams").table;
    intertwine_diagrams_shape& out = given(shape, "shape");
    out = {};
    for (const DiagramAxis& axis : table.axes()) ++(axis.output ? out.axes_out : out.axes_in);
    out.letters = table.groups.size();
    out.params = table.params;
    out.bias_params = table.bias_params;
    out.channels_out = table.channels.out;
    out.channels_in = table.channels.in;
    const std::string sha256 = digest(table);
    std::memcpy(out.sha256, sha256.c_str(), sizeof out.sha256);
  });
}

intertwine_status intertwine_diagrams_words(const intertwine_diagrams* diagrams, int of_bias, int32_t* words,
                                            uint64_t count) {
  return guarded([&] {
    const DiagramTable& table = given(diagrams, "diagrams").table;
    const std::vector<std::int32_t>& all = of_bias != 0 ? table.bias_diagrams : table.diagrams;
    if (count != all.size()) throw DomainError(fmt::format("the words have {} numbers, not {}", all.size(), count));
    std::copy(all.begin(), all.end(), array<std::int32_t>(words, count, "words").begin());
  });
}

intertwine_status intertwine_diagrams_apply(const intertwine_diagrams* diagrams, intertwine_dtype dtype,
                                            const uint64_t* sizes, uint64_t letters, uint64_t batch, const void* x,
                                            uint64_t x_count, const void* theta, uint64_t theta_count, const void* bias,
                                            uint64_t bias_count, void* y, uint64_t y_count, unsigned threads) {
  return guarded([&] {
    with_type(dtype, false, [&]<class T>(T) {
      if constexpr (std::is_floating_point_v<T>)
        layer_at<T>(diagrams, sizes, letters)
            .with_parameters(array<const T>(theta, theta_count, "theta"), array<const T>(bias, bias_count, "bias"))
            .forward(batch, array<const T>(x, x_count, "x"), array<T>(y, y_count, "y"),
                     {LayerMode::automatic, threads, 1});
    });
  });
}

intertwine_status intertwine_diagrams_gradients(const intertwine_diagrams* diagrams, intertwine_dtype dtype,
                                                const uint64_t* sizes, uint64_t letters, uint64_t batch, const void* x,
                                                uint64_t x_count, const void* dy, uint64_t dy_count, const void* theta,
                                                uint64_t theta_count, void* dx, uint64_t dx_count, void* dtheta,
                                                uint64_t dtheta_count, void* dbias, uint64_t dbias_count,
                                                unsigned threads) {
  return guarded([&] {
    with_type(dtype, false, [&]<class T>(T) {
      if constexpr (std::is_floating_point_v<T>)
        layer_at<T>(diagrams, sizes, letters)
            .with_parameters(array<const T>(theta, theta_count, "theta"))
            .backward(batch, array<const T>(x, x_count, "x"), array<const T>(dy, dy_count, "dy"),
                      array<T>(dx, dx_count, "dx"), array<T>(dtheta, dtheta_count, "dtheta"),
                      array<T>(dbias, dbias_count, "dbias"), {LayerMode::automatic, threads, 1});
    });
  });
}

}  // extern "C"
