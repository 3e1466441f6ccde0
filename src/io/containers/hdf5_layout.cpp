#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "intertwine/error.hpp"
#include "io/containers/hdf5.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

// Section numbers are those of the specification, version 3.0.
constexpr std::uint64_t undefined = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t array_alignment = 64;
constexpr unsigned children_of_node = 32;  // 2 K of the tree's nodes, K = 16 as everywhere
constexpr std::uint64_t least_collection = 4096;
constexpr std::size_t max_attributes = 65000, max_key_bytes = 60000;

// Bytes put together, little-endian.
class Bytes {
 public:
  Bytes& number(std::uint64_t value, unsigned bytes) {
    for (unsigned k = 0; k < bytes; ++k)  // some fields are longer than a number
      text_ += k < sizeof value ? static_cast<char>((value >> (8 * k)) & 0xFF) : '\0';
    return *this;
  }
  Bytes& text(std::string_view bytes) {
    text_ += bytes;
    return *this;
  }
  // Zeros up to a multiple of 8, or to a size.
  Bytes& pad() { return pad_to((text_.size() + 7) / 8 * 8); }
  Bytes& pad_to(std::uint64_t size) {
    text_.resize(size, '\0');
    return *this;
  }
  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

std::string as_string(std::initializer_list<unsigned char> bytes) { return {bytes.begin(), bytes.end()}; }

// IV.A.2.d, class 1: IEEE doubles.
std::string double_type() {
  return as_string({0x11, 0x20, 0x3f, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0});
}

std::string type_of(Dtype dtype) {
  if (dtype == Dtype::f64) return double_type();
  if (dtype == Dtype::c128) {  // a compound of r and i, which is how NumPy's numbers lie in HDF5
    Bytes type;
    type.text(as_string({0x16, 2, 0, 0, 16, 0, 0, 0}));
    for (const char* part : {"r", "i"})
      type.text(Bytes().text(part).pad_to(8).str())
          .number(*part == 'r' ? 0 : 8, 4)
          .text(std::string(28, '\0'))
          .text(double_type());
    return type.str();
  }
  const bool is_signed = dtype == Dtype::i32 || dtype == Dtype::i64;
  const unsigned bytes = item_bytes(dtype);
  return Bytes()
      .text(as_string({0x10, static_cast<unsigned char>(is_signed ? 8 : 0), 0, 0}))
      .number(bytes, 4)
      .number(0, 2)
      .number(8 * bytes, 2)
      .str();
}

// IV.A.1.b: a message of an object header, in the older form.
std::string message(unsigned type, const std::string& body, unsigned flags = 0) {
  const std::string padded = Bytes().text(body).pad().str();
  return Bytes().number(type, 2).number(padded.size(), 2).number(flags, 4).text(padded).str();
}

std::string object_header(const std::vector<std::string>& messages) {
  std::string body;
  for (const std::string& one : messages) body += one;
  return Bytes()
      .number(1, 2)
      .number(messages.size(), 2)
      .number(1, 4)
      .number(body.size(), 4)
      .number(0, 4)
      .text(body)
      .str();
}

// IV.A.2.b
std::string dataspace(const std::vector<std::uint64_t>& shape) {
  Bytes bytes;
  bytes.number(1, 1).number(shape.size(), 1).number(0, 6);
  for (const std::uint64_t side : shape) bytes.number(side, 8);
  return bytes.str();
}

std::string dataset_header(const PlannedArray& array, std::uint64_t offset) {
  constexpr unsigned constant = 1;
  return object_header({message(1, dataspace(array.shape)), message(3, type_of(array.dtype), constant),
                        message(5, as_string({2, 2, 2, 1, 0, 0, 0, 0}), constant),  // the usual fill value
                        message(8, Bytes()
                                       .number(3, 1)
                                       .number(1, 1)
                                       .number(array.bytes == 0 ? undefined : offset, 8)
                                       .number(array.bytes, 8)
                                       .str())});
}

// IV.A.2.m: a string of variable length, object number `index` of the collection.
std::string attribute(const std::string& key, std::uint64_t length, std::uint64_t collection,
                      std::uint64_t index) {
  const std::string name = key + '\0',
                    type = as_string({0x19, 1, 1, 0, 16, 0, 0, 0, 0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0}),
                    space = dataspace({});
  return message(12, Bytes()
                         .number(1, 2)
                         .number(name.size(), 2)
                         .number(type.size(), 2)
                         .number(space.size(), 2)
                         .text(name)
                         .pad()
                         .text(type)
                         .pad()
                         .text(space)
                         .number(length, 4)
                         .number(collection, 8)
                         .number(index, 4)
                         .str());
}

// III.E: the values of the attributes.
std::string collection(const Metadata& metadata) {
  Bytes objects;
  std::uint64_t index = 0;
  for (const auto& [key, value] : metadata)
    objects.number(++index, 2).number(0, 6).number(value.size(), 8).text(value).pad();
  const std::uint64_t used = 16 + objects.str().size(), size = std::max(used + 16, least_collection);
  return Bytes()
      .text("GCOL")
      .number(1, 4)
      .number(size, 8)
      .text(objects.str())
      .number(0, 8)
      .number(size - used, 8)
      .pad_to(size)
      .str();
}

// Where the structures lie; their sizes do not depend on the digest.
struct Places {
  std::uint64_t root = 96, tree = 0, heap = 0, names = 0, symbols = 0, collection = 0, end = 0;
  std::vector<std::uint64_t> header, name;  // of each array
};

class Hdf5Head {
 public:
  Hdf5Head(const Metadata& metadata, const std::vector<PlannedArray>& arrays)
      : arrays_(arrays), order_(arrays.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return arrays_[a].name < arrays_[b].name; });
    names_.pad_to(8);
    for (const std::size_t k : order_) {
      at_.name.push_back(names_.str().size());
      names_.text(arrays_[k].name).number(0, 1).pad();
    }
    at_.tree = at_.root + root_header(metadata).size();
    at_.heap = at_.tree + 24 + 8 * (2 * children_of_node + 1);
    at_.names = at_.heap + 32;
    at_.symbols = at_.names + names_.str().size();
    std::uint64_t end = at_.symbols + 8 + 40 * 2 * leaf();
    for (const PlannedArray& array : arrays_) {
      at_.header.push_back(end);
      end += dataset_header(array, 0).size();
    }
    at_.collection = end;
    at_.end = end + intertwine::collection(metadata).size();
  }

  std::uint64_t size() const { return at_.end; }

  std::string bytes(const Metadata& metadata, std::span<const std::uint64_t> offsets,
                    std::uint64_t file_bytes) const {
    std::string text =
        superblock(file_bytes) + root_header(metadata) + tree() + heap() + names_.str() + symbols();
    for (std::size_t k = 0; k < arrays_.size(); ++k) text += dataset_header(arrays_[k], offsets[k]);
    return text + intertwine::collection(metadata);
  }

 private:
  // II.A, version 0, with the entry of the root group at its end.
  std::string superblock(std::uint64_t file_bytes) const {
    return Bytes()
        .text("\x89HDF\r\n\x1a\n")
        .number(0, 5)
        .number(8, 1)
        .number(8, 2)
        .number(leaf(), 2)
        .number(children_of_node / 2, 2)
        .number(0, 4)
        .number(0, 8)
        .number(undefined, 8)
        .number(file_bytes, 8)
        .number(undefined, 8)
        .number(0, 8)
        .number(at_.root, 8)
        .number(1, 8)
        .number(at_.tree, 8)
        .number(at_.heap, 8)
        .str();
  }
  std::string root_header(const Metadata& metadata) const {
    std::vector<std::string> messages = {message(17, Bytes().number(at_.tree, 8).number(at_.heap, 8).str())};
    std::uint64_t index = 0;
    for (const auto& [key, value] : metadata)
      messages.push_back(attribute(key, value.size(), at_.collection, ++index));
    return object_header(messages);
  }
  // III.A.1: a leaf over the one node of symbols.
  std::string tree() const {
    return Bytes()
        .text("TREE")
        .number(0, 2)
        .number(arrays_.empty() ? 0 : 1, 2)
        .number(undefined, 8)
        .number(undefined, 8)
        .number(0, 8)
        .number(at_.symbols, 8)
        .number(at_.name.empty() ? 0 : at_.name.back(), 8)
        .pad_to(at_.heap - at_.tree)
        .str();
  }
  // III.D
  std::string heap() const {
    return Bytes()
        .text("HEAP")
        .number(0, 4)
        .number(names_.str().size(), 8)
        .number(1, 8)
        .number(at_.names, 8)
        .str();
  }
  // III.B and III.C, by name.
  std::string symbols() const {
    Bytes node;
    node.text("SNOD").number(1, 2).number(arrays_.size(), 2);
    for (std::size_t k = 0; k < order_.size(); ++k)
      node.number(at_.name[k], 8).number(at_.header[order_[k]], 8).number(0, 24);
    return node.pad_to(8 + 40 * 2 * leaf()).str();
  }
  // Half of what the node of symbols holds: all arrays are in one.
  std::uint64_t leaf() const { return std::max<std::uint64_t>(4, (arrays_.size() + 1) / 2); }

  std::vector<PlannedArray> arrays_;
  std::vector<std::size_t> order_;
  Bytes names_;
  Places at_;
};

}  // namespace

