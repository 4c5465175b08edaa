// Macros `min` and `max`, as <windows.h> defines them, reach no header of Tenon and survive it.
#include <doctest/doctest.h>

#if __has_include(<bits/stdc++.h>)
#include <bits/stdc++.h>  // the headers of libstdc++, which do not compile with the two
#endif

#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))

#include <tenon/tenon.hpp>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/backend/cuda.hpp>
#include <tenon/backend/metal.hpp>
#include <tenon/backend/opencl.hpp>
#include <tenon/io/dlpack.hpp>
#include <tenon/io/json.hpp>
#include <tenon/io/npz.hpp>
#include <tenon/io/onnx.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/io/tokenizer.hpp>
#include <tenon/testing.hpp>
#include <tenon/train/compare_devices.hpp>
#include <tenon/train/inspect.hpp>
#include <tenon/train/run.hpp>

#if !defined(min) || !defined(max)
#error "expected the macros of the user"
#endif

namespace min_max_macros_test {

using namespace tenon;

TEST_CASE("the macros min and max of a user are kept") {
  Float32<"n"> const x{1, -2, 3};
  CHECK(max<"n">(x).item() == 3);
  CHECK((min)(x).item() == -2);
  CHECK(max(1, 2) == 2);
}

}  // namespace min_max_macros_test
