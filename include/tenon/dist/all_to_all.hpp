#pragma once

// Deprecated path: use <tenon/distributed/collectives/all_to_all.hpp>.

#include <tenon/distributed/collectives/all_to_all.hpp>
