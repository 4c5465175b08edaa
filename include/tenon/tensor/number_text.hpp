#pragma once

#include <concepts>
#include <string>

#include <tenon/core/config.hpp>

/// The text of numbers as in NumPy: the fewest digits that identify a number, at most eight after
/// the decimal point, and the numbers of one array aligned.
namespace tenon::internal {

/// A single number: 1.5, 1.0, 1e+20; `trimmed`: 1 instead of 1.0.
template <std::floating_point T>
std::string lone_number(T x, bool trimmed = false);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/tensor/number_text.ipp>
#endif
