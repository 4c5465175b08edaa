// expect: axes_do_not_fit<
// expect: "LayerNorm"
// expect: "embed=32"
// expect: "embed=64"
// expect: "batch t embed=32"
#include <tenon/tenon.hpp>

auto normal(tenon::LayerNorm<"embed=64"> const& layer,
            tenon::Float32<"batch t embed=32"> const& x) {
  return eval(layer(x));
}
