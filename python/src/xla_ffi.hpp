// The part of XLA's binary interface for foreign functions that handlers need: a call frame with buffers and
// attributes, and an error to give back. The layout is XLA's, version 0.1 of its interface
// (openxla.org/xla/custom_call); later versions append members, and every struct says its size.
// python/tests/in_jax/test_jax.py compares it with the header that jaxlib ships.
#pragma once
#include <cstddef>
#include <cstdint>

namespace intertwine::xla_ffi {

constexpr int major_version = 0, minor_version = 1;

struct Extension {
  std::size_t size;
  int type;  ///< 1: metadata, asked for when a handler is registered
  Extension* next;
};

struct Version {
  std::size_t size;
  Extension* extensions;
  int major, minor;
};

struct Metadata {
  std::size_t size;
  Version version;
  std::uint32_t traits;
};

struct MetadataExtension {
  Extension base;
  Metadata* metadata;
};

/// How a failure is told: a message and a code.
struct ErrorText {
  std::size_t size;
  Extension* extensions;
  const char* message;
  int code;
};

struct Failure;  // XLA's own

/// The first entries of XLA's table of functions.
struct Functions {
  std::size_t size;
  Extension* extensions;
  Version version;
  const void* internal;
  Failure* (*create_error)(ErrorText*);
};

struct Buffer {
  std::size_t size;
  Extension* extensions;
  int number;  ///< s32: 4, f32: 11, f64: 12
  void* data;
  std::int64_t rank;
  std::int64_t* dims;
};

/// Operands or results: all are buffers, of the type 1.
struct Buffers {
  std::size_t size;
  Extension* extensions;
  std::int64_t count;
  int* types;
  Buffer** buffers;
};

struct Text {
  const char* first;
  std::size_t length;
};

struct Scalar {
  int number;  ///< s64: 5
  void* value;
};

/// Sorted by name. A value is a Scalar (type 3) or a Text (type 4).
struct Attributes {
  std::size_t size;
  Extension* extensions;
  std::int64_t count;
  int* types;
  Text** names;
  void** values;
};

struct CallFrame {
  std::size_t size;
  Extension* extensions;
  const Functions* functions;
  void* context;
  int stage;  ///< 3: the call itself
  Buffers operands;
  Buffers results;
  Attributes attributes;
};

using Handler = Failure*(CallFrame*);

}  // namespace intertwine::xla_ffi
