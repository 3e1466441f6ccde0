// The same questions to LiE 2.2 (van Leeuwen, Cohen and Lisser), where it is installed as `lie`.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "intertwine/reductive/weight_character.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

bool lie_is_installed() { return std::system("command -v lie > /dev/null 2>&1") == 0; }

/// What LiE prints, its polynomials one after the other in the order of the lines.
std::vector<std::vector<WeightTerm>> ask_lie(const std::vector<std::string>& lines) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("intertwine-lie-" + std::to_string(test_rng().below(1'000'000'000)));
  std::filesystem::create_directory(folder);
  {
    std::ofstream input(folder / "in");
    input << "maxobjects 9999999\n";
    for (const std::string& line : lines) input << line << "\nprint(\"next\")\n";
  }
  const std::string command = "cd '" + folder.string() + "' && lie < in > out 2>&1";
  REQUIRE(std::system(command.c_str()) == 0);
  std::ifstream output(folder / "out");
  std::stringstream all;
  all << output.rdbuf();
  std::filesystem::remove_all(folder);
  std::vector<std::vector<WeightTerm>> result;
  std::string text = all.str();
  static const std::regex term(R"((-?\d+)X\[([^\]]*)\])");
  for (std::size_t at; (at = text.find("next")) != std::string::npos; text.erase(0, at + 4)) {
    std::string part = text.substr(0, at);
    part.erase(std::remove_if(part.begin(), part.end(), [](char c) { return c == ' ' || c == '\n'; }), part.end());
    result.emplace_back();
    for (std::sregex_iterator it(part.begin(), part.end(), term), end; it != end; ++it) {
      Weight weight;
      std::stringstream labels((*it)[2].str());
      for (std::string label; std::getline(labels, label, ',');) weight.push_back(std::stoi(label));
      result.back().push_back({std::move(weight), Integer((*it)[1].str())});
    }
  }
  return result;
}

Weight random_weight(const RootSystem& R, Rng& rng, int most) {
  Weight w(R.rank(), 0);
  for (int k = 0; k < most; ++k) ++w[rng.below(R.rank())];
  return w;
}

}  // namespace

TEST_CASE("LiE says the same", "[reductive][quick]") {
  if (!lie_is_installed()) {
    WARN("LiE is not installed (Debian package lie): not compared");
    return;
  }
  Rng rng = test_rng();
  std::vector<std::string> questions;
  std::vector<std::vector<WeightTerm>> answers;
  for (const LieType& type :
       {LieType{'A', 3}, {'B', 3}, {'C', 3}, {'D', 4}, {'D', 5}, {'F', 4}, {'G', 2}, {'E', 6}, {'A', 2}}) {
    const RootSystem R({type});
    const int size = R.rank() > 3 ? 2 : 3;
    for (int trial = 0; trial < test_multiplier(); ++trial) {
      const Weight a = random_weight(R, rng, size), b = random_weight(R, rng, size), c = random_weight(R, rng, 1);
      questions.push_back("tensor(" + to_string(a) + "," + to_string(b) + "," + R.name() + ")");
      answers.push_back(tensor_product(LieCharacter(R, a), LieCharacter(R, b)).terms());
      questions.push_back("dom_char(" + to_string(a) + "," + R.name() + ")");
      answers.push_back(dominant_character(R, a).terms());
      questions.push_back("alt_tensor(3," + to_string(c) + "," + R.name() + ")");
      answers.push_back(exterior_power(3, LieCharacter(R, c)).terms());
      if (R.rank() > 3) continue;
      questions.push_back("plethysm([2,2]," + to_string(c) + "," + R.name() + ")");
      answers.push_back(schur_functor({2, 2}, LieCharacter(R, c)).terms());
    }
  }
  const auto said = ask_lie(questions);
  REQUIRE(said.size() == questions.size());
  for (std::size_t k = 0; k < questions.size(); ++k) {
    CAPTURE(questions[k]);
    std::vector<WeightTerm> theirs = said[k];
    std::sort(theirs.begin(), theirs.end(), [](const auto& x, const auto& y) { return x.weight > y.weight; });
    CHECK(theirs == answers[k]);
  }
}
