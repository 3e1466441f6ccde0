// Diagrams as users type and read them.
#include <catch2/catch.hpp>
#include <filesystem>

#include "intertwine/error.hpp"
#include "intertwine/io/answer_file.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/diagram_text.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/records.hpp"
#include "tables.hpp"

using namespace intertwine;
using test_tables::Folder;

TEST_CASE("representations of every size are words of axes", "[io][quick]") {
  const auto words = [](const char* group, const char* in, const char* out) {
    const DiagramTable t = parse_diagrams(group, in, out, true).value();
    return t.axes_in + " -> " + t.axes_out + " " + std::to_string(t.channels.in) + " " +
           std::to_string(t.channels.out) + " " + groups_text(t);
  };
  CHECK(words("S(n)", "", "") == "a -> a 1 1 S(n)");
  CHECK(words("S(n)", "8*perm^2", "2*3*(perm * perm)^2") == "aa -> aaaa 8 6 S(n)");
  CHECK(words("S(n)", "(4*perm)", "trivial") == "a ->  4 1 S(n)");
  CHECK(words("B(n)", "coordinates^2", "unsigned") == "aa -> a+ 1 1 B(n)");
  CHECK(words("GL(n)", "vector*dual(vector)", "") == "aa* -> aa* 1 1 GL(n)");
  CHECK(words("S(n) x O(3)", "", "5*(perm^2 # trivial)") == "ab -> aa 1 5 S(n) on a, O(3) on b");
  CHECK(words("S(n) x S(n)", "trivial # perm", "perm # trivial") == "b -> a 1 1 S(n) on a, S(n) on b");
  CHECK(words("S(n) x S(m)", "perm # perm", "perm # trivial") == "ab -> a 1 1 S(n) on a, S(n) on b");
  CHECK((names_every_size("S(n)") && names_every_size("O(3) x S(m)") && names_every_size("C2 x O(n)") &&
         !names_every_size("S5 x O(3)")));
  CHECK_FALSE(parse_diagrams("S5 x O(3)", "", "", true));
  const auto fails = [](const char* group, const char* in, const char* what) {
    CAPTURE(group, in);
    CHECK_THROWS_WITH(parse_diagrams(group, in, "", true), Catch::Contains(what));
  };
  fails("S(n)", "perm + perm", "a layer of its own for every summand");
  fails("S(n)", "vector", "expected perm");
  fails("O(n)", "dual(vector)", "expected vector");
  fails("GL(n)", "dual(perm)", "dual of one axis");
  fails("S(n)", "perm^0", "a number from 1");
  fails("S(n)", "perm^99999999999", "a number from 1");
  fails("S(n)", "perm perm", "unexpected text");
  fails("S(n)", "((perm)", "')'");
  fails("S(n) x O(n)", "perm", "2 factors");
  fails("S(n) x D4", "perm # perm", "there are diagrams for");
  fails("SO(n)", "vector", "say which");
  fails("S(n)", "perm^60^60", "64 axes");
  fails("S(n)", "0*perm", "from 1");
  fails("S(n)", "perm^20", "use fewer axes");
  CHECK_THROWS_WITH(parse_finite_group("S(n)"), Catch::Contains("for every n"));
}

TEST_CASE("diagrams are written as sums over indices", "[io][quick]") {
  const auto texts = [](const char* out, const char* in, const char* group, bool mean) {
    const DiagramTable t = diagram_table(out, in, {parse_diagram_group(group)}, mean);
    std::string all;
    for (std::uint64_t p = 0; p < t.params; ++p) all += diagram_text(t, t.diagram(p)) + "; ";
    for (std::uint64_t q = 0; q < t.bias_params; ++q) all += diagram_text(t, t.bias_diagram(q), true) + "; ";
    return all;
  };
  CHECK(texts("a", "a", "S(n)", true) == "y[i] = x[i]; y[i] = mean x[j]; y[i] = 1; ");
  CHECK(texts("", "aa", "S(n)", false) == "y = sum x[i,i]; y = sum x[i,j]; y = 1; ");
  CHECK(texts("a", "aa", "SO(3)", true) == "y[i] = det[i,j,k] x[j,k]; ");
  CHECK(texts("", "aa", "Sp(n)", false) == "y = sum J[i,j] x[i,j]; y = 1; ");
  CHECK(texts("aa", "", "Sp(n)", true) == "y[i,j] = J[i,j] x; y[i,j] = J[i,j]; ");
}

TEST_CASE("files of diagrams are proved", "[io][quick]") {
  const Folder folder;
  for (const char* form : {"safetensors", "npz", "json"}) {
    const auto path = folder / (std::string("diagrams.") + form);
    const std::string sha256 = write_diagrams(path, *parse_diagrams("S(n)", "8*perm^2", "", true));
    CHECK(table_kind(path) == "diagram");
    const Proved proved = verify_file(path);
    const auto& proof = std::get<DiagramProof>(proved);
    CHECK(proof.is_complete());
    CHECK(to_text(proof_record(proof)) ==
          "  maps         aa -> aa over S(n)\n  diagrams     15, and 2 of the bias: all there are\n"
          "  dimension    1 at n = 1, 8 at n = 2, 14 at n = 3, 15 at n = 4: from there on the diagrams are a "
          "basis\n  not checked  the writer's word: producer\n");
    CHECK(to_json(proof_record(proof)).find(sha256) != std::string::npos);
    CHECK(to_json(record(proof.table)).find("bias_diagrams") != std::string::npos);
    CHECK(to_text(record(proof.table)).find("theta[14]") != std::string::npos);
  }
}
