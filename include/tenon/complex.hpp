#pragma once

// Complex numbers: the types Complex64 and Complex128, real imag conj angle complex polar, and of
// the functions of tenon.hpp abs sqrt reciprocal exp log pow sin cos tan sinh cosh tanh isnan isinf
// isfinite and normal.

#include <tenon/numeric/complex.hpp>
#include <tenon/tenon.hpp>
