# Executes a port with functions in place of vcpkg's, which do the same for a header-only port:
#   cmake -DPORT_DIR=... -DWORK=... -DARCHIVE=... -DREPOSITORY=... -DOPTIONS=... -P vcpkg.cmake
# The package is in WORK/packages, as in vcpkg.
file(READ ${PORT_DIR}/vcpkg.json manifest)
string(JSON PORT GET "${manifest}" name)
string(JSON VERSION GET "${manifest}" version)
set(CURRENT_PORT_DIR ${PORT_DIR})
set(CURRENT_PACKAGES_DIR ${WORK}/packages)
set(build ${WORK}/buildtrees/release)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(code)
    message(FATAL_ERROR "${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

# Every argument must be one that vcpkg's function has.
macro(arguments_of one_value many_values)
  cmake_parse_arguments(arg "" "${one_value}" "${many_values}" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "unexpected: ${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
endmacro()

function(expect what expected got)
  if(NOT expected STREQUAL got)
    message(FATAL_ERROR "${what}: expected ${expected}, got ${got}")
  endif()
endfunction()

function(vcpkg_from_github)
  arguments_of("OUT_SOURCE_PATH;REPO;REF;SHA512;HEAD_REF" "" ${ARGN})
  file(SHA512 ${ARCHIVE} hash)
  expect(hash ${hash} "${arg_SHA512}")
  expect(repository ${REPOSITORY} "${arg_REPO}")
  expect(tag v${VERSION} "${arg_REF}")
  file(ARCHIVE_EXTRACT INPUT ${ARCHIVE} DESTINATION ${WORK}/sources)
  file(GLOB folder ${WORK}/sources/*)
  set(${arg_OUT_SOURCE_PATH} ${folder} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  arguments_of(SOURCE_PATH "OPTIONS;OPTIONS_RELEASE" ${ARGN})
  expect("type of build" release "${VCPKG_BUILD_TYPE}")
  run(${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${build} -G Ninja -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -DCMAKE_INSTALL_LIBDIR=lib
    -DCMAKE_ERROR_ON_ABSOLUTE_INSTALL_DESTINATION=ON -DCMAKE_DISABLE_SOURCE_CHANGES=ON
    ${arg_OPTIONS} ${arg_OPTIONS_RELEASE} ${OPTIONS})
  if(text MATCHES "not used by the project:[^-]*(TENON_|DISABLE_FIND)")
    message(FATAL_ERROR "${text}")
  endif()
endfunction()

function(vcpkg_cmake_install)
  arguments_of("" "" ${ARGN})
  run(${CMAKE_COMMAND} --build ${build} --target install)
endfunction()

# The files move to share/tenon, which is nearer to the root than share/cmake/tenon.
function(vcpkg_cmake_config_fixup)
  arguments_of("PACKAGE_NAME;CONFIG_PATH" "" ${ARGN})
  file(GLOB files ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*.cmake)
  file(COPY ${files} DESTINATION ${CURRENT_PACKAGES_DIR}/share/${PORT})
  file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/share/cmake)
  file(GLOB files ${CURRENT_PACKAGES_DIR}/share/${PORT}/*.cmake)
  set(up "get_filename_component\\(_IMPORT_PREFIX \"[^\n]*\" PATH\\)\n")
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REGEX REPLACE "(${up})+" "get_filename_component(_IMPORT_PREFIX
  \"\${CMAKE_CURRENT_LIST_DIR}/../..\" ABSOLUTE)\n" text "${text}")
    string(REGEX REPLACE "(PACKAGE_PREFIX_DIR \"[^\"]*LIST_DIR})[/.]+" "\\1/../.." text "${text}")
    file(WRITE ${file} "${text}")
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
  arguments_of("" "" ${ARGN})
  file(STRINGS ${CURRENT_PACKAGES_DIR}/share/pkgconfig/${PORT}.pc prefix REGEX "^prefix=")
  expect(tenon.pc "prefix=\${pcfiledir}/../.." "${prefix}")
endfunction()

function(vcpkg_install_copyright)
  arguments_of(COMMENT FILE_LIST ${ARGN})
  file(READ ${arg_FILE_LIST} text)
  file(WRITE ${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright "${text}")
endfunction()

include(${PORT_DIR}/portfile.cmake)
