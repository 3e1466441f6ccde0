// Kernels on R^n and between homogeneous spaces read back from JSON.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "intertwine/groups/subgroups.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/kernels_file.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "io/answers/json_values.hpp"
#include "io/containers/strict_json.hpp"
#include "io/expressions/exact_entries.hpp"
#include "io/expressions/json_reader.hpp"
#include "overloaded.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t most_kernel_values = std::uint64_t{1} << 26;

class KernelsReader : JsonReader {
 public:
  KernelsReader(const Json& document, const std::string& name, const Task& task)
      : JsonReader(document, name), task_(task) {}

  SpaceKernels read(std::vector<std::string>* claims) const {
    return faults_named([&]() -> SpaceKernels {
      const std::string group = expression("group");
      SpaceKernels found =
          document_.contains("double_cosets")
              ? SpaceKernels(homogeneous_kernels(group))
              : std::visit(Overloaded{[&](const OrthogonalAction& G) -> SpaceKernels { return point_kernels(G); },
                                      [&](const EuclideanGroup& G) -> SpaceKernels { return steerable_kernels(G); },
                                      [&](const FiniteGroup& G) -> SpaceKernels {
                                        fail("kernels under " + G.name() + " have double cosets");
                                      }},
                           parse_kernel_group(group, task_));
      add_unread(claims);
      return found;
    });
  }

 private:
  KernelSpace homogeneous_kernels(const std::string& group) const {
    const FiniteGroup G = parse_finite_group(group, task_);
    require_text("convention", "kappa(h g k) = rho(h) kappa(g) sigma(k)");
    const auto field = [&](const char* side) {
      const Json& object = key(side);
      const std::string subgroup = text("subgroup", object);
      if (subgroup.find('@') != std::string::npos)
        fail(fmt::format("\"subgroup\" of \"{}\" refers to another file", side));
      const FiniteGroup H = on_points_of(G, parse_finite_group(subgroup, task_), task_);
      if (text("order", object) != H.order(task_).str())
        fail(fmt::format("\"order\" of \"{}\" is not {}", side, H.order().str()));
      const Representation V = parse_representation(H, representation(side), task_);
      require_dimension(side, V.dimension());
      return V;
    };
    const Representation sigma = field("from"), rho = field("to");
    const AbelianField K = AbelianField::compositum(sigma.field(), rho.field());
    require_text("field", K.to_string());
    std::vector<KernelBlock> blocks;
    for (const Json& object : list("double_cosets", key("double_cosets")))
      blocks.push_back(double_coset(object, G.degree(), rho.dimension(), sigma.dimension(), K));
    KernelSpace kernels = given_kernels(G, rho, sigma, std::move(blocks), task_);
    const auto require_count = [&](const char* name, bool same, const std::string& count) {
      if (!same) throw VerificationError(fmt::format("{}: \"{}\" is {}, counted again", name_, name, count));
    };
    constexpr std::uint64_t most = std::uint64_t{1} << 62U;
    const Json& certificate = key("certificate");
    const std::string listed = std::to_string(kernels.dimension());
    require_count("dimension", number(key("dimension"), most, "dimension") == kernels.dimension(), listed);
    require_count("mackey_dimension",
                  number(key("mackey_dimension", certificate), most, "mackey_dimension") == kernels.dimension(),
                  listed);
    require_count("character_dimension",
                  text("character_dimension", certificate) == kernels.character_dimension().str(),
                  kernels.character_dimension().str());
    return kernels;
  }

