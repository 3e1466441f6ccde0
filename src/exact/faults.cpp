// Turns the faults of GMP and FLINT into exceptions.
#include "intertwine/exact/faults.hpp"

#include <flint/flint.h>
#include <gmp.h>

#include <cstdlib>
#include <new>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

// The frames of C in between have unwind tables, as the ABI of x86-64 and of AArch64 demands of everything; they clean up
// nothing.
FLINT_NORETURN void refuse() {  // as FLINT declares it: for clang that is part of the type
  throw InternalError("FLINT refused an operation; what it says of it stands on the standard error stream");
}

void* checked(void* memory, std::size_t size) {
  if (memory == nullptr && size != 0) throw std::bad_alloc();
  return memory;
}

void* allocate(std::size_t size) { return checked(std::malloc(size), size); }
void* allocate_zeros(std::size_t count, std::size_t size) { return checked(std::calloc(count, size), count * size); }
void* resize(void* old, std::size_t size) { return checked(std::realloc(old, size), size); }
void* reallocate(void* old, std::size_t, std::size_t size) { return resize(old, size); }
void release(void* memory, std::size_t) { std::free(memory); }

}  // namespace

void throw_faults_of_libraries() {
  flint_set_abort(refuse);
  __flint_set_memory_functions(allocate, allocate_zeros, resize,
                               std::free);  // its own say so on the standard output
  mp_set_memory_functions(allocate, reallocate, release);
}

}  // namespace intertwine
