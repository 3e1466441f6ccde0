// Character tables and irreducible representations with proofs, read as strangers' files.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "intertwine/io/answer_file.hpp"
#include "io/containers/strict_json.hpp"
#include "io/expressions/exact_entries.hpp"
#include "io/expressions/json_reader.hpp"

namespace intertwine {

namespace {

constexpr JsonLimits proof_limits{9, std::uint64_t{1} << 26};

class ProofReader : JsonReader {
 public:
  ProofReader(const Json& document, const std::string& name, const Task& task)
      : JsonReader(document, name), task_(task) {}

  ProofFile read() const {
    return faults_named([&] { return file(); });
  }

 private:
  static constexpr std::uint64_t most = max_degree;

  ProofFile file() const {
    if (!document_.contains("proof")) throw FileError(name_ + ": it has no proof: write it with one", Remedy::proof);
    const Json& proof = key("proof");
    const std::string form = text("form", proof);
    ProofFile file{text("group"), {}, {}, {}};
    if (form == "characters")
      file.claim = table(proof);
    else if (form == "representations")
      file.claim = matrices(proof);
    else
      fail(fmt::format("\"form\": {} is no form of a proof", shown(form, 40)));
    add_unread(&file.claims);
    return file;
  }

  Integer whole(const char* name, const Json& value) const {
    const Rational x =
        value.is_string() ? parse_rational(value.get_ref<const std::string&>()) : Rational(number(value, most, name));
    if (denominator(x) != 1) fail(fmt::format("\"{}\": {} is no whole number", name, excerpt(value)));
    return numerator(x);
  }
  std::uint32_t small(const char* name, const Json& value) const {
    return static_cast<std::uint32_t>(number(value, most, name));
  }
  int sign(const Json& value) const {
    if (!value.is_number_integer() || value < -1 || value > 1)
      fail(fmt::format("an indicator is {}, not -1, 0 or 1", excerpt(value)));
    return value.get<int>();
  }

  std::vector<Permutation> permutations(const char* name, const Json& texts, std::size_t degree) const {
    task_.require_memory(list(name, texts).size() * degree * sizeof(Point), "the permutations of " + name_);
    std::vector<Permutation> result;
    for (const Json& text : texts) {
      task_.poll();
      if (!text.is_string()) fail(fmt::format("\"{}\": {} is no string of cycles", name, excerpt(text)));
      result.push_back(parse_permutation(text.get_ref<const std::string&>(), degree));
    }
    return result;
  }

  GroupClaim group(const Json& proof, const Json& classes) const {
    GroupClaim claim;
    claim.degree = number(key("degree", proof), most, "degree");
    for (const Json& object : list("classes", classes)) {
      task_.poll();
      std::vector<Point> images;  // as many as the degree: nothing is made on the word of a number
      for (const Json& y : list("representative", key("representative", object)))
        images.push_back(small("representative", y));
      if (images.size() != claim.degree)
        fail(fmt::format("a representative has {} images, and the degree is {}", images.size(), claim.degree));
      claim.classes.push_back({Permutation(std::move(images)), whole("size", key("size", object)),
                               number(key("element_order", object), ~std::uint64_t{0}, "element_order"),
                               whole("centralizer_order", key("centralizer_order", object))});
    }
    if (claim.classes.empty()) fail("\"classes\" is empty");
    claim.order = whole("order", key("order"));
    claim.generators = permutations("generators", key("generators", proof), claim.degree);
    for (const Json& b : list("base", key("base", proof))) claim.proof.base.push_back(small("base", b));
    for (const Json& s : list("strong_generators", key("strong_generators", proof)))
      claim.proof.strong.push_back(small("strong_generators", s));
    for (const Json& letters : lists("words", key("words", proof), 0)) {
      Word& word = claim.proof.words.emplace_back();
      for (const Json& x : letters) {
        if (!x.is_number_integer() || x < -static_cast<std::int64_t>(most) || x > most)
          fail(fmt::format("\"words\": {} is no letter", excerpt(x)));
        word.push_back(x.get<std::int32_t>());
      }
    }
    return claim;
  }

