#pragma once

#include <complex>

#include <tenon/core/dtype.hpp>

// Complex numbers as elements. Not part of `tenon.hpp`, because `<complex>` includes streams and
// locales: programs that use them include `<complex>`, this header or `tensor/complex.hpp`.
