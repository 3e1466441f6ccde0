// Pages of docs/ in a terminal: filled to its width, without the signs of Markdown.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace intertwine::app {

/// Characters, of which some take several bytes.
std::size_t letters(std::string_view text);

/// Words with line breaks at `width`; lines after the first begin with `indent` spaces, the first is at `column` already.
std::string filled(std::string_view text, std::size_t column, std::size_t indent, std::size_t width);

/// A page of Markdown for a terminal. Code stays as it is, tables become columns, or lists where they are too wide. \param bold  headings
std::string page_text(std::string_view markdown, std::size_t width, bool bold);

}  // namespace intertwine::app
