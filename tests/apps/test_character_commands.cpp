// The commands on classes and characters, run as a user runs them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/program.hpp"
#include "intertwine/io/latex.hpp"
#include "support/latex.hpp"
#include "support/paths.hpp"

using namespace test_apps;

namespace {

nlohmann::json json_of(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const Run r = run(arguments);
  CAPTURE(r.out, r.err);
  REQUIRE(r.status == 0);
  return nlohmann::json::parse(r.out);
}

}  // namespace

TEST_CASE("every method of chartable gives the same table", "[apps][quick]") {
  const auto table = json_of({"chartable", "Q16"});
  for (const char* method : {"auto", "monomial", "class-matrices", "induction"})
    REQUIRE(json_of({"chartable", "Q16", "--method", method})["irreducibles"] == table["irreducibles"]);
  const auto refused = run({"chartable", "A4", "--method", "monomial"});
  REQUIRE(refused.status != 0);
  REQUIRE(refused.err.find("A4 is not supersolvable") != std::string::npos);
  REQUIRE(run({"chartable", "A4", "--method", "guess"}).status == 2);
  REQUIRE(run({"chartable", "Q16", "--partial", "--method", "monomial"}).status != 0);
}

TEST_CASE("classes and chartable in JSON", "[apps][quick]") {
  const auto classes = json_of({"classes", "A5"}), table = json_of({"chartable", "A5"});
  REQUIRE(classes["command"] == "classes");
  REQUIRE(classes["order"] == "60");
  REQUIRE(classes["classes"].size() == 5);
  REQUIRE(classes["classes"][1]["size"] == "15");
  REQUIRE(classes["classes"][1]["element_order"] == 2);
  REQUIRE(classes["classes"][1]["centralizer_order"] == "4");
  REQUIRE(classes["classes"][0]["representative"] == std::vector<int>{0, 1, 2, 3, 4});
  REQUIRE(table["classes"] == classes["classes"]);
  REQUIRE(table["indicators"] == std::vector<int>{1, 1, 1, 1, 1});
  REQUIRE(table["power_maps"]["5"] == std::vector<int>{0, 1, 2, 0, 0});
  REQUIRE(table["irreducibles"][4][0] == "5");
  REQUIRE(table["irreducibles"][1][3]["n"] == 5);
  REQUIRE(table["names"][0] == "[5]");
}

TEST_CASE("decompose and molien in JSON", "[apps][quick]") {
  const auto real = json_of({"decompose", "C3", "--rep", "2*perm", "--over", "real"});
  REQUIRE(real["dimension"] == "6");
  REQUIRE(real["over"] == "real");
  REQUIRE(real["constituents"].size() == 2);
  REQUIRE(real["constituents"][1]["degree"] == "2");
  REQUIRE(real["constituents"][1]["multiplicity"] == "2");
  REQUIRE(real["constituents"][1]["indicator"] == 0);
  REQUIRE(json_of({"decompose", "C3", "--rep", "perm"})["constituents"].size() == 3);
  const auto molien = json_of({"molien", "S3", "--rep", "perm", "--degree", "6"});
  REQUIRE(molien["coefficients"] == std::vector<std::string>{"1", "1", "2", "3", "4", "5", "7"});
  REQUIRE(molien["denominator_degrees"] == std::vector<int>{1, 2, 3});
  REQUIRE(molien["numerator"] == std::vector<std::string>{"1"});
}

TEST_CASE("group --full counts classes", "[apps][quick]") {
  const auto full = json_of({"group", "M24", "--full"});
  REQUIRE(full["classes"] == "26");
  REQUIRE(full["exponent"] == "212520");
  REQUIRE(json_of({"group", "M24"})["classes"].is_null());
  REQUIRE(json_of({"group", "S100", "--full"})["classes"] == "190569292");
}

