# Installs the headers and the package that find_package(tenon) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(tenon_package_directory ${CMAKE_INSTALL_DATADIR}/cmake/tenon)

install(TARGETS tenon EXPORT tenonTargets FILE_SET HEADERS)
install(EXPORT tenonTargets NAMESPACE tenon:: DESTINATION ${tenon_package_directory})

write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenon-config-version.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
  ${PROJECT_SOURCE_DIR}/cmake/tenon-config.cmake
  ${PROJECT_SOURCE_DIR}/cmake/tenonCompiled.cmake
  ${PROJECT_SOURCE_DIR}/cmake/tenonComponents.cmake
  ${PROJECT_SOURCE_DIR}/cmake/tenonDependencies.cmake
  ${PROJECT_SOURCE_DIR}/cmake/tenonMpiTest.cmake
  ${PROJECT_SOURCE_DIR}/cmake/tenonMustNotCompile.cmake
  ${PROJECT_SOURCE_DIR}/cmake/tenonMustNotCompileRun.cmake
  ${PROJECT_SOURCE_DIR}/cmake/tenonModule.cmake
  ${PROJECT_SOURCE_DIR}/cmake/tenonPrecompile.cmake
  ${PROJECT_SOURCE_DIR}/cmake/tenonRecordFlags.cmake
  ${PROJECT_SOURCE_DIR}/cmake/tenonVariants.cmake
  ${PROJECT_BINARY_DIR}/tenon-config-version.cmake
  DESTINATION ${tenon_package_directory})

# The module's file is made of the headers that are installed. (A package of sources may lack the
# script.)
find_package(Python3 QUIET COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND AND EXISTS ${PROJECT_SOURCE_DIR}/scripts/module)
  set(tenon_module_directory "\${CMAKE_INSTALL_PREFIX}/${tenon_package_directory}")
  if(IS_ABSOLUTE "${tenon_package_directory}")
    set(tenon_module_directory "${tenon_package_directory}")
  endif()
  install(CODE "execute_process(COMMAND \"${Python3_EXECUTABLE}\"
    \"${PROJECT_SOURCE_DIR}/scripts/module\" \"\$ENV{DESTDIR}${tenon_module_directory}/tenon.cppm\"
    COMMAND_ERROR_IS_FATAL ANY)")
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scripts/debugger/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tenon/debugger
  FILES_MATCHING PATTERN *.py PATTERN *.natvis)
include(${CMAKE_CURRENT_LIST_DIR}/tenonPkgConfig.cmake)
