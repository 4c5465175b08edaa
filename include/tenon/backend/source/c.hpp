#pragma once

// Deprecated path: use <tenon/backend/codegen/c.hpp>.

#include <tenon/backend/codegen/c.hpp>
