// What wrong input gets: one clear sentence on stderr, nothing on stdout, the right exit status.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "apps/program.hpp"

using namespace test_apps;

namespace {

struct Refusal {
  std::vector<std::string> arguments;
  int status;
  std::string says;        ///< a part of the message
  std::string caret = {};  ///< the last line, where the message points into an expression
};

void check(const Refusal& refusal, const std::filesystem::path& folder = {}) {
  const Run r = run(refusal.arguments, folder);
  CAPTURE(refusal.arguments, r.out, r.err);
  CHECK(r.status == refusal.status);
  CHECK(r.out.empty());
  CHECK(r.err.starts_with("intertwine: error: "));
  CHECK(r.err.find(refusal.says) != std::string::npos);
  const auto lines = std::count(r.err.begin(), r.err.end(), '\n');
  CHECK(lines == (refusal.caret.empty() ? 1 : 3));
  if (!refusal.caret.empty()) CHECK(r.err.ends_with("\n" + refusal.caret + "\n"));
}

}  // namespace

TEST_CASE("wrong group expressions", "[apps][quick]") {
  const std::vector<Refusal> refusals = {
      {{"group", "<(1,2,2)>"}, 2, "point 2 occurs twice", "        ^"},
      {{"group", "<(0,1)>"}, 2, "points are numbered from 1", "    ^"},
      {{"group", "<(1,2,3>"}, 2, "expected a point, ',' or ')' in a cycle", "         ^"},
      {{"group", "<(1,2)(2,3)>"}, 2, "point 2 occurs twice", "         ^"},
      {{"group", "(S4"}, 2, "not closed with ')'", "  ^"},
      {{"group", "S4)"}, 2, "closes a bracket that was not opened", "    ^"},
      {{"group", "S4 x"}, 2, "expected a group", "      ^"},
      {{"group", "Sn5"}, 2, "did you mean S5?", "  ^"},
      {{"group", "M25"}, 2, "did you mean M", "  ^"},
      {{"group", "PLS(2,7)"}, 2, "did you mean PSL(2,7)?", "  ^"},
      {{"group", "Dih(8)"}, 2, "write D4 for the group of order 8, or D8 for the one of order 16", "  ^"},
      {{"group", "S4 : S3"}, 2, "is the direct product", "     ^"},
      {{"group", "C2 \xc3\x97 Foo"}, 2, "unknown group 'Foo'", "       ^"},
      {{"group", ""}, 2, "expected a group", {}},
      {{"group", "S1000000000"}, 3, "more than the limit of 10000000", {}},
  };
  for (const Refusal& refusal : refusals) check(refusal);
}

TEST_CASE("a matrix in the command line is shown as it was written", "[apps][quick]") {
  const Run r = run({"schur-functor", "[[2]]", "[[1,2],[3,4]]"});
  CHECK(r.status == 2);
  CHECK(r.err == "intertwine: error: expected a partition such as [3,2,1]\n  [[2]]\n  ^\n");
  const Run json = run({"schur-functor", "[[2]]", "[[1,2],[3,4]]", "--json"});
  CHECK(json.err.find("\"text\": \"[[2]]\"") != std::string::npos);
}

TEST_CASE("wrong representation expressions", "[apps][quick]") {
  const auto in = [](const std::string& text, int status, const std::string& says, const std::string& caret) {
    check({{"basis", "S4", "--in", text}, status, says, caret});
  };
  in("prem", 2, "the nearest known one is perm", "  ^");
  in("perm^", 2, "expected an exponent", "       ^");
  in("perm + ", 2, "expected a representation", "         ^");
  in("(perm", 2, "to close the bracket", "       ^");
  in("perm)", 2, "has no '('", "      ^");
  in("perm*3", 2, "a multiplicity comes first", "       ^");
  in("orbit({1,9})", 2, "9 is not among the points 1 to 4", "           ^");
  in("orbit({1,1})", 2, "twice", "           ^");
  in("perm # perm", 2, "not given as a direct product", "       ^");
  in("irrep(9)", 2, "numbered from 1 to 5", "        ^");
  in("perm^20000000000", 2, "too large", "       ^");
  // No homomorphism: a relation of the group that the images break.
  in("rep([[1,2,3],[2,1,3]])", 2, "(a*b)^3 = 1 holds in the group but not for the images", {});
  in("rep([[2,1,3]])", 2, "1 images are given, but S4 has 2 generators", "  ^");
  in("cosets(<(1,5)>)", 2, "point 5 exceeds the degree 4", "             ^");
}

TEST_CASE("requests that are too large are refused before the work", "[apps][quick]") {
  check({{"basis", "S100", "--in", "perm^20"}, 3, "exceeds 2^64 - 1"});
  check({{"basis", "S50", "--in", "regular"}, 3, "exceeds 2^31 - 1"});
  check({{"basis", "S100", "--in", "perm^2", "--out", "perm^2", "--max-memory", "1M"}, 3, "--max-memory"});
  const Folder folder;
  check({{"tie", "S100", "--in", "perm^2", "--out", "perm^2", "-o", "t.json"}, 3, "a JSON table holds at most"},
        folder.path());
  REQUIRE(folder.names().empty());
}

TEST_CASE("limits that are reached name their number and their option", "[apps][quick]") {
  check({{"basis", "S100", "--in", "perm^2", "--out", "perm^2", "--time-limit", "0.001"},
         3,
         "the time limit of 0.001 s was reached; raise --time-limit"});
  check({{"basis", "S100", "--in", "perm^2", "--out", "perm^2", "--max-memory", "2MiB"},
         3,
         "more than the limit of 2.0 MiB; raise --max-memory"});
}

