// expect: axes_do_not_fit
// expect: check_close
// expect: column=2
// expect: column=3
#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

void f(tenon::Float32<"row column=2"> const& a, tenon::Float32<"row column=3"> const& b) {
  CHECK_CLOSE(a, b, 1e-5);
}
