// Reads answers back from files and proves them.
#include "intertwine/io/answer_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <type_traits>
#include <utility>

#include "intertwine/io/containers.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/kernels_file.hpp"
#include "intertwine/io/polynomial_maps_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/table_container.hpp"
#include "io/containers/text.hpp"
#include "io/expressions/exact_entries.hpp"
#include "io/expressions/json_reader.hpp"
#include "io/files/named_group.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t largest_file = std::uint64_t{256} << 20, most_values = std::uint64_t{1} << 26;
constexpr unsigned deepest = 9;

class FormsReader : JsonReader {
 public:
  FormsReader(const Json& document, const std::string& name, const Task& task)
      : JsonReader(document, name), task_(task) {}

  IrreducibleForms read(std::vector<std::string>* claims) const {
    return faults_named([&] { return read(parse_finite_group(expression("group"), task_), claims); });
  }

  /// Reads the representations of a group that is known.
  IrreducibleForms read(const FiniteGroup& G, std::vector<std::string>* claims) const {
    return faults_named([&] {
      IrreducibleForms found = forms(G);
      add_unread(claims);
      return found;
    });
  }

 private:
  IrreducibleForms forms(const FiniteGroup& G) const {
    if (key("generators").dump() != json_value(G.generators()).dump())
      throw VerificationError(fmt::format("{}: \"generators\" are not those of \"group\", {}", name_, shown(G.name())));
    IrreducibleForms forms{character_table(G, task_), base_field(text("over")), {}, {}};
    require("order", document_, G.order().str());
    std::set<std::size_t> seen;
    for (const Json& object : list("irreps", key("irreps"))) {
      task_.poll();
      forms.entries.push_back(entry(object, forms.table));
      check_statements(object, forms);
      for (const std::size_t row : forms.entries.back().form.rows)
        if (!seen.insert(row).second)
          throw VerificationError(
              fmt::format("{}: two representations have row {} of the character table", name_, row));
    }
    return forms;
  }

  /// \throws VerificationError where a key that need not be there says something else
  void require(const char* name, const Json& object, const Json& expected) const {
    if (object.contains(name) && key(name, object) != expected)
      throw VerificationError(fmt::format("{}: \"{}\" says {}, but what holds is {}", name_, name,
                                          excerpt(key(name, object)), excerpt(expected)));
  }

  /// Rows have other names where a group is known by its generators only: others than ours are the writer's word.
  void accept(const char* name, const Json& object, const Json& ours) const {
    if (object.contains(name) && object[name] == ours) key(name, object);
  }

  /// Checks the statements of an entry on its rows and its field. Over the complex numbers it is one row, once; over
  /// others the seed and the construction are of complex matrices that the file does not hold.
  void check_statements(const Json& object, const IrreducibleForms& forms) const {
    const auto& [complex, form] = forms.entries.back();
    const CharacterTable& table = forms.table;
    if (form.rows.empty()) throw VerificationError(name_ + ": \"rows\" names no row of the table");
    if (complex.row != form.rows.front() ||
        (forms.over == BaseField::complex && (form.rows.size() != 1 || form.multiplicity != 1)))
      throw VerificationError(
          fmt::format("{}: irrep {} is not the first of its \"rows\", or not once the only one", name_, complex.row));
    Json names = Json::array();
    for (const std::size_t row : form.rows) names.push_back(table.name(row));
    const AbelianField K = form.representation.field();
    leave_unchecked("construction", object);
    if (forms.over != BaseField::complex) leave_unchecked("seed", object);
    if (forms.over != BaseField::complex || !complex.over_character_field)
      leave_unchecked("over_character_field", object);
    require("indicator", object, table.indicator(complex.row));
    accept("name", object, table.name(complex.row));
    accept("names", object, names);
    if (!object.contains("field")) return;
    const Json& field = key("field", object);
    if (!field.is_object()) fail("\"field\" is no object with the name and the degree of a field");
    require("name", field, K.to_string());
    require("degree", field, K.degree());
  }

  IrreducibleForms::Entry entry(const Json& object, const CharacterTable& table) const {
    const std::uint64_t last = table.size() - 1;
    std::vector<std::size_t> rows;
    for (const Json& row : list("rows", key("rows", object))) rows.push_back(number(row, last, "rows"));
    const Representation V = representation(object, table.group());
    const Json& within = key("over_character_field", object);
    if (!within.is_boolean()) fail("\"over_character_field\" is neither true nor false");
    const auto multiplicity = number(key("multiplicity", object), V.dimension(), "multiplicity");
    return {{static_cast<std::size_t>(number(key("irrep", object), last, "irrep")), V, seed(object, table.group()),
             text("construction", object), within.get<bool>()},
            {rows, multiplicity, V}};
  }

