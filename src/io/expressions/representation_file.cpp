// Reads files of representations by matrices.
#include "representation_file.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "io/containers/strict_json.hpp"
#include "io/expressions/exact_entries.hpp"
#include "io/expressions/json_reader.hpp"

namespace intertwine {

namespace {

/// Images by matrices, of whatever group.
class ImageReader : protected JsonReader {
 public:
  ImageReader(const Json& document, const std::string& name, const Task& task)
      : JsonReader(document, name), task_(task) {}
  MatrixImages matrices() const {
    if (key("type") != "matrix") fail("the type must be \"matrix\"");
    MatrixImages out{matrices_of(list("images", key("images")), dimension(), "image"), {}};
    if (!document_.contains("generators")) return out;
    const Json& generators = list("generators", key("generators"));
    const std::size_t size = !generators.empty() && generators[0].is_array() ? generators[0].size() : std::size_t{0};
    out.generators = matrices_of(generators, size, "generator");
    return out;
  }

 protected:
  /// {"type": "matrix", "dimension": d, "images": [[["0","-1"],["1","0"]], ...]}
  std::vector<FieldMatrix> matrices_of(const Json& images, std::size_t d, const char* what) const {
    std::vector<FieldMatrix> matrices;
    for (std::size_t k = 0; k < images.size(); ++k) try {
        matrices.push_back(matrix_from_json(images[k], d, task_));
      } catch (const MatrixFault& fault) {
        fail(fmt::format("{} {}: {}", what, k + 1, fault.text));
      }
    return matrices;
  }
  std::size_t dimension() const { return static_cast<std::size_t>(number(key("dimension"), 1U << 16, "dimension")); }

  const Task& task_;
};

class RepresentationReader : ImageReader {
 public:
  RepresentationReader(const FiniteGroup& G, const Json& document, const std::string& name, const Task& task)
      : ImageReader(document, name, task), G_(G) {}

  Representation read() const {
    const Json& type = key("type");
    if (type == "matrix") return from_matrices();
    if (type != "permutation" && type != "signed") fail("the type must be \"permutation\", \"signed\" or \"matrix\"");
    const std::uint64_t degree = number(key("degree"), max_degree, "degree");
    const Json& lists = images();
    // Without generators every representation is a multiple of the trivial one.
    if (lists.empty()) return degree * trivial_representation(G_);
    std::vector<SignedPermutation> images;
    for (std::size_t k = 0; k < lists.size(); ++k)
      images.push_back(image_of_generator(lists[k], type == "signed", degree, k));
    return monomial_representation(G_, std::move(images), {}, task_);
  }

 private:
  /// One entry as a signed point; `is_signed`: 1-based with a sign, otherwise 0-based.
  SignedPoint entry(const Json& value, bool is_signed, std::uint64_t degree, std::size_t image) const {
    const char* range = is_signed ? "1-based with a sign" : "0-based";
    if (!value.is_number_integer())
      fail(fmt::format("image {} holds something that is no integer of 64 bits; the lists are {}", image + 1, range));
    const bool huge = value.is_number_unsigned() && value.get<std::uint64_t>() > max_degree;
    const std::int64_t x = huge ? 0 : value.get<std::int64_t>();
    const std::int64_t limit = static_cast<std::int64_t>(degree);
    const bool fits = is_signed ? x != 0 && x <= limit && x >= -limit : x >= 0 && x < limit;
    if (huge || !fits)
      fail(fmt::format("image {} holds {}, out of range for the degree {}; the lists are {}", image + 1, value.dump(),
                       degree, range));
    return is_signed ? SignedPoint(static_cast<Point>(std::abs(x) - 1), x < 0) : SignedPoint(static_cast<Point>(x));
  }

  SignedPermutation image_of_generator(const Json& list, bool is_signed, std::uint64_t degree,
                                       std::size_t image) const {
    if (!list.is_array() || list.size() != degree)
      fail(fmt::format("image {} is no list of {} integers, the degree", image + 1, degree));
    std::vector<SignedPoint> points;
    points.reserve(list.size());
    for (const Json& value : list) points.push_back(entry(value, is_signed, degree, image));
    try {
      return SignedPermutation(std::move(points));
    } catch (const DomainError& e) {
      fail(fmt::format("image {} is no permutation: {}", image + 1, e.what()));
    }
  }

  /// The list with one entry a generator.
  const Json& images() const {
    const Json& lists = list("images", key("images"));
    if (lists.size() != G_.generators().size())
      fail(fmt::format("there are {} images, but {} has {} generators", lists.size(), G_.name(),
                       G_.generators().size()));
    return lists;
  }

  Representation from_matrices() const {
    const Json& list = images();
    if (list.empty()) return std::uint64_t{dimension()} * trivial_representation(G_);
    return matrix_representation(G_, matrices_of(list, dimension(), "image"), {}, task_);
  }

  const FiniteGroup& G_;
};

nlohmann::json representation_document(const std::filesystem::path& path, const Task& task) {
  constexpr std::uint64_t largest_images = 256U << 20, bytes_in_memory = 16;
  const std::string text = read_file(path, largest_images);
  task.require_memory(bytes_in_memory * text.size(), "the representation file");
  return parse_strict_json(text, path.string(), {8, largest_images});
}

}  // namespace

Representation read_representation(const FiniteGroup& G, const std::filesystem::path& path, const Task& task) {
  return RepresentationReader(G, representation_document(path, task), path.string(), task).read();
}

MatrixImages read_matrix_images(const std::filesystem::path& path, const Task& task) {
  return ImageReader(representation_document(path, task), path.string(), task).matrices();
}

}  // namespace intertwine
