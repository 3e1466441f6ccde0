// Expressions in symmetric functions: what is read comes back when written, in every basis, and a refusal points into the
// text. An honest request for a large answer ends by the limits of the task, which leave time to read, not to compute.
// covers: src/io/expressions/symmetric_expression.cpp
#include <cstdint>
#include <cstdlib>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/symmetric_expression.hpp"

using namespace intertwine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 256) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Task task(std::uint64_t{256} << 20, 0.02, {});
  try {
    const SymmetricFunction f = parse_symmetric_function(text, task);
    if (f.terms.size() > 200) return 0;
    const std::string form = to_string(f);
    if (form.size() < 100'000 && parse_symmetric_function(form, task) != f) std::abort();
    int degree = 0;
    for (const auto& [lambda, c] : f.terms) degree = std::max(degree, lambda.weight());
    if (degree > 8) return 0;
    for (const char letter : {'p', 'h', 'e', 'm'})
      if (in_basis(in_basis(f, symmetric_basis(letter), task), SymmetricBasis::schur, task) != f)
        std::abort();
  } catch (const ParseError& e) {
    if (e.position() > text.size()) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
