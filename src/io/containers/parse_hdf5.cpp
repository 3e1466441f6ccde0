#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "intertwine/error.hpp"
#include "io/containers/hdf5.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();
// Structures that are looked at before a file is refused: a chain or a tree may be a circle.
constexpr std::size_t max_structures = 1U << 18U;
constexpr std::uint64_t max_header_bytes_of_hdf5 = 100'000'000;

// Numbers and texts of a piece of the file, one after the other; what is not there is an error.
class Cursor {
 public:
  Cursor(std::string text, const std::string& file) : text_(std::move(text)), file_(file) {}
  std::uint64_t number(unsigned bytes) {
    const std::string_view part = take(bytes);
    std::uint64_t value = 0;
    for (unsigned k = bytes; k-- > 0;) value = value << 8U | static_cast<unsigned char>(part[k]);
    return value;
  }
  std::string_view take(std::uint64_t bytes) {
    if (bytes > rest())
      throw FileError(fmt::format("{}: damaged: a structure of HDF5 ends before it is whole", file_));
    const std::string_view part = std::string_view(text_).substr(at_, bytes);
    at_ += bytes;
    return part;
  }
  void skip(std::uint64_t bytes) { take(bytes); }
  // To the next multiple of 8.
  void align() { skip(std::min<std::uint64_t>((8 - at_ % 8) % 8, rest())); }
  std::uint64_t at() const { return at_; }
  std::uint64_t rest() const { return text_.size() - at_; }

 private:
  std::string text_;
  std::string file_;
  std::uint64_t at_ = 0;
};

struct Message {
  unsigned type, flags;
  std::uint64_t offset, bytes;
};
constexpr unsigned is_shared = 2;

enum MessageType : unsigned {
  dataspace_message = 1,
  link_info_message = 2,
  datatype_message = 3,
  link_message = 6,
  external_message = 7,
  layout_message = 8,
  attribute_message = 12,
  continuation_message = 16,
  symbols_message = 17,
  attribute_info_message = 21
};

class Hdf5Reader {
 public:
  Hdf5Reader(const ByteSource& source, std::span<const std::string_view> names)
      : source_(source), names_(names) {}

