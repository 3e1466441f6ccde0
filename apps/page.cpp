// Fills pages of docs/ to the width of a terminal.
#include "page.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace intertwine::app {

namespace {

/// Without stars and backquotes, and links by their words.
std::string plain_words(std::string_view text) {
  std::string result;
  bool code = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '`') {
      code = !code;
    } else if (!code && text.substr(at, 2) == "**") {
      ++at;
    } else if (!code && text.substr(at, 2) == "](") {
      at = std::min(text.find(')', at), text.size());  // the bracket before it is gone already
    } else if (!code && text[at] == '[' && text.find("](", at) < text.find(']', at) + 1) {
      continue;
    } else {
      result += text[at];
    }
  }
  return result;
}

/// The cells of "| a | b |"; \| is a stroke within one.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t at = line.find('|') + 1; at < line.size(); ++at) {
    if (line.compare(at, 2, "\\|") == 0) {
      cell += line[++at];
    } else if (line[at] == '|') {
      const std::size_t first = std::min(cell.find_first_not_of(' '), cell.size());
      cells.push_back(plain_words(cell.substr(first, cell.find_last_not_of(' ') + 1 - first)));
      cell.clear();
    } else {
      cell += line[at];
    }
  }
  return cells;
}

class PageWriter {
 public:
  PageWriter(std::size_t width, bool bold) : width_(width), bold_(bold) {}

  void add(const std::string& line) {
    if (line.starts_with("```")) {
      end();
      code_ = !code_;
    } else if (code_) {
      text_ += line.empty() ? "\n" : "  " + line + '\n';
    } else if (line.starts_with("|")) {
      if (!paragraph_.empty()) end();
      table_.push_back(cells_of(line));
    } else if (line.empty()) {
      end();
      text_ += '\n';
    } else if (line.starts_with("#")) {
      end();
      const std::string heading = plain_words(line.substr(line.find_first_not_of("# ")));
      text_ += bold_ ? "\x1b[1m" + heading + "\x1b[0m\n" : heading + '\n';
    } else {
      add_words(line);
    }
  }
  std::string text() {
    end();
    return text_;
  }

 private:
  /// A line of a paragraph, or of an item of a list, which begins with its sign.
  void add_words(const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    const std::size_t digits = std::min(line.find_first_not_of("0123456789", first), line.size());
    const bool item = line.compare(first, 2, "- ") == 0 || line.compare(first, 2, "* ") == 0 ||
                      (digits > first && line.compare(digits, 2, ". ") == 0);
    if (item || !table_.empty()) end();
    if (item) {
      indent_ = line.find(' ', first) + 1;
      mark_ = line.substr(0, indent_);
      paragraph_ = line.substr(indent_);
    } else {
      paragraph_ += (paragraph_.empty() ? "" : " ") + line;
    }
  }

  void end() {
    if (!table_.empty()) end_table();
    if (!paragraph_.empty()) text_ += mark_ + filled(plain_words(paragraph_), indent_, indent_, width_) + '\n';
    paragraph_.clear(), mark_.clear(), indent_ = 0;
  }

  void end_table() {
    const bool ruled = table_.size() > 1 && table_[1].front().find_first_not_of("-: ") == std::string::npos;
    if (ruled) table_.erase(table_.begin() + 1);
    std::size_t columns = 0, all = 2;
    for (const auto& row : table_) columns = std::max(columns, row.size());
    std::vector<std::size_t> widths(columns);
    for (const auto& row : table_)
      for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], letters(row[c]));
    for (const std::size_t w : widths) all += w + 2;
    for (const auto& row : table_) text_ += all <= width_ + 2 ? in_columns(row, widths) : as_item(row);
    table_.clear();
  }
  static std::string in_columns(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) {
    std::string line = " ";
    for (std::size_t c = 0; c < row.size(); ++c)
      line += ' ' + row[c] + std::string(widths[c] - letters(row[c]) + 1, ' ');
    return line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  std::string as_item(const std::vector<std::string>& row) const {
    std::string words;
    for (const std::string& cell : row)
      if (!cell.empty()) words += (words.empty() ? "" : "; ") + cell;
    return "  " + filled(words, 2, 6, width_) + '\n';
  }

  std::size_t width_, indent_ = 0;
  bool bold_, code_ = false;
  std::string text_, paragraph_, mark_;
  std::vector<std::vector<std::string>> table_;
};

}  // namespace

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string filled(std::string_view text, std::size_t column, std::size_t indent, std::size_t width) {
  std::istringstream words{std::string(text)};
  std::string result;
  bool first = true;
  for (std::string word; words >> word; first = false) {
    const std::size_t length = letters(word);
    if (!first && column + 1 + length > width) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      result += ' ';
      ++column;
    }
    result += word;
    column += length;
  }
  return result;
}

std::string page_text(std::string_view markdown, std::size_t width, bool bold) {
  PageWriter writer(width, bold);
  std::istringstream lines{std::string(markdown)};
  for (std::string line; std::getline(lines, line);) writer.add(line);
  return writer.text();
}

}  // namespace intertwine::app
