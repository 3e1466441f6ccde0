#include "io/containers/hdf5_dense.hpp"

#include <bit>
#include <map>
#include <optional>

namespace intertwine {
namespace {

enum RecordType : std::uint64_t { huge_object = 1, link_by_name = 5, attribute_by_name = 8 };

/// The bytes that numbers up to this take.
unsigned encoded_bytes(std::uint64_t most) {
  return most == 0 ? 1 : (static_cast<unsigned>(std::bit_width(most)) - 1) / 8 + 1;
}

/// A tree of version 2 [III.A.2], whose records are texts of one length.
class RecordTree {
 public:
  RecordTree(Hdf5File& file, std::uint64_t address) : file_(file) {
    Hdf5Cursor head = file.named("BTHD", address, 38, "damaged: an index of HDF5 is not there");
    head.skip(1);
    type_ = head.number(1);
    node_bytes_ = head.number(4);
    record_bytes_ = head.number(2);
    depth_ = head.number(2);
    head.skip(2);
    root_ = head.number(8);
    root_records_ = head.number(2);
    constexpr std::uint64_t most_depth = 16;
    if (record_bytes_ == 0 || node_bytes_ < overhead + record_bytes_ || depth_ > most_depth)
      file.refuse("damaged: an index of HDF5 that cannot be");
    std::uint64_t most = (node_bytes_ - overhead) / record_bytes_;
    count_bytes_ = encoded_bytes(most);
    std::uint64_t below = most;
    sums_.push_back(0);
    for (std::uint64_t level = 1; level <= depth_; ++level) {
      const std::uint64_t pointer = 8 + count_bytes_ + sums_.back();
      if (node_bytes_ < overhead + pointer) file.refuse("damaged: an index of HDF5 that cannot be");
      most = (node_bytes_ - overhead - pointer) / (record_bytes_ + pointer);
      below = std::min<std::uint64_t>(below, std::uint64_t{1} << 30);  // enough: 4 bytes hold what files have
      below = (most + 1) * below + most;
      sums_.push_back(encoded_bytes(below));
    }
  }
  std::uint64_t type() const { return type_; }
  std::uint64_t record_bytes() const { return record_bytes_; }
  std::vector<std::string> records() {
    std::vector<std::string> out;
    if (root_ != Hdf5File::nowhere) add(out, root_, root_records_, depth_);
    return out;
  }

 private:
  static constexpr std::uint64_t overhead = 10;  // of a node: its name, version and type, and a checksum

  void add(std::vector<std::string>& out, std::uint64_t address, std::uint64_t count, std::uint64_t level) {
    const std::uint64_t pointer = level == 0 ? 0 : 8 + count_bytes_ + sums_[level - 1];
    Hdf5Cursor node = file_.named(level == 0 ? "BTLF" : "BTIN", address,
                                  6 + count * record_bytes_ + (level == 0 ? 0 : (count + 1) * pointer),
                                  "damaged: an index of HDF5 has a gap");
    node.skip(2);
    for (std::uint64_t k = 0; k < count; ++k) {
      file_.count();
      out.emplace_back(node.take(record_bytes_));
    }
    for (std::uint64_t k = 0; level > 0 && k <= count; ++k) {
      const std::uint64_t child = node.number(8), records = node.number(count_bytes_);
      node.skip(sums_[level - 1]);
      add(out, child, records, level - 1);
    }
  }

  Hdf5File& file_;
  std::uint64_t type_ = 0, node_bytes_ = 0, record_bytes_ = 0, depth_ = 0, root_ = 0, root_records_ = 0;
  unsigned count_bytes_ = 0;
  std::vector<unsigned> sums_;  // of each level, the bytes of how many records there are from it down
};

/// A fractal heap [III.G].
class DenseHeap {
 public:
  DenseHeap(Hdf5File& file, std::uint64_t address) : file_(file) {
    Hdf5Cursor head = file.named("FRHP", address, 142, "damaged: attributes or links of HDF5 are in no heap");
    head.skip(1);
    id_bytes_ = head.number(2);
    if (head.number(2) != 0) file.refuse("its attributes or links are compressed, which is not read");
    head.skip(1);
    const std::uint64_t most_managed = head.number(4);
    head.skip(8);
    huge_ = head.number(8);
    head.skip(80);
    width_ = head.number(2);
    first_block_ = head.number(8);
    largest_block_ = head.number(8);
    const std::uint64_t bits = head.number(2);
    head.skip(2);
    root_ = head.number(8);
    rows_ = head.number(2);
    if (bits == 0 || bits > 64 || width_ == 0 || !std::has_single_bit(width_) ||
        !std::has_single_bit(first_block_) || !std::has_single_bit(largest_block_) ||
        largest_block_ < first_block_ || largest_block_ > std::uint64_t{1} << 40U)
      file.refuse("damaged: a heap of HDF5 that cannot be");
    offset_bytes_ = static_cast<unsigned>(bits + 7) / 8;
    length_bytes_ = std::min(encoded_bytes(largest_block_), encoded_bytes(most_managed));
  }

