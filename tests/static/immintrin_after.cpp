// All intrinsics are declared in a program that includes <immintrin.h> after Tenon, which includes
// some of its parts.
#include <tenon/tenon.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "immintrin.hpp"