  std::vector<Cyclotomic> row(const Json& values) const {
    std::vector<Cyclotomic> result;
    for (const Json& value : values) {
      const auto found = cyclotomic_from_json(value, task_);
      if (!found) fail(fmt::format("\"irreducibles\": {} is no exact number", excerpt(value)));
      result.push_back(*found);
    }
    return result;
  }

  CharacterClaim table(const Json& proof) const {
    CharacterClaim claim;
    claim.group = group(proof, key("classes"));
    for (const Json& values : lists("irreducibles", key("irreducibles"), 0)) {
      task_.poll();
      claim.rows.push_back(row(values));
    }
    for (const Json& value : list("indicators", key("indicators"))) claim.indicators.push_back(sign(value));
    const Json& maps = key("power_maps");
    if (!maps.is_object()) fail("\"power_maps\" is no object");
    for (const auto& [prime, images] : maps.items()) {
      const Integer p = whole("power_maps", prime);
      if (p < 1 || p > most) fail(fmt::format("\"power_maps\": {} is no exponent", shown(prime, 40)));
      auto& map = claim.power_maps[p.convert_to<std::uint64_t>()];
      for (const Json& image : list("power_maps", images)) map.push_back(number(image, most, "power_maps"));
    }
    for (const Json& generators : lists("subgroups", key("subgroups", proof), 0))
      claim.subgroups.push_back(permutations("subgroups", generators, claim.group.degree));
    for (const Json& object : list("linear_characters", key("linear_characters", proof))) {
      CharacterProof::Linear lambda{
          small("subgroup", key("subgroup", object)), small("order", key("order", object)), {}};
      for (const Json& e : list("exponents", key("exponents", object)))
        lambda.exponents.push_back(small("exponents", e));
      claim.linear.push_back(std::move(lambda));
    }
    for (const Json& terms : lists("combinations", key("combinations", proof), 0)) {
      auto& combination = claim.combinations.emplace_back();
      for (const Json& term : lists("combinations", terms, 2))
        combination.emplace_back(number(term[0], most, "combinations"), whole("combinations", term[1]));
    }
    return claim;
  }

  MatricesClaim matrices(const Json& proof) const {
    MatricesClaim claim;
    claim.group = group(proof, key("classes", proof));
    const std::vector<Permutation> own = permutations("generators", key("generators"), claim.group.degree);
    for (std::size_t k = 0; k < std::max(own.size(), claim.group.generators.size()); ++k)
      if (k >= own.size() || k >= claim.group.generators.size() || own[k] != claim.group.generators[k])
        throw VerificationError(
            fmt::format("{}: generator {} of the proof is not the one whose image is in the file", name_, k));
    for (const Json& object : list("irreps", key("irreps"))) {
      task_.poll();
      constexpr std::uint64_t largest_dimension = 1U << 16;
      const Integer degree = whole("degree", key("degree", object));
      if (degree < 1 || degree > largest_dimension) fail("\"degree\" is no whole number from 1 to 65536");
      MatricesClaim::Entry entry{number(key("irrep", object), most, "irrep"),
                                 degree.convert_to<std::size_t>(),
                                 {},
                                 sign(key("indicator", object))};
      for (const Json& matrix : list("matrices", key("matrices", object)))
        entry.matrices.push_back(matrix_from_json(matrix, entry.degree, task_));
      claim.entries.push_back(std::move(entry));
    }
    return claim;
  }

  const Task& task_;
};

}  // namespace

ProofFile parse_proof_file(std::string text, const std::string& name, const Task& task) {
  task.require_memory(32 * std::uint64_t{text.size()}, "the proof in " + name);
  ProofFile file = ProofReader(parse_strict_json(text, name, proof_limits), name, task).read();
  file.text = std::move(text);
  return file;
}

}  // namespace intertwine
