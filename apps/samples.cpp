// Makes the files that the examples of help name.
#include "samples.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <string>
#include <system_error>

#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/actions.hpp"
#include "streams.hpp"

namespace intertwine::app {

namespace {

NpyArray counted_up(std::uint64_t rows, std::uint64_t cols) {
  std::vector<double> values(rows * cols);
  std::iota(values.begin(), values.end(), 1);
  return {{rows, cols}, std::move(values)};
}

/// Lovász's theta of the graph of Petersen: maximize the sum of all entries of X, the trace 1, 0 on every edge.
std::string theta_of_petersen() {
  constexpr std::array<std::array<int, 2>, 15> edges{{{3, 5},
                                                      {4, 5},
                                                      {2, 6},
                                                      {4, 6},
                                                      {2, 7},
                                                      {3, 7},
                                                      {1, 8},
                                                      {4, 8},
                                                      {7, 8},
                                                      {1, 9},
                                                      {3, 9},
                                                      {6, 9},
                                                      {1, 10},
                                                      {2, 10},
                                                      {5, 10}}};
  std::string text = fmt::format("{}\n1\n10\n1", edges.size() + 1);
  for (std::size_t k = 0; k < edges.size(); ++k) text += " 0";
  text += '\n';
  for (int i = 1; i <= 10; ++i)
    for (int j = i; j <= 10; ++j) text += fmt::format("0 1 {} {} 1\n", i, j);
  for (int i = 1; i <= 10; ++i) text += fmt::format("1 1 {} {} 1\n", i, i);
  for (std::size_t k = 0; k < edges.size(); ++k) text += fmt::format("{} 1 {} {} 1\n", k + 2, edges[k][0], edges[k][1]);
  return text;
}

}  // namespace

Samples::Samples() : folder_(new_temporary_folder()) {
  write_file(folder_ / "water.xyz",
             "3\nwater\nO 0.000000 0.000000 0.117790\nH 0.000000 0.755453 -0.471161\nH 0.000000 -0.755453 -0.471161\n");
  write_file(folder_ / "rutile.cif",
             "data_rutile\n_cell_length_a 4.594\n_cell_length_b 4.594\n_cell_length_c 2.959\n_cell_angle_alpha 90\n"
             "_cell_angle_beta 90\n_cell_angle_gamma 90\n_space_group_name_H-M_alt 'P 42/m n m'\nloop_\n"
             "_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n"
             "Ti 0 0 0\nO 0.3053 0.3053 0\n");
  write_file(folder_ / "petersen.g6", "IheA@GUAo\n");
  write_file(folder_ / "petersen.dat-s", theta_of_petersen());
  const Representation points = natural_permutation_representation(symmetric_group(4));
  write_table(folder_ / "layer.safetensors", hom::equivariant_basis(points, points).table().block());
  write_npy(folder_ / "x.npy", counted_up(2, 4));
  write_npy(folder_ / "w.npy", counted_up(4, 4));
}

Samples::~Samples() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::vector<std::string> Samples::placed(std::vector<std::string> words) const {
  for (std::string& word : words)
    if (names_a_file(word)) word = (folder_ / word).string();
  return words;
}

std::string Samples::shown(std::string text) const {
  const std::string name = folder_.string() + "/";
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) text.erase(at, name.size());
  return text;
}

}  // namespace intertwine::app