  KernelBlock double_coset(const Json& object, std::size_t degree, std::uint64_t m, std::uint64_t n,
                           const AbelianField& K) const {
    std::vector<Permutation> stabilizer;
    for (const Json& g : list("stabilizer", key("stabilizer", object))) {
      if (!g.is_string()) fail("\"stabilizer\": " + excerpt(g) + " is no string of cycles");
      stabilizer.push_back(parse_permutation(g.get_ref<const std::string&>(), degree));
    }
    const FiniteGroup S(degree, std::move(stabilizer));
    if (text("stabilizer_order", object) != S.order(task_).str())
      throw VerificationError(
          fmt::format("{}: \"stabilizer_order\" is {} of what generates the stabilizer", name_, S.order().str()));
    const Rational size = parse_rational(text("size", object));
    if (denominator(size) != 1 || size < 1) fail("\"size\" is no whole number above 0");
    std::vector<IntertwinerSpace::Element> elements;
    for (const Json& matrix : list("values", key("values", object))) {
      task_.poll();
      elements.push_back(value(matrix, m, n, K));
    }
    if (number(key("kernels", object), most_kernel_values, "kernels") != elements.size())
      throw VerificationError(fmt::format("{}: \"kernels\" of a double coset says another number than its {} values",
                                          name_, elements.size()));
    return {parse_permutation(text("representative", object), degree), numerator(size), S,
            IntertwinerSpace(m, n, std::move(elements), K)};
  }

  IntertwinerSpace::Element value(const Json& matrix, std::uint64_t m, std::uint64_t n, const AbelianField& K) const {
    const Json& rows = lists("values", matrix, static_cast<std::size_t>(n));
    if (rows.size() != m) fail(fmt::format("\"values\": a matrix has {} rows, not {}", rows.size(), m));
    std::vector<std::pair<std::uint64_t, std::vector<Rational>>> entries;
    for (std::uint64_t i = 0; i < m; ++i)
      for (std::uint64_t j = 0; j < n; ++j) {
        const auto entry = cyclotomic_from_json(rows[i][j], task_);
        if (!entry || !K.contains(*entry))
          fail(fmt::format("\"values\": {} is no exact number in {}", excerpt(rows[i][j]), K.to_string()));
        if (*entry != 0) entries.emplace_back(i * n + j, K.coordinates(*entry));
      }
    if (entries.empty()) throw VerificationError(fmt::format("{}: a kernel is 0", name_));
    return element(entries, K.degree());
  }

  SteerableKernels steerable_kernels(const EuclideanGroup& G) const {
    require_text("point_group", G.point_group().name());
    require_text("convention", "kappa(h x) = rho_out(h) kappa(x) rho_in(h)^-1");
    const auto field = [&](const char* name) {
      const std::string rep = representation(name);
      const ContinuousRepresentation V = parse_stored_representation(G.point_group(), rep, task_);
      require_dimension(name, V.dimension());
      return V;
    };
    const ContinuousRepresentation V = field("in"), U = field("out");
    StabilizerCount count = count_by_stabilizer(G, V, U, task_);
    SteerableKernels kernels{
        G, V, U, {channels("out"), channels("in")}, {}, std::move(count.count), std::move(count.stabilizer)};
    const std::uint64_t entries = V.dimension() * U.dimension();
    for (const Json& object : list("degrees", key("degrees"))) {
      SteerableKernels::Degree part{degree(object), monomials(object, G.dimension()), {}};
      for (const Json& kernel : lists("kernels", key("kernels", object), 0)) {
        std::vector<SparseMatrix::Entry> values;
        each_entry(kernel, part.monomials.size(), U.dimension(), V.dimension(),
                   [&](std::uint64_t row, std::uint64_t place, const Cyclotomic& value) {
                     if (!value.is_rational()) fail("coefficients of kernels under Lie groups are rational numbers");
                     values.push_back({row, place, value.to_rational()});
                   });
        part.kernels.emplace_back(part.monomials.size(), entries, std::move(values));
      }
      kernels.degrees.push_back(std::move(part));
    }
    require_counts(kernels);
    if (text("stabilizer_dimension", key("certificate")) != kernels.by_stabilizer.dimension.str())
      throw VerificationError(fmt::format("{}: \"stabilizer_dimension\" is {}, counted again", name_,
                                          kernels.by_stabilizer.dimension.str()));
    return kernels;
  }

