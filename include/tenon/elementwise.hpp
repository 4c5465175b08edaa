#pragma once

// Elementwise functions beyond those of tenon.hpp: log2 log10 exp2 cbrt hypot asinh acosh atanh
// erfc logaddexp copysign frac heaviside nan_to_num deg2rad rad2deg sinc xlogy erfinv lgamma
// digamma polygamma i0 i1 fmod nextafter ldexp isposinf isneginf lerp; of integers: gcd lcm.

#include <tenon/op/more.hpp>
#include <tenon/tenon.hpp>
