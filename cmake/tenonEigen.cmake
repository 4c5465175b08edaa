# tenon::eigen: Tenon with the dependency of tenon/io/eigen.hpp, Eigen 3.4 or newer. It is defined if
# Eigen is installed; a program that does not link it does not need it.
set(TENON_HAS_EIGEN FALSE)
get_property(tenon_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if("CXX" IN_LIST tenon_languages AND NOT TENON_WITHOUT_EIGEN)
  find_package(Eigen3 3.4 QUIET CONFIG)
  if(NOT TARGET Eigen3::Eigen)
    find_package(Eigen3 5 QUIET CONFIG)  # versions are compatible within a major one only
  endif()
  if(TARGET Eigen3::Eigen)
    set(TENON_HAS_EIGEN TRUE)
  endif()
endif()

if(TENON_HAS_EIGEN AND NOT TARGET tenon::eigen)
  add_library(tenon::eigen INTERFACE IMPORTED)
  target_link_libraries(tenon::eigen INTERFACE tenon::tenon Eigen3::Eigen)
endif()
