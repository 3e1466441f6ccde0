# The numeric layers: a library for C++ (intertwine_numeric), and one with the C interface alone (intertwine_numeric_c).
# The kernels are compiled once for every instruction-set level and chosen at run time; nothing else is compiled for
# more than the baseline.
file(GLOB numeric_sources CONFIGURE_DEPENDS src/numeric/*.cpp)
list(FILTER numeric_sources EXCLUDE REGEX "/c_(interface|diagrams)\\.cpp$")
list(FILTER numeric_sources EXCLUDE REGEX "/kernels_[a-z0-9]+\\.cpp$")

# No contraction: a fused multiply-add stands where the source says so, and nowhere else, at every level.
set(numeric_flags -O3 -ffp-contract=off)
set(numeric_levels scalar)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
  list(APPEND numeric_levels avx2 avx512)
endif()
set(numeric_flags_scalar "")
set(numeric_flags_avx2 -mavx2 -mfma)
set(numeric_flags_avx512 -mavx512f -mavx512bw -mavx512vl -mavx512dq -mfma)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC warns about undefined vectors in its own headers (GCC bug 105593).
  list(APPEND numeric_flags_avx512 -Wno-maybe-uninitialized -Wno-uninitialized)
endif()
set(numeric_kernel_objects "")
foreach(level ${numeric_levels})
  add_library(intertwine_kernels_${level} OBJECT src/numeric/kernels_${level}.cpp)
  target_include_directories(intertwine_kernels_${level} PRIVATE include src)
  target_link_libraries(intertwine_kernels_${level} PRIVATE intertwine_options)
  target_compile_options(intertwine_kernels_${level} PRIVATE ${numeric_flags} ${numeric_flags_${level}})
  list(APPEND numeric_kernel_objects $<TARGET_OBJECTS:intertwine_kernels_${level}>)
endforeach()

# The CUDA kernels, or what says that there are none.
list(APPEND numeric_sources src/numeric/cuda/plan_tables.cpp src/numeric/cuda/products.cpp src/numeric/cuda/isotypic_plan.cpp
     src/numeric/cuda/diagram_steps.cpp src/numeric/cuda/cublas.cpp)
set(INTERTWINE_WITH_CUDA OFF)
if(INTERTWINE_CUDA AND NOT INTERTWINE_SANITIZE)
  # Before the compiler is tried: `native` and the compiler's own choice need a device.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 90-virtual)
  endif()
  if(INTERTWINE_CUDA STREQUAL "AUTO")
    include(CheckLanguage)
    check_language(CUDA)
  endif()
  if(CMAKE_CUDA_COMPILER OR NOT INTERTWINE_CUDA STREQUAL "AUTO")
    enable_language(CUDA)
    set(INTERTWINE_WITH_CUDA ON)
  endif()
endif()
if(INTERTWINE_WITH_CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)  # CMake 3.25 does not know that nvcc has it
  endif()
  find_package(CUDAToolkit REQUIRED)
  # Sums and products as the source has them, so that the emulation gives the same bits.
  add_library(intertwine_cuda_kernels OBJECT src/numeric/cuda/kernels.cu src/numeric/cuda/runtime.cu)
  set_property(TARGET intertwine_cuda_kernels PROPERTY UNITY_BUILD OFF)
  target_include_directories(intertwine_cuda_kernels PRIVATE include src)
  target_compile_options(intertwine_cuda_kernels PRIVATE --expt-relaxed-constexpr -lineinfo -fmad=false
    -Xcompiler=-Wall,-Wextra,-Wshadow $<$<BOOL:${INTERTWINE_WERROR}>:-Werror=all-warnings>)
  set_target_properties(intertwine_cuda_kernels PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON
                        CUDA_RUNTIME_LIBRARY Static)
  list(APPEND numeric_kernel_objects $<TARGET_OBJECTS:intertwine_cuda_kernels>)
else()
  list(APPEND numeric_sources src/numeric/cuda/no_cuda.cpp)
endif()
message(STATUS "CUDA kernels: ${INTERTWINE_WITH_CUDA}")

add_library(intertwine_numeric ${numeric_sources} ${numeric_kernel_objects})
if(INTERTWINE_WITH_CUDA)
  # The static runtime: the program starts without a driver, and reports no devices. dlopen, so nothing else is needed.
  target_link_libraries(intertwine_numeric PRIVATE CUDA::cudart_static)
endif()
add_library(intertwine::intertwine_numeric ALIAS intertwine_numeric)
target_link_libraries(intertwine_numeric PUBLIC intertwine_tables PRIVATE fmt::fmt Threads::Threads ${CMAKE_DL_LIBS} $<BUILD_INTERFACE:intertwine_options>)
target_include_directories(intertwine_numeric PRIVATE src)
# Eigen in the sources only, under another name (src/numeric/eigen.hpp): nothing of it is seen from outside.
find_package(Eigen3 3.3 REQUIRED NO_MODULE)
target_include_directories(intertwine_numeric SYSTEM PRIVATE $<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_options(intertwine_numeric PRIVATE ${numeric_flags})
set_target_properties(intertwine_numeric PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
batch_by_folder(intertwine_numeric 20)

# The C interface alone, for ctypes, Julia, Rust, ...: a shared library that exports nothing else.
add_library(intertwine_numeric_c SHARED src/numeric/c_interface.cpp src/numeric/c_diagrams.cpp)
add_library(intertwine::intertwine_numeric_c ALIAS intertwine_numeric_c)
target_include_directories(intertwine_numeric_c
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}> PRIVATE src)
target_link_libraries(intertwine_numeric_c PRIVATE intertwine_numeric fmt::fmt $<BUILD_INTERFACE:intertwine_options>)
set_target_properties(intertwine_numeric_c PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
if(NOT APPLE AND NOT INTERTWINE_SANITIZE)
  target_link_options(intertwine_numeric_c PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/numeric_c.map)
  set_target_properties(intertwine_numeric_c PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/numeric_c.map)
endif()
