#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "intertwine/error.hpp"
#include "io/containers/hdf5.hpp"
#include "io/containers/hdf5_chunks.hpp"
#include "io/containers/hdf5_dense.hpp"
#include "io/containers/hdf5_file.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

using Cursor = Hdf5Cursor;
constexpr std::uint64_t nowhere = Hdf5File::nowhere;
constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
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
  filters_message = 11,
  attribute_message = 12,
  continuation_message = 16,
  symbols_message = 17,
  attribute_info_message = 21
};

class Hdf5Reader {
 public:
  Hdf5Reader(const ByteSource& source, std::span<const std::string_view> names, const Task& task)
      : source_(source), file_(source), names_(names), task_(task) {}

  Hdf5Table read() {
    const std::vector<Message> root = messages(root_header());
    for (const Message& one : root)
      if (one.type == attribute_message) read_attribute(one);
    for (const Message& info : root)
      if (info.type == attribute_info_message)
        for (const Message& one : dense_messages(info)) read_attribute(one);
    const auto kind = table_.metadata.find("intertwine.kind");
    blocks_ = kind != table_.metadata.end() && kind->second == "blocks";
    for (const Message& one : root) {
      if (one.type == symbols_message) read_symbols(one);
      if (one.type == link_message) read_link(one);
      if (one.type == link_info_message)
        for (const Message& link : dense_messages(one)) read_link(link);
    }
    std::sort(table_.arrays.begin(), table_.arrays.end(), [](const StoredArray& a, const StoredArray& b) {
      return earlier_in_section(a.dtype, a.name, b.dtype, b.name);
    });
    return {std::move(table_), std::move(unpacked_)};
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { file_.refuse(why); }
  Cursor at(std::uint64_t offset, std::uint64_t bytes) { return file_.at(offset, bytes); }
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
        file_.count();
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

  // Attributes and links of newer files, in a heap where there are many.
  std::vector<Message> dense_messages(const Message& one) {
    Cursor info = body(one);
    info.skip(1);
    const std::uint64_t flags = info.number(1);
    if ((flags & 1U) != 0) info.skip(one.type == link_info_message ? 8 : 2);
    const std::uint64_t heap = info.number(8), names = info.number(8);
    std::vector<Message> found;
    if (heap == nowhere) return found;
    const unsigned type = one.type == link_info_message ? link_message : attribute_message;
    for (const Hdf5Object& object : dense_objects(file_, heap, names))
      found.push_back({type, 0, object.offset, object.bytes});
    return found;
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
    Cursor head = file_.named("GCOL", address, 16, "damaged: a text of HDF5 is in no heap");
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
    Cursor head = file_.named("HEAP", heap, 32, "damaged: the names of its HDF5 group are in no heap");
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
    bool sized = false, typed = false;
    std::optional<Layout> layout;
    std::vector<Hdf5Filter> filters;
    for (const Message& one : messages(address)) {
      if ((one.flags & is_shared) != 0 && (one.type == datatype_message || one.type == dataspace_message))
        refuse_array("has a named type of HDF5, which is not read");
      if (one.type == external_message) refuse_array("lies in other files");
      if (one.type == dataspace_message) sized = read_shape(one, array);
      if (one.type == datatype_message) typed = read_type(one, array);
      if (one.type == layout_message) layout = read_layout(one, refuse_array);
      if (one.type == filters_message) filters = read_filters(one);
    }
    if (!sized || !typed || !layout) refuse_array("is no data set of HDF5 with a shape, a type and a place");
    const auto dtype = std::find_if(std::begin(stored_types), std::end(stored_types),
                                    [&](Dtype known) { return dtype_name(known) == array.dtype; });
    array.offset = layout->offset;
    array.bytes = layout->bytes;
    if (layout->chunks) {
      if (dtype == std::end(stored_types)) refuse_array("is in chunks, and has a type that no table has");
      return add_chunked(std::move(array), item_bytes(*dtype), *layout, std::move(filters), refuse_array);
    }
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

  // Where the contents are: in one piece, or where the chunks are found.
  struct Layout {
    bool chunks = false;
    std::uint64_t offset = 0, bytes = 0;  // of one piece, or of what is known of a single chunk
    std::vector<std::uint64_t> chunk;     // its sides, the bytes of an item last
    enum { tree, single, rows, fixed_array } index = tree;
    bool filtered = false;      // a single chunk, whose bytes and skipped filters are said
    std::uint64_t skipped = 0;  // of a single chunk
  };
  using Refuse = std::function<void(const std::string&)>;

  Layout read_layout(const Message& one, const Refuse& refuse_array) {
    Cursor part = body(one);
    const std::uint64_t version = part.number(1), kind = part.number(1);
    if (version < 3 ||
        version > 5)  // of 4 and 5 only the width of numbers in indices differs, which these say
      refuse_array("has a layout of HDF5 that is not read; write it with h5py");
    Layout layout;
    if (kind == 0) {
      layout.bytes = part.number(2);
      layout.offset = one.offset + part.at();
    } else if (kind == 1) {
      layout.offset = part.number(8);
      layout.bytes = part.number(8);
    } else if (kind == 2) {
      layout.chunks = true;
      if (version == 3)
        read_chunks_of_3(part, layout);
      else
        read_chunks_of_4(part, layout, refuse_array);
    } else {
      refuse_array("is a virtual data set of HDF5, which is not read");
    }
    return layout;
  }

  static void read_chunks_of_3(Cursor& part, Layout& layout) {
    const std::uint64_t sides = part.number(1);
    layout.offset = part.number(8);
    for (std::uint64_t k = 0; k < sides; ++k) layout.chunk.push_back(part.number(4));
  }

  static void read_chunks_of_4(Cursor& part, Layout& layout, const Refuse& refuse_array) {
    const std::uint64_t flags = part.number(1), sides = part.number(1), width = part.number(1);
    if (width == 0 || width > 8) refuse_array("has chunks of HDF5 with sides of no size");
    if ((flags & 1U) != 0) refuse_array("has chunks at its border that are stored otherwise than the rest");
    for (std::uint64_t k = 0; k < sides; ++k)
      layout.chunk.push_back(part.number(static_cast<unsigned>(width)));
    const std::uint64_t index = part.number(1);
    if (index < 1 || index > 3)
      refuse_array("may grow, with an index of chunks that is not read; write it without maxshape");
    layout.index = index == 1 ? Layout::single : index == 2 ? Layout::rows : Layout::fixed_array;
    layout.filtered = index == 1 && (flags & 2U) != 0;
    if (layout.filtered) {
      layout.bytes = part.number(8);
      layout.skipped = part.number(4);
    }
    if (index == 3) part.skip(1);
    layout.offset = part.number(8);
  }

  std::vector<Hdf5Filter> read_filters(const Message& one) {
    Cursor part = body(one);
    const std::uint64_t version = part.number(1), count = part.number(1);
    if (version != 1 && version != 2) refuse("damaged: filters of HDF5 of an unknown version");
    if (version == 1) part.skip(6);
    std::vector<Hdf5Filter> filters;
    for (std::uint64_t k = 0; k < count; ++k) {
      Hdf5Filter filter;
      filter.id = static_cast<unsigned>(part.number(2));
      const std::uint64_t name_bytes = version == 1 || filter.id >= 256 ? part.number(2) : 0;
      part.skip(2);
      const std::uint64_t values = part.number(2);
      filter.name = part.take(version == 1 ? (name_bytes + 7) / 8 * 8 : name_bytes);
      filter.name = filter.name.substr(0, filter.name.find('\0'));
      part.skip(4 * (values + (version == 1 ? values % 2 : 0)));
      filters.push_back(std::move(filter));
    }
    return filters;
  }

  void add_chunked(StoredArray stored, std::uint64_t item, const Layout& layout,
                   std::vector<Hdf5Filter> filters, const Refuse& refuse_array) {
    const std::vector<std::uint64_t>& sides = layout.chunk;
    if (stored.shape.empty() || sides.size() != stored.shape.size() + 1 || sides.back() != item ||
        std::find(sides.begin(), sides.end(), 0) != sides.end())
      refuse_array("has chunks that do not fit its shape");
    ChunkedArray array;
    array.shape = stored.shape;
    array.chunk.assign(sides.begin(), sides.end() - 1);
    array.item = item;
    array.filters = std::move(filters);
    // Of each chunk the file holds a byte at least.
    const std::uint64_t count = array.chunk_count();
    if (count > source_.size()) refuse_array("has more chunks than can be in the file");
    task_.require_memory(count * 2 * sizeof(Hdf5Chunk), "the chunks of an HDF5 array");
    if (layout.offset != nowhere) {
      switch (layout.index) {
        case Layout::tree:
          chunks_of_tree(file_, layout.offset, array, refuse_array);
          break;
        case Layout::single:
          array.chunks.push_back({0, layout.offset, layout.filtered ? layout.bytes : array.chunk_size(),
                                  layout.filtered ? layout.skipped : ~std::uint64_t{0}});
          break;
        case Layout::rows: {
          const std::uint64_t size = array.chunk_size();
          if (saturated_product(size, count) > source_.size())
            refuse_array("reaches beyond the end of the file");
          for (std::uint64_t k = 0; k < count; ++k)
            array.chunks.push_back({k, layout.offset + k * size, size, ~std::uint64_t{0}});
          break;
        }
        case Layout::fixed_array:
          chunks_of_fixed_array(file_, layout.offset, array, refuse_array);
          break;
      }
    }
    const std::uint64_t start = unpacked_.size();
    append_chunks(unpacked_, source_, array, refuse_array, task_);
    stored.offset = source_.size() + start;
    stored.bytes = unpacked_.size() - start;
    table_.arrays.push_back(std::move(stored));
  }

  static constexpr Dtype stored_types[] = {Dtype::u8, Dtype::u16, Dtype::i32, Dtype::f64, Dtype::i64};

  const ByteSource& source_;
  Hdf5File file_;
  std::span<const std::string_view> names_;
  Task task_;
  StoredTable table_;
  std::vector<std::byte> unpacked_;
  bool blocks_ = false;
  std::uint64_t heap_ = 0, heap_bytes_ = 0;
};

}  // namespace

bool is_hdf5(std::string_view first_bytes) { return first_bytes.starts_with(hdf5_signature); }

Hdf5Table parse_hdf5(const ByteSource& source, std::span<const std::string_view> names, const Task& task) {
  return Hdf5Reader(source, names, task).read();
}

}  // namespace intertwine
