// What the program prints: the keys that may not change, the answers, the help.
#include <catch2/catch.hpp>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/program.hpp"
#include "intertwine/random.hpp"
#include "run_program.hpp"

using namespace test_apps;
using Json = nlohmann::json;

namespace {

Json answer(std::vector<std::string> arguments, const std::filesystem::path& folder = {}) {
  arguments.push_back("--json");
  const Run r = run(arguments, folder);
  CAPTURE(arguments, r.err);
  REQUIRE(r.status == 0);
  REQUIRE(r.err.empty());
  return Json::parse(r.out);
}

struct Target {
  std::vector<std::string> arguments;
  std::uint64_t rows, cols;
  std::string dimension, bias;
};

void check(const Target& target) {
  std::vector<std::string> arguments = {"basis"};
  arguments.insert(arguments.end(), target.arguments.begin(), target.arguments.end());
  const Json json = answer(arguments);
  CAPTURE(target.arguments, json.dump());
  CHECK(json["rows"] == target.rows);
  CHECK(json["cols"] == target.cols);
  CHECK(json["dimension"] == target.dimension);
  CHECK(json["bias_dimension"] == target.bias);
  CHECK(json["certificate"]["character_dimension"] == target.dimension);
  CHECK(json["certificate"]["commutes"] == true);
  CHECK(json["certificate"]["independent"] == true);
}

const std::string octads = "orbit({1,2,3,4,5,8,11,13})";

}  // namespace

TEST_CASE("dimensions of well-known layers", "[apps][quick]") {
  // Set partitions of a + b points into at most n blocks [Jones1994].
  check({{"S7"}, 7, 7, "2", "1"});
  check({{"S3", "--in", "perm^2", "--out", "perm^2"}, 9, 9, "14", "2"});
  check({{"S4", "--in", "perm^2", "--out", "perm^2"}, 16, 16, "15", "2"});
  check({{"S20", "--in", "perm^2", "--out", "perm^2"}, 400, 400, "15", "2"});
  check({{"S6", "--in", "perm^3", "--out", "perm^3"}, 216, 216, "203", "5"});
  // The group algebra, acting on itself.
  check({{"C512", "--in", "regular", "--out", "regular"}, 512, 512, "512", "1"});
  check({{"p1(32,32)"}, 1024, 1024, "1024", "1"});
  // See examples/rubik and examples/images.
  check({{"Rubik(3)"}, 48, 48, "9", "2"});
  check({{"p4m(16,16)"}, 256, 256, "45", "1"});
  // Doubly transitive; the octads meet in 0, 2, 4 or 8 points.
  check({{"Co3"}, 276, 276, "2", "1"});
  check({{"M24", "--in", octads, "--out", octads}, 759, 759, "4", "1"});
}

