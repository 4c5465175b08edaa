# tenon::compiled: Tenon with its runtime in a static library, which a project compiles once,
# optimised even if the project is not; the project's own files compile and link faster. For
# programs and shared libraries: a static library that is exported links tenon::tenon. Whatever
# links it must be compiled for the same instruction set, otherwise it does not link:
# TENON_COMPILED_OPTIONS sets the options for that, such as -march=native.
set(TENON_COMPILED_OPTIONS "" CACHE STRING "Options of tenon::compiled, such as -march=native")

# tenon_add_runtime_of(NAME COMPONENT FILE...): adds the runtime of a component that needs a library,
# where that is found: a file of its own, linked into the programs that use the component.
function(tenon_add_runtime_of name component)
  set(text "")
  foreach(file IN LISTS ARGN)
    string(APPEND text "#include <tenon/${file}>\n")
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/${name}_${component}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT
    "#ifndef TENON_COMPILED\n#define TENON_COMPILED\n#endif\n${text}")
  target_sources(${name} PRIVATE $<$<TARGET_EXISTS:tenon::${component}>:${source}>)
  target_link_libraries(${name} PRIVATE $<TARGET_NAME_IF_EXISTS:tenon::${component}>)
endfunction()

function(tenon_add_runtime_of_components name)
  tenon_add_runtime_of(${name} npz io/npz.hpp io/npz.ipp)
  tenon_add_runtime_of(${name} eigen numeric/eigenvalues.hpp numeric/eigenvalues.ipp)
  tenon_add_runtime_of(${name} config train/config/load.ipp train/config/toml.ipp)
  tenon_add_runtime_of(${name} yaml train/config/yaml.ipp)
  tenon_add_runtime_of(${name} spdlog train/run/spdlog_sink.ipp)
endfunction()

# tenon_add_compiled(NAME OPTIONS...): defines such a library with that name and further options.
function(tenon_add_compiled name)
  set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT
    "#define TENON_IMPLEMENTATION\n#include <tenon/compiled.hpp>\n")
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${source})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PUBLIC tenon::tenon)
  target_compile_definitions(${name} PUBLIC TENON_COMPILED)
  # A program has only those functions of the runtime that it calls.
  target_compile_options(${name} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-O3;-ffunction-sections;-fdata-sections>" ${ARGN})
  target_link_options(${name} INTERFACE
    $<$<PLATFORM_ID:Linux>:LINKER:--gc-sections> $<$<PLATFORM_ID:Darwin>:LINKER:-dead_strip>)
  tenon_add_runtime_of_components(${name})
endfunction()

get_property(tenon_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if("CXX" IN_LIST tenon_languages AND NOT TARGET tenon_compiled)
  tenon_add_compiled(tenon_compiled ${TENON_COMPILED_OPTIONS})
  add_library(tenon::compiled ALIAS tenon_compiled)
endif()