TEST_CASE("classes that are too many are counted and described", "[apps][quick]") {
  std::string product = "S4";
  for (int k = 1; k < 20; ++k) product += " x S4";
  const auto power = json_of({"classes", product});
  REQUIRE(power["number_of_classes"] == "95367431640625");
  REQUIRE(power["classes"].is_null());
  REQUIRE(power["description"].get<std::string>().find("tuples of classes of the 20 factors S4") != std::string::npos);
  const auto full = json_of({"group", "S20 wr S5", "--full"});
  REQUIRE(full["classes"] == json_of({"classes", "S20 wr S5"})["number_of_classes"]);
  REQUIRE(run({"classes", "S20 wr S5"}).out.find("a partition for each of the 627 classes of S20") !=
          std::string::npos);
}

TEST_CASE("classes and characters of a subgroup", "[apps][quick]") {
  const auto classes = json_of({"classes", "S5", "--subgroup", "<(1,2,3,4,5),(2,3,5,4)>"})["subgroup"];
  REQUIRE(classes["order"] == "20");
  REQUIRE(classes["index"] == "6");
  REQUIRE(classes["classes"].size() == 5);
  REQUIRE(classes["fusion"].size() == 5);
  const auto all = json_of({"classes", "S5"})["classes"];
  for (std::size_t c = 0; c < 5; ++c)
    REQUIRE(all[classes["fusion"][c].get<std::size_t>()]["element_order"] == classes["classes"][c]["element_order"]);
  const auto table = json_of({"chartable", "S5", "--subgroup", "S4"});
  const auto subgroup = table["subgroup"];
  REQUIRE(table["irreducibles"].size() == 7);
  REQUIRE(subgroup["irreducibles"].size() == 5);
  REQUIRE(subgroup["index"] == "5");
  // 1 induced is the permutation character 1 + [4,1].
  for (std::size_t i = 0; i < 7; ++i)
    REQUIRE(subgroup["multiplicities"][i][0] ==
            (table["names"][i] == "[5]" || table["names"][i] == "[4,1]" ? "1" : "0"));
  REQUIRE(run({"chartable", "S5", "--subgroup", "S4"}).out.find("columns induced") != std::string::npos);
  REQUIRE(run({"classes", "S5", "--subgroup", "S6"}).status == 2);
  REQUIRE(run({"classes", "A5", "--subgroup", "<(1,2)>"}).err.find("(1,2) is no element of A5") != std::string::npos);
  REQUIRE(run({"classes", "A5", "--subgroup", ""}).status == 2);
  REQUIRE(run({"chartable", "A5", "--subgroup", "<(1,2"}).status == 2);
  REQUIRE(run({"chartable", "A5", "--subgroup", "A4", "--format", "gap"}).status == 2);
}

TEST_CASE("kernels, centres, determinants and conjugates of characters", "[apps][quick]") {
  const auto details = json_of({"chartable", "SL(2,3)", "--details"})["details"];
  REQUIRE(details.size() == 7);
  REQUIRE(details[0]["kernel_order"] == "24");
  REQUIRE(details[1]["kernel_order"] == "8");
  REQUIRE(details[1]["galois_family"] == std::vector<int>{1, 2});
  REQUIRE(details[1]["field"] == "Q(E(3))");
  for (int i = 3; i < 6; ++i) {  // the faithful characters of degree 2
    REQUIRE(details[i]["kernel"] == std::vector<int>{0});
    REQUIRE(details[i]["centre_order"] == "2");
  }
  REQUIRE(details[6]["kernel_order"] == "2");
  REQUIRE(details[6]["determinant"] == 0);
  REQUIRE_FALSE(json_of({"chartable", "SL(2,3)"}).contains("details"));
}

// The least time, from 20 ms on, in which something is known: how much that is depends on the machine and its load.
nlohmann::json known_in_part(const std::string& command) {
  for (double seconds = 0.02;; seconds *= 1.25) {
    const Run r = run({command, "Co3", "--time-limit", std::to_string(seconds), "--partial", "--json"});
    if (r.status == 0) return nlohmann::json::parse(r.out);
    REQUIRE(r.status == 3);
  }
}

