# tenon_add_module(OPTIONS...): defines tenon::module, Tenon as a C++20 module. Targets that link it
# `import tenon;`, and are compiled with the same options, such as -march=native: a module is
# compiled for one instruction set. It holds the runtime, as tenon::compiled does; a program links
# one of the two. Needs CMake 3.28, Ninja and clang 17 (docs/compile_time.md).
include_guard(GLOBAL)

# Ends with the first thing that is missing.
function(tenon_check_module)
  if(CMAKE_VERSION VERSION_LESS 3.28)
    set(missing "CMake 3.28 or newer, got ${CMAKE_VERSION}")
  elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17)
    set(missing
      "clang 17 or newer, got ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  elseif(NOT CMAKE_GENERATOR MATCHES "^Ninja")
    set(missing "the generator Ninja, got ${CMAKE_GENERATOR}")
  elseif(NOT CMAKE_CXX_COMPILER_CLANG_SCAN_DEPS)
    set(missing "clang-scan-deps of ${CMAKE_CXX_COMPILER} (package clang-tools), got none")
  else()
    return()
  endif()
  message(FATAL_ERROR "tenon: tenon_add_module: expected ${missing}. The headers need none of "
    "these: link tenon::compiled and include <tenon/tenon.hpp>.")
endfunction()

# The file of the module: that of the package, or made from the headers of the source tree.
function(tenon_module_source result)
  set(source ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tenon.cppm)
  if(NOT EXISTS ${source})
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../scripts/module)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/tenon_module/tenon.cppm)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../include/*.hpp)
    add_custom_command(OUTPUT ${source} COMMAND Python3::Interpreter ${script} ${source}
      DEPENDS ${script} ${headers} COMMENT "Writing the module tenon")
  endif()
  set(${result} ${source} PARENT_SCOPE)
endfunction()

function(tenon_add_module)
  if(TARGET tenon_module)
    return()
  endif()
  tenon_check_module()
  tenon_module_source(source)
  get_filename_component(directory ${source} DIRECTORY)
  add_library(tenon_module STATIC EXCLUDE_FROM_ALL)
  target_sources(tenon_module PUBLIC
    FILE_SET CXX_MODULES BASE_DIRS ${directory} FILES ${source})
  set_target_properties(tenon_module PROPERTIES
    CXX_SCAN_FOR_MODULES ON POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(tenon_module PUBLIC tenon::tenon ${CMAKE_DL_LIBS})
  target_compile_options(tenon_module PUBLIC ${ARGN})
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 20)
    # Its reduced form of a module (the default of clang 22) lacks functions that templates find by
    # argument-dependent lookup.
    target_compile_options(tenon_module PRIVATE -fno-modules-reduced-bmi)
  endif()
  tenon_add_runtime_of_components(tenon_module)
  target_compile_definitions(tenon_module INTERFACE TENON_COMPILED)
  add_library(tenon::module ALIAS tenon_module)
endfunction()
