// Reads crystals from CIF. [HallAllenBrown1991]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/crystal_file.hpp"
#include "intertwine/io/structure_file.hpp"
#include "intertwine/physics/magnetic_space_group.hpp"
#include "intertwine/physics/magnetic_structure.hpp"
#include "intertwine/physics/space.hpp"
#include "io/containers/text.hpp"
#include "io/expressions/atom_words.hpp"
#include "io/files/cif_tokens.hpp"

namespace intertwine {

namespace {

using cif::CifBlock, cif::CifToken, cif::CifTokens;

/// x -> W x + w, perhaps with time reversal.
struct CifOperation {
  std::array<std::array<int, 3>, 3> W{};
  Vector3 w{};
  bool reverses_time = false;
  CifToken token{};  ///< for messages

  int hand() const {
    return W[0][0] * (W[1][1] * W[2][2] - W[1][2] * W[2][1]) - W[0][1] * (W[1][0] * W[2][2] - W[1][2] * W[2][0]) +
           W[0][2] * (W[1][0] * W[2][1] - W[1][1] * W[2][0]);
  }
};
/// A moment in components along the edges, over their lengths.
struct CifMoment {
  Vector3 parts{};
  CifToken token{};
};

using SpeciesShares = std::vector<std::pair<std::string, double>>;

/// The atoms of a site that is partly empty or shared, from `first` to before `last`.
struct SharedSite {
  std::size_t first, last;
  SpeciesShares species;
};

/// The images of one site closer than this are one atom: positions are rounded, and no two atoms are so near.
constexpr double same_atom = 0.2;

class CifReader {
 public:
  CifReader(std::string_view text, const std::string& name, Occupancy occupancy)
      : tokens_(text, name), occupancy_(occupancy) {}

  CrystalStructure read() {
    std::vector<CifBlock> blocks = read_blocks(tokens_);
    std::erase_if(blocks, [](const CifBlock& b) { return b.find({"_atom_site_fract_x"}) == nullptr; });
    if (blocks.empty()) tokens_.refuse(1, "there are no atoms, in a loop with _atom_site_fract_x, _y and _z");
    if (blocks.size() > 1) tokens_.refuse(blocks[1].line, "a second structure begins here; keep one of them");
    block_ = std::move(blocks[0]);
    CrystalStructure crystal{cell(), {}};
    edges_ = crystal.cell;
    if (!read_magnetic_operations(crystal)) read_operations();
    require_cell_of_operations();
    read_moments();
    read_sites(crystal);
    if (moments_.empty()) crystal.moments.clear();
    return crystal;
  }

 private:
  /// A number, perhaps with its uncertainty behind in brackets, 5.431(2), or a fraction.
  std::optional<double> number(std::string_view text) const {
    if (text.ends_with(')')) text = text.substr(0, text.find('('));
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return decimal_number(text);
    const auto above = decimal_number(text.substr(0, slash)), below = decimal_number(text.substr(slash + 1));
    if (!above || !below || *below == 0) return {};
    return *above / *below;
  }
  double number(const CifToken& token, const char* what) const {
    const auto value = number(token.text);
    if (!value || !(std::abs(*value) <= 1e6))
      tokens_.refuse(token.line, fmt::format("{} is '{}', which is no number", what, shown(token.text, 40)));
    return *value;
  }
  double cell_number(const char* tag) const {
    const auto token = block_.one({tag});
    if (!token) tokens_.refuse(block_.line, fmt::format("the block that begins here has no {}", tag));
    return number(*token, tag);
  }
  Matrix3 cell() const {
    const double a = cell_number("_cell_length_a"), b = cell_number("_cell_length_b"),
                 c = cell_number("_cell_length_c");
    // Exact for the angles that most cells have.
    const auto cosine = [&](const char* tag) {
      const double angle = cell_number(tag);
      return angle == 90 ? 0 : angle == 120 ? -0.5 : angle == 60 ? 0.5 : std::cos(angle * std::numbers::pi / 180);
    };
    const double alpha = cosine("_cell_angle_alpha"), beta = cosine("_cell_angle_beta"),
                 gamma = cosine("_cell_angle_gamma");
    const double sine = std::sqrt(1 - gamma * gamma), y = (alpha - beta * gamma) / sine,
                 height = 1 - beta * beta - y * y;
    if (!(a > 0) || !(b > 0) || !(c > 0) || !(sine > 1e-6) || !(height > 1e-6))
      tokens_.refuse(block_.one({"_cell_length_a"})->line, "lengths and angles are those of no cell");
    return {{{a, 0, 0}, {b * gamma, b * sine, 0}, {c * beta, c * y, c * std::sqrt(height)}}};
  }