  StoredTable read() {
    const std::vector<Message> root = messages(root_header());
    for (const Message& one : root)
      if (one.type == attribute_message) read_attribute(one);
    if (table_.metadata.empty())
      for (const Message& one : root)
        if (one.type == attribute_info_message) refuse_dense(one);
    const auto kind = table_.metadata.find("intertwine.kind");
    blocks_ = kind != table_.metadata.end() && kind->second == "blocks";
    for (const Message& one : root) {
      if (one.type == symbols_message) read_symbols(one);
      if (one.type == link_message) read_link(one);
      if (one.type == link_info_message) refuse_dense(one);
    }
    std::sort(table_.arrays.begin(), table_.arrays.end(), [](const StoredArray& a, const StoredArray& b) {
      return earlier_in_section(a.dtype, a.name, b.dtype, b.name);
    });
    return std::move(table_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw FileError(fmt::format("{}: {}", source_.name(), why));
  }

  Cursor at(std::uint64_t offset, std::uint64_t bytes) {
    if (++structures_ > max_structures) refuse("damaged: its structures of HDF5 have no end");
    if (offset > source_.size() || bytes > source_.size() - offset)
      refuse("damaged: a structure of HDF5 lies beyond the end of the file, which may be truncated");
    read_bytes_ += bytes;
    if (read_bytes_ > max_header_bytes_of_hdf5 + source_.size())
      refuse("damaged: its structures of HDF5 lie in one another");
    return {source_.text(offset, bytes), source_.name()};
  }
  Cursor body(const Message& one) { return at(one.offset, one.bytes); }

  // The address of the object header of the root group.
  std::uint64_t root_header() {
    Cursor head = at(0, std::min<std::uint64_t>(source_.size(), 100));
    head.skip(hdf5_signature.size());
    const std::uint64_t version = head.number(1);
    if (version > 3) refuse(fmt::format("a superblock of HDF5 of version {}, and 0 to 3 are read", version));
    if (version <= 1) head.skip(4);
    const std::uint64_t offsets = head.number(1), lengths = head.number(1);
    if (offsets != 8 || lengths != 8)
      refuse(
          fmt::format("HDF5 with addresses of {} and lengths of {} bytes, and 8 are read", offsets, lengths));
    head.skip(version <= 1 ? 9 : 1);
    if (version == 1) head.skip(4);
    if (head.number(8) != 0)
      refuse("HDF5 behind a user block, which is not read; write the file without one");
    head.skip(version <= 1 ? 32 : 16);
    return head.number(8);
  }

  // All messages of an object header, in its parts.
  std::vector<Message> messages(std::uint64_t address) {
    std::vector<Message> found;
    Cursor head =
        at(address, std::min<std::uint64_t>(source_.size() - std::min(address, source_.size()), 64));
    if (head.take(4) != "OHDR") {
      Cursor old = at(address, 16);
      if (old.number(1) != 1) refuse("damaged: an object header of HDF5 of an unknown version");
      old.skip(7);
      add_messages(found, address + 16, old.number(4), 0, false);
      return found;
    }
    if (head.number(1) != 2) refuse("damaged: an object header of HDF5 of an unknown version");
    const std::uint64_t flags = head.number(1);
    if ((flags & 0x20U) != 0) head.skip(16);
    if ((flags & 0x10U) != 0) head.skip(4);
    const std::uint64_t bytes = head.number(1U << (flags & 3U));
    add_messages(found, address + head.at(), bytes, flags, true);
    return found;
  }

  // The parts of a header one after the other, not one within the other: a chain of them may be long, or a circle.
  void add_messages(std::vector<Message>& found, std::uint64_t offset, std::uint64_t bytes,
                    std::uint64_t header_flags, bool newer) {
    const bool ordered = newer && (header_flags & 4U) != 0;
    const std::uint64_t head = newer ? (ordered ? 6 : 4) : 8;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> parts{{offset, bytes}};
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const auto [place, length] = parts[k];
      Cursor part = at(place, length);
      if (newer && k > 0 && part.take(4) != "OCHK")
        refuse("damaged: an object header of HDF5 goes on where there is nothing");
      const std::uint64_t end = newer && k > 0 ? 4 : 0;  // a checksum
      while (part.rest() >= head + end) {
        Message one{};
        one.type = static_cast<unsigned>(part.number(newer ? 1 : 2));
        one.bytes = part.number(2);
        one.flags = static_cast<unsigned>(part.number(1));
        part.skip(head - (newer ? 4 : 5));
        one.offset = place + part.at();
        if (one.type == continuation_message) {
          Cursor next(std::string(part.take(one.bytes)), source_.name());
          const std::uint64_t where = next.number(8);
          parts.emplace_back(where, next.number(8));
          continue;
        }
        part.skip(one.bytes);
        found.push_back(one);
      }
    }
  }

  // Attributes and links of newer files in a fractal heap.
  void refuse_dense(const Message& one) {
    Cursor info = body(one);
    info.skip(1);
    const std::uint64_t flags = info.number(1);
    if ((flags & 1U) != 0) info.skip(one.type == link_info_message ? 8 : 2);
    if (info.number(8) != nowhere)
      refuse(
          "its attributes or arrays are in the dense storage of newer HDF5, which is not read; write it "
          "without "
          "libver=\"latest\" and track_order, as h5py does by default");
  }

  void read_attribute(const Message& one) {
    Cursor part = body(one);
    const std::uint64_t version = part.number(1);
    if (version < 1 || version > 3) refuse("damaged: an attribute of HDF5 of an unknown version");
    const std::uint64_t flags = part.number(1), name_bytes = part.number(2), type_bytes = part.number(2),
                        space_bytes = part.number(2);
    if (version == 3) part.skip(1);
    std::string name(part.take(name_bytes));
    if (version == 1) part.align();
    name = name.substr(0, name.find('\0'));
    if (!name.starts_with("intertwine.")) return;
    const auto refuse_text = [&] {
      refuse(fmt::format("the attribute \"{}\" is no single string", shown(name)));
    };
    if (version > 1 && flags != 0) refuse_text();  // a type that is stored elsewhere
    Cursor type(std::string(part.take(type_bytes)), source_.name());
    if (version == 1) part.align();
    Cursor space(std::string(part.take(space_bytes)), source_.name());
    if (version == 1) part.align();
    space.skip(1);
    if (space.number(1) != 0) refuse_text();
    const std::uint64_t kind = type.number(1) & 15U, bits = type.number(3), size = type.number(4);
    std::string value;
    if (kind == 3) {
      value = part.take(size);
      if ((bits & 15U) == 2)
        value.erase(value.find_last_not_of(' ') + 1);
      else
        value = value.substr(0, value.find('\0'));
    } else if (kind == 9 && (bits & 15U) == 1) {
      value = text_of_heap(part);
    } else {
      refuse_text();
    }
    if (!is_utf8(value)) refuse(fmt::format("the attribute \"{}\" is no UTF-8", shown(name)));
    if (!table_.metadata.emplace(name, value).second)
      refuse(fmt::format("damaged: the attribute \"{}\" is there twice", shown(name)));
  }

