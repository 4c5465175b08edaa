// expect: axes_do_not_fit<
// expect: "TransformerBlock"
// expect: "embed=32"
// expect: "embed=64"
// expect: "batch t embed=32"
#include <tenon/tenon.hpp>

auto next(tenon::TransformerBlock<"embed=64", 4, "hidden=256"> const& block,
          tenon::Float32<"batch t embed=32"> const& x) {
  return eval(block(x));
}