  /// "-x+y, 1/2+y, z" as W and w; with a sign of time behind it, "x,y,z,-1", if it is magnetic.
  CifOperation operation(const CifToken& token, bool magnetic = false) const {
    const auto refuse = [&] {
      tokens_.refuse(token.line, fmt::format("'{}' is no operation; one is written {}", shown(token.text, 40),
                                             magnetic ? "x,y,z,+1 or -x+y,y,1/2-z,-1" : "x,y,z or -x+y,y,1/2-z"));
    };
    CifOperation g;
    g.token = token;
    std::size_t row = 0;
    std::string text = cif::lower_case(token.text);
    if (magnetic) {
      const std::size_t comma = std::min(text.rfind(','), text.size() - 1);
      std::string sign = text.substr(comma + 1);
      std::erase(sign, ' ');
      if (sign != "1" && sign != "+1" && sign != "-1") refuse();
      g.reverses_time = sign == "-1";
      text.resize(comma);
    }
    bool begins = true;  // a term begins behind a comma or a sign, so that 2x is refused
    double sign = 1;
    for (std::size_t at = 0; at < text.size();) {
      const char c = text[at];
      if (c == ',') {
        if (begins || ++row > 2) refuse();
        begins = true, sign = 1, ++at;
      } else if (c == '+' || c == '-') {
        sign = c == '-' ? -1 : 1, begins = true, ++at;
      } else if (c == ' ') {
        ++at;
      } else if (!begins) {
        refuse();
      } else if (c >= 'x' && c <= 'z') {
        g.W[row][static_cast<std::size_t>(c - 'x')] += static_cast<int>(sign);
        begins = false, sign = 1, ++at;
      } else {
        const std::size_t end = std::min(text.find_first_not_of("0123456789./", at), text.size());
        const auto value = number(std::string_view(text).substr(at, end - at));
        if (!value) refuse();
        // Decimals of twelfths are rounded.
        const double near = std::round(*value * 12) / 12;
        g.w[row] += sign * (std::abs(*value - near) < 2e-3 ? near : *value);
        begins = false, sign = 1, at = end;
      }
    }
    if (row != 2 || begins) refuse();
    return g;
  }

