// The common part of `basis` and `tie`: a group, an input and an output representation, and what is said of
// their basis.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "context.hpp"
#include "intertwine/equivariant/equivariant_basis.hpp"

namespace intertwine::app {

struct LayerOptions {
  std::string group, in, out;
};

/// Adds GROUP, --in and --out (perm if left out).
void add_layer_options(CLI::App& command, LayerOptions& options);

struct Layer {
  LayerOptions asked;  ///< as typed: shorter for people than what a file contains
  EquivariantBasis basis;
  double seconds;  ///< from the expressions to the certified basis
};

/// Parses the expressions and computes the certified basis; for a convolution kernel of the given size, the input is
/// multiplied by its sites.
Layer make_layer(const LayerOptions& options, const Context& context, bool single_pattern,
                 std::span<const std::uint64_t> kernel = {});

/// The keys that `basis` and `tie` share.
void describe(const Layer& layer, Json& json);

/// The same for people, with the reasons why a Hom is zero.
std::string describe(const Layer& layer, const Context& context);

/// Rows of codes of the only block: in memory when small, otherwise carried on demand.
std::unique_ptr<CodeRows> code_rows(const EquivariantBasis& basis, const Context& context);

/// The extension is .svg or .png.
bool is_picture(const std::string& file);

/// Writes a picture, SVG or PNG by the extension; true if the extension is one of these.
bool write_picture(const std::string& file, const Layer& layer, const TableHeader& header,
                   const CodeRows& rows);

}  // namespace intertwine::app
