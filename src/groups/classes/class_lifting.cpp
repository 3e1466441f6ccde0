// Classes of solvable groups, lifted through the layers of a normal series.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "class_state.hpp"
#include "groups/recognition/layered_series.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

using Layer = LayeredSeries::Layer;
using Coordinates = std::vector<std::uint32_t>;

/// The field with p elements, p < 2^32, with residues as elements.
struct Residues {
  using Element = std::uint32_t;
  std::uint64_t p;
  Element add(Element a, Element b) const { return static_cast<Element>((std::uint64_t{a} + b) % p); }
  Element negative(Element a) const { return a == 0 ? 0 : static_cast<Element>(p - a); }
  Element multiply(Element a, Element b) const { return static_cast<Element>(std::uint64_t{a} * b % p); }
  Element inverse(Element a) const { return static_cast<Element>(inverse_modulo(a, p)); }
};

/// c, and the index of the subgroup before it in the one that it completes.
struct Step {
  Permutation element, inverse;
  std::uint32_t prime;
};

/// Classes of G/N with representative g, and what is above them in G/M, N/M = V a layer: cosets g v, on which
/// elements c with c g c^-1 = g t act by v -> t + c v c^-1. Elements w of V add w^g - w, w^g = g^-1 w g, and the
/// image U of that is divided out.
struct Fibre {
  explicit Fibre(const Residues& field, std::size_t dimension) : images(field, dimension) {}

  Permutation g;
  /// The vectors w^g - w, each followed by its w.
  IncrementalEchelon<Residues> images;
  std::vector<std::uint32_t> free;  ///< the coordinates of V/U: those at which no vector of U begins
  /// A point of V/U is the number whose digits are its coordinates, the first one the lowest. Each has an orbit and a
  /// place in it.
  std::vector<std::uint32_t> orbit_of, place;
  struct Orbit {
    std::uint32_t first;  ///< its first point
    /// Each step makes the orbit longer by its prime: places are in mixed radix, the first step fastest.
    std::vector<Step> steps;
    std::uint32_t child;  ///< the fibre of the representative, or its class in the last layer
  };
  std::vector<Orbit> orbits;
};

struct LiftedState final : ConjugacyClasses::State {
  LiftedState(const FiniteGroup& G, LayeredSeries found) : State(G), series(std::move(found)) {
    for (auto layer = series.layers().rbegin(); layer != series.layers().rend(); ++layer) {
      layers.push_back(*layer);
      fields.push_back({layer->prime});
    }
  }

  /// w^g - w and the like: the vector of an element of a layer.
  Coordinates vector(std::size_t depth, const Permutation& v) const { return series.coordinates(layers[depth], v); }
  Permutation element(std::size_t depth, const Coordinates& v) const {
    Permutation result = Permutation::identity(group.degree());
    for (std::size_t j = 0; j < v.size(); ++j)
      if (v[j] != 0) result = result * series.generator(layers[depth].first + j).power(v[j]);
    return result;
  }
  /// The coordinates in V/U of a vector of V, which is reduced.
  std::uint32_t point(const Fibre& fibre, std::size_t depth, Coordinates& v) const {
    v.resize(2 * layers[depth].dimension, 0);
    fibre.images.reduce(v);
    std::uint32_t result = 0;
    for (std::size_t k = fibre.free.size(); k-- > 0;) result = result * layers[depth].prime + v[fibre.free[k]];
    return result;
  }
  /// The vector of V with these coordinates in V/U and 0 elsewhere.
  Coordinates lifted(const Fibre& fibre, std::size_t depth, std::uint32_t x) const {
    Coordinates v(layers[depth].dimension, 0);
    for (const std::uint32_t j : fibre.free) {
      v[j] = x % layers[depth].prime;
      x /= layers[depth].prime;
    }
    return v;
  }
  /// w with w^g - w + u = 0 for a vector u of U, as an element.
  Permutation correction(const Fibre& fibre, std::size_t depth, Coordinates u) const {
    const std::size_t d = layers[depth].dimension;
    u.resize(2 * d, 0);
    if (fibre.images.reduce(u) < d) throw InternalError("lifted classes: a coset lies in another orbit");
    return element(depth, Coordinates(u.begin() + static_cast<std::ptrdiff_t>(d), u.end()));
  }
  /// Undoes what takes the first point of an orbit to the point at this place: c = t c', t of the transversal.
  static void divide(const Fibre::Orbit& orbit, std::uint32_t place, Permutation& c) {
    std::uint32_t stride = 1;
    for (const Step& step : orbit.steps) stride *= step.prime;
    for (std::size_t k = orbit.steps.size(); k-- > 0;) {
      const Step& step = orbit.steps[k];
      stride /= step.prime;
      const std::uint32_t digit = place / stride;
      if (digit > 0) c = (digit == 1 ? step.inverse : step.inverse.power(digit)) * c;
      place %= stride;
    }
  }

