#pragma once

// All that a user may include without a further library, beside both namespaces.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <numeric>
#include <random>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/backend/devices.hpp>
#include <tenon/eval/capture.hpp>
#include <tenon/eval/print_bindings.hpp>
#include <tenon/eval/print_graph.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train/compare_devices.hpp>

using namespace std;    // NOLINT(google-build-using-namespace): as users write it
using namespace tenon;  // NOLINT(google-build-using-namespace)
