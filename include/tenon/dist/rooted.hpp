#pragma once

// Deprecated path: use <tenon/distributed/collectives/rooted.hpp>.

#include <tenon/distributed/collectives/rooted.hpp>
