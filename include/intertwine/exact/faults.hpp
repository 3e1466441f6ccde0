// Faults inside the libraries underneath, for processes that must outlive them.
#pragma once

namespace intertwine {

/// From now on GMP and FLINT throw where they would end the process: std::bad_alloc when memory runs out, InternalError for
/// whatever else they refuse. Memory that they had allocated until then may be lost. A setting of the whole process,
/// for programs and language bindings: call it at the start, before other threads compute. No argument that the
/// library's functions check themselves comes so far.
void throw_faults_of_libraries();

}  // namespace intertwine
