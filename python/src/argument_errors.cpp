// Wrong arguments in one sentence. nanobind answers them with a page: every signature in full, with the keywords that all functions have. The linker
// sends what sets the text of an exception here first (--wrap, python/CMakeLists.txt); where it cannot, nanobind's words stay.
#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace intertwine::python {

namespace {

/// "finite groups, and SO(3) is none": why the last argument that was looked at was refused.
thread_local std::string refused_kind;

}  // namespace

void note_kind(const hom::Group& given, const char* taken) noexcept {
  refused_kind = std::string(taken) + ", and " + given.name() + " is none";
}
void note_kind(const hom::Representation& given, const char* taken) noexcept {
  refused_kind = std::string(taken) + ", and " + given.to_string() + " of " + given.group().name() + " is none";
}
void forget_kind() noexcept { refused_kind.clear(); }

}  // namespace intertwine::python

namespace {

constexpr std::string_view refused = "(): incompatible function arguments.";

std::string without(std::string text, std::string_view part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;) text.erase(at, part.size());
  return text;
}

/// "rep(expression: str)" of "rep(self, expression: str, *, memory: …) -> Representation".
std::string shortened(std::string_view line) {
  const std::size_t limits = line.find("*, memory: ");
  std::string text(line.substr(0, limits == std::string_view::npos ? line.rfind(')') : limits));
  while (text.ends_with(' ') || text.ends_with(',')) text.pop_back();
  text += ')';
  for (const std::string_view part : {"self, ", "self"})
    if (const std::size_t open = text.find('('); text.compare(open + 1, part.size(), part) == 0)
      text.erase(open + 1, part.size());
  return text;
}

/// The names of a type that is one of several, such as "int | None": what stands between top-level bars.
std::vector<std::string> alternatives(std::string_view type) {
  std::vector<std::string> found(1);
  int depth = 0;
  for (const char c : type.substr(0, type.find(" = "))) {
    depth += (c == '[') - (c == ']');
    if (depth == 0 && c == '|')
      found.emplace_back();
    else if (c != ' ' || depth > 0)
      found.back() += c;
  }
  return found;
}

/// The types of the parameters of a signature "name(first: type, second: type)", in their order.
std::vector<std::string> parameter_types(const std::string& signature) {
  std::vector<std::string> found;
  int depth = 0;
  bool in_type = false;
  for (std::size_t at = signature.find('('); at != std::string::npos && at < signature.size(); ++at) {
    const char c = signature[at];
    depth += (c == '[' || c == '(') - (c == ']' || c == ')');
    if (depth == 0 || (depth == 1 && c == ',')) {
      in_type = false;
    } else if (depth == 1 && c == ':' && !in_type) {
      in_type = true;
      found.emplace_back();
    } else if (in_type) {
      found.back() += c;
    }
  }
  return found;
}

/// Are the types of what was given those of the signature, one by one? Then a number was negative or too large.
bool types_fit(const std::string& signature, const std::string& given) {
  const std::vector<std::string> types = parameter_types(signature);
  bool any = false;
  std::size_t k = 0;
  for (std::size_t from = 0; from < given.size(); ++k) {
    const std::size_t comma = std::min(given.find(", ", from), given.size());
    const std::string type = given.substr(from, comma - from);
    from = comma + 2;
    if (k >= types.size()) return false;
    const auto known = alternatives(types[k]);
    if (std::find(known.begin(), known.end(), type) == known.end()) return false;
    any = any || type == "int";
  }
  return any;
}

/// The message of nanobind in one sentence; the text itself if it is another message.
std::string one_sentence(const std::string& message) {
  const std::size_t name_ends = message.find(refused), given_at = message.rfind("\nInvoked with types: ");
  if (name_ends == std::string::npos || given_at == std::string::npos) return message;
  std::string given = message.substr(message.find(": ", given_at) + 2);
  std::vector<std::string> signatures;
  bool method = false;
  for (std::size_t at = message.find('\n', name_ends); at < given_at; at = message.find('\n', at + 1)) {
    const std::string_view line = std::string_view(message).substr(at + 1, message.find('\n', at + 1) - at - 1);
    const std::size_t number = line.find(". ");
    if (number == std::string_view::npos || line.find("    ") != 0) continue;
    method = method || line.find("(self") != std::string_view::npos;
    std::string text = shortened(line.substr(number + 2));
    if (std::find(signatures.begin(), signatures.end(), text) == signatures.end())
      signatures.push_back(std::move(text));
  }
  std::string owner;
  if (method) {  // the first of what was given is the value itself
    const std::size_t comma = std::min(given.find(", "), given.size());
    owner = given.substr(0, comma);
    given.erase(0, std::min(comma + 2, given.size()));
  }
  std::string sentence;
  for (std::string& text : signatures) {
    if (text.starts_with("__init__"))
      text = owner + text.substr(8);
    else if (method)
      text = owner + "." + text;
    sentence += (sentence.empty() ? "" : " or ") + text;
  }
  const bool too_large = signatures.size() == 1 && types_fit(signatures.front(), given);
  sentence += given.empty() ? " was called without arguments" : " was called with (" + given + ")";
  for (const std::string_view prefix :
       {"intertwine._core.", "intertwine.", "collections.abc.", "typing.", "numpy.typing.", "fractions."})
    sentence = without(std::move(sentence), prefix);
  return too_large ? sentence + ": a number is negative or too large" : sentence;
}

