#pragma once

// Deprecated path: use <tenon/distributed/communication/traffic.hpp>.

#include <tenon/distributed/communication/traffic.hpp>
