// What the program says of itself: help in the width of the terminal, the table of README.md, completion, manual pages; and
// the streams that every command has.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/program.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/physics/crystal.hpp"
#include "support/paths.hpp"

using namespace test_apps;
using Json = nlohmann::json;

namespace {

const std::string table_head = "| command | answers | for example |\n";

/// The names in the first column of the table of commands, and those that it leaves out.
std::vector<std::string> command_names() {
  std::vector<std::string> names = {"help", "version", "completion", "man"};
  std::istringstream lines(run({"help", "commands-as-markdown"}).out);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("| `")) names.push_back(line.substr(3, line.find_first_of(" `", 3) - 3));
  return names;
}

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// An environment variable, for a scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

}  // namespace

TEST_CASE("without a word the program greets with five commands, which all work", "[apps][quick]") {
  const Run greeted = run({});
  CHECK(greeted.status == 0);
  CHECK(greeted.err.empty());
  std::istringstream lines(greeted.out);
  int tried = 0;
  for (std::string line; std::getline(lines, line);) {
    CHECK(letters(line) <= 100);
    const std::size_t end = line.find("  ", 2);
    if (!line.starts_with("  intertwine ") || end == std::string::npos) continue;
    const Run answer = run_line(line.substr(2, end - 2), {});
    CAPTURE(line, answer.out);
    CHECK(answer.status == 0);
    ++tried;
  }
  CHECK(tried == 5);
}

TEST_CASE("README has the table of commands that the program has", "[apps][quick]") {
  const std::string now = run({"help", "commands-as-markdown"}).out;
  REQUIRE(now.starts_with(table_head));
  const std::filesystem::path page = std::filesystem::path(project_folder()) / "README.md";
  std::string text = contents(page);
  const std::size_t begin = text.find(table_head);
  REQUIRE(begin != std::string::npos);
  const std::size_t end = text.find("\n\n", begin) + 1;
  if (std::getenv("INTERTWINE_UPDATE_GOLDEN") != nullptr)
    write(page, text.replace(begin, end - begin, now));
  else
    CHECK(text.substr(begin, end - begin) == now);
}

TEST_CASE("every command has help that fits the terminal, and a manual page", "[apps][quick]") {
  const auto names = command_names();
  REQUIRE(names.size() >= 28);
  for (const char* width : {"60", "100"}) {
    const Variable columns("COLUMNS", width);
    for (const std::string& name : names) {
      CAPTURE(name, width);
      const Run help = run({"help", name});
      REQUIRE(help.status == 0);
      REQUIRE(help.out == run({name, "--help"}).out);
      REQUIRE(help.out.starts_with("usage: intertwine " + name));
      std::istringstream lines(
          help.out.substr(0, help.out.find("\n$ ")));  // what an example prints is as wide as it is
      for (std::string line; std::getline(lines, line);)
        if (line.starts_with("  ") && !line.starts_with("  intertwine ") && line.find('(') == std::string::npos)
          CHECK(letters(line) <= static_cast<std::size_t>(std::atoi(width)));
      REQUIRE(run({"man", name}).out.starts_with(".TH intertwine\\-"));
    }
  }
  REQUIRE(run({"man"}).out.starts_with(".TH intertwine 1"));
}

TEST_CASE("help shows what its example prints", "[apps][quick]") {
  const std::string help = run({"help", "kronecker"}).out, answer = run({"kronecker", "[2,1]", "[2,1]"}).out;
  REQUIRE(help.ends_with("$ intertwine kronecker '[2,1]' '[2,1]'\n" + answer));
}

TEST_CASE("help has a line of meaning for every name", "[apps][quick]") {
  for (const char* topic : {"groups", "representations"}) {
    std::istringstream lines(run({"help", topic}).out);
    std::size_t count = 0;
    std::string line;
    while (std::getline(lines, line)) {
      if (line.ends_with(":")) continue;  // a heading
      CAPTURE(line);
      REQUIRE(line.find("  ") != std::string::npos);
      ++count;
    }
    REQUIRE(count > 20);
  }
}

TEST_CASE("pages are filled to the terminal, without the signs of Markdown", "[apps][quick]") {
  const Variable columns("COLUMNS", "80");
  for (const std::string topic : {"conventions", "formats", "continuous", "molecules"}) {
    CAPTURE(topic);
    const Run r = run({"help", topic});
    REQUIRE(r.status == 0);
    for (const char* sign : {"```", "](", "\n| ", "\n# "}) {
      CAPTURE(sign);
      CHECK(r.out.find(sign) == std::string::npos);
    }
    std::istringstream lines(r.out);
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("  ")) CHECK((letters(line) <= 80U || line.find(' ') == std::string::npos));
    CHECK(run({topic}).out == r.out);
    const Folder folder;
    REQUIRE(run({"help", topic, "-o", "page.md", "-q"}, folder.path()).status == 0);
    CHECK(contents(folder.path() / "page.md").starts_with("# "));
  }
}

