// Words in generators and their inverses: presentations, relations, and messages that name elements.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace intertwine {

/// A word in generators: k + 1 is generator k, -(k + 1) its inverse.
using Word = std::vector<std::int32_t>;

namespace words {

/// Appends a letter to a freely reduced word, and keeps it so.
void append(Word& word, std::int32_t letter);
/// a b, freely reduced if a and b are.
Word product(Word a, const Word& b);
Word inverse(const Word& a);
/// "a^2*b^-1": the generators are a, b, c, ..., or g1, g2, ... when there are more than 26.
std::string text(const Word& word, std::size_t generators);

}  // namespace words

}  // namespace intertwine