TEST_CASE("what is known at a limit, if asked for", "[apps][quick]") {
  REQUIRE(run({"chartable", "Co3", "--time-limit", "0.02"}).status == 3);
  const auto table = known_in_part("chartable");
  REQUIRE(table["partial"] == true);
  REQUIRE(table["irreducibles"].is_array());
  REQUIRE(table["reason"].get<std::string>().find("time") != std::string::npos);
  REQUIRE(run({"classes", "Co3", "--time-limit", "0.02"}).status == 3);
  REQUIRE(known_in_part("classes")["partial"] == true);
  REQUIRE_FALSE(json_of({"chartable", "A5", "--partial"}).contains("partial"));
}

TEST_CASE("notations of irrational values and names of point groups", "[apps][quick]") {
  REQUIRE(run({"chartable", "A5", "--notation", "atlas"}).out.find("-b5") != std::string::npos);
  REQUIRE(run({"chartable", "A5", "--notation", "er"}).out.find("A = (1-ER(5))/2") != std::string::npos);
  REQUIRE(run({"chartable", "A5", "--format", "latex", "--notation", "er"}).out.find("\\sqrt{5}") != std::string::npos);
  REQUIRE(run({"chartable", "A5", "--notation", "roman"}).status == 2);
  REQUIRE(json_of({"chartable", "Td"})["names"] == std::vector<std::string>{"A1", "A2", "E", "T1", "T2"});
}

TEST_CASE("LaTeX compiles", "[apps][quick]") {
  // Names with braces, Mulliken's symbols, letters for long values, tables and matrices wider than LaTeX takes.
  const std::string signed_permutations = run({"chartable", "W(D4)", "--format", "latex"}).out;
  REQUIRE(signed_permutations.find("\\chi^{\\{[],[4]\\}}") != std::string::npos);
  REQUIRE(run({"chartable", "Oh", "--format", "latex"}).out.find("\nA_{1g} & 1") != std::string::npos);
  const std::string M24 = run({"chartable", "M24", "--format", "latex"}).out;
  REQUIRE(M24.find("\\overline{A}") != std::string::npos);
  REQUIRE(M24.find("A ={}& ") != std::string::npos);
  const std::string matrices = run({"irreps", "PSL(2,11)", "--format", "latex"}).out;
  REQUIRE(matrices.find("\\left(\\begin{array}{rrrrrrrrrrr}") != std::string::npos);
  for (const std::string& text : {signed_permutations, M24, matrices}) CHECK(test_support::latex_fault(text).empty());
  if (run_shell("command -v pdflatex >/dev/null", {}).status != 0) {
    WARN("LaTeX is not installed: not compiled");
    return;
  }
  const Folder folder;
  write(folder.path() / "t.tex", std::string(intertwine::latex_document().first) + signed_permutations + M24 +
                                     matrices + std::string(intertwine::latex_document().second));
  const Run r = run_shell("pdflatex -interaction=nonstopmode -halt-on-error t.tex", folder.path());
  CAPTURE(r.out);
  CHECK(r.status == 0);
}

