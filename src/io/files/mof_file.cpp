// Semidefinite programs in MOF, the JSON of JuMP.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/model_file.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"
#include "io/files/model_rows.hpp"
#include "io/files/written_number.hpp"

namespace intertwine {

namespace {

class MofReader {
 public:
  MofReader(const nlohmann::json& document, const std::string& name, const Task& task)
      : document_(document), rows_(name, task), task_(task) {}

  sdp::Model read() {
    const Json& version = object(document_, "version", "the file");
    if (const Rational major = number(version, "major", "the version"); major != 1)
      rows_.fail(fmt::format("its version is {}, and 1 is read", shown(major.str(), 40)));
    const Json& variables = list(document_, "variables", "the file");
    rows_.allow(2 * variables.size(), "the list of variables");
    for (const Json& variable : variables) {
      std::string label = text(variable, "name", "a variable");
      if (label.find('\0') != std::string::npos) rows_.fail("the name of a variable has a NUL character");
      const std::size_t k = rows_.declare(label);
      if (!known_.emplace(std::move(label), k).second) rows_.fail("two variables have one name");
    }
    placed_.assign(known_.size(), 0);
    const Json& objective = object(document_, "objective", "the file");
    struct Other {
      std::string what;
      const Json *function, *cone;
    };
    std::vector<Other> others;
    std::size_t k = 0;
    for (const Json& constraint : list(document_, "constraints", "the file")) {
      task_.poll();
      ++k;
      const auto label = constraint.is_object() ? constraint.find("name") : constraint.end();
      const bool named = constraint.is_object() && label != constraint.end() && label->is_string() &&
                         !label->get_ref<const std::string&>().empty();
      std::string what =
          named ? "constraint " + shown(label->get_ref<const std::string&>(), 40) : fmt::format("constraint {}", k);
      const Json &function = object(constraint, "function", what), &cone = object(constraint, "set", what);
      if (!declares(function, cone, what)) others.push_back({std::move(what), &function, &cone});
    }
    for (std::size_t variable = 0; variable < placed_.size(); ++variable)
      if (placed_[variable] == 0) rows_.make_free(variable);
    for (const Other& other : others) {
      task_.poll();
      constrain(*other.function, *other.cone, other.what);
    }
    const std::string sense = text(objective, "sense", "the objective");
    if (sense != "min" && sense != "max" && sense != "feasibility")
      rows_.fail("the sense is min, max or feasibility, not " + shown(sense, 20));
    if (sense == "feasibility") return std::move(rows_).made({}, false);
    const std::vector<Entry> entries = entries_of(object(objective, "function", "the objective"), "the objective");
    if (entries.size() != 1) rows_.fail("the objective has several entries; one is reduced");
    return std::move(rows_).made(affine(entries[0]), sense == "max");
  }

 private:
  using Json = nlohmann::json;
  struct Entry {
    ModelRows::Terms terms;
    Rational constant;
  };

  const Json& member(const Json& value, const char* key, const std::string& what, const char* kind,
                     bool (*is_kind)(const Json&)) const {
    const auto found = value.is_object() ? value.find(key) : value.end();
    if (!value.is_object() || found == value.end() || !is_kind(*found))
      rows_.fail(fmt::format("{} has no {} that is {}", what, key, kind));
    return *found;
  }
  const Json& object(const Json& value, const char* key, const std::string& what) const {
    return member(value, key, what, "an object", [](const Json& x) { return x.is_object(); });
  }
  const Json& list(const Json& value, const char* key, const std::string& what) const {
    return member(value, key, what, "a list", [](const Json& x) { return x.is_array(); });
  }
  std::string text(const Json& value, const char* key, const std::string& what) const {
    return member(value, key, what, "a text", [](const Json& x) { return x.is_string(); }).get<std::string>();
  }
  static bool is_number(const Json& x) { return x.is_number_integer() || x.is_binary(); }
  Rational number(const Json& value, const char* key, const std::string& what) const {
    return number(member(value, key, what, "a number", is_number));
  }
  Rational number(const Json& x) const {
    if (x.is_number_unsigned()) return Rational(Integer(x.get<std::uint64_t>()));
    if (x.is_number_integer()) return Rational(Integer(x.get<std::int64_t>()));
    const auto& bytes = x.get_binary();
    const std::string written(bytes.begin(), bytes.end());
    const auto value = written_number(written);
    if (!value) rows_.fail(fmt::format("a number is {}, which is no number", shown(written, 40)));
    return *value;
  }
  std::size_t variable(const std::string& label, const std::string& what) const {
    const auto found = known_.find(label);
    if (found == known_.end())
      rows_.fail(fmt::format("{} has the variable {}, which is not declared", what, shown(label, 40)));
    return found->second;
  }
  void add_term(const Json& term, const std::string& what, Entry& to) const {
    const std::size_t k = variable(text(term, "variable", what), what);
    to.terms.emplace_back(k, number(term, "coefficient", what));
  }

