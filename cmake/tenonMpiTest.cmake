# tenon_mpi_test(NAME name TARGET program RANKS n... [ARGUMENTS argument...]): for each n a test
# name.n that runs a program with n ranks on this machine. The environment allows root, and more
# ranks than cores, as tests run on any machine (MPICH allows both), and ends a failed job at once, for
# which Open MPI otherwise takes seconds.
set(TENON_RANKS_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
  OMPI_MCA_odls_base_sigkill_timeout=0 OMPI_MCA_mpi_yield_when_idle=1
  OMPI_MCA_hwloc_base_binding_policy=none
  PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1  # Open MPI 5
  PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
  CACHE INTERNAL "The environment of tests over ranks")

function(tenon_mpi_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;TARGET" "RANKS;ARGUMENTS")
  if(NOT test_NAME OR NOT test_TARGET OR NOT test_RANKS OR test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tenon_mpi_test: expected NAME, TARGET and RANKS, got '${ARGN}'")
  endif()
  foreach(ranks IN LISTS test_RANKS)
    add_test(NAME ${test_NAME}.${ranks}
      COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} $<TARGET_FILE:${test_TARGET}>
        ${test_ARGUMENTS})
    set_tests_properties(${test_NAME}.${ranks} PROPERTIES ENVIRONMENT "${TENON_RANKS_ENVIRONMENT}"
      TIMEOUT 300)
  endforeach()
endfunction()
