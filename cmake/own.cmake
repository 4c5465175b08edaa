# tenon_own: the options of our own tests, examples and benchmarks, which do not apply to user code.
add_library(tenon_own INTERFACE)
target_link_libraries(tenon_own INTERFACE tenon::tenon)

set(TENON_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Without optimisation g++ 12 warns of masks in its own AVX-512 headers.
  list(APPEND TENON_WARNINGS -Wsign-conversion)
elseif(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13 AND NOT WIN32)  # tested with g++ 12 only
  list(APPEND TENON_WARNINGS -Wuseless-cast)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # g++ 12 and 13 warn of undefined registers in their own AVX-512 headers (PR 105593).
  list(APPEND TENON_WARNINGS -Wno-uninitialized -Wno-maybe-uninitialized)
endif()
set(TENON_MACHINE "")
if(TENON_NATIVE)
  set(TENON_MACHINE -march=native)
endif()
# A target whose property TENON_PROCESSOR names another processor is compiled for that one: of several
# -march the last one counts, and those of a linked target stand last.
set(tenon_other_processor $<TARGET_PROPERTY:TENON_PROCESSOR>)
target_compile_options(tenon_own INTERFACE ${TENON_WARNINGS}
  "$<IF:$<BOOL:${tenon_other_processor}>,-march=${tenon_other_processor},${TENON_MACHINE}>")

if(TENON_SANITIZE)
  # Without line numbers, which would take a third of the time. Reports have function names, and -g1
  # in CMAKE_CXX_FLAGS adds the lines for one program.
  set(tenon_sanitizers -fsanitize=${TENON_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_compile_options(tenon_own INTERFACE ${tenon_sanitizers})
  target_link_options(tenon_own INTERFACE ${tenon_sanitizers})
endif()

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # A precompiled header with timestamps would never be found by ccache.
  target_compile_options(tenon_own INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # std::forward is inlined even without optimisation; and garbage is collected from 600 MB on, as
  # compilations are large.
  target_compile_options(tenon_own INTERFACE -fpch-preprocess -ffold-simple-inlines
    "SHELL:--param ggc-min-heapsize=600000")
endif()

# Function names are long here: other linkers read them three to six times as fast.
include(CheckLinkerFlag)
foreach(linker lld gold)
  check_linker_flag(CXX -fuse-ld=${linker} TENON_LINKER_${linker})
  if(TENON_LINKER_${linker} AND NOT APPLE)
    target_link_options(tenon_own INTERFACE -fuse-ld=${linker})
    break()
  endif()
endforeach()

set(CMAKE_CXX_EXTENSIONS OFF)

# Our own tests and examples link the runtime, which is compiled once. Some are compiled without it,
# as are all builds with sanitizers.
option(TENON_OWN_COMPILED "Our own tests and examples use tenon::compiled" ON)
set(TENON_OWN_COMPILED_OPTIONS "" CACHE STRING "Options of that runtime, after its -O3")
add_library(tenon_own_runtime INTERFACE)
if(TENON_OWN_COMPILED AND NOT TENON_SANITIZE)
  tenon_add_compiled(tenon_own_compiled ${TENON_OWN_COMPILED_OPTIONS})
  target_link_libraries(tenon_own_compiled PRIVATE tenon_own)
  target_link_libraries(tenon_own_runtime INTERFACE tenon_own_compiled)
endif()

find_program(TENON_CCACHE ccache)
if(TENON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_DEPEND=true CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true ${TENON_CCACHE})
endif()
