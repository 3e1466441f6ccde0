// The threads that share out work.
#include "workers.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <exception>
#include <system_error>

namespace intertwine {

namespace {

thread_local bool started_here = false;
std::atomic<void (*)()> last_words{nullptr};

}  // namespace

struct Workers::Loop {
  Loop(const Ranges& what, std::uint64_t numbers, std::uint64_t together)
      : work(what), count(numbers), grain(together) {}

  const Ranges& work;
  const std::uint64_t count, grain;
  std::atomic<std::uint64_t> next{0};
  unsigned helpers = 0;  // guarded by mutex_ of the workers
  std::mutex failing;
  std::exception_ptr failure;   // guarded by failing
  std::uint64_t failed_at = 0;  // guarded by failing

  /// Takes ranges until none is left. They are taken in order, and each that was taken is done: so what the first failing
  /// one throws does not depend on the threads.
  void take_part() {
    for (;;) {
      const std::uint64_t first = next.fetch_add(grain, std::memory_order_relaxed);
      if (first >= count) return;
      try {
        work(first, std::min(first + grain, count));
      } catch (...) {
        next.store(count, std::memory_order_relaxed);
        const std::lock_guard lock(failing);
        if (failure && failed_at < first) continue;
        failure = std::current_exception();
        failed_at = first;
      }
    }
  }
};

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  opened_.notify_all();
}

bool Workers::is_one_of_them() noexcept { return started_here; }
void Workers::set_farewell(void (*farewell)()) noexcept { last_words = farewell; }

Workers::Loop* Workers::unfinished() const {
  for (std::size_t k = open_.size(); k-- > 0;)
    if (open_[k]->next.load(std::memory_order_relaxed) < open_[k]->count) return open_[k];
  return nullptr;
}

void Workers::help() {
  started_here = true;
  std::unique_lock lock(mutex_);
  for (;;) {
    Loop* loop = nullptr;  // asked for once: its ranges are taken without the lock, and a second answer may be none
    opened_.wait(lock, [&] { return ending_ || (loop = unfinished()) != nullptr; });
    if (ending_) return;
    ++loop->helpers;
    lock.unlock();
    loop->take_part();
    lock.lock();
    if (--loop->helpers == 0) left_.notify_all();
  }
}

/// With the lock. Signals are for the threads of the host.
void Workers::start(std::uint64_t others) {
  if (others_.size() >= others) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    while (others_.size() < others)
      others_.emplace_back([this] {
        help();
        if (void (*const farewell)() = last_words) farewell();
      });
  } catch (const std::system_error&) {  // fewer threads than asked for do the same work
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Workers::run(std::uint64_t count, std::uint64_t grain, const Ranges& work,
                  const std::function<void()>& meanwhile) {
  Loop loop(work, count, grain);
  const std::uint64_t others = std::min<std::uint64_t>(threads_, (count - 1) / grain + 1) - 1;
  {
    const std::lock_guard lock(mutex_);
    start(others);
    open_.push_back(&loop);
  }
  for (std::uint64_t k = 0; k < others; ++k) opened_.notify_one();
  loop.take_part();
  std::unique_lock lock(mutex_);
  std::erase(open_, &loop);
  while (!left_.wait_for(lock, std::chrono::milliseconds(50), [&] { return loop.helpers == 0; })) {
    lock.unlock();
    meanwhile();
    lock.lock();
  }
  if (loop.failure) std::rethrow_exception(loop.failure);
}

}  // namespace intertwine