TEST_CASE("LaTeX of every command stands at the place of a paragraph", "[apps][quick]") {
  const Folder folder;
  std::filesystem::copy(std::filesystem::path(project_folder()) / "examples/molecules/water.xyz",
                        folder.path() / "water.xyz");
  for (const char* line : {"group D5",
                           "classes S4",
                           "chartable S12",
                           "chartable 'W(D4)' --notation er",
                           "chartable D6h --notation schoenflies",
                           "irreps 'SL(2,3)'",
                           "irreps D5",
                           "decompose S4 'perm * [3,1]'",
                           "decompose 'SU(3)' adjoint^2",
                           "molien S4 perm",
                           "molecule water.xyz",
                           "tensor elastic D3d",
                           "tensor 'gyration' C2",
                           "clebsch-gordan 'SO(3)' 2 1",
                           "clebsch-gordan 'SU(2)' 1/2 1 --3j",
                           "clebsch-gordan S4 4 4",
                           "clebsch-gordan 'SU(3)' '[2,1]' '[1]'",
                           "lr 4321 4321",
                           "skew 321 1",
                           "plethysm 2 4",
                           "kronecker 321 321",
                           "cauchy 3 3 3",
                           "cauchy 2 2 2 --left-group S2",
                           "branch 31 'O(4)'",
                           "branch 'SU(5)' 'SU(3) x SU(2) x U(1)' adjoint",
                           "branch 'O(3)' Td 'harmonic(2)'",
                           "expand 's[3,2,1]' p",
                           "polynomials Oh coordinates coordinates 3",
                           "coordinate-ring 2 2 3 --bitableaux --highest-weight --isotypic --hilbert 3",
                           "straighten '[1,2|1,3][2|2]' 3 3",
                           "determinantal 3 3 2 --hilbert 5 --pieces 3 --member '[1,2|1,2]' --primary"}) {
    const Run part = run_line("intertwine " + std::string(line) + " --latex", folder.path()),
              whole = run_line("intertwine " + std::string(line) + " --latex --standalone", folder.path());
    CAPTURE(line, part.out.substr(0, 2000));
    CHECK(part.status == 0);
    CHECK(test_support::latex_fault(part.out).empty());
    CHECK((part.out.starts_with("\\[") || part.out.starts_with("\\begin{align*}") ||
           part.out.starts_with("\\noindent ")));
    const auto& [before, after] = intertwine::latex_document();
    CHECK(whole.out == std::string(before) + part.out + std::string(after));
  }
  CHECK(run({"chartable", "S4", "--standalone"}).status == 2);
  CHECK(run({"chartable", "S4", "--standalone", "-o", "t.tex", "-q"}, folder.path()).status == 0);
  CHECK(contents(folder.path() / "t.tex").starts_with("\\documentclass{article}\n"));
}

TEST_CASE("files get the format of their extension", "[apps][quick]") {
  const Folder folder;
  REQUIRE(
      run({"chartable", "S3", "--output", "t.json", "--output", "t.tex", "--output", "t.g", "--quiet"}, folder.path())
          .status == 0);
  REQUIRE(nlohmann::json::parse(contents(folder.path() / "t.json"))["names"].size() == 3);
  REQUIRE(contents(folder.path() / "t.tex").starts_with("\\[\n\\begin{array}{r|rrr}"));
  REQUIRE(contents(folder.path() / "t.g").find("ComputedPowerMaps:=[,[1,1,3],[1,2,1]]") != std::string::npos);
}

TEST_CASE("a table for Lean is printed and written, of small groups alone", "[apps][quick]") {
  const Folder folder;
  const Run printed = run({"chartable", "S3", "--format", "lean"});
  REQUIRE(printed.status == 0);
  CHECK(printed.out.find("theorem irreducibility : ") != std::string::npos);
  CHECK(run({"irreps", "S3", "--format", "lean"}).out == printed.out);
  REQUIRE(run({"chartable", "S3", "-o", "t.lean", "-q"}, folder.path()).status == 0);
  CHECK(contents(folder.path() / "t.lean") == printed.out);
  for (const char* command : {"chartable", "irreps"}) {
    const Run large = run({command, "M24", "-o", "m.lean"}, folder.path());
    CHECK(large.status == 3);
    CHECK(large.err.find("at most 120 elements, and M24 has 244823040") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "m.lean"));
  }
  CHECK(run({"irreps", "S3", "--over", "real", "--format", "lean"}).status == 2);
  CHECK(run({"irreps", "S3", "3", "--format", "lean"}).status == 2);
  CHECK(run({"chartable", "S3", "--partial", "--format", "lean"}).status == 2);
  CHECK(run({"group", "S3", "--format", "lean"}).status == 2);
}

