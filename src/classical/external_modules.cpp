// Representations of products as sums of external products.
#include "external_modules.hpp"

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/gl/cauchy.hpp"
#include "intertwine/gl/schur_functor.hpp"

namespace intertwine {

namespace {

using Node = ContinuousNode;
using Modules = std::vector<ExternalModule>;
using NodeHandle = std::shared_ptr<const Node>;

NodeHandle made_node(Node::Form form, const ContinuousGroup& G, std::uint64_t dimension, ContinuousNodes parts = {}) {
  return std::make_shared<const Node>(Node{std::move(form), G, dimension, std::move(parts)});
}

/// S_shape of an expression of one factor.
NodeHandle functor_node(const Partition& shape, const NodeHandle& V) {
  if (shape.weight() == 1) return V;
  if (shape.empty()) return made_node(Node::Trivial{}, V->group, 1);
  const Integer d = SchurFunctor(shape).dimension(static_cast<int>(V->dimension));
  return made_node(Node::Functor{Node::Functor::Name::schur, shape}, V->group, static_cast<std::uint64_t>(d), {V});
}

NodeHandle product_node(const NodeHandle& a, const NodeHandle& b) {
  if (a->is<Node::Trivial>()) return b;
  if (b->is<Node::Trivial>()) return a;
  return made_node(Node::Product{}, a->group, a->dimension * b->dimension, {a, b});
}

class ModuleExpansion {
 public:
  explicit ModuleExpansion(const Task& task) : task_(task) {}

  Modules of(const Node& node) {
    if (node.is<Node::External>()) return {{node.parts, 1}};
    if (node.is<Node::Real>()) return real(of(*node.parts[0]));
    if (const auto* own = node.as<Node::Functor>()) return functor(own->shape, of(*node.parts[0]), node.group);
    Modules out;
    if (node.is<Node::Product>() || node.is<Node::Power>()) {
      out = {unit(node.group)};
      for (const auto& factor : node.factors()) out = products(out, of(*factor));
      return out;
    }
    for (const auto& part : node.parts)
      for (ExternalModule& module : of(*part)) {
        if (const auto* multiple = node.as<Node::Multiple>()) module.multiplicity *= Integer(multiple->times);
        if (node.is<Node::Dual>())
          for (NodeHandle& one : module.parts) one = dual_node(one);
        keep(out, std::move(module));
      }
    return node.is<Node::Trivial>() ? Modules{unit(node.group)} : out;
  }

 private:
  void keep(Modules& out, ExternalModule module) const {
    task_.poll();
    require_few_terms(out.size() + 1);
    if (module.multiplicity != 0) out.push_back(std::move(module));
  }

  static NodeHandle dual_node(const NodeHandle& V) { return made_node(Node::Dual{}, V->group, V->dimension, {V}); }

  Modules real(const Modules& modules) const {
    Modules out;
    for (ExternalModule module : modules) {
      std::vector<NodeHandle*> complex;
      for (NodeHandle& one : module.parts)
        if (one->group.is_complex() && !one->is<Node::Trivial>()) complex.push_back(&one);
      if (complex.empty()) module.multiplicity *= 2;
      if (complex.size() == 1) {
        NodeHandle& V = *complex[0];
        V = made_node(Node::Real{}, V->group, 2 * V->dimension, {V});
      }
      keep(out, module);
      if (complex.size() < 2) continue;
      for (NodeHandle* one : complex) *one = dual_node(*one);  // the conjugate
      keep(out, std::move(module));
    }
    return out;
  }

  static ExternalModule unit(const ContinuousGroup& G) {
    ExternalModule out;
    for (const auto& factor : G.factors())
      out.parts.push_back(made_node(Node::Trivial{}, ContinuousGroup({factor}), 1));
    return out;
  }

  Modules products(const Modules& a, const Modules& b) const {
    Modules out;
    for (const ExternalModule& x : a)
      for (const ExternalModule& y : b) {
        ExternalModule both{{}, x.multiplicity * y.multiplicity};
        for (std::size_t f = 0; f < x.parts.size(); ++f) both.parts.push_back(product_node(x.parts[f], y.parts[f]));
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
    for (const GlGlTerm& term : schur_functor_decomposition(shape, static_cast<int>(dimension), copies, task_))
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

std::vector<ExternalModule> external_modules(const Node& node, const Task& task) {
  return ModuleExpansion(task).of(node);
}

}  // namespace intertwine
