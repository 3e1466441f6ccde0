# What is tested of the numeric layers beside test_numeric.

# No symbol of the kernels may be shared between levels, or the linker could keep the copy that old processors lack.
find_program(INTERTWINE_NM nm)
if(INTERTWINE_NM AND NOT INTERTWINE_SANITIZE)
  foreach(level ${numeric_levels})
    add_test(NAME numeric_symbols_${level} COMMAND ${CMAKE_COMMAND} -DNM=${INTERTWINE_NM}
             -DOBJECT=$<TARGET_OBJECTS:intertwine_kernels_${level}> -P ${CMAKE_CURRENT_LIST_DIR}/no_weak_symbols.cmake)
    set_tests_properties(numeric_symbols_${level} PROPERTIES LABELS quick)
  endforeach()
endif()

# The C interface, as C and as Python use it, on a table that the program exports.
if(INTERTWINE_BUILD_APP)
  enable_language(C)
  add_executable(numeric_c_example ${CMAKE_CURRENT_LIST_DIR}/c_example.c)
  set_target_properties(numeric_c_example PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
  target_link_libraries(numeric_c_example PRIVATE intertwine_numeric_c m)
  if(INTERTWINE_SANITIZE)  # the library wants the runtime of the C++ compiler's sanitizers, whatever the C compiler is
    set_target_properties(numeric_c_example PROPERTIES LINKER_LANGUAGE CXX)
    target_link_options(numeric_c_example PRIVATE -fsanitize=${INTERTWINE_SANITIZE})
  endif()
  set(numeric_table ${CMAKE_CURRENT_BINARY_DIR}/numeric_example.safetensors)
  add_test(NAME numeric_table COMMAND intertwine_app tie B3 --in perm^2 --out "2*perm*sign + 2*perm" --output ${numeric_table})
  set_tests_properties(numeric_table PROPERTIES FIXTURES_SETUP numeric_table LABELS quick)
  add_test(NAME numeric_c COMMAND numeric_c_example ${numeric_table})
  set_tests_properties(numeric_c PROPERTIES FIXTURES_REQUIRED numeric_table LABELS quick)
  add_test(NAME numeric_isa_scalar COMMAND numeric_c_example ${numeric_table})
  set_tests_properties(numeric_isa_scalar PROPERTIES FIXTURES_REQUIRED numeric_table LABELS quick
                       ENVIRONMENT INTERTWINE_ISA=scalar PASS_REGULAR_EXPRESSION "scalar: .* 0 wrong")
  add_test(NAME numeric_isa_unknown COMMAND numeric_c_example ${numeric_table})
  set_tests_properties(numeric_isa_unknown PROPERTIES FIXTURES_REQUIRED numeric_table LABELS quick
                       ENVIRONMENT INTERTWINE_ISA=mmx PASS_REGULAR_EXPRESSION "there is no instruction set 'mmx'")
  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_Interpreter_FOUND AND NOT INTERTWINE_SANITIZE)
    add_test(NAME numeric_ctypes COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/ctypes_example.py
             $<TARGET_FILE:intertwine_numeric_c> ${numeric_table})
    set_tests_properties(numeric_ctypes PROPERTIES FIXTURES_REQUIRED numeric_table LABELS quick SKIP_RETURN_CODE 77)
  endif()
endif()

# The CUDA kernels on a device, where there is one.
add_executable(numeric_gpu_check ${CMAKE_CURRENT_LIST_DIR}/gpu_check.cpp ${CMAKE_CURRENT_LIST_DIR}/gpu_measure.cpp)
target_include_directories(numeric_gpu_check PRIVATE ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(numeric_gpu_check PRIVATE intertwine_numeric fmt::fmt intertwine_options)
add_test(NAME numeric_gpu COMMAND numeric_gpu_check)
set_tests_properties(numeric_gpu PROPERTIES LABELS "quick;gpu" SKIP_RETURN_CODE 77)
