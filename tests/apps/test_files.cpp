// Nothing half-written: Ctrl-C, full disks, closed streams. And nothing believed: tables that were tampered with.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <nlohmann/json.hpp>
#include <span>

#include "apps/program.hpp"
#include "intertwine/tables/sha256.hpp"
#include "support/paths.hpp"

using namespace test_apps;
using Json = nlohmann::ordered_json;

namespace {

/// The digest of a JSON table of one-byte codes.
std::string digest(const Json& table) {
  const auto sizes = table["weight.orbit_size"].get<std::vector<std::int64_t>>();
  const auto bias = table["bias.code"].get<std::vector<std::uint8_t>>();
  intertwine::Sha256 sha256;
  sha256.add(std::as_bytes(std::span(sizes)));
  sha256.add(std::as_bytes(std::span(bias)));
  for (const auto& row : table["weight.code"]) {
    const auto codes = row.get<std::vector<std::uint8_t>>();
    sha256.add(std::as_bytes(std::span(codes)));
  }
  return sha256.hex();
}

/// A table of S4 on its points, changed by `change`, its digest made right again.
Run verify_changed(const std::function<void(Json& table, Json& metadata)>& change) {
  const Folder folder;
  REQUIRE(run({"tie", "S4", "-o", "t.json"}, folder.path()).status == 0);
  Json table = Json::parse(contents(folder.path() / "t.json"));
  REQUIRE(digest(table) == table["metadata"]["intertwine.sha256"].get<std::string>());
  change(table, table["metadata"]);
  table["metadata"]["intertwine.sha256"] = digest(table);
  write(folder.path() / "t.json", table.dump());
  return run({"verify", "t.json"}, folder.path());
}

void require_refused(const Run& r, int status, const std::string& says) {
  CAPTURE(r.out, r.err);
  REQUIRE(r.status == status);
  REQUIRE(r.out.empty());
  REQUIRE(r.err.starts_with("intertwine: error: t."));  // every reason names the file
  REQUIRE(r.err.find(says) != std::string::npos);
  REQUIRE(std::count(r.err.begin(), r.err.end(), '\n') == 1);
}

void set_in_group(Json& metadata, const char* key, const Json& value) {
  Json group = Json::parse(metadata["intertwine.group"].get<std::string>());
  group[key] = value;
  metadata["intertwine.group"] = group.dump();
}

}  // namespace

TEST_CASE("Ctrl-C during a computation", "[apps][quick]") {
  const Folder folder;
  Process job({"tie", "M24", "--in", "perm^3", "--out", "perm^3", "-o", "t.safetensors", "--progress", "always"},
              folder.path());
  REQUIRE(job.wait_until([&] { return !job.err_so_far().empty(); }));
  job.signal(SIGINT);
  const Run r = job.finish();
  CAPTURE(r.err);
  REQUIRE(r.status == 130);
  REQUIRE(r.out.empty());
  REQUIRE(r.err.find("intertwine: error: interrupted") != std::string::npos);
  REQUIRE(folder.names().empty());
}

TEST_CASE("Ctrl-C and SIGTERM while a file is written", "[apps][quick]") {
  for (const auto& [signal, status] : {std::pair{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}}) {
    const Folder folder;
    Process job({"tie", "S100", "--in", "perm^2", "--out", "perm^2", "-o", "t.safetensors"}, folder.path());
    REQUIRE(job.wait_until([&] { return job.writes_into(folder); }));
    job.signal(signal);
    const Run r = job.finish();
    CAPTURE(signal, r.err);
    REQUIRE(r.status == status);
    REQUIRE(folder.names().empty());
  }
}

TEST_CASE("nothing is left by a process that is killed", "[apps][quick]") {
  const Folder folder;
  write(folder.path() / "t.safetensors", "precious");
  Process job({"tie", "S100", "--in", "perm^2", "--out", "perm^2", "-o", "t.safetensors"}, folder.path());
  REQUIRE(job.wait_until([&] { return job.writes_into(folder); }));
  job.signal(SIGKILL);
  REQUIRE(job.finish().status == 128 + SIGKILL);
  for (const std::string& name : folder.names())  // a file system without O_TMPFILE keeps the temporary file
    REQUIRE((name == "t.safetensors" || name.ends_with(".part")));
  const int unnamed = ::open(folder.path().c_str(), O_TMPFILE | O_RDWR, 0600);
  if (unnamed >= 0) {
    ::close(unnamed);
    REQUIRE(folder.names().size() == 1);
  }
  REQUIRE(contents(folder.path() / "t.safetensors") == "precious");
}