TEST_CASE("an extension that does not fit is refused before the work", "[apps][quick]") {
  const Folder folder;
  const std::vector<std::pair<std::vector<std::string>, std::string>> commands = {
      {{"group", "S4"},
       "group writes .txt, .json, .tex, .g, .gap, .sage, .m, .magma, .csv, .md and .html files, not t"},
      {{"classes", "S4"},
       "classes writes .txt, .json, .tex, .g, .gap, .sage, .m, .magma, .csv, .md and .html files, not t"},
      {{"chartable", "S4"},
       "chartable writes .txt, .json, .tex, .g, .gap, .sage, .m, .magma, .csv, .md, .html, .npy, .npz and "
       ".lean files, not t"},
      {{"chartable", "S4", "--partial"}, "chartable --partial writes .txt and .json files, not t"},
      {{"molien", "S4", "--rep", "perm"},
       "molien writes .txt, .json, .tex, .g, .gap, .sage, .m, .magma, .csv, .md and .html files, not t"},
      {{"irreps", "S4"},
       "irreps writes .txt, .json, .tex, .g, .gap, .sage, .m, .magma, .csv, .md, .html, .npy, .npz and "
       ".lean files, not t"},
      {{"decompose", "S4", "--rep", "perm"},
       "decompose writes .txt, .json, .tex, .g, .gap, .sage, .m, .magma, .csv, .md, .html and .npy files, "
       "not t"}};
  for (const auto& [command, says] : commands)
    for (const char* extension : {".png", ".xlsx", ".pdf", ""}) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--output", std::string("t") + extension});
      const Run r = run(arguments, folder.path());
      CAPTURE(arguments, r.err);
      CHECK(r.status == 2);
      CHECK(r.out.empty());
      CHECK(r.err.find(says) != std::string::npos);
    }
  REQUIRE(run({"classes", "S4", "--output", "t.npy"}, folder.path()).status == 2);
  REQUIRE(folder.names().empty());
}

TEST_CASE("files in every format that fits", "[apps][quick]") {
  const Folder folder;
  REQUIRE(run({"classes", "S4", "-o", "c.csv", "-o", "c.txt", "-q"}, folder.path()).status == 0);
  REQUIRE(contents(folder.path() / "c.csv").starts_with("class,element_order,size,"));
  REQUIRE(contents(folder.path() / "c.txt") == run({"classes", "S4"}).out);
  const Run group = run({"group", "S4", "-o", "g.txt"}, folder.path());
  REQUIRE(group.out == contents(folder.path() / "g.txt"));
  const Run molien = run({"molien", "S4", "--rep", "perm", "-o", "m.txt"}, folder.path());
  REQUIRE(molien.out == contents(folder.path() / "m.txt"));
  const Run table = run({"chartable", "S4", "-o", "t.csv", "--format", "csv"}, folder.path());
  REQUIRE(table.out == contents(folder.path() / "t.csv"));
  const Run matrices = run({"irreps", "S4", "-o", "r.gap", "--format", "gap"}, folder.path());
  REQUIRE(matrices.out == contents(folder.path() / "r.gap"));
  REQUIRE(run({"decompose", "S4", "--rep", "perm", "-o", "t.npy"}, folder.path()).status == 0);
  REQUIRE(contents(folder.path() / "t.npy").size() == 128 + 16 * sizeof(double));
}

TEST_CASE("limits bind while a group is read", "[apps][quick]") {
  // The orbits of GL(6,5) on vectors: matrices from a file are the work that reading an expression may take.
  const Folder folder;
  write(folder.path() / "gl.json", R"json({"field": "GF(5)", "generators": [
    [[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,0,1],[1,0,0,0,0,0]],
    [[2,1,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,0,1]]]
})json");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"group"},
                                                  {"classes"},
                                                  {"chartable"},
                                                  {"irreps"},
                                                  {"decompose", "--rep", "perm"},
                                                  {"molien", "--rep", "perm"},
                                                  {"symmetrize", "--weights", "w.json"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"@gl.json", "--max-memory", "1M"});
    const Run r = run(arguments, folder.path());
    CAPTURE(arguments, r.err);
    CHECK(r.status == 3);
    CHECK(r.err.find("for the orbits of vectors") != std::string::npos);
  }
}

