#include <fmt/format.h>

#include <chrono>

#include "context.hpp"
#include "intertwine/io/verify_table.hpp"

namespace intertwine::app {

namespace {

void run(const std::string& file, Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const TableProof proof = verify_table_file(file, context.task);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  context.finish_progress();
  if (context.json) {
    Json json = answer("verify");
    json["file"] = file;
    json["verified"] = true;
    json["group"] = proof.group;
    json["order"] = proof.order.str();
    json["rep_in"] = proof.rep_in;
    json["rep_out"] = proof.rep_out;
    json["rows"] = proof.rows;
    json["cols"] = proof.cols;
    json["params"] = proof.params;
    json["bias_params"] = proof.bias_params;
    json["dimension"] = proof.dimension.str();
    json["bias_dimension"] = proof.bias_dimension.str();
    json["route"] = proof.route;
    json["sha256"] = proof.sha256;
    json["seconds"] = seconds;
    return context.print(json);
  }
  const auto weights = counted(std::to_string(proof.params), "weight", "weights");
  const auto biases = counted(std::to_string(proof.bias_params), "bias", "biases");
  const bool repeated = proof.multiplicity_in != 1 || proof.multiplicity_out != 1;
  context.out << file << ": verified\n"
              << fmt::format("  group        {}, order {}\n", proof.group, proof.order.str())
              << fmt::format("  layer        {} -> {}, {} x {}\n", proof.rep_in, proof.rep_out, proof.rows,
                             proof.cols)
              << fmt::format("  parameters   {}, {}{}\n", weights, biases,
                             repeated ? fmt::format("; with multiplicities {} in and {} out: {} and {}",
                                                    proof.multiplicity_in, proof.multiplicity_out,
                                                    proof.dimension.str(), proof.bias_dimension.str())
                                      : "")
              << "  equivariant  every entry checked under every generator\n"
              << fmt::format("  complete     {} and {} counted again ({})\n", weights, biases, proof.route)
              << fmt::format("  sha256       {}\n  time         {}\n", proof.sha256, format_seconds(seconds));
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("verify", "re-proves what an exported table claims, from the file alone");
  const auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "a .safetensors, .npz or .json table")->type_name("")->required();
  command->footer(
      "Exit status 4 if a claim fails, 2 if the file is damaged or cannot be read.\nExample:\n  intertwine "
      "verify graph.safetensors");
  command->callback([file, &context] { run(*file, context); });
}

}  // namespace intertwine::app
