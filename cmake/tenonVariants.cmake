# tenon_add_variants(NAME SOURCES...): a shared library, compiled for any x86-64 processor, for
# those with AVX2 and for those with AVX-512; Linux's loader (glibc 2.33) selects the best one that
# the machine can run. Elsewhere it is one library, for the processor selected by the flags. Link
# NAME; the property TENON_VARIANTS lists the files to install. Symbols are hidden unless they are
# exported: the libraries never share a function that was compiled for one of them.
function(tenon_add_variants name)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    tenon_add_variant(${name} ${name} "" ${ARGN})
    return()
  endif()
  tenon_add_variant(${name} ${name} x86-64 ${ARGN})
  foreach(level x86-64-v3 x86-64-v4)
    tenon_add_variant(${name}-${level} ${name} ${level} ${ARGN})
    add_dependencies(${name} ${name}-${level})
    set_property(TARGET ${name} APPEND PROPERTY TENON_VARIANTS ${name}-${level})
  endforeach()
endfunction()

# One variant: the library `name`, in the folder where the loader looks for that level.
function(tenon_add_variant target name level)
  add_library(${target} SHARED ${ARGN})
  target_link_libraries(${target} PRIVATE tenon::tenon)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(NOT target STREQUAL name)
    set_target_properties(${target} PROPERTIES
      LIBRARY_OUTPUT_DIRECTORY $<TARGET_FILE_DIR:${name}>/glibc-hwcaps/${level})
  endif()
  if(level)
    target_compile_options(${target} PRIVATE -march=${level})  # last, after the user's
  endif()
endfunction()
