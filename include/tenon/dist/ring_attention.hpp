#pragma once

// Deprecated path: use <tenon/distributed/context_parallel/ring_attention.hpp>.

#include <tenon/distributed/context_parallel/ring_attention.hpp>
