// How generators move the basis vectors of a representation: arcs, one strip a generator.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/picture.hpp"
#include "io/containers/text.hpp"
#include "io/pictures/picture_source.hpp"
#include "io/pictures/raster.hpp"
#include "io/pictures/svg_surface.hpp"

namespace intertwine {
namespace {

constexpr std::uint64_t max_vectors = 400, max_arcs = 20'000;
constexpr std::uint64_t most_labelled = 64;  ///< with more vectors than this, dots
constexpr double page_edge = 24, text_size = 12, most_rise = 96, node_height = 18;
constexpr Rgb fixed_grey{150, 150, 158};

/// The layout across: the places of the vectors and the texts on them.
struct ArcAxis {
  std::vector<std::string> labels;  ///< empty if there are dots
  std::vector<PictureBlock> blocks;
  double step = 0, left = page_edge;
  std::uint64_t count = 0;

  double x(std::uint64_t i) const { return left + step * (static_cast<double>(i) + 0.5); }
  double right() const { return left + step * static_cast<double>(count); }
};

double width_of(std::string_view text) { return std::ceil(text_width(text, text_size)); }

ArcAxis axis_of(const Representation& V) {
  ArcAxis axis;
  axis.count = V.dimension();
  axis.blocks = picture_blocks(V);
  double widest = 0;
  if (axis.count <= most_labelled)
    for (std::uint64_t i = 0; i < axis.count; ++i) {
      axis.labels.push_back(shortened(V.basis_label(i), 24));
      widest = std::max(widest, width_of(axis.labels.back()));
    }
  axis.step = axis.labels.empty() ? 10 : std::max(34.0, widest + 18);
  return axis;
}

/// The cycle of every vector under one generator: their numbers count the cycles that move, by their first vectors; 0 for
/// vectors that go to plus or minus themselves.
std::vector<std::uint64_t> cycles_of(const SignedPermutation& g) {
  std::vector<std::uint64_t> cycle(g.degree(), 0);
  std::uint64_t number = 0;
  for (Point first = 0; first < g.degree(); ++first) {
    if (cycle[first] != 0 || g(first).point() == first) continue;
    ++number;
    for (Point i = first; cycle[i] == 0; i = g(i).point()) cycle[i] = number;
  }
  return cycle;
}

/// An arc from one place to another, above the line to the right and below it to the left, an arrow head on its top.
void draw_arc(Surface& surface, double from, double to, double line, Rgb colour, bool negative) {
  const bool right = to > from;
  const double radius = std::abs(to - from) / 2, rise = std::min(radius, most_rise);
  const double start = line + (right ? -1 : 1) * node_height / 2, top = start + (right ? -rise : rise);
  surface.path(
      fmt::format("M{0:.6g} {1:.6g}A{2:.6g} {3:.6g} 0 0 1 {4:.6g} {1:.6g}", from, start, radius, rise, to),
      {.name = negative ? "minus" : "plus", .stroke = colour, .stroke_width = 1.6, .dashes = negative ? "5 4" : ""});
  surface.path(fmt::format("M{:.6g} {:.6g}l{} -4.5v9z", (from + to) / 2 + (right ? 5 : -5), top, right ? -9 : 9),
               {.name = "head", .fill = colour});
}

void draw_node(Surface& surface, const ArcAxis& axis, std::uint64_t i, double line, bool fixed, bool negated,
               Rgb colour) {
  const Rgb stroke = fixed ? fixed_grey : colour;
  const std::string_view dashes = negated ? "3 2" : "";
  if (axis.labels.empty())
    return surface.rect(
        {axis.x(i) - 3.5, line - 3.5, 7, 7},
        {.name = "vector", .fill = fixed ? white : stroke, .stroke = stroke, .stroke_width = 1, .dashes = dashes}, 3.5);
  const std::string label = negated ? "−" + axis.labels[i] : axis.labels[i];
  const double width = width_of(label) + 10;
  surface.rect({axis.x(i) - width / 2, line - node_height / 2, width, node_height},
               {.name = "vector", .fill = white, .stroke = stroke, .stroke_width = 1.4, .dashes = dashes}, 9);
  surface.text(axis.x(i), line + 4, label,
               {.fill = fixed ? Rgb{96, 96, 104} : Rgb{32, 32, 36}, .anchor = Anchor::middle});
}

/// One generator's arcs around `line`.
void draw_strip(Surface& surface, const ArcAxis& axis, const SignedPermutation& g, double line) {
  const std::vector<std::uint64_t> cycle = cycles_of(g);
  const auto colour = [&](Point i) { return parameter_colour(cycle[i] == 0 ? 0 : cycle[i] - 1); };
  surface.open({.name = "generator"});
  for (Point i = 0; i < g.degree(); ++i)
    if (cycle[i] != 0) draw_arc(surface, axis.x(i), axis.x(g(i).point()), line, colour(i), g(i).negative());
  for (Point i = 0; i < g.degree(); ++i)
    draw_node(surface, axis, i, line, cycle[i] == 0, cycle[i] == 0 && g(i).negative(), colour(i));
  surface.close();
}

/// How far the arcs of a generator rise to the right (above the line) or to the left (below it).
double rise_of(const SignedPermutation& g, double step, bool right) {
  double rise = 0;
  for (Point i = 0; i < g.degree(); ++i) {
    const double way = static_cast<double>(g(i).point()) - static_cast<double>(i);
    rise = std::max(rise, step * (right ? way : -way) / 2);
  }
  return std::min(rise, most_rise);
}

/// The contents of the picture and their places, before it is drawn.
struct ArcDrawing {
  explicit ArcDrawing(const Representation& V);
  void draw(Surface& surface) const;

