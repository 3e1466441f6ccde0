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

#include "commands.hpp"
#include "program.hpp"
#include "samples.hpp"
#include "words.hpp"

using namespace test_apps;
using Catch::Matchers::Contains;
using intertwine::app::Samples;

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
  Process job({"group", "PSL(2,1000003)", "--time-limit", "2"}, folder.path(), [] { std::signal(SIGHUP, SIG_IGN); });
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
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"irreps", "S20"}, {"chartable", "C2000"}, {"plethysm", "[3,2,1]", "[4,3,2]"}}) {
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
  Run r = run_process({"basis", "S3", "--in", "sym(99999999,perm)", "--max-memory", "50M", "--json"}, folder.path());
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

TEST_CASE("an answer is whole or an error, whatever the disk holds", "[apps][quick]") {
  const Folder folder;
  std::string path = "0 1\n";
  for (int k = 1; k < 3000; ++k) path += std::to_string(k) + " " + std::to_string(k + 1) + "\n";
  write(folder.path() / "path.edges", path);
  write(folder.path() / "w.json", "[[1,2],[3,4]]");
  std::string matrix;  // longer than the smallest limits
  for (int k = 0; k < 150; ++k) matrix += std::string(k == 0 ? "[[" : ",[") + std::to_string(k) + "]";
  matrix += "]";
  const std::vector<std::string> commands = {
      "automorphisms - < path.edges",
      "automorphisms - --json < path.edges",
      "group 'aut(@-)' < path.edges",
      "symmetrize S2 perm perm - --json < w.json",
      "symmetrize C150 trivial perm '" + matrix + "' --json",
      "tie S4 perm^2 perm^2 -o - --format safetensors",
      "tie S4 perm^2 perm^2 -o - --format json",
      "basis S4 perm^2 perm^2 --elements --json --max-memory 1G",
      "chartable C30 --json --time-limit 100",
  };
  for (const std::string& command : commands) {
    const Run whole = run_shell("intertwine " + command, folder.path());
    CHECK(whole.status == 0);
    for (const int blocks : {0, 1, 8, 40, 4000}) {  // of 512 bytes; a pipe has no bound
      // Nothing but temporary files is bounded: the answer and its status go through a pipe.
      const std::string line =
          "(ulimit -f " + std::to_string(blocks) + "; intertwine " + command + " 2> /dev/null; echo status $?) | cat";
      const Run r = run_shell(line, folder.path());
      CAPTURE(line.substr(0, 200), whole.err, r.err, r.out.size(), whole.out.size());
      CHECK((r.out == whole.out + "status 0\n" || r.out == "status 2\n"));
      CHECK((blocks < 4000 || r.out != "status 2\n"));
    }
  }
}

TEST_CASE("what temporary files and standard input lack is said", "[apps][quick]") {
  const Folder folder;
  const auto says = [&](const std::string& line, const std::string& words) {
    const Run r = run_shell(line, folder.path());
    CAPTURE(line, r.err);
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    CHECK_THAT(r.err, Contains(words));
  };
  says("intertwine group @- < .", "cannot read standard input: Is a directory");
  says("echo 'S4' | TMPDIR=/nowhere/at/all intertwine group @-", "there is no folder /nowhere/at/all");
  says("TMPDIR=/nowhere intertwine schur-functor '[2]' --matrix '[[1]]'", "there is no folder /nowhere");
  says("TMPDIR=/nowhere intertwine group S4 --max-memory 1G", "there is no folder /nowhere");
  says("intertwine tie S4 -o - --format json > /dev/full", "could not be written to stdout");
  says("intertwine group S4 --max-memory 1G > /dev/full", "could not be written to stdout");
}

TEST_CASE("whatever writes a file asks for its disk before", "[apps][quick]") {
  const Samples samples;
  std::size_t tried = 0;
  for (const auto& command : intertwine::app::commands()) {
    std::vector<std::string> extensions = {".safetensors", ".npz", ".json", ".svg", ".png", ".html", ".hpp",
                                           ".csv",         ".md",  ".tex",  ".g",   ".npy", ".txt"};
    for (const std::string& extension : extensions) {
      const Folder folder;
      std::vector<std::string> words = samples.placed(intertwine::app::shell_words(command.example));
      words.insert(words.end(), {"-o", folder.file("out" + extension), "--quiet"});
      if (run(words).status != 0 || folder.names().empty()) continue;  // no format of this command
      std::filesystem::remove_all(folder.file("out" + extension));
      for (const std::string& name : folder.names()) std::filesystem::remove_all(folder.file(name));
      words.insert(words.end(), {"--max-disk", "1"});
      const Run r = run(words);
      CAPTURE(command.name, extension, r.err);
      CHECK(r.status == 3);
      CHECK_THAT(r.err, Contains("for ") && Contains("raise --max-disk"));
      CHECK(folder.names().empty());
      ++tried;
    }
  }
  CHECK(tried > 60);
}

TEST_CASE("a table that is larger than the disk is refused before it is written", "[apps][slow][.]") {
  const Folder folder;
  const Run large = run({"tie", "S1000", "perm^2", "-o", "t.npz"}, folder.path());  // 10^12 entries
  CAPTURE(large.err);
  CHECK(large.status == 3);
  CHECK_THAT(large.err, Contains("iB for t.npz are more than the ") && Contains("its file system has free"));
  CHECK(folder.names().empty());
}

TEST_CASE("what files take is counted together", "[apps][quick]") {
  const Folder folder;
  const auto both = [&](const char* bound) {
    return run({"tie", "S4", "-o", "a.npz", "-o", "b.npz", "--max-disk", bound}, folder.path());
  };
  CHECK(both("100K").status == 0);
  const auto size = std::filesystem::file_size(folder.path() / "a.npz");
  const Run r = both(std::to_string(2 * size - 1).c_str());
  CHECK(r.status == 3);
  CHECK_THAT(r.err, Contains("for b.npz, beside"));
  CHECK(run({"tie", "S4", "--max-disk", "much"}, folder.path()).status == 2);
  CHECK(folder.names() == std::vector<std::string>{"a.npz", "b.npz"});
}
