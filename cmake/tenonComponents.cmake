# The components: targets tenon::NAME beside tenon::tenon. Each one is the headers of a folder and
# the libraries that these need; tenon::compiled is defined by tenonCompiled.cmake. The libraries of
# devices are opened while a program runs: cuda, metal and opencl link nothing.
set(TENON_COMPONENTS compiled config cuda eigen metal mpi npz onnx opencl spdlog testing train
  yaml)

set(tenon_needs_of_compiled "the language CXX")
set(tenon_targets_of_compiled tenon_compiled)

set(tenon_needs_of_config "toml++")
set(tenon_targets_of_config tomlplusplus::tomlplusplus)
macro(tenon_find_config)
  if(NOT TARGET tomlplusplus::tomlplusplus)
    find_package(tomlplusplus QUIET CONFIG)
  endif()
endmacro()

set(tenon_needs_of_eigen "Eigen 3.4 or newer")
set(tenon_targets_of_eigen Eigen3::Eigen)
macro(tenon_find_eigen)
  foreach(tenon_version 3.4 5)  # versions are compatible within a major one only
    if(NOT TARGET Eigen3::Eigen)
      find_package(Eigen3 ${tenon_version} QUIET CONFIG)
    endif()
  endforeach()
endmacro()

set(tenon_needs_of_mpi "MPI and Boost.MPI")
set(tenon_targets_of_mpi Boost::mpi MPI::MPI_CXX)
macro(tenon_find_mpi)
  if(NOT TARGET MPI::MPI_CXX)
    find_package(MPI QUIET COMPONENTS CXX)
  endif()
  if(NOT TARGET Boost::mpi)
    find_package(Boost QUIET CONFIG COMPONENTS mpi)
  endif()
endmacro()

set(tenon_needs_of_npz "zlib")
set(tenon_targets_of_npz ZLIB::ZLIB)
macro(tenon_find_npz)
  if(NOT TARGET ZLIB::ZLIB)
    find_package(ZLIB QUIET)
  endif()
endmacro()

set(tenon_needs_of_spdlog "spdlog")
set(tenon_targets_of_spdlog spdlog::spdlog_header_only)
macro(tenon_find_spdlog)
  if(NOT TARGET spdlog::spdlog_header_only)
    find_package(spdlog QUIET CONFIG)
  endif()
endmacro()

# yaml-cpp below 0.8 has a target without a namespace.
set(tenon_needs_of_yaml "yaml-cpp and toml++")
set(tenon_targets_of_yaml yaml-cpp::yaml-cpp ${tenon_targets_of_config})
macro(tenon_find_yaml)
  tenon_find_config()
  if(NOT TARGET yaml-cpp::yaml-cpp AND NOT TARGET yaml-cpp)
    find_package(yaml-cpp QUIET CONFIG)
  endif()
  if(NOT TARGET yaml-cpp::yaml-cpp AND TARGET yaml-cpp)
    add_library(yaml-cpp::yaml-cpp INTERFACE IMPORTED ${TENON_COMPONENT_SCOPE})
    target_link_libraries(yaml-cpp::yaml-cpp INTERFACE yaml-cpp)
  endif()
endmacro()

# tenon_add_component(NAME): defines tenon::NAME, with what it needs; targets that exist already are
# used. Sets tenon_component_problem if something is missing: then there is no target.
macro(tenon_add_component name)
  set(tenon_component_problem "")
  if(NOT TARGET tenon::${name})
    if(COMMAND tenon_find_${name})
      cmake_language(CALL tenon_find_${name})
    endif()
    foreach(tenon_target IN LISTS tenon_targets_of_${name})
      if(NOT TARGET ${tenon_target})
        set(tenon_component_problem
          "expected ${tenon_needs_of_${name}}, got no target ${tenon_target}")
      endif()
    endforeach()
    if(NOT tenon_component_problem)
      add_library(tenon::${name} INTERFACE IMPORTED ${TENON_COMPONENT_SCOPE})
      target_link_libraries(tenon::${name} INTERFACE tenon::tenon ${tenon_targets_of_${name}})
    endif()
  endif()
endmacro()
