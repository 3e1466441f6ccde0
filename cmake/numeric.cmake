# The numeric layers: a library for C++ (intertwine_numeric), and one with the C interface alone (intertwine_numeric_c).
# The kernels are compiled once for every instruction-set level and chosen at run time; nothing else is compiled for
# more than the baseline.
file(GLOB numeric_sources CONFIGURE_DEPENDS src/numeric/*.cpp)
list(FILTER numeric_sources EXCLUDE REGEX "/c_interface\\.cpp$")
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

add_library(intertwine_numeric ${numeric_sources} ${numeric_kernel_objects})
add_library(intertwine::intertwine_numeric ALIAS intertwine_numeric)
target_link_libraries(intertwine_numeric PUBLIC intertwine PRIVATE fmt::fmt Threads::Threads $<BUILD_INTERFACE:intertwine_options>)
target_include_directories(intertwine_numeric PRIVATE src)
target_compile_options(intertwine_numeric PRIVATE ${numeric_flags})
set_target_properties(intertwine_numeric PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

# The C interface alone, for ctypes, Julia, Rust, ...: a shared library that exports nothing else.
add_library(intertwine_numeric_c SHARED src/numeric/c_interface.cpp)
target_include_directories(intertwine_numeric_c
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}> PRIVATE src)
target_link_libraries(intertwine_numeric_c PRIVATE intertwine_numeric fmt::fmt $<BUILD_INTERFACE:intertwine_options>)
set_target_properties(intertwine_numeric_c PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
if(NOT APPLE AND NOT INTERTWINE_SANITIZE)
  target_link_options(intertwine_numeric_c PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/numeric_c.map)
  set_target_properties(intertwine_numeric_c PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/numeric_c.map)
endif()
install(TARGETS intertwine_numeric_c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
