#pragma once

// Deprecated path: use <tenon/distributed/communication/parallel_state.hpp>.

#include <tenon/distributed/communication/parallel_state.hpp>
