// LaTeX as answers are written in it: displayed formulas and words between them, as they stand at the place of a paragraph
// (\input, or a whole document). All of it is ASCII and needs amsmath and amssymb. Values (numbers, partitions, matrices)
// are formulas by their own to_latex, for math mode.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine {

/// Words with what is special in LaTeX escaped; characters outside ASCII that formulas have here as their commands.
std::string escaped_latex(std::string_view text);
/// A paragraph of words.
std::string latex_words(std::string_view text);
/// \[ formula \].
std::string latex_display(std::string_view formula);
/// "left = right", one below the other; what is wider than a page is broken before a + or - that is in no brackets. An
/// empty left side leaves the right side alone.
std::string latex_equations(const std::vector<std::pair<std::string, std::string>>& equations);
/// Cells (formulas, rows of one length) as displayed arrays, a rule below the first `head` rows and behind the first column.
/// A table wider or longer than a page is several arrays, each with the head and the first column. `alignment` as in
/// Sheet.
std::string latex_table(const std::vector<std::vector<std::string>>& cells, std::size_t head,
                        const std::string& alignment, const Task& task = {});
/// A whole document around it: what comes before and after.
std::pair<std::string_view, std::string_view> latex_document();

}  // namespace intertwine
