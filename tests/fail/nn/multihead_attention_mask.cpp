// expect: shapes_do_not_align<
// expect: "MultiheadAttention"
// expect: "head=3"
// expect: "head=3 query key"
#include <tenon/nn.hpp>

using namespace tenon;

auto attended(MultiheadAttention<"embed=64", 4> const& layer, Float32<"batch t embed=64"> const& x,
              Float32<"head=3 query key"> const& mask) {
  return eval(layer(x, mask));
}
