#pragma once

// Deprecated path: use <tenon/distributed/collectives/collectives.hpp>.

#include <tenon/distributed/collectives/collectives.hpp>