FileLayout hdf5_layout(const Metadata& metadata, const std::vector<PlannedArray>& arrays) {
  constexpr std::uint64_t max_value = 0xFFFFFFFF;
  if (metadata.size() > max_attributes || arrays.size() > max_attributes)
    throw LimitError(
        fmt::format("{} entries of metadata and {} arrays are more than HDF5 files hold here ({}); "
                    "write .safetensors or .npz",
                    metadata.size(), arrays.size(), max_attributes));
  for (const auto& [key, value] : metadata)
    if (key.size() > max_key_bytes || value.size() > max_value)
      throw LimitError(
          fmt::format("the metadata \"{}\" is too long for an HDF5 file; shorten it", shown(key)));
  FileLayout layout;
  const Hdf5Head head(metadata, arrays);
  std::uint64_t end = head.size();
  for (const PlannedArray& array : arrays) {
    end = (end + array_alignment - 1) / array_alignment * array_alignment;
    layout.array_offset.push_back(end);
    end += array.bytes;
  }
  layout.size = end;
  layout.pieces = [head, end, offsets = layout.array_offset](const Metadata& digested,
                                                             std::span<const std::uint32_t>) {
    return std::vector<FilePiece>{{0, head.bytes(digested, offsets, end)}};
  };
  return layout;
}

}  // namespace intertwine
