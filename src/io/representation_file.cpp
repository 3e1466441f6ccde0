#include "representation_file.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "io/exact_entries.hpp"
#include "io/containers/strict_json.hpp"

namespace intertwine {

namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& message) {
  throw FileError(fmt::format("{}: {}", path.string(), message));
}

const json& member(const std::filesystem::path& path, const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) fail(path, fmt::format("the key \"{}\" is missing", key));
  return *found;
}

/// One entry as a signed point; `is_signed`: 1-based with a sign, otherwise 0-based.
SignedPoint entry(const std::filesystem::path& path, const json& value, bool is_signed, std::uint64_t degree,
                  std::size_t image) {
  const char* range = is_signed ? "1-based with a sign" : "0-based";
  if (!value.is_number_integer())
    fail(path, fmt::format("image {} holds something that is no integer of 64 bits; the lists are {}",
                           image + 1, range));
  const bool huge = value.is_number_unsigned() && value.get<std::uint64_t>() > max_degree;
  const std::int64_t x = huge ? 0 : value.get<std::int64_t>();
  const std::int64_t limit = static_cast<std::int64_t>(degree);
  const bool fits = is_signed ? x != 0 && x <= limit && x >= -limit : x >= 0 && x < limit;
  if (huge || !fits)
    fail(path, fmt::format("image {} holds {}, out of range for the degree {}; the lists are {}", image + 1,
                           value.dump(), degree, range));
  return is_signed ? SignedPoint(static_cast<Point>(std::abs(x) - 1), x < 0)
                   : SignedPoint(static_cast<Point>(x));
}

SignedPermutation image_of_generator(const std::filesystem::path& path, const json& list, bool is_signed,
                                     std::uint64_t degree, std::size_t image) {
  if (!list.is_array() || list.size() != degree)
    fail(path, fmt::format("image {} is no list of {} integers, the degree", image + 1, degree));
  std::vector<SignedPoint> points;
  points.reserve(list.size());
  for (const json& value : list) points.push_back(entry(path, value, is_signed, degree, image));
  try {
    return SignedPermutation(std::move(points));
  } catch (const DomainError& e) {
    fail(path, fmt::format("image {} is no permutation: {}", image + 1, e.what()));
  }
}

}  // namespace

/// The list with one entry a generator.
const json& images_of(const std::filesystem::path& path, const json& document, const FiniteGroup& G) {
  const json& lists = member(path, document, "images");
  if (!lists.is_array()) fail(path, "images must be a list with one list for every generator of the group");
  if (lists.size() != G.generators().size())
    fail(path, fmt::format("there are {} images, but {} has {} generators", lists.size(), G.name(),
                           G.generators().size()));
  return lists;
}

/// {"type": "matrix", "dimension": d, "images": [[["0","-1"],["1","0"]], ...]}
Representation from_matrices(const FiniteGroup& G, const std::filesystem::path& path, const json& document,
                             const Task& task) {
  const json& dimension = member(path, document, "dimension");
  constexpr std::uint64_t largest_dimension = 1U << 16;
  if (!dimension.is_number_unsigned() || dimension.get<std::uint64_t>() > largest_dimension)
    fail(path, "the dimension must be an integer from 0 to 65536");
  const json& list = images_of(path, document, G);
  const auto d = dimension.get<std::size_t>();
  if (list.empty()) return std::uint64_t{d} * trivial_representation(G);
  std::vector<FieldMatrix> images;
  for (std::size_t k = 0; k < list.size(); ++k) try {
      images.push_back(matrix_from_json(list[k], d));
    } catch (const MatrixFault& fault) {
      fail(path, fmt::format("image {}: {}", k + 1, fault.text));
    }
  return matrix_representation(G, images, {}, task);
}

Representation read_representation(const FiniteGroup& G, const std::filesystem::path& path,
                                   const Task& task) {
  constexpr std::uint64_t largest_file = 256U << 20, bytes_in_memory = 16;
  const std::string text = read_file(path, largest_file);
  task.require_memory(bytes_in_memory * text.size(), "the representation file");
  const json document = parse_strict_json(text, path.string(), {8, largest_file});
  if (!document.is_object())
    fail(path, "a representation file is a JSON object with the keys type, degree and images");
  const json& type = member(path, document, "type");
  if (type == "matrix") return from_matrices(G, path, document, task);
  if (type != "permutation" && type != "signed")
    fail(path, "the type must be \"permutation\", \"signed\" or \"matrix\"");
  const json& degree = member(path, document, "degree");
  if (!degree.is_number_unsigned() || degree.get<std::uint64_t>() > max_degree)
    fail(path, "the degree must be an integer from 0 to 2^31 - 1");
  const json& lists = images_of(path, document, G);
  // Without generators every representation is a multiple of the trivial one.
  if (lists.empty()) return degree.get<std::uint64_t>() * trivial_representation(G);
  std::vector<SignedPermutation> images;
  for (std::size_t k = 0; k < lists.size(); ++k)
    images.push_back(image_of_generator(path, lists[k], type == "signed", degree.get<std::uint64_t>(), k));
  return monomial_representation(G, std::move(images), {}, task);
}

}  // namespace intertwine
