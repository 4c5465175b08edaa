# tenon::mpi: Tenon with the dependencies of tenon/distributed, MPI and Boost.MPI. It is defined if
# they are installed; a program that does not link it needs neither.
set(TENON_HAS_MPI FALSE)
get_property(tenon_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if("CXX" IN_LIST tenon_languages AND NOT TENON_WITHOUT_MPI)
  find_package(MPI QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    find_package(Boost QUIET COMPONENTS mpi)
  endif()
  if(TARGET MPI::MPI_CXX AND TARGET Boost::mpi)
    set(TENON_HAS_MPI TRUE)
  endif()
endif()

if(TENON_HAS_MPI AND NOT TARGET tenon::mpi)
  add_library(tenon::mpi INTERFACE IMPORTED)
  target_link_libraries(tenon::mpi INTERFACE tenon::tenon Boost::mpi MPI::MPI_CXX)
endif()
