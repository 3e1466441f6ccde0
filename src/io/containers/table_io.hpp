// Table files read and written, but for what takes exact arithmetic, which the caller gives.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/tables/weight_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The values of JSON tables as text, where they are more than decimal integers.
class ValueTexts {
 public:
  virtual ~ValueTexts() = default;
  /// The value of entry e over a field larger than Q: "E(5)+E(5)^4".
  virtual std::string text(const SparseElements& elements, std::size_t e) const = 0;
  /// "-6/2" as "-3". \throws FileError naming the array of the file `name` if it is no integer.
  virtual std::string integer(const std::string& text, std::string_view array, const std::string& name) const = 0;
  /// Sets the values of elements, and all of elements.exact, from texts over the field that exact.generator generates.
  /// \throws FileError as integer()
  virtual void set_values(SparseElements& elements, const std::vector<std::string>& texts, std::string_view array,
                          const std::string& name, const Task& task) const = 0;
};

/// write_table() and read_table(); without `texts`, values that need them are refused.
std::string write_container(const std::filesystem::path& path, const WeightTable& table, const ValueTexts* texts,
                            const Task& task);
WeightTable read_container(const std::filesystem::path& path, const ValueTexts* texts, const Task& task);

/// The most digits of a text in a JSON table: numerator, stroke and denominator together.
inline constexpr std::size_t max_value_digits = 100'000;

}  // namespace intertwine