  // III.E
  std::string text_of_heap(Cursor& part) {
    const std::uint64_t length = part.number(4), address = part.number(8), index = part.number(4);
    if (length == 0) return {};
    Cursor head = at(address, 16);
    if (head.take(4) != "GCOL") refuse("damaged: a text of HDF5 is in no heap");
    head.skip(4);
    const std::uint64_t size = head.number(8);
    for (std::uint64_t offset = 16; size >= 16 && offset <= size - 16;) {
      Cursor object = at(address + offset, 16);
      const std::uint64_t number = object.number(2);
      object.skip(6);
      const std::uint64_t bytes = object.number(8);
      if (bytes > size - offset - 16 || number == 0) break;
      if (number == index) {
        if (length > bytes) break;
        return std::string(at(address + offset + 16, length).take(length));
      }
      offset += 16 + (bytes + 7) / 8 * 8;
    }
    refuse("damaged: a text of HDF5 is not in its heap");
  }

  // A group of the older kind: a tree of nodes, whose names are in a heap.
  void read_symbols(const Message& one) {
    Cursor part = body(one);
    const std::uint64_t tree = part.number(8), heap = part.number(8);
    Cursor head = at(heap, 32);
    if (head.take(4) != "HEAP") refuse("damaged: the names of its HDF5 group are in no heap");
    head.skip(4);
    heap_bytes_ = head.number(8);
    head.skip(8);
    heap_ = head.number(8);
    read_tree(tree, 0);
  }

  void read_tree(std::uint64_t address, unsigned depth) {
    constexpr unsigned max_depth = 8;
    if (depth > max_depth) refuse("damaged: the tree of its HDF5 group has no end");
    Cursor head = at(address, 24);
    const std::string_view kind = head.take(4);
    if (kind == "SNOD") return read_nodes(address);
    if (kind != "TREE" || head.number(1) != 0) refuse("damaged: its HDF5 group has no tree");
    head.skip(1);
    const std::uint64_t used = head.number(2);
    Cursor children = at(address + 24, 8 + 16 * used);
    for (std::uint64_t k = 0; k < used; ++k) {
      children.skip(8);
      read_tree(children.number(8), depth + 1);
    }
  }

