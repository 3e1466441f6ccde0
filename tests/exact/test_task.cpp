#include "intertwine/task.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "intertwine/error.hpp"

using namespace intertwine;
using Catch::Matchers::Contains;

TEST_CASE("the default task has no limits", "[exact][quick]") {
  const Task task;
  task.cancel();
  REQUIRE_NOTHROW(task.poll());
  REQUIRE_NOTHROW(task.progress("counting", 1, 2));
  REQUIRE_NOTHROW(task.require_memory(std::numeric_limits<std::uint64_t>::max(), "a table"));
  REQUIRE(task.memory() == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("cancelling reaches every copy", "[exact][quick]") {
  const Task task(0, 0, {});
  const Task copy = task;
  REQUIRE_NOTHROW(copy.poll());
  std::thread([&] { task.cancel(); }).join();
  REQUIRE_THROWS_AS(copy.poll(), Interrupted);
  REQUIRE_THROWS_AS(copy.progress("counting", 0, 0), Interrupted);
}

TEST_CASE("memory that was not asked for ends the work, too", "[exact][quick]") {
  const Task task(std::uint64_t{1} << 20U, 0, {});
  const Task copy = task;
  REQUIRE_NOTHROW(copy.poll());
  task.exhaust();
  REQUIRE_THROWS_WITH(copy.poll(), "the work takes more memory than the limit of 1.0 MiB");
  REQUIRE_THROWS_AS(copy.progress("counting", 0, 0), LimitError);
  const Task cancelled(1, 0, {});
  cancelled.cancel();
  cancelled.exhaust();  // comes too late
  REQUIRE_THROWS_AS(cancelled.poll(), Interrupted);
  Task().exhaust();
}

TEST_CASE("the process knows how much memory it has", "[exact][quick]") {
  const std::uint64_t before = resident_memory();
  if (before == 0) return;  // no /proc here
  std::vector<char> block(std::size_t{64} << 20U, 1);
  REQUIRE(block[block.size() / 2] == 1);
  REQUIRE(resident_memory() > before + (std::uint64_t{48} << 20U));
}

TEST_CASE("a host is asked whether to stop, at a limited rate", "[exact][quick]") {
  int questions = 0;
  bool stop = false;
  const Task task(0, 0, {}, [&] {
    ++questions;
    return stop;
  });
  task.poll();
  REQUIRE(questions == 1);  // at once, then rarely
  const auto start = std::chrono::steady_clock::now();
  const auto poll_for_a_while = [&] {
    while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(220)) task.poll();
  };
  REQUIRE_NOTHROW(poll_for_a_while());
  REQUIRE(questions >= 2);
  REQUIRE(questions <= 46);
  stop = true;
  const Task copy = task;
  REQUIRE_THROWS_AS(
      [&] {
        while (std::chrono::steady_clock::now() - start < std::chrono::seconds(20)) copy.poll();
      }(),
      Interrupted);
  REQUIRE_THROWS_AS(task.poll(), Interrupted);  // and stays so
}

TEST_CASE("a time limit ends the work", "[exact][quick]") {
  const Task task(0, 0.01, {});
  const auto start = std::chrono::steady_clock::now();
  REQUIRE_THROWS_WITH(
      [&] {
        while (std::chrono::steady_clock::now() - start < std::chrono::seconds(20)) task.poll();
      }(),
      Contains("0.01 s"));
  try {
    task.poll();
    FAIL("the limit was forgotten");
  } catch (const LimitError& error) {
    REQUIRE(error.remedy() == Remedy::time);
  }
  REQUIRE(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(10));
  REQUIRE_THROWS_AS(task.poll(), LimitError);
}

TEST_CASE("time limits that are none, or endless", "[exact][quick]") {
  REQUIRE_NOTHROW(Task(0, 1e300, {}).poll());
  REQUIRE_NOTHROW(Task(0, std::numeric_limits<double>::infinity(), {}).poll());
  REQUIRE_THROWS_AS(Task(0, -1, {}), DomainError);
  REQUIRE_THROWS_AS(Task(0, std::numeric_limits<double>::quiet_NaN(), {}), DomainError);
}

TEST_CASE("a memory limit is checked before the work", "[exact][quick]") {
  const Task task(1000, 0, {});
  REQUIRE(task.memory() == 1000);
  REQUIRE_NOTHROW(task.require_memory(1000, "the table"));
  REQUIRE_THROWS_AS(task.require_memory(1001, "the table"), LimitError);
  try {
    task.require_memory(3 << 20, "the table");
    FAIL("3 MiB are within a limit of 1000 bytes");
  } catch (const LimitError& e) {
    REQUIRE(e.what() == std::string("3.0 MiB for the table are more than the limit of 1000 bytes"));
    REQUIRE(e.remedy() == Remedy::memory);
  }
}

TEST_CASE("progress is reported at first, sparsely, and at the end", "[exact][quick]") {
  struct Report {
    std::string phase;
    std::uint64_t done, total;
  };
  std::vector<Report> reports;
  const Task task(0, 0, [&](std::string_view phase, std::uint64_t done, std::uint64_t total) {
    reports.push_back({std::string(phase), done, total});
  });
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i <= 10000; ++i) task.progress("filling", i, 10000);
  const auto elapsed = std::chrono::steady_clock::now() - start;
  REQUIRE(reports.size() >= 2);
  REQUIRE(reports.size() <= 3 + static_cast<std::size_t>(elapsed / std::chrono::milliseconds(100)));
  REQUIRE(reports.front().done == 0);
  REQUIRE(reports.back().done == 10000);
  REQUIRE(reports.back().total == 10000);
  REQUIRE(reports.back().phase == "filling");
}

