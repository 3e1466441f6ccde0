// Reads the head of a .npy array.
#include "io/containers/npy_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace intertwine {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t max_npy_header = 1U << 16;

// A Python literal with three known keys. Nothing else is accepted.
class HeaderParser {
 public:
  static std::optional<NpyHeader> parse(std::string_view text) {
    HeaderParser parser;
    parser.rest_ = text;
    if (!parser.dictionary() || parser.seen_ != 7) return std::nullopt;
    return parser.out_;
  }

 private:
  bool dictionary() {
    if (!symbol('{')) return false;
    while (!symbol('}')) {
      const auto key = quoted();
      if (!key || !symbol(':') || !value(*key)) return false;
      if (!symbol(',')) {
        if (!symbol('}')) return false;
        break;
      }
    }
    skip_spaces();
    return rest_.empty();
  }

  bool value(const std::string& key) {
    const unsigned bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
    if (bit == 0 || (seen_ & bit) != 0) return false;
    seen_ |= bit;
    if (bit == 4) return tuple();
    if (bit == 2) {
      skip_spaces();
      out_.fortran_order = rest_.starts_with("True");
      const std::size_t length = out_.fortran_order ? 4 : 5;
      if (!out_.fortran_order && !rest_.starts_with("False")) return false;
      rest_.remove_prefix(length);
      return true;
    }
    const auto text = quoted();
    if (text) out_.descr = *text;
    return text.has_value();
  }

  bool tuple() {
    if (!symbol('(')) return false;
    while (!symbol(')')) {
      skip_spaces();
      std::uint64_t side = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), side);
      if (error != std::errc{} || out_.shape.size() >= 8) return false;
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      out_.shape.push_back(side);
      if (!symbol(',')) return symbol(')');
    }
    return true;
  }

  std::optional<std::string> quoted() {
    skip_spaces();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return std::nullopt;
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string out(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    if (out.find('\\') != std::string::npos) return std::nullopt;
    return out;
  }

  bool symbol(char c) {
    skip_spaces();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void skip_spaces() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
  }

  NpyHeader out_;
  std::string_view rest_;
  unsigned seen_ = 0;
};

}  // namespace

std::string npy_header(const std::string& descr, const std::vector<std::uint64_t>& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t bare = magic.size() + 4 + text.size() + 1;
  text.append((64 - bare % 64) % 64, ' ');
  text += '\n';
  std::string out(magic);
  out += std::string{'\1', '\0', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return out + text;
}

NpyStart parse_npy_start(const ByteSource& source, std::uint64_t offset, std::uint64_t bytes,
                         const std::function<void(const std::string&)>& refuse) {
  if (bytes < magic.size() + 4) refuse("is too short for an array");
  std::string head = source.text(offset, magic.size() + 4);
  if (!std::string_view(head).starts_with(magic)) refuse("is no NumPy array");
  const unsigned version = static_cast<unsigned char>(head[6]);
  if (version < 1 || version > 3) refuse("has an unknown version of the array header");
  if (version > 1) head = source.text(offset, std::min<std::uint64_t>(bytes, magic.size() + 6));
  std::uint64_t length = 0;
  for (std::size_t k = 8; k < head.size(); ++k)
    length |= std::uint64_t{static_cast<unsigned char>(head[k])} << (8 * (k - 8));
  if (length > max_npy_header || length > bytes - head.size()) refuse("has an array header that is too long");
  head += source.text(offset + head.size(), length);
  auto parsed = HeaderParser::parse(std::string_view(head).substr(head.size() - length));
  if (!parsed) refuse("has an array header that is not understood");
  return {*std::move(parsed), std::move(head)};
}

}  // namespace intertwine
