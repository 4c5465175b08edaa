# tenon_compare_with_reference(NAME SCRIPT TARGET...): a test in which a Python script compares our
# programs with their reference, in its own folder. Without Python's packages it is skipped.
function(tenon_compare_with_reference name script)
  if(NOT TENON_PART STREQUAL "all")  # the script calls tests that are not in the part
    return()
  endif()
  set(python ${PROJECT_BINARY_DIR}/python/bin/python3)  # created by scripts/test
  if(NOT EXISTS ${python})
    find_program(TENON_PYTHON python3)
    set(python ${TENON_PYTHON})
  endif()
  if(NOT python)
    return()
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name})
  file(MAKE_DIRECTORY ${folder})
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE programs)
  add_test(NAME ${name} COMMAND ${python} ${script} ${programs}
    WORKING_DIRECTORY ${folder})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endfunction()
