// Is a text LaTeX that stands at the place of a paragraph? Brackets, environments and the modes of formulas are followed;
// what commands mean is not.
#pragma once
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace test_support {

/// What is wrong with it; empty if nothing is.
inline std::string latex_fault(std::string_view text) {
  static const std::set<std::string, std::less<>> displays = {"align*"},
                                                  inner = {"array", "pmatrix", "aligned", "document"};
  std::vector<std::string> open;  // {, [ for \[, $, and names of environments
  const auto in_formula = [&] {
    for (const std::string& o : open)
      if (o == "[" || o == "$" || displays.contains(o)) return true;
    return false;
  };
  const auto in_text = [&] { return !open.empty() && open.back() == "{text"; };
  const auto close = [&](std::string_view what) {
    if (open.empty() || open.back() != what) return false;
    open.pop_back();
    return true;
  };
  bool text_follows = false;  // \text was read: its braces hold words
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    const std::string place = " at \"" + std::string(text.substr(k, 30)) + "\"";
    if (static_cast<unsigned char>(c) > 126) return "not ASCII" + place;
    if (c == '{') {
      open.emplace_back(text_follows ? "{text" : "{");
      text_follows = false;
    } else if (c == '}') {
      if (!close("{") && !close("{text")) return "} without {" + place;
    } else if (c == '$') {
      if (!close("$")) open.emplace_back("$");
    } else if ((c == '_' || c == '^' || c == '&') && (!in_formula() || in_text())) {
      return "outside a formula" + place;
    } else if (c == '\\') {
      std::size_t end = ++k;
      while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
      const std::string name(text.substr(k, end == k ? 1 : end - k));
      k = end == k ? k : end - 1;
      if (name == "[") {
        if (in_formula()) return "a display in a formula" + place;
        open.emplace_back("[");
      } else if (name == "]") {
        if (!close("[")) return "\\] without \\[" + place;
      } else if (name == "begin" || name == "end") {
        const std::size_t stop = text.find('}', k);
        if (stop == std::string_view::npos) return "no environment" + place;
        const std::string what(text.substr(k + 2, stop - k - 2));
        if (!displays.contains(what) && !inner.contains(what)) return "unknown environment" + place;
        if (name == "end" && !close(what)) return "environments cross" + place;
        if (name == "begin" && displays.contains(what) && in_formula()) return "a display in a formula" + place;
        if (name == "begin" && what != "document" && inner.contains(what) && !in_formula())
          return what + " outside a formula" + place;
        if (name == "begin") open.push_back(what);
        k = stop;
      } else if (name == "text") {
        text_follows = true;
      }
    }
  }
  return open.empty() ? "" : open.back() + " is not closed";
}

}  // namespace test_support