TEST_CASE("the version in JSON", "[apps][quick]") {
  const Json version = Json::parse(run({"version", "--json"}).out);
  REQUIRE(version["command"] == "version");
  REQUIRE(version["libraries"].contains("FLINT"));
  REQUIRE(version["instruction_set"].is_string());
}

TEST_CASE("texts for others are written to files of any name", "[apps][quick]") {
  const Folder folder;
  REQUIRE(run({"man", "-o", "m.1", "-q"}, folder.path()).out.empty());
  REQUIRE(contents(folder.path() / "m.1") == run({"man"}).out);
  REQUIRE(run({"completion", "fish", "-o", "intertwine.fish", "-q"}, folder.path()).status == 0);
  REQUIRE(contents(folder.path() / "intertwine.fish") == run({"completion", "fish"}).out);
  REQUIRE(run({"man", "--json"}).status == 2);
}

TEST_CASE("the version says what it was built of", "[apps][quick]") {
  const std::string text = run({"--version"}).out;
  for (const char* part : {"intertwine ", "Boost ", "GMP ", "FLINT ", "fmt ", "instruction set"}) {
    CAPTURE(part);
    REQUIRE(text.find(part) != std::string::npos);
  }
  REQUIRE(run({"version"}).out == text);
}

TEST_CASE("completion in bash offers commands, options, groups and representations", "[apps][quick]") {
  const Folder folder;
  write(folder.path() / "complete.sh", run({"completion", "bash"}).out + R"(
offers() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _intertwine; printf '%s\n' "${COMPREPLY[@]}"; }
offers intertwine char
offers intertwine basis M2
offers intertwine basis S4 per
offers intertwine basis S4 --ou
offers intertwine completion f
offers intertwine basis S4 alt
offers intertwine chartable S4 --format ma
offers intertwine decompose S4 --over r
offers intertwine lr --color n
offers intertwine lr --format = mark
offers intertwine basis 'SO+'
offers intertwine kernels 'SE'
offers intertwine help mol
)");
  const Run r = run_shell("bash complete.sh", folder.path());
  REQUIRE(r.status == 0);
  REQUIRE(r.err.empty());
  for (const char* word : {"M22", "M23", "M24", "perm", "--out", "--output", "fish", "alt\\(k\\,\\ R\\)", "markdown",
                           "magma", "real", "rational", "never", "SO+\\(1\\,3\\)", "SE\\(3\\)", "molecules"}) {
    CAPTURE(word, r.out);
    REQUIRE(("\n" + r.out).find("\n" + std::string(word) + "\n") != std::string::npos);
  }
}

TEST_CASE("completion offers the formats that a command prints", "[apps][quick]") {
  const Folder folder;
  REQUIRE(run({"tie", "S4", "-o", "layer.safetensors", "-q"}, folder.path()).status == 0);
  intertwine::write_npy(folder.path() / "x.npy", {{2, 4}, std::vector<double>(8, 1.0)});
  intertwine::write_npy(folder.path() / "w.npy", {{4, 4}, std::vector<double>(16, 1.0)});
  write(folder.path() / "water.xyz", "3\n\nO 0 0 0.12\nH 0 0.76 -0.47\nH 0 -0.76 -0.47\n");
  write(folder.path() / "petersen.g6", "IheA@GUAo\n");
  std::filesystem::copy_file(std::filesystem::path(project_folder()) / "examples/crystals/rutile.cif",
                             folder.path() / "rutile.cif");
  std::filesystem::copy_file(std::filesystem::path(project_folder()) / "examples/sdp/petersen.dat-s",
                             folder.path() / "petersen.dat-s");
  const std::string script = run({"completion", "bash"}).out;
  for (const std::string& name : command_names()) {
    const std::string help = run({name, "--help"}).out;
    const std::size_t example = help.find("\n$ intertwine ");
    if (example == std::string::npos || (name == "crystal" && !intertwine::has_space_group_search())) continue;
    const std::size_t line = script.find("    " + name + "' --format') words=(");
    REQUIRE(line != std::string::npos);
    const std::string offered = script.substr(line, script.find('\n', line) - line);
    for (const char* format : {"text", "json", "latex", "csv", "markdown", "html", "gap", "sage", "magma", "lean"}) {
      if (std::string(format) == "html" && (name == "basis" || name == "tie" || name == "table")) continue;  // pictures
      CAPTURE(name, format);
      const std::string command = help.substr(example + 3, help.find('\n', example + 1) - example - 3);
      const bool printed = run_line(command + " --format " + format + " 2>/dev/null", folder.path()).status == 0;
      CHECK(printed == (offered.find("'" + std::string(format) + "'") != std::string::npos));
    }
  }
}

