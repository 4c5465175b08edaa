# Installs tenon.pc, for builds without CMake. Its paths are relative to the file, so that the
# installed folder can be moved.
set(tenon_pc_directory ${CMAKE_INSTALL_DATADIR}/pkgconfig)
if(IS_ABSOLUTE "${CMAKE_INSTALL_DATADIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(tenon_pc_prefix "${CMAKE_INSTALL_PREFIX}")
  set(tenon_pc_include "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
else()
  file(RELATIVE_PATH tenon_pc_up "/${tenon_pc_directory}" "/")
  string(REGEX REPLACE "/$" "" tenon_pc_up "${tenon_pc_up}")
  set(tenon_pc_prefix "\${pcfiledir}/${tenon_pc_up}")
  set(tenon_pc_include "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()

# A package of xsimd without xsimd.pc is on the compiler's include path, or the user adds it.
set(tenon_pc_requires "")
foreach(directory ${xsimd_DIR}/.. ${xsimd_DIR}/../..)  # share/xsimd (vcpkg) or */cmake/xsimd
  if(tenon_needs_xsimd AND xsimd_DIR AND EXISTS ${directory}/pkgconfig/xsimd.pc)
    set(tenon_pc_requires "xsimd >= 8.1")
  endif()
endforeach()

# Devices are opened by dlopen, which has a library of its own before glibc 2.34.
set(tenon_pc_libraries ${CMAKE_DL_LIBS})
list(TRANSFORM tenon_pc_libraries PREPEND -l)
string(REPLACE ";" " " tenon_pc_libraries "${tenon_pc_libraries}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/tenon.pc.in ${PROJECT_BINARY_DIR}/tenon.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tenon.pc DESTINATION ${tenon_pc_directory})
