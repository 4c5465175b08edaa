#pragma once

// Deprecated path: use <tenon/distributed/collectives/shift.hpp>.

#include <tenon/distributed/collectives/shift.hpp>
