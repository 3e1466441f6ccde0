// Expressions in symmetric functions: what is read comes back when written, in every basis, and a refusal points into the
// text. Honest requests for large answers are left out.
// covers: src/io/expressions/symmetric_expression.cpp
#include <cstdint>
#include <cstdlib>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/symmetric_expression.hpp"
#include "numbers_in_text.hpp"

using namespace intertwine;

/// Numbers alone are cheap or refused, and so are functions of small degrees; plethysms grow faster.
static bool is_modest(const std::string& text) {
  if (text.find_first_of("sphemf") == std::string::npos) return true;
  std::string compact = text;
  std::erase_if(compact, [](char c) { return c == ' ' || c == '\t'; });
  const bool plethysm = compact.find("][") != std::string::npos || compact.find(")[") != std::string::npos ||
                        compact.find("∘") != std::string::npos;
  return largest_term(text) <= (plethysm ? 16 : 24);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (size > 256 || !is_modest(text)) return 0;
  const Task task(std::uint64_t{256} << 20, 0, {});
  try {
    const SymmetricFunction f = parse_symmetric_function(text, task);
    if (f.terms.size() > 200) return 0;
    const std::string form = to_string(f);
    if (form.size() < 100'000 && parse_symmetric_function(form, task) != f) std::abort();
    int degree = 0;
    for (const auto& [lambda, c] : f.terms) degree = std::max(degree, lambda.weight());
    if (degree > 8) return 0;
    for (const char letter : {'p', 'h', 'e', 'm'})
      if (in_basis(in_basis(f, symmetric_basis(letter), task), SymmetricBasis::schur, task) != f) std::abort();
  } catch (const ParseError& e) {
    if (e.position() > text.size()) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
