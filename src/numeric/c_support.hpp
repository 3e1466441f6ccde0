// The common part of the functions of the C interface: exceptions as statuses, arguments checked.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/intertwine_numeric.h"
#include "intertwine/numeric/bf16.hpp"
#include "intertwine/numeric/half.hpp"

namespace intertwine::c_interface {

/// The last error of the calling thread.
std::string& last_error();

inline intertwine_status failed(intertwine_status status, const char* why) noexcept {
  try {
    last_error() = why;
  } catch (...) {
    last_error().clear();  // no memory for the message
  }
  return status;
}

// Runs `body`; what it throws becomes a status and a message.
template <class Body>
intertwine_status guarded(const Body& body) noexcept {
  try {
    body();
    return INTERTWINE_OK;
  } catch (const FileError& e) {
    return failed(INTERTWINE_BAD_FILE, e.what());
  } catch (const LimitError& e) {
    return failed(INTERTWINE_NO_MEMORY, e.what());
  } catch (const InternalError& e) {
    return failed(INTERTWINE_FAULT, e.what());
  } catch (const Error& e) {
    return failed(INTERTWINE_BAD_ARGUMENT, e.what());
  } catch (const std::bad_alloc&) {
    return failed(INTERTWINE_NO_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return failed(INTERTWINE_FAULT, e.what());
  } catch (...) {
    return failed(INTERTWINE_FAULT, "an unknown exception");
  }
}

template <class T>
T& given(T* pointer, const char* name) {
  if (pointer == nullptr) throw DomainError(fmt::format("{} is NULL", name));
  return *pointer;
}

template <class T, class Void>
std::span<T> array(Void* data, std::uint64_t count, const char* name) {
  if (data == nullptr && count != 0) throw DomainError(fmt::format("{} is NULL but has {} entries", name, count));
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0)
    throw DomainError(fmt::format("{} is not aligned to its type", name));
  return {static_cast<T*>(data), count};
}

// Calls body with a value of the type that `dtype` names.
template <class Body>
void with_type(intertwine_dtype dtype, bool storage, const Body& body) {
  if (dtype == INTERTWINE_F32) return body(float{});
  if (dtype == INTERTWINE_F64) return body(double{});
  if (dtype == INTERTWINE_BF16 || dtype == INTERTWINE_F16) {
    if constexpr (requires { body(Bf16{}); })
      if (storage) return dtype == INTERTWINE_BF16 ? body(Bf16{}) : body(Half{});
    throw DomainError(
        "bfloat16 and fp16 are for intertwine_materialise, _reduce and _project; take float32 or float64");
  }
  throw DomainError(fmt::format("there is no dtype {}", static_cast<int>(dtype)));
}

}  // namespace intertwine::c_interface
