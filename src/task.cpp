// Tasks: limits of time and memory, polls and threads.
#include "intertwine/task.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "intertwine/error.hpp"
#include "workers.hpp"

namespace intertwine {

using Clock = std::chrono::steady_clock;

struct Task::State {
  std::uint64_t max_memory = 0;
  double seconds = 0;
  bool timed = false;
  Clock::time_point deadline;
  Progress progress;
  Stop stop;
  enum Ending : int { none, cancelled, exhausted };
  std::atomic<int> ending{none};
  std::atomic<Clock::time_point> next_question{Clock::time_point::min()};
  std::mutex asking;
  std::mutex reporting;
  Clock::time_point last_report;  // guarded by `reporting`
  bool reported = false;          // guarded by `reporting`
  Workers workers;

  State(unsigned threads) : workers(threads) {}  // NOLINT(google-explicit-constructor)
  [[noreturn]] void end() const;
  /// Asks the host, if it is time.
  void ask(Clock::time_point now);
};

Task::Task(std::uint64_t max_memory, double seconds, Progress progress, Stop stop, unsigned threads)
    : state_(std::make_shared<State>(threads)) {
  if (!(seconds >= 0))
    throw DomainError(fmt::format("Task: {} is no time limit; it must be 0 (none) or positive", seconds));
  if (threads == 0) throw DomainError("Task: 0 threads do no work; give 1 or more");
  state_->max_memory = max_memory;
  state_->seconds = seconds;
  state_->progress = std::move(progress);
  state_->stop = std::move(stop);
  constexpr double no_limit = 1e9;  // thirty years; longer ones would overflow the clock
  state_->timed = seconds > 0 && seconds < no_limit;
  if (state_->timed)
    state_->deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void Task::cancel() const noexcept {
  if (state_) state_->ending.store(State::cancelled, std::memory_order_relaxed);
}

void Task::exhaust() const noexcept {
  int expected = State::none;
  if (state_) state_->ending.compare_exchange_strong(expected, State::exhausted, std::memory_order_relaxed);
}

void Task::State::end() const {
  if (ending.load(std::memory_order_relaxed) == exhausted)
    throw LimitError(fmt::format("the work takes more memory than the limit of {}", format_bytes(max_memory)),
                     Remedy::memory);
  throw Interrupted("interrupted: no unfinished file is left");
}

void Task::State::ask(Clock::time_point now) {
  if (now < next_question.load(std::memory_order_relaxed)) return;
  const std::unique_lock lock(asking, std::try_to_lock);
  if (!lock || now < next_question.load(std::memory_order_relaxed)) return;
  int expected = none;
  if (stop()) ending.compare_exchange_strong(expected, cancelled, std::memory_order_relaxed);
  next_question.store(Clock::now() + std::chrono::milliseconds(5), std::memory_order_relaxed);
}

void Task::poll() const {
  if (!state_) return;
  if (state_->ending.load(std::memory_order_relaxed) != State::none) state_->end();
  if (!state_->timed && !state_->stop) return;
  const auto now = Clock::now();
  if (state_->stop && !Workers::is_one_of_them()) {
    state_->ask(now);
    if (state_->ending.load(std::memory_order_relaxed) != State::none) state_->end();
  }
  if (state_->timed && now > state_->deadline)
    throw LimitError(fmt::format("the time limit of {} s was reached", state_->seconds), Remedy::time);
}

void Task::progress(std::string_view phase, std::uint64_t done, std::uint64_t total) const {
  if (!state_) return;
  poll();
  if (!state_->progress) return;
  const bool finished = total != 0 && done >= total;
  std::unique_lock lock(state_->reporting, std::defer_lock);
  if (finished)
    lock.lock();
  else if (!lock.try_lock())
    return;  // another thread is reporting: soon enough for a progress bar
  const auto now = Clock::now();
  if (!finished && state_->reported && now - state_->last_report < std::chrono::milliseconds(100)) return;
  state_->reported = true;
  state_->last_report = now;
  state_->progress(phase, done, total);
}

void Task::require_memory(std::uint64_t bytes, std::string_view what) const {
  if (bytes > memory())
    throw LimitError(
        fmt::format("{} for {} are more than the limit of {}", format_bytes(bytes), what, format_bytes(memory())),
        Remedy::memory);
}

std::uint64_t Task::memory() const noexcept {
  return state_ && state_->max_memory != 0 ? state_->max_memory : std::numeric_limits<std::uint64_t>::max();
}

unsigned Task::threads() const noexcept { return state_ ? state_->workers.threads() : 1; }

void Task::share_out(std::uint64_t count, std::uint64_t grain, const Ranges& work) const {
  // If the others take longer than the caller, somebody still has to ask the host.
  const bool asks = state_->stop && !Workers::is_one_of_them();
  state_->workers.run(count, grain, work, [&] {
    if (asks) state_->ask(Clock::now());
  });
}

std::uint64_t resident_memory() noexcept {
#ifdef __linux__
  const int descriptor = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  char text[128];
  const ssize_t size = ::read(descriptor, text, sizeof text);
  ::close(descriptor);
  std::uint64_t pages = 0;
  ssize_t at = 0;
  while (at < size && text[at] != ' ') ++at;  // the first number is that of all addresses
  for (++at; at < size && text[at] >= '0' && text[at] <= '9'; ++at)
    pages = 10 * pages + static_cast<std::uint64_t>(text[at] - '0');
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
#else
  return 0;
#endif
}

std::string format_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  int unit = 0;
  while (value >= 1023.95 && unit < 5) {  // what would print as 1024.0
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, units[unit]);
}

std::uint64_t parse_bytes(const std::string& text) {
  std::size_t digits = 0;
  double value = 0;
  try {
    value = std::stod(text, &digits);
  } catch (const std::exception&) {
    digits = 0;
  }
  std::string unit = text.substr(digits);
  while (!unit.empty() && unit.front() == ' ') unit.erase(0, 1);
  if (!unit.empty() && (unit.back() == 'B' || unit.back() == 'b')) unit.pop_back();
  if (!unit.empty() && (unit.back() == 'i' || unit.back() == 'I')) unit.pop_back();
  const std::string units = "KMGT";
  double scale = 1;
  if (unit.size() == 1 && units.find(static_cast<char>(std::toupper(unit[0]))) != std::string::npos)
    scale = std::pow(1024.0, static_cast<double>(units.find(static_cast<char>(std::toupper(unit[0]))) + 1));
  else if (!unit.empty())
    digits = 0;
  if (digits == 0 || !(value > 0) || value * scale > 9e18)
    throw ParseError(fmt::format("a limit of memory or disk is written as 800M or 1.5GiB, not '{}'", text), text, 0);
  return static_cast<std::uint64_t>(value * scale);
}

}  // namespace intertwine
