// Answers about symmetric functions and coordinate rings as JSON, text, LaTeX and tables. JSON is one pretty-printed value without
// a newline at the end; integers and rationals are strings in it. Text breaks sums at `width` columns.
#pragma once
#include <string>
#include <vector>

#include "intertwine/combinatorics/symmetric_algebra.hpp"
#include "intertwine/combinatorics/symmetric_function_bases.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/gl/coordinate_ring.hpp"
#include "intertwine/gl/determinantal.hpp"
#include "intertwine/io/json_writer.hpp"
#include "intertwine/io/sheet.hpp"

namespace intertwine {

/// The list of the parts.
std::string to_json(const Partition& lambda);
/// A plain string if rational, else {"n": N, "c": [[coefficient, exponent], ...]}.
std::string to_json(const Cyclotomic& a);
std::string to_json(const std::vector<Cyclotomic>& numbers);
/// A list of {"partition", "multiplicity"}, or "coefficient" where it may be a fraction, and "degree" for quantum terms.
void write_json(JsonWriter& json, const SchurSum& f);  ///< term by term
std::string to_json(const std::vector<QuantumTerm>& terms);
std::string to_json(const SymmetricFunction& f);

/// {"terms": [{"left", "right", "coefficient"}]}. Text: "s[2,1] # s[] + s[2] # s[1] + ...", where s[] is 1.
std::string to_json(const Coproduct& answer);
std::string to_text(const Coproduct& answer, unsigned width = 80);
std::string to_latex(const Coproduct& answer);
Sheets to_sheets(const Coproduct& answer);

/// {"rows", "cols", "product", "terms": [{"coefficient", "rows", "columns"}]}, tableaux 1-based as in the text form; "graded"
/// where it is. The product is "-[1,2|1,2]" where sorting rows and columns changed the sign, "0" where one is repeated. Text:
/// the tableaux side by side.
std::string to_json(const Straightening& answer);
std::string to_text(const Straightening& answer, unsigned width = 80);
std::string to_latex(const Straightening& answer);
Sheets to_sheets(const Straightening& answer);

/// {"rows", "cols", "degree", "dimension", "pieces": [{"shape", "dimension", ...}], "hilbert_function"}.
std::string to_json(const CoordinateRingDegree& answer);
std::string to_text(const CoordinateRingDegree& answer, unsigned width = 80);
std::string to_latex(const CoordinateRingDegree& answer);
Sheets to_sheets(const CoordinateRingDegree& answer);

/// {"rows", "cols", "invariant" or "minors", "power", "symbolic", and what was asked}.
std::string to_json(const MinorIdealAnswer& answer);
std::string to_text(const MinorIdealAnswer& answer, unsigned width = 80);
std::string to_latex(const MinorIdealAnswer& answer);
Sheets to_sheets(const MinorIdealAnswer& answer);

}  // namespace intertwine
