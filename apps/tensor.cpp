// tensor: the form of a tensor property in Voigt's notation.
#include <memory>
#include <optional>
#include <string>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/tensor_text.hpp"
#include "intertwine/physics/tensor_projection.hpp"

namespace intertwine::app {

void add_tensor(CLI::App& app, Context& context) {
  struct Options {
    std::string property, group, file, axes;
  };
  auto* command = app.add_subcommand(
      "tensor", "the form of a tensor property of crystals (elastic, piezoelectric, ...) for a point group");
  const auto options = std::make_shared<Options>();
  add_argument(*command, "PROPERTY", options->property, "elastic, piezoelectric, dielectric, ..., see below");
  add_argument(*command, "GROUP", options->group,
               "a point group: C3v, D4, Oh, or 3m, 422, m-3m; a magnetic one: \"-3'm'\"; isotropic");
  add_value(*command, "--project", "FILE", options->file,
            "the allowed tensor that is nearest to the one in this file, what is lost, and its constants: the matrix "
            "in Voigt's notation, .npy or a row in every line");
  add_value(*command, "--axes", "X,Y,Z", options->axes,
            "the form in other axes, exactly, and the axes of the tensor in a FILE: their directions in the axes of "
            "the form, 1,1,0,-1,1,0,0,0,1, Euler's angles, 'zxz 30,45,60', or 'turn 45 about 1,1,1'");
  command->footer(
      "The matrix in Voigt's notation (11, 22, 33, 23, 13, 12 are 1 to 6) of the most general tensor that "
      "the group leaves\n"
      "fixed, exactly, with its free components; their number is that of Nye's tables, and so are the axes: "
      "the main axis is\n"
      "x3, in C2, Cs and C2h it is x2; mirrors of 3m and -6m2 are across x1, half turns of 32, -3m and -42m "
      "about it.\n"
      "Symbols with axes of their own are read as well: -62m, -4m2, 31m, 3m1, 312, m2m, 112/m.\n"
      "--axes has the components in other axes by the same constants. 'zxz A,B,C' turns the axes by A degrees "
      "about z,\n"
      "by B about the x and by C about the z that they have by then, 'zyz A,B,C' about y in place of x.\n"
      "D4, C3 and S4 are point groups here. C∞v, D∞h, Kh (Coov, Dooh, isotropic) are known as well.\n"
      "Magnetic point groups have primes behind what reverses time, 4'/mm'm, or 1' at the end, mmm1'; "
      "without primes nothing\nreverses time, which matters to magnetization, toroidization, "
      "magnetoelectric, piezomagnetic,\nconductivity and thermoelectric.\nProperties:\n" +
      known_tensor_properties() +
      "  raman                 the polarizability by a normal mode: a form for every species that is active, in the "
      "axes of\n                        their names, x, y and z; degenerate modes have one for each partner\n"
      "\nExamples:\n  intertwine tensor elastic Oh\n  intertwine tensor piezoelectric 3m\n"
      "  intertwine tensor elastic m-3m --project computed.txt\n"
      "  intertwine tensor elastic m-3m --project computed.txt --axes 1,1,0,-1,1,0,0,0,1\n"
      "  intertwine tensor elastic m-3m --axes 'turn 45 about 0,0,1'\n"
      "  intertwine tensor gyration D2d --format latex\n"
      "  intertwine tensor raman D4h\n"
      "  intertwine tensor magnetoelectric \"-3'm'\"");
  command->callback([options, &context] {
    context.require_formats("tensor", all_formats);
    if (means_raman(options->property)) {
      if (!options->file.empty() || !options->axes.empty())
        throw DomainError(
            "tensor raman has a form for every species, and --project and --axes take properties of one form");
      return deliver_answer(context, "tensor", record(raman_report(options->group, context.task)));
    }
    TensorReport report = tensor_report(options->property, options->group, context.task);
    std::optional<TensorAxes> axes;
    if (!options->axes.empty()) axes = parse_tensor_axes(options->axes, context.task);
    if (axes && !axes->exact && options->file.empty()) throw DomainError("axes: " + axes->inexact);
    if (!options->file.empty()) {
      const TensorProperty& p = report.form.property;
      report.projection = project_tensor(report.form, read_tensor(options->file, p.rows, p.cols),
                                         axes ? std::optional(axes->directions) : std::nullopt);
    } else if (axes) {
      report.turned = in_axes(report.form, *axes->exact, context.task);
      report.axes = one_line(options->axes);
    }
    deliver_answer(context, "tensor", record(report));
  });
}

}  // namespace intertwine::app
