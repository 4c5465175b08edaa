# Compares the versions that were found with the ones that Tenon needs, and mends what they miss.
foreach(tenon_need "Eigen3 3.4" "xsimd 8.1")
  separate_arguments(tenon_need)
  list(GET tenon_need 0 tenon_package)
  list(GET tenon_need 1 tenon_version)
  if(${tenon_package}_VERSION VERSION_LESS tenon_version)
    message(FATAL_ERROR "tenon: expected ${tenon_package} ${tenon_version} or newer, "
      "got ${${tenon_package}_VERSION} (${${tenon_package}_DIR})")
  endif()
endforeach()

# Debian's package of xsimd 8.1 links xtl, which it neither ships nor needs.
get_target_property(tenon_xsimd_links xsimd INTERFACE_LINK_LIBRARIES)
if("xtl" IN_LIST tenon_xsimd_links AND NOT TARGET xtl)
  list(REMOVE_ITEM tenon_xsimd_links xtl)
  set_target_properties(xsimd PROPERTIES INTERFACE_LINK_LIBRARIES "${tenon_xsimd_links}")
endif()