/// The message on a call that a kind of group or of representation cannot answer: "Group.classes is of finite groups, and SO(3) is none".
std::string wrong_kind(const std::string& message) {
  const std::size_t name_ends = message.find(refused), given_at = message.rfind("\nInvoked with types: ");
  std::string sentence = message.substr(0, name_ends);
  if (message.find("(self", name_ends) != std::string::npos && given_at != std::string::npos) {
    const std::size_t from = message.find(": ", given_at) + 2;
    const std::string owner = message.substr(from, message.find_first_of(",\n", from) - from);
    sentence = owner.substr(owner.rfind('.') + 1) + "." + sentence;
  }
  return sentence + " is of " + std::exchange(intertwine::python::refused_kind, {});
}

/// Was the call refused for the kind of a group or of a representation? A note of another call is left aside.
bool is_of_kinds(const std::string& message) {
  const std::size_t given_at = message.rfind("\nInvoked with types: ");
  const bool given = given_at != std::string::npos && (message.find("Group", given_at) != std::string::npos ||
                                                       message.find("Representation", given_at) != std::string::npos);
  if (!given) intertwine::python::forget_kind();
  return given && !intertwine::python::refused_kind.empty();
}

/// Is the sentence on a property, "Group.degree is of ..."? Most have no name here, "Group. is of ..."; what looks for them puts it in.
bool is_property(const std::string& sentence) {
  const std::size_t dot = sentence.find('.'), space = sentence.find(' ');
  if (dot >= space) return false;
  const std::string owner = sentence.substr(0, dot), name = sentence.substr(dot + 1, space - dot - 1);
  if (name.empty()) return true;
  const nanobind::handle type =
      owner == "Group" ? nanobind::type<intertwine::hom::Group>() : nanobind::type<intertwine::hom::Representation>();
  const nanobind::object member = nanobind::getattr(type, name.c_str(), nanobind::none());
  return nanobind::isinstance(member, nanobind::handle(reinterpret_cast<PyObject*>(&PyProperty_Type)));
}

/// Raises DomainError; nothing if that cannot be found.
bool raised_domain_error(const std::string& sentence) {
  try {
    const char* kind = is_property(sentence) ? "_NoSuchProperty" : "DomainError";
    const nanobind::object error = nanobind::module_::import_("intertwine._errors").attr(kind);
    PyErr_SetObject(error.ptr(), nanobind::cast(sentence).ptr());
    return true;
  } catch (...) {
    PyErr_Clear();
    return false;
  }
}

/// The message on a call of a class whose values come from elsewhere; nothing if it cannot be found out.
std::string not_called(const char* name) {
  try {
    return nanobind::cast<std::string>(nanobind::module_::import_("intertwine._guesses").attr("not_called")(name));
  } catch (...) {
    PyErr_Clear();
    return {};
  }
}

}  // namespace

extern "C" {
void __real_PyErr_SetString(PyObject* type, const char* message);
void __wrap_PyErr_SetString(PyObject* type, const char* message) {
  if (type == PyExc_TypeError && std::string_view(message).find(refused) != std::string_view::npos) {
    if (!is_of_kinds(message) || !raised_domain_error(wrong_kind(message)))
      __real_PyErr_SetString(type, one_sentence(message).c_str());
  } else {
    __real_PyErr_SetString(type, message);
  }
}
PyObject* __wrap_PyErr_Format(PyObject* type, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (std::string_view(format) == "%s: no constructor defined!") {
    const char* const name = va_arg(arguments, const char*);
    const std::string said = not_called(name);
    __real_PyErr_SetString(type, said.empty() ? name : said.c_str());
  } else {
    PyErr_FormatV(type, format, arguments);
  }
  va_end(arguments);
  return nullptr;
}
}