  PointKernels point_kernels(const OrthogonalAction& action) const {
    const FiniteGroup& G = action.group();
    require_text("point_group", G.name());
    require_text("convention", "kappa(g x) = rho_out(g) kappa(x) rho_in(g)^-1");
    if (key("generators").dump() != json_value(G.generators()).dump())
      throw VerificationError(fmt::format("{}: \"generators\" are not those of \"group\", {}", name_, shown(G.name())));
    require_matrices(action);
    const auto field = [&](const char* name) {
      const std::string rep = representation(name);
      const Representation V = parse_representation(G, rep, task_);
      require_dimension(name, V.dimension());
      return V;
    };
    const Representation V = field("in"), U = field("out");
    const auto most = static_cast<unsigned>(number(key("up_to_degree"), max_kernel_degree, "up_to_degree"));
    PointKernels kernels{action, V, U, {channels("out"), channels("in")}, most, {}};
    PointKernelCount counted(action, V, U, task_);
    for (const Json& object : list("degrees", key("degrees")))
      kernels.degrees.push_back(part(object, kernels, counted));
    require_counts(kernels);
    require_text("order", G.order().str());
    require_text("field", kernels.field().to_string());
    const Json& counts = list("by_characters", key("by_characters", key("certificate")));
    bool same = counts.size() == kernels.degrees.size();
    for (std::size_t k = 0; k < counts.size() && same; ++k)
      same = number(key("degree", counts[k]), max_kernel_degree, "degree") == kernels.degrees[k].degree &&
             text("dimension", counts[k]) == kernels.degrees[k].by_characters.dimension.str();
    if (!same)
      throw VerificationError(
          fmt::format("{}: \"by_characters\" says other numbers than characters, counted again", name_));
    return kernels;
  }

  PointKernels::Degree part(const Json& object, const PointKernels& kernels, PointKernelCount& counted) const {
    const unsigned L = degree(object);
    auto exponents = monomials(object, kernels.group.dimension());
    const std::uint64_t m = kernels.target.dimension(), n = kernels.source.dimension();
    const AbelianField K = kernels.field();
    std::vector<IntertwinerSpace::Element> elements;
    for (const Json& kernel : lists("kernels", key("kernels", object), 0)) {
      std::vector<std::pair<std::uint64_t, std::vector<Rational>>> values;
      each_entry(kernel, exponents.size(), m, n, [&](std::uint64_t row, std::uint64_t place, const Cyclotomic& value) {
        if (!K.contains(value))
          fail(fmt::format("\"kernels\": {} is not in {}", excerpt(Json(to_string(value))), K.to_string()));
        values.emplace_back(row * m * n + place, K.coordinates(value));
      });
      if (values.empty()) throw VerificationError(fmt::format("{}: a kernel of degree {} is 0", name_, L));
      elements.push_back(element(values, K.degree()));
    }
    return {L, exponents, IntertwinerSpace(exponents.size(), m * n, std::move(elements), K), counted(L)};
  }

  /// Integral coordinates of a multiple.
  static IntertwinerSpace::Element element(const std::vector<std::pair<std::uint64_t, std::vector<Rational>>>& values,
                                           std::size_t f) {
    Integer bottom = 1;
    for (const auto& [place, coordinates] : values)
      for (const Rational& c : coordinates) bottom = lcm(bottom, Integer(denominator(c)));
    IntertwinerSpace::Element element;
    element.value = IntegerMatrix(f, values.size());
    for (std::size_t e = 0; e < values.size(); ++e) {
      element.place.push_back(values[e].first);
      for (std::size_t c = 0; c < f; ++c)
        element.value.set(c, e, Integer(numerator(values[e].second[c] * Rational(bottom))));
    }
    return element;
  }

