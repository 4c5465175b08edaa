#pragma once

// Deprecated path: use <tenon/distributed/collectives/assert_same.hpp>.

#include <tenon/distributed/collectives/assert_same.hpp>