  struct Words {
    double x, y;
    std::string text;
    Style style;
  };
  ArcAxis axis;
  std::string title;
  std::vector<SignedPermutation> images;
  std::vector<Words> words;
  std::vector<double> lines;  ///< the lines of the generators
  double top = 0, width = 0, height = 0;
};

ArcDrawing::ArcDrawing(const Representation& V) {
  if (!V.is_monomial())
    throw DomainError(
        fmt::format("arcs show how basis vectors go to each other, and {} has generators that take them to sums",
                    shortened(V.to_string())));
  const std::vector<Permutation>& generators = V.group().generators();
  if (V.dimension() > max_vectors || V.dimension() * generators.size() > max_arcs)
    throw LimitError(
        fmt::format("a picture of arcs holds at most {} basis vectors and {} arcs, and {} generators move {} vectors",
                    max_vectors, max_arcs, generators.size(), V.dimension()));
  axis = axis_of(V);
  images = V.generator_images();
  title = fmt::format("{}: {}", title_name(V.group().name()), title_name(V.to_string()));
  const Rgb grey{80, 80, 80};
  double y = page_edge + 16;
  words.push_back({page_edge, y, title, {.font_size = 16, .bold = true}});
  width = std::max(axis.right(), page_edge + std::ceil(text_width(title, 16, true)));
  y += 10;
  if (axis.blocks.size() > 1) {
    y += 18;
    for (const PictureBlock& block : axis.blocks)
      words.push_back({(axis.x(block.start) + axis.x(block.start + block.size - 1)) / 2,
                       y,
                       shortened(block.name, 40),
                       {.fill = grey, .anchor = Anchor::middle}});
  }
  top = y + 6;
  for (std::size_t k = 0; k < images.size(); ++k) {
    y += 28;
    words.push_back({page_edge, y, shortened(generators[k].to_string()), {.fill = grey}});
    width = std::max(width, page_edge + width_of(words.back().text));
    y += rise_of(images[k], axis.step, true) + node_height;
    lines.push_back(y);
    y += rise_of(images[k], axis.step, false) + node_height;
  }
  width += page_edge;
  height = y + page_edge;
}

void ArcDrawing::draw(Surface& surface) const {
  surface.open({.font_size = text_size});
  for (const Words& each : words) surface.text(each.x, each.y, each.text, each.style);
  for (std::size_t k = 0; k < lines.size(); ++k) draw_strip(surface, axis, images[k], lines[k]);
  for (std::size_t b = 1; b < axis.blocks.size(); ++b)
    surface.path(fmt::format("M{:.6g} {:.6g}V{:.6g}", axis.left + axis.step * static_cast<double>(axis.blocks[b].start),
                             top, height - page_edge),
                 {.name = "border", .stroke = Rgb{176, 176, 184}, .stroke_width = 1, .dashes = "2 3"});
  surface.close();
}

}  // namespace

std::string arc_picture(const Representation& V) {
  const ArcDrawing drawing(V);
  SvgSurface surface;
  drawing.draw(surface);
  return surface.document(drawing.width, drawing.height, drawing.title);
}

void write_picture(const std::filesystem::path& path, const hom::Representation& V, const Task& task) {
  const auto* R = V.as<Representation>();
  if (R == nullptr)
    throw DomainError("arcs show how a finite group moves basis vectors; " + V.group().name() + " is not finite");
  if (path.extension() == ".svg") return write_file(path, arc_picture(*R));
  if (path.extension() != ".png")
    throw DomainError(
        fmt::format("the arcs of a representation are drawn as .svg or .png, not \"{}\"", path.extension().string()));
  const ArcDrawing drawing(*R);
  Raster raster(drawing.width, drawing.height, task);
  drawing.draw(raster);
  raster.write(path);
}

}  // namespace intertwine
