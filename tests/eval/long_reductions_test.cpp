// A reduction of one long row is divided among threads, in the same tree for any number of them.
#include <cmath>
#include <tuple>

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

namespace long_reductions_test {

using namespace tenon;

constexpr std::int64_t groups = 3 * 16 * 8192;  // of blocks, for lanes of up to 16 floats

auto reductions_of(Float32<"n"> const& x, Float32<"row column"> const& matrix) {
  return std::tuple(sum(x).item(), sum(exp(x)).item(), max(x).item(), prod(1.f + 1e-7f * x).item(),
                    any(x > 2.f).item(), logsumexp<"n">(x).item(), mean(x * x).item(),
                    sum(slice<"column", 1, to_end>(matrix)).item());
}

TEST_CASE("a long reduction has the same bits for any number of threads") {
  int const before = threads();
  for (std::int64_t const n : {groups - 1, groups, groups + 1, 2 * groups + 12345}) {
    auto const x = uniform<Float32<"n">>(Key{1}, -1.f, 1.f, n);
    auto const matrix = uniform<Float32<"row column">>(Key{2}, -1.f, 1.f, 700, n / 700);
    set_threads(1);
    auto const alone = reductions_of(x, matrix);
    set_threads(3);
    CHECK(reductions_of(x, matrix) == alone);
  }
  set_threads(before);
}

TEST_CASE("a long sum is close to the sum in double, and keeps NaN") {
  auto x = uniform<Float32<"n">>(Key{3}, 0.f, 1.f, 2 * groups + 77);
  double const expected = sum(to<double>(x)).item();
  CHECK(std::abs(double{sum(x).item()} - expected) < 1e-6 * expected);
  x(groups + 5) = std::nanf("");
  CHECK(std::isnan(sum(x).item()));
  CHECK(std::isnan(max(x).item()));
}

}  // namespace long_reductions_test
