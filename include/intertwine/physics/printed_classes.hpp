// Class functions from values as people have them: by the names of classes, or in the order of a printed table, which
// for point groups is not that of the table's own columns.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The classes of a table in the order of printed tables, with their names there: those of point_group_table for named
/// point groups, "E", "2C3", "3σv"; for other groups the columns as they are, "1a", "2a".
struct PrintedClasses {
  std::vector<std::size_t> numbers;  ///< the numbers of the columns of the table
  std::vector<std::string> names;
};
PrintedClasses printed_classes(const CharacterTable& table, const Task& task = {});

/// The order in which a list of values stands.
enum class ClassOrder { classes, printed };
/// "classes", "printed". \throws DomainError for others
ClassOrder class_order(std::string_view name);

/// \param order  none: that of both, where they are equal or the values are the same for both
/// \throws DomainError unless there is one value for every class, or if the order is not given and matters: the message
/// has the names of the classes in both
ClassFunction class_function(const CharacterTable& table, std::vector<Cyclotomic> values,
                             std::optional<ClassOrder> order, const Task& task = {});
/// Is a list of these values refused without its order?
bool order_matters(const ClassFunction& f, const Task& task = {});
/// By names: of printed tables, "2C3", "C3", "σv(xz)" or "sv", "C4^3", where they mean one class, or of columns, "2a".
/// \throws DomainError unless every class has one value; the message has the names in printed order
ClassFunction class_function(const CharacterTable& table, const std::vector<std::pair<std::string, Cyclotomic>>& values,
                             const Task& task = {});
/// "9 -1 1 3", values in printed order, or "E:9 C2:-1 σv(xz):1 σv'(yz):3", by names; between them blanks, commas or
/// semicolons. Lists of Python and JSON, [9, -1, 1, 3] and {"E": 9, ...}, are read too, = is a colon and − a minus.
/// \throws DomainError as above, ParseError
ClassFunction parse_class_function(const CharacterTable& table, std::string_view text, const Task& task = {});
/// "E:9 C2:-1 σv(xz):1 σv'(yz):3", in printed order.
std::string values_by_name(const ClassFunction& f, const Task& task = {});

}  // namespace intertwine
