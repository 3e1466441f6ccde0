// Tensor properties of crystals.
#include "intertwine/physics/tensor_properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "physics/point_operations.hpp"
#include "physics/tensor_index.hpp"

namespace intertwine {

namespace {

constexpr TensorProperty all_properties[] = {
    {"pyroelectric", "polarization", "p", "polarization by temperature", 1, 3, false, false, 1, 1},
    {"dielectric", "permittivity susceptibility refractive-index polarizability chi1 chi(1)", "e",
     "displacement by field", 3, 3, true, false, 1, 1},
    {"thermal-expansion", "strain stress", "a", "strain by temperature", 3, 3, true, false, 1, 1},
    {"conductivity", "resistivity thermal-conductivity diffusion", "s", "current by field, with Onsager's symmetry", 3,
     3, true, false, 1, 1, TimeReversal::transposing},
    {"thermoelectric", "seebeck peltier", "S", "field by gradient of temperature, not symmetric", 3, 3, false, false, 1,
     1, TimeReversal::exchanging},
    {"optical-activity", "gyration", "g", "gyration tensor: rotation of polarized light by its direction", 3, 3, true,
     true, 1, 1},
    {"hall", "", "R", "vector dual to the antisymmetric resistivity, by magnetic field", 3, 3, false, false, 1, 1},
    {"piezoelectric", "piezo", "d", "polarization by stress; strain by field (d14 is twice a component)", 3, 6, false,
     false, 1, 2},
    {"piezoelectric-stress", "", "e", "polarization by strain; stress by field", 3, 6, false, false, 1, 1},
    {"shg", "second-harmonic second-harmonic-generation nonlinear chi2 chi(2) hyperpolarizability", "d",
     "polarization by the square of a field", 3, 6, false, false, 1, 1, TimeReversal::mixed},
    {"electro-optic", "pockels", "r", "impermeability by field", 6, 3, false, false, 1, 1},
    {"elastic", "stiffness elasticity elastic-stiffness", "c", "stress by strain", 6, 6, true, false, 1, 1},
    {"compliance", "elastic-compliance", "s", "strain by stress (s44 is four times a component)", 6, 6, true, false, 2,
     2},
    {"elasto-optic", "photoelastic piezo-optic", "p", "impermeability by strain", 6, 6, false, false, 1, 1},
    {"electrostriction", "", "M", "stress by the square of a field", 6, 6, false, false, 1, 1},
    {"kerr", "quadratic-electro-optic second-order-electro-optic", "R", "impermeability by the square of a field", 6, 6,
     false, false, 1, 1},
    {"third-order-elastic", "toe third-order-elasticity third-order-stiffness", "c", "stress by the square of strain",
     6, 21, true, false, 1, 1},
    {"third-harmonic", "thg third-harmonic-generation", "x", "polarization by the cube of a field", 3, 10, false, false,
     1, 1, TimeReversal::mixed},
    {"chi3", "chi(3) third-order-susceptibility four-wave-mixing second-hyperpolarizability", "x",
     "polarization by three different fields", 9, 9, false, false, 1, 1, TimeReversal::mixed},
    {"flexoelectric", "flexoelectricity", "f",
     "polarization by the gradient of strain: f1233 has 1 of polarization, 2 of the gradient", 9, 6, false, false, 1,
     1},
    {"piezoresistive", "piezoresistance piezoresistivity", "P", "resistivity by stress", 6, 6, false, false, 1, 1},
    {"magnetic-susceptibility", "permeability magnetizability paramagnetic diamagnetic", "k",
     "magnetization by magnetic field", 3, 3, true, false, 1, 1},
    {"faraday", "magneto-optic magnetooptic verdet", "f",
     "vector dual to the antisymmetric impermeability, by magnetic field", 3, 3, false, false, 1, 1},
    {"cotton-mouton", "magnetic-birefringence", "C", "impermeability by the square of a magnetic field", 6, 6, false,
     false, 1, 1},
    {"magnetoresistance", "magnetoresistive", "R", "resistivity by the square of a magnetic field", 6, 6, false, false,
     1, 1},
    {"magnetostriction", "magnetostrictive", "N", "stress by the square of a magnetic field", 6, 6, false, false, 1, 1},
    {"magnetization", "pyromagnetic ferromagnetic ferromagnetism magnetic-moment", "M", "magnetization without a field",
     1, 3, false, true, 1, 1, TimeReversal::odd},
    {"toroidization", "toroidal toroidal-moment ferrotoroidic", "T", "toroidal moment", 1, 3, false, false, 1, 1,
     TimeReversal::odd},
    {"magnetoelectric", "magneto-electric", "a", "polarization by magnetic field; magnetization by field, transposed",
     3, 3, false, true, 1, 1, TimeReversal::odd},
    {"piezomagnetic", "piezomagnetism", "q", "magnetization by stress (q14 is twice a component)", 3, 6, false, true, 1,
     2, TimeReversal::odd}};

/// Are symmetric pairs named by both their axes, since another index is no pair of Voigt's?
bool names_in_full(const TensorProperty& property) {
  const auto is_other = [](std::size_t dimension) { return dimension == 9 || dimension == 10; };
  return is_other(property.rows) || is_other(property.cols);
}

/// How a matrix R acts on an index.
FieldMatrix on_index(const FieldMatrix& R, std::size_t dimension, int factor, const Task& task = {}) {
  if (dimension == 1) return FieldMatrix::identity(R.field(), 1);
  if (dimension == 3) return R;
  std::vector<Cyclotomic> numbers;  // each is read often, and reading one from a field takes time
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) numbers.push_back(R(i, j));
  const auto entry = [&](std::size_t i, std::size_t j) { return numbers[3 * i + j]; };
  return {dimension, dimension, action_on_index(tensor_index(dimension), entry, Cyclotomic(factor), task)};
}

/// Row I and column JK of a matrix that is symmetric in I, J and K: the component with I <= J <= K has the same number.
FieldMatrix symmetry_of_triples() {
  const std::size_t cols = 21, n = 6 * cols;
  const auto column = [](std::size_t j, std::size_t k) { return j * 6 - j * (j + 1) / 2 + k; };
  std::vector<Rational> equations(n * n, 0);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      for (std::size_t k = j; k < 6; ++k) {
        std::array<std::size_t, 3> sorted{i, j, k};
        std::sort(sorted.begin(), sorted.end());
        const std::size_t here = i * cols + column(j, k), there = sorted[0] * cols + column(sorted[1], sorted[2]);
        if (here == there) continue;
        equations[here * n + here] = 1;
        equations[here * n + there] = -1;
      }
  return RationalMatrix(n, n, equations);
}

/// From the axes of cartesian_representation to those of Nye: a permutation of axes with signs, as the rows of a matrix.
RationalMatrix axes_of_nye(const structure::PointGroup& symbol) {
  const bool odd = symbol.n % 2 == 1 && symbol.n >= 3;
  const bool monoclinic =
      symbol.family == 'C' && ((symbol.n == 0 && symbol.suffix == 's') || (symbol.n == 2 && symbol.suffix != 'v'));
  if (monoclinic) return RationalMatrix(IntegerMatrix{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}});  // the old z is x2
  if (odd && ((symbol.family == 'C' && symbol.suffix == 'v') || (symbol.family == 'D' && symbol.suffix == 'h')))
    return RationalMatrix(IntegerMatrix{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}});  // a quarter turn about the main axis
  return RationalMatrix::identity(3);
}

