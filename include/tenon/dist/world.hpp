#pragma once

// Deprecated path: use <tenon/distributed/communication/world.hpp>.

#include <tenon/distributed/communication/world.hpp>