  std::uint32_t identify(const Permutation& g, const Task& task) const override {
    if (layers.empty()) return 0;
    Permutation h = g;  // a conjugate of g, equal to the representative modulo more and more
    std::uint32_t at = 0;
    for (std::size_t depth = 0;; ++depth) {
      task.poll();
      const Fibre& fibre = fibres[at];
      const Permutation back = fibre.g.inverse();
      Coordinates v = vector(depth, back * h);
      const std::uint32_t x = point(fibre, depth, v);
      const Fibre::Orbit& orbit = fibre.orbits[fibre.orbit_of[x]];
      at = orbit.child;
      if (depth + 1 == layers.size()) return at;
      Permutation c = Permutation::identity(group.degree());
      divide(orbit, fibre.place[x], c);
      h = c * h * c.inverse();
      Coordinates u = vector(depth, back * h);
      const Coordinates start = lifted(fibre, depth, orbit.first);
      for (std::size_t j = 0; j < u.size(); ++j) u[j] = fields[depth].add(u[j], fields[depth].negative(start[j]));
      const Permutation w = correction(fibre, depth, std::move(u));
      h = w * h * w.inverse();
    }
  }

  LayeredSeries series;
  std::vector<Layer> layers;  ///< from above
  std::vector<Residues> fields;
  std::vector<Fibre> fibres;  ///< the first one belongs to the class of G/G
};

class Lifting {
 public:
  Lifting(LiftedState& state, const Task& task) : s_(state), task_(task) {}

  void run() {
    Integer sum = 0;
    if (s_.layers.empty())
      s_.classes.push_back({Permutation::identity(s_.group.degree()), 1, 1, 1});
    else
      lift(0, Permutation::identity(s_.group.degree()), {});
    for (const ConjugacyClass& c : s_.classes) sum += c.size;
    if (sum != s_.group.order()) throw InternalError("lifted classes: the sizes do not add up to the order");
  }

 private:
  /// The action of one step on the points of V/U: digits of images of unit vectors, and of 0.
  struct Affine {
    std::vector<Coordinates> images;  ///< one for each coordinate, then the translation
  };

  /// All classes of G above that of g modulo the layer at this depth, whose centralizer is generated by the steps
  /// modulo the layer. \return the number of the fibre
  std::uint32_t lift(std::size_t depth, Permutation g, const std::vector<Step>& steps) {
    const Layer& layer = s_.layers[depth];
    const auto number = static_cast<std::uint32_t>(s_.fibres.size());
    s_.fibres.emplace_back(s_.fields[depth], layer.dimension);
    Fibre fibre(s_.fields[depth], layer.dimension);
    fibre.g = std::move(g);
    const std::vector<Coordinates> fixed = divide_out(fibre, depth);
    std::size_t points = 1;
    for (std::size_t k = 0; k < fibre.free.size(); ++k) points *= layer.prime;
    bytes_ += points * 2 * sizeof(std::uint32_t) + fibre.images.rank() * 2 * layer.dimension * sizeof(std::uint32_t);
    require_memory();
    fibre.orbit_of.assign(points, none);
    fibre.place.assign(points, 0);
    std::vector<Affine> action;
    for (const Step& step : steps) action.push_back(affine(fibre, depth, step));
    std::vector<Step> centralizing;
    for (const Coordinates& w : fixed) centralizing.push_back(made(s_.element(depth, w), layer.prime));
    for (std::uint32_t x = 0; x < points; ++x)
      if (fibre.orbit_of[x] == none) add_orbit(fibre, depth, x, steps, action, centralizing);
    bytes_ += fibre.orbits.size() * sizeof(Fibre::Orbit) + s_.group.degree() * sizeof(Point);
    s_.fibres[number] = std::move(fibre);
    return number;
  }

  void require_memory() const { task_.require_memory(bytes_, "the conjugacy classes"); }

  static Step made(Permutation c, std::uint32_t prime) {
    Permutation inverse = c.inverse();
    return {std::move(c), std::move(inverse), prime};
  }

  /// Finds U and the free coordinates. \return a basis of the vectors that g fixes
  std::vector<Coordinates> divide_out(Fibre& fibre, std::size_t depth) const {
    const Layer& layer = s_.layers[depth];
    const Residues& field = s_.fields[depth];
    const std::size_t d = layer.dimension;
    const Permutation back = fibre.g.inverse();
    std::vector<Coordinates> fixed;
    for (std::uint32_t j = 0; j < d; ++j) {
      Coordinates v = s_.vector(depth, back * s_.series.generator(layer.first + j) * fibre.g);
      v[j] = field.add(v[j], field.negative(1));
      v.resize(2 * d, 0);
      v[d + j] = 1;
      const std::size_t pivot = fibre.images.reduce(v);
      if (pivot < d)
        fibre.images.append(std::move(v), pivot);
      else
        fixed.emplace_back(v.begin() + static_cast<std::ptrdiff_t>(d), v.end());
    }
    const auto& pivots = fibre.images.pivots();
    for (std::uint32_t j = 0; j < d; ++j)
      if (std::ranges::find(pivots, j) == pivots.end()) fibre.free.push_back(j);
    return fixed;
  }

