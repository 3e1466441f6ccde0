// Multiplication tables of polycyclic groups, one generator more at a time.
#include "groups/named/polycyclic.hpp"

#include <algorithm>
#include <cstddef>

namespace intertwine {

PolycyclicTable::PolycyclicTable(const PolycyclicPresentation& presentation) {
  const std::size_t count = presentation.orders.size();
  // weight[k]: the number of g_k.
  std::vector<std::size_t> weight(count + 1, 1);
  for (std::size_t k = count; k-- > 0;) weight[k] = weight[k + 1] * presentation.orders[k];
  weight.erase(weight.begin());
  const auto number = [&](const PolycyclicPresentation::Exponents& e) {
    std::size_t x = 0;
    for (std::size_t k = 0; k < count; ++k) x += e[k] * weight[k];
    return static_cast<Element>(x);
  };
  // N is the normal subgroup of the generators behind g = g_i, with m elements: g^a u for u in N has the number
  // a m + u.
  for (std::size_t i = count; i-- > 0;) {
    const std::size_t p = presentation.orders[i], m = n_;
    const auto in_N = [&](std::size_t u, std::size_t v) { return product_[u * m + v]; };
    // conjugated[b][u]: g^-b u g^b.
    std::vector<std::vector<Element>> conjugated(p, std::vector<Element>(m));
    for (std::size_t u = 0; u < m; ++u) {
      conjugated[0][u] = static_cast<Element>(u);
      if (p == 1) continue;
      Element image = 0;
      for (std::size_t j = i + 1; j < count; ++j)
        for (std::size_t e = u / weight[j] % presentation.orders[j]; e > 0; --e)
          image = in_N(image, number(presentation.conjugates[i][j]));
      conjugated[1][u] = image;
    }
    for (std::size_t b = 2; b < p; ++b)
      for (std::size_t u = 0; u < m; ++u) conjugated[b][u] = conjugated[1][conjugated[b - 1][u]];
    // (g^a u)(g^b v) = g^(a+b) (g^-b u g^b) v, with g^p = power.
    const Element power = number(presentation.powers[i]);
    std::vector<Element> product(p * m * p * m);
    for (std::size_t a = 0; a < p; ++a)
      for (std::size_t u = 0; u < m; ++u)
        for (std::size_t b = 0; b < p; ++b) {
          const bool over = a + b >= p;
          const Element left = over ? in_N(power, conjugated[b][u]) : conjugated[b][u];
          const std::size_t top = (over ? a + b - p : a + b) * m;
          for (std::size_t v = 0; v < m; ++v)
            product[(a * m + u) * p * m + b * m + v] = static_cast<Element>(top + in_N(left, v));
        }
    product_ = std::move(product);
    n_ = p * m;
  }
  inverse_.resize(n_);
  for (std::size_t x = 0; x < n_; ++x)
    for (std::size_t y = 0; y < n_; ++y)
      if (product_[x * n_ + y] == 0) inverse_[x] = static_cast<Element>(y);
  for (std::size_t k = 0; k < count; ++k) generators_.push_back(static_cast<Element>(weight[k]));
}

PolycyclicTable::Subset PolycyclicTable::extended(const Subset& subgroup, Element x) const {
  Subset result = subgroup;
  std::vector<Element> base;
  for (std::size_t y = 0; y < n_; ++y)
    if (subgroup[y]) base.push_back(static_cast<Element>(y));
  // The cosets y H of the subgroup H, with y in words of x and of H.
  std::vector<Element> representatives{0};
  const auto add = [&](Element y) {
    if (result[y]) return;
    representatives.push_back(y);
    for (const Element h : base) result[product(y, h)] = true;
  };
  for (std::size_t k = 0; k < representatives.size(); ++k) {
    const Element y = representatives[k];
    add(product(x, y));
    for (const Element h : base) add(product(h, y));
  }
  return result;
}

PolycyclicTable::Subset PolycyclicTable::normal_closure(Element x) const {
  Subset result(n_);
  result[0] = true;
  std::vector<Element> conjugates{x};
  for (std::size_t k = 0; k < conjugates.size(); ++k) {
    if (result[conjugates[k]]) continue;
    result = extended(result, conjugates[k]);
    for (const Element g : generators_) conjugates.push_back(product(product(inverse_[g], conjugates[k]), g));
  }
  return result;
}

PolycyclicTable::Subset PolycyclicTable::core(const Subset& subgroup) const {
  Subset result = subgroup;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t x = 0; x < n_; ++x)
      for (const Element g : generators_)
        if (result[x] && !result[product(product(inverse_[g], static_cast<Element>(x)), g)]) {
          result[x] = false;
          changed = true;
        }
  }
  return result;
}

PolycyclicTable::Subset PolycyclicTable::avoiding(const Subset& normal) const {
  Subset result(n_);
  result[0] = true;
  for (std::size_t x = 1; x < n_; ++x) {
    if (result[x]) continue;
    Subset larger = extended(result, static_cast<Element>(x));
    bool contains = true;
    for (std::size_t y = 0; y < n_ && contains; ++y) contains = !normal[y] || larger[y];
    if (!contains) result = std::move(larger);
  }
  return result;
}

std::pair<std::size_t, std::vector<Permutation>> PolycyclicTable::permutations() const {
  std::vector<Element> acting;
  Subset generated(n_);
  generated[0] = true;
  for (const Element g : generators_)
    if (!generated[g]) {
      acting.push_back(g);
      generated = extended(generated, g);
    }
  std::vector<std::vector<Point>> images(acting.size());
  std::size_t degree = 0;
  Subset kernel(n_, true);
  const auto size = [](const Subset& s) { return std::ranges::count(s, true); };
  while (size(kernel) > 1) {
    Subset normal = kernel;
    for (std::size_t x = 1; x < n_; ++x)
      if (kernel[x])
        if (Subset closure = normal_closure(static_cast<Element>(x)); size(closure) < size(normal))
          normal = std::move(closure);
    const Subset H = avoiding(normal);
    // The cosets x H in the order of their first elements.
    std::vector<std::size_t> coset(n_, n_);
    std::vector<Element> representatives;
    for (std::size_t x = 0; x < n_; ++x) {
      if (coset[x] != n_) continue;
      for (std::size_t h = 0; h < n_; ++h)
        if (H[h]) coset[product(static_cast<Element>(x), static_cast<Element>(h))] = representatives.size();
      representatives.push_back(static_cast<Element>(x));
    }
    for (std::size_t k = 0; k < acting.size(); ++k)
      for (const Element x : representatives)
        images[k].push_back(static_cast<Point>(degree + coset[product(acting[k], x)]));
    degree += representatives.size();
    const Subset trivially = core(H);
    for (std::size_t x = 0; x < n_; ++x) kernel[x] = kernel[x] && trivially[x];
  }
  std::vector<Permutation> result;
  for (std::vector<Point>& list : images) result.push_back(Permutation::unchecked(std::move(list)));
  return {degree, std::move(result)};
}

}  // namespace intertwine
