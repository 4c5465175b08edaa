#pragma once

/// What bench/registers.cpp times.
enum class Work { relu, exp, gelu, sin, halves, softmax, matmul };

void registers_sse2(Work work);
void registers_sse2_xsimd(Work work);
void registers_avx2(Work work);
void registers_avx2_xsimd(Work work);
void registers_avx512(Work work);
void registers_avx512_xsimd(Work work);