  /// The space group that a name says, and the line of the name; nothing if there is none, or one that is not read.
  /// Names of different groups are refused.
  std::optional<std::pair<SpaceGroup, CifToken>> named_group(bool strict) const {
    const auto hall = block_.one({"_space_group_name_hall", "_symmetry_space_group_name_hall"}),
               symbol = block_.one({"_space_group_name_h-m_alt", "_symmetry_space_group_name_h-m",
                                    "_space_group_name_h-m_full", "_space_group_name_h-m_ref"}),
               count = block_.one({"_space_group_it_number", "_symmetry_int_tables_number"});
    std::optional<std::pair<SpaceGroup, CifToken>> named;
    for (const auto& [token, before] : {std::pair{hall, "hall:"}, {symbol, "hm:"}, {count, ""}}) {
      if (!token || token->is_missing()) continue;
      try {
        const SpaceGroup group = SpaceGroup::named(before + std::string(token->text));
        if (named) {
          require_same_number(*named, {group, *token});
          continue;
        }
        const bool says_axes = std::string_view(before) == "hall:" || token->text.find(':') != std::string_view::npos;
        named = std::pair{says_axes ? group : in_axes_of_cell(group), *token};
      } catch (const FileError&) {
        throw;
      } catch (const Error& e) {
        if (strict && !named) tokens_.refuse(token->line, e.what());
      }
    }
    return named;
  }
  void require_same_number(const std::pair<SpaceGroup, CifToken>& a, const std::pair<SpaceGroup, CifToken>& b) const {
    const auto first = listed_setting(a.first), second = listed_setting(b.first);
    if (!first || !second || first->number == second->number) return;
    tokens_.refuse(a.second.line,
                   fmt::format("{} is the space group {} (number {}), and {} in line {} is {} (number {}); correct "
                               "the one or leave the other out",
                               shown(a.second.text, 30), first->name, first->number, shown(b.second.text, 30),
                               b.second.line, second->name, second->number));
  }
  /// Refuses operations of another group than the one that is named: of other turns, or by spglib of another number.
  void require_named_operations(const SpaceGroup& group, const CifToken& name, const CifToken& where) const {
    using Turn = std::pair<int, int>;  // trace and determinant
    std::map<Turn, std::size_t> listed, expected;
    const auto trace = [](const std::array<std::array<int, 3>, 3>& W) { return W[0][0] + W[1][1] + W[2][2]; };
    for (const CifOperation& g : operations_) ++listed[{trace(g.W), g.hand()}];
    for (const SpaceOperation& g : group.operations())
      expected[{trace(g.W), CifOperation{g.W}.hand()}] += group.centring().size();
    const auto setting = listed_setting(group);
    std::string found = listed == expected ? "" : "another group";
    if (found.empty() && setting && has_magnetic_numbers()) {
      const unsigned uni = magnetic_number(edges_, cell_operations());
      const unsigned number = uni == 0 ? 0 : space_group_of_magnetic(uni);
      if (number != 0 && number != setting->number)
        found = fmt::format("{} (number {})", space_group_name(number), number);
    }
    if (!found.empty())
      tokens_.refuse(where.line, fmt::format("the operations listed here are those of {}, and {} in line {} is {}; "
                                             "correct the one or leave the other out",
                                             found, shown(name.text, 30), name.line,
                                             setting ? fmt::format("{} (number {})", setting->name, setting->number)
                                                     : "none of these"));
  }
  /// The number of the space group of a magnetic one that reverses no time.
  static unsigned space_group_of_magnetic(unsigned uni) {
    const std::string number = magnetic_kind(uni).bns_number;
    return static_cast<unsigned>(std::stoul(number.substr(0, number.find('.'))));
  }
  /// Operations of another system than the cell would make atoms at places where none are.
  void require_cell_of_operations() const {
    for (const CifOperation& g : operations_)
      if (!space::keeps_cell(g.W, edges_))
        tokens_.refuse(block_.one({"_cell_length_a"})->line,
                       "the operations take edges of this cell to others with another length or angle; correct "
                       "the cell, or the operations or the name of the space group");
  }
  /// Names such as R 3 2 without :H or :R say neither axes: those of the cell, equal edges at equal angles, are
  /// rhombohedral ones.
  SpaceGroup in_axes_of_cell(SpaceGroup group) const {
    const auto setting = listed_setting(group);
    if (!setting || !setting->name.ends_with(":H")) return group;
    const auto cell = cell_parameters(edges_);
    const bool rhombohedral = std::abs(cell[0] - cell[1]) < 1e-3 * cell[0] &&
                              std::abs(cell[1] - cell[2]) < 1e-3 * cell[0] && std::abs(cell[3] - cell[4]) < 0.1 &&
                              std::abs(cell[4] - cell[5]) < 0.1;
    return rhombohedral ? SpaceGroup::named(setting->name.substr(0, setting->name.size() - 1) + "R") : group;
  }
  /// A magnetic group by its number or symbol, with the word that says so; nothing if it is not said or not read.
  std::vector<std::pair<MagneticSpaceGroup, CifToken>> named_magnetic(bool strict) const {
    std::vector<std::pair<MagneticSpaceGroup, CifToken>> result;
    for (const char* tag : {"_space_group_magn_number_bns", "_space_group_magn_name_bns"}) {
      const auto token = block_.one({tag});
      if (!token) continue;
      try {
        result.emplace_back(MagneticSpaceGroup::named(token->text), *token);
      } catch (const Error& e) {
        if (strict) tokens_.refuse(token->line, e.what());
      }
    }
    return result;
  }
  /// Refuses operations that are another group than the one that is named.
  void compare_magnetic(const std::vector<CellOperation>& operations, const CifToken& where,
                        const std::string& what) const {
    const unsigned uni = has_magnetic_numbers() ? magnetic_number(edges_, operations) : 0;
    for (const auto& [group, token] : named_magnetic(false)) {
      const std::size_t count = (group.operations().size() + group.antiunitary().size()) * group.centring().size();
      const unsigned named = uni != 0 ? magnetic_number(group) : 0;
      if (named != 0 && named != uni) {
        const MagneticKind is = magnetic_kind(uni), says = magnetic_kind(named);
        tokens_.refuse(where.line,
                       fmt::format("{} {} ({}), and {} in line {} says {} ({}); correct the one or leave the other out",
                                   what, is.bns_symbol, is.bns_number, shown(token.text, 30), token.line,
                                   says.bns_symbol, says.bns_number));
      }
      // The cell may be a primitive one, or have several cells.
      if (named == 0 && operations.size() % group.operations().size() != 0)
        tokens_.refuse(where.line,
                       fmt::format("the file lists {} operations, and {} in line {} has {} of them; correct the one or "
                                   "leave the other out",
                                   operations.size(), shown(token.text, 30), token.line, count));
    }
  }
  /// Operations with signs of time, by their list or the name of the group; false if the file has neither.
  bool read_magnetic_operations(CrystalStructure& crystal) {
    const auto* listed = block_.find({"_space_group_symop_magn_operation_xyz"});
    const auto* shifts = block_.find({"_space_group_symop_magn_centering_xyz"});
    const auto named = named_magnetic(listed == nullptr);
    if (!named.empty()) crystal.magnetic_name = std::string(named.back().second.text);
    if (listed != nullptr) {
      std::vector<CifOperation> all;
      for (const CifToken& token : *listed) all.push_back(operation(token, true));
      const std::vector<CifOperation> operations = all;
      if (shifts != nullptr) {
        all.clear();
        for (const CifToken& token : *shifts) {
          const CifOperation t = operation(token, true);
          if (t.W != std::array<std::array<int, 3>, 3>{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}})
            tokens_.refuse(token.line,
                           fmt::format("'{}' is no translation, as x+1/2,y+1/2,z,-1 is", shown(token.text, 40)));
          for (CifOperation g : operations) {
            for (std::size_t i = 0; i < 3; ++i) g.w[i] += t.w[i];
            g.reverses_time = g.reverses_time != t.reverses_time;
            all.push_back(g);
            constexpr std::size_t most = 384;
            if (all.size() > 8 * most) tokens_.refuse(token.line, "these are more operations than any cell has");
          }
        }
      }
      operations_ = std::move(all);
      compare_magnetic(cell_operations(), (*listed)[0], "the operations listed here are those of");
      return true;
    }
    if (named.empty()) return false;
    const auto change = block_.one({"_space_group_magn_transform_bns_pp_abc"});
    if (change && change->text != "a,b,c;0,0,0")
      tokens_.refuse(change->line,
                     fmt::format("the change '{}' to the standard cell needs the operations of this cell, "
                                 "_space_group_symop_magn_operation.xyz, in the file",
                                 shown(change->text, 40)));
    const auto& [group, token] = named.front();
    for (const bool reverses : {false, true})
      for (const SpaceOperation& g : reverses ? group.antiunitary() : group.operations())
        for (const auto& t : group.centring())
          operations_.push_back(
              {g.W, {(g.w[0] + t[0]) / 12.0, (g.w[1] + t[1]) / 12.0, (g.w[2] + t[2]) / 12.0}, reverses, token});
    compare_magnetic(cell_operations(), token, "the number here is that of");
    return true;
  }
  std::vector<CellOperation> cell_operations() const {
    std::vector<CellOperation> result;
    for (const CifOperation& g : operations_) result.push_back({g.W, g.w, g.reverses_time});
    return result;
  }
  /// The moments of sites by their labels.
  void read_moments() {
    const auto* labels = block_.find({"_atom_site_moment_label"});
    if (labels == nullptr) return;
    std::array<const std::vector<CifToken>*, 3> parts{}, cartesian{};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string letter(1, "xyz"[i]);
      const std::string edge = "_atom_site_moment_crystalaxis_", tag = edge + letter, older = edge + "m" + letter,
                        other = "_atom_site_moment_cartn_" + letter;
      parts[i] = block_.find({tag.c_str(), older.c_str()});
      cartesian[i] = block_.find({other.c_str()});
    }
    const bool along_edges = parts[0] != nullptr;
    const auto& columns = along_edges ? parts : cartesian;
    for (const auto* column : columns)
      if (column == nullptr || column->size() != labels->size())
        tokens_.refuse((*labels)[0].line,
                       "moments have _atom_site_moment.label and .crystalaxis_x, _y and _z, or .Cartn_x, _y and _z, "
                       "in one loop");
    for (std::size_t k = 0; k < labels->size(); ++k) {
      CifMoment moment{{}, (*labels)[k]};
      for (std::size_t i = 0; i < 3; ++i)
        moment.parts[i] = (*columns[i])[k].is_missing() ? 0 : number((*columns[i])[k], "a moment");
      if (along_edges)
        for (std::size_t i = 0; i < 3; ++i) moment.parts[i] /= edge_length(i);
      else
        moment.parts = in_edges(edges_, {moment.parts})[0];
      if (!moments_.emplace(std::string((*labels)[k].text), moment).second)
        tokens_.refuse((*labels)[k].line, fmt::format("{} has a second moment here", shown((*labels)[k].text, 20)));
    }
  }
  double edge_length(std::size_t i) const { return std::hypot(edges_[i][0], edges_[i][1], edges_[i][2]); }
  Vector3 cartesian_of(const Vector3& parts) const {
    Vector3 result{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) result[j] += parts[i] * edges_[i][j];
    return result;
  }
  void read_operations() {
    const auto* listed = block_.find({"_space_group_symop_operation_xyz", "_symmetry_equiv_pos_as_xyz"});
    const auto group = named_group(listed == nullptr);
    if (listed != nullptr) {
      for (const CifToken& token : *listed) operations_.push_back(operation(token));
      constexpr std::size_t most = 192;  // of Fm-3m, times cells of the larger kind that some programs write
      if (operations_.size() > 8 * most)
        tokens_.refuse((*listed)[0].line, "these are more operations than any cell has");
      const std::size_t expected = group ? group->first.operations().size() * group->first.centring().size() : 0;
      if (group && expected != operations_.size())
        tokens_.refuse((*listed)[0].line,
                       fmt::format("the file lists {} operations here, and {} in line {} has {} of them; correct the "
                                   "one or leave the other out",
                                   operations_.size(), shown(group->second.text, 30), group->second.line, expected));
      if (group) require_named_operations(group->first, group->second, (*listed)[0]);
      return;
    }
    if (!group)
      tokens_.refuse(block_.line,
                     "the block that begins here has neither operations (_space_group_symop_operation_xyz) nor a space "
                     "group (_space_group_name_H-M_alt)");
    for (const SpaceOperation& g : group->first.operations())
      for (const auto& t : group->first.centring())
        operations_.push_back(
            {g.W, {(g.w[0] + t[0]) / 12.0, (g.w[1] + t[1]) / 12.0, (g.w[2] + t[2]) / 12.0}, false, group->second});
  }

