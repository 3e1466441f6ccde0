#pragma once
#include <array>
#include <filesystem>

#include "intertwine/task.hpp"
#include "letters.hpp"
#include "surface.hpp"

namespace intertwine {

/// A picture in memory, with smooth edges.
class Raster final : public Surface {
 public:
  /// White paper of so many units. \throws LimitError through `task`, or above 2^15 pixels a side
  Raster(double width, double height, const Task& task);
  /// Pixels a unit: letters of 12 units are crisp, and screens of high density show what is there.
  static constexpr unsigned scale = 2;

  void open(const Style& style) override { groups_.push_back(within(style)); }
  void close() override { groups_.pop_back(); }
  void rect(const Box& box, const Style& style = {}, double radius = 0) override;
  void text(double x, double y, std::string_view text, const Style& style = {}, double degrees = 0) override;
  void path(std::string_view data, const Style& style) override;

  /// Writes a PNG. \throws FileError
  void write(const std::filesystem::path& path) const;

 private:
  using Point = std::array<double, 2>;  // in units

  Style within(const Style& style) const;
  void blend(std::int64_t x, std::int64_t y, double share, Rgb colour);
  void fill(const Box& box, Rgb colour);
  void fill(const std::vector<Point>& polygon, Rgb colour);
  void fill(const Shape& shape, Rgb colour);  // in pixels
  void stroke(const std::vector<Point>& line, const Style& style);

  unsigned width_, height_;
  std::vector<Rgb> pixels_;  // row-major
  std::vector<Style> groups_{Style{.font_size = 16}};
};

}  // namespace intertwine
