#pragma once

// Deprecated path: use <tenon/distributed/zero/zero.hpp>.

#include <tenon/distributed/zero/deprecated.hpp>
#include <tenon/distributed/zero/zero.hpp>
