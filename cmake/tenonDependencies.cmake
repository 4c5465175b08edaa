# Checks the version that was found, and corrects its package.
if(xsimd_VERSION VERSION_LESS 8.1)
  message(FATAL_ERROR "tenon: expected xsimd 8.1 or newer, got ${xsimd_VERSION} (${xsimd_DIR})")
endif()

# Debian's package of xsimd 8.1 links xtl, which it neither ships nor needs.
get_target_property(tenon_xsimd_links xsimd INTERFACE_LINK_LIBRARIES)
if("xtl" IN_LIST tenon_xsimd_links AND NOT TARGET xtl)
  list(REMOVE_ITEM tenon_xsimd_links xtl)
  set_target_properties(xsimd PROPERTIES INTERFACE_LINK_LIBRARIES "${tenon_xsimd_links}")
endif()
