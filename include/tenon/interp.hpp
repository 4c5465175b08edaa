#pragma once

// Interpolation between points: interp cubic_spline.

#include <tenon/numeric/cubic_spline.hpp>
#include <tenon/numeric/interp.hpp>
#include <tenon/tenon.hpp>
