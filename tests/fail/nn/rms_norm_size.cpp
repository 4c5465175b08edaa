// expect: axes_do_not_fit<
// expect: "RMSNorm"
// expect: "embed=32"
// expect: "embed=64"
// expect: "batch t embed=32"
#include <tenon/nn.hpp>

auto normal(tenon::RMSNorm<"embed=64"> const& norm, tenon::Float32<"batch t embed=32"> const& x) {
  return norm(x);
}
