# The registers of xsimd in place of intrinsics, for those instruction sets that this machine has:
# every operation, and the functions of lanes. All instruction sets only with TENON_TEST_ALL_CASES, as
# .ci/long has it.
include(CheckCXXSourceRuns)
set(xsimd_pairs "x86-64-v3 avx2")
if(TENON_TEST_ALL_CASES)
  list(APPEND xsimd_pairs "x86-64 sse2" "x86-64-v4 avx512bw")
endif()
foreach(pair IN LISTS xsimd_pairs)
  string(REPLACE " " ";" pair ${pair})
  list(GET pair 0 level)
  list(GET pair 1 instructions)
  check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"${instructions}\") ? 0 : 1; }"
    TENON_RUNS_${instructions})
  if(NOT TENON_RUNS_${instructions})
    message(STATUS "tenon: this machine lacks ${instructions}: xsimd is not tested for it")
    continue()
  endif()
  tenon_test_program(op_xsimd_${level} op/accuracy_float_test.cpp op/lane_test.cpp)
  set_target_properties(test_op_xsimd_${level} PROPERTIES TENON_PROCESSOR ${level})
  target_compile_definitions(test_op_xsimd_${level} PRIVATE TENON_SIMD=xsimd
    TENON_SAMPLE_STEP=65536)  # of all floats
endforeach()
