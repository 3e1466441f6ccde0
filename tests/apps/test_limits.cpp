// What a process is bound by beside the polls of its task. The long list of commands is hostile.txt (scripts/check-limits).
#include <sys/resource.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "program.hpp"

using namespace test_apps;
using Catch::Matchers::Contains;

namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED_BY_CLANG
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(SANITIZED_BY_CLANG)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("an ignored signal stays ignored", "[apps][quick]") {
  const Folder folder;
  Process job({"group", "PSL(2,1000003)", "--time-limit", "2"}, folder.path(),
              [] { std::signal(SIGHUP, SIG_IGN); });
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // until it has begun
  job.signal(SIGHUP);
  REQUIRE(job.finish().status == 3);  // its own limit
}

TEST_CASE("a pipe without a writer is empty, one with a writer is read", "[apps][quick]") {
  const Folder folder;
  REQUIRE(::mkfifo(folder.file("pipe.json").c_str(), 0600) == 0);
  const auto start = std::chrono::steady_clock::now();
  REQUIRE(run({"symmetrize", "S4", "perm", "perm", "--weights", "pipe.json"}, folder.path()).status == 2);
  REQUIRE(run({"basis", "S3", "--in", "rep(@pipe.json)"}, folder.path()).status == 2);
  REQUIRE(seconds_since(start) < 30);
  const Run r = run_shell(
      "(sleep 1; echo '[[1,0],[0,2]]') > pipe.json & sleep 0.5; intertwine schur-functor '[2]' --matrix "
      "pipe.json",
      folder.path());
  CAPTURE(r.err);
  REQUIRE(r.status == 0);
}

TEST_CASE("memory that the system does not give is an error", "[apps][quick]") {
  if (sanitized) return;  // its shadow of the memory is larger than any limit
  const Folder folder;
  for (const std::vector<std::string>& command : {std::vector<std::string>{"irreps", "S20"},
                                                  {"chartable", "C2000"},
                                                  {"plethysm", "[3,2,1]", "[4,3,2]"}}) {
    const Run r = run_process(command, folder.path(), [] {
      const rlimit limit{std::size_t{220} << 20U, std::size_t{220} << 20U};
      ::setrlimit(RLIMIT_AS, &limit);
    });
    CAPTURE(command, r.err, r.out.substr(0, 200));
    REQUIRE(r.status == 3);
    REQUIRE(r.out.empty());
    REQUIRE_THAT(r.err, Contains("memory"));
  }
}

TEST_CASE("limits bind where nobody asks", "[apps][quick]") {
  if (sanitized) return;  // its shadow of the memory is larger than any limit
  const Folder folder;
  auto start = std::chrono::steady_clock::now();
  Run r = run_process({"basis", "S3", "--in", "sym(99999999,perm)", "--max-memory", "50M", "--json"},
                      folder.path());
  CAPTURE(r.err);
  REQUIRE(r.status == 3);
  REQUIRE_THAT(r.err, Contains("--max-memory") && Contains("\"status\": 3"));
  start = std::chrono::steady_clock::now();
  r = run_process({"group", "PSL(2,1000003)", "--time-limit", "0.5"}, folder.path());
  REQUIRE(r.status == 3);
  REQUIRE(r.err == "intertwine: error: the time limit of 0.5 s was reached; raise --time-limit\n");
  REQUIRE(seconds_since(start) < 20);  // by the clock of a machine that may be busy
}

TEST_CASE("standard input without an end is refused", "[apps][quick]") {
  if (sanitized) return;
  const Folder folder;
  for (const std::string limit : {"--max-memory 20M", "--max-memory=20M"}) {
    const Run r = run_shell("intertwine group @- " + limit + " </dev/zero", folder.path());
    CAPTURE(limit, r.err);
    REQUIRE(r.status == 3);
    REQUIRE_THAT(r.err, Contains("standard input is larger than half the limit of 20.0 MiB"));
  }
}

TEST_CASE("the end that a signal brings is told with its own status", "[apps][quick]") {
  if (sanitized) return;
  for (const auto& [signal, status] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143)}) {
    const Folder folder;
    Process job({"irreps", "S14", "--json"}, folder.path());  // seconds
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    job.signal(signal);
    const Run r = job.finish();
    CAPTURE(r.err);
    REQUIRE(r.status == status);
    REQUIRE_THAT(r.err, Contains("\"status\": " + std::to_string(status)));
  }
}
