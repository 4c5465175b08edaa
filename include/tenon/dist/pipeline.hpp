#pragma once

// Deprecated path: use <tenon/distributed/pipeline/pipeline.hpp>.

#include <tenon/distributed/pipeline/pipeline.hpp>