  Affine affine(const Fibre& fibre, std::size_t depth, const Step& step) const {
    task_.poll();
    const Layer& layer = s_.layers[depth];
    Affine result;
    const auto add = [&](const Permutation& v) {
      Coordinates x = s_.vector(depth, v);
      s_.point(fibre, depth, x);
      Coordinates digits;
      for (const std::uint32_t j : fibre.free) digits.push_back(x[j]);
      result.images.push_back(std::move(digits));
    };
    for (const std::uint32_t j : fibre.free) add(step.element * s_.series.generator(layer.first + j) * step.inverse);
    add(fibre.g.inverse() * step.element * fibre.g * step.inverse);
    return result;
  }

  std::uint32_t image(const Affine& map, std::uint32_t prime, std::uint32_t x) {
    const std::size_t e = map.images.size() - 1;
    sums_.assign(map.images.back().begin(), map.images.back().end());
    for (std::size_t j = 0; j < e; ++j, x /= prime)
      if (const std::uint64_t digit = x % prime; digit != 0)
        for (std::size_t k = 0; k < e; ++k) sums_[k] += digit * map.images[j][k];
    std::uint64_t result = 0;
    for (std::size_t k = e; k-- > 0;) result = result * prime + sums_[k] % prime;
    return static_cast<std::uint32_t>(result);
  }

  /// The orbit of x; what is above it comes at once. A step either makes the orbit longer by its prime or, times an
  /// element that goes back, fixes x: the steps before it generate a normal subgroup, whose orbits are blocks.
  void add_orbit(Fibre& fibre, std::size_t depth, std::uint32_t x, const std::vector<Step>& steps,
                 const std::vector<Affine>& action, const std::vector<Step>& centralizing) {
    task_.progress("conjugacy classes", s_.classes.size(), 0);
    const Layer& layer = s_.layers[depth];
    const bool last = depth + 1 == s_.layers.size();
    Fibre::Orbit orbit{x, {}, 0};
    const auto number = static_cast<std::uint32_t>(fibre.orbits.size());
    std::vector<std::uint32_t> points{x};
    fibre.orbit_of[x] = number;
    std::vector<std::pair<std::size_t, std::uint32_t>> fixing;  // steps, and the places to which they take x
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const std::uint32_t y = image(action[k], layer.prime, x);
      if (fibre.orbit_of[y] == number) {
        fixing.emplace_back(k, fibre.place[y]);
        continue;
      }
      const std::size_t before = points.size();
      for (std::size_t i = before; i < before * steps[k].prime; ++i) {
        const std::uint32_t z = image(action[k], layer.prime, points[i - before]);
        if (fibre.orbit_of[z] != none) throw InternalError("lifted classes: two orbits meet");
        fibre.orbit_of[z] = number;
        fibre.place[z] = static_cast<std::uint32_t>(i);
        points.push_back(z);
      }
      orbit.steps.push_back(steps[k]);
      bytes_ += sizeof(Step) + 2 * s_.group.degree() * sizeof(Point);
    }
    const Permutation g = fibre.g * s_.element(depth, s_.lifted(fibre, depth, x));
    if (last) {
      orbit.child = static_cast<std::uint32_t>(s_.classes.size());
      Integer order = 1;
      for (const Step& step : centralizing) order *= step.prime;
      for (const auto& [k, place] : fixing) order *= steps[k].prime;
      bytes_ += sizeof(ConjugacyClass) + s_.group.degree() * sizeof(Point);
      require_memory();
      s_.classes.push_back({g, s_.group.order() / order, g.order().convert_to<std::uint64_t>(), order});
    } else {
      std::vector<Step> above = centralizing;
      const Permutation back = g.inverse();
      for (const auto& [k, place] : fixing) {
        Permutation c = steps[k].element;
        LiftedState::divide(orbit, place, c);
        // c g c^-1 = g u with u in U.
        c = s_.correction(fibre, depth, s_.vector(depth, back * c * g * c.inverse())) * c;
        above.push_back(made(std::move(c), steps[k].prime));
      }
      orbit.child = lift(depth + 1, g, above);
    }
    fibre.orbits.push_back(std::move(orbit));
  }

  static constexpr std::uint32_t none = 0xffffffff;
  LiftedState& s_;
  const Task& task_;
  std::uint64_t bytes_ = 0;
  std::vector<std::uint64_t> sums_;
};

}  // namespace

ClassState classes_by_lifting(const FiniteGroup& G, const Task& task, std::vector<ConjugacyClass>* found) {
  constexpr std::uint64_t most_points = std::uint64_t{1} << 24U;
  auto series = LayeredSeries::find(G, task);
  if (!series) return nullptr;
  for (const Layer& layer : series->layers()) {
    std::uint64_t points = 1;
    for (std::uint32_t k = 0; k < layer.dimension; ++k)
      if ((points *= layer.prime) > most_points) return nullptr;
  }
  auto state = std::make_shared<LiftedState>(G, std::move(*series));
  try {
    Lifting(*state, task).run();
  } catch (const LimitError&) {
    if (found) *found = state->classes;
    throw;
  }
  return state;
}

}  // namespace intertwine
