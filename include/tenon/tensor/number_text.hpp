#pragma once

#include <concepts>
#include <string>

#include <tenon/core/config.hpp>

/// The text of numbers, as NumPy prints them: the fewest digits that tell a number from its
/// neighbours, at most eight after the point, and the numbers of one array aligned.
namespace tenon {

/// A number that stands alone: 1.5, 1.0, 1e+20; `trimmed`: 1 instead of 1.0.
template <std::floating_point T>
std::string lone_number(T x, bool trimmed = false);

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/tensor/number_text.ipp>
#endif
