// Answers for GAP, Sage and Magma.
#include "intertwine/io/systems_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/automorphism_group.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "io/answers/made_once.hpp"
#include "io/answers/system_values.hpp"

namespace intertwine {

namespace {

[[noreturn]] void refuse(Format system) {
  throw InternalError("to_system: " + to_string(system) + " is no system of computer algebra");
}

/// Partitions and weights, "[3,1]", "[1,-1]" and "[]", which are lists in all systems.
bool is_integer_list(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
  if (text == "[]") return true;
  std::size_t at = 0;  // of the bracket or comma before a number
  while (at + 1 < text.size()) {
    const std::size_t first = at + (text[at + 1] == '-' ? 2 : 1),
                      end = std::min(text.find_first_not_of("0123456789", first), text.size());
    if (end == first || end == text.size() || (text[end] != ',' && end + 1 != text.size())) return false;
    at = end;
  }
  return true;
}

/// A number as cells have it, exactly; nothing for words.
std::optional<Cyclotomic> number_in(const std::string& text) {
  if (text.find_first_of("0123456789") == std::string::npos) return std::nullopt;
  try {
    return parse_cyclotomic(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// 0.75 and -1.5e-07, as doubles are printed.
bool is_decimal(const std::string& text) {
  const std::size_t start = text.starts_with('-') ? 1 : 0;
  if (text.size() == start || text[start] < '0' || text[start] > '9') return false;
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size() && text.find_first_not_of("0123456789.e+-") == text.npos;
}

std::string rows_of_sheet(Format system, const Sheet& sheet, std::uint32_t n) {
  const char* open = system == Format::gap ? "[ " : system == Format::sage ? "(" : "<";
  const char* close = system == Format::gap ? " ]" : system == Format::sage ? ")" : ">";
  const auto cell = [&](const Cell& c) {
    if (is_integer_list(c.text)) return c.text;
    if (const auto number = number_in(c.text)) return system_number(system, *number, n);
    return is_decimal(c.text) ? c.text : quoted_words(c.text);
  };
  const std::string rows = list_of(sheet.rows, ",\n", [&](const CellRow& row) {
    // A tuple of one has a comma behind it in Python.
    return open + list_of(row, ", ", cell) + (system == Format::sage && row.size() == 1 ? "," : "") + close;
  });
  return system == Format::magma ? "[* " + rows + " *]" : "[" + rows + "]";
}

/// The matrices of the generators of representations for rows, and what their entries refer to.
class RowActions {
 public:
  RowActions(Format system, const Task& task) : system_(system), task_(task) {}

  void add(const Representation& V) {
    auto& [images, generator] = list_.emplace_back();
    for (const Permutation& g : V.group().generators()) {
      task_.poll();
      task_.require_memory((images.size() + 2) * 48 * V.dimension() * V.dimension() * V.field().degree(),
                           "the matrices as text");
      images.push_back(V.field_matrix(g).transpose());
    }
    if (has_long_entries(V)) {
      for (FieldMatrix& A : images) A = A.over(V.field());
      generator = fmt::format("a{}", names_.size() + 1);
      names_.emplace_back(generator, V.field().generator());
      n_ = std::lcm(n_, names_.back().second.conductor());
    } else {
      for (const FieldMatrix& A : images) n_ = std::lcm(n_, conductor_of(A));
    }
  }
  /// The matrices of representation number k; all have been added.
  std::string matrices(std::size_t k) const {
    return list_of(list_[k].first, ", ",
                   [&](const FieldMatrix& A) { return system_matrix(system_, A, n_, task_, list_[k].second); });
  }
  /// Representation number k as a module of Magma; a group G without generators has a sum of trivial modules.
  std::string module(std::size_t k, std::size_t dimension) const {
    if (!list_[k].first.empty()) return fmt::format("GModule(G, [{}])", matrices(k));
    return dimension == 1 ? "TrivialModule(G, K)"
                          : fmt::format("DirectSum([TrivialModule(G, K) : i in [1..{}]])", dimension);
  }
  std::string with_names(const std::string& expression) const { return with_roots(system_, expression, names_, n_); }

 private:
  Format system_;
  const Task& task_;
  std::vector<std::pair<std::vector<FieldMatrix>, std::string>>
      list_;  ///< matrices, and the name of the field's generator
  NamedNumbers names_;
  std::uint32_t n_ = 1;  ///< all conductors divide it
};

/// A permutation group by its generators, whose cycles `words` writes.
template <class Generator, class Words>
std::string group_by(Format system, std::size_t degree, const std::vector<Generator>& generators, Words words) {
  if (system == Format::gap)
    return generators.empty() ? "Group(())" : fmt::format("Group([{}])", list_of(generators, ", ", words));
  if (system == Format::sage)
    return fmt::format("PermutationGroup([{}], domain=range(1, {}))",
                       list_of(generators, ", ", [&](const auto& g) { return '"' + words(g) + '"'; }), degree + 1);
  if (system == Format::magma)
    return fmt::format("PermutationGroup<{} | {}>", degree, list_of(generators, ", ", [&](const auto& g) {
                         const std::string cycles = words(g);
                         return cycles == "()" ? fmt::format("Id(Sym({}))", degree) : cycles;
                       }));
  refuse(system);
}

}  // namespace

std::string to_system(Format system, const FiniteGroup& G) {
  return group_by(system, G.degree(), G.generators(), [](const Permutation& g) { return g.to_string(); });
}

std::string to_system(Format system, const Representation& V, const Task& task) {
  if (system == Format::gap) return to_gap(V, task);
  RowActions actions(system, task);
  actions.add(V);
  if (system == Format::sage) return actions.with_names("[" + actions.matrices(0) + "]");
  if (system != Format::magma) refuse(system);
  return actions.with_names(
      fmt::format("{} where G is {}", actions.module(0, V.dimension()), to_system(system, V.group())));
}

std::string to_system(Format system, const SymmetricFunction& f) {
  constexpr std::string_view letters = "sphemf";
  const auto basis = static_cast<std::size_t>(f.basis);
  const auto parts = [](const Partition& p) { return to_string(p); };
  if (system == Format::gap)
    return fmt::format("[{}]", list_of(f.terms, ", ", [&](const auto& term) {
                         return fmt::format("[{}, {}]", parts(term.first), to_string(term.second));
                       }));
  const char letter = letters[basis];
  const std::string sum = list_of(f.terms, " + ", [&](const auto& term) -> std::string {
    const std::string coefficient = to_string(term.second) + "*" + letter;
    if (system == Format::sage) return coefficient + "(" + parts(term.first) + ")";
    return term.first.length() == 0 ? coefficient + "!1" : coefficient + "." + parts(term.first);
  });
  if (system == Format::sage) {
    const std::string algebra = letter == 'f' ? std::string("SymmetricFunctions(QQ).forgotten()")
                                              : fmt::format("SymmetricFunctions(QQ).{}()", letter);
    return fmt::format("(lambda {}: {})({})", letter, sum.empty() ? fmt::format("{}.zero()", letter) : sum, algebra);
  }
  if (system != Format::magma) refuse(system);
  constexpr const char* algebras[] = {"SFASchur", "SFAPower", "SFAHomogeneous", "SFAElementary", "SFAMonomial"};
  if (basis >= std::size(algebras))
    throw DomainError("Magma has no forgotten symmetric functions; ask for another basis, as s or m");
  return fmt::format("{} where {} is {}(Rationals())", sum.empty() ? fmt::format("{}!0", letter) : sum, letter,
                     algebras[basis]);
}

std::string to_system(Format system, const Sheets& sheets) {
  if (!is_system(system)) refuse(system);
  std::uint32_t n = 1;
  for (const Sheet& sheet : sheets)
    for (const CellRow& row : sheet.rows)
      for (const Cell& cell : row)
        if (const auto number = number_in(cell.text)) n = std::lcm(n, number->conductor());
  const auto rows = [&](const Sheet& sheet) { return rows_of_sheet(system, sheet, n); };
  std::string lists = sheets.size() == 1 ? rows(sheets.front()) : list_of(sheets, ",\n", rows);
  if (sheets.size() != 1) lists = system == Format::magma ? "[* " + lists + " *]" : "[" + lists + "]";
  return n == 1 ? lists : with_roots(system, lists, n);
}

std::string to_system(Format system, const FieldMatrix& A, const Task& task) {
  const std::uint32_t n = conductor_of(A);
  return with_roots(system, system_matrix(system, A, n, task), n);
}

std::string to_system(Format system, const Cyclotomic& a) {
  const std::uint32_t n = a.conductor();
  return n == 1 ? to_string(a) : with_roots(system, system_number(system, a, n), n);
}

std::string statement(Format system, const std::string& expression) {
  if (system == Format::sage) return "intertwine = " + expression + "\n";
  return "intertwine := " + expression + ";\n";
}

std::string system_of(Format system, const Automorphisms& found) {
  return group_by(system, found.degree, found.generators, [](const MovedPoints& g) { return to_cycles(g); });
}

std::string system_of(Format system, const IrreducibleForms& forms, const Task& task) {
  RowActions actions(system, task);
  std::vector<std::size_t> places;
  for (const auto& [complex, form] : forms.entries) {
    places.push_back(places.size());
    actions.add(form.representation);
  }
  const auto name = [&](std::size_t k) { return forms.table.name(forms.entries[k].form.rows.front()); };
  if (system == Format::sage)
    return actions.with_names(fmt::format("[{}]", list_of(places, ", ", [&](std::size_t k) {
                                            return fmt::format("({}, [{}])", quoted_words(name(k)),
                                                               actions.matrices(k));
                                          })));
  if (system != Format::magma) refuse(system);
  const std::string modules = list_of(places, ", ", [&](std::size_t k) { return actions.module(k, 1); });
  return actions.with_names(fmt::format("[* {} *] where G is {}", modules, to_system(system, forms.table.group())));
}

}  // namespace intertwine