  Representation representation(const Json& object, const FiniteGroup& G) const {
    constexpr std::uint64_t largest_dimension = 1U << 16;
    const Rational degree = parse_rational(text("degree", object));
    if (denominator(degree) != 1 || degree < 1 || degree > largest_dimension)
      fail("\"degree\" is no whole number from 1 to 65536");
    const auto d = degree.convert_to<std::size_t>();
    const Json& matrices = list("matrices", key("matrices", object));
    if (matrices.size() != G.generators().size())
      fail(fmt::format("there are {} matrices, but {} has {} generators", matrices.size(), G.name(),
                       G.generators().size()));
    if (matrices.empty()) return std::uint64_t{d} * trivial_representation(G);
    std::vector<FieldMatrix> images;
    for (const Json& matrix : matrices) images.push_back(matrix_from_json(matrix, d, task_));
    try {
      return matrix_representation(G, images, {}, task_);
    } catch (const DomainError& e) {
      throw VerificationError(fmt::format("{}: {}", name_, e.what()));
    }
  }

  MultiplicityOneSeed seed(const Json& object, const FiniteGroup& G) const {
    const Json& found = key("seed", object);
    MultiplicityOneSeed seed;
    for (const Json& g : list("generators", key("generators", found))) {
      if (!g.is_string()) fail("\"generators\" of a seed: " + excerpt(g) + " is no string of cycles");
      seed.generators.push_back(parse_permutation(g.get_ref<const std::string&>(), G.degree()));
    }
    seed.values = numbers("values", found);
    const std::vector<Cyclotomic> vector = numbers("vector", found);
    seed.vector = matrix_of_entries(vector.size(), 1, vector);
    return seed;
  }

  std::vector<Cyclotomic> numbers(const char* name, const Json& object) const {
    std::vector<Cyclotomic> result;
    for (const Json& value : list(name, key(name, object))) {
      const auto number = cyclotomic_from_json(value, task_);
      if (!number) fail(fmt::format("\"{}\": {} is no exact number", name, excerpt(value)));
      result.push_back(*number);
    }
    return result;
  }

  const Task& task_;
};

}  // namespace

IrreducibleForms parse_irreducible_forms(std::string_view text, const std::string& name, const Task& task,
                                         std::vector<std::string>* claims) {
  task.require_memory(32 * std::uint64_t{text.size()}, "the matrices of " + name);
  return FormsReader(parse_strict_json(text, name, {deepest, most_values}), name, task).read(claims);
}

namespace {

/// Keys that stand for all that is in them, "irreps.field" for "irreps.field.name", those in one of each list.
std::set<std::string> unread_by_both(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  std::set<std::string> both;
  for (const std::string& a : one)
    for (const std::string& b : other)
      if (a == b || b.starts_with(a + "."))
        both.insert(b);
      else if (a.starts_with(b + "."))
        both.insert(a);
  return both;
}

}  // namespace

ProvedCharacters verify(const ProofFile& file, const Task& task) {
  std::visit([&](const auto& claim) { verify(claim, task); }, file.claim);
  const auto* matrices = std::get_if<MatricesClaim>(&file.claim);
  const GroupClaim& claim = matrices != nullptr ? matrices->group : std::get<CharacterClaim>(file.claim).group;
  ProvedCharacters proved{file.group,           claim.order,         claim.classes.size(),
                          claim.classes.size(), matrices != nullptr, file.claims};
  const FiniteGroup G = named_group(FiniteGroup::with_known_order(claim.degree, claim.generators, {}, claim.order),
                                    "group", file.group, proved.claims, task);
  if (matrices == nullptr) return proved;
  proved.characters = matrices->entries.size();
  const std::string name = "the representations";
  const auto document = parse_strict_json(file.text, name, {deepest, most_values});
  std::vector<std::string> beyond;
  verify(FormsReader(document, name, task).read(G, &beyond), task);
  // Some keys are of the proof, others of the rows and seeds.
  std::set<std::string> claims = unread_by_both(proved.claims, beyond);
  for (const std::string& word : proved.claims)
    if (word.starts_with("group \"")) claims.insert(word);
  proved.claims.assign(claims.begin(), claims.end());
  return proved;
}

