// Arguments and names of files are bytes; answers and errors in JSON are UTF-8 whatever they are.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "program.hpp"
#include "samples.hpp"
#include "words.hpp"

using namespace test_apps;
using intertwine::app::Command;
using intertwine::app::commands;
using intertwine::app::Samples;
using intertwine::app::shell_words;

namespace {

using Words = std::vector<std::string>;

/// Text that is no UTF-8, made of a word: Latin-1, a byte that nothing has, a letter that is cut off, a surrogate.
Words spoiled(const std::string& word) {
  const std::string half = word.substr(0, word.size() / 2);
  return {word + "\xfc", "\xff" + word, half + "\xe2\x82" + word.substr(half.size()), half + "\xed\xa0\x80"};
}

/// Does the run end as runs do, with JSON that a strict reader takes wherever it says anything?
void require_json(const Words& words, const Folder& folder) {
  const Run r = run(words, folder.path());
  std::string shown;
  for (const std::string& word : words) shown += word + " ";
  CAPTURE(shown, r.status, r.out.substr(0, 300), r.err.substr(0, 300));
  CHECK((r.status == 0 || r.status == 2 || r.status == 3 || r.status == 4));
  if (!r.out.empty()) CHECK_NOTHROW(nlohmann::json::parse(r.out));
  if (!r.err.empty()) CHECK_NOTHROW(nlohmann::json::parse(r.err));
  CHECK((r.status == 0 || !r.err.empty()));
}

}  // namespace

TEST_CASE("whatever bytes an argument has, what is said of it in JSON is JSON", "[apps][quick]") {
  const Samples samples;
  const Folder folder;  // files whose names are spoiled are written here
  std::size_t tried = 0;
  for (const Command& command : commands()) {
    if (command.name == "help" || command.name == "completion" || command.name == "man") continue;  // no JSON
    const Words example = shell_words(command.example);
    for (std::size_t k = 1; k <= example.size(); ++k)  // also one word more
      for (const std::string& bad : spoiled(k < example.size() ? example[k] : "S4")) {
        Words words = samples.placed(example);
        words.resize(std::max(words.size(), k + 1));
        words[k] = bad;
        words.emplace_back("--json");
        require_json(words, folder);
        ++tried;
      }
    for (const char* option : {"--output", "--format", "--color", "--progress", "--max-memory", "--time-limit",
                               "--threads", "--seed", "--in", "--rep", "--index", "--over", "--weights"})
      for (const std::string& bad : {std::string("x\xfc"), std::string("\xff.json"), std::string("\xc3.svg")}) {
        if (option == std::string("--output") && bad == "x\xfc") continue;
        Words words = samples.placed(example);
        words.insert(words.end(), {option, option == std::string("--output") ? folder.file(bad) : bad, "--json"});
        require_json(words, folder);
        ++tried;
      }
  }
  CHECK(tried > 1000);
}

TEST_CASE("files with names in Latin-1 are files as others", "[apps][quick]") {
  const Folder folder;
  write(folder.path() / "gr\xfcppe.json", "{\"degree\": 4, \"generators\": [\"(1,2,3,4)\", \"(1,2)\"]}");
  write(folder.path() / "gr\xfcn.g6", "IheA@GUAo\n");
  write(folder.path() / "w\xe4ssrig.xyz",
        "3\nw\xe4sser\nO 0.0 0.0 0.117790\nH 0.0 0.755453 -0.471161\nH 0.0 -0.755453 -0.471161\n");
  const std::string group = "@gr\xfcppe.json", graph = "gr\xfcn.g6";
  for (const Words& words :
       {Words{"group", group}, Words{"chartable", group}, Words{"irreps", group}, Words{"classes", group},
        Words{"decompose", group, "perm"}, Words{"basis", group, "perm", "-o", "b\xfc.json"},
        Words{"tie", group, "perm", "-o", "t\xfc.safetensors", "-o", "t\xfc.json", "-o", "t\xfc.svg", "-o",
              "t\xfc.html"},
        Words{"verify", "t\xfc.safetensors"}, Words{"verify", "t\xfc.json"}, Words{"table", "t\xfc.json"},
        Words{"automorphisms", graph}, Words{"group", "aut(@" + graph + ")"}, Words{"molecule", "w\xe4ssrig.xyz"},
        Words{"classes", group, "-o", "k\xfc.json"}}) {
    Words asked = words;
    asked.emplace_back("--json");
    const Run r = run(asked, folder.path());
    CAPTURE(words[0], r.err);
    CHECK(r.status == 0);
    CHECK_NOTHROW(nlohmann::json::parse(r.out));
  }
  for (const std::string name : {"b\xfc.json", "t\xfc.json", "k\xfc.json"})
    CHECK_NOTHROW(nlohmann::json::parse(contents(folder.path() / name)));
  // Bytes that are no UTF-8 are U+FFFD in JSON.
  const Run absent = run({"group", "@n\xf6.json", "--json"}, folder.path());
  CHECK(absent.status == 2);
  CHECK_NOTHROW(nlohmann::json::parse(absent.err));
}