TEST_CASE("a file that is replaced keeps its mode", "[apps][quick]") {
  using std::filesystem::perms;
  const Folder folder;
  const auto path = folder.path() / "t.json";
  write(path, "old");
  std::filesystem::permissions(path, perms::owner_read | perms::owner_write | perms::group_read);
  REQUIRE(run({"tie", "S3", "perm", "-o", "t.json"}, folder.path()).status == 0);
  REQUIRE(contents(path) != "old");
  REQUIRE(std::filesystem::status(path).permissions() == (perms::owner_read | perms::owner_write | perms::group_read));
}

TEST_CASE("a second signal does not wait", "[apps][quick]") {
  const Folder folder;
  Process job({"tie", "S100", "--in", "perm^2", "--out", "perm^2", "-o", "t.safetensors"}, folder.path());
  REQUIRE(job.wait_until([&] { return job.writes_into(folder); }));
  job.signal(SIGTERM);
  job.signal(SIGINT);
  const int status = job.finish().status;
  REQUIRE((status == 130 || status == 143));
  REQUIRE(folder.names().empty());
}

TEST_CASE("a full disk leaves no file", "[apps][quick]") {
  const auto limited = [] {
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  for (const std::string name : {"t.safetensors", "t.npz", "t.json", "t.hpp", "t.svg", "t.png", "t.html"}) {
    const Folder folder;
    // More than a thousand parameters, so that even the compressed picture is larger than the limit.
    const Run r = run_process({"tie", "S3", "--in", "perm^4", "--out", "perm^4", "-o", name}, folder.path(), limited);
    CAPTURE(name, r.err);
    REQUIRE(r.status == 2);
    REQUIRE(r.out.empty());
    REQUIRE(r.err == "intertwine: error: cannot write " + name + ": File too large\n");
    REQUIRE(folder.names().empty());
  }
}

TEST_CASE("the picture of the README is what its command draws", "[apps][quick]") {
  const Folder folder;
  REQUIRE(run({"basis", "p4m(8,8)", "--no-picture", "--output", "image_layer.svg"}, folder.path()).status == 0);
  REQUIRE(contents(folder.path() / "image_layer.svg") ==
          contents(std::filesystem::path(project_folder()) / "docs/pictures/image_layer.svg"));
}

TEST_CASE("an existing file survives a failed run", "[apps][quick]") {
  const Folder folder;
  write(folder.path() / "t.npz", "precious");
  REQUIRE(run_process({"tie", "S3", "--in", "perm^4", "--out", "perm^4", "-o", "t.npz"}, folder.path(), [] {
            const rlimit limit{4096, 4096};
            ::setrlimit(RLIMIT_FSIZE, &limit);
          }).status == 2);
  REQUIRE(contents(folder.path() / "t.npz") == "precious");
  REQUIRE(folder.names() == std::vector<std::string>{"t.npz"});
}

TEST_CASE("stdout that cannot be written to is an error", "[apps][quick]") {
  const Folder folder;
  for (const std::string command : {"basis S4", "group S4 --json", "--help", "--version", "tie S4 -o t.npz"}) {
    CAPTURE(command);
    const Run full = run_shell("intertwine " + command + " >/dev/full", folder.path());
    REQUIRE(full.status == 2);
    REQUIRE(full.err.find("the answer could not be written to stdout") != std::string::npos);  // with --json in JSON
    const Run closed = run_shell("intertwine " + command + " >&-", folder.path());
    REQUIRE(closed.status == 2);
    REQUIRE(closed.err == full.err);
  }
  // The table did not become the closed stream.
  REQUIRE(run({"verify", "t.npz"}, folder.path()).status == 0);
  REQUIRE(run_shell("intertwine tie S4 -o u.npz <&- 2>&-", folder.path()).status == 0);
  REQUIRE(run({"verify", "u.npz"}, folder.path()).status == 0);
}

TEST_CASE("a reader that goes away ends the run quietly", "[apps][quick]") {
  const Folder folder;
  const Run r = run_shell("intertwine basis C64 --in regular --out regular --elements | head -n 1", folder.path());
  REQUIRE(r.status == 0);
  REQUIRE(r.err.empty());
}

TEST_CASE("damaged tables", "[apps][quick]") {
  for (const std::string name : {"t.safetensors", "t.npz", "t.json"}) {
    const Folder folder;
    REQUIRE(run({"tie", "S4", "-o", name}, folder.path()).status == 0);
    const std::string good = contents(folder.path() / name);
    write(folder.path() / name, good.substr(0, good.size() - 20));
    require_refused(run({"verify", name}, folder.path()), 2, name + ": ");
    write(folder.path() / name, "");
    require_refused(run({"verify", name}, folder.path()), 2, name + ": ");
    if (name != "t.safetensors") continue;
    std::string bad = good;
    bad.back() = static_cast<char>(bad.back() == 1 ? 2 : 1);  // one code; the data section ends the file
    write(folder.path() / name, bad);
    require_refused(run({"verify", name}, folder.path()), 2, "damaged: its data do not have the sha256 that it states");
  }
}

TEST_CASE("tables whose claims are false", "[apps][quick]") {
  const Run same = verify_changed([](Json&, Json&) {});
  REQUIRE(same.status == 0);
  REQUIRE(same.out.starts_with("t.json: verified\n"));

  require_refused(verify_changed([](Json& table, Json&) { table["weight.code"][3][3] = 2; }), 2,
                  "its orbit size is stated as");
  require_refused(
      verify_changed([](Json& table, Json&) { std::swap(table["weight.code"][3][3], table["weight.code"][3][2]); }), 4,
      "the weights do not commute with the generator");
  // The same matrices with the parameters in another order.
  require_refused(verify_changed([](Json& table, Json&) {
                    for (auto& row : table["weight.code"])
                      for (auto& code : row) code = 3 - code.get<int>();
                    std::swap(table["weight.orbit_size"][0], table["weight.orbit_size"][1]);
                  }),
                  4, "not numbered by their smallest entries");
  require_refused(verify_changed([](Json&, Json& metadata) { set_in_group(metadata, "order", "25"); }), 4,
                  "states the group order 25, but its generators generate a group of order 24");
  require_refused(verify_changed([](Json&, Json& metadata) { metadata["intertwine.rep_in"] = "4*trivial"; }), 4,
                  "do not commute");
  require_refused(verify_changed([](Json&, Json& metadata) { metadata["intertwine.rep_in"] = "perm^2"; }), 4,
                  "have dimensions 16 -> 4, but the table is 4 x 4");
  // The square's group allows more than the two parameters of S4.
  require_refused(verify_changed([](Json&, Json& metadata) {
                    set_in_group(metadata, "expression", "D4");
                    set_in_group(metadata, "order", "8");
                    set_in_group(metadata, "generators", Json::array({"(1,2,3,4)", "(1,3)"}));
                  }),
                  4, "it is not complete");
  require_refused(verify_changed([](Json&, Json& metadata) {
                    Json certificate = Json::parse(metadata["intertwine.certificate"].get<std::string>());
                    certificate["character_dimension"] = "3";
                    metadata["intertwine.certificate"] = certificate.dump();
                  }),
                  4, "certificate");
}

TEST_CASE("tables whose metadata cannot be read", "[apps][quick]") {
  const auto with = [](const char* key, const std::string& value) {
    return verify_changed([&](Json&, Json& metadata) { metadata[std::string("intertwine.") + key] = value; });
  };
  require_refused(with("rep_in", "perm^^2"), 2, "t.json: ");
  require_refused(with("rep_in", "rep(@/etc/passwd)"), 2, "refers to another file");
  require_refused(with("group", "S4"), 2, "intertwine.group: not valid JSON");
  require_refused(with("certificate", "believe me"), 2, "intertwine.certificate");
  require_refused(verify_changed([](Json&, Json& metadata) {
                    set_in_group(metadata, "expression", "");
                    set_in_group(metadata, "generators", Json::array({"(1,2,2)", "(1,2)"}));
                  }),
                  2, "point 2 occurs twice");
  require_refused(verify_changed([](Json&, Json& metadata) { metadata.erase("intertwine.group"); }), 2,
                  "intertwine.group");
}

TEST_CASE("proofs are written where they can be, and verified", "[apps][quick]") {
  const Folder folder;
  const auto ok = [&](const std::vector<std::string>& arguments) {
    const Run r = run(arguments, folder.path());
    CAPTURE(arguments, r.err);
    REQUIRE(r.status == 0);
    return r.out;
  };
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& says) {
    const std::size_t before = folder.names().size();
    const Run r = run(arguments, folder.path());
    CAPTURE(r.out, r.err);
    REQUIRE(r.status == 2);
    REQUIRE(r.err.find(says) != std::string::npos);
    REQUIRE(folder.names().size() == before);
  };
  ok({"tie", "S4", "perm^2", "perm", "--proof", "-o", "t.safetensors", "-o", "t.npz", "-o", "t.json"});
  for (const char* file : {"t.safetensors", "t.npz", "t.json"})
    REQUIRE(ok({"verify", file}).find("\n  proof        the images of the generators") != std::string::npos);
  // basis writes the same table, byte by byte.
  ok({"basis", "S4", "perm^2", "perm", "--proof", "-o", "b.safetensors"});
  REQUIRE(contents(folder.path() / "b.safetensors") == contents(folder.path() / "t.safetensors"));
  ok({"basis", "O(3)", "vector", "--proof", "-o", "o.json"});
  REQUIRE(ok({"verify", "o.json", "--json"}).find("\"images\": true") != std::string::npos);
  ok({"tie", "S4", "-o", "bare.json"});
  REQUIRE(ok({"verify", "bare.json", "--json"}).find("\"images\": false") != std::string::npos);
  refused({"tie", "S4", "--proof", "-o", "t.hpp"}, "C++ headers hold no proofs");
  refused({"basis", "S4", "--proof", "-o", "t.hpp"}, "C++ headers hold no proofs");
  refused({"basis", "S4", "--proof", "-o", "t.svg"}, "--proof is written to a table");
  refused({"basis", "S4", "--proof"}, "--output");
  refused({"basis", "S4", "--proof", "-o", "t.txt"}, "not t.txt");
  // Of characters and representations: printed, or in a file beside the text.
  for (const char* command : {"chartable", "irreps"}) {
    CAPTURE(command);
    const std::string printed = ok({command, "S4", "--proof", "--json"});
    REQUIRE(printed.find("\"strong_generators\"") != std::string::npos);
    REQUIRE(ok({command, "S4", "--proof", "--format", "json"}) == printed);
    const std::string file = std::string(command) + ".json";
    REQUIRE(ok({command, "S4", "--proof", "-o", file}) == ok({command, "S4"}));
    REQUIRE(contents(folder.path() / file) == printed);
    REQUIRE(ok({command, "S4", "--json"}).find("strong_generators") == std::string::npos);
    refused({command, "S4", "--proof"}, "--json");
    refused({command, "S4", "--proof", "--format", "latex"}, "json");
  }
}

