#pragma once

// Deprecated path: use <tenon/distributed/data_parallel/average_gradients.hpp>.

#include <tenon/distributed/data_parallel/average_gradients.hpp>
