#pragma once

// Deprecated path: use <tenon/distributed/checkpoint/checkpoint.hpp>.

#include <tenon/distributed/checkpoint/checkpoint.hpp>
#include <tenon/distributed/checkpoint/deprecated.hpp>
