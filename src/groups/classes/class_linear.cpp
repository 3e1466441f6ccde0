// Classes of GL(2, q), SL(2, q), PGL(2, q), PSL(2, q) and Sz(q) by eigenvalues.
#include <unordered_map>

#include "class_state.hpp"

namespace intertwine {

namespace {

template <class Form>
struct LinearState final : ConjugacyClasses::State {
  LinearState(const FiniteGroup& G, Form linear, const Task& task) : State(G), form(std::move(linear)) {
    for (ListedClass& c : form.classes(task)) {
      task.poll();
      number.emplace(c.key, static_cast<std::uint32_t>(classes.size()));
      const auto order = c.representative.order().template convert_to<std::uint64_t>();
      classes.push_back(
          {std::move(c.representative), G.order() / c.centralizer_order, order, std::move(c.centralizer_order)});
    }
  }
  std::uint32_t identify(const Permutation& g, const Task&) const override {
    const auto at = number.find(form.key(g));
    return at == number.end() ? 0 : at->second;
  }
  Form form;
  std::unordered_map<std::uint64_t, std::uint32_t> number;
};

}  // namespace

ClassState classes_of_linear_group(const FiniteGroup& G, const LinearForm& form, const Task& task) {
  return std::make_shared<LinearState<LinearForm>>(G, form, task);
}

ClassState classes_of_linear_group(const FiniteGroup& G, const SuzukiForm& form, const Task& task) {
  return std::make_shared<LinearState<SuzukiForm>>(G, form, task);
}

}  // namespace intertwine