namespace {

/// What is typed before the tab, and what stands there after it.
const std::vector<std::pair<std::string, std::string>>& typed() {
  static const std::vector<std::pair<std::string, std::string>> lines = {{"ba", "basis"},
                                                                         {"chartable PSp", "PSp(4,3)"},
                                                                         {"chartable S4 --nota", "--notation"},
                                                                         {"chartable S4 --notation sch", "schoenflies"},
                                                                         {"lr --format mar", "markdown"},
                                                                         {"lr --format=mar", "--format=markdown"},
                                                                         {"basis S4 per", "perm"},
                                                                         {"decompose S4 --over re", "real"},
                                                                         {"tie D6 --in coo", "coordinates"},
                                                                         {"completion f", "fish"}};
  return lines;
}

bool has_shell(const std::string& name) {
  if (run_shell("command -v " + name + " >/dev/null", "/").status == 0) return true;
  WARN(name + " is not installed: its completion is not run");
  return false;
}

}  // namespace

TEST_CASE("completion in fish completes commands, options, values and names", "[apps]") {
  if (!has_shell("fish")) return;
  const Folder folder;
  std::string script = run({"completion", "fish"}).out;
  for (const auto& [before, after] : typed()) script += "complete -C 'intertwine " + before + "' | head -1\n";
  write(folder.path() / "complete.fish", script);
  const Run r = run_shell("HOME=$PWD fish complete.fish", folder.path());
  CAPTURE(r.out);
  REQUIRE(r.err.empty());
  std::istringstream lines(r.out);
  std::string line;
  for (const auto& [before, after] : typed()) {
    CAPTURE(before);
    REQUIRE(std::getline(lines, line));
    REQUIRE(line.substr(0, line.find('\t')) == after);
  }
}

// An interactive shell on a terminal of its own, in which keys are pressed: tab, and one that writes the line down.
TEST_CASE("completion in zsh completes commands, options, values and names", "[apps]") {
  if (!has_shell("zsh")) return;
  const Folder folder;
  write(folder.path() / "_intertwine", run({"completion", "zsh"}).out);
  write(folder.path() / ".zshrc", R"zsh(fpath=($ZDOTDIR $fpath)
autoload -Uz compinit && compinit -u -D
zle-line-init() { print ready >> $ZDOTDIR/written; zle -D zle-line-init }
written() { print -r -- "${(Q)BUFFER}" >> $ZDOTDIR/written; BUFFER= }
zle -N zle-line-init; zle -N written; bindkey '^X' written
)zsh");
  std::string script = R"zsh(zmodload zsh/zpty
export ZDOTDIR=$PWD TERM=xterm
: > written
zpty -b shell zsh -i
until_written() {  # or twenty seconds are over
  local text k
  for k in {1..400}; do
    while zpty -r -t shell text; do :; done
    [ "$(wc -l < written)" -ge $1 ] && return
    sleep 0.05
  done
}
until_written 1
)zsh";
  for (std::size_t k = 0; k < typed().size(); ++k)
    script += "zpty -w -n shell 'intertwine " + typed()[k].first + "'$'\\t\\x18'\nuntil_written " +
              std::to_string(k + 2) + "\n";
  write(folder.path() / "complete.zsh", script + "zpty -d shell\ncat written\n");
  const Run r = run_shell("zsh -f complete.zsh", folder.path());
  CAPTURE(r.out, r.err);
  std::string expected = "ready\n";
  for (const auto& [before, after] : typed())
    expected += "intertwine " + before.substr(0, before.rfind(' ') + 1) + after + " \n";
  REQUIRE(r.out == expected);
}

TEST_CASE("with --json errors are JSON too", "[apps][quick]") {
  const Run r = run({"group", "S5 x Foo", "--json"});
  REQUIRE(r.status == 2);
  REQUIRE(r.out.empty());
  const Json error = Json::parse(r.err)["error"];
  REQUIRE(error["status"] == 2);
  REQUIRE(error["text"] == "S5 x Foo");
  REQUIRE(error["position"] == 5);
  REQUIRE(error["message"].get<std::string>().starts_with("unknown group 'Foo'"));
  REQUIRE(Json::parse(run({"grup", "S5", "--format", "json"}).err)["error"]["status"] == 2);
}

