// expect: axes_do_not_fit<
// expect: "matmul"
// expect: "hidden=64"
// expect: "embed=64 hidden=256"
#include <tenon/tenon.hpp>

auto hidden(tenon::Linear<"embed=64", "hidden=256"> const& layer,
            tenon::Float32<"batch hidden=64"> const& x) {
  return relu(layer(x));
}
