#pragma once

#include <tenon/core/config.hpp>

/// The checks of the parameters of distributions, once for each draw.
namespace tenon::internal {

/// Throws `ValueError` unless low <= high and their difference, in the dtype, is finite.
void check_uniform(double low, double high, double difference);

/// Throws `ValueError` unless both are finite and the deviation is not negative.
void check_normal(double mean, double deviation);

/// Throws `ValueError` unless it is from 0 to 1.
void check_probability(double probability);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/random/parameters.ipp>
#endif
