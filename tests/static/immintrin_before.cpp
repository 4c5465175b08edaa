// All intrinsics are declared in a program that includes <immintrin.h> before Tenon, which includes
// some of its parts.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <tenon/tenon.hpp>

#include "immintrin.hpp"
