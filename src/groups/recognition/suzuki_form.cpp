// Recognises the Suzuki groups.
#include "intertwine/groups/suzuki_form.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

using Kind = SuzukiClass::Kind;

constexpr std::array<std::array<std::uint32_t, 4>, 4> unit_matrix = {
    {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
constexpr std::array<std::array<std::uint32_t, 4>, 4> exchange = {
    {{0, 0, 0, 1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}}};
constexpr std::array<std::uint32_t, 4> infinity = {0, 0, 0, 1};

}  // namespace

SuzukiForm::SuzukiForm(std::uint32_t q) : field_(q), half_(std::uint64_t{1} << field_.exponent() / 2) {}

SuzukiForm::Vector SuzukiForm::affine(Element x, Element y) const {
  const Element square = field_.multiply(x, x);
  return {1, x, y, field_.add(field_.add(field_.multiply(x, y), field_.multiply(square, theta(x))), theta(y))};
}

/// The number of the point of which v is a multiple.
std::size_t SuzukiForm::number(const Vector& v) const {
  if (v[0] == 0) return std::size_t{q()} * q();
  const Element s = field_.inverse(v[0]);
  return std::size_t{field_.multiply(s, v[1])} * q() + field_.multiply(s, v[2]);
}

SuzukiForm::Vector SuzukiForm::apply(const Matrix& m, const Vector& v) const {
  Vector image{};
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 4; ++j) image[i] = field_.add(image[i], field_.multiply(m[i][j], v[j]));
  return image;
}

SuzukiForm::Matrix SuzukiForm::product(const Matrix& a, const Matrix& b) const {
  Matrix result{};
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 4; ++j)
      for (unsigned k = 0; k < 4; ++k) result[i][k] = field_.add(result[i][k], field_.multiply(a[i][j], b[j][k]));
  return result;
}

SuzukiForm::Matrix SuzukiForm::power(Matrix m, std::uint64_t k) const {
  Matrix result = unit_matrix;
  for (; k > 0; k >>= 1, m = product(m, m))
    if (k & 1) result = product(result, m);
  return result;
}

bool SuzukiForm::has_order(const Matrix& m, std::uint64_t n) const {
  return power(m, n) == unit_matrix &&
         std::ranges::none_of(prime_divisors(n), [&](std::uint64_t p) { return power(m, n / p) == unit_matrix; });
}

SuzukiForm::Element SuzukiForm::trace(const Matrix& m) const {
  return field_.add(field_.add(m[0][0], m[1][1]), field_.add(m[2][2], m[3][3]));
}

SuzukiForm::Matrix SuzukiForm::translation(Element a, Element b) const {
  return {{{1, 0, 0, 0}, {a, 1, 0, 0}, {b, theta(a), 1, 0}, {affine(a, b)[3], field_.add(b, norm(a)), a, 1}}};
}

SuzukiForm::Matrix SuzukiForm::dilation(Element s) const {
  const Element inner = field_.power(s, half_), outer = field_.multiply(s, inner);
  return {{{field_.inverse(outer), 0, 0, 0}, {0, field_.inverse(inner), 0, 0}, {0, 0, inner, 0}, {0, 0, 0, outer}}};
}

std::optional<SuzukiForm::Matrix> SuzukiForm::matrix(const Permutation& g) const {
  const auto image = [&](const Vector& v) { return vector_[g(point_[number(v)])]; };
  const Vector top = image(infinity);
  Vector origin = image(affine(0, 0)), unit = image(affine(1, 0));
  Matrix result = unit_matrix;
  if (top[0] != 0) {
    const Matrix back = product(exchange, translation_from(top));
    result = product(translation(top[1], top[2]), exchange);
    for (Vector* v : {&origin, &unit}) {
      *v = apply(back, *v);
      if ((*v)[0] == 0) return std::nullopt;
      *v = affine(field_.multiply(field_.inverse((*v)[0]), (*v)[1]), field_.multiply(field_.inverse((*v)[0]), (*v)[2]));
    }
  }
  const Element s = field_.add(origin[1], unit[1]);
  if (s == 0) return std::nullopt;
  return product(result, product(translation(origin[1], origin[2]), dilation(s)));
}