using TimedOperations = std::vector<MagneticPointGroup::Operation>;

/// Generators of the operations that do not reverse time: Schreier's, for the cosets of 1 and of the first that does.
TimedOperations without_reversal(const TimedOperations& generators) {
  const auto first = std::find_if(generators.begin(), generators.end(), [](const auto& g) { return g.reverses_time; });
  if (first == generators.end()) return generators;
  const FieldMatrix &a = first->matrix, inverse = a.transpose();
  TimedOperations out;
  for (const auto& [R, reverses] : generators) {
    out.push_back({reverses ? R * inverse : R, false});
    out.push_back({reverses ? a * R : a * R * inverse, false});
  }
  return out;
}

/// The tensors that these operations leave fixed.
TensorForm form_under(TensorProperty property, TimedOperations operations, const FiniteGroup& G, const Task& task) {
  const std::size_t n = property.rows * property.cols;
  if (property.time == TimeReversal::exchanging) operations = without_reversal(operations);
  std::vector<FieldMatrix> equations;
  for (const auto& [R, reverses] : operations) {
    FieldMatrix action = kronecker_product(on_index(R, property.rows, property.row_factor),
                                           on_index(R, property.cols, property.col_factor));
    if (property.axial) action = determinant_in_space(R) * action;
    if (reverses && property.time == TimeReversal::odd) action = Cyclotomic(-1) * action;
    if (reverses && property.time == TimeReversal::transposing) {
      action = action * FieldMatrix(matrix_transposition(property.rows));
      property.symmetric = false;
    }
    equations.push_back(action - FieldMatrix::identity(action.field(), n));
  }
  if (property.symmetric)
    equations.push_back(property.rows == property.cols
                            ? FieldMatrix(RationalMatrix::identity(n) - matrix_transposition(property.rows))
                            : symmetry_of_triples());
  const bool in_full = names_in_full(property);
  std::vector<std::string> names;
  for (const std::string& row : tensor_index(property.rows, in_full).names)
    for (const std::string& col : tensor_index(property.cols, in_full).names) {
      std::string indices = row + col;
      if (property.symmetric && property.cols == 21) std::sort(indices.begin(), indices.end());
      names.push_back(std::string(property.letter) + indices);
    }
  TensorForm form{component_form(property.rows, property.cols, std::move(names), equations, task), property, G};
  if (property.time == TimeReversal::transposing) {  // symmetric of itself, as where time reversal is an operation?
    form.property.symmetric = true;
    for (std::size_t i = 0; i < property.rows; ++i)
      for (std::size_t j = 0; j < i; ++j) form.property.symmetric &= form.entry(i, j) == form.entry(j, i);
  }
  return form;
}

}  // namespace

