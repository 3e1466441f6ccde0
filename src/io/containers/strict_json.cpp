// Parses JSON from strangers: bounded, without duplicate keys.
#include "io/containers/strict_json.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

using nlohmann::json;

// Builds the document from the parser's events, and stops it (by returning false) at the first broken limit.
// The parser itself does not recurse, so the depth of hostile text costs one bit a level until the limit is
// seen.
class Builder {
 public:
  explicit Builder(const JsonLimits& limits) : limits_(limits) {}

  bool null() { return add(nullptr) != nullptr; }
  bool boolean(bool value) { return add(value) != nullptr; }
  bool number_integer(std::int64_t value) { return add(value) != nullptr; }
  bool number_unsigned(std::uint64_t value) { return add(value) != nullptr; }
  bool number_float(double value, const std::string& text) {
    if (!limits_.texts_of_decimals) return add(value) != nullptr;
    return add(json::binary(std::vector<std::uint8_t>(text.begin(), text.end()))) != nullptr;
  }
  bool string(std::string& value) { return add(std::move(value)) != nullptr; }
  bool binary(json::binary_t&) { return fault("binary data"); }
  bool start_object(std::size_t) { return open(json::object()); }
  bool start_array(std::size_t) { return open(json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& value) {
    if (stack_.back()->contains(value)) return fault(fmt::format("the key \"{}\" occurs twice", shown(value)));
    key_ = std::move(value);
    return count();
  }
  bool parse_error(std::size_t position, const std::string&, const json::exception&) {
    if (fault_.empty()) fault_ = fmt::format("not valid JSON at byte {}", position);
    return false;
  }

  json take() { return std::move(root_); }
  const std::string& fault() const { return fault_; }

 private:
  bool fault(std::string text) {
    fault_ = std::move(text);
    return false;
  }

  bool count() { return ++values_ <= limits_.values || fault(fmt::format("more than {} JSON values", limits_.values)); }

  // The place of the new value, or null if a limit is broken.
  json* add(json value) {
    if (!count()) return nullptr;
    if (stack_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    json& parent = *stack_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }

  bool open(json container) {
    if (stack_.size() >= limits_.depth) return fault(fmt::format("JSON nested deeper than {} levels", limits_.depth));
    json* place = add(std::move(container));
    if (place == nullptr) return false;
    stack_.push_back(place);  // stays valid: its parent grows only after it is closed
    return true;
  }

  bool close() {
    stack_.pop_back();
    return true;
  }

  JsonLimits limits_;
  json root_;
  std::vector<json*> stack_;
  std::string key_;
  std::uint64_t values_ = 0;
  std::string fault_;
};

}  // namespace

json parse_strict_json(std::string_view text, const std::string& name, const JsonLimits& limits) {
  // The parser takes a NUL byte for the end of the text.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos)
    throw FileError(fmt::format("{}: not valid JSON at byte {}", name, nul + 1));
  Builder builder(limits);
  if (!json::sax_parse(text.begin(), text.end(), &builder)) {
    const std::string& fault = builder.fault();
    throw FileError(fmt::format("{}: {}", name, fault.empty() ? "not valid JSON" : fault));
  }
  return builder.take();
}

}  // namespace intertwine
