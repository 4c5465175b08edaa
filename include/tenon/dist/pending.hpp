#pragma once

// Deprecated path: use <tenon/distributed/collectives/pending.hpp>.

#include <tenon/distributed/collectives/pending.hpp>