TEST_CASE("GAP reads the tables back", "[apps][quick]") {
  if (run_shell("command -v gap >/dev/null", {}).status != 0) {
    WARN("GAP is not installed: skipped");
    return;
  }
  const Folder folder;
  for (const char* group : {"S4", "A5", "SL(2,3)", "D7", "C12", "M11"}) {
    REQUIRE(run({"chartable", group, "--output", "t.g", "--quiet"}, folder.path()).status == 0);
    write(folder.path() / "check.g",
          "Read(\"t.g\");; t:=intertwine;; Print(IsInternallyConsistent(t),\" "
          "\",\n"
          "ForAll(Set(Factors(Size(t))),p->Size(t)=1 or p in PossiblePowerMaps(t,p) or "
          "ComputedPowerMaps(t)[p] in "
          "PossiblePowerMaps(t,p)),\"\\n\"); QUIT;\n");
    const Run r = run_shell("gap -q -A check.g </dev/null 2>&1", folder.path());
    CAPTURE(group, r.out);
    CHECK(r.out.find("true true") != std::string::npos);
  }
}

TEST_CASE("GAP has the same tables", "[apps][quick]") {  // scripts/compare-gap does it for hundreds of groups
  if (run_shell("command -v gap >/dev/null", {}).status != 0) {
    WARN("GAP is not installed: skipped");
    return;
  }
  const Folder folder;
  std::string script =
      "for name in [\"TransitiveGroupsAvailable\",\"PrimitiveGroupsAvailable\",\"SmallGroupsAvailable\"] do\n"
      " if not IsBoundGlobal(name) then BindGlobal(name,n->false); fi; od;\n";
  const std::vector<std::string> groups{"Group(())",
                                        "Group((1,2,3,4),(1,2))",
                                        "Group((1,2,3,4,5,6,7),(2,3)(4,7))",
                                        "Group((1,2,3,4,5,6,7),(1,2,4)(3,6,5))",
                                        "Group((1,2,3,4)(5,6,7,8),(1,5,3,7)(2,8,4,6))",
                                        "Group((1,2,3),(4,5,6),(1,4)(2,5)(3,6),(7,8,9,10))",
                                        "Group((1,2,3,4,5,6,7,8,9,10,11),(3,7,11,8)(4,10,5,6))"};
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const std::string file = "t" + std::to_string(k) + ".g";
    REQUIRE(run({"chartable", groups[k], "--output", file, "--quiet"}, folder.path()).status == 0);
    script += "Read(\"" + file + "\");; t:=intertwine;;\nPrint(\"" + std::to_string(k) +
              " \",IsInternallyConsistent(t),\" \",TransformingPermutationsCharacterTables(t,CharacterTable(" +
              groups[k] + "))<>fail,\"\\n\");\n";
  }
  write(folder.path() / "check.g", script + "QUIT;\n");
  const Run r = run_shell("gap -q -b check.g </dev/null 2>&1", folder.path());
  CAPTURE(r.out);
  for (std::size_t k = 0; k < groups.size(); ++k)
    CHECK(r.out.find(std::to_string(k) + " true true") != std::string::npos);
}

