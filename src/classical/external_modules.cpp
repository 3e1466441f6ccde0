// Representations of products as sums of external products.
#include "external_modules.hpp"

#include "functor_words.hpp"
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/gl/cauchy.hpp"
#include "intertwine/gl/schur_functor.hpp"

namespace intertwine {

namespace {

using Kind = ContinuousNode::Kind;
using Modules = std::vector<ExternalModule>;
using NodeHandle = std::shared_ptr<const ContinuousNode>;

NodeHandle made_node(Kind kind, const ContinuousGroup& G, std::uint64_t dimension, ContinuousNodes parts = {},
                     Partition shape = {}) {
  return std::make_shared<const ContinuousNode>(
      ContinuousNode{kind, G, dimension, std::move(parts), 0, std::move(shape), {}, {}, {}, {}});
}

NodeHandle of_part(Kind kind, const NodeHandle& V, std::uint64_t times) {
  return made_node(kind, V->group, times * V->dimension, {V});
}

/// S_shape of an expression of one factor.
NodeHandle functor_node(const Partition& shape, const NodeHandle& V) {
  if (shape.weight() == 1) return V;
  if (shape.empty()) return made_node(Kind::trivial, V->group, 1);
  const Integer d = SchurFunctor(shape).dimension(static_cast<int>(V->dimension));
  return made_node(Kind::schur, V->group, static_cast<std::uint64_t>(d), {V}, shape);
}

NodeHandle product_node(const NodeHandle& a, const NodeHandle& b) {
  if (a->kind == Kind::trivial) return b;
  if (b->kind == Kind::trivial) return a;
  return made_node(Kind::product, a->group, a->dimension * b->dimension, {a, b});
}

class ModuleExpansion {
 public:
  explicit ModuleExpansion(const Task& task) : task_(task) {}

  Modules of(const ContinuousNode& node) {
    const auto part = [&](std::size_t k) { return of(*node.parts[k]); };
    Modules out;
    switch (node.kind) {
      case Kind::external:
        return {{node.parts, 1}};
      case Kind::sum:
        for (std::size_t k = 0; k < node.parts.size(); ++k)
          for (ExternalModule& module : part(k)) keep(out, std::move(module));
        return out;
      case Kind::multiple:
        out = part(0);
        for (ExternalModule& module : out) module.multiplicity *= Integer(node.number);
        return out;
      case Kind::dual:
        out = part(0);
        for (ExternalModule& module : out)
          for (NodeHandle& one : module.parts) one = of_part(Kind::dual, one, 1);
        return out;
      case Kind::real:
        for (ExternalModule& module : part(0)) {
          std::vector<NodeHandle*> complex;
          for (NodeHandle& one : module.parts)
            if (one->group.is_complex() && one->kind != Kind::trivial) complex.push_back(&one);
          if (complex.empty()) module.multiplicity *= 2;
          if (complex.size() == 1) *complex[0] = of_part(Kind::real, *complex[0], 2);
          keep(out, module);
          if (complex.size() < 2) continue;
          for (NodeHandle* one : complex) *one = of_part(Kind::dual, *one, 1);  // the conjugate
          keep(out, std::move(module));
        }
        return out;
      case Kind::product:
      case Kind::power:
        out = {unit(node.group)};
        for (std::size_t k = 0; k < (node.kind == Kind::power ? node.number : node.parts.size()); ++k)
          out = products(out, part(node.kind == Kind::power ? 0 : k));
        return out;
      case Kind::sym:
      case Kind::alt:
      case Kind::schur:
        return functor(functor_shape(node), part(0), node.group);
      default:
        return {unit(node.group)};  // trivial
    }
  }

 private:
  void keep(Modules& out, ExternalModule module) const {
    task_.poll();
    require_few_terms(out.size() + 1);
    if (module.multiplicity != 0) out.push_back(std::move(module));
  }

  static ExternalModule unit(const ContinuousGroup& G) {
    ExternalModule out;
    for (const auto& factor : G.factors())
      out.parts.push_back(made_node(Kind::trivial, ContinuousGroup({factor}), 1));
    return out;
  }

  Modules products(const Modules& a, const Modules& b) const {
    Modules out;
    for (const ExternalModule& x : a)
      for (const ExternalModule& y : b) {
        ExternalModule both{{}, x.multiplicity * y.multiplicity};
        for (std::size_t f = 0; f < x.parts.size(); ++f)
          both.parts.push_back(product_node(x.parts[f], y.parts[f]));
        keep(out, std::move(both));
      }
    return out;
  }

  Modules functor(const Partition& shape, const Modules& modules, const ContinuousGroup& G) {
    if (shape.empty()) return {unit(G)};
    if (modules.empty()) return {};
    if (modules.size() == 1) return of_copies(shape, modules[0]);
    const Modules rest(modules.begin() + 1, modules.end());
    Modules out;
    for (const SchurPair& pair : schur_coproduct(shape, task_)) {
      const Modules left = functor(pair.left, {modules[0]}, G);
      if (left.empty()) continue;
      for (ExternalModule& both : products(left, functor(pair.right, rest, G))) {
        both.multiplicity *= pair.coefficient;
        keep(out, std::move(both));
      }
    }
    return out;
  }

  /// S_shape(V (x) C^m), m the multiplicity: the sum over left and right of g S_left(V), dim S_right(C^m) times.
  Modules of_copies(const Partition& shape, const ExternalModule& module) {
    if (module.multiplicity == 1) return of_product(shape, module.parts, 0);
    std::uint64_t dimension = 1;
    for (const NodeHandle& one : module.parts) dimension *= one->dimension;
    const auto copies = static_cast<int>(module.multiplicity);
    Modules out;
    for (const GlGlTerm& term :
         schur_functor_decomposition(shape, static_cast<int>(dimension), copies, task_))
      for (ExternalModule& one : of_product(term.left, module.parts, 0)) {
        one.multiplicity *= term.multiplicity * number_of_semistandard_tableaux(term.right, copies);
        keep(out, std::move(one));
      }
    return out;
  }

  /// S_shape of the external product of the expressions from number f on.
  Modules of_product(const Partition& shape, const ContinuousNodes& parts, std::size_t f) {
    if (f + 1 == parts.size()) return {{{functor_node(shape, parts[f])}, 1}};
    std::uint64_t dimension = 1;
    for (std::size_t k = f + 1; k < parts.size(); ++k) dimension *= parts[k]->dimension;
    Modules out;
    for (const GlGlTerm& term : schur_functor_decomposition(shape, static_cast<int>(parts[f]->dimension),
                                                            static_cast<int>(dimension), task_)) {
      const NodeHandle first = functor_node(term.left, parts[f]);
      for (ExternalModule& inner : of_product(term.right, parts, f + 1)) {
        ExternalModule module{{first}, term.multiplicity * inner.multiplicity};
        module.parts.insert(module.parts.end(), inner.parts.begin(), inner.parts.end());
        keep(out, std::move(module));
      }
    }
    return out;
  }

  const Task& task_;
};

}  // namespace

std::vector<ExternalModule> external_modules(const ContinuousNode& node, const Task& task) {
  return ModuleExpansion(task).of(node);
}

}  // namespace intertwine
