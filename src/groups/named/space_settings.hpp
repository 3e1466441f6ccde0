// The settings of the 230 space groups by their Hermann-Mauguin symbols: the table of space_settings.txt, and how a
// symbol is found in it. scripts/space_settings.py writes the table from those of gemmi and spglib.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace intertwine::named {

/// A line of the table: one Hall symbol and what it is called.
struct ListedSetting {
  unsigned number = 0;
  std::string_view hall;
  std::vector<std::string_view> choices;  ///< the choices of axes and origin: "b1", "cab", "2", "H"
  std::vector<std::string_view> names;    ///< as CIF files write them, then full ones: "P 1 21/c 1"
  std::vector<std::string_view> shorts;   ///< "P 21/c"
  bool usual = false;                     ///< is it the setting that the number alone stands for?

  /// "F d -3 m:2": the first name, with the choice of origin or axes that tells it from others.
  std::string name() const;
};

const std::vector<ListedSetting>& listed_settings();

/// The meaning of a Hermann-Mauguin symbol.
struct SymbolMeaning {
  const ListedSetting* setting;
  bool as_printed;  ///< is it a name of CIF files or a full one, with its blanks?
};
/// Blanks, underscores, brackets and the case behind the first letter do not matter; ":2", ":R" or "Z" behind choose
/// an origin or axes.
/// \returns nothing if there is no such symbol
/// \throws DomainError if it means several settings, none of which is the usual one
std::optional<SymbolMeaning> find_symbol(std::string_view text);
/// The setting of a number and a choice: 227 and "1", 14 and "b2". \throws DomainError
const ListedSetting& setting_with_choice(unsigned number, std::string_view choice);
bool is_blank(char c);
/// Is this a Hall symbol as the table prints it?
bool is_listed_hall(std::string_view text);

}  // namespace intertwine::named
