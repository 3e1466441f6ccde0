// Classes by formula: wreath products with symmetric and cyclic top groups, signed permutations with an even number of
// signs, and groups with a model.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "class_state.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_form.hpp"

namespace intertwine {

namespace {

using Key = std::vector<std::uint32_t>;

std::vector<Point> identity_images(std::size_t degree) {
  std::vector<Point> images(degree);
  std::iota(images.begin(), images.end(), Point{0});
  return images;
}

/// The common data of the classes of wreath products: a wreath form, the classes of the base, and a key for every
/// class.
struct WreathState : ConjugacyClasses::State {
  WreathState(const FiniteGroup& G, WreathForm wreath, const Task& task)
      : State(G), form(std::move(wreath)), base(conjugacy_classes(form.base, task)) {}

  void add(Key key, Permutation representative, std::uint64_t element_order, const Integer& centralizer) {
    number.emplace(std::move(key), static_cast<std::uint32_t>(classes.size()));
    classes.push_back({std::move(representative), group.order() / centralizer, element_order, centralizer});
  }

  WreathForm form;
  ConjugacyClasses base;
  std::map<Key, std::uint32_t> number;
};

/// A class is a multiset of pairs (class of the cycle product, length of the cycle of blocks); the key lists the codes
/// class * blocks + length - 1 in increasing order. [James & Kerber 1981, 4.2.8]
struct SymmetricWreathState final : WreathState {
  SymmetricWreathState(const FiniteGroup& G, const WreathForm& wreath, const Task& task)
      : WreathState(G, wreath, task) {
    Key key;
    extend(key, form.blocks, 0, task);
  }

  std::uint32_t identify(const Permutation& g, const Task& task) const override {
    Key key;
    for (const auto& cycle : form.cycles(g))
      key.push_back(code(base.index_of_element(cycle.product, task), cycle.length));
    std::sort(key.begin(), key.end());
    return number.at(key);
  }

 private:
  std::uint32_t code(std::size_t c, std::size_t length) const {
    return static_cast<std::uint32_t>(c * form.blocks + length - 1);
  }

  void extend(Key& key, std::size_t rest, std::uint32_t least, const Task& task) {
    if (rest == 0) return add_class(key, task);
    for (std::uint32_t next = least; next < base.size() * form.blocks; ++next) {
      const std::size_t length = next % form.blocks + 1;
      if (length > rest) continue;
      key.push_back(next);
      extend(key, rest - length, next, task);
      key.pop_back();
    }
  }

  void add_class(const Key& key, const Task& task) {
    task.poll();
    std::vector<Point> images = identity_images(group.degree());
    Integer centralizer = 1;
    std::uint64_t order = 1, equal = 0;
    std::size_t b = 0;
    for (std::size_t k = 0; k < key.size(); ++k) {
      const ConjugacyClass& c = base[key[k] / form.blocks];
      const std::size_t length = key[k] % form.blocks + 1;
      equal = k > 0 && key[k] == key[k - 1] ? equal + 1 : 1;
      centralizer *= c.centralizer_order * Integer(length) * Integer(equal);
      order = std::lcm(order, length * c.element_order);
      form.put_cycle(images, b, length, c.representative);
      b += length;
    }
    add(key, Permutation::unchecked(std::move(images)), order, centralizer);
  }
};

/// In the base group classes are tuples of classes up to rotation; the key is the least rotation. An element that
/// rotates the blocks by s > 0 is determined by s and the class of its power in block 0: the key is (s, class), shorter
/// than the others, p > 2.
struct CyclicWreathState final : WreathState {
  CyclicWreathState(const FiniteGroup& G, const WreathForm& wreath, const Task& task) : WreathState(G, wreath, task) {
    Key tuple;
    tuples(tuple, task);
    const std::size_t p = form.blocks;
    for (std::uint32_t shift = 1; shift < p; ++shift)
      for (std::uint32_t c = 0; c < base.size(); ++c) {
        std::vector<Point> images(group.degree());
        for (std::size_t b = 0; b < p; ++b)
          for (std::size_t i = 0; i < form.width(); ++i) {
            const std::size_t to = (b + shift) % p;
            const auto x = static_cast<Point>(i);
            images[form.points[b * form.width() + i]] =
                form.points[to * form.width() + (to == 0 ? base[c].representative(x) : x)];
          }
        add({shift, c}, Permutation::unchecked(std::move(images)), p * base[c].element_order,
            base[c].centralizer_order * Integer(p));
      }
  }

  std::uint32_t identify(const Permutation& g, const Task& task) const override {
    const auto shift = static_cast<std::uint32_t>(form.image_of_block(g, 0));
    if (shift != 0)
      return number.at({shift, static_cast<std::uint32_t>(base.index_of_element(form.cycles(g)[0].product, task))});
    Key tuple;
    for (std::size_t b = 0; b < form.blocks; ++b)
      tuple.push_back(static_cast<std::uint32_t>(base.index_of_element(form.component(g, b), task)));
    return number.at(least_rotation(tuple));
  }

