#pragma once

// Deprecated path: use <tenon/distributed/zero/gather.hpp>.

#include <tenon/distributed/zero/deprecated.hpp>
#include <tenon/distributed/zero/gather.hpp>
