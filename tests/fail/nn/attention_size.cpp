// expect: axes_do_not_fit<
// expect: "MultiheadAttention"
// expect: "embed=32"
// expect: "embed=64"
// expect: "batch t embed=32"
#include <tenon/tenon.hpp>

auto attended(tenon::MultiheadAttention<"embed=64", 4> const& layer,
              tenon::Float32<"batch t embed=32"> const& x) {
  return eval(layer(x));
}
