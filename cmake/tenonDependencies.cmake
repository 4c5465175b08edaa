# Finds what every program needs, xsimd and threads. Targets that exist already are used. Sets
# tenon_problem to a sentence if something is missing.
set(tenon_problem "")
if(NOT TARGET xsimd)
  # Without a version: xsimd's package rejects a newer major version if a range is given.
  find_package(xsimd QUIET)
endif()
if(NOT TARGET xsimd AND TENON_FETCH)
  include(FetchContent)
  FetchContent_Declare(xsimd URL https://github.com/xtensor-stack/xsimd/archive/14.0.0.tar.gz)
  FetchContent_MakeAvailable(xsimd)
endif()
if(NOT TARGET Threads::Threads)
  find_package(Threads QUIET)
endif()

if(NOT TARGET xsimd)
  set(tenon_problem "expected xsimd 8.1 or newer, got none: install libxsimd-dev, or set xsimd_DIR")
elseif(xsimd_VERSION AND xsimd_VERSION VERSION_LESS 8.1)
  set(tenon_problem "expected xsimd 8.1 or newer, got ${xsimd_VERSION} (${xsimd_DIR})")
elseif(NOT TARGET Threads::Threads)
  set(tenon_problem "expected threads, got none: enable the language C or CXX before")
endif()

# Debian's package of xsimd 8.1 links xtl, which it neither ships nor needs.
if(TARGET xsimd)
  get_target_property(tenon_xsimd_links xsimd INTERFACE_LINK_LIBRARIES)
  if("xtl" IN_LIST tenon_xsimd_links AND NOT TARGET xtl)
    list(REMOVE_ITEM tenon_xsimd_links xtl)
    set_target_properties(xsimd PROPERTIES INTERFACE_LINK_LIBRARIES "${tenon_xsimd_links}")
  endif()
endif()
