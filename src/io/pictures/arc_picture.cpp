// How generators move the basis vectors of a representation: arcs, one strip a generator.
#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/picture.hpp"
#include "io/containers/text.hpp"
#include "io/pictures/palette.hpp"
#include "io/pictures/picture_source.hpp"
#include "io/pictures/picture_text.hpp"

namespace intertwine {
namespace {

constexpr std::uint64_t max_vectors = 400, max_arcs = 20'000;
constexpr std::uint64_t most_labelled = 64;  ///< with more vectors than this, dots
constexpr double page_edge = 24, letter_width = 6.6, most_rise = 96, node_height = 18;
constexpr Rgb fixed_grey{150, 150, 158};

/// Where everything lies across: the places of the vectors and the texts on them.
struct ArcAxis {
  std::vector<std::string> labels;  ///< empty if there are dots
  std::vector<PictureBlock> blocks;
  double step = 0, left = page_edge;
  std::uint64_t count = 0;

  double x(std::uint64_t i) const { return left + step * (static_cast<double>(i) + 0.5); }
  double right() const { return left + step * static_cast<double>(count); }
};

double width_of(std::string_view text) {
  std::size_t letters = 0;
  for (std::size_t position = 0; position < text.size(); ++letters) next_code_point(text, position);
  return letter_width * static_cast<double>(letters);
}

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
std::string arc(double from, double to, double line, Rgb colour, bool negative) {
  const bool right = to > from;
  const double radius = std::abs(to - from) / 2, rise = std::min(radius, most_rise);
  const double start = line + (right ? -1 : 1) * node_height / 2, top = start + (right ? -rise : rise);
  const double tip = (from + to) / 2 + (right ? 5 : -5);
  return fmt::format(
      "<path class=\"{0}\" d=\"M{1:.6g} {2:.6g}A{3:.6g} {4:.6g} 0 0 1 {5:.6g} {2:.6g}\" fill=\"none\" "
      "stroke=\"{6}\" stroke-width=\"1.6\"{7}/>\n<path class=\"head\" d=\"M{8:.6g} {9:.6g}l{10} -4.5v9z\" "
      "fill=\"{6}\"/>\n",
      negative ? "minus" : "plus", from, start, radius, rise, to, hex_colour(colour),
      negative ? " stroke-dasharray=\"5 4\"" : "", tip, top, right ? -9 : 9);
}

std::string node(const ArcAxis& axis, std::uint64_t i, double line, bool fixed, bool negated, Rgb colour) {
  const std::string stroke = hex_colour(fixed ? fixed_grey : colour);
  const std::string dashes = negated ? " stroke-dasharray=\"3 2\"" : "";
  if (axis.labels.empty())
    return fmt::format(
        "<circle class=\"vector\" cx=\"{:.6g}\" cy=\"{:.6g}\" r=\"3.5\" fill=\"{}\" stroke=\"{}\"{}/>\n",
        axis.x(i), line, fixed ? "#ffffff" : stroke, stroke, dashes);
  const double width = width_of(negated ? "−" + axis.labels[i] : axis.labels[i]) + 10;
  return fmt::format(
      "<rect class=\"vector\" x=\"{:.6g}\" y=\"{:.6g}\" width=\"{:.6g}\" height=\"{:.6g}\" rx=\"9\" "
      "fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.4\"{}/>\n<text x=\"{:.6g}\" y=\"{:.6g}\" "
      "text-anchor=\"middle\" fill=\"{}\">{}{}</text>\n",
      axis.x(i) - width / 2, line - node_height / 2, width, node_height, stroke, dashes, axis.x(i), line + 4,
      fixed ? "#606068" : "#202024", negated ? "−" : "", escaped_markup(axis.labels[i]));
}

/// One generator's arcs around `line`.
std::string strip(const ArcAxis& axis, const SignedPermutation& g, double line) {
  const std::vector<std::uint64_t> cycle = cycles_of(g);
  std::string arcs, nodes;
  for (Point i = 0; i < g.degree(); ++i) {
    const SignedPoint to = g(i);
    const bool fixed = cycle[i] == 0;
    const Rgb colour = parameter_colour(fixed ? 0 : cycle[i] - 1);
    if (!fixed) arcs += arc(axis.x(i), axis.x(to.point()), line, colour, to.negative());
    nodes += node(axis, i, line, fixed, fixed && to.negative(), colour);
  }
  return "<g class=\"generator\">\n" + arcs + nodes + "</g>\n";
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

}  // namespace

std::string arc_picture(const Representation& V) {
  if (!V.is_monomial())
    throw DomainError(fmt::format(
        "arcs show how basis vectors go to each other, and {} has generators that take them to sums",
        shortened(V.to_string())));
  const std::vector<Permutation>& generators = V.group().generators();
  if (V.dimension() > max_vectors || V.dimension() * generators.size() > max_arcs)
    throw LimitError(fmt::format(
        "a picture of arcs holds at most {} basis vectors and {} arcs, and {} generators move {} vectors",
        max_vectors, max_arcs, generators.size(), V.dimension()));
  const ArcAxis axis = axis_of(V);
  const std::string title = fmt::format("{}: {}", shortened(V.group().name()), shortened(V.to_string()));
  double y = page_edge + 16;
  std::string body = svg_text(page_edge, y, " font-size=\"16\" font-weight=\"600\"", title);
  double width = std::max(axis.right(), page_edge + 9.6 * static_cast<double>(title.size()));
  y += 10;
  if (axis.blocks.size() > 1) {
    y += 18;
    for (const PictureBlock& block : axis.blocks)
      body += svg_text((axis.x(block.start) + axis.x(block.start + block.size - 1)) / 2, y,
                       " text-anchor=\"middle\" fill=\"#505050\"", shortened(block.name, 40));
  }
  const double top = y + 6;
  const std::vector<SignedPermutation> images = V.generator_images();
  for (std::size_t k = 0; k < images.size(); ++k) {
    const std::string name = shortened(generators[k].to_string());
    y += 28;
    body += svg_text(page_edge, y, " fill=\"#505050\"", name);
    width = std::max(width, page_edge + width_of(name));
    y += rise_of(images[k], axis.step, true) + node_height;
    body += strip(axis, images[k], y);
    y += rise_of(images[k], axis.step, false) + node_height;
  }
  for (std::size_t b = 1; b < axis.blocks.size(); ++b)
    body += fmt::format(
        "<path class=\"border\" d=\"M{0:.6g} {1:.6g}V{2:.6g}\" stroke=\"#b0b0b8\" stroke-dasharray=\"2 "
        "3\"/>\n",
        axis.left + axis.step * static_cast<double>(axis.blocks[b].start), top, y);
  width += page_edge;
  y += page_edge;
  return svg_document(width, y, title, "<g font-size=\"12\">\n" + body + "</g>\n");
}

void write_picture(const std::filesystem::path& path, const Representation& V) {
  if (path.extension() != ".svg")
    throw DomainError(
        fmt::format("the arcs of a representation are drawn as .svg, not \"{}\"", path.extension().string()));
  write_file(path, arc_picture(V));
}

}  // namespace intertwine
