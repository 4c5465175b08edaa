// expect: dtype_is_not_supported
// expect: "add"
// expect: "float8_e4m3fn"
#include <tenon/tenon.hpp>

using namespace tenon;

Float8E4M3FN<"3"> const x;
Float8E4M3FN<"3 3"> const m;
Float8E5M2<"3"> const b;
auto mistaken = x + x;
