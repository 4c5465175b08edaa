#pragma once

#include <tenon/backend/cpu/simd/lanes_convert.hpp>
#include <tenon/backend/cpu/simd/lanes_intrinsics.hpp>
#include <tenon/backend/cpu/simd/lanes_narrow.hpp>
#include <tenon/backend/cpu/simd/lanes_numbers.hpp>
#include <tenon/backend/cpu/simd/lanes_wide.hpp>
