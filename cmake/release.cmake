# What is built to be given away, packages and wheels: with the defences of compiler and linker, and the same bytes wherever it is built.
option(INTERTWINE_RELEASE "Build as packages and wheels are: hardened, and without paths of this machine" OFF)
if(NOT INTERTWINE_RELEASE)
  return()
endif()
if(INTERTWINE_SANITIZE)
  message(FATAL_ERROR "INTERTWINE_RELEASE and INTERTWINE_SANITIZE exclude one another: a sanitizer sees less behind _FORTIFY_SOURCE")
endif()
include(CheckCXXCompilerFlag)

# Level 3 where the compiler knows the sizes of allocations; glibc takes what it knows of it. Nothing without optimization.
set(fortify 2)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
  set(fortify 3)
endif()
# Sources are named from the root of the repository, what is generated from `build`; of two that fit, the compiler takes the last.
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full
             -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
  string(REGEX MATCH "^[a-z-]+" name "${flag}")
  string(MAKE_C_IDENTIFIER "INTERTWINE_HAS${name}" has)
  check_cxx_compiler_flag("${flag}" ${has})
  if(${has})
    add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:${flag}>")
  endif()
endforeach()
add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<NOT:$<CONFIG:Debug>>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${fortify}>")
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
if(NOT APPLE)
  add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
  # What nothing reaches is left out: batches of sources would bring it in otherwise.
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-ffunction-sections;-fdata-sections>")
  add_link_options(LINKER:--gc-sections)
endif()
