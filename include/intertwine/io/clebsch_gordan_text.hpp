// Clebsch-Gordan coefficients as text, JSON, LaTeX and tables. JSON is one object without a newline at the end; halves and squares are
// strings in it.
#pragma once
#include <string>
#include <vector>

#include "intertwine/classical/compact_clebsch_gordan.hpp"
#include "intertwine/io/answer_arrays.hpp"
#include "intertwine/io/sheet.hpp"
#include "intertwine/reductive/wigner_symbols.hpp"
#include "intertwine/representations/clebsch_gordan.hpp"

namespace intertwine {

/// Coefficients of SU(2) or SO(3).
struct SpinCouplings {
  std::string group;
  std::vector<Coupling> list;  ///< the couplings of one basis and form
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
/// For every coupling `coupling.1`, ... float64 [2 j1 + 1, 2 j2 + 1, 2 j + 1] with m from -j to j; of SO+(1,3) the sizes of the representations, and the
/// pairs of m in lexicographic order. `couplings` in the metadata lists the j1, j2, j.
AnswerArrays to_arrays(const SpinCouplings& couplings, const Task& task = {});
AnswerArrays to_arrays(const LorentzCouplings& couplings, const Task& task = {});
/// For every constituent `maps.1`, ... [copies, d1 d2, d] and `norms.1`, ... float64 [copies]; `constituents` in the metadata lists their names.
AnswerArrays to_arrays(const FiniteClebschGordan& answer, const Task& task = {});
AnswerArrays to_arrays(const CompactClebschGordan& answer, const Task& task = {});

/// The maps as matrices, with their norms.
std::string to_text(const FiniteClebschGordan& answer);
/// {"group", "left", "right", "constituents": [{"irrep", "name", "degree", "multiplicity", "form", "maps", "norms", "symmetries"}]}.
std::string to_json(const FiniteClebschGordan& answer);
std::string to_latex(const FiniteClebschGordan& answer);
/// A line for every entry of a map that is not 0: irrep, copy, row1, row2, column (from 1), value, norm.
Sheet to_sheet(const FiniteClebschGordan& answer);
/// A list, of every constituent its name, the list of its maps and the list of their norms. The maps are transposed, as the matrices of
/// to_system(IrreducibleForms) are: their rows span the copy in the row vectors, T R_ij = R_k T.
std::string to_system(Format system, const FiniteClebschGordan& answer);
/// The coefficients of a compact group, representations by their expressions, without rows.
std::string to_text(const CompactClebschGordan& answer);
std::string to_json(const CompactClebschGordan& answer);
std::string to_latex(const CompactClebschGordan& answer);
Sheet to_sheet(const CompactClebschGordan& answer);
std::string to_system(Format system, const CompactClebschGordan& answer);

}  // namespace intertwine
