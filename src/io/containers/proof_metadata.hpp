// The metadata key "proof": what is said of a proof beside its arrays.
#pragma once
#include <string>

#include "intertwine/tables/weight_block.hpp"

namespace intertwine {

/// {"form": "signed-permutations", "generators": [...]}, or "matrices" with the prime, the root and the kinds of generators.
std::string proof_metadata(const GeneratorImages& proof);

/// The proof that the text announces, without arrays. \throws FileError naming the file `name`.
GeneratorImages parse_proof_metadata(const std::string& text, const std::string& name);

}  // namespace intertwine