namespace {

/// Names keys that the verification of tables does not see: those within proofs, and in a file of blocks those beside
/// its blocks. The producer of such a file is that of the blocks.
void add_unread_keys(const Metadata& metadata, bool blocks, std::vector<std::string>& claims) {
  static const std::set<std::string_view> of_blocks = {"format",   "version", "kind",    "parts_out",
                                                       "parts_in", "sha256",  "producer"},
                                          of_proofs = {"form", "generators", "generator_kinds", "prime", "root"};
  constexpr std::string_view prefix = "intertwine.";
  std::set<std::string> found;
  for (const auto& [key, value] : metadata) {
    if (!key.starts_with(prefix)) continue;
    const std::string_view own = std::string_view(key).substr(prefix.size()),
                           block = blocks ? array_names::block_of(own) : "";
    if (blocks && block.empty() && !of_blocks.contains(own)) found.insert(shown(own));
    if (own.substr(block.size()) != "proof") continue;
    const auto proof = parse_strict_json(value, "the metadata entry " + key);
    if (!proof.is_object()) continue;  // who reads it says so
    for (const auto& [name, member] : proof.items())
      if (!of_proofs.contains(name)) found.insert("proof." + shown(name, 40));
  }
  claims.insert(claims.end(), found.begin(), found.end());
}

}  // namespace

Provable read_provable(const std::filesystem::path& path, const Task& task, std::vector<std::string>* claims) {
  const auto table = [&]() -> Provable {
    const Metadata metadata = open_container(path, {}, task).stored.metadata;
    const auto found = metadata.find("intertwine.kind");
    const std::string kind = found == metadata.end() ? "" : found->second;
    if (kind == "diagram") return read_diagrams(path, task);
    if (claims != nullptr) add_unread_keys(metadata, kind == "blocks", *claims);
    return read_table(path, task);
  };
  if (path.extension() != ".json") return table();
  const std::string text = read_file(path, largest_file), name = shown_path(path);
  task.require_memory(32 * std::uint64_t{text.size()}, "the JSON of " + name);
  const auto document = parse_strict_json(text, name, {.values = most_values});
  // By its command, or by its keys; where both are there they have to agree.
  const auto is = [&](const char* command, std::initializer_list<const char*> keys) {
    if (!document.is_object()) return false;
    const bool named = document.contains("command"), same = named && document["command"] == command;
    const bool looks = std::any_of(keys.begin(), keys.end(), [&](const char* key) { return document.contains(key); });
    if (looks && named && !same)
      throw FileError(fmt::format("{}: \"command\" is {}, but its keys are those of {}", name,
                                  shown(document["command"].dump(), 40), command));
    return same || looks;
  };
  if (is("polynomials", {"monomials"}))
    return std::visit([](auto&& F) -> Provable { return std::move(F); },
                      parse_polynomial_maps(text, name, task, claims));
  const bool forms = is("irreps", {"irreps"}), characters = is("chartable", {"irreducibles"});
  if (characters || (document.is_object() && document.contains("proof"))) return parse_proof_file(text, name, task);
  if (is("kernels", {"double_cosets"}))
    return std::visit([](auto&& kernels) -> Provable { return std::move(kernels); },
                      parse_space_kernels(text, name, task, claims));
  if (forms) return FormsReader(document, name, task).read(claims);
  return table();
}

Proved verify_file(const std::filesystem::path& path, const Task& task, std::vector<std::string>* claims) {
  std::vector<std::string> unread;
  Provable claim = read_provable(path, task, &unread);
  const auto named = [&](const Error& e) {
    const std::string what = e.what(), name = path.string();
    return what.starts_with(name) ? what : name + ": " + what;
  };
  const auto proved = [&]<class Answer>(Answer& answer) -> Proved {
    if constexpr (std::is_same_v<Answer, DiagramTable>) {
      return verify(std::move(answer), task);
    } else if constexpr (std::is_same_v<Answer, WeightTable>) {
      TableProof found = verify(answer, task);
      if (found.is_single()) {
        std::move(unread.begin(), unread.end(), std::back_inserter(found.blocks.front().front().claims));
        unread.clear();
      }
      return found;
    } else if constexpr (std::is_same_v<Answer, ProofFile>) {
      return verify(answer, task);
    } else {
      verify(answer, task);
      return std::move(answer);
    }
  };
  try {
    Proved found = std::visit(proved, claim);
    if (claims != nullptr) std::move(unread.begin(), unread.end(), std::back_inserter(*claims));
    return found;
  } catch (const VerificationError& e) {
    throw VerificationError(named(e));
  } catch (const ParseError& e) {
    throw FileError(fmt::format("{}, at character {} of its text", named(e), e.position() + 1));
  } catch (const FileError& e) {
    throw FileError(named(e));
  } catch (const DomainError& e) {
    throw FileError(named(e));
  }
}