Permutation SuzukiForm::permutation(const Matrix& m) const {
  std::vector<Point> images;
  for (const Vector& v : vector_) images.push_back(point_[number(apply(m, v))]);
  return Permutation::unchecked(std::move(images));
}

std::optional<SuzukiForm> SuzukiForm::of(const FiniteGroup& G, const Task& task) {
  const Integer points = G.degree(), q = sqrt(points);
  if (q * q + 1 != points || q < 8 || q > 0xffff || G.order() != q * q * (q * q + 1) * (q - 1)) return std::nullopt;
  const auto size = q.convert_to<std::uint32_t>();
  if (!std::has_single_bit(size) || std::bit_width(size) % 2 != 0) return std::nullopt;
  SuzukiForm form(size);
  if (!form.find_ovoid(G, task)) return std::nullopt;
  form.find_eigenvalues(task);
  return form;
}

/// Point 0 is infinity, point 1 is (0, 0). Some u of order 4 is the translation by (1, b), so that u^2 is that by (0, 1), and t is
/// the dilation by a generator of GF(q)*. Where t u t^-1 u takes (0, 0) says which generator, up to a few, and then b is the root of
/// a linear equation.
bool SuzukiForm::find_ovoid(const FiniteGroup& G, const Task& task) {
  const std::size_t n = G.degree();
  const std::uint32_t units = q() - 1;
  const auto found = affine_elements(G, units, 4, task);
  if (!found) return false;
  const Permutation &t = found->turn, &u = found->shift;
  const Permutation z = u * u;
  task.require_memory(n * (sizeof(Vector) + 3 * sizeof(Point)), "the coordinates of points");
  // Every point but the first two by (j, l): (s^j, s^(j (theta + 1)) b) + (0, s^(l (theta + 1))), one of the two left out where a
  // number is `units`.
  constexpr std::uint32_t unknown = ~std::uint32_t{0};
  std::vector<std::array<std::uint32_t, 2>> label(n, {unknown, unknown});
  const auto spread = [&](Point x, std::uint32_t j, std::uint32_t l) {
    for (std::uint32_t k = 0; k < units; ++k, x = t(x))
      label[x] = {j == units ? j : (j + k) % units, l == units ? l : (l + k) % units};
  };
  spread(z(1), units, 0);
  spread(u(1), 0, units);
  Point x = u(1);
  for (std::uint32_t i = 0; i < units; ++i, x = t(x)) spread(z(x), i, 0);
  label[0] = label[1] = {units, units};
  if (std::ranges::any_of(label, [](const auto& at) { return at[0] == unknown; })) return false;
  const auto [sum, rest] = label[t(u(t.inverse()(u(1))))];
  if (sum == units) return false;
  for (std::uint64_t e = 1; e < units; ++e) {
    if (std::gcd(e, std::uint64_t{units}) != 1) continue;
    const Element s = field_.power(e);
    if (field_.add(1, s) != field_.power(e * sum)) continue;
    task.poll();
    const auto height = [&](std::uint64_t l) { return l == units ? 0 : norm(field_.power(e * l)); };
    const Element b = field_.multiply(field_.add(theta(s), height(rest)), field_.inverse(field_.add(s, theta(s))));
    point_.assign(n, 0);
    vector_.assign(n, infinity);
    for (Point p = 1; p < n; ++p) {
      const auto [j, l] = label[p];
      const Element across = j == units ? 0 : field_.power(e * j);
      vector_[p] = affine(across, field_.add(field_.multiply(norm(across), b), height(l)));
      point_[number(vector_[p])] = p;
    }
    for (Point p = 0; p < n; ++p)
      if (point_[number(vector_[p])] != p) return false;
    if (std::ranges::all_of(G.generators(), [&](const Permutation& g) {
          const auto m = matrix(g);
          return m && permutation(*m) == g;
        }))
      return true;
  }
  return false;
}

