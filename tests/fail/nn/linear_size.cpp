// expect: axes_do_not_fit<
// expect: "matmul"
// expect: "embed=32"
// expect: "embed=64"
// expect: "batch embed=32"
// expect: "embed=64 hidden=256"
#include <tenon/tenon.hpp>

auto hidden(tenon::Linear<"embed=64", "hidden=256"> const& layer,
            tenon::Float32<"batch embed=32"> const& x) {
  return relu(layer(x));
}
