#pragma once

// Deprecated path: use <tenon/backend/codegen/backend.hpp>.

#include <tenon/backend/codegen/backend.hpp>

namespace tenon {

namespace source = codegen;  // the former name of the namespace, for one release

}  // namespace tenon
