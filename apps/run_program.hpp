// The program as a function.
#pragma once
#include <iosfwd>
#include <span>
#include <string>

namespace intertwine::app {

/// Parses, calls the library, prints: the answer to `out`, progress and errors to `err`.
/// \param arguments  without the name of the program
/// \returns the exit status: 0 done, 1 internal fault, 2 wrong input, 3 a stated limit, 4 a verification failed, 128 and the
/// number of the signal that stopped the work (130 Ctrl-C, 143 SIGTERM). Nothing is thrown. While it runs SIGINT, SIGTERM and
/// SIGHUP stop its work; afterwards the process is as before. One call at a time.
int run_program(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

/// For main(), before anything is opened: standard streams that the caller closed are kept from being files of ours, and
/// what the system would kill for (a full disk, a reader that went away) becomes an error or a clean end.
void prepare_process();

}  // namespace intertwine::app
