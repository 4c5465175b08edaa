#pragma once

// Deprecated path: use <tenon/distributed/pipeline/layers.hpp>.

#include <tenon/distributed/pipeline/layers.hpp>
