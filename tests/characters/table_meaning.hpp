// What the numbers of rows and columns of a character table mean, as text that does not depend on generators.
#pragma once
#include <string>

#include "intertwine/characters/character_table.hpp"

/// For every column the least list of images in its class, then the values of the rows.
inline std::string table_meaning(const intertwine::CharacterTable& table) {
  const intertwine::LeastConjugates least(table.group());
  std::string text;
  for (std::size_t c = 0; c < table.size(); ++c) {
    text += least(table.classes()[c]).to_string() + ":";
    for (std::size_t i = 0; i < table.size(); ++i) text += " " + to_string(table(i, c));
    text += "\n";
  }
  return text;
}
