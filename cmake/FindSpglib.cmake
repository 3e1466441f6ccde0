# Defines Spglib::Spglib: the C library of spglib, which finds the space group of measured atoms.
find_path(SPGLIB_INCLUDE_DIR spglib.h)
find_library(SPGLIB_LIBRARY symspg)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Spglib REQUIRED_VARS SPGLIB_LIBRARY SPGLIB_INCLUDE_DIR)
if(Spglib_FOUND AND NOT TARGET Spglib::Spglib)
  add_library(Spglib::Spglib UNKNOWN IMPORTED)
  set_target_properties(Spglib::Spglib PROPERTIES IMPORTED_LOCATION "${SPGLIB_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${SPGLIB_INCLUDE_DIR}")
endif()
mark_as_advanced(SPGLIB_INCLUDE_DIR SPGLIB_LIBRARY)
