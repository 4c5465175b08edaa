#pragma once

#include <tenon/backend/cpu/lanes_convert.hpp>
#include <tenon/backend/cpu/lanes_intrinsics.hpp>
#include <tenon/backend/cpu/lanes_mask.hpp>
#include <tenon/backend/cpu/lanes_narrow.hpp>
#include <tenon/backend/cpu/lanes_numbers.hpp>
#include <tenon/backend/cpu/lanes_reduction.hpp>
#include <tenon/backend/cpu/lanes_wide.hpp>
