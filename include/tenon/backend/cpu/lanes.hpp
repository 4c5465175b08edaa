#pragma once

#include <tenon/backend/cpu/lanes_convert.hpp>
#include <tenon/backend/cpu/lanes_fold.hpp>
#include <tenon/backend/cpu/lanes_mask.hpp>
#include <tenon/backend/cpu/lanes_narrow.hpp>
#include <tenon/backend/cpu/lanes_numbers.hpp>
#include <tenon/backend/cpu/lanes_wide.hpp>
#include <tenon/backend/cpu/lanes_words.hpp>
