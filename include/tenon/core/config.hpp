#pragma once

/// The version as a number: 1.2.3 is 10203.
#define TENON_VERSION 100

#if __cplusplus < 202002L
#error "tenon: C++20 is needed (-std=c++20)"
#endif

#if defined(__FAST_MATH__)
#error "tenon: -ffast-math would break NaN, infinity and equal bits on every run; remove it"
#endif
