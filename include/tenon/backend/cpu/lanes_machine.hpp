#pragma once

#include <tenon/backend/cpu/lanes_avx2.hpp>
#include <tenon/backend/cpu/lanes_avx512.hpp>
#include <tenon/backend/cpu/lanes_generic.hpp>
#include <tenon/backend/cpu/lanes_sse2.hpp>

namespace tenon {

/// The machine that is compiled for.
#if defined(__AVX512F__)
using Machine = Avx512Machine;
#elif defined(__AVX2__)
using Machine = Avx2Machine;
#elif defined(__SSE2__) && !defined(__AVX__)
using Machine = Sse2Machine;
#else
using Machine = GenericMachine;
#endif

}  // namespace tenon