/// The q - 1 classes of elements != 1 of odd order [Suzuki 1962] have the q - 1 non-zero elements of GF(q) as traces: as many, so
/// that one that no class had would show that the trace does not tell classes. b^theta is the trace of (x, y) -> (x, y + b) after
/// the exchange of infinity and (0, 0).
void SuzukiForm::find_eigenvalues(const Task& task) {
  eigenvalues_.assign(q(), {Kind::identity});
  const auto keep = [&](Kind kind, const Matrix& x, std::uint64_t n) {
    Matrix m = x;
    for (std::uint64_t k = 1; k < n; ++k, m = product(m, x)) {
      const std::uint64_t turned = kind == Kind::split ? k : k * q() % n;
      eigenvalues_[trace(m)] = {kind, std::min({k, n - k, turned, n - turned})};
    }
  };
  keep(Kind::split, dilation(field_.power(1)), q() - 1);
  for (const Kind kind : {Kind::plus, Kind::minus}) {
    task.poll();
    const std::uint64_t n = kind == Kind::plus ? q() + r() + 1 : q() - r() + 1;
    Element b = 1;
    while (!has_order(product(translation(0, b), exchange), n)) ++b;
    keep(kind, product(translation(0, b), exchange), n);
  }
  const auto left_out = [](const SuzukiClass& c) { return c.kind == Kind::identity; };
  if (std::count_if(eigenvalues_.begin(), eigenvalues_.end(), left_out) != 1)
    throw InternalError("SuzukiForm: two classes have one trace");
}

std::uint64_t SuzukiForm::key(const Permutation& g) const {
  constexpr std::uint64_t involution = 1, quarters = 2, others = 3;
  const auto found = matrix(g);
  const Matrix m = found ? *found : unit_matrix;
  if (const Element t = trace(m); t != 0) return others + t;
  if (m == unit_matrix) return 0;
  if (product(m, m) == unit_matrix) return involution;
  // The translation by (a, b) that m is conjugate to: of its conjugates with a = 1 half have a b of trace 0 over GF(2).
  Point x = 0;
  while (g(x) != x) ++x;
  Matrix at_infinity = m;
  if (const Vector& v = vector_[x]; v[0] != 0) {
    const Matrix back = product(exchange, translation_from(v));
    at_infinity = product(back, product(m, product(translation(v[1], v[2]), exchange)));
  }
  const Element a = at_infinity[1][0];
  Element b = field_.multiply(at_infinity[2][0], field_.inverse(norm(a))), sum = 0;
  for (unsigned k = 0; k < field_.exponent(); ++k, b = field_.multiply(b, b)) sum = field_.add(sum, b);
  return quarters + sum;
}

SuzukiClass SuzukiForm::type(const Permutation& g) const {
  switch (const std::uint64_t k = key(g); k) {
    case 0:
      return {Kind::identity};
    case 1:
      return {Kind::involution};
    case 2:
    case 3:
      return {Kind::quarter, k - 2};
    default:
      return eigenvalues_[k - 3];
  }
}

std::vector<ListedClass> SuzukiForm::classes(const Task& task) const {
  task.require_memory(number_of_classes() * vector_.size() * sizeof(Point), "the conjugacy classes");
  const Integer Q = q();
  std::vector<ListedClass> result;
  const auto add = [&](const Matrix& m, const Integer& centralizer) {
    task.poll();
    Permutation g = permutation(m);
    const std::uint64_t k = key(g);
    result.push_back({std::move(g), centralizer, k});
  };
  add(unit_matrix, Q * Q * (Q * Q + 1) * (Q - 1));
  add(translation(0, 1), Q * Q);
  add(translation(1, 0), 2 * Q);
  add(translation(1, 1), 2 * Q);
  for (Element t = 1; t < q(); ++t) {
    const Kind kind = eigenvalues_[t].kind;
    add(product(translation(0, field_.power(t, half_)), exchange), kind == Kind::split  ? Integer(Q - 1)
                                                                   : kind == Kind::plus ? Integer(Q + r() + 1)
                                                                                        : Integer(Q - r() + 1));
  }
  return result;
}

}  // namespace intertwine
