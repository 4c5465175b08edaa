#pragma once

// Interpolation between points: interp.

#include <tenon/numeric/interp.hpp>
#include <tenon/tenon.hpp>
