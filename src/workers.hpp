// The threads of a Task, behind Task::share().
//
// Why no library: what is needed are ranges of one loop, nested ones without deadlock, the error of the first range, and
// threads that end with their Task, so that a host may fork and none of its signals lands on a thread it does not know. These are
// some hundred lines; the arenas of oneTBB outlive calls, throw any of the errors, and would be a dependency of every package.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace intertwine {

/// Threads that wait for loops to help with. They are started when there is a loop for them, and joined by the destructor.
/// Whoever opens a loop works on it until no range is left, and then waits for those that took one. A thread waits only for
/// loops that were opened inside the range it waits for: so there is always one that works, however loops are nested.
class Workers {
 public:
  using Ranges = std::function<void(std::uint64_t, std::uint64_t)>;

  /// \param threads  in all, whoever calls run() included
  explicit Workers(unsigned threads) : threads_(threads) {}
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  unsigned threads() const noexcept { return threads_; }
  /// Is this thread one that a Workers started?
  static bool is_one_of_them() noexcept;
  /// The function that such a thread calls when it ends, for a library below that keeps something for every thread.
  /// There is one.
  static void set_farewell(void (*farewell)()) noexcept;

  /// work(first, last) for all ranges of `grain` numbers below count. `meanwhile` is called now and then while the caller
  /// waits for others. The only locks are taken when a loop begins and when it ends, not for a range.
  /// \throws what the first of the ranges that failed threw
  void run(std::uint64_t count, std::uint64_t grain, const Ranges& work, const std::function<void()>& meanwhile);

 private:
  struct Loop;
  void start(std::uint64_t others);
  void help();
  Loop* unfinished() const;

  const unsigned threads_;
  std::mutex mutex_;
  std::condition_variable opened_, left_;
  std::vector<Loop*> open_;  // guarded by mutex_; loops opened inside others come later
  bool ending_ = false;      // guarded by mutex_
  std::vector<std::jthread> others_;
};

}  // namespace intertwine
