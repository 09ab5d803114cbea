# Text files as string constants of a C++ source: `cmake -DNAMESPACE=n -DHEADER=h -DOUTPUT=o.cpp -P embed_text.cmake -- FILE…`
# makes `const char* const n::NAME` of each FILE NAME.ext, as HEADER declares them. Lines `#include "…"` are left out: what
# they name stands before the text in the file that is put together from them.
set(text "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n")
set(is_file FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(is_file)
    get_filename_component(name "${CMAKE_ARGV${i}}" NAME_WE)
    file(READ "${CMAKE_ARGV${i}}" content)
    string(REGEX REPLACE "#include \"[^\n]*\n+" "" content "${content}")
    string(APPEND text "\nconst char* const ${name} = R\"EMBEDDED(${content})EMBEDDED\";\n")
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(is_file TRUE)
  endif()
endforeach()
string(APPEND text "\n}  // namespace ${NAMESPACE}\n")
file(WRITE "${OUTPUT}" "${text}")
