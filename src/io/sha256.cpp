#include "io/sha256.hpp"

#include <openssl/evp.h>

#include "intertwine/error.hpp"

namespace intertwine {

struct Sha256::Context {
  EVP_MD_CTX* handle = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(handle); }
};

namespace {
void require(bool fine) {
  if (!fine) throw InternalError("the cryptographic library refuses to compute SHA-256");
}
}  // namespace

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  require(context_->handle != nullptr && EVP_DigestInit_ex(context_->handle, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
  require(EVP_DigestUpdate(context_->handle, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  require(EVP_DigestFinal_ex(context_->handle, digest, &size) == 1 && size == 32);
  std::string out;
  for (unsigned k = 0; k < size; ++k) {
    out += "0123456789abcdef"[digest[k] >> 4];
    out += "0123456789abcdef"[digest[k] & 15];
  }
  return out;
}

}  // namespace intertwine