 private:
  static Key least_rotation(const Key& tuple) {
    Key best = tuple, turned = tuple;
    for (std::size_t k = 1; k < tuple.size(); ++k) {
      std::rotate(turned.begin(), turned.begin() + 1, turned.end());
      best = std::min(best, turned);
    }
    return best;
  }

  void tuples(Key& tuple, const Task& task) {
    if (tuple.size() < form.blocks) {
      for (std::uint32_t c = tuple.empty() ? 0 : tuple[0]; c < base.size(); ++c) {
        tuple.push_back(c);
        tuples(tuple, task);
        tuple.pop_back();
      }
      return;
    }
    task.poll();
    if (least_rotation(tuple) != tuple) return;
    std::vector<Point> images = identity_images(group.degree());
    Integer centralizer = std::count(tuple.begin(), tuple.end(), tuple[0]) == std::ptrdiff_t(tuple.size())
                              ? Integer(tuple.size())
                              : Integer(1);
    std::uint64_t order = 1;
    for (std::size_t b = 0; b < tuple.size(); ++b) {
      const ConjugacyClass& c = base[tuple[b]];
      form.put_cycle(images, b, 1, c.representative);
      centralizer *= c.centralizer_order;
      order = std::lcm(order, c.element_order);
    }
    add(tuple, Permutation::unchecked(std::move(images)), order, centralizer);
  }
};

/// See EvenSignedForm.
struct EvenSignedState final : ConjugacyClasses::State {
  explicit EvenSignedState(const FiniteGroup& G) : State(G), n(static_cast<int>(G.degree() / 2)) {
    for (int m = 0; m <= n; ++m) {
      auto positive = partitions(n - m);
      std::reverse(positive.begin(), positive.end());  // the identity first
      for (const Partition& lambda : positive)
        for (const Partition& mu : partitions(m))
          if (mu.length() % 2 == 0) add(lambda, mu);
    }
  }

  std::uint32_t identify(const Permutation& g, const Task&) const override {
    const auto type = EvenSignedForm::type(g);
    return number.at({type.positive, type.negative}) + (type.second ? 1U : 0U);
  }

 private:
  void add(const Partition& lambda, const Partition& mu) {
    std::vector<Point> images(group.degree());
    std::uint64_t order = 1;
    Point first = 0;
    const auto axes = static_cast<Point>(n);
    for (const Partition* type : {&lambda, &mu})
      for (const int part : *type) {
        const auto m = static_cast<Point>(part);
        for (Point i = 0; i < m; ++i) {
          const bool turned = type == &mu && i + 1 == m;
          const Point to = first + (i + 1) % m;
          images[first + i] = turned ? to + axes : to;
          images[first + i + axes] = turned ? to : to + axes;
        }
        first += m;
        order = std::lcm(order, static_cast<std::uint64_t>(type == &mu ? 2 * part : part));
      }
    const Integer whole = (centralizer_order(lambda) * centralizer_order(mu)) << (lambda.length() + mu.length());
    Permutation g = Permutation::unchecked(std::move(images));
    const bool two = EvenSignedForm::type(g).splits;
    const Integer z = two ? whole : Integer(whole / 2);
    number.emplace(std::pair(lambda, mu), static_cast<std::uint32_t>(classes.size()));
    classes.push_back({g, group.order() / z, order, z});
    if (!two) return;
    std::vector<Point> sign = identity_images(group.degree());
    std::swap(sign[0], sign[axes]);
    const Permutation t = Permutation::unchecked(std::move(sign));
    classes.push_back({t * g * t, group.order() / z, order, z});
  }

  int n;
  std::map<std::pair<Partition, Partition>, std::uint32_t> number;
};

struct ModelState final : ConjugacyClasses::State {
  ModelState(const FiniteGroup& G, const Task& task)
      : State(G), map(G, task), model(conjugacy_classes(*G.model(), task)) {
    for (std::size_t c = 0; c < model.size(); ++c) {
      classes.push_back(model[c]);
      classes.back().representative = map.from_model(model[c].representative);
    }
  }
  std::uint32_t identify(const Permutation& g, const Task& task) const override {
    return static_cast<std::uint32_t>(model.index_of_element(map.to_model(g), task));
  }
  ModelMap map;
  ConjugacyClasses model;
};

}  // namespace

ClassState classes_of_wreath_product(const FiniteGroup& G, const WreathForm& form, const Task& task) {
  if (form.top == WreathForm::Top::symmetric) return std::make_shared<SymmetricWreathState>(G, form, task);
  return std::make_shared<CyclicWreathState>(G, form, task);
}
ClassState classes_of_even_signed_permutations(const FiniteGroup& G, const Task&) {
  return std::make_shared<EvenSignedState>(G);
}
ClassState classes_by_model(const FiniteGroup& G, const Task& task) { return std::make_shared<ModelState>(G, task); }

}  // namespace intertwine
