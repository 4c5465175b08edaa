// expect: shapes_do_not_align
// expect: check_close
#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

void f(tenon::Float32<"row column=2"> const& a) { CHECK_CLOSE(a, 1.0f); }
