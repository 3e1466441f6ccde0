// Every answer in every format that makes sense, and one sentence otherwise.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "apps/program.hpp"
#include "intertwine/physics/crystal.hpp"
#include "support/paths.hpp"

using namespace test_apps;

namespace {

std::string printed(std::vector<std::string> arguments, const std::string& format,
                    const std::filesystem::path& folder = {}) {
  arguments.insert(arguments.end(), {"--format", format});
  const Run r = run(arguments, folder);
  CAPTURE(arguments, r.err);
  REQUIRE(r.status == 0);
  return r.out;
}

std::string refusal(const std::vector<std::string>& arguments, const std::filesystem::path& folder = {}) {
  const Run r = run(arguments, folder);
  CAPTURE(arguments, r.out, r.err);
  REQUIRE(r.status == 2);
  REQUIRE(std::count(r.err.begin(), r.err.end(), '\n') == 1);
  return r.err;
}

}  // namespace

TEST_CASE("the elements of a basis in every format", "[apps][quick]") {
  const std::vector<std::string> points = {"basis", "S3", "perm", "perm"};
  REQUIRE(printed(points, "gap") ==
          "intertwine := [[[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]], [[[1], [1], "
          "[1]]]];\n");
  REQUIRE(printed(points, "latex") ==
          "\\noindent Hom(perm, perm) of S3:\n\n"
          "\\[\nW = \\begin{pmatrix} \\theta_{1} & \\theta_{2} & \\theta_{2} \\\\ \\theta_{2} & \\theta_{1} & "
          "\\theta_{2} \\\\ \\theta_{2} & \\theta_{2} & \\theta_{1} \\end{pmatrix}\n\\]\n"
          "\\[\nb = \\begin{pmatrix} \\beta_{1} \\\\ \\beta_{1} \\\\ \\beta_{1} \\end{pmatrix}\n\\]\n");
  REQUIRE(printed(points, "csv").starts_with("part,element,row,column,value\nweight,1,1,1,1\nweight,1,2,2,1\n"));
  REQUIRE(printed(points, "csv").ends_with("bias,1,1,1,1\nbias,1,2,1,1\nbias,1,3,1,1\n"));
  REQUIRE(printed(points, "html").find("<html") != std::string::npos);
  // tie has the same, the parameters of the same name.
  for (const char* format : {"gap", "sage", "magma", "latex", "csv", "markdown"})
    REQUIRE(printed({"tie", "S3", "perm", "perm"}, format) == printed(points, format));
  // Signs and sparse elements.
  REQUIRE(printed({"basis", "C2", "sign", "regular"}, "latex").find("-\\theta_{1}") != std::string::npos);
  REQUIRE(printed({"basis", "SO(3)", "vector", "vector"}, "sage") ==
          "intertwine = (lambda E: [[matrix(QQ, [[1, 0, 0], [0, 1, 0], [0, 0, 1]])], "
          "[]])(UniversalCyclotomicField().gen)\n");
  REQUIRE(printed({"basis", "C3", "perm", "irrep(2)"}, "magma").find("CyclotomicField(3)") != std::string::npos);
}

TEST_CASE("a basis and a table in files of every extension", "[apps][quick]") {
  const Folder folder;
  for (const char* command : {"basis", "tie"})
    for (const char* extension : {".txt", ".tex", ".csv", ".md", ".g", ".gap", ".sage", ".m", ".magma", ".json", ".npz",
                                  ".safetensors", ".hpp", ".svg", ".png", ".html"}) {
      const std::string file = std::string(command) + extension;
      const Run r = run({command, "S4", "perm", "perm", "-o", file, "-q"}, folder.path());
      CAPTURE(file, r.err);
      REQUIRE(r.status == 0);
      REQUIRE(r.out.empty());
      REQUIRE_FALSE(contents(folder.path() / file).empty());
    }
  // The table is the same, whichever writes it.
  REQUIRE(contents(folder.path() / "basis.npz") == contents(folder.path() / "tie.npz"));
  REQUIRE(contents(folder.path() / "basis.csv") == contents(folder.path() / "tie.csv"));
  REQUIRE(refusal({"basis", "S4", "-o", "a.pdf"}, folder.path()).find(".safetensors") != std::string::npos);
  REQUIRE(refusal({"tie", "S4", "-o", "a.doc"}, folder.path()).find("pictures (.svg") != std::string::npos);
  REQUIRE(refusal({"tie", "S5", "2*perm + 3*trivial", "perm", "--format", "csv"}).find("--single") !=
          std::string::npos);
  REQUIRE(printed({"tie", "S5", "2*perm + 3*trivial", "perm", "--single"}, "csv").find("weight,") != std::string::npos);
  REQUIRE(refusal({"tie", "S(n)", "perm", "perm", "--format", "gap"}).find("name a size") != std::string::npos);
  REQUIRE(run({"basis", "S50", "perm^2", "perm^2", "--format", "latex"}).status == 3);
}

