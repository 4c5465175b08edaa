# Tests that read sources, or check the messages of compilers.
file(GLOB structure_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/structure/*_test.cpp)
add_executable(test_structure ${structure_sources} $<TARGET_OBJECTS:tenon_test_main>)
target_link_libraries(test_structure PRIVATE doctest::doctest)
target_compile_features(test_structure PRIVATE cxx_std_20)
target_compile_options(test_structure PRIVATE ${TENON_WARNINGS} -O1)
target_compile_definitions(test_structure PRIVATE TENON_ROOT="${PROJECT_SOURCE_DIR}")
add_test(NAME structure COMMAND test_structure)
add_executable(write_budgets structure/write_budgets.cpp)  # for scripts/structure --budgets
target_compile_features(write_budgets PRIVATE cxx_std_20)
target_compile_options(write_budgets PRIVATE ${TENON_WARNINGS} -O1)
target_compile_definitions(write_budgets PRIVATE TENON_ROOT="${PROJECT_SOURCE_DIR}")

# Flags for syntax checks: the include folders, and the warnings of this project.
set(include_flags "-I${PROJECT_SOURCE_DIR}/include")
get_target_property(xsimd_directories xsimd INTERFACE_INCLUDE_DIRECTORIES)
foreach(directory IN LISTS xsimd_directories)
  if(NOT directory STREQUAL "/usr/include")
    list(APPEND include_flags "-isystem${directory}")
  endif()
endforeach()

# Messages of both compilers are checked.
set(readers ${CMAKE_CXX_COMPILER})
find_program(TENON_CLANG NAMES clang++-16 clang++-17 clang++-18 clang++-19 clang++-20 clang++-21)
find_program(TENON_GCC NAMES g++ g++-12 g++-13 g++-14 g++-15)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND TENON_GCC AND NOT APPLE)  # Apple's g++ is clang
  list(APPEND readers ${TENON_GCC})
elseif(TENON_CLANG AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND readers ${TENON_CLANG})
endif()

if(NOT TENON_PART STREQUAL "all")
  set(readers ${CMAKE_CXX_COMPILER})
endif()

# Headers of distributed/ are checked if MPI is installed.
if(TARGET tenon::mpi)
  foreach(directory IN LISTS MPI_CXX_INCLUDE_DIRS)
    list(APPEND include_flags "-isystem${directory}")
  endforeach()
else()
  list(APPEND include_flags "-DTENON_WITHOUT_MPI")
endif()

# Headers of io/ that need Eigen are checked if it is installed.
if(TARGET tenon::eigen)
  get_target_property(eigen_directories Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  foreach(directory IN LISTS eigen_directories)
    list(APPEND include_flags "-isystem${directory}")
  endforeach()
else()
  list(APPEND include_flags "-DTENON_WITHOUT_EIGEN")
endif()

# The same of those that need zlib.
if(TARGET tenon::npz)
  get_target_property(zlib_directories ZLIB::ZLIB INTERFACE_INCLUDE_DIRECTORIES)
  list(FILTER zlib_directories EXCLUDE REGEX "^/usr/include$")
  list(TRANSFORM zlib_directories PREPEND "-isystem")
  list(APPEND include_flags ${zlib_directories})
else()
  list(APPEND include_flags "-DTENON_WITHOUT_ZLIB")
endif()

# The same of those of train/. Their libraries' headers are where the compiler looks, or are skipped.
if(NOT (TARGET tenon::config AND TARGET tenon::spdlog AND TARGET tenon::yaml))
  list(APPEND include_flags "-DTENON_WITHOUT_TRAIN_LIBRARIES")
endif()

function(tenon_reading_test name script)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E env
    WORK=${CMAKE_CURRENT_BINARY_DIR}/${name} bash ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES PROCESSORS 2 COST 1000 TIMEOUT 1800)
endfunction()

foreach(reader IN LISTS readers)
  get_filename_component(reader_name ${reader} NAME)
  tenon_reading_test(must_not_compile.${reader_name} fail/check.sh
    ${CMAKE_CURRENT_SOURCE_DIR}/fail ${reader} ${include_flags})
endforeach()
if(NOT TENON_PART STREQUAL "all")
  return()
endif()
tenon_reading_test(must_not_compile.check fail/check_test.sh ${readers})

if(TENON_TEST_HEADERS)
  # -O1: see -Wsign-conversion in cmake/own.cmake.
  tenon_reading_test(headers_compile_alone structure/headers.sh
    ${PROJECT_SOURCE_DIR}/include ${CMAKE_CXX_COMPILER} ${include_flags} ${TENON_WARNINGS}
    -Wsign-conversion -O1 ${TENON_MACHINE})
endif()
tenon_reading_test(headers_compile_alone.check structure/headers_test.sh ${CMAKE_CXX_COMPILER})

# The recipes are applied to a copy of include/.
set(recipe_flags ${include_flags} ${TENON_WARNINGS} ${TENON_MACHINE})
list(REMOVE_ITEM recipe_flags "-I${PROJECT_SOURCE_DIR}/include")
get_target_property(doctest_directories doctest::doctest INTERFACE_INCLUDE_DIRECTORIES)
foreach(directory IN LISTS doctest_directories)
  if(NOT directory STREQUAL "/usr/include")
    list(APPEND recipe_flags "-isystem${directory}")
  endif()
endforeach()
tenon_reading_test(recipes recipes/test.sh ${CMAKE_CXX_COMPILER} ${recipe_flags})
tenon_reading_test(recipes.check recipes/check_test.sh ${CMAKE_CXX_COMPILER} ${recipe_flags})
set_tests_properties(recipes recipes.check PROPERTIES PROCESSORS 1)

# Without the folder of Tenon's headers.
set(single_flags ${include_flags})
list(REMOVE_ITEM single_flags "-I${PROJECT_SOURCE_DIR}/include")
tenon_reading_test(single_include single_include/test.sh ${CMAKE_CXX_COMPILER} ${single_flags})
set_tests_properties(single_include PROPERTIES
  PROCESSORS 1 ENVIRONMENT ALL_CASES=${TENON_TEST_ALL_CASES})
set(single_subjects alone guards instruction_sets)
set(module_subjects test intrinsics cmake)
if(NOT TENON_TEST_ALL_CASES)  # .ci/ways_in
  set(single_subjects "")
  set(module_subjects "")
endif()
foreach(subject IN LISTS single_subjects)
  tenon_reading_test(single_include.${subject} single_include/${subject}.sh
    ${CMAKE_CXX_COMPILER} ${single_flags})
  set_tests_properties(single_include.${subject} PROPERTIES PROCESSORS 1 SKIP_RETURN_CODE 77)
endforeach()

# The module, with a clang of 17 or newer.
foreach(subject IN LISTS module_subjects)
  string(REPLACE "module.test" "module" name module.${subject})
  tenon_reading_test(${name} module/${subject}.sh ${CMAKE_CXX_COMPILER} ${include_flags})
  set_tests_properties(${name} PROPERTIES
    PROCESSORS 1 SKIP_RETURN_CODE 77 ENVIRONMENT CMAKE=${CMAKE_COMMAND})
endforeach()

# Interchange with libraries that are rarely installed.
find_program(TENON_PYTHON python3)
set(python ${PROJECT_BINARY_DIR}/python/bin/python3)  # created by scripts/test
if(NOT EXISTS ${python})
  set(python ${TENON_PYTHON})
endif()
tenon_reading_test(io.mdspan io/mdspan_test.sh ${CMAKE_CXX_COMPILER} ${include_flags})
tenon_reading_test(io.nanobind io/nanobind_test.sh ${CMAKE_CXX_COMPILER} ${python})
set_tests_properties(io.mdspan io.nanobind PROPERTIES
  PROCESSORS 1 SKIP_RETURN_CODE 77 ENVIRONMENT CMAKE=${CMAKE_COMMAND})

if(TENON_PYTHON)
  add_test(NAME wide_structs
    COMMAND ${TENON_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/wide_structs --check)
  add_test(NAME natvis COMMAND ${TENON_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/debugger/natvis_test.py)
endif()
add_test(NAME functions_page COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/functions_page_test.sh)
set_tests_properties(functions_page PROPERTIES SKIP_RETURN_CODE 77)

# Every source has a target or a script, and a stage.
add_test(NAME stages COMMAND ${CMAKE_COMMAND} -E env WORK=${CMAKE_CURRENT_BINARY_DIR}/stages
  bash ${CMAKE_CURRENT_SOURCE_DIR}/stages_test.sh ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER})
set_tests_properties(stages PROPERTIES SKIP_RETURN_CODE 77)

add_test(NAME gpu COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/gpu_test.sh)
set_tests_properties(gpu PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
add_test(NAME bits.compare.check COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/bits/compare_test.sh)
add_test(NAME figures COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/figures_test.sh)
set_tests_properties(figures PROPERTIES SKIP_RETURN_CODE 77)

# What find_package and add_subdirectory find and say.
add_test(NAME install.search COMMAND ${CMAKE_COMMAND} -E env WORK=${CMAKE_CURRENT_BINARY_DIR}/search
  bash ${CMAKE_CURRENT_SOURCE_DIR}/install/search_test.sh ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER})
set_tests_properties(install.search PROPERTIES TIMEOUT 600)
add_subdirectory(packages)
# gdb prints variables of a program, compiled by each compiler, as its comments say.
if(NOT APPLE)
  list(JOIN readers " " debugger_compilers)
  tenon_reading_test(debugger debugger/test.sh "${debugger_compilers}" ${include_flags})
  set_tests_properties(debugger PROPERTIES PROCESSORS 1 SKIP_RETURN_CODE 77)
endif()

tenon_reading_test(formatter formatter/test.sh ${CMAKE_CXX_COMPILER} ${include_flags})
set_tests_properties(formatter PROPERTIES PROCESSORS 1 SKIP_RETURN_CODE 77)

add_test(NAME clangd COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/clangd_test.sh)
set_tests_properties(clangd PROPERTIES SKIP_RETURN_CODE 77)

add_test(NAME coverage COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/coverage_test.sh)
set_tests_properties(coverage PROPERTIES SKIP_RETURN_CODE 77)
