// expect: error::temporary_has_no_lasting_elements
// expect: "as_eigen"
// expect: "name it first"
#include <tenon/io/dlpack.hpp>
#include <tenon/io/eigen.hpp>

auto mistaken(tenon::dlpack::DLManagedTensor* m) {
  return tenon::as_eigen(tenon::from_dlpack<tenon::Float32<"n">>(m));
}
