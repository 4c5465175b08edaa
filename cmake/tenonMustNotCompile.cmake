# tenon_must_not_compile(NAME name SOURCE file WORDS "..." ... [TARGET target]): a test that a file
# does not compile, and that the first line of the compiler's output with an error has all these
# words. The file is compiled, for syntax only, with the include folders, definitions and options of
# a target, by default tenon::tenon.

# A property of a target with what it links, one value per line, each after a prefix.
function(tenon_lines_of_property result target property prefix)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(property INTERFACE_${property})
  endif()
  set(values "$<TARGET_PROPERTY:${target},${property}>")
  set(${result} "$<$<BOOL:${values}>:${prefix}$<JOIN:${values},\n${prefix}>\n>" PARENT_SCOPE)
endfunction()

function(tenon_must_not_compile)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;SOURCE;TARGET" "WORDS")
  if(NOT test_NAME OR NOT test_SOURCE OR NOT test_WORDS OR test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tenon_must_not_compile: expected NAME, SOURCE and WORDS, got '${ARGN}'")
  endif()
  if(NOT test_TARGET)
    set(test_TARGET tenon::tenon)
  endif()
  get_filename_component(source ${test_SOURCE} ABSOLUTE)
  if(NOT EXISTS ${source})
    message(FATAL_ERROR "tenon_must_not_compile: expected a file, got ${source}")
  endif()
  set(standard 20)
  if(CMAKE_CXX_STANDARD GREATER 20)
    set(standard ${CMAKE_CXX_STANDARD})
  endif()
  tenon_lines_of_property(folders ${test_TARGET} INCLUDE_DIRECTORIES "include:")
  tenon_lines_of_property(definitions ${test_TARGET} COMPILE_DEFINITIONS -D)
  tenon_lines_of_property(options ${test_TARGET} COMPILE_OPTIONS "")
  list(JOIN test_WORDS "\nwords:" words)
  list(JOIN CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES "\nimplicit:" implicit)
  # (Generated for each language of the project.)
  set(request ${CMAKE_CURRENT_BINARY_DIR}/must_not_compile/${test_NAME}-$<CONFIG>)
  file(GENERATE OUTPUT ${request}-$<COMPILE_LANGUAGE>.txt CONTENT
    "-std=c++${standard}\nsource:${source}\ncompiler:${CMAKE_CXX_COMPILER}
implicit:${implicit}\nwords:${words}\nflags:${CMAKE_CXX_FLAGS}\n${folders}${definitions}${options}")
  add_test(NAME ${test_NAME}
    COMMAND ${CMAKE_COMMAND} -D REQUEST=${request}-CXX.txt
      -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tenonMustNotCompileRun.cmake)
endfunction()
