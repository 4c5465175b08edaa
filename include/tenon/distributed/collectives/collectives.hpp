#pragma once

/// All collectives.
#include <tenon/distributed/collectives/all_reduce.hpp>
#include <tenon/distributed/collectives/all_to_all.hpp>
#include <tenon/distributed/collectives/gather.hpp>
#include <tenon/distributed/collectives/pending.hpp>
#include <tenon/distributed/collectives/rooted.hpp>
#include <tenon/distributed/collectives/shift.hpp>
