// expect: axes_do_not_fit<
// expect: "TransformerEncoderLayer"
// expect: "embed=32"
// expect: "embed=64"
// expect: "batch t embed=32"
#include <tenon/nn.hpp>

using namespace tenon;

auto next(
    TransformerEncoder<TransformerEncoderLayer<"embed=64", 4, "hidden=256">, 6> const& encoder,
    Float32<"batch t embed=32"> const& x) {
  return eval(encoder(x));
}
