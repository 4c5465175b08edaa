// expect: error::device_has_no_dlpack
// expect: "from_dlpack"
// expect: "opencl"
#include <tenon/backend/opencl.hpp>
#include <tenon/io/dlpack.hpp>

auto mistaken(tenon::dlpack::DLManagedTensor* m) {
  return tenon::from_dlpack<tenon::Float32<"n", tenon::OpenCl>>(m);
}
