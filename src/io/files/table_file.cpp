// Exact arithmetic for table files: values as text, and the check that doubles are the nearest to their coordinates.
#include "intertwine/io/table_file.hpp"

#include <fmt/format.h>

#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/tables/data_section.hpp"
#include "io/containers/table_io.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

// The field of a file's generator. \throws FileError naming the file `name`.
AbelianField field_of_file(const ExactValues& exact, const std::string& name) {
  try {
    return field_of(exact);
  } catch (const DomainError& error) {
    throw FileError(fmt::format("{}: {}", name, error.what()));
  }
}

class ExactTexts final : public ValueTexts {
 public:
  std::string text(const SparseElements& elements, std::size_t e) const override {
    return to_string(value_of(field_of(elements.exact), coordinates_of(elements, e, 1), 0));
  }

  std::string integer(const std::string& text, std::string_view array, const std::string& name) const override {
    Rational value;
    try {
      value = parse_rational(text);
    } catch (const ParseError&) {
      throw refusal(text, array, name, "is no number");
    }
    if (denominator(value) != 1) throw refusal(text, array, name, "is no integer");
    return Integer(numerator(value)).str();
  }

  void set_values(SparseElements& elements, const std::vector<std::string>& texts, std::string_view array,
                  const std::string& name, const Task& task) const override {
    const AbelianField field = field_of_file(elements.exact, name);
    IntegerMatrix coordinates(field.degree(), texts.size());
    for (std::size_t e = 0; e < texts.size(); ++e) {
      const auto refuse = [&](const std::string& why) { return refusal(texts[e], array, name, why); };
      Cyclotomic value;
      try {
        value = parse_cyclotomic(texts[e], task);
      } catch (const Error&) {
        task.poll();
        throw refuse("is no cyclotomic number");
      }
      if (!field.contains(value)) throw refuse("is not in " + field.to_string());
      const std::vector<Rational> list = field.coordinates(value);
      for (std::size_t c = 0; c < list.size(); ++c) {
        if (denominator(list[c]) != 1) throw refuse("has coordinates that are no integers in " + field.to_string());
        coordinates.set(c, e, Integer(numerator(list[c])));
      }
    }
    set_exact_values(elements, field, coordinates);
  }

 private:
  static FileError refusal(const std::string& text, std::string_view array, const std::string& name,
                           const std::string& why) {
    return FileError(fmt::format("{}: \"{}\" holds \"{}\", which {}", name, array, shown(text), why));
  }
};

// Over fields larger than Q: the doubles are those of the coordinates.
template <class Fail>
void require_nearest(const WeightBlock& table, const Fail& fail) {
  if (table.is_tied() || table.weights.sparse().exact.degree == 1) return;
  const AbelianField field = field_of(table.weights.sparse().exact);
  for (const auto& [pattern, array] :
       {std::pair(&table.weights, "weight.basis_val"), {&table.bias, "bias.basis_val"}}) {
    const SparseElements& elements = pattern->sparse();
    const std::vector<double> nearest = real_values(field, coordinates_of(elements));
    for (std::size_t e = 0; e < nearest.size(); ++e)
      if (elements.value[e] != nearest[e])
        fail(fmt::format("\"{}\" holds {} at {}, and the coordinates there make {}", array, elements.value[e], e,
                         nearest[e]));
  }
}

void require_nearest_to_write(const WeightBlock& table, const Task& task) {
  require_consistent_sizes(table, task);
  require_nearest(table, [](const std::string& what) { throw DomainError("write_table: " + what); });
}

void require_nearest_as_read(const WeightBlock& table, const std::string& name) {
  if (table.is_tied() || table.weights.sparse().exact.degree == 1) return;
  field_of_file(table.weights.sparse().exact, name);
  require_nearest(table, [&](const std::string& what) { throw FileError(name + ": " + what); });
}

}  // namespace

std::string write_table(const std::filesystem::path& path, const WeightTable& table, const Task& task) {
  for (const auto& row : table.blocks)
    for (const WeightBlock& block : row) require_nearest_to_write(block, task);
  const ExactTexts texts;
  return write_container(path, table, &texts, task);
}

WeightTable read_table(const std::filesystem::path& path, const Task& task) {
  const ExactTexts texts;
  WeightTable table = read_container(path, &texts, task);
  for (const auto& row : table.blocks)
    for (const WeightBlock& block : row) require_nearest_as_read(block, shown_path(path));
  return table;
}

}  // namespace intertwine
