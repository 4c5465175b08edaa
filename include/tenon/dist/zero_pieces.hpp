#pragma once

// Deprecated path: use <tenon/distributed/zero/checkpoint.hpp>.

#include <tenon/distributed/checkpoint/deprecated.hpp>
#include <tenon/distributed/zero/checkpoint.hpp>
#include <tenon/distributed/zero/deprecated.hpp>
