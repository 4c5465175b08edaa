// expect: shapes_do_not_align<
// expect: "MultiheadAttention"
// expect: "head=2"
// expect: "head=2 t s"
#include <tenon/nn.hpp>

using namespace tenon;

auto next(TransformerDecoderLayer<"embed=64", 4, "hidden=256"> const& layer,
          Float32<"batch t embed=64"> const& x, Float32<"batch s embed=64"> const& memory,
          Mask<"head=2 t s"> const& mask) {
  return eval(layer(x, memory, MemoryMask{mask}));
}
