#include <fmt/format.h>

#include <chrono>
#include <iostream>

#include "context.hpp"
#include "intertwine/io/verify_table.hpp"

namespace intertwine::app {

namespace {

void run(const std::string& file, Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const TableProof proof = verify_table(*TableFile::open(file, context.task), context.task);
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
    return print(json);
  }
  std::cout << fmt::format(
      "{}: verified\n  group        {}, order {}\n  layer        {} -> {}, {} x {}\n  parameters   {} "
      "weights, {} biases (with multiplicities {} and {})\n"
      "  equivariant  every entry checked under every generator\n  complete     counted again: {} and {} "
      "({})\n  sha256       {}\n  time         {}\n",
      file, proof.group, proof.order.str(), proof.rep_in, proof.rep_out, proof.rows, proof.cols, proof.params,
      proof.bias_params, proof.dimension.str(), proof.bias_dimension.str(), proof.params, proof.bias_params,
      proof.route, proof.sha256, format_seconds(seconds));
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("verify", "re-proves what an exported table claims, from the file alone");
  const auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "a .safetensors, .npz or .json table")->required();
  command->footer(
      "Exit status 4 if a claim fails, 2 if the file is damaged or cannot be read.\nExample:\n  intertwine "
      "verify graph.safetensors");
  command->callback([file, &context] { run(*file, context); });
}

}  // namespace intertwine::app
