// Frobenius-Schur indicators in tables.
#pragma once

namespace intertwine {

/// "+" real, "o" complex, "-" quaternionic.
inline const char* indicator_text(int indicator) { return indicator > 0 ? "+" : indicator < 0 ? "-" : "o"; }

}  // namespace intertwine
