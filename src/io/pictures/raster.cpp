// Fills paths with pixels.
#include "io/pictures/raster.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "intertwine/error.hpp"
#include "io/containers/atomic_file.hpp"

namespace intertwine {
namespace {

constexpr unsigned max_pixels_a_side = 32768;

unsigned pixels(double units) {
  const double out = std::ceil(units * Raster::scale);
  if (!(out <= max_pixels_a_side))
    throw LimitError(fmt::format("a picture of {:.0f} pixels; a PNG has at most {} a side", out, max_pixels_a_side));
  return static_cast<unsigned>(out);
}

/// Numbers of path data, or of dashes.
double next_number(std::string_view& text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" ,")));
  double out = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), out);
  if (end.ec != std::errc{}) throw InternalError(fmt::format("no number in a picture: \"{}\"", text));
  text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
  return out;
}

/// Points of a circle's quarters, from one angle (in quarters) on; half-axes may differ.
template <class Points>
void add_arc(Points& points, double x, double y, double rx, double ry, double from, double quarters) {
  const int steps = static_cast<int>(quarters * std::clamp(2 * std::sqrt(std::max(rx, ry)), 4.0, 64.0));
  for (int k = 0; k <= steps; ++k) {
    const double angle = (from + quarters * k / steps) * std::numbers::pi / 2;
    points.push_back({x + rx * std::cos(angle), y + ry * std::sin(angle)});
  }
}

}  // namespace

Raster::Raster(double width, double height, const Task& task) : width_(pixels(width)), height_(pixels(height)) {
  // Beside it lies what is packed.
  task.require_memory(std::uint64_t{width_} * height_ * 6, "the pixels of a picture");
  pixels_.assign(std::size_t{width_} * height_, white);
}

Style Raster::within(const Style& style) const {
  Style out = groups_.back();
  if (style.fill) out.fill = style.fill;
  if (style.stroke) out.stroke = style.stroke;
  if (style.stroke_width != 0) out.stroke_width = style.stroke_width;
  if (style.font_size != 0) out.font_size = style.font_size;
  if (style.anchor) out.anchor = style.anchor;
  out.bold |= style.bold;
  out.dashes = style.dashes;
  return out;
}

void Raster::blend(std::int64_t x, std::int64_t y, double share, Rgb colour) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  Rgb& pixel = pixels_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)];
  if (share >= 1) {
    pixel = colour;
    return;
  }
  const auto mixed = [&](std::uint8_t below, std::uint8_t above) {
    return static_cast<std::uint8_t>(std::lround(below + share * (above - below)));
  };
  pixel = {mixed(pixel.red, colour.red), mixed(pixel.green, colour.green), mixed(pixel.blue, colour.blue)};
}

void Raster::fill(const Box& box, Rgb colour) {
  const double left = box.left * scale, right = left + box.width * scale;
  const double top = box.top * scale, bottom = top + box.height * scale;
  for (double y = std::floor(top); y < bottom; ++y)
    for (double x = std::floor(left); x < right; ++x)
      blend(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y),
            (std::min(right, x + 1) - std::max(left, x)) * (std::min(bottom, y + 1) - std::max(top, y)), colour);
}

void Raster::fill(const std::vector<Point>& polygon, Rgb colour) {
  Shape shape;
  for (const auto& [x, y] : polygon)
    shape.push_back({x * scale, y * scale, 0, 0, shape.empty() ? ShapePoint::begin : ShapePoint::line});
  fill(shape, colour);
}

void Raster::fill(const Shape& shape, Rgb colour) {
  const Coverage cover = coverage_of(shape);
  for (int y = 0; y < cover.height; ++y)
    for (int x = 0; x < cover.width; ++x)
      if (const std::uint8_t share = cover.share[static_cast<std::size_t>(y * cover.width + x)]; share != 0)
        blend(cover.left + x, cover.top + y, share / 255.0, colour);
}

void Raster::stroke(const std::vector<Point>& line, const Style& style) {
  std::vector<double> lengths;
  for (std::string_view rest = style.dashes; !rest.empty();) lengths.push_back(next_number(rest));
  if (lengths.empty()) lengths.push_back(HUGE_VAL);
  Shape shape;
  std::size_t piece = 0;
  double left = lengths[0];
  for (std::size_t k = 1; k < line.size(); ++k) {
    auto [x, y] = line[k - 1];
    double length = std::hypot(line[k][0] - x, line[k][1] - y);
    if (length == 0) continue;
    const double dx = (line[k][0] - x) / length, dy = (line[k][1] - y) / length;
    const double nx = -dy * style.stroke_width / 2, ny = dx * style.stroke_width / 2;
    while (length > 0) {
      const double step = std::min(length, left), to_x = x + step * dx, to_y = y + step * dy;
      if (piece % 2 == 0)
        for (const auto& [px, py] :
             {Point{x + nx, y + ny}, Point{to_x + nx, to_y + ny}, Point{to_x - nx, to_y - ny}, Point{x - nx, y - ny}})
          shape.push_back({px * scale, py * scale, 0, 0, shape.size() % 4 == 0 ? ShapePoint::begin : ShapePoint::line});
      x = to_x, y = to_y, length -= step, left -= step;
      if (left <= 0) left = lengths[++piece % lengths.size()];
    }
  }
  fill(shape, *style.stroke);
}

