# tenon::compiled: Tenon with its runtime in a static library, which a project compiles once,
# optimised even if the project is not; the project's own files compile and link faster. For
# programs and shared libraries: a static library that is exported links tenon::tenon. Whatever
# links it must be compiled for the same instruction set, otherwise it does not link:
# TENON_COMPILED_OPTIONS sets the options for that, such as -march=native.
set(TENON_COMPILED_OPTIONS "" CACHE STRING "Options of tenon::compiled, such as -march=native")

# tenon_compile_npz(NAME): the library also has the runtime of tenon/io/npz.hpp, in an object of its
# own, if there is zlib.
function(tenon_compile_npz name)
  set(source ${PROJECT_BINARY_DIR}/${name}_npz.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT
    "#include <tenon/io/npz.hpp>\n\n#include <tenon/io/npz.ipp>\n")
  set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS TENON_COMPILED)
  target_sources(${name} PRIVATE $<$<TARGET_EXISTS:ZLIB::ZLIB>:${source}>)
  target_link_libraries(${name} PRIVATE $<TARGET_NAME_IF_EXISTS:ZLIB::ZLIB>)
endfunction()

# tenon_add_compiled(NAME OPTIONS...): defines such a library with that name and further options.
function(tenon_add_compiled name)
  set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT
    "#define TENON_IMPLEMENTATION\n#include <tenon/compiled.hpp>\n")
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${source})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PUBLIC tenon::tenon)
  tenon_compile_npz(${name})
  target_compile_definitions(${name} PUBLIC TENON_COMPILED)
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-O3> ${ARGN})
endfunction()

get_property(tenon_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if("CXX" IN_LIST tenon_languages AND NOT TARGET tenon_compiled)
  tenon_add_compiled(tenon_compiled ${TENON_COMPILED_OPTIONS})
  add_library(tenon::compiled ALIAS tenon_compiled)
endif()
