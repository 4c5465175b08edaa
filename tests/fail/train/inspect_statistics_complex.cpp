// expect: tenon: statistics: expected real numbers, got complex ones
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>
#include <tenon/train/inspect/statistics.hpp>

auto found(tenon::Complex64<"n"> const& x) { return tenon::training::statistics(x); }
