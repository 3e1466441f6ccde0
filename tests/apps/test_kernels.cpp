// kernels, run as a user runs it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"

using namespace test_apps;
using Json = nlohmann::json;

namespace {

Json kernels_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "kernels");
  arguments.emplace_back("--json");
  const Run r = run(arguments);
  CAPTURE(r.out, r.err);
  REQUIRE(r.status == 0);
  return Json::parse(r.out);
}

}  // namespace

TEST_CASE("kernels in JSON and files", "[apps][quick]") {
  const Json points = kernels_of({"S4", "--from-subgroup", "S3", "--to-subgroup", "S3"});
  REQUIRE(points["command"] == "kernels");
  REQUIRE(points["dimension"] == 2);
  REQUIRE(points["certificate"]["mackey_dimension"] == 2);
  REQUIRE(points["certificate"]["character_dimension"] == "2");
  REQUIRE(points["from"]["order"] == "6");
  REQUIRE(points["double_cosets"].size() == 2);
  REQUIRE(points["double_cosets"][0]["representative"] == "()");
  REQUIRE(points["double_cosets"][1]["size"] == "18");
  REQUIRE(points["double_cosets"][1]["stabilizer_order"] == "2");
  REQUIRE(points["double_cosets"][1]["values"] == Json::parse(R"([[["1"]]])"));
  // Without subgroups the kernels are the maps of `basis`; with C1 they are functions on the group.
  REQUIRE(kernels_of({"S4", "--from", "perm", "--to", "perm"})["dimension"] == 2);
  REQUIRE(kernels_of({"S4", "--from-subgroup", "C1", "--to-subgroup", "C1"})["dimension"] == 24);
  // Over larger fields.
  for (const auto& [to, dimension] : {std::pair("irrep(2)", 0), std::pair("irrep(3)", 1), std::pair("irrep(4)", 1)}) {
    const Json field = kernels_of({"A4", "--from-subgroup", "<(1,2,3)>", "--from", "irrep(2)", "--to", to});
    REQUIRE(field["field"] == "Q(E(3))");
    REQUIRE(field["dimension"] == dimension);
  }
  const Folder folder;
  REQUIRE(run({"kernels", "S3", "-o", "kernels.json", "-q"}, folder.path()).status == 0);
  REQUIRE(Json::parse(contents(folder.path() / "kernels.json"))["dimension"] == 1);
}

TEST_CASE("files of kernels between homogeneous spaces are proved", "[apps][quick]") {
  const Folder folder;
  REQUIRE(run({"kernels", "S5", "--from-subgroup", "S4", "--from", "std", "--to-subgroup", "<(1,2,3,4,5),(2,3,5,4)>",
               "--to", "irrep(2)", "-o", "k.json", "-q"},
              folder.path())
              .status == 0);
  const Run proved = run({"verify", "k.json"}, folder.path());
  CAPTURE(proved.out, proved.err);
  REQUIRE(proved.status == 0);
  REQUIRE(proved.out.find("1 double coset in all") != std::string::npos);
  Json document = Json::parse(contents(folder.path() / "k.json"));
  REQUIRE(Json::parse(run({"verify", "k.json", "--json"}, folder.path()).out)["dimension"] == document["dimension"]);
  document["double_cosets"][0]["size"] = "7";
  write(folder.path() / "k.json", document.dump());
  const Run refused = run({"verify", "k.json"}, folder.path());
  REQUIRE(refused.status == 4);
  REQUIRE(refused.err.find("120 elements, not 7") != std::string::npos);
}

TEST_CASE("wrong input to kernels is one line and status 2", "[apps][quick]") {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"kernels"},
                                             {"kernels", "S4", "--from-subgroup", "S5"},
                                             {"kernels", "A4", "--to-subgroup", "<(1,2)>"},
                                             {"kernels", "S4", "--from", "irrep(9)"},
                                             {"kernels", "S4", "--to-subgroup", "S3", "--to", "irrep(4)"},
                                             {"kernels", "S4", "--subgroup", "S3"},
                                             {"kernels", "S4", "-o", "kernels.pdf"}}) {
    const Run r = run(arguments);
    CAPTURE(arguments, r.out, r.err);
    REQUIRE(r.status == 2);
    REQUIRE(r.out.empty());
    REQUIRE(r.err.starts_with("intertwine: error: "));
  }
  REQUIRE(run({"kernels", "S9", "--from-subgroup", "C1", "--to-subgroup", "C1", "--max-memory", "1M"}).status == 3);
  REQUIRE(run({"kernels", "--help"}).out.find("double cosets") != std::string::npos);
}
