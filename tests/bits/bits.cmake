# The bits of results, which no redesign may change: programs write hashes of them while they are
# tested, and the test bits.compare compares these with the files of this folder.
set(TENON_BITS_FOLDER ${CMAKE_CURRENT_BINARY_DIR}/bits)
file(MAKE_DIRECTORY ${TENON_BITS_FOLDER})

# Sanitizers change no bits but leave out tests. g++ fuses products and sums from -O2 on: its bits are
# those of scripts/test, where the runtime is compiled with -O1.
set(TENON_BITS_RECORDED ON)
if(TENON_SANITIZE OR NOT TENON_OWN_COMPILED OR NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR
    (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_FLAGS_RELEASE MATCHES "-O1"))
  set(TENON_BITS_RECORDED OFF)
endif()

# tenon_record_bits(TEST): to be called in the folder that adds the test.
function(tenon_record_bits test)
  if(NOT TENON_BITS_RECORDED)
    return()
  endif()
  set(file ${TENON_BITS_FOLDER}/${test}.txt)
  set_tests_properties(${test} PROPERTIES ENVIRONMENT TENON_BITS=${file} FIXTURES_SETUP bits)
  set_property(GLOBAL APPEND PROPERTY TENON_BITS_FILES ${file})
endfunction()

# Each of these tests runs as often as without it: the comparison follows them.
function(tenon_compare_bits)
  get_property(files GLOBAL PROPERTY TENON_BITS_FILES)
  if(files)
    add_test(NAME bits.compare COMMAND bash ${PROJECT_SOURCE_DIR}/tests/bits/compare ${files})
    set_tests_properties(bits.compare PROPERTIES FIXTURES_REQUIRED bits SKIP_RETURN_CODE 77)
  endif()
endfunction()
