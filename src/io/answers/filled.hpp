// Pages of the library with places for what an answer puts in.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace intertwine {

/// The page with {{name}} replaced, in one pass: what is filled in is not looked at again.
inline std::string filled(std::string_view page, const std::map<std::string, std::string_view, std::less<>>& parts) {
  std::string out;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t begin = page.find("{{", at), end = page.find("}}", begin);
    out += page.substr(at, begin - at);
    if (begin == std::string_view::npos || end == std::string_view::npos) break;
    out += parts.at(std::string(page.substr(begin + 2, end - begin - 2)));
    at = end + 2;
  }
  return out;
}

}  // namespace intertwine
