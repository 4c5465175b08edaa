#pragma once

// Deprecated path: use <tenon/distributed/communication/in_order.hpp>.

#include <tenon/distributed/communication/in_order.hpp>
