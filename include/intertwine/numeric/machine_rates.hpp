// How fast this processor is at what layers are made of: the limits that the cost model compares with.
#pragma once

namespace intertwine {

/// A second, on one thread, at the instruction-set level in use.
struct MachineRates {
  double flops = 0;           ///< floating-point operations of a product in cache
  double bytes = 0;           ///< bytes read and written by a large copy
  double expanded = 0;        ///< weights looked up and stored, in cache: up to 32 codes,
  double expanded_bytes = 0;  ///< up to 256,
  double expanded_wide = 0;   ///< and more
  double looked_up = 0;       ///< weights looked up from registers and multiplied with one row
  double added = 0;           ///< numbers added to an orbit sum
};

/// One of them, for T = float or double. Measured when it is first asked for, once a process and level: a few milliseconds, up to a
/// twentieth of a second for `bytes`. Modes that force a form ask for none.
template <class T>
double machine_rate(double MachineRates::*rate);

/// All of them.
template <class T>
MachineRates machine_rates();

}  // namespace intertwine