TEST_CASE("seconds are in JSON where they are asked for", "[apps][quick]") {
  const Folder folder;
  REQUIRE(run({"tie", "S4", "-o", "t.npz", "-q"}, folder.path()).status == 0);
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"basis", "S4"},
                                                    {"verify", "t.npz"},
                                                    {"polynomials", "S3"},
                                                    {"tie", "S4"},
                                                    {"group", "S4"},
                                                    {"kernels", "S4"},
                                                    {"init", "t.npz"},
                                                    {"lr", "21", "21"},
                                                    {"version"}}) {
    std::vector<std::string> words = arguments;
    words.push_back("--json");
    REQUIRE_FALSE(Json::parse(run(words, folder.path()).out).contains("seconds"));
    words.push_back("--timings");
    REQUIRE(Json::parse(run(words, folder.path()).out)["seconds"].is_number());
  }
}

TEST_CASE("standard input has the name - in answers", "[apps][quick]") {
  const Folder folder;
  write(folder.path() / "s3.json", R"x({"degree": 3, "generators": ["(1,2,3)", "(1,2)"]})x");
  write(folder.path() / "a.json", "[[1, 2], [3, 4]]");
  for (const char* line :
       {"intertwine basis @- < s3.json", "intertwine basis @- --json < s3.json",
        "intertwine basis @- -o - --format json < s3.json", "intertwine basis @- -o - --format svg < s3.json",
        "intertwine basis @- -o b.json -o b.txt -o b.svg -o b.html < s3.json && cat b.json b.txt b.svg "
        "b.html",
        "intertwine tie @- -o t.json < s3.json && cat t.json", "intertwine group @- < s3.json",
        "intertwine schur-functor 2 --matrix - < a.json",
        "intertwine schur-functor 2 --matrix - --json --time-limit 100 < a.json",
        "intertwine schur-functor 9 --matrix - < s3.json 2>&1"}) {
    CAPTURE(line);
    const Run r = run_line(line, folder.path());
    CAPTURE(r.out);
    CHECK_FALSE(r.out.empty());
    CHECK(r.out.find("stdin") == std::string::npos);
    CHECK(r.out.find("/intertwine-") == std::string::npos);
  }
}

TEST_CASE("pictures go to standard output as files do", "[apps][quick]") {
  const Folder folder;
  REQUIRE(run({"tie", "S4", "--blocks", "b.svg", "-q"}, folder.path()).out.empty());
  REQUIRE(run({"tie", "S4", "--blocks", "-", "--format", "svg"}).out == contents(folder.path() / "b.svg"));
  REQUIRE(run({"decompose", "S4", "--arcs", "a.png", "-q"}, folder.path()).out.empty());
  REQUIRE(run({"decompose", "S4", "--arcs", "-", "--format", "png"}).out == contents(folder.path() / "a.png"));
  REQUIRE(run({"tie", "S4", "--blocks", "-", "-o", "-", "--format", "svg"}).err.find("given twice") !=
          std::string::npos);
  REQUIRE(run({"decompose", "S4", "--arcs", "-", "--format", "csv"}).status == 2);
}

TEST_CASE("a - is standard output or input", "[apps][quick]") {
  const Folder folder;
  REQUIRE(run({"tie", "S4", "-o", "t.safetensors", "-q"}, folder.path()).status == 0);
  const Run table = run({"tie", "S4", "-o", "-", "--format", "safetensors"});
  REQUIRE(table.status == 0);
  REQUIRE(table.out == contents(folder.path() / "t.safetensors"));
  REQUIRE(run({"group", "S4", "-o", "-", "--format", "json"}).out == run({"group", "S4", "--json"}).out);
  const Run no_format = run({"group", "S4", "-o", "-"});
  REQUIRE(no_format.status == 2);
  REQUIRE(no_format.err.find("--format") != std::string::npos);
  const Run wrong = run({"group", "S4", "-o", "-", "--format", "npz"});
  REQUIRE(wrong.status == 2);
  REQUIRE(wrong.err ==
          "intertwine: error: group writes .txt, .json, .tex, .g, .gap, .sage, .m, .magma, .csv, .md and "
          ".html files, not -\n");
  REQUIRE(wrong.out.empty());
  REQUIRE(run_shell("intertwine tie S4 -o - --format npz | intertwine verify -", folder.path())
              .out.starts_with("-: verified\n"));
  REQUIRE(run_shell("intertwine irreps S3 --json | intertwine verify -", folder.path()).status == 0);
  // graph6 begins with the number of vertices: "[" for 28, as JSON may, "c" for 36, as DIMACS may.
  write(folder.path() / "28.g6", "[" + std::string(63, '?') + "\n");
  write(folder.path() / "36.g6", "c" + std::string(105, '?'));
  REQUIRE(run_shell("intertwine automorphisms - < 28.g6", folder.path()).out.find("304888344611713860501504000000") !=
          std::string::npos);  // 28!
  REQUIRE(run_shell("intertwine automorphisms - < 36.g6", folder.path()).out.starts_with("automorphisms of 36 points"));
  REQUIRE(run_shell("printf '0,1\\n1,2\\n' | intertwine automorphisms -", folder.path())
              .out.starts_with("automorphisms of 3 points"));
  const Run empty = run_shell("intertwine verify - < /dev/null", folder.path());
  REQUIRE(empty.status == 2);
  REQUIRE(empty.err.find("standard input, which is empty") != std::string::npos);
  const Run damaged = run_shell("echo nonsense | intertwine group @-", folder.path());
  REQUIRE(damaged.status == 2);
  REQUIRE(damaged.err.find("intertwine-") == std::string::npos);  // no name of a temporary file
}

