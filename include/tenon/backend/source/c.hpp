#pragma once

// Deprecated path: use <tenon/backend/codegen/c.hpp>.

#include <tenon/backend/codegen/c.hpp>

namespace tenon {

namespace source = codegen;  // the former name of the namespace, for one release

}  // namespace tenon
