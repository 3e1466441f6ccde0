# Fails if the object file OBJECT defines a weak or unique symbol. Wants NM, OBJECT.
execute_process(COMMAND ${NM} ${OBJECT} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES " T ")
  message(FATAL_ERROR "${OBJECT} defines nothing")
endif()
string(REGEX MATCHALL "[^\n]* [WVu] [^\n]*" weak "${symbols}")
if(weak)
  message(FATAL_ERROR "${OBJECT} defines symbols that other files may share: ${weak}")
endif()