TEST_CASE("the end of the work is reported from any thread, one call at a time", "[exact][quick]") {
  int inside = 0;
  int finished = 0;
  bool overlapped = false;
  const Task task(0, 0, [&](std::string_view, std::uint64_t done, std::uint64_t total) {
    overlapped = overlapped || ++inside != 1;
    finished += done == total;
    --inside;
  });
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (std::uint64_t i = 1; i <= 1000; ++i) task.progress("working", i, 1000);
    });
  for (auto& thread : threads) thread.join();
  REQUIRE_FALSE(overlapped);
  REQUIRE(finished == 4);
}

TEST_CASE("sizes are written for people", "[exact][quick]") {
  REQUIRE(format_bytes(0) == "0 bytes");
  REQUIRE(format_bytes(1023) == "1023 bytes");
  REQUIRE(format_bytes(1024) == "1.0 KiB");
  REQUIRE(format_bytes(1536) == "1.5 KiB");
  REQUIRE(format_bytes((1U << 20) - 1) == "1.0 MiB");
  REQUIRE(format_bytes(std::uint64_t{5} << 30) == "5.0 GiB");
  REQUIRE(format_bytes(std::numeric_limits<std::uint64_t>::max()) == "16.0 EiB");
}

TEST_CASE("sizes are read", "[exact][quick]") {
  REQUIRE(parse_bytes("4096") == 4096);
  REQUIRE(parse_bytes("800M") == std::uint64_t{800} << 20);
  REQUIRE(parse_bytes("1.5GiB") == std::uint64_t{3} << 29);
  REQUIRE(parse_bytes("2 kb") == 2048);
  REQUIRE(parse_bytes("1T") == std::uint64_t{1} << 40);
  for (const char* bad : {"", "M", "1Q", "-1", "0", "nan", "inf", "1e300", "1 2", "1MM"})
    REQUIRE_THROWS_AS(parse_bytes(bad), ParseError);
}

namespace {

Task with_threads(unsigned threads) { return {0, 0, {}, {}, threads}; }

}  // namespace