TEST_CASE("kernels, polynomial maps and Schur functors in every format", "[apps][quick]") {
  const Folder folder;
  write(folder.path() / "a.json", "[[1, 2], [3, 4]]");
  REQUIRE(printed({"kernels", "S4", "--from-subgroup", "S3", "--to-subgroup", "S3"}, "gap")
              .starts_with("intertwine := [[(), [[[1]]]], [("));
  REQUIRE(printed({"kernels", "SE(3)", "vector", "trivial"}, "csv") ==
          "kernel,degree,row,column,polynomial\n1,1,1,1,x\n1,1,1,2,y\n1,1,1,3,z\n");
  REQUIRE(
      printed({"kernels", "SE(3)", "vector", "trivial"}, "latex").find("\\kappa_{1}(x) = \\begin{pmatrix} x & y & z") !=
      std::string::npos);
  REQUIRE(printed({"polynomials", "S3", "perm", "trivial", "2"}, "gap") ==
          "intertwine := CallFuncList(function(x) return [[x[1]^2+x[2]^2+x[3]^2], "
          "[x[1]*x[2]+x[1]*x[3]+x[2]*x[3]]]; end,\n[List([1..3], i -> Indeterminate(Rationals, i))]);\n");
  REQUIRE(printed({"schur-functor", "[1,1]", "a.json"}, "gap", folder.path()) == "intertwine := [[-2]];\n");
  REQUIRE(printed({"schur-functor", "[2]", "a.json"}, "csv", folder.path()) ==
          ",11,12,22\n11,1,2,4\n12,6,10,16\n22,9,12,16\n");
  REQUIRE(printed({"schur-functor", "[2]", "--at", "1,2"}, "latex") == "\\[\ns_{2}(1, 2) = 7\n\\]\n");
  REQUIRE(printed({"schur-functor", "[2]", "a.json", "--trace"}, "markdown", folder.path()).find("| 27 |") !=
          std::string::npos);
  for (const char* extension : {".txt", ".tex", ".csv", ".md", ".html", ".g", ".sage", ".m", ".json"})
    for (const std::vector<std::string>& question : {std::vector<std::string>{"kernels", "S3"},
                                                     {"kernels", "SE(2)", "vector", "vector"},
                                                     {"polynomials", "S3", "perm", "perm", "2"},
                                                     {"schur-functor", "[2]", "a.json"}}) {
      std::vector<std::string> arguments = question;
      arguments.insert(arguments.end(), {"-o", std::string("x") + extension, "-q"});
      const Run r = run(arguments, folder.path());
      CAPTURE(arguments, r.err);
      REQUIRE(r.status == 0);
    }
}

TEST_CASE("answers as arrays", "[apps][quick]") {
  const Folder folder;
  const auto ok = [&](const std::vector<std::string>& arguments) {
    const Run r = run(arguments, folder.path());
    CAPTURE(arguments, r.err);
    REQUIRE(r.status == 0);
    return r.out;
  };
  for (const char* file : {"c.npy", "c.npz"}) ok({"chartable", "A5", "-o", file, "-q"});
  ok({"irreps", "A5", "-o", "i.npz", "-q"});
  ok({"irreps", "A5", "2", "-o", "i.npy", "-q"});
  REQUIRE(refusal({"irreps", "A5", "-o", "all.npy"}, folder.path()).find("--index K") != std::string::npos);
  ok({"kernels", "S4", "--from-subgroup", "S3", "--to-subgroup", "S3", "-o", "k.npy", "-o", "k.npz", "-q"});
  ok({"basis", "S4", "-o", "b.npy", "-q"});
  ok({"tie", "S4", "-o", "codes.npy", "-q"});
  REQUIRE(contents(folder.path() / "codes.npy").ends_with("\1\2\2\2\2\1\2\2\2\2\1\2\2\2\2\1"));
  REQUIRE(refusal({"tie", "SO(3)", "vector", "vector", "-o", "codes2.npy"}, folder.path()).find("no codes") !=
          std::string::npos);
}

TEST_CASE("HDF5 files are Python's", "[apps][quick]") {
  const Folder folder;
  for (const std::vector<std::string>& question : {std::vector<std::string>{"tie", "S4", "-o", "t.h5"},
                                                   {"tie", "S5", "16*perm", "8*perm", "-o", "blocks.hdf5"},
                                                   {"tie", "S(n)", "perm", "perm", "-o", "sizes.h5"},
                                                   {"chartable", "A5", "-o", "c.h5"},
                                                   {"irreps", "A5", "-o", "i.hdf5"}}) {
    CAPTURE(question);
    CHECK(refusal(question, folder.path()).find("use Python with h5py") != std::string::npos);
  }
  CHECK(folder.names().empty());
  for (const char* name : {"tied.h5", "blocks.h5", "diagrams.h5"})
    for (const char* command : {"verify", "table", "init"}) {
      CAPTURE(name, command);
      const Run r = run({command, test_data() + "/hdf5_tables/" + name});
      CHECK(r.status == 2);
      CHECK(r.err.find("HDF5 is not read here") != std::string::npos);
    }
}

