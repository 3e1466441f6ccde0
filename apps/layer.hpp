// The common part of `basis` and `tie`: a group, an input and an output representation, and what is said of
// their basis.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "context.hpp"
#include "intertwine/io/basis_text.hpp"
#include "intertwine/io/records.hpp"

namespace intertwine::app {

struct LayerOptions : BasisNames {
  bool in_given = false,
       out_given = false;  ///< for continuous groups what is left out is the natural representation and --in
};

/// Adds GROUP, --in (if left out perm, or the natural representation of a continuous group) and --out (that of --in if
/// left out: complete() says so once all is parsed).
void add_layer_options(CLI::App& command, LayerOptions& options);
/// Adds --kernel, the size of a convolution kernel: "3x3", or "5" for all axes.
void add_kernel_option(CLI::App& command, std::string& kernel);
void complete(LayerOptions& options);

/// The form of a layer that the extension of a file asks for: the answer in one of its formats, a weight table, or a
/// picture.
enum class LayerFile { answer, table, picture };
/// \param json_is_table  a .json file is the table that .safetensors holds, and not what --json prints
/// \throws DomainError for another extension, naming all: before the work
LayerFile layer_file(const std::string& file, const std::string& command, bool json_is_table);
/// Is the format one of the elements of the basis: LaTeX, a table, for a system of computer algebra, or an array?
bool is_of_elements(Format format);

/// The expressions as pictures show them: - for standard input.
BasisNames shown(const BasisNames& names, const Context& context);

/// For the footer of --help: the continuous groups and their representations.
std::string continuous_groups_help();

/// The representations that expressions name; those left out are the natural one for groups that are not finite.
struct Sides {
  hom::Representation source, target;
  BasisNames names;  ///< with the representations that were left out
};
Sides parse_sides(const LayerOptions& options, const Task& task);

struct TimedBasis {
  hom::Basis basis;
  BasisNames names;                   ///< with the representations that were left out
  double seconds;                     ///< from the expressions to the certified basis
  std::vector<std::uint64_t> kernel;  ///< the sizes of its axes
};

/// Parses the expressions and computes the certified basis; for a convolution kernel (--kernel), the input is
/// multiplied by its sites.
TimedBasis make_layer(const LayerOptions& options, const Context& context, bool single_pattern,
                      const std::string& kernel = {});

}  // namespace intertwine::app
