// The contents of proofs of orders, character tables and representations, as JSON.
#pragma once
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/order_proof.hpp"
#include "io/answers/json_values.hpp"

namespace intertwine {

/// {"representative": [images], "size", "element_order", "centralizer_order"}
inline OrderedJson json_value(const ConjugacyClass& c) {
  const auto images = c.representative.images();
  return {{"representative", std::vector<Point>(images.begin(), images.end())},
          {"size", c.size.str()},
          {"element_order", c.element_order},
          {"centralizer_order", c.centralizer_order.str()}};
}
/// A list, of all classes or of those that are known.
template <class Classes>
OrderedJson json_classes(const Classes& classes) {
  OrderedJson list = OrderedJson::array();
  for (std::size_t c = 0; c < classes.size(); ++c) list.push_back(json_value(classes[c]));
  return list;
}

/// The beginning of a proof: {"form", "degree", "generators", "base", "words", "strong_generators"}.
inline OrderedJson json_proof(const std::string& form, const FiniteGroup& G, const OrderProof& proof) {
  return {{"form", form},       {"degree", G.degree()}, {"generators", json_value(G.generators())},
          {"base", proof.base}, {"words", proof.words}, {"strong_generators", proof.strong}};
}

}  // namespace intertwine