  /// The entries of a function, each as terms and a constant.
  std::vector<Entry> entries_of(const Json& function, const std::string& what) const {
    const std::string kind = text(function, "type", what);
    std::vector<Entry> entries;
    if (kind == "Variable") {
      entries.push_back({{{variable(text(function, "name", what), what), 1}}, 0});
    } else if (kind == "VectorOfVariables") {
      for (const Json& label : list(function, "variables", what)) {
        if (!label.is_string()) rows_.fail(what + " has variables that are no texts");
        entries.push_back({{{variable(label.get_ref<const std::string&>(), what), 1}}, 0});
      }
    } else if (kind == "ScalarAffineFunction") {
      Entry& entry = entries.emplace_back();
      for (const Json& term : list(function, "terms", what)) add_term(term, what, entry);
      entry.constant = number(function, "constant", what);
    } else if (kind == "VectorAffineFunction") {
      for (const Json& x : list(function, "constants", what)) {
        if (!is_number(x)) rows_.fail(what + " has constants that are no numbers");
        entries.push_back({{}, number(x)});
      }
      for (const Json& term : list(function, "terms", what)) {
        const Rational index = number(term, "output_index", what);
        if (denominator(index) != 1 || index < 1 || index > entries.size())
          rows_.fail(fmt::format("{} has the output_index {}, and goes from 1 to {}", what, shown(index.str(), 40),
                                 entries.size()));
        add_term(object(term, "scalar_term", what), what, entries[index.convert_to<std::size_t>() - 1]);
      }
    } else {
      rows_.fail(fmt::format("{} has a function of the type {}; affine ones are reduced", what, shown(kind, 40)));
    }
    return entries;
  }
  ModelRows::Affine affine(const Entry& entry) const { return {rows_.form(entry.terms), entry.constant}; }

  std::uint32_t side(const Json& cone, std::size_t entries, const std::string& what, bool square) const {
    const Rational n = number(cone, "side_dimension", what);
    const Rational needed = square ? Rational(n * n) : Rational(n * (n + 1) / 2);
    if (denominator(n) != 1 || n < 1 || needed != entries)
      rows_.fail(
          fmt::format("{} has {} entries, and its set the side_dimension {}", what, entries, shown(n.str(), 40)));
    return n.convert_to<std::uint32_t>();
  }
  void require_dimension(const Json& cone, std::size_t entries, const char* unit, const std::string& what) const {
    if (number(cone, "dimension", what) != entries)
      rows_.fail(fmt::format("{} has {} {}, and its set another dimension", what, entries, unit));
  }

  /// Whether the constraint says what its variables are, and it is the first one that does.
  bool declares(const Json& function, const Json& cone, const std::string& what) {
    const std::string kind = text(cone, "type", what), type = text(function, "type", what);
    if (type != "Variable" && type != "VectorOfVariables") return false;
    std::vector<std::size_t> mine;
    for (const Entry& entry : entries_of(function, what)) mine.push_back(entry.terms[0].first);
    std::unordered_map<std::size_t, char> seen;
    for (const std::size_t k : mine)
      if (placed_[k] != 0 || !seen.emplace(k, 1).second) return false;
    const bool triangle = kind == "PositiveSemidefiniteConeTriangle";
    const char* bound = kind == "GreaterThan" ? "lower" : kind == "LessThan" ? "upper" : nullptr;
    const bool sides = kind == "Nonnegatives" || kind == "Nonpositives";
    if (bound != nullptr && (type != "Variable" || number(cone, bound, what) != 0)) return false;
    if (!triangle && !sides && bound == nullptr) return false;
    if (sides) require_dimension(cone, mine.size(), "variables", what);
    for (const std::size_t k : mine) placed_[k] = 1;
    if (triangle) {
      const std::uint32_t n = side(cone, mine.size(), what, false), at = rows_.add(n, false);
      std::size_t next = 0;
      for (std::uint32_t j = 0; j < n; ++j)
        for (std::uint32_t i = 0; i <= j; ++i) rows_.place(mine[next++], at + i, at + j, 1);
    } else if (!mine.empty()) {
      const std::uint32_t at = rows_.add(static_cast<std::uint32_t>(mine.size()), true);
      const int sign = kind == "Nonnegatives" || kind == "GreaterThan" ? 1 : -1;
      for (std::uint32_t k = 0; k < mine.size(); ++k) rows_.place(mine[k], at + k, at + k, sign);
    }
    return true;
  }