  void require_matrices(const OrthogonalAction& action) const {
    const FiniteGroup& G = action.group();
    const Json& matrices = list("matrices", key("matrices"));
    bool same = matrices.size() == G.generators().size();
    for (std::size_t k = 0; k < matrices.size() && same; ++k)
      same =
          matrix_from_json(matrices[k], action.dimension(), task_) == action.matrices().field_matrix(G.generators()[k]);
    if (!same)
      throw VerificationError(
          fmt::format("{}: \"matrices\" are not those by which {} turns R^{}", name_, G.name(), action.dimension()));
  }

  unsigned degree(const Json& object) const {
    return static_cast<unsigned>(number(key("degree", object), max_kernel_degree, "degree"));
  }
  std::vector<std::vector<unsigned>> monomials(const Json& object, unsigned n) const {
    std::vector<std::vector<unsigned>> all;
    for (const Json& powers : lists("monomials", key("monomials", object), n)) {
      task_.poll();
      auto& monomial = all.emplace_back();
      for (const Json& power : powers)
        monomial.push_back(static_cast<unsigned>(number(power, max_kernel_degree, "monomials")));
    }
    return all;
  }
  template <class Call>
  void each_entry(const Json& kernel, std::uint64_t monomials, std::uint64_t m, std::uint64_t n, Call call) const {
    std::uint64_t next = 0;
    for (const Json& entry : lists("kernels", kernel, 4)) {
      task_.poll();
      const auto coefficient = cyclotomic_from_json(entry[3], task_);
      if (!coefficient || *coefficient == 0)
        fail(fmt::format("\"kernels\": {} is no exact number other than 0", excerpt(entry[3])));
      if (monomials == 0 || m == 0 || n == 0) fail("\"kernels\" have entries where there is no place for one");
      const std::uint64_t row = number(entry[0], monomials - 1, "kernels"),
                          place = number(entry[1], m - 1, "kernels") * n + number(entry[2], n - 1, "kernels");
      if (row * m * n + place < next) fail("\"kernels\": the entries of a kernel are not in their order");
      next = row * m * n + place + 1;
      call(row, place, *coefficient);
    }
  }

  std::string representation(const char* side) const {
    std::string found = text("rep", key(side));
    if (found.find('@') != std::string::npos) fail(fmt::format("\"rep\" of \"{}\" refers to another file", side));
    return found;
  }
  std::uint64_t channels(const char* side) const {
    const std::uint64_t k = number(key("channels", key(side)), std::uint64_t{1} << 31U, "channels");
    if (k == 0) fail("\"channels\" are at least 1");
    return k;
  }
  void require_dimension(const char* side, std::uint64_t dimension) const {
    constexpr std::uint64_t largest = std::uint64_t{1} << 31U;
    if (number(key("dimension", key(side)), largest, "dimension") != dimension || dimension >= largest)
      fail(fmt::format("\"dimension\" of \"{}\" is not {}", side, dimension));
  }
  void require_text(const char* name, std::string_view value) const {
    if (text(name) != value) fail(fmt::format("\"{}\" is not \"{}\"", name, value));
  }
  template <class Kernels>
  void require_counts(const Kernels& kernels) const {
    if (number(key("params"), std::uint64_t{1} << 62U, "params") != kernels.params())
      throw VerificationError(
          fmt::format("{}: \"params\" says another number than the {} kernels of the file", name_, kernels.params()));
    if (text("dimension") != kernels.dimension().str())
      throw VerificationError(
          fmt::format("{}: \"dimension\" is {} with the channels of the file", name_, kernels.dimension().str()));
  }

  const Task& task_;
};

}  // namespace

SpaceKernels parse_space_kernels(std::string_view text, const std::string& name, const Task& task,
                                 std::vector<std::string>* claims) {
  task.require_memory(32 * std::uint64_t{text.size()}, "the kernels of " + name);
  const auto document = parse_strict_json(text, name, {.values = most_kernel_values});
  return KernelsReader(document, name, task).read(claims);
}

}  // namespace intertwine
