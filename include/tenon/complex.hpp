#pragma once

// Complex numbers: the types Complex64 and Complex128, real imag conj angle complex polar
// view_as_real view_as_complex, of the functions of tenon.hpp abs sqrt reciprocal exp log pow sin
// cos tan sinh cosh tanh isnan isinf isfinite and normal, and the layers ComplexLinear and ModReLU
// with the function mod_relu.

#include <tenon/nn/complex_layers.hpp>
#include <tenon/numeric/complex.hpp>
#include <tenon/tenon.hpp>
