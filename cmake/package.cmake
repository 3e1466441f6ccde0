# What an installed package has beside program and libraries: files for pkg-config, documentation, examples, and `cpack -G DEB`.

# pkg-config, one file for each component of find_package. A static library leaves its own libraries to whoever links it.
file(RELATIVE_PATH prefix_from_here /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" prefix_from_here ${prefix_from_here})
function(pkg_config name description libs private)
  set(pc_name ${name})
  set(pc_description ${description})
  set(pc_libs ${libs})
  set(pc_private ${private})
  if(NOT BUILD_SHARED_LIBS)
    string(APPEND pc_libs " ${private}")
    set(pc_private "")
  endif()
  configure_file(cmake/intertwine.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
endfunction()
set(tables_need "-lfmt -lz -pthread")
set(cuda_needs "")
if(INTERTWINE_WITH_CUDA)
  set(cuda_needs " -lcudart_static -lrt")
endif()
pkg_config(intertwine "Exact equivariant bases, weight-tying tables and representation theory of finite and Lie groups"
           "-lintertwine -lintertwine_tables -lgmp" "-lflint -lmpfr -lpng ${tables_need}")
pkg_config(intertwine-numeric "Equivariant layers from weight tables" "-lintertwine_numeric -lintertwine_tables"
           "${tables_need} -ldl${cuda_needs}")
pkg_config(intertwine-numeric-c "Equivariant layers from weight tables, in C" "-lintertwine_numeric_c" "")

install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "reference" EXCLUDE PATTERN "paper" EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY checkers DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.py" PATTERN "*.g" PATTERN "*.v" PATTERN "*.ml" PATTERN "*.md" PATTERN "build")

set(CPACK_PACKAGE_NAME intertwine)
set(CPACK_PACKAGE_VENDOR "The Intertwine developers")
set(CPACK_PACKAGE_CONTACT "The Intertwine developers <intertwine@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exact equivariant maps, weight tables and representation theory")
set(CPACK_PACKAGE_DESCRIPTION "Groups, character tables, irreducible representations, Hom spaces of finite and continuous groups,
Schur functors, and minimal certified bases of equivariant weights for numeric layers:
the program intertwine, the C++ library with its headers, and the numeric layers with
their interface in C.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_MONOLITHIC_INSTALL ON)  # one package for those who run and those who link
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libboost-dev, libgmp-dev, libflint-dev, libmpfr-dev, libpng-dev, zlib1g-dev, libfmt-dev, libsymspg-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, gap-core")
include(CPack)
