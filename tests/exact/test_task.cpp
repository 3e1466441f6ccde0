#include "intertwine/task.hpp"

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
  REQUIRE_THROWS_WITH(copy.poll(),
                      "the work takes more memory than the limit of 1.0 MiB; raise --max-memory");
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
  REQUIRE(questions <= 6);
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
      Contains("0.01 s") && Contains("--time-limit"));
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
  REQUIRE_THROWS_WITH(task.require_memory(3 << 20, "the table"), Contains("3.0 MiB for the table") &&
                                                                     Contains("1000 bytes") &&
                                                                     Contains("--max-memory"));
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
