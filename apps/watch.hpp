// The limits of the process, where the work asks too late.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine::app {

/// The bounds of the program besides the polls of its Task: the system's view of the process. A timer's signal looks at
/// the clock and at the resident memory, tells the task at once, and ends the process 0.3 s later, or where the memory
/// has grown by another 32 MiB, if the work has not ended by itself: files under way are discarded, the sentence is on
/// stderr, the exit status is that of the limit. No thread is started: allocations and reference counts stay as cheap
/// as in a process with one.
struct Bounds {
  std::uint64_t memory = 0;                          ///< bytes above those of now; 0 for none
  double seconds = 0;                                ///< from now; 0 for none
  std::string out_of_memory, out_of_time;            ///< the text that is written to stderr, whole lines
  std::vector<std::pair<int, std::string>> stopped;  ///< by signal
};

/// For main(), once: only then does start_watch() do anything. Programs that call run_program() keep their timers.
void allow_watch();
/// The task must live until stop_watch().
void start_watch(const Task& task, Bounds bounds);
/// A signal asked the work to stop: 0.3 s are left to it. Safe in a handler.
void watch_signal(int signal) noexcept;
/// The work is done, or said why it was not, and only its words are still on their way.
void stop_watch() noexcept;
/// The work ended by its limit and what is known is to be shown: so many seconds are left to it.
void extend_watch(double seconds) noexcept;
/// The path of a folder with one file that is removed when the process is ended by a signal or a limit; empty: none any more.
void register_folder(const std::string& folder, const std::string& file) noexcept;
/// Removes files under way and the registered folders. Safe in a handler.
void discard_everything() noexcept;

}  // namespace intertwine::app
