# Defines FLINT::FLINT and FLINT_VERSION. FLINT 2.9 and 3.x; both need MPFR and GMP beside them.
find_package(GMP QUIET)
find_path(FLINT_INCLUDE_DIR flint/flint.h)
find_library(FLINT_LIBRARY flint)
find_library(MPFR_LIBRARY mpfr)
if(FLINT_INCLUDE_DIR)
  file(STRINGS ${FLINT_INCLUDE_DIR}/flint/flint.h flint_version_lines
       REGEX "^# *define +__FLINT_VERSION(_MINOR|_PATCHLEVEL)? +[0-9]+")
  string(REGEX REPLACE "[^;]*[ \t]([0-9]+)[^;]*" "\\1" FLINT_VERSION "${flint_version_lines}")
  string(REPLACE ";" "." FLINT_VERSION "${FLINT_VERSION}")
  unset(flint_version_lines)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FLINT REQUIRED_VARS FLINT_LIBRARY FLINT_INCLUDE_DIR MPFR_LIBRARY GMP_FOUND
                                  VERSION_VAR FLINT_VERSION)
if(FLINT_FOUND AND NOT TARGET FLINT::FLINT)
  add_library(FLINT::FLINT UNKNOWN IMPORTED)
  set_target_properties(FLINT::FLINT PROPERTIES IMPORTED_LOCATION "${FLINT_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${FLINT_INCLUDE_DIR}"
                        INTERFACE_LINK_LIBRARIES "${MPFR_LIBRARY};GMP::GMP")
endif()
mark_as_advanced(FLINT_INCLUDE_DIR FLINT_LIBRARY MPFR_LIBRARY)
