# tenon_precompile(TARGET...): precompiles <tenon/tenon.hpp> for all files of a target, which pays
# off from the third file on.
function(tenon_precompile)
  foreach(target IN LISTS ARGV)
    target_precompile_headers(${target} PRIVATE <tenon/tenon.hpp>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
      # A warning about undefined registers in g++'s own AVX-512 headers (PR 105593): a precompiled
      # header loses the pragmas that suppress it.
      target_compile_options(${target} PRIVATE -Wno-uninitialized -Wno-maybe-uninitialized)
    endif()
  endforeach()
endfunction()