TEST_CASE("dimensions of large layers", "[apps][slow][.]") {
  check({{"C2048", "--in", "regular", "--out", "regular"}, 2048, 2048, "2048", "1"});
  // Orbits of the square's group on kernels of 64 x 64: distances 0..32 in both directions, unordered.
  check({{"p4m(64,64)"}, 4096, 4096, "561", "1"});
  check({{"S100", "--in", "perm^2", "--out", "perm^2"}, 10'000, 10'000, "15", "2"});
  // 203 patterns of equalities of six points, and six different points lie in an octad or not.
  check({{"M24", "--in", "perm^3", "--out", "perm^3"}, 13'824, 13'824, "204", "5"});
  check({{"M24", "--in", "sym(4, perm)", "--out", "alt(3, perm)"}, 2024, 17'550, "2", "0"});
  // Burnside over the square's group on 128^2 pixels, no pixel fixed but by the two diagonal mirrors (128 each):
  // (128^4 + 2 * 128^2) / 8 entries and (128^2 + 2 * 128) / 8 pixels.
  check({{"pixels(D4,128,128)"}, 16'384, 16'384, "33558528", "2080"});
}

TEST_CASE("multiplicities are multiplied, not expanded", "[apps][quick]") {
  const Json json = answer({"basis", "S5", "--in", "64*perm", "--out", "128*perm"});
  REQUIRE(json["rows"] == 5);
  REQUIRE(json["cols"] == 5);
  REQUIRE(json["params"] == 2);
  REQUIRE(json["dimension"] == "16384");
  REQUIRE(json["bias_dimension"] == "128");
  REQUIRE(json["blocks"][0]["multiplicity_in"] == 64);
  REQUIRE(json["blocks"][0]["multiplicity_out"] == 128);
}

TEST_CASE("the keys of JSON answers", "[apps][quick]") {
  const Folder folder;
  const Json group = answer({"group", "A5"});
  REQUIRE(group["intertwine"].is_string());
  REQUIRE(group["command"] == "group");
  REQUIRE(group["order"] == "60");
  REQUIRE(group["degree"] == 5);
  REQUIRE(group["generators"].size() >= 2);
  REQUIRE(group["generators"][0].is_string());
  REQUIRE(group["abelian"] == false);
  REQUIRE(group["solvable"] == false);
  REQUIRE(group["perfect"] == true);
  REQUIRE(group["simple"] == true);
  REQUIRE(group["exponent"] == "30");
  REQUIRE(group.contains("classes"));

  const Json basis = answer({"basis", "C2", "--in", "perm", "--out", "sign", "--elements", "--timings"});
  REQUIRE(basis["command"] == "basis");
  REQUIRE(basis["rows"] == 1);
  REQUIRE(basis["cols"] == 2);
  REQUIRE(basis["dimension"] == "1");
  REQUIRE(basis["params"] == 1);
  REQUIRE(basis["bias_dimension"] == "0");
  REQUIRE(basis["kind"] == "signed-orbit");
  REQUIRE(basis["field"] == "Q");
  REQUIRE(basis["certificate"]["character_dimension"] == "1");
  REQUIRE(basis["certificate"]["commutes"] == true);
  REQUIRE(basis["certificate"]["independent"] == true);
  REQUIRE(basis["certificate"]["route"] == "burnside-elements");
  REQUIRE(basis["elements"] == Json::parse(R"([[[0,0,"1"],[0,1,"-1"]]])"));
  REQUIRE(basis["seconds"].is_number());

  const Json tie = answer({"tie", "S4", "--output", "t.safetensors", "--output", "t.svg"}, folder.path());
  REQUIRE(tie["command"] == "tie");
  for (const char* key : {"rows", "cols", "dimension", "params", "bias_dimension", "kind", "field", "certificate"})
    REQUIRE(tie.contains(key));
  REQUIRE_FALSE(tie.contains("seconds"));  // the same question has the same answer, byte by byte
  REQUIRE_FALSE(tie.contains("elements"));
  REQUIRE(tie["files"] == Json({"t.safetensors", "t.svg"}));
  REQUIRE(tie["sha256"].get<std::string>().size() == 64);
  REQUIRE(folder.names() == std::vector<std::string>{"t.safetensors", "t.svg"});

  const Json verify = answer({"verify", "t.safetensors"}, folder.path());
  REQUIRE(verify["command"] == "verify");
  REQUIRE(verify["verified"] == true);
  REQUIRE(verify["sha256"] == tie["sha256"]);
}

TEST_CASE("every format has the same table, and verifies", "[apps][quick]") {
  const Folder folder;
  std::string digest;
  for (const std::string name : {"t.safetensors", "t.npz", "t.json"}) {
    const Json tie =
        answer({"tie", "S4", "--in", "2*perm^2", "--out", "alt(2, perm) + perm", "-o", name}, folder.path());
    if (digest.empty()) digest = tie["sha256"];
    REQUIRE(tie["sha256"] == digest);
    REQUIRE(answer({"verify", name}, folder.path())["sha256"] == digest);
  }
  REQUIRE(answer({"tie", "S4", "--in", "2*perm^2", "--out", "alt(2, perm) + perm", "-o", "t.hpp"},
                 folder.path())["sha256"] == digest);
  REQUIRE(contents(folder.path() / "t.hpp").find("constexpr") != std::string::npos);
}

TEST_CASE("--output writes what --json prints", "[apps][quick]") {
  const Folder folder;
  const Run r = run({"basis", "S4", "--json", "--output", "b.json"}, folder.path());
  REQUIRE(contents(folder.path() / "b.json") == r.out);
  const Run g = run({"group", "S4", "--output", "g.json"}, folder.path());
  REQUIRE(Json::parse(contents(folder.path() / "g.json"))["order"] == "24");
  REQUIRE(g.out.find("order       24\n") != std::string::npos);
}

TEST_CASE("answers do not depend on the seed", "[apps][quick]") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"basis", "M12", "--in", "perm^2", "--elements"},
        {"group", "Rubik(2)"},
        {"basis", "A5", "--in", "regular", "--out", "perm + irrep(3)", "--elements"},
        {"classes", "M11"},
        {"irreps", "SL(2,3)"}}) {
    std::vector<std::string> answers;
    for (const char* seed : {"0", "1", "77"}) {
      std::vector<std::string> all = arguments;
      all.insert(all.end(), {"--seed", seed});
      answers.push_back(answer(all).dump());
    }
    REQUIRE(answers[0] == answers[1]);
    REQUIRE(answers[0] == answers[2]);
  }
}

TEST_CASE("what is written with one seed is verified with another", "[apps][quick]") {
  const Folder folder;
  REQUIRE(run({"tie", "A5", "--in", "regular", "--seed", "1", "--output", "t.npz"}, folder.path()).status == 0);
  REQUIRE(run({"verify", "t.npz"}, folder.path()).status == 0);
  REQUIRE(run({"verify", "t.npz", "--seed", "5"}, folder.path()).status == 0);
}

TEST_CASE("answers do not depend on generators or methods", "[apps][quick]") {
  const auto weights = [](const char* group) {
    return answer({"basis", group, "--in", "irrep(2)", "--out", "sign"})["params"];
  };
  REQUIRE(weights("<(1,2,3,4),(5,6)>") == weights("<(1,2,3,4)(5,6),(5,6)>"));
}

