// Clebsch-Gordan coefficients as text, JSON, LaTeX and tables. JSON is one object without a newline at the end; halves and squares are
// strings in it.
#pragma once
#include <string>
#include <vector>

#include "intertwine/io/sheet.hpp"
#include "intertwine/lie/compact_clebsch_gordan.hpp"
#include "intertwine/lie/wigner_symbols.hpp"
#include "intertwine/representations/clebsch_gordan.hpp"

namespace intertwine {

/// Coefficients of SU(2) or SO(3).
struct SpinCouplings {
  std::string group;
  std::vector<Coupling> list;  ///< of one basis and form
};
/// Coefficients of SL(2,C) or SO+(1,3): j and m below are pairs "(1/2,0)", the basis is "complex" and the form "coefficients".
struct LorentzCouplings {
  std::string group;
  std::vector<LorentzCoupling> list;
};
/// A block of lines for every coupling.
std::string to_text(const SpinCouplings& couplings);
std::string to_text(const LorentzCouplings& couplings);
/// {"group", "basis", "form", "couplings": [{"j1", "j2", "j", "entries": [{"m1", "m2", "m", "sign", "square"}]}]}: a coefficient is
/// sign sqrt(square).
std::string to_json(const SpinCouplings& couplings);
std::string to_json(const LorentzCouplings& couplings);
std::string to_latex(const SpinCouplings& couplings);
std::string to_latex(const LorentzCouplings& couplings);
/// A line for every coefficient: j1, j2, j, m1, m2, m, sign, square, value.
Sheet to_sheet(const SpinCouplings& couplings);
Sheet to_sheet(const LorentzCouplings& couplings);

/// The maps as matrices, with their norms.
std::string to_text(const FiniteClebschGordan& answer);
/// {"group", "left", "right", "constituents": [{"irrep", "name", "degree", "multiplicity", "form", "maps", "norms", "symmetries"}]}.
std::string to_json(const FiniteClebschGordan& answer);
std::string to_latex(const FiniteClebschGordan& answer);
/// A line for every entry of a map that is not 0: irrep, copy, row1, row2, column (from 1), value, norm.
Sheet to_sheet(const FiniteClebschGordan& answer);
/// The same, with representations by their expressions and without rows.
std::string to_text(const CompactClebschGordan& answer);
std::string to_json(const CompactClebschGordan& answer);
std::string to_latex(const CompactClebschGordan& answer);
Sheet to_sheet(const CompactClebschGordan& answer);

}  // namespace intertwine
