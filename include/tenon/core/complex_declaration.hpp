#pragma once

#include <cstdint>

// Declares std::complex without <complex>, which includes streams and locales. Programs may not
// declare names of the standard library ([namespace.std]): so this is done only for the two whose
// declaration is known. A program that computes with complex numbers includes <complex>.
#if defined(_LIBCPP_VERSION) && __has_include(<__fwd/complex.h>)
#include <__fwd/complex.h>
#elif defined(__GLIBCXX__) && !_GLIBCXX_INLINE_VERSION
namespace std {
template <class T>
class complex;
}  // namespace std
#else
#include <complex>
#endif
