#pragma once

// Deprecated path: use <tenon/distributed/experts/experts.hpp>.

#include <tenon/distributed/experts/experts.hpp>
