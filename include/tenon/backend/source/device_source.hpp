#pragma once

// Deprecated path: use <tenon/backend/codegen/print/device_source.hpp>.

#include <tenon/backend/codegen/print/device_source.hpp>

namespace tenon {

namespace source = codegen;  // the former name of the namespace, for one release

}  // namespace tenon