TEST_CASE("work is shared among threads, every number once", "[exact][quick]") {
  REQUIRE(Task().threads() == 1);
  REQUIRE(with_threads(5).threads() == 5);
  REQUIRE_THROWS_WITH(with_threads(0), "Task: 0 threads do no work; give 1 or more");
  for (const unsigned threads : {1U, 2U, 3U, 8U})
    for (const std::uint64_t count : {0U, 1U, 2U, 7U, 1000U})
      for (const std::uint64_t grain : {1U, 3U, 1000U}) {
        std::vector<int> seen(count, 0);
        std::atomic<unsigned> ranges{0};
        with_threads(threads).share(count, grain, [&](std::uint64_t first, std::uint64_t last) {
          ++ranges;
          for (std::uint64_t k = first; k < last; ++k) ++seen[k];
        });
        REQUIRE(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
        const std::uint64_t whole = count == 0 ? 0 : 1;
        REQUIRE(ranges == (threads == 1 || count <= grain ? whole : (count - 1) / grain + 1));
      }
  // The default task calls on the caller's own thread.
  Task().share(3, 1, [me = std::this_thread::get_id()](std::uint64_t first, std::uint64_t last) {
    REQUIRE((first == 0 && last == 3 && std::this_thread::get_id() == me));
  });
}

TEST_CASE("as many threads work as there are ranges for", "[exact][quick]") {
  // Each of four ranges waits until all four have begun.
  const Task task = with_threads(4);
  std::atomic<int> begun{0};
  task.share(4, 1, [&](std::uint64_t, std::uint64_t) {
    ++begun;
    while (begun < 4) std::this_thread::yield();
  });
  REQUIRE(begun == 4);
}

TEST_CASE("loops that are over before the others wake up", "[exact][quick]") {
  const Task task(0, 0, {}, {}, 3);
  for (int k = 0; k < 20'000; ++k) {
    std::atomic<std::uint64_t> sum{0};
    task.share(4, 1, [&](std::uint64_t first, std::uint64_t last) { sum += last * last - first * first; });
    REQUIRE(sum == 16);
  }
}

TEST_CASE("loops inside loops share the same threads", "[exact][quick]") {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    const Task task = with_threads(threads);
    std::atomic<std::uint64_t> sum{0};
    task.share(5, 1, [&](std::uint64_t a, std::uint64_t b) {
      for (std::uint64_t i = a; i < b; ++i)
        task.share(7, 2, [&](std::uint64_t c, std::uint64_t d) {
          for (std::uint64_t j = c; j < d; ++j)
            task.share(11, 3, [&](std::uint64_t e, std::uint64_t f) {
              for (std::uint64_t k = e; k < f; ++k) sum += 100 * i + 10 * j + k;
            });
        });
    });
    REQUIRE(sum == 5 * 7 * 11 * (200 + 30 + 5));
  }
}

TEST_CASE("the first error in order is thrown, and the threads go on", "[exact][quick]") {
  for (const unsigned threads : {1U, 2U, 8U}) {
    const Task task = with_threads(threads);
    for (int round = 0; round < 50; ++round) {
      const auto fail = [&] {
        task.share(100, 1, [](std::uint64_t first, std::uint64_t last) {
          for (std::uint64_t k = first; k < last; ++k) {
            if (k == 40) std::this_thread::sleep_for(std::chrono::microseconds(200));  // 41 is there before
            if (k >= 40) throw DomainError("number " + std::to_string(k));
          }
        });
      };
      REQUIRE_THROWS_WITH(fail(), "number 40");
    }
    std::atomic<int> done{0};
    task.share(100, 1, [&](std::uint64_t first, std::uint64_t last) { done += static_cast<int>(last - first); });
    REQUIRE(done == 100);
  }
}

TEST_CASE("limits and cancellation reach all threads", "[exact][quick]") {
  const auto work_on = [](const Task& task) {
    task.share(8, 1, [&](std::uint64_t, std::uint64_t) {
      for (;;) task.poll();
    });
  };
  const Task limited(0, 0.02, {}, {}, 4);
  REQUIRE_THROWS_AS(work_on(limited), LimitError);
  const Task cancelled = with_threads(4);
  std::thread signal([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    cancelled.cancel();
  });
  REQUIRE_THROWS_AS(work_on(cancelled), Interrupted);
  signal.join();
  // The host is asked on its own thread, even while that waits for others.
  std::atomic<int> asked{0};
  std::atomic<bool> elsewhere{false};
  const Task hosted(
      0, 0, {},
      [&, me = std::this_thread::get_id()] {
        if (std::this_thread::get_id() != me) elsewhere = true;
        return ++asked > 2;
      },
      2);
  std::atomic<int> begun{0};
  const auto others_work = [&] {
    hosted.share(2, 1, [&, me = std::this_thread::get_id()](std::uint64_t, std::uint64_t) {
      ++begun;
      while (begun < 2) std::this_thread::yield();  // a range for each thread
      while (std::this_thread::get_id() != me) hosted.poll();
    });
  };
  REQUIRE_THROWS_AS(others_work(), Interrupted);
  REQUIRE_FALSE(elsewhere);
}
