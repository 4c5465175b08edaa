// expect: no matching function
#include <tenon/io/dlpack.hpp>
#include <tenon/tenon.hpp>

void mistaken(tenon::dlpack::DLManagedTensor* m) {
  tenon::assign(tenon::from_dlpack<tenon::Float32<"n">>(m), tenon::Float32<"n">());
}
