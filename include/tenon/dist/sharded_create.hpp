#pragma once

// Deprecated path: use <tenon/distributed/sharding/create.hpp>.

#include <tenon/distributed/sharding/create.hpp>