// CTblLib has the ATLAS's tables [Conway et al. 1985].
TEST_CASE("large sporadic groups have the tables of the ATLAS", "[apps][slow][.]") {
  const auto [group, classes] = GENERATE(table<const char*, std::size_t>(
      {{"G2(4)", 32}, {"Suz", 43}, {"J3", 21}, {"He", 33}, {"Co2", 60}, {"Ru", 36}, {"Fi22", 65}}));
  CAPTURE(group);
  const Folder folder;
  REQUIRE(run({"chartable", group, "--output", "t.g", "--output", "t.json", "--quiet"}, folder.path()).status == 0);
  CHECK(nlohmann::json::parse(std::ifstream(folder.path() / "t.json"))["classes"].size() == classes);
  if (run_shell("echo 'Print(LoadPackage(\"ctbllib\"));' | gap -q -A 2>/dev/null | grep -q true", {}).status != 0) {
    WARN("GAP with its library of character tables is not installed: not compared");
    return;
  }
  write(folder.path() / "check.g",
        "LoadPackage(\"ctbllib\");; Read(\"t.g\");; t:=intertwine;;\n"
        "Print(IsInternallyConsistent(t),\" \",TransformingPermutationsCharacterTables(t,CharacterTable(\"" +
            std::string(group) + "\"))<>fail,\"\\n\"); QUIT;\n");
  const Run r = run_shell("gap -q -A check.g </dev/null 2>&1", folder.path());
  CAPTURE(r.out);
  CHECK(r.out.find("true true") != std::string::npos);
}

TEST_CASE("irreps in JSON", "[apps][quick]") {
  const auto all = json_of({"irreps", "A5"});
  REQUIRE(all["command"] == "irreps");
  REQUIRE(all["generators"].size() == 2);
  REQUIRE(all["irreps"].size() == 5);
  REQUIRE(all["irreps"][1]["degree"] == "3");
  REQUIRE(all["irreps"][1]["field"]["name"] == "Q(sqrt(5))");
  REQUIRE(all["irreps"][1]["over_character_field"] == true);
  REQUIRE(all["irreps"][1]["matrices"].size() == 2);
  REQUIRE(all["irreps"][1]["matrices"][0].size() == 3);
  REQUIRE(all["irreps"][4]["seed"]["vector"].size() == 5);
  const auto real = json_of({"irreps", "Q8", "--index", "5", "--over", "real"});
  REQUIRE(real["irreps"][0]["degree"] == "4");
  REQUIRE(real["irreps"][0]["multiplicity"] == 2);
  REQUIRE(json_of({"irreps", "A4", "--over", "rational"})["irreps"].size() == 3);
}

TEST_CASE("GAP takes the matrices for homomorphisms with the characters of the table", "[apps][quick]") {
  if (run_shell("command -v gap >/dev/null", {}).status != 0) {
    WARN("GAP is not installed: skipped");
    return;
  }
  const Folder folder;
  for (const char* group : {"S4", "A5", "SL(2,3)", "C3"}) {
    REQUIRE(run({"irreps", group, "--output", "r.g", "--quiet"}, folder.path()).status == 0);
    write(folder.path() / "check.g",
          "Read(\"r.g\");; l:=intertwine;; G:=Source(l[1]);;\n"
          "chi:=List(l,f->List(ConjugacyClasses(G),c->Trace(Image(f,Representative(c)))));;\n"
          "Print(ForAll(l,f->f<>fail),\" \",Set(chi)=Set(Irr(G),ValuesOfClassFunction),\"\\n\"); QUIT;\n");
    const Run r = run_shell("gap -q -A check.g </dev/null 2>&1", folder.path());
    CAPTURE(group, r.out);
    CHECK(r.out.find("true true") != std::string::npos);
  }
}

