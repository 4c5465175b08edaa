# tenon_ranks_test(NAME RANKS TARGET [ARGUMENT...]): a test that runs a program with that many
# ranks. The environment allows root, and more ranks than cores, as tests run on any machine. (MPICH
# allows both.)
set(TENON_RANKS_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
  PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1  # Open MPI 5
  PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe)

function(tenon_ranks_test name ranks target)
  add_test(NAME ${name}
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} $<TARGET_FILE:${target}> ${ARGN})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${TENON_RANKS_ENVIRONMENT}" TIMEOUT 300
    PROCESSORS 2)
endfunction()
