// <windows.h> before Tenon: its macros, with `min` and `max` as Microsoft's has them, do not reach
// the headers, and survive them.

#include <doctest/doctest.h>
#include <windows.h>

#include <bits/stdc++.h>  // the standard headers of libstdc++, which do not compile with the two

#if !defined(near) || !defined(far) || !defined(ERROR) || !defined(IN)
#error "expected macros of <windows.h>"
#endif
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))

#include <tenon/tenon.hpp>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/backend/cuda.hpp>
#include <tenon/backend/metal.hpp>
#include <tenon/backend/opencl.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/train/compare_devices.hpp>

#if !defined(min) || !defined(max)
#error "expected the macros of the user"
#endif

namespace windows_first_test {

using namespace tenon;

TEST_CASE("<windows.h> may be included before Tenon") {
  Float32<"n"> const x{1, -2, 3};
  CHECK((max)(x).item() == 3);  // as in std: without parentheses it is the macro
  CHECK(min<"n">(x).item() == -2);
  CHECK(grad([](auto const& y) { return sum(maximum(y, 0.0f) * y); })(x)(2) == 6);
}

TEST_CASE("a device whose library is missing is not available") {
  CHECK_FALSE(available<Cuda>());
  CHECK_FALSE(available<Mps>());
}

}  // namespace windows_first_test
