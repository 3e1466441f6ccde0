// Watches time and memory of the process by a timer's signal.
#include "watch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "intertwine/io/containers.hpp"

namespace intertwine::app {

namespace {

constexpr double patience = 0.3;                               // seconds until the process is ended
constexpr std::uint64_t tolerance = std::uint64_t{32} << 20U;  // bytes that may come on top meanwhile

// The data that the handler reads: set before the timer is armed, and not changed while it is.
const Task* watched = nullptr;
Bounds bounds;
std::uint64_t allowed = 0;  // resident bytes; 0 for no limit
double begun = 0;
timer_t timer;
bool permitted = false, made = false;
std::atomic<bool> armed{false};
std::atomic<int> stopped_by{0};
std::atomic<double> last_moment{0};  // when the process is ended, by the clock; 0: not yet known
std::atomic<double> exhausted_at{0};
std::atomic<double> extension{0};

struct Folder {
  std::atomic<bool> live{false};
  char path[4096], file[4096];
};
std::array<Folder, 2> folders;

double now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Arms the timer to look again after so many seconds.
void look_in(double seconds) noexcept {
  itimerspec spec{};
  const double wait = std::clamp(seconds, 0.001, 1e6);
  spec.it_value.tv_sec = static_cast<time_t>(wait);
  spec.it_value.tv_nsec = static_cast<long>((wait - static_cast<double>(spec.it_value.tv_sec)) * 1e9);
  timer_settime(timer, 0, &spec, nullptr);
}

[[noreturn]] void end(const std::string& words, int status) noexcept {
  discard_everything();
  const char* at = words.data();
  for (std::size_t left = words.size(); left > 0;) {
    const ssize_t written = ::write(STDERR_FILENO, at, left);
    if (written <= 0) break;
    at += written;
    left -= static_cast<std::size_t>(written);
  }
  std::_Exit(status);
}

/// Ends the process where a limit was passed long enough ago. \returns the seconds until something can have happened
double look() noexcept {
  const double t = now();
  double next = 1e6;
  if (stopped_by != 0) {
    if (t >= last_moment)
      for (const auto& [signal, words] : bounds.stopped)
        if (signal == stopped_by) end(words, 128 + signal);
    next = std::min(next, last_moment - t);
  }
  if (bounds.seconds > 0) {
    const double last = begun + bounds.seconds + patience + extension;
    if (t >= last) end(bounds.out_of_time, 3);
    next = std::min(next, last - t);
  }
  if (allowed > 0) {
    const std::uint64_t used = resident_memory();
    if (used > allowed) {
      watched->exhaust();
      if (exhausted_at == 0) exhausted_at = t;
      if (used > allowed + tolerance || t >= exhausted_at + patience) end(bounds.out_of_memory, 3);
      next = std::min(next, 0.001);
    } else {
      // No process fills more than 8 GB in a second.
      next = std::min(next, std::clamp(static_cast<double>(allowed - used) / 8e9, 0.002, 0.05));
    }
  }
  return next;
}

void on_timer(int) {
  const int error = errno;
  if (armed) look_in(look());
  errno = error;
}

}  // namespace

void allow_watch() {
  const char* wanted = std::getenv("INTERTWINE_WATCH");  // 0: to find the loops that do not poll (scripts/check-limits)
  permitted = wanted == nullptr || std::strcmp(wanted, "0") != 0;
}

void start_watch(const Task& task, Bounds limits) {
  if (!permitted) return;
  stop_watch();
  watched = &task;
  bounds = std::move(limits);
  allowed = bounds.memory == 0 ? 0 : resident_memory() + bounds.memory;
  if (allowed < bounds.memory) allowed = 0;  // more than there are addresses
  begun = now();
  stopped_by = 0;
  exhausted_at = 0;
  extension = 0;
  if (!made) {
    struct sigaction action {};
    action.sa_handler = on_timer;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGALRM;
    made = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
  }
  if (!made) return;  // polls still bind
  armed = true;
  look_in(0.02);
}

void watch_signal(int signal) noexcept {
  if (!armed) return;
  last_moment = now() + patience;
  stopped_by = signal;
  look_in(0.001);
}

void stop_watch() noexcept {
  if (!armed.exchange(false)) return;
  const itimerspec never{};
  timer_settime(timer, 0, &never, nullptr);
}

void extend_watch(double seconds) noexcept { extension = seconds; }

void register_folder(const std::string& folder, const std::string& file) noexcept {
  for (Folder& slot : folders)
    if (folder.empty()) {
      slot.live = false;
    } else if (!slot.live && std::max(folder.size(), file.size()) < sizeof(slot.path)) {
      std::memcpy(slot.path, folder.c_str(), folder.size() + 1);
      std::memcpy(slot.file, file.c_str(), file.size() + 1);
      slot.live = true;
      return;
    }
}

void discard_everything() noexcept {
  discard_unfinished_files();
  for (const Folder& slot : folders)
    if (slot.live) ::unlink(slot.file);
  for (const Folder& slot : folders)
    if (slot.live) ::rmdir(slot.path);
}

}  // namespace intertwine::app
