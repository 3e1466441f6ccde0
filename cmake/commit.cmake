# cmake -DFOLDER=... -DOUTPUT=... -P commit.cmake: a source that holds the commit of FOLDER, written only when it has changed.
find_package(Git QUIET)
set(commit "")
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty WORKING_DIRECTORY ${FOLDER}
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
  "namespace intertwine::embedded {\nextern const char* const commit;\nconst char* const commit = \"@commit@\";\n}\n" @ONLY)
