// Finds cuBLAS at run time.
#include "numeric/cuda/cublas.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "intertwine/error.hpp"

namespace intertwine::numeric_detail::cuda {
namespace {

struct Found {
  std::unique_ptr<Cublas> library;
  std::string why;
};

template <class Function>
bool bind(void* library, const char* name, Function& to) {
  to = reinterpret_cast<Function>(dlsym(library, name));
  return to != nullptr;
}

// The library stays open: it keeps state of the driver.
std::unique_ptr<Cublas> open(const std::string& path, std::string& why) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* text = dlerror();
    why += fmt::format("; {}", text == nullptr ? path.c_str() : text);
    return nullptr;
  }
  auto out = std::make_unique<Cublas>();
  out->path = path;
  const bool whole =
      bind(library, "cublasCreate_v2", out->create) && bind(library, "cublasDestroy_v2", out->destroy) &&
      bind(library, "cublasGetVersion_v2", out->version) && bind(library, "cublasSetStream_v2", out->set_stream) &&
      bind(library, "cublasSetMathMode", out->set_math_mode) &&
      bind(library, "cublasSetWorkspace_v2", out->set_workspace) && bind(library, "cublasGemmEx", out->gemm) &&
      bind(library, "cublasGemmStridedBatchedEx", out->gemm_strided);
  if (!whole) {
    why += fmt::format("; {} is no cuBLAS of version 11.2 or later", path);
    dlclose(library);
    return nullptr;
  }
  bind(library, "cublasGemmGroupedBatchedEx", out->gemm_grouped);
  return out;
}

Found search() {
  std::vector<std::string> paths = {"libcublas.so.13", "libcublas.so.12", "libcublas.so",
                                    "/usr/local/cuda/lib64/libcublas.so"};
  if (const char* named = std::getenv("INTERTWINE_CUBLAS"); named != nullptr && *named != '\0') paths = {named};
  Found found;
  for (const std::string& path : paths)
    if ((found.library = open(path, found.why))) return found;
  found.why = "cuBLAS was not found: install it, or name the library in INTERTWINE_CUBLAS" + found.why;
  return found;
}

const Found& found_library() {
  static const Found found = search();
  return found;
}

}  // namespace

const Cublas* find_cublas(std::string* why) {
  const Found& found = found_library();
  if (why != nullptr) *why = found.why;
  return found.library.get();
}

const Cublas& cublas() {
  if (const Cublas* library = find_cublas()) return *library;
  throw DomainError(found_library().why);
}

std::string to_string(CublasStatus status) {
  switch (static_cast<int>(status)) {
    case 0:
      return "success";
    case 1:
      return "cuBLAS is not initialised";
    case 3:
      return "no memory";
    case 7:
      return "an invalid value";
    case 8:
      return "the device lacks a feature";
    case 11:
      return "an error of mapping memory";
    case 13:
      return "the device failed to run it";
    case 14:
      return "an internal error of cuBLAS";
    case 15:
      return "it is not supported";
    default:
      return fmt::format("status {}", static_cast<int>(status));
  }
}

}  // namespace intertwine::numeric_detail::cuda