TEST_CASE("wrong input to the character commands", "[apps][quick]") {
  REQUIRE(run({"chartable", "A5", "--format", "pdf"}).status == 2);
  REQUIRE(run({"decompose", "A5"}).out == run({"decompose", "A5", "--rep", "perm"}).out);
  REQUIRE(run({"decompose", "A5", "--rep", "nothing"}).status == 2);
  REQUIRE(run({"decompose", "A5", "--rep", "perm", "--over", "quaternions"}).status == 2);
  REQUIRE(run({"molien", "A5", "--rep", "perm", "--irrep", "6"}).status == 2);
  REQUIRE(run({"molien", "A5", "--rep", "perm", "--degree", "1000000"}).status == 2);
  REQUIRE(run({"irreps", "A5", "--index", "0"}).status == 2);
  REQUIRE(run({"irreps", "A5", "--index", "6"}).status == 2);
  REQUIRE(run({"irreps", "A5", "--index", "x"}).status == 2);
  REQUIRE(run({"irreps", "A5", "--index", "-1"}).err.find("by number 1 to 5") != std::string::npos);
  REQUIRE(run({"irreps", "S20", "--index", "300"}).out.empty());  // an error later leaves no half of an answer
  REQUIRE(run({"decompose", "A5", "--rep", "perm", "--output", "t.npz"}).status == 2);
  REQUIRE(run({"chartable", "S60"}).status == 3);
  // Never held as text: the limit is that of the classes themselves, and in a process of its own that of its memory.
  REQUIRE(nlohmann::json::parse(run({"classes", "S30", "--json", "--max-memory", "4M"}).out)["classes"].size() == 5604);
  REQUIRE(run({"irreps", "A5", "--over", "quaternions"}).status == 2);
  REQUIRE(run({"irreps", "A5", "--format", "pdf"}).status == 2);
  REQUIRE(run({"chartable", "S100"}).status == 3);
  REQUIRE(run({"classes", "S4 wr S99999", "--time-limit", "0.1"}).status == 3);
  REQUIRE(run({"classes", "S1000000"}).status == 0);
  REQUIRE(run({"chartable", "Co3", "--time-limit", "0.001"}).status == 3);
}

TEST_CASE("Schur indices in chartable and decompose", "[apps][quick]") {
  const auto details = json_of({"chartable", "Q8 x Dic3", "--details"})["details"];
  REQUIRE(details[28]["schur_index"] ==
          nlohmann::json::parse(R"({"index": 2, "real": 1, "finite": {"2": 2, "3": 2}})"));
  REQUIRE(details[29]["schur_index"] == nlohmann::json::parse(R"({"index": 2, "real": 2, "finite": {"2": 2}})"));
  REQUIRE(details[0]["schur_index"] == nlohmann::json::parse(R"({"index": 1, "real": 1, "finite": {}})"));
  const auto constituents =
      json_of({"decompose", "Q8 x Dic3", "--rep", "regular", "--over", "rational"})["constituents"];
  const auto part = *std::find_if(constituents.begin(), constituents.end(),
                                  [](const auto& constituent) { return constituent["irrep"] == 28; });
  REQUIRE(part["degree"] == "8");
  REQUIRE(part["multiplicity"] == "2");
  REQUIRE(part["schur_index"] == details[28]["schur_index"]);
  REQUIRE(details[28]["division_algebra"] == nlohmann::json::parse(R"({"dimension": "4", "over_rationals": "4"})"));
  REQUIRE(part["division_algebra"] == details[28]["division_algebra"]);
  REQUIRE(json_of({"chartable", "Q8 x C7", "--details"})["details"][29]["division_algebra"] ==
          nlohmann::json::parse(R"({"dimension": "4", "over_rationals": "24"})"));
  REQUIRE(run({"decompose", "Q8", "irrep(5)", "--over", "complex"}).out.find("division") == std::string::npos);
  const auto refused = run({"decompose", "Q8 x Dic3", "--rep", "irrep(29)", "--over", "rational"});
  REQUIRE(refused.status == 2);
  REQUIRE(refused.err.find("over Q(sqrt(2)), which is not Q") != std::string::npos);
  // 8-dimensional, irreducible over Q: refused as long as its Schur index was not known.
  REQUIRE(json_of({"irreps", "Q8 x Dic3", "--index", "29", "--over", "rational"})["irreps"][0]["degree"] == "8");
}
