// Reads a CIF word by word. [HallAllenBrown1991]
#include "io/files/cif_tokens.hpp"

#include <cctype>

#include "io/containers/text.hpp"

namespace intertwine::cif {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}
bool begins_with(std::string_view text, std::string_view word) {
  return lower_case(text.substr(0, word.size())) == word;
}

std::string tag_name(std::string_view tag) {
  std::string name = lower_case(tag);
  std::ranges::replace(name, '.', '_');
  return name;
}

namespace {

/// The tags of a loop, then its values row by row; returns what follows.
std::optional<CifToken> read_loop(CifTokens& tokens, CifBlock& block, std::size_t line) {
  std::vector<std::vector<CifToken>*> columns;
  std::optional<CifToken> token = tokens.next();
  for (; token && token->is_tag(); token = tokens.next()) columns.push_back(&block.values[tag_name(token->text)]);
  if (columns.empty()) tokens.refuse(line, "loop_ has no tags");
  std::size_t count = 0;
  for (; token; token = tokens.next()) {
    if (!token->quoted && (token->is_tag() || begins_with(token->text, "loop_") || begins_with(token->text, "data_") ||
                           begins_with(token->text, "save_")))
      break;
    columns[count++ % columns.size()]->push_back(*token);
  }
  if (count % columns.size() != 0)
    tokens.refuse(line, fmt::format("the loop has {} values for {} tags, and its last row is not complete", count,
                                    columns.size()));
  return token;
}

}  // namespace

std::vector<CifBlock> read_blocks(CifTokens& tokens) {
  std::vector<CifBlock> blocks;
  std::optional<CifToken> token = tokens.next();
  while (token) {
    const CifToken here = *token;
    if (!here.quoted && begins_with(here.text, "data_")) {
      blocks.push_back({here.line, {}});
      token = tokens.next();
    } else if (blocks.empty()) {
      tokens.refuse(here.line, "a CIF begins with data_ and a name");
    } else if (!here.quoted && begins_with(here.text, "loop_")) {
      token = read_loop(tokens, blocks.back(), here.line);
    } else if (here.is_tag()) {
      token = tokens.next();
      if (!token || token->is_tag()) tokens.refuse(here.line, fmt::format("{} has no value", shown(here.text, 60)));
      blocks.back().values[tag_name(here.text)] = {*token};
      token = tokens.next();
    } else if (!here.quoted && begins_with(here.text, "save_")) {
      tokens.refuse(here.line, "this is a dictionary, with save_, and no structure");
    } else {
      tokens.refuse(here.line,
                    fmt::format("'{}' stands where a tag such as _cell_length_a is expected", shown(here.text, 40)));
    }
  }
  return blocks;
}

}  // namespace intertwine::cif