namespace {

template <class Maps>
std::string text_of_maps_proof(const Maps& F, const std::string& group, const char* equivariant) {
  return fmt::format("  group        {}\n", group) +
         fmt::format("  maps         {} of degree {}, {} -> {}\n", F.maps.size(), F.degree, F.source.to_string(),
                     F.target.to_string()) +
         fmt::format("  equivariant  {}\n", equivariant) +
         fmt::format("  complete     independent, and {} counted again\n", F.maps.size());
}

template <class Maps>
OrderedJson json_of_maps_proof(const Maps& F, OrderedJson json) {
  json["in"] = F.source.to_string();
  json["out"] = F.target.to_string();
  json["degree"] = F.degree;
  json["dimension"] = F.maps.size();
  return json;
}

std::string proof_text(const PolynomialMaps& F) {
  const FiniteGroup& G = F.source.group();
  return text_of_maps_proof(F, fmt::format("{}, order {}", G.name(), G.order().str()),
                            "every F(g x) - g F(x), multiplied out for every generator g, is zero");
}

std::string proof_text(const ContinuousPolynomialMaps& F) {
  return text_of_maps_proof(
      F, F.source.group().name(),
      "every F(g x) - g F(x) and F'(x) X x - X F(x), multiplied out for every generator g or X, is zero");
}

/// How many rows of the character table are in some representation.
std::size_t covered_rows(const IrreducibleForms& forms) {
  std::size_t rows = 0;
  for (const IrreducibleForms::Entry& entry : forms.entries) rows += entry.form.rows.size();
  return rows;
}

std::string proof_text(const IrreducibleForms& forms) {
  const FiniteGroup& G = forms.table.group();
  const std::size_t rows = covered_rows(forms);
  return fmt::format("  group        {}, order {}\n", G.name(), G.order().str()) +
         fmt::format(
             "  matrices     {} over the {} numbers, {}\n",
             counted(std::to_string(forms.entries.size()), "irreducible representation", "irreducible representations"),
             to_string(forms.over),
             rows == forms.table.size()
                 ? "all there are"
                 : fmt::format("of {} of the {} rows of the character table", rows, forms.table.size())) +
         "  proved       each extends from the generators to the group, with the characters of its rows\n";
}

std::string proof_text(const ProvedCharacters& proved) {
  const std::string what = proved.matrices ? "irreducible representation" : "irreducible character";
  const std::string number = counted(std::to_string(proved.characters), what, what + "s");
  const std::string all = proved.characters == proved.classes ? "all there are" : fmt::format("of {}", proved.classes);
  return fmt::format("  group        {}, order {}\n", shown(proved.group), proved.order.str()) +
         fmt::format("  {}{}, {}\n", proved.matrices ? "matrices     " : "characters   ", number, all) +
         "  proved       from the proof in the file: the order by its chain, the classes by their sizes, " +
         (proved.matrices ? "the matrices by products along the chain\n" : "the rows as sums of induced characters\n") +
         (proved.claims.empty()
              ? ""
              : fmt::format("  not checked  the writer's word: {}\n", fmt::join(proved.claims, "; ")));
}

OrderedJson proof_json(const ProvedCharacters& proved) {
  const OrderedJson json = {{"group", proved.group},
                            {"order", proved.order.str()},
                            {"classes", proved.classes},
                            {proved.matrices ? "representations" : "characters", proved.characters},
                            {"claims", proved.claims}};
  return json;
}

OrderedJson proof_json(const PolynomialMaps& F) {
  const FiniteGroup& G = F.source.group();
  return json_of_maps_proof(F, {{"group", G.name()}, {"order", G.order().str()}});
}

OrderedJson proof_json(const ContinuousPolynomialMaps& F) {
  return json_of_maps_proof(F, {{"group", F.source.group().name()}});
}

OrderedJson proof_json(const IrreducibleForms& forms) {
  const OrderedJson json = {{"group", forms.table.group().name()}, {"order", forms.table.group().order().str()},
                            {"over", to_string(forms.over)},       {"representations", forms.entries.size()},
                            {"rows", covered_rows(forms)},         {"classes", forms.table.size()}};
  return json;
}

template <class Kernels>
std::string text_of_kernels_proof(const Kernels& kernels, std::string_view count) {
  return fmt::format("  group        {}\n", shown(kernels.group.name())) +
         fmt::format("  kernels      {}, {} -> {}\n", kernels.params(), kernels.source.to_string(),
                     kernels.target.to_string()) +
         "  equivariant  every polynomial is harmonic, and turned as the fields are by every generator\n" +
         fmt::format("  complete     independent, and {}\n", count);
}

template <class Kernels>
OrderedJson json_of_kernels_proof(const Kernels& kernels) {
  const OrderedJson json = {{"group", kernels.group.name()},
                            {"in", kernels.source.to_string()},
                            {"out", kernels.target.to_string()},
                            {"params", kernels.params()},
                            {"dimension", kernels.dimension().str()}};
  return json;
}

std::string proof_text(const SteerableKernels& kernels) {
  return text_of_kernels_proof(
      kernels, fmt::format("{} counted again over the stabilizer {} of a point", kernels.params(), kernels.stabilizer));
}

std::string proof_text(const PointKernels& kernels) {
  return text_of_kernels_proof(kernels, fmt::format("{} counted again by characters, degree by degree up to {}",
                                                    kernels.params(), kernels.most));
}

OrderedJson proof_json(const SteerableKernels& kernels) { return json_of_kernels_proof(kernels); }

OrderedJson proof_json(const PointKernels& kernels) { return json_of_kernels_proof(kernels); }

std::string proof_text(const KernelSpace& kernels) {
  const auto side = [](const Representation& V) {
    return fmt::format("{} of {}", shown(V.to_string()), shown(V.group().name()));
  };
  return fmt::format("  group        {}\n", shown(kernels.group().name())) +
         fmt::format("  kernels      {}, {} -> {}\n", kernels.dimension(), side(kernels.source()),
                     side(kernels.target())) +
         "  equivariant  on every double coset the values satisfy rho(s) kappa(g) = kappa(g) sigma(g^-1 s "
         "g), and s is all of its stabilizer\n" +
         fmt::format("  complete     independent, {} in all, and {} counted again by characters\n",
                     counted(std::to_string(kernels.blocks().size()), "double coset", "double cosets"),
                     kernels.dimension());
}

OrderedJson proof_json(const KernelSpace& kernels) {
  const auto side = [](const Representation& V) {
    return OrderedJson{{"subgroup", V.group().name()}, {"rep", V.to_string(TextForm::checked)}};
  };
  const OrderedJson json = {{"group", kernels.group().name()},
                            {"from", side(kernels.source())},
                            {"to", side(kernels.target())},
                            {"double_cosets", kernels.blocks().size()},
                            {"dimension", kernels.dimension()}};
  return json;
}

}  // namespace