TEST_CASE("help and version go to stdout", "[apps][quick]") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"group", "--help"},
                                                    {"basis", "--help"},
                                                    {"tie", "--help"},
                                                    {"verify", "--help"}}) {
    const Run r = run(arguments);
    CAPTURE(arguments);
    REQUIRE(r.status == 0);
    REQUIRE(r.err.empty());
    REQUIRE(r.out.find("Example") != std::string::npos);
  }
  REQUIRE(run({"--version"}).out.find('.') != std::string::npos);
}

TEST_CASE("the examples that --help shows work", "[apps][quick]") {
  for (const char* command : {"", "group", "basis", "tie", "verify"}) {
    const Folder folder;
    REQUIRE(run({"tie", "S4", "-o", "graph.safetensors", "-q"}, folder.path()).status == 0);
    REQUIRE(run({"polynomials", "S3", "--degree", "3", "-o", "cubic.json", "-q"}, folder.path()).status == 0);
    std::vector<std::string> arguments = {"--help"};
    if (*command) arguments.insert(arguments.begin(), command);
    const std::string help = run(arguments).out;
    std::size_t shown = 0;
    for (std::size_t at = help.find("\n  intertwine "); at != std::string::npos;
         at = help.find("\n  intertwine ", at + 1)) {
      const std::string line = help.substr(at + 3, help.find('\n', at + 1) - at - 3);
      CAPTURE(line);
      const Run r = run_shell(line, folder.path());
      CHECK(r.err.empty());
      CHECK(r.status == 0);
      ++shown;
    }
    REQUIRE(shown >= 1);
  }
}

TEST_CASE("a zero Hom says which element kills it", "[apps][quick]") {
  const Run r = run({"basis", "S3", "--in", "sign", "--out", "perm"});
  REQUIRE(r.status == 0);
  REQUIRE(r.out.find("0 weights, 1 bias\n") != std::string::npos);
  REQUIRE(r.out.find("1 orbit of entries carries no parameter:\n") != std::string::npos);
  REQUIRE(r.out.find("(2,3) fixes it and changes its sign") != std::string::npos);
}

TEST_CASE("progress, quiet and colours", "[apps][quick]") {
  const std::vector<std::string> job = {"basis", "M12", "--in", "perm^2", "--out", "perm^2"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), job.begin(), job.end());
    return run(more);
  };
  REQUIRE(with({}).err.empty());  // no bar in a pipe
  const Run always = with({"--progress", "always"});
  REQUIRE(always.err.find('%') != std::string::npos);
  REQUIRE(always.out.find('\r') == std::string::npos);
  REQUIRE(with({"--progress", "always", "--quiet"}).err.empty());
  REQUIRE(with({"--progress", "never"}).err.empty());
  REQUIRE(always.out.find('\x1b') == std::string::npos);  // no colours in a pipe
}

TEST_CASE("a call of the program leaves the process as it was", "[apps][quick]") {
  const auto handler = [] {
    struct sigaction action {};
    sigaction(SIGINT, nullptr, &action);
    return action.sa_handler;
  };
  const auto before = handler();
  const std::uint64_t seed = intertwine::default_seed;
  const Run first = run({"group", "M11", "--json"});
  REQUIRE(run({"group", "M11", "--json", "--seed", "5", "--progress", "always"}).out == first.out);
  REQUIRE(run({"group", "M11", "--json", "--seed", "5", "--max-memory", "1Q"}).status == 2);
  REQUIRE(run({"basis", "S100", "--in", "perm^2", "--out", "perm^2", "--time-limit", "0.001"}).status == 3);
  REQUIRE(intertwine::default_seed == seed);
  REQUIRE(handler() == before);
  const Run last = run({"group", "M11", "--json"});
  REQUIRE(last.out == first.out);
  REQUIRE(last.err.empty());
}

TEST_CASE("a signal stops a call, and not the next one", "[apps][quick]") {
  // The stream into which progress is drawn sends it: the work is under way then.
  struct Raising : std::stringbuf {
    std::streamsize xsputn(const char* text, std::streamsize n) override {
      if (!raised) std::raise(SIGTERM);
      raised = true;
      return std::stringbuf::xsputn(text, n);
    }
    bool raised = false;
  } buffer;
  std::ostream err(&buffer);
  std::ostringstream out;
  const std::vector<std::string> job = {"basis", "M24", "--in", "perm^3", "--out", "perm^3", "--progress", "always"};
  REQUIRE(intertwine::app::run_program(job, out, err) == 143);
  REQUIRE(out.str().empty());
  REQUIRE(buffer.str().find("interrupted") != std::string::npos);
  REQUIRE(run({"group", "S4"}).status == 0);
}

TEST_CASE("an answer that cannot be written is an error", "[apps][quick]") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"group", "S4"}, {"--version"}}) {
    std::ostringstream out, err;
    out.setstate(std::ios::badbit);
    REQUIRE(intertwine::app::run_program(arguments, out, err) == 2);
    REQUIRE(err.str() ==
            "intertwine: error: the answer could not be written to stdout: what it leads to is full, or has "
            "ended\n");
  }
}
