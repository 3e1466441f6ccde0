// Somebody else's program that runs layers and knows no groups: all public headers of the numeric side, a table in memory, and
// one from a file if it is named.
#include <intertwine/intertwine_numeric.h>

#include <intertwine/io/containers.hpp>
#include <intertwine/numeric/cuda_layer.hpp>
#include <intertwine/numeric/instruction_set.hpp>
#include <intertwine/numeric/layer.hpp>
#include <intertwine/numeric/machine_rates.hpp>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  using namespace intertwine;
  const auto tied = [](std::uint64_t cols, std::uint64_t params, std::vector<std::uint8_t> codes,
                       std::vector<std::int64_t> sizes) {
    return WeightPattern{3, cols, params, TiedEntries{std::move(sizes), code_rows(3, cols, std::move(codes))}};
  };
  // The permutations of three points: theta_0 on the diagonal, theta_1 elsewhere; one bias.
  const WeightBlock table{
      tied(3, 2, {1, 2, 2, 2, 1, 2, 2, 2, 1}, {3, 6}), tied(1, 1, {1, 1, 1}, {3}), {1, 1}, {}, {}, {}};
  require_consistent(table);
  const std::vector<float> theta = {10, 1}, bias = {100}, x = {1, 2, 3};
  std::vector<float> y(3);
  Layer(table).with_parameters(theta, bias).forward(1, x, y);
  bool right = y == std::vector<float>{115, 124, 133};
  if (argc > 1) {
    const Layer<double> read(read_numeric_table(argv[1]));
    right = right && read.theta().size() == 2 && read.inputs() == 3;
  }
  std::cout << "layers on " << to_string(instruction_set()) << ", " << cuda_devices() << " devices: " << right << '\n';
  return right ? 0 : 1;
}