  void constrain(const Json& function, const Json& cone, const std::string& what) {
    static const std::map<std::string, LinearCone> vectors = {{"Zeros", LinearCone::zero},
                                                              {"Nonnegatives", LinearCone::nonnegative},
                                                              {"Nonpositives", LinearCone::nonpositive},
                                                              {"Reals", LinearCone::free}};
    using Sides = std::vector<std::pair<const char*, LinearCone>>;
    static const std::map<std::string, Sides> numbers = {
        {"EqualTo", {{"value", LinearCone::zero}}},
        {"GreaterThan", {{"lower", LinearCone::nonnegative}}},
        {"LessThan", {{"upper", LinearCone::nonpositive}}},
        {"Interval", {{"lower", LinearCone::nonnegative}, {"upper", LinearCone::nonpositive}}}};
    const std::string kind = text(cone, "type", what);
    std::vector<ModelRows::Affine> rows;
    for (const Entry& entry : entries_of(function, what)) rows.push_back(affine(entry));
    if (const auto vector = vectors.find(kind); vector != vectors.end()) {
      require_dimension(cone, rows.size(), "entries", what);
      rows_.in_cone(rows, vector->second);
    } else if (const auto of_number = numbers.find(kind); of_number != numbers.end()) {
      if (rows.size() != 1)
        rows_.fail(fmt::format("{} has {} entries, and its set is one of numbers", what, rows.size()));
      for (const auto& [key, side_of] : of_number->second)
        rows_.in_cone({{rows[0].form, Rational(rows[0].constant - number(cone, key, what))}}, side_of);
    } else if (kind == "PositiveSemidefiniteConeTriangle") {
      const std::uint32_t n = side(cone, rows.size(), what, false);
      rows_.in_psd([&](std::uint32_t i, std::uint32_t j) { return rows[std::size_t{j} * (j + 1) / 2 + i]; }, n);
    } else if (kind == "PositiveSemidefiniteConeSquare") {
      const std::uint32_t n = side(cone, rows.size(), what, true);
      const auto at = [&](std::uint32_t i, std::uint32_t j) { return rows[std::size_t{j} * n + i]; };
      rows_.in_psd(at, n);
      for (std::uint32_t j = 0; j < n; ++j)  // a matrix of this cone is symmetric
        for (std::uint32_t i = 0; i < j; ++i) {
          ModelRows::Affine difference = at(i, j);
          const ModelRows::Affine other = at(j, i);
          for (const auto& [place, x] : other.form) difference.form[place] -= x;
          std::erase_if(difference.form, [](const auto& term) { return term.second == 0; });
          if (!difference.form.empty() || difference.constant != other.constant)
            rows_.equal(std::move(difference.form), Rational(other.constant - difference.constant));
        }
    } else {
      rows_.fail(fmt::format("{} is in a set of the type {}; linear ones and PositiveSemidefiniteCone… are reduced",
                             what, shown(kind, 40)));
    }
  }

  const Json& document_;
  ModelRows rows_;
  const Task& task_;
  std::unordered_map<std::string, std::size_t> known_;
  std::vector<char> placed_;  // of every variable: a constraint has said what it is
};

}  // namespace

sdp::Model parse_mof(const std::string& text, const std::string& name, const Task& task) {
  task.require_memory(32 * text.size(), "a model in JSON");
  JsonLimits limits;
  limits.values = std::uint64_t{1} << 26;
  limits.texts_of_decimals = true;
  return MofReader(parse_strict_json(text, name, limits), name, task).read();
}

}  // namespace intertwine
