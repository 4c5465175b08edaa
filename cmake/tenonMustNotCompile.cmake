# tenon_must_not_compile(TARGET FILE WORDS...): a test that FILE, compiled as a file of TARGET is, does
# not compile, and that its first error contains these words. g++ and clang (GNU's options). The test
# is named must_not_compile.FILE.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(TENON_MUST_NOT_COMPILE ${CMAKE_CURRENT_LIST_FILE})
  function(tenon_must_not_compile target file)
    get_filename_component(path ${file} ABSOLUTE)
    set(name must_not_compile.${file})
    string(MAKE_C_IDENTIFIER ${name} compiled)
    add_library(${compiled} OBJECT EXCLUDE_FROM_ALL ${path})  # for its properties: it is never built
    get_target_property(kind ${target} TYPE)
    if(NOT kind STREQUAL "EXECUTABLE")
      target_link_libraries(${compiled} PRIVATE ${target})
    endif()
    target_link_libraries(${compiled} PRIVATE $<TARGET_PROPERTY:${target},LINK_LIBRARIES>)
    foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS)
      list(APPEND properties
        "-D${property}=$<TARGET_PROPERTY:${compiled},${property}>;$<TARGET_PROPERTY:${target},${property}>")
    endforeach()
    separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} "-DCOMPILER=${CMAKE_CXX_COMPILER}"
      "-DFLAGS=${CMAKE_CXX20_STANDARD_COMPILE_OPTION};${flags}" "-DFILE=${path}" "-DWORDS=${ARGN}"
      ${properties} -P ${TENON_MUST_NOT_COMPILE})
  endfunction()
  return()
endif()

list(REMOVE_DUPLICATES INCLUDE_DIRECTORIES)
list(REMOVE_ITEM INCLUDE_DIRECTORIES "" /usr/include)
list(TRANSFORM INCLUDE_DIRECTORIES PREPEND -I)
list(REMOVE_ITEM COMPILE_DEFINITIONS "")
list(TRANSFORM COMPILE_DEFINITIONS PREPEND -D)
execute_process(
  COMMAND ${COMPILER} ${FLAGS} ${COMPILE_OPTIONS} ${COMPILE_DEFINITIONS} ${INCLUDE_DIRECTORIES}
    -fsyntax-only ${FILE}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
  message(FATAL_ERROR "expected an error, but ${FILE} compiles")
endif()
string(REGEX MATCH "[^\n]*error: [^\n]*" first "${output}")
foreach(word IN LISTS WORDS)
  string(FIND "${first}" "${word}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "expected the first error to contain '${word}', got:\n${first}\n${output}")
  endif()
endforeach()
message("${first}")
