// expect: axes_do_not_fit<
// expect: "MultiheadAttention"
// expect: "embed=32"
// expect: "embed=64"
#include <tenon/nn.hpp>

using namespace tenon;

auto attended(MultiheadAttention<"embed=64", 4> const& layer, Float32<"batch t embed=64"> const& x,
              Float32<"batch s embed=32"> const& memory) {
  return eval(layer(x, memory, memory));
}
