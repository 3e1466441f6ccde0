# Installs the library into a fresh prefix, then configures, builds and runs projects that find it there: one that uses
# everything exact, those that pages print as they stand there, one that uses the numeric layers alone, one in C.
# Wants BUILD, SOURCE, WORK, GENERATOR, CONFIG, COMPILER, SANITIZE, VERSION, SHARED, CUDA and C_LIBRARY.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status WORKING_DIRECTORY ${WORK})
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed with status ${status}: ${ARGV}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --component library --prefix ${WORK}/prefix)
set(no_cuda "")
if(SHARED OR NOT CUDA)  # a static library leaves the CUDA runtime to whoever links it
  set(no_cuda CUDAToolkit)
endif()
set(no_exact Boost GMP FLINT PNG OpenSSL ${no_cuda})

# Configures, builds and runs the project in `folder`, by itself or in SOURCE; it may find none of the packages named after
# it.
function(consume folder program)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${SOURCE})
  set(refused "")
  foreach(package ${ARGN})
    list(APPEND refused -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
  endforeach()
  run(${CMAKE_COMMAND} -S ${folder} -B ${WORK}/build/${program} -G ${GENERATOR} ${refused}
      -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_C_FLAGS=${flags}
      -DCMAKE_PREFIX_PATH=${WORK}/prefix -DINTERTWINE_EXPECTED_VERSION=${VERSION} -DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${WORK}/bin)
  run(${CMAKE_COMMAND} --build ${WORK}/build/${program} --config ${CONFIG})
  find_program(${program} ${program} PATHS ${WORK}/bin ${WORK}/bin/${CONFIG} NO_DEFAULT_PATH REQUIRED)
  run(${${program}})
endfunction()

# Neither an include path nor a library of the exact side.
function(require_alone what text)
  string(REGEX MATCH "[^ \n]*(boost|gmp|mpfr|flint|libpng|crypto|libintertwine\\.)[^ \n]*" found "${text}")
  if(found)
    message(FATAL_ERROR "${what} reaches ${found}")
  endif()
endfunction()

consume(. consumer OpenSSL CUDAToolkit)

# The first block of a language in a page, or behind a heading of it.
function(block_of page language result)
  file(READ ${SOURCE}/../../${page} text)
  if(ARGC GREATER 3)
    string(FIND "${text}" "\n## ${ARGV3}\n" start)
    string(SUBSTRING "${text}" ${start} -1 text)
  endif()
  string(FIND "${text}" "```${language}\n" start)
  string(SUBSTRING "${text}" ${start} -1 text)
  string(REGEX REPLACE "^```[a-z]+\n" "" text "${text}")
  string(FIND "${text}" "```" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
# The programs that pages print run, and write the files named after them.
function(consume_page page folder)
  block_of(${page} cmake project)
  block_of(${page} cpp program)
  string(REPLACE my_program ${folder} project "${project}")
  file(WRITE ${WORK}/${folder}/main.cpp "${program}")
  file(WRITE ${WORK}/${folder}/CMakeLists.txt
    "cmake_minimum_required(VERSION 3.25)\nproject(${folder} LANGUAGES CXX)\nadd_executable(${folder} main.cpp)\n${project}")
  consume(${WORK}/${folder} ${folder} OpenSSL ${no_cuda})
  foreach(file ${ARGN})
    if(NOT EXISTS ${WORK}/${file})
      message(FATAL_ERROR "the program of ${page} wrote no ${file}")
    endif()
  endforeach()
endfunction()
consume_page(README.md readme graph.safetensors graph.html)
consume_page(docs/tutorials/cpp.md tutorial edges.safetensors)

# The whole projects of docs/ship.md, with the tables that the first program wrote.
function(consume_section heading folder language)
  block_of(docs/ship.md cmake project "${heading}")
  block_of(docs/ship.md ${language} program "${heading}")
  file(WRITE ${WORK}/${folder}/main.${language} "${program}")
  string(REPLACE "\${TABLES}" ${WORK} project "${project}")
  file(WRITE ${WORK}/${folder}/CMakeLists.txt "${project}")
  consume(${WORK}/${folder} ${folder} ${ARGN})
endfunction()
consume_section("A header" corners_header cpp ${no_exact} intertwine)
consume_section("The C++ library of layers" corners_numeric cpp ${no_exact})
if(NOT SANITIZE)  # a C program would need the runtime of the C++ compiler's sanitizers
  consume_section("C, and whatever calls C" corners_c c ${no_exact} fmt ZLIB Threads CUDAToolkit)
endif()
execute_process(COMMAND ${COMPILER} -std=c++20 -M -I ${WORK}/prefix/include ${SOURCE}/consumer.cpp
                OUTPUT_VARIABLE read COMMAND_ERROR_IS_FATAL ANY)
if(NOT read MATCHES "boost")
  message(FATAL_ERROR "a control: the exact side reaches Boost, and this check does not see it")
endif()
consume(numeric numeric_consumer ${no_exact})
file(GLOB headers ${WORK}/prefix/include/intertwine/numeric/*.hpp)
set(all "#include \"intertwine/intertwine_numeric.h\"\n#include \"intertwine/io/containers.hpp\"\n")
foreach(header ${headers})
  string(APPEND all "#include \"${header}\"\n")
endforeach()
file(WRITE ${WORK}/all_headers.cpp "${all}")
execute_process(COMMAND ${COMPILER} -std=c++20 -M -I ${WORK}/prefix/include ${WORK}/all_headers.cpp
                OUTPUT_VARIABLE read COMMAND_ERROR_IS_FATAL ANY)
require_alone("a public header of numeric" "${read}")
find_program(readelf readelf)
if(readelf AND NOT SANITIZE)
  foreach(file ${WORK}/bin/numeric_consumer ${C_LIBRARY})
    execute_process(COMMAND ${readelf} -d ${file} OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
    require_alone("${file}" "${needed}")
  endforeach()
endif()
if(NOT SANITIZE)  # a C program would need the runtime of the C++ compiler's sanitizers
  consume(c c_consumer ${no_exact} fmt ZLIB Threads CUDAToolkit)
endif()

# The same by pkg-config: the README's program, and the one in C.
find_program(pkg_config NAMES pkg-config pkgconf)
if(pkg_config AND NOT SANITIZE AND NOT CUDA)
  file(GLOB_RECURSE files ${WORK}/prefix/*.pc)
  list(GET files 0 file)
  cmake_path(GET file PARENT_PATH folder)
  function(by_pkg_config program source compiler)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${folder} ${pkg_config} --cflags --libs ${ARGN}
                    OUTPUT_VARIABLE options COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(options UNIX_COMMAND "${options}")
    run(${compiler} ${source} ${options} -o ${WORK}/bin/by_${program})
    run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${folder}/.. ${WORK}/bin/by_${program})
  endfunction()
  by_pkg_config(readme ${WORK}/readme/main.cpp "${COMPILER};-std=c++20" intertwine intertwine-numeric)
  find_program(c_compiler NAMES cc gcc clang)
  by_pkg_config(c_consumer ${SOURCE}/c/consumer.c ${c_compiler} intertwine-numeric-c)
endif()