TEST_CASE("wrong options and commands", "[apps][quick]") {
  check({{"--quiet"}, 2, "no command"});
  check({{"grup", "S4"}, 2, "did you mean group?"});
  check({{"--output", "x.json", "grup", "S4"}, 2, "there is no command 'grup'"});
  check({{"group"}, 2, "GROUP is missing"});
  check({{"group", "S4", "x", "S5"}, 2, "'x' is one argument too many; put an expression with spaces in quotes"});
  check({{"polynomials", "S3", "perm", "perm", "99999"}, 2, "DEGREE: Value 99999 not in range 0 to 10000"});
  check({{"basis", "S4", "--ni", "perm"}, 2, "there is no option --ni; did you mean --in?"});
  check({{"basis", "S4", "--in"}, 2, "--in needs a value"});
  check({{"basis", "S4", "--in", "perm", "--in", "sign"}, 2, "--in is given twice"});
  check({{"group", "S4", "--max-memory", "1Q"},
         2,
         "a limit of memory or disk is written as 800M or 1.5GiB, not '1Q'",
         "  ^"});
  check({{"group", "S4", "--time-limit", "-1"}, 2, "--time-limit takes a positive number"});
  check({{"group", "S4", "--time-limit", "nan"}, 2, "--time-limit takes a positive number"});
  check({{"group", "S4", "--progress", "sometimes"}, 2, "auto, always or never", "  ^"});
  check({{"group", "S4", "--threads", "0"}, 2, "--threads: takes a whole number from 1 on"});
  check({{"group", "S4", "--seed", "-3"}, 2, "--seed: takes a whole number from 0 on"});
}

TEST_CASE("group and representation files that are wrong", "[apps][quick]") {
  const Folder folder;
  write(folder.path() / "short.json", R"({"degree": 3, "generators": [[1,0]]})");
  write(folder.path() / "twice.json", R"({"degree": 3, "generators": [[1,1,0]]})");
  write(folder.path() / "cycle.json", R"x({"degree": 3, "generators": ["(1,4)"]})x");
  write(folder.path() / "broken.json", R"x({"degree": 3, )x");
  write(folder.path() / "s3.json", R"x({"degree": 3, "generators": ["(1,2,3)", "(1,2)"]})x");
  check({{"group", "@missing.json"}, 2, "missing.json: there is no such file"}, folder.path());
  check({{"group", "@short.json"}, 2, "short.json: generators[0] has 2 images, but \"degree\" is 3"}, folder.path());
  check({{"group", "@twice.json"}, 2, "twice.json: generators[0] is no bijection"}, folder.path());
  check({{"group", "@cycle.json"}, 2, "cycle.json: generators[0] is no permutation of 3 points"}, folder.path());
  check({{"group", "@broken.json"}, 2, "broken.json: not valid JSON at byte"}, folder.path());
  write(folder.path() / "r1.json", R"({"type": "signed", "degree": 2, "images": [[1,2]]})");
  write(folder.path() / "r2.json", R"({"type": "signed", "degree": 2, "images": [[1,2],[0,1]]})");
  write(folder.path() / "r3.json", R"({"type": "permutation", "degree": 2, "images": [[1,0],[0,1]]})");
  write(folder.path() / "r4.json", R"({"type": "matrix", "dimension": 1, "images": [[["1/0"]],[["1"]]]})");
  const auto rep = [&](const std::string& file, const std::string& says) {
    check({{"basis", "@s3.json", "--in", "rep(@" + file + ")"}, 2, says}, folder.path());
  };
  rep("missing.json", "cannot read missing.json");
  rep("r1.json", "r1.json: there are 1 images, but");
  rep("r2.json", "r2.json: image 2 holds 0");
  rep("r3.json", "do not extend to a representation: a^3 = 1 holds in the group but not for the images");
  rep("r4.json", "r4.json: image 1: row 1, entry 1 is no exact number");
}

TEST_CASE("files that cannot be read or written", "[apps][quick]") {
  const Folder folder;
  check({{"verify", "missing.npz"}, 2, "cannot read missing.npz: No such file or directory"}, folder.path());
  check({{"verify", "."}, 2, "cannot read .: Is a directory"}, folder.path());
  check({{"tie", "S4", "-o", "no/such/t.npz"}, 2, "cannot create no/such/t.npz: No such file or directory"},
        folder.path());
  check({{"tie", "S4", "-o", "t.foo"}, 2, "pictures (.svg, .png, .html), not t.foo"}, folder.path());
  check({{"basis", "S4", "-o", "b.json", "-o", "t.pdf"}, 2, "pictures (.svg, .png, .html), not t.pdf"}, folder.path());
  REQUIRE(folder.names().empty());
  if (::geteuid() == 0) return;  // nothing is forbidden to root
  write(folder.path() / "secret.json", "{}");
  std::filesystem::permissions(folder.path() / "secret.json", std::filesystem::perms::none);
  check({{"verify", "secret.json"}, 2, "cannot read secret.json: Permission denied"}, folder.path());
  check({{"group", "@secret.json"}, 2, "secret.json"}, folder.path());
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  check({{"tie", "S4", "-o", "t.npz"}, 2, "cannot create t.npz: Permission denied"}, folder.path());
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}