  /// "Fe3+" and "O2-" of _atom_site_type_symbol, "Fe1A" and "CL1" of _atom_site_label.
  std::string element(const CifToken& token, bool is_label) const {
    std::size_t letters = 0;
    while (letters < token.text.size() && std::isalpha(static_cast<unsigned char>(token.text[letters])) != 0) ++letters;
    const std::string two = letters >= 2 ? element_named(token.text.substr(0, 2)) : "",
                      one = letters >= 1 ? element_named(token.text.substr(0, 1)) : "";
    const bool plain = letters >= 2 && std::islower(static_cast<unsigned char>(token.text[1])) != 0;
    if (is_label && !plain && !two.empty() && !one.empty())
      tokens_.refuse(token.line, fmt::format("the label {} may be that of {} or {}; add _atom_site_type_symbol, or "
                                             "write {}",
                                             shown(token.text, 20), two, one, two));
    if (!two.empty() && (plain || !is_label || one.empty())) return two;
    if (one.empty() || (plain && !is_label))
      tokens_.refuse(token.line,
                     fmt::format("'{}' is no element; write its symbol, such as C, Cl or D", shown(token.text, 20)));
    return one;
  }

  void read_sites(CrystalStructure& crystal) const {
    const auto* types = block_.find({"_atom_site_type_symbol"});
    const auto* labels = block_.find({"_atom_site_label"});
    const auto* names = types != nullptr ? types : labels;
    const auto* occupancies = block_.find({"_atom_site_occupancy"});
    std::array<const std::vector<CifToken>*, 3> places{
        block_.find({"_atom_site_fract_x"}), block_.find({"_atom_site_fract_y"}), block_.find({"_atom_site_fract_z"})};
    const std::size_t count = places[0]->size();
    for (const auto& entry : moments_) {
      const std::string& label = entry.first;
      if (labels == nullptr || std::ranges::none_of(*labels, [&](const CifToken& t) { return t.text == label; }))
        tokens_.refuse(entry.second.token.line,
                       fmt::format("{} has a moment here, and no site has this label", shown(label, 20)));
    }
    const auto complete = [&](const std::vector<CifToken>* column) {
      return column != nullptr && column->size() == count;
    };
    if (!complete(places[1]) || !complete(places[2]) || !complete(names) || (labels && !complete(labels)) ||
        (occupancies && !complete(occupancies)))
      tokens_.refuse(block_.line,
                     "the sites of the block that begins here need _atom_site_label or _atom_site_type_symbol, "
                     "_atom_site_fract_x, _y and _z in one loop");
    constexpr std::size_t most = 100'000;
    std::vector<SharedSite> shared;
    for (std::size_t k = 0; k < count; ++k) {
      const double share = occupancies && !(*occupancies)[k].is_missing()
                               ? share_of((*occupancies)[k], (labels ? *labels : *names)[k])
                               : 1;
      if (share == 0) continue;
      Vector3 x;
      for (std::size_t i = 0; i < 3; ++i) x[i] = number((*places[i])[k], "a coordinate");
      const auto moment = labels == nullptr ? moments_.end() : moments_.find(std::string((*labels)[k].text));
      const std::string symbol = element((*names)[k], types == nullptr);
      const bool partial = share < 1;
      if (partial && take_share(crystal, shared, symbol, share, x, (*occupancies)[k])) {
        if (moment != moments_.end())
          tokens_.refuse(moment->second.token.line,
                         fmt::format("{} has a moment and shares its place, and no average of moments is taken; "
                                     "ask for the occupancy 'split', or leave the moments out",
                                     shown((*labels)[k].text, 20)));
        continue;
      }
      const std::size_t first = crystal.atoms.size();
      add_images(crystal, partial ? partial_name({{symbol, share}}) : symbol, x,
                 moment == moments_.end() ? CifMoment{} : moment->second);
      crystal.lines.resize(crystal.atoms.size(), (*places[0])[k].line);
      if (partial) shared.push_back({first, crystal.atoms.size(), {{symbol, share}}});
      if (crystal.atoms.size() > most) tokens_.refuse((*places[0])[k].line, "the cell has more than 100000 atoms");
    }
  }
  /// The occupancy, 1 if it is rounded to that.
  double share_of(const CifToken& occupancy, const CifToken& label) const {
    const double share = number(occupancy, "the occupancy");
    if (std::abs(share - 1) <= 1e-3) return 1;
    if (!(share >= 0) || share > 1)
      tokens_.refuse(occupancy.line, fmt::format("{} has the occupancy {}, which is not from 0 to 1",
                                                 shown(label.text, 20), shown(occupancy.text, 20)));
    if (occupancy_ == Occupancy::refuse)
      tokens_.refuse(
          occupancy.line,
          fmt::format("{} has the occupancy {}, and symmetry is that of whole atoms; ask for the occupancy "
                      "'average', in which the atoms of a place are one of a mixed kind, or 'split', in which "
                      "each is a site of its own, or keep one of them with occupancy 1",
                      shown(label.text, 20), shown(occupancy.text, 20)));
    return share;
  }
  /// "Fe0.5Co0.5"; the element alone if it fills the place.
  static std::string partial_name(const SpeciesShares& species) {
    if (species.size() == 1 && std::abs(species[0].second - 1) <= 1e-3) return species[0].first;
    std::string name;
    for (const auto& [symbol, share] : species)
      name += fmt::format("{}{}", symbol, std::max(std::round(share * 1e6), 1.0) / 1e6);
    return name;
  }
  /// Adds the share to a site whose place x is: in the average to any, and otherwise to one of this species.
  bool take_share(CrystalStructure& crystal, std::vector<SharedSite>& shared, const std::string& symbol, double share,
                  const Vector3& x, const CifToken& occupancy) const {
    SharedSite* taken = nullptr;
    double sum = share;
    for (SharedSite& site : shared) {
      if (!is_place_of(site, crystal, x)) continue;
      bool has_symbol = false;
      for (const auto& [other, part] : site.species) sum += part, has_symbol |= other == symbol;
      if (has_symbol || (occupancy_ == Occupancy::average && taken == nullptr)) taken = &site;
    }
    if (sum > 1.01)
      tokens_.refuse(
          occupancy.line,
          fmt::format("the occupancies of the atoms at this place are {:.4g} together, which is more than 1", sum));
    if (taken == nullptr) return false;
    const auto same = std::ranges::find(taken->species, symbol, &std::pair<std::string, double>::first);
    if (same != taken->species.end())
      same->second += share;
    else
      taken->species.emplace_back(symbol, share);
    const std::string name = partial_name(taken->species);
    for (std::size_t k = taken->first; k < taken->last; ++k) crystal.atoms[k].element = name;
    return true;
  }
  bool is_place_of(const SharedSite& site, const CrystalStructure& crystal, const Vector3& x) const {
    for (std::size_t k = site.first; k < site.last; ++k) {
      const Vector3 way = cartesian_of(shortest_along_edges(x, crystal.atoms[k].position));
      if (std::hypot(way[0], way[1], way[2]) < same_atom) return true;
    }
    return false;
  }
  static Vector3 shortest_along_edges(const Vector3& x, const Vector3& y) {
    Vector3 off{};
    for (std::size_t i = 0; i < 3; ++i) {
      off[i] = x[i] - y[i];
      off[i] -= std::round(off[i]);
    }
    return off;
  }
  /// The orbit of a site. Images that fall together are one atom, at their mean.
  void add_images(CrystalStructure& crystal, const std::string& symbol, const Vector3& x,
                  const CifMoment& moment) const {
    const std::size_t first = crystal.atoms.size();
    std::vector<double> members;
    for (const CifOperation& g : operations_) {
      Vector3 y = g.w;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) y[i] += g.W[i][j] * x[j];
      std::size_t k = first;
      Vector3 off{};
      for (; k < crystal.atoms.size(); ++k) {
        double square = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          off[i] = y[i] - crystal.atoms[k].position[i];
          off[i] -= std::round(off[i]);
        }
        for (std::size_t i = 0; i < 3; ++i) {
          const double along = off[0] * edges_[0][i] + off[1] * edges_[1][i] + off[2] * edges_[2][i];
          square += along * along;
        }
        if (square < same_atom * same_atom) break;
      }
      const Vector3 turned = moment_image(g, moment.parts);
      if (k == crystal.atoms.size()) {
        crystal.atoms.push_back({symbol, y});
        crystal.moments.push_back(turned);
        members.push_back(1);
        continue;
      }
      require_same_moment(g, moment, turned, crystal.moments[k]);
      const double weight = 1 / ++members[k - first];
      for (std::size_t i = 0; i < 3; ++i) {
        crystal.atoms[k].position[i] += weight * off[i];
        crystal.moments[k][i] += weight * (turned[i] - crystal.moments[k][i]);
      }
    }
  }

  /// An axial vector that time reversal turns round, Cartesian.
  Vector3 moment_image(const CifOperation& g, const Vector3& parts) const {
    Vector3 image{};
    const int sign = g.hand() * (g.reverses_time ? -1 : 1);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) image[i] += sign * g.W[i][j] * parts[j];
    return cartesian_of(image);
  }
  /// Two operations take the site to one place, so they take its moment to one moment.
  void require_same_moment(const CifOperation& g, const CifMoment& moment, const Vector3& image,
                           const Vector3& there) const {
    constexpr double rounded = 0.05;  // moments of files have two decimals, and those along oblique edges are sums
    if (std::hypot(image[0] - there[0], image[1] - there[1], image[2] - there[2]) <= rounded) return;
    const auto along = [&](const Vector3& cartesian) {
      Vector3 parts = in_edges(edges_, {cartesian})[0];
      for (std::size_t i = 0; i < 3; ++i) parts[i] *= edge_length(i);
      return fmt::format("({:.3g},{:.3g},{:.3g})", parts[0] + 0.0, parts[1] + 0.0, parts[2] + 0.0);
    };
    tokens_.refuse(moment.token.line,
                   fmt::format("the moment {} of {} is none that the operations allow: '{}' in line {} takes it to {} "
                               "at a place where it is {}; correct the moment or the operation",
                               along(cartesian_of(moment.parts)), shown(moment.token.text, 20), shown(g.token.text, 40),
                               g.token.line, along(image), along(there)));
  }

  CifTokens tokens_;
  Occupancy occupancy_;
  CifBlock block_;
  std::map<std::string, CifMoment> moments_;
  Matrix3 edges_{};
  std::vector<CifOperation> operations_;
};

}  // namespace

CrystalStructure parse_cif(std::string_view text, const std::string& name, Occupancy occupancy) {
  return CifReader(text, name, occupancy).read();
}

}  // namespace intertwine