void Raster::rect(const Box& box, const Style& given, double radius) {
  const Style style = within(given);
  const auto& [left, top, width, height] = box;
  if (radius == 0 && style.dashes.empty()) {
    if (style.fill) fill(box, *style.fill);
    if (!style.stroke) return;
    const double line = style.stroke_width, half = line / 2;
    fill(Box{left - half, top - half, width + line, line}, *style.stroke);
    fill(Box{left - half, top + height - half, width + line, line}, *style.stroke);
    fill(Box{left - half, top + half, line, height - line}, *style.stroke);
    fill(Box{left + width - half, top + half, line, height - line}, *style.stroke);
    return;
  }
  std::vector<Point> border;
  add_arc(border, left + radius, top + radius, radius, radius, 2, 1);
  add_arc(border, left + width - radius, top + radius, radius, radius, 3, 1);
  add_arc(border, left + width - radius, top + height - radius, radius, radius, 0, 1);
  add_arc(border, left + radius, top + height - radius, radius, radius, 1, 1);
  border.push_back(border[0]);
  if (style.fill) fill(border, *style.fill);
  if (style.stroke) stroke(border, style);
}

void Raster::text(double x, double y, std::string_view text, const Style& given, double degrees) {
  const Style style = within(given);
  const double size = style.font_size, angle = degrees * std::numbers::pi / 180;
  const double back = style.anchor.value_or(Anchor::start) == Anchor::start
                          ? 0
                          : text_width(text, size, style.bold) * (style.anchor == Anchor::end ? 1 : 0.5);
  const double cosine = std::cos(angle), sine = std::sin(angle);
  for (Shape& shape : letter_shapes(text, size, style.bold)) {
    for (ShapePoint& p : shape) {
      const auto place = [&](double& px, double& py) {
        const double along = px - back, below = py;
        px = (x + along * cosine - below * sine) * scale;
        py = (y + along * sine + below * cosine) * scale;
      };
      place(p.x, p.y);
      place(p.via_x, p.via_y);
    }
    fill(shape, style.fill.value_or(Rgb{0, 0, 0}));
  }
}

void Raster::path(std::string_view data, const Style& given) {
  const Style style = within(given);
  std::vector<Point> line;
  const auto draw = [&] {
    if (line.size() < 2) return;
    if (given.fill) fill(line, *given.fill);
    if (!style.stroke) return;
    const auto& [a, b] = std::pair(line[0], line[1]);
    const double half = style.stroke_width / 2;
    if (line.size() > 2 || !style.dashes.empty() || (a[0] != b[0] && a[1] != b[1])) return stroke(line, style);
    if (a[0] == b[0])
      fill(Box{a[0] - half, std::min(a[1], b[1]), 2 * half, std::abs(a[1] - b[1])}, *style.stroke);
    else
      fill(Box{std::min(a[0], b[0]), a[1] - half, std::abs(a[0] - b[0]), 2 * half}, *style.stroke);
  };
  while (!data.empty()) {
    const char command = data.front();
    data.remove_prefix(1);
    const Point at = line.empty() ? Point{} : line.back();
    if (command == 'M') {
      draw();
      line.clear();
      const double x = next_number(data);
      line.push_back({x, next_number(data)});
    } else if (command == 'l') {
      const double dx = next_number(data);
      line.push_back({at[0] + dx, at[1] + next_number(data)});
    } else if (command == 'h') {
      line.push_back({at[0] + next_number(data), at[1]});
    } else if (command == 'v') {
      line.push_back({at[0], at[1] + next_number(data)});
    } else if (command == 'V') {
      line.push_back({at[0], next_number(data)});
    } else if (command == 'z') {
      line.push_back(line.front());
    } else if (command == 'A') {
      const double rx = next_number(data), ry = next_number(data);
      for (int flag = 0; flag < 3; ++flag) next_number(data);  // 0 0 1: the way of the clock
      const double x = next_number(data), y = next_number(data);
      add_arc(line, (at[0] + x) / 2, y, rx, ry, x > at[0] ? 2 : 0, 2);
    } else {
      throw InternalError(fmt::format("no command in a picture: '{}'", command));
    }
  }
  draw();
}

void Raster::write(const std::filesystem::path& path) const {
  static_assert(sizeof(Rgb) == 3);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width_;
  image.height = height_;
  image.format = PNG_FORMAT_RGB;
  AtomicFile file(path);  // first, so that a wrong path is known before the work of packing
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels_.data(), 0, nullptr) == 0)
    throw InternalError(fmt::format("libpng cannot pack the picture: {}", image.message));
  file.write_at(0, std::string_view(bytes).substr(0, size));
  file.commit(size);
}

}  // namespace intertwine