std::span<const TensorProperty> tensor_properties() { return all_properties; }

const TensorProperty& tensor_property(std::string_view name) {
  std::string names;
  for (const TensorProperty& property : all_properties) {
    const std::string words = fmt::format(" {} {} ", property.name, property.synonyms);
    if (!name.empty() && name.find(' ') == std::string_view::npos &&
        words.find(fmt::format(" {} ", name)) != std::string::npos)
      return property;
    names += (names.empty() ? "" : ", ") + std::string(property.name);
  }
  throw DomainError(
      fmt::format("there is no tensor property called '{}'; there are {}, and raman", name.substr(0, 40), names));
}

TensorForm in_axes(const TensorForm& form, const FieldMatrix& axes, const Task& task) {
  if (axes.rows() != 3 || axes.cols() != 3 || !(axes * axes.transpose() == FieldMatrix::identity(axes.field(), 3)) ||
      determinant_in_space(axes) != Cyclotomic(1))
    throw DomainError("in_axes: the rows of the matrix are no right-handed axes of length 1");
  const TensorProperty& p = form.property;
  const FieldMatrix left = on_index(axes, p.rows, p.row_factor, task),
                    right = on_index(axes, p.cols, p.col_factor, task).transpose();
  TensorForm turned = form;
  std::vector<FieldMatrix> rows;  // one for every constant
  for (std::size_t k = 0; k < form.independent.size(); ++k) {
    FieldMatrix sum(RationalMatrix(p.rows, p.cols));
    for (std::size_t at = 0; at < p.rows * p.cols; ++at) {
      const Cyclotomic number = form.coefficients(at, k);
      if (number.is_zero()) continue;
      task.poll();
      sum = sum + number * (left.select_cols(std::vector<std::size_t>{at / p.cols}) *
                            right.select_rows(std::vector<std::size_t>{at % p.cols}));
    }
    rows.push_back(sum.reshape(1, p.rows * p.cols));
  }
  if (!rows.empty()) turned.coefficients = vertical_stack(rows).transpose();
  return turned;
}

TensorForm tensor_form(const TensorProperty& property, const FiniteGroup& G, const Task& task) {
  const auto* symbol = G.structure().as<structure::PointGroup>();
  if (!symbol) throw DomainError("tensor_form: " + G.name() + " is no point group");
  const Representation vectors = cartesian_representation(G, task);
  const FieldMatrix axes(axes_of_nye(*symbol));
  TimedOperations operations;
  for (const Permutation& g : G.generators())
    operations.push_back({axes * vectors.field_matrix(g) * axes.transpose(), false});
  return form_under(property, operations, G, task);
}

TensorForm tensor_form(const TensorProperty& property, const MagneticPointGroup& M, const Task& task) {
  if (property.time == TimeReversal::mixed &&
      std::any_of(M.generators.begin(), M.generators.end(), [](const auto& g) { return g.reverses_time; }))
    throw DomainError(
        fmt::format("{} of magnetic crystals has a part that time reversal leaves and one whose sign it "
                    "changes, so that {} does not say one form; ask for the point group of the operations, "
                    "without primes",
                    property.name, M.symbol));
  TensorForm form = form_under(property, M.generators, M.group, task);
  form.magnetic = M.symbol;
  return form;
}

}  // namespace intertwine
