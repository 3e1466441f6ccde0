// SHA-256 [FIPS 180-4] of bytes that arrive in pieces.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace intertwine {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::span<const std::byte> bytes);
  /// The digest as 64 lower-case hexadecimal digits. Call once, last.
  std::string hex();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace intertwine
