// Draws letters of DejaVu Sans and shapes as pixels.
#include "io/pictures/letters.hpp"

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "intertwine/error.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace embedded {
extern const std::string_view dejavu_sans_ttf, dejavu_sans_bold_ttf;
}  // namespace embedded

namespace {

stbtt_fontinfo opened(std::string_view file) {
  stbtt_fontinfo font{};
  if (stbtt_InitFont(&font, reinterpret_cast<const unsigned char*>(file.data()), 0) == 0)
    throw InternalError("the font of pictures cannot be read");
  return font;
}

const stbtt_fontinfo& font_of(bool bold) {
  static const stbtt_fontinfo regular = opened(embedded::dejavu_sans_ttf),
                              heavy = opened(embedded::dejavu_sans_bold_ttf);
  return bold ? heavy : regular;
}

/// Calls letter(glyph, x) for the letters from the left; the width of all.
template <class Letter>
double for_each_letter(std::string_view text, double size, bool bold, const Letter& letter) {
  const stbtt_fontinfo& font = font_of(bold);
  const double scale = double{stbtt_ScaleForMappingEmToPixels(&font, static_cast<float>(size))};
  double x = 0;
  for (std::size_t position = 0; position < text.size();) {
    const int glyph = stbtt_FindGlyphIndex(&font, static_cast<int>(next_code_point(text, position)));
    letter(glyph, x, scale);
    int advance = 0, bearing = 0;
    stbtt_GetGlyphHMetrics(&font, glyph, &advance, &bearing);
    x += scale * advance;
  }
  return x;
}

}  // namespace

double text_width(std::string_view text, double size, bool bold) {
  return for_each_letter(text, size, bold, [](int, double, double) {});
}

std::vector<std::string> wrapped_text(std::string_view text, double size, bool bold, double width) {
  constexpr std::size_t most = 3;
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < most) {
    std::size_t end = text.size(), space = 0;
    double right = 0;
    for (std::size_t position = 0; position < text.size();) {
      const std::size_t start = position;
      next_code_point(text, position);
      right += text_width(text.substr(start, position - start), size, bold);
      if (right > width && start != 0) {
        end = space != 0 ? space : start;
        break;
      }
      if (text[start] == ' ') space = start;
    }
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ', end)));
  }
  if (!text.empty()) lines.back() += " …";
  return lines;
}

std::vector<Shape> letter_shapes(std::string_view text, double size, bool bold) {
  std::vector<Shape> out;
  for_each_letter(text, size, bold, [&](int glyph, double left, double scale) {
    stbtt_vertex* list = nullptr;
    const int count = stbtt_GetGlyphShape(&font_of(bold), glyph, &list);
    const std::unique_ptr<stbtt_vertex, decltype(&std::free)> owner(list, &std::free);
    Shape shape;
    for (int k = 0; k < count; ++k)
      shape.push_back({left + scale * list[k].x, -scale * list[k].y, left + scale * list[k].cx, -scale * list[k].cy,
                       list[k].type == STBTT_vmove    ? ShapePoint::begin
                       : list[k].type == STBTT_vcurve ? ShapePoint::curve
                                                      : ShapePoint::line});
    if (!shape.empty()) out.push_back(std::move(shape));
  });
  return out;
}

Coverage coverage_of(const Shape& shape) {
  if (shape.empty()) return {};
  double left = shape[0].x, right = left, top = shape[0].y, bottom = top;
  const auto reach = [&](double x, double y) {
    left = std::min(left, x), right = std::max(right, x), top = std::min(top, y), bottom = std::max(bottom, y);
  };
  for (const ShapePoint& point : shape) {
    reach(point.x, point.y);
    if (point.kind == ShapePoint::curve) reach(point.via_x, point.via_y);
  }
  Coverage out{static_cast<int>(std::floor(left)), static_cast<int>(std::floor(top)), 0, 0, {}};
  out.width = static_cast<int>(std::ceil(right)) - out.left + 1;
  out.height = static_cast<int>(std::ceil(bottom)) - out.top + 1;
  out.share.assign(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height), 0);
  // The library takes integers of 16 bits.
  const double unit = std::max(1.0 / 256, std::max(out.width, out.height) / 32000.0);
  std::vector<stbtt_vertex> vertices;
  for (const ShapePoint& point : shape) {
    const auto whole = [&](double x, int origin) { return static_cast<short>(std::lround((x - origin) / unit)); };
    const bool curve = point.kind == ShapePoint::curve;
    stbtt_vertex vertex{};
    vertex.x = whole(point.x, out.left);
    vertex.y = whole(point.y, out.top);
    if (curve) vertex.cx = whole(point.via_x, out.left), vertex.cy = whole(point.via_y, out.top);
    vertex.type = curve ? STBTT_vcurve : point.kind == ShapePoint::line ? STBTT_vline : STBTT_vmove;
    vertices.push_back(vertex);
  }
  stbtt__bitmap bitmap{out.width, out.height, out.width, out.share.data()};
  const auto scale = static_cast<float>(unit);
  stbtt_Rasterize(&bitmap, 0.2F, vertices.data(), static_cast<int>(vertices.size()), scale, scale, 0, 0, 0, 0, 0,
                  nullptr);
  return out;
}

}  // namespace intertwine
