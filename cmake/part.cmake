# Which tests and examples are built: all, or those that tests/newcomer.txt names, as scripts/test does.
set(TENON_PART all CACHE STRING "The part of the tests and examples: all, or newcomer, which is \
tests/newcomer.txt")
set_property(CACHE TENON_PART PROPERTY STRINGS all newcomer)
if(NOT TENON_PART MATCHES "^(all|newcomer)$")
  message(FATAL_ERROR "tenon: expected TENON_PART=all or newcomer, got '${TENON_PART}'")
endif()

# tenon_newcomer_lines(BEGIN VARIABLE): the lines of the list that begin so, as one regular expression.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/newcomer.txt)
function(tenon_newcomer_lines begin variable)
  file(STRINGS ${PROJECT_SOURCE_DIR}/tests/newcomer.txt lines REGEX "^${begin}")
  list(TRANSFORM lines REPLACE "^not " "")
  list(TRANSFORM lines REPLACE "[.]" "[.]")
  list(TRANSFORM lines REPLACE "[*]" "[^/]*")
  list(JOIN lines "|" lines)
  set(${variable} "^${PROJECT_SOURCE_DIR}/(${lines})$" PARENT_SCOPE)
endfunction()
tenon_newcomer_lines("(tests|examples)/" tenon_for_newcomers)
tenon_newcomer_lines("not " tenon_not_for_newcomers)

# tenon_keep_part(LIST): removes the sources that do not belong to the part. In a list: full paths.
function(tenon_keep_part list)
  set(sources ${${list}})
  if(TENON_PART STREQUAL "newcomer")
    list(FILTER sources INCLUDE REGEX "${tenon_for_newcomers}")
    list(FILTER sources EXCLUDE REGEX "${tenon_not_for_newcomers}")
  endif()
  set(${list} ${sources} PARENT_SCOPE)
endfunction()