TEST_CASE("a false name of a group does not pass in silence", "[apps][quick]") {
  const Run monster = verify_changed([](Json&, Json& metadata) { set_in_group(metadata, "expression", "Monster"); });
  CAPTURE(monster.out, monster.err);
  REQUIRE(monster.status == 0);
  REQUIRE(monster.out.find("not checked  the writer's word: group.expression \"Monster\"") != std::string::npos);
  require_refused(verify_changed([](Json&, Json& metadata) { set_in_group(metadata, "expression", "M11"); }), 4, "M11");
  require_refused(verify_changed([](Json&, Json& metadata) { metadata["intertwine.kernel"] = "[2,2]"; }), 4,
                  "intertwine.kernel");
}

TEST_CASE("text of a file in an error is one line and moves no cursor", "[apps][quick]") {
  const std::string verdict =
      "\n/tmp/other.json: verified\x1b[2J\xc2\x9b"
      "31m\xe2\x80\xae";
  for (const std::string key : {"convention", "order", "sign_rule", "field", "rep_in", "producer"}) {
    CAPTURE(key);
    const Run r = verify_changed([&](Json&, Json& metadata) {
      const std::string old = metadata.at("intertwine." + key);
      metadata["intertwine." + key] = old + verdict;
    });
    for (const std::string& text : {r.err, r.out}) {
      CAPTURE(text);
      CHECK(text.find("\n/tmp/other") == std::string::npos);
      CHECK(text.find('\x1b') == std::string::npos);
      CHECK(text.find("\xc2\x9b") == std::string::npos);
      CHECK(text.find("\xe2\x80\xae") == std::string::npos);
    }
    CHECK(r.status == (key == "producer" ? 0 : key == "rep_in" ? 2 : 4));
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == (key == "producer" ? 0 : 1));
  }
}
