// expect: error::dtype_is_not_supported
// expect: "gradient_source"
// expect: "int32"
#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/c.hpp>
#include <tenon/backend/codegen/print/gradient_source.hpp>

using namespace tenon;

auto mistaken(Int32<"n"> const& x) { return gradient_source<dialect::C>(x + x); }
