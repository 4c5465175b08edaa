#pragma once

// Deprecated path: use <tenon/distributed/collectives/gather.hpp>.

#include <tenon/distributed/collectives/gather.hpp>
