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
