#pragma once

// Deprecated path: use <tenon/backend/codegen/print/gradient_source.hpp>.

#include <tenon/backend/codegen/print/gradient_source.hpp>
