// The common part of `basis` and `tie`: a group, an input and an output representation, and what is said of
// their basis.
#pragma once
#include <span>
#include <string>

#include "context.hpp"
#include "intertwine/equivariant/equivariant_basis.hpp"
#include "intertwine/io/picture.hpp"

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

/// Only pages draw a basis that is not one of tied entries. \throws DomainError for another picture of one.
void require_drawable(const std::string& file, const Layer& layer);

/// The caption of a picture of its table, in the words of the user.
PictureText caption(const Layer& layer, const WeightTable& table);

}  // namespace intertwine::app
