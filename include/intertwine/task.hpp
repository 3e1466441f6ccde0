// How long work is bounded, watched, stopped and shared among threads. A Task is passed last to every function that may run
// long.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace intertwine {

/// Limits, progress, cancellation and threads of one piece of work. A cheap value: copies share the same state.
/// The default Task has no limits, reports nothing, cannot be cancelled and uses one thread.
class Task {
 public:
  /// Called with a phase ("filling the table"), the work done and the total (0 when unknown), at most
  /// ~10 times a second and once more when a phase is complete. May be called from any working thread, but never by two
  /// at once; it must not report progress itself.
  using Progress = std::function<void(std::string_view phase, std::uint64_t done, std::uint64_t total)>;

  /// Shall the work stop? For hosts whose signals reach only those who ask, such as Python. Asked by poll() at most ~200
  /// times a second, never by two threads at once, and never on the threads that share() starts; must not throw.
  using Stop = std::function<bool()>;

  Task() = default;
  /// \param max_memory  bytes that the work may allocate at once; 0 for no limit
  /// \param seconds     wall-clock limit from now; 0 for no limit
  /// \param progress    may be empty
  /// \param stop        may be empty; true is a cancel()
  /// \param threads     how many threads the work may use, the caller's included; answers do not depend on it
  /// \throws DomainError if seconds is negative or no number, or threads is 0
  Task(std::uint64_t max_memory, double seconds, Progress progress, Stop stop = {}, unsigned threads = 1);

  /// Asks the work to stop at its next poll. Safe to call from a signal handler or another thread.
  void cancel() const noexcept;
  /// Says that the memory limit was passed by what was not asked for: polls throw LimitError from now on. For hosts that
  /// watch the process; as safe as cancel().
  void exhaust() const noexcept;
  /// \throws Interrupted after cancel(), LimitError when the time is up or after exhaust(). Costs a few nanoseconds: call it often.
  void poll() const;
  /// poll(), and report.
  void progress(std::string_view phase, std::uint64_t done, std::uint64_t total) const;
  /// \throws LimitError naming `what`, the size and the limit, with Remedy::memory, if bytes exceed it.
  void require_memory(std::uint64_t bytes, std::string_view what) const;
  /// Bytes the work may use; the largest 64-bit number when there is no limit.
  std::uint64_t memory() const noexcept;

  /// How many threads the work may use, at least 1.
  unsigned threads() const noexcept;
  /// work(first, last) for ranges that make up 0, ..., count - 1, once each, on the threads of the task; returns when all are
  /// done. With one thread, or where count is at most `grain`, that is one call work(0, count); otherwise a range has `grain`
  /// numbers (the last one may have fewer), any thread takes the next one when it is free, and the caller works with them.
  ///
  /// Calls of `work` must write to places of their own, so that results depend on no order; they poll this task, and may
  /// share() in their turn: threads that have nothing to do help wherever there is something. If calls throw, no further
  /// ranges are begun, and what the first range in the order of numbers threw is thrown: the error of one thread.
  /// \param grain  at least 1: numbers whose work is worth handing to another thread, some 20 microseconds
  template <class Work>
  void share(std::uint64_t count, std::uint64_t grain, const Work& work) const {
    if (count > grain && threads() > 1)
      share_out(count, grain, std::cref(work));
    else if (count != 0)
      work(std::uint64_t{0}, count);
  }

 private:
  using Ranges = std::function<void(std::uint64_t, std::uint64_t)>;
  void share_out(std::uint64_t count, std::uint64_t grain, const Ranges& work) const;
  struct State;
  std::shared_ptr<State> state_;
};

/// Bytes of the process that lie in memory now, 0 where the system does not say. Safe in a signal handler; some microseconds.
std::uint64_t resident_memory() noexcept;

/// "1.2 GiB", "340 bytes".
std::string format_bytes(std::uint64_t bytes);
/// Reads a positive number of bytes: "800M", "1.5GiB", "4096". The units K, M, G and T are powers of 1024, with or without B
/// or iB. \throws ParseError
std::uint64_t parse_bytes(const std::string& text);

}  // namespace intertwine