  void read_nodes(std::uint64_t address) {
    Cursor head = at(address, 8);
    head.skip(6);
    const std::uint64_t count = head.number(2);
    Cursor entries = at(address + 8, 40 * count);
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t name = entries.number(8), object = entries.number(8), cached = entries.number(4);
      entries.skip(20);
      if (cached == 2) continue;  // a symbolic link
      if (name >= heap_bytes_) refuse("damaged: a name of HDF5 lies beyond its heap");
      constexpr std::uint64_t longest = 256;  // of the names that are looked for
      const std::string text(at(heap_ + name, std::min(heap_bytes_ - name, longest))
                                 .take(std::min(heap_bytes_ - name, longest)));
      read_array(text.substr(0, text.find('\0')), object);
    }
  }

  void read_link(const Message& one) {
    Cursor part = body(one);
    if (part.number(1) != 1) refuse("damaged: a link of HDF5 of an unknown version");
    const std::uint64_t flags = part.number(1);
    const std::uint64_t kind = (flags & 8U) != 0 ? part.number(1) : 0;
    if ((flags & 4U) != 0) part.skip(8);
    if ((flags & 16U) != 0) part.skip(1);
    const std::string name(part.take(part.number(1U << (flags & 3U))));
    if (kind == 0) read_array(name, part.number(8));
  }

  bool is_wanted(std::string_view name) const {
    const std::string_view within = name.substr(blocks_ ? array_names::block_of(name).size() : 0);
    return std::find(names_.begin(), names_.end(), within) != names_.end();
  }

  void read_array(const std::string& name, std::uint64_t address) {
    if (!is_wanted(name)) return;
    const auto refuse_array = [&](const std::string& why) {
      refuse(fmt::format("the array \"{}\" {}", shown(name), why));
    };
    if (std::any_of(table_.arrays.begin(), table_.arrays.end(),
                    [&](const StoredArray& one) { return one.name == name; }))
      refuse_array("is there twice");
    StoredArray array;
    array.name = name;
    bool sized = false, typed = false, placed = false;
    for (const Message& one : messages(address)) {
      if ((one.flags & is_shared) != 0 && (one.type == datatype_message || one.type == dataspace_message))
        refuse_array("has a named type of HDF5, which is not read");
      if (one.type == external_message) refuse_array("lies in other files");
      if (one.type == dataspace_message) sized = read_shape(one, array);
      if (one.type == datatype_message) typed = read_type(one, array);
      if (one.type == layout_message) placed = read_place(one, array, refuse_array);
    }
    if (!sized || !typed || !placed) refuse_array("is no data set of HDF5 with a shape, a type and a place");
    const auto dtype = std::find_if(std::begin(stored_types), std::end(stored_types),
                                    [&](Dtype known) { return dtype_name(known) == array.dtype; });
    if (dtype != std::end(stored_types)) {
      std::uint64_t bytes = item_bytes(*dtype);
      for (const std::uint64_t side : array.shape) bytes = side == 0 ? 0 : saturated_product(bytes, side);
      if (bytes != array.bytes) refuse_array("has a size that does not fit its shape, or was never written");
    }
    if (array.bytes == 0) array.offset = 0;
    if (array.offset > source_.size() || array.bytes > source_.size() - array.offset)
      refuse_array("reaches beyond the end of the file, which may be truncated");
    table_.arrays.push_back(std::move(array));
  }

  bool read_shape(const Message& one, StoredArray& array) {
    Cursor part = body(one);
    const std::uint64_t version = part.number(1), rank = part.number(1);
    part.skip(version == 1 ? 6 : 2);
    array.shape.clear();
    for (std::uint64_t k = 0; k < rank; ++k) array.shape.push_back(part.number(8));
    return version == 1 || version == 2;
  }

  // The types that tables have; others by their class, which no table has.
  bool read_type(const Message& one, StoredArray& array) {
    Cursor part = body(one);
    const std::uint64_t kind = part.number(1) & 15U, bits = part.number(3), size = part.number(4);
    array.dtype = fmt::format("HDF5 class {}", kind);
    const bool whole = kind <= 1 && part.number(2) == 0 && part.number(2) == 8 * size && (bits & 1U) == 0;
    if (kind == 0 && whole && size <= 8)
      array.dtype = fmt::format("{}{}", (bits & 8U) != 0 ? "I" : "U", 8 * size);
    if (kind == 1 && whole && size == 8 && bits == 0x3f20 &&
        part.take(8) == std::string_view("4\x0b\0\x34\xff\3\0\0", 8))
      array.dtype = dtype_name(Dtype::f64);
    return true;
  }

  bool read_place(const Message& one, StoredArray& array,
                  const std::function<void(const std::string&)>& refuse_array) {
    Cursor part = body(one);
    const std::uint64_t version = part.number(1), kind = part.number(1);
    if (version != 3 && version != 4)
      refuse_array("has a layout of HDF5 that is not read; write it with h5py");
    if (kind == 0) {
      array.bytes = part.number(2);
      array.offset = one.offset + part.at();
      return true;
    }
    if (kind != 1)
      refuse_array("is stored in chunks or compressed; write it in one piece, as h5py does by default");
    array.offset = part.number(8);
    array.bytes = part.number(8);
    return true;
  }

  static constexpr Dtype stored_types[] = {Dtype::u8, Dtype::u16, Dtype::i32, Dtype::f64, Dtype::i64};

  const ByteSource& source_;
  std::span<const std::string_view> names_;
  StoredTable table_;
  bool blocks_ = false;
  std::uint64_t heap_ = 0, heap_bytes_ = 0, read_bytes_ = 0;
  std::size_t structures_ = 0;
};

}  // namespace

bool is_hdf5(std::string_view first_bytes) { return first_bytes.starts_with(hdf5_signature); }

StoredTable parse_hdf5(const ByteSource& source, std::span<const std::string_view> names) {
  return Hdf5Reader(source, names).read();
}

}  // namespace intertwine