TEST_CASE("kernels and saved tables as pictures", "[apps][quick]") {
  const Folder folder;
  for (const char* file : {"k.svg", "k.png", "k.html"}) {
    const Run r = run({"kernels", "SE(2)", "vector", "vector", "-o", file, "-q"}, folder.path());
    CAPTURE(file, r.err);
    REQUIRE(r.status == 0);
    REQUIRE(r.out.empty());
    REQUIRE_FALSE(contents(folder.path() / file).empty());
  }
  REQUIRE(contents(folder.path() / "k.svg").find("SE(2)") != std::string::npos);
  REQUIRE(run({"kernels", "S4", "--from-subgroup", "S3", "--to-subgroup", "S3", "-o", "s.svg"}, folder.path()).status ==
          0);
  REQUIRE(refusal({"kernels", "A4", "--from", "irrep(2)", "-o", "c.svg"}, folder.path()).find(".npz") !=
          std::string::npos);
  REQUIRE(run({"tie", "S4", "-o", "t.safetensors", "-o", "t.svg"}, folder.path()).status == 0);
  const Run drawn =
      run({"table", "t.safetensors", "-o", "again.svg", "-o", "again.png", "-o", "codes.npy"}, folder.path());
  CAPTURE(drawn.err);
  REQUIRE(drawn.status == 0);
  REQUIRE(drawn.out.find("drew         again.svg") != std::string::npos);
  REQUIRE(run({"table", "t.safetensors"}, folder.path()).out.find("A B B B") != std::string::npos);
  REQUIRE(run({"table", "t.safetensors", "--json"}, folder.path()).out.find("\"params\": 2") != std::string::npos);
  // One of sparse elements is described, and has no picture in letters.
  REQUIRE(run({"tie", "S4", "irrep(3)", "-o", "e.json"}, folder.path()).status == 0);
  const Run sparse = run({"table", "e.json"}, folder.path());
  REQUIRE(sparse.status == 0);
  REQUIRE(sparse.out.find("1 parameters, bias 0; sparse elements") != std::string::npos);
  REQUIRE(refusal({"table", "t.safetensors", "-o", "t.pdf"}, folder.path()).find(".svg") != std::string::npos);
  REQUIRE(run({"tie", "S5", "2*perm + 3*trivial", "perm", "-o", "b.npz"}, folder.path()).status == 0);
  REQUIRE(refusal({"table", "b.npz", "-o", "b.svg"}, folder.path()).find("several blocks") != std::string::npos);
}

TEST_CASE("point groups as correlation tables", "[apps][quick]") {
  REQUIRE(run({"branch", "Oh", "Td"}).out.find("\nT2u  T1\n") != std::string::npos);
  REQUIRE(run({"chartable", "Oh", "Td"}).out == run({"branch", "Oh", "Td"}).out);
  REQUIRE(printed({"branch", "Oh", "D4h", "T2g"}, "csv") == "Oh,D4h\nT2g,B2g + Eg\n");
  REQUIRE(printed({"branch", "Oh", "O", "harmonic(2)"}, "csv") == "Oh,O\nharmonic(2),E + T2\n");
  REQUIRE(refusal({"branch", "Td", "D4"}).find("no subgroup of Td") != std::string::npos);
  REQUIRE(run({"branch", "Oh", "Td", "Xg"}).status == 2);
}

TEST_CASE("help shows what examples with files print", "[apps][quick]") {
  for (const auto& [command, says] : {std::pair("molecule", "C2v"),
                                      {"crystal", "P4_2/mnm"},
                                      {"run", "$ intertwine run layer.safetensors"},
                                      {"init", "theta.npy"},
                                      {"verify", "layer.safetensors: verified"},
                                      {"symmetrize", "s.npy"},
                                      {"table", "A B B B"}}) {
    if (command == std::string("crystal") && !intertwine::has_space_group_search()) continue;
    const Run r = run({command, "--help"});
    CAPTURE(command, r.err);
    REQUIRE(r.status == 0);
    const std::size_t at = r.out.rfind("$ intertwine ");
    REQUIRE(at != std::string::npos);
    REQUIRE(r.out.find(says, at) != std::string::npos);
    REQUIRE(r.out.find("/tmp/", at) == std::string::npos);
  }
}
