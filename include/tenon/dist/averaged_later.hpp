#pragma once

// Deprecated path: use <tenon/distributed/data_parallel/overlapped_average.hpp>.

#include <tenon/distributed/data_parallel/overlapped_average.hpp>
