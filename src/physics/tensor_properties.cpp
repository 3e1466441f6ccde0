// Tensor properties of crystals.
#include "intertwine/physics/tensor_properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "physics/point_operations.hpp"

namespace intertwine {

namespace {

constexpr TensorProperty all_properties[] = {
    {"pyroelectric", "polarization", "p", "polarization by temperature", 1, 3, false, false, 1, 1},
    {"dielectric", "permittivity susceptibility refractive-index polarizability chi1 chi(1)", "e",
     "displacement by field", 3, 3, true, false, 1, 1},
    {"thermal-expansion", "strain stress", "a", "strain by temperature", 3, 3, true, false, 1, 1},
    {"conductivity", "resistivity thermal-conductivity diffusion", "s",
     "current by field, with Onsager's symmetry", 3, 3, true, false, 1, 1, TimeReversal::transposing},
    {"thermoelectric", "seebeck peltier", "S", "field by gradient of temperature, not symmetric", 3, 3, false,
     false, 1, 1, TimeReversal::exchanging},
    {"optical-activity", "gyration", "g", "gyration tensor: rotation of polarized light by its direction", 3,
     3, true, true, 1, 1},
    {"hall", "", "R", "vector dual to the antisymmetric resistivity, by magnetic field", 3, 3, false, false,
     1, 1},
    {"piezoelectric", "piezo", "d", "polarization by stress; strain by field (d14 is twice a component)", 3,
     6, false, false, 1, 2},
    {"piezoelectric-stress", "", "e", "polarization by strain; stress by field", 3, 6, false, false, 1, 1},
    {"shg", "second-harmonic second-harmonic-generation nonlinear chi2 chi(2) hyperpolarizability", "d",
     "polarization by the square of a field", 3, 6, false, false, 1, 1, TimeReversal::mixed},
    {"electro-optic", "pockels", "r", "impermeability by field", 6, 3, false, false, 1, 1},
    {"elastic", "stiffness elasticity elastic-stiffness", "c", "stress by strain", 6, 6, true, false, 1, 1},
    {"compliance", "elastic-compliance", "s", "strain by stress (s44 is four times a component)", 6, 6, true,
     false, 2, 2},
    {"elasto-optic", "photoelastic piezo-optic", "p", "impermeability by strain", 6, 6, false, false, 1, 1},
    {"electrostriction", "", "M", "stress by the square of a field", 6, 6, false, false, 1, 1},
    {"kerr", "quadratic-electro-optic", "R", "impermeability by the square of a field", 6, 6, false, false, 1,
     1},
    {"piezoresistive", "piezoresistance piezoresistivity", "P", "resistivity by stress", 6, 6, false, false,
     1, 1},
    {"magnetic-susceptibility", "permeability magnetizability paramagnetic diamagnetic", "k",
     "magnetization by magnetic field", 3, 3, true, false, 1, 1},
    {"faraday", "magneto-optic magnetooptic verdet", "f",
     "vector dual to the antisymmetric impermeability, by magnetic field", 3, 3, false, false, 1, 1},
    {"cotton-mouton", "magnetic-birefringence", "C", "impermeability by the square of a magnetic field", 6, 6,
     false, false, 1, 1},
    {"magnetoresistance", "magnetoresistive", "R", "resistivity by the square of a magnetic field", 6, 6,
     false, false, 1, 1},
    {"magnetostriction", "magnetostrictive", "N", "stress by the square of a magnetic field", 6, 6, false,
     false, 1, 1},
    {"magnetization", "pyromagnetic ferromagnetic ferromagnetism magnetic-moment", "M",
     "magnetization without a field", 1, 3, false, true, 1, 1, TimeReversal::odd},
    {"toroidization", "toroidal toroidal-moment ferrotoroidic", "T", "toroidal moment", 1, 3, false, false, 1,
     1, TimeReversal::odd},
    {"magnetoelectric", "magneto-electric", "a",
     "polarization by magnetic field; magnetization by field, transposed", 3, 3, false, true, 1, 1,
     TimeReversal::odd},
    {"piezomagnetic", "piezomagnetism", "q", "magnetization by stress (q14 is twice a component)", 3, 6,
     false, true, 1, 2, TimeReversal::odd}};

constexpr std::array<std::pair<std::size_t, std::size_t>, 6> voigt_pairs{
    {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}};

/// How a matrix R acts on an index of dimension 1, 3 or 6; of a symmetric pair, components with i != j carry the factor.
FieldMatrix on_index(const FieldMatrix& R, std::size_t dimension, int factor) {
  if (dimension == 1) return FieldMatrix::identity(R.field(), 1);
  if (dimension == 3) return R;
  std::vector<Cyclotomic> entries;
  for (std::size_t p = 0; p < 6; ++p)
    for (std::size_t q = 0; q < 6; ++q) {
      const auto [i, j] = voigt_pairs[p];
      const auto [a, b] = voigt_pairs[q];
      Cyclotomic value = R(i, a) * R(j, b);
      if (a != b) value += R(i, b) * R(j, a);
      if (factor != 1 && i != j) value *= Cyclotomic(factor);
      if (factor != 1 && a != b) value *= Cyclotomic(Rational(1, factor));
      entries.push_back(std::move(value));
    }
  return {6, 6, entries};
}

/// From the axes of cartesian_representation to those of Nye: a permutation of axes with signs, as the rows of a matrix.
RationalMatrix axes_of_nye(const structure::PointGroup& symbol) {
  const bool odd = symbol.n % 2 == 1 && symbol.n >= 3;
  const bool monoclinic = symbol.family == 'C' && ((symbol.n == 0 && symbol.suffix == 's') ||
                                                   (symbol.n == 2 && symbol.suffix != 'v'));
  if (monoclinic) return RationalMatrix(IntegerMatrix{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}});  // the old z is x2
  if (odd &&
      ((symbol.family == 'C' && symbol.suffix == 'v') || (symbol.family == 'D' && symbol.suffix == 'h')))
    return RationalMatrix(
        IntegerMatrix{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}});  // a quarter turn about the main axis
  return RationalMatrix::identity(3);
}

using TimedOperations = std::vector<MagneticPointGroup::Operation>;

/// Generators of the operations that do not reverse time: Schreier's, for the cosets of 1 and of the first that does.
TimedOperations without_reversal(const TimedOperations& generators) {
  const auto first =
      std::find_if(generators.begin(), generators.end(), [](const auto& g) { return g.reverses_time; });
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
TensorForm form_under(TensorProperty property, TimedOperations operations, const FiniteGroup& G,
                      const Task& task) {
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
    equations.push_back(RationalMatrix::identity(n) - matrix_transposition(property.rows));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < property.rows; ++i)
    for (std::size_t j = 0; j < property.cols; ++j)
      names.push_back(property.rows == 1 ? fmt::format("{}{}", property.letter, j + 1)
                                         : fmt::format("{}{}{}", property.letter, i + 1, j + 1));
  TensorForm form{component_form(property.rows, property.cols, std::move(names), equations, task), property,
                  G};
  if (property.time ==
      TimeReversal::transposing) {  // symmetric of itself, as where time reversal is an operation?
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
      fmt::format("there is no tensor property called '{}'; there are {}", name.substr(0, 40), names));
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
