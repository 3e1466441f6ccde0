// JSON files of characters and representations with proofs: verify() proves or refuses them. The group is called by its generators: names
// would only test what fuzz_expressions does.
// covers: src/io/files/proof_file.cpp src/characters/verify_character_proof.cpp src/representations/verify_matrices.cpp
#include <cstdint>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/answer_file.hpp"
#include "intertwine/io/records.hpp"

using namespace intertwine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Task task(std::uint64_t{256} << 20, 5.0, {});
  try {
    ProofFile file = parse_proof_file({reinterpret_cast<const char*>(data), size}, "input", task);
    file.group = "@input";
    static_cast<void>(to_text(proof_record(verify(file, task))));
  } catch (const Error&) {
  }
  return 0;
}