TEST_CASE("--quiet leaves reports out where files hold the answer", "[apps][quick]") {
  const Folder folder;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"tie", "S4", "-o", "t.npz"},
                                                    {"basis", "S4", "-o", "b.json"},
                                                    {"chartable", "S4", "-o", "c.csv"},
                                                    {"lr", "21", "21", "-o", "l.txt"},
                                                    {"verify", "t.npz"}}) {
    std::vector<std::string> words = arguments;
    REQUIRE_FALSE(run(words, folder.path()).out.empty());
    words.push_back("-q");
    const Run r = run(words, folder.path());
    REQUIRE(r.status == 0);
    REQUIRE(r.out.empty());
  }
  REQUIRE_FALSE(run({"group", "S4", "-q"}).out.empty());  // the answer is nowhere else
}

TEST_CASE("--output is obeyed or refused by every command", "[apps][quick]") {
  const Folder folder;
  REQUIRE(run({"tie", "S4", "-o", "t.npz", "-q"}, folder.path()).status == 0);
  for (const std::string& name : command_names()) {
    if (name == "tie" || name == "run" || name == "symmetrize" || name == "schur-functor" || name == "man" ||
        name == "completion" || name == "help")
      continue;  // tests of their own
    std::vector<std::string> words = {name};
    const std::string help = run({name, "--help"}).out;
    const std::size_t example = help.find("\n$ intertwine ");
    if (name == "verify" || name == "bench-layer") words.emplace_back("t.npz");
    if (example == std::string::npos) {
      words.insert(words.end(), {"-o", "t.unknown"});
      CAPTURE(name);
      const Run r = run(words, folder.path());
      CHECK(r.status == 2);
      CHECK(r.out.empty());
    } else {
      const std::string line = help.substr(example + 3, help.find('\n', example + 1) - example - 3) + " -o t.unknown";
      CAPTURE(line);
      CHECK(run_line(line, folder.path()).status == 2);
    }
    CHECK(folder.names() == std::vector<std::string>{"t.npz"});
  }
  REQUIRE(run({"verify", "t.npz", "-o", "v.json"}, folder.path()).status == 0);
  REQUIRE(Json::parse(contents(folder.path() / "v.json"))["verified"] == true);
}

TEST_CASE("--color decides over the terminal and NO_COLOR", "[apps][quick]") {
  REQUIRE(run({"basis", "S4", "--color", "always"}).out.find('\x1b') != std::string::npos);
  REQUIRE(run({"basis", "S4", "--color", "never"}).out.find('\x1b') == std::string::npos);
  REQUIRE(run({"basis", "S4"}).out.find('\x1b') == std::string::npos);
  const Variable none("NO_COLOR", "1");
  REQUIRE(run({"basis", "S4", "--color", "always"}).out.find('\x1b') != std::string::npos);
  REQUIRE(run({"basis", "S4", "--color", "sometimes"}).status == 2);
}

TEST_CASE("--out is --in where it is left out", "[apps][quick]") {
  REQUIRE(run({"basis", "S4", "perm^2", "--json"}).out ==
          run({"basis", "S4", "--in", "perm^2", "--out", "perm^2", "--json"}).out);
  REQUIRE(run({"polynomials", "S3", "std", "--json"}).out ==
          run({"polynomials", "S3", "--in", "std", "--out", "std", "--json"}).out);
}
