// Cyclotomic numbers as text: whatever is read comes back when written, and a refusal points into the text.
// covers: src/exact/cyclotomic_text.cpp src/exact/exact_offer.cpp src/exact/square_root.cpp src/exact/sum_text.cpp src/text_cursor.hpp
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "numbers_in_text.hpp"

using namespace intertwine;

/// Whether the roots of unity and of numbers in the text lie in a small field: numbers above the largest conductor are coefficients, or refused,
/// unless there are square roots of them.
static bool is_modest(const std::string& text) {
  const bool roots = text.find("sqrt") != std::string::npos || text.find("ER") != std::string::npos;
  std::uint64_t n = 1;
  for (const std::uint64_t k : numbers_in(text)) {
    if (k > Cyclotomic::max_conductor && roots) return false;
    if (k != 0 && k <= Cyclotomic::max_conductor && (n = std::lcm(n, k)) > 5000) return false;
  }
  return true;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (size > 512 || !is_modest(text)) return 0;
  try {
    const Cyclotomic a = parse_cyclotomic(text);
    const std::string form = to_string(a);
    if (form.size() < (std::size_t{1} << 20) && parse_cyclotomic(form) != a) std::abort();
    if (a - a != Cyclotomic(0) || a.conjugate().conjugate() != a) std::abort();
  } catch (const ParseError& e) {
    if (e.position() > text.size()) std::abort();
  } catch (const Error&) {
  }
  try {
    const auto list = parse_cyclotomic_list(text);
    std::string joined;
    for (const Cyclotomic& a : list) joined += (joined.empty() ? "" : ",") + to_string(a);
    if (joined.size() < (std::size_t{1} << 20) && parse_cyclotomic_list(joined) != list) std::abort();
  } catch (const ParseError& e) {
    if (e.position() > text.size()) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
