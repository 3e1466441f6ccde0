# cmake -DFOLDER=… -DFILES="a.html;a.css" -DOUTPUT=x.cpp -P embed.cmake
# Writes text files as constants of namespace intertwine::embedded, named as they are with _ for the dot: raw string literals, so
# that the library needs no files beside it.
set(text "// Made by cmake/embed.cmake.\n#include <string_view>\n\nnamespace intertwine::embedded {\n")
foreach(file ${FILES})
  string(MAKE_C_IDENTIFIER ${file} name)
  file(READ ${FOLDER}/${file} contents)
  if(contents MATCHES "\\)embedded\"")
    message(FATAL_ERROR "${file} contains the end of its own literal")
  endif()
  string(APPEND text "\nextern const std::string_view ${name};\nconst std::string_view ${name} = R\"embedded(${contents})embedded\";\n")
endforeach()
file(WRITE ${OUTPUT} "${text}\n}  // namespace intertwine::embedded\n")
