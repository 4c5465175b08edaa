#pragma once

// Deprecated path: use <tenon/distributed/communication/mesh.hpp>.

#include <tenon/distributed/communication/mesh.hpp>
