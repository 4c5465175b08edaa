#pragma once

/// All collectives.
#include <tenon/dist/all_reduce.hpp>
#include <tenon/dist/all_to_all.hpp>
#include <tenon/dist/gather.hpp>
#include <tenon/dist/pending.hpp>
#include <tenon/dist/rooted.hpp>
#include <tenon/dist/shift.hpp>
