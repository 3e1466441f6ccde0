// JSON answers of strangers, taken apart: what is wrong with them is said with the name of the file.
#pragma once
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "io/containers/text.hpp"
#include "io/expressions/exact_entries.hpp"

namespace intertwine {

class JsonReader {
 protected:
  using Json = nlohmann::json;

  JsonReader(const Json& document, const std::string& name) : document_(document), name_(name) {
    if (!document.is_object()) fail("it is no JSON object");
  }

  [[noreturn]] void fail(const std::string& why) const { throw FileError(name_ + ": " + why); }

  const Json& key(const char* name) const { return key(name, document_); }
  const Json& key(const char* name, const Json& object) const {
    if (!object.is_object() || !object.contains(name)) fail(fmt::format("there is no \"{}\"", name));
    read_[&object].insert(name);
    return object[name];
  }
  /// Marks a key that was read but not checked: it is the writer's word, like keys that nobody asked for.
  void leave_unchecked(const char* name, const Json& object) const { read_[&object].erase(name); }
  /// Adds the keys that nobody asked for, once each: "irreps.name" for that of any element of the list "irreps".
  void add_unread(std::vector<std::string>* claims) const {
    if (claims == nullptr) return;
    std::set<std::string> found;
    find_unread(document_, "", found);
    found.erase("command");  // who chose the reader looked at it
    claims->insert(claims->end(), found.begin(), found.end());
  }
  std::string text(const char* name) const { return text(name, document_); }
  std::string text(const char* name, const Json& object) const {
    const Json& value = key(name, object);
    if (!value.is_string()) fail(fmt::format("\"{}\" is no string", name));
    return value.get<std::string>();
  }
  /// An expression of this file alone: references to other files are refused.
  std::string expression(const char* name) const {
    std::string found = text(name);
    if (found.find('@') != std::string::npos) fail(fmt::format("\"{}\" refers to another file", name));
    return found;
  }
  std::uint64_t number(const Json& value, std::uint64_t largest, const char* what) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest)
      fail(fmt::format("\"{}\": {} is no whole number from 0 to {}", what, excerpt(value), largest));
    return value.get<std::uint64_t>();
  }
  const Json& list(const char* name, const Json& value) const {
    if (!value.is_array()) fail(fmt::format("\"{}\" is no list", name));
    return value;
  }
  /// A list of lists, each of `length` (0: any) elements.
  const Json& lists(const char* name, const Json& value, std::size_t length) const {
    for (const Json& element : list(name, value))
      if (!element.is_array() || (length != 0 && element.size() != length))
        fail(fmt::format("\"{}\": {} is no list{}", name, excerpt(element),
                         length == 0 ? "" : fmt::format(" of {}", length)));
    return value;
  }
  /// Errors that reading throws become faults of the file.
  template <class Read>
  auto faults_named(Read read) const -> decltype(read()) {
    try {
      return read();
    } catch (const ParseError& e) {
      fail(e.what());
    } catch (const DomainError& e) {
      fail(e.what());
    } catch (const MatrixFault& fault) {
      fail("\"matrices\": " + fault.text);
    }
  }
  static std::string excerpt(const Json& value) { return shown(value.dump(-1, ' ', true), 40); }

  const Json& document_;
  const std::string& name_;

 private:
  void find_unread(const Json& value, const std::string& path, std::set<std::string>& found) const {
    if (value.is_array() && !value.empty() && value.front().is_structured())
      for (const Json& element : value) find_unread(element, path, found);
    if (!value.is_object()) return;
    const auto asked = read_.find(&value);
    if (asked == read_.end()) return;  // it was taken as a whole, as an exact number is
    for (const auto& [name, member] : value.items())
      if (asked->second.contains(name))
        find_unread(member, path + name + ".", found);
      else
        found.insert(path + shown(name, 40));
  }

  mutable std::map<const Json*, std::set<std::string, std::less<>>> read_;
};

}  // namespace intertwine