Record proof_record(Kept<ProvedCharacters> proved) {
  return {.fields = at_once([=](const Task&) { return proof_json(*proved); }),
          .text = [=](unsigned, const Task&) { return proof_text(*proved); }};
}

Record proof_record(Kept<IrreducibleForms> forms) {
  return {.fields = at_once([=](const Task&) { return proof_json(*forms); }),
          .text = [=](unsigned, const Task&) { return proof_text(*forms); }};
}

Record proof_record(Kept<PolynomialMaps> maps) {
  return {.fields = at_once([=](const Task&) { return proof_json(*maps); }),
          .text = [=](unsigned, const Task&) { return proof_text(*maps); }};
}

Record proof_record(Kept<ContinuousPolynomialMaps> maps) {
  return {.fields = at_once([=](const Task&) { return proof_json(*maps); }),
          .text = [=](unsigned, const Task&) { return proof_text(*maps); }};
}

Record proof_record(Kept<SteerableKernels> kernels) {
  return {.fields = at_once([=](const Task&) { return proof_json(*kernels); }),
          .text = [=](unsigned, const Task&) { return proof_text(*kernels); }};
}

Record proof_record(Kept<PointKernels> kernels) {
  return {.fields = at_once([=](const Task&) { return proof_json(*kernels); }),
          .text = [=](unsigned, const Task&) { return proof_text(*kernels); }};
}

Record proof_record(Kept<KernelSpace> kernels) {
  return {.fields = at_once([=](const Task&) { return proof_json(*kernels); }),
          .text = [=](unsigned, const Task&) { return proof_text(*kernels); }};
}

}  // namespace intertwine