  std::uint64_t id_bytes() const { return id_bytes_; }

  Hdf5Object object(std::string id) {
    Hdf5Cursor part(std::move(id), file_.source().name());
    const std::uint64_t kind = part.number(1) >> 4U & 3U;
    if (kind == 0) {
      const std::uint64_t offset = part.number(offset_bytes_), bytes = part.number(length_bytes_);
      return managed(offset, bytes);
    }
    if (kind != 1) file_.refuse("damaged: an attribute or link of HDF5 that is too short");
    return huge(part.number(static_cast<unsigned>(std::min<std::uint64_t>(part.rest(), 8))));
  }

 private:
  /// Rows of blocks: two of the smallest, then each twice as large.
  std::uint64_t block_size(std::uint64_t row) const { return first_block_ << (row == 0 ? 0 : row - 1); }

  Hdf5Object managed(std::uint64_t offset, std::uint64_t bytes) {
    constexpr const char* gap = "damaged: a heap of HDF5 has a gap";
    std::uint64_t block = root_, start = 0, rows = rows_;
    std::uint64_t size = first_block_;  // of a root that is the only block
    while (rows != 0) {                 // an indirect block: the addresses of others, row by row
      if (rows > 48) file_.refuse("damaged: a heap of HDF5 that cannot be");
      std::uint64_t row = 0, begin = start;
      while (row < rows && offset - begin >= width_ * block_size(row)) begin += width_ * block_size(row++);
      if (row == rows) file_.refuse("damaged: an attribute or link of HDF5 lies beyond its heap");
      size = block_size(row);
      const std::uint64_t column = (offset - begin) / size;
      file_.named("FHIB", block, 4, gap);
      block = file_.at(block + 13 + offset_bytes_ + 8 * (row * width_ + column), 8).number(8);
      start = begin + column * size;
      rows = 0;
      if (size > largest_block_) {
        const std::uint64_t line = first_block_ * width_;
        if (size < line) file_.refuse("damaged: a heap of HDF5 that cannot be");
        rows = static_cast<std::uint64_t>(std::bit_width(size) - std::bit_width(line)) + 1;
      }
    }
    file_.named("FHDB", block, 4, gap);
    if (offset - start > size || bytes > size - (offset - start))
      file_.refuse("damaged: an attribute or link of HDF5 lies beyond its heap");
    return {block + (offset - start), bytes};
  }

  Hdf5Object huge(std::uint64_t number) {
    if (!huge_records_) {
      huge_records_.emplace();
      if (huge_ != Hdf5File::nowhere) {
        RecordTree tree(file_, huge_);
        if (tree.type() != huge_object || tree.record_bytes() != 24)
          file_.refuse("large attributes of a kind that is not read");
        for (const std::string& record : tree.records()) {
          Hdf5Cursor part(record, file_.source().name());
          const std::uint64_t address = part.number(8), bytes = part.number(8);
          huge_records_->emplace(part.number(8), Hdf5Object{address, bytes});
        }
      }
    }
    const auto found = huge_records_->find(number);
    if (found == huge_records_->end()) file_.refuse("damaged: a large attribute of HDF5 is not there");
    return found->second;
  }

  Hdf5File& file_;
  std::uint64_t id_bytes_ = 0, huge_ = 0, width_ = 0, first_block_ = 0, largest_block_ = 0, root_ = 0,
                rows_ = 0;
  unsigned offset_bytes_ = 0, length_bytes_ = 0;
  std::optional<std::map<std::uint64_t, Hdf5Object>> huge_records_;  // by their numbers
};

}  // namespace

std::vector<Hdf5Object> dense_objects(Hdf5File& file, std::uint64_t heap_address, std::uint64_t names) {
  DenseHeap heap(file, heap_address);
  RecordTree tree(file, names);
  // The name's hash, then the place in the heap, or the other way round.
  const std::uint64_t before = tree.type() == link_by_name ? 4 : 0;
  if ((tree.type() != link_by_name && tree.type() != attribute_by_name) ||
      tree.record_bytes() < before + heap.id_bytes())
    file.refuse("damaged: an index of names in HDF5 of another kind");
  std::vector<Hdf5Object> out;
  for (const std::string& record : tree.records())
    out.push_back(heap.object(record.substr(before, heap.id_bytes())));
  return out;
}

}  // namespace intertwine
