// expect: error::axes_do_not_fit<
// expect: "LayerNorm"
// expect: "embed=64"
// expect: "embed=32"
// expect: "batch t embed=64"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Thought {
  Linear<"embed=64", "hidden=256"> up;
  Linear<"hidden=256", "embed=64"> down;

  auto operator()(Float<"batch t embed=64"> auto const& x) const { return down(gelu(up(x))); }
};

struct Block {
  LayerNorm<"embed=32"> norm;
  Thought thought;

  auto operator()(Float<"batch t embed=64"> auto const& x) const -> Float32<"batch t embed=64"> {
    Float32<"batch t embed=64"> const y = x * 2.0f;
    return y + thought(norm(y));
  }
};

auto result(Block const& block, Float32<"batch t embed=64"> const& x) { return block(x); }
