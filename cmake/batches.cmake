# What makes a cold build cheap.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC collects garbage whenever its heap has grown by a third, from 128 MiB on; a twelfth of the CPU time of a build went into that.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1000000>)
endif()

# A cold build parses the same headers for every source; a batch of a module's sources parses them once. Whoever edits
# may like it off (-DCMAKE_UNITY_BUILD=OFF, the presets for developers): then a source is compiled alone, as CI does too.
if(NOT DEFINED CMAKE_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD ON CACHE BOOL "Compile the sources of a module in batches: a faster cold build")
endif()
# batch_by_folder(TARGET SIZE): batches of at most SIZE sources, as equal as can be. No batch mixes folders, so that only the sources of one room share
# their unnamed namespaces.
function(batch_by_folder target size)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(folders "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND sources_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH sources_${folder} count)
    math(EXPR batches "(${count} + ${size} - 1) / ${size}")
    set(place 0)
    foreach(source IN LISTS sources_${folder})
      math(EXPR batch "${place} * ${batches} / ${count}")
      math(EXPR place "${place} + 1")
      set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${folder}_${batch})
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP UNITY_BUILD_RELOCATABLE ON)
endfunction()
