# Installs the library into a fresh prefix, then configures, builds and runs a project that finds it there.
# Wants BUILD, SOURCE, WORK, GENERATOR, CONFIG, COMPILER, SANITIZE and VERSION.
file(REMOVE_RECURSE ${WORK})
set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed with status ${status}: ${ARGV}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --component library --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR}
    -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${flags}
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DINTERTWINE_EXPECTED_VERSION=${VERSION} -DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${WORK}/bin)
run(${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIG})
find_program(consumer consumer PATHS ${WORK}/bin ${WORK}/bin/${CONFIG} NO_DEFAULT_PATH REQUIRED)
run(${consumer})
