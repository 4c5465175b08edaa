// Squared distances of points in space and sums of short rows, forward and with a gradient,
// compared with the same formula written by components. One thread.
#include <string>

#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include "compare.hpp"

using namespace tenon;

using Points = Float32<"i axis=3">;
using Others = Float32<"j axis=3">;
using Rows = Float32<"i axis=8">;

template <std::int64_t k, class X>
auto component(X const& x) {
  return squeeze<1>(slice<"axis", k, k + 1>(x));
}

auto distances(auto const& a, Others const& b) {
  return sum<"axis">(square(unsqueeze<1>(a) - unsqueeze<0>(b)));
}
auto distances_by_components(auto const& a, Others const& b) {
  auto const along = [&]<std::int64_t k>(std::integral_constant<std::int64_t, k>) {
    return square(unsqueeze<1>(component<k>(a)) - unsqueeze<0>(component<k>(b)));
  };
  return along(std::integral_constant<std::int64_t, 0>()) +
         along(std::integral_constant<std::int64_t, 1>()) +
         along(std::integral_constant<std::int64_t, 2>());
}

auto sums(auto const& x) { return sum<"axis">(x * x); }
auto sums_by_components(auto const& x) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return (square(component<static_cast<std::int64_t>(k)>(x)) + ...);
  }(std::make_index_sequence<8>());
}

template <class R, class F, class G>
void compare(char const* work, F const& ours, G const& peer) {
  R a = ours(), b = peer();
  double const speed = bench::speedup([&] { a = ours(); }, [&] { b = peer(); });
  bench::line(work, "by components", speed, bench::difference(a.data(), b.data(), a.size()));
}

void compare_distances() {
  Points const a = normal<Points>(Key{1}, 1000);
  Others const b = normal<Others>(Key{2}, 1000);
  compare<Float32<"i j">>(
      "distances, 1000 x 1000 x 3", [&] { return distances(a, b); },
      [&] { return distances_by_components(a, b); });
  auto const loss = [&](auto const& f) {
    return grad([&](Points const& p) { return sum(rsqrt(f(p, b) + 1.0f)); })(a);
  };
  compare<Points>(
      "gradient of distances",
      [&] { return loss([](auto const&... x) { return distances(x...); }); },
      [&] { return loss([](auto const&... x) { return distances_by_components(x...); }); });
}

void compare_sums() {
  Rows const x = normal<Rows>(Key{3}, 100000);
  compare<Float32<"i">>(
      "sums of squares, 100000 x 8", [&] { return sums(x); },
      [&] { return sums_by_components(x); });
  compare<Rows>(
      "gradient of sums of squares",
      [&] { return grad([](Rows const& q) { return sum(sqrt(sums(q))); })(x); },
      [&] { return grad([](Rows const& q) { return sum(sqrt(sums_by_components(q))); })(x); });
}

int main() {
  set_threads(1);
  bench::header();
  compare_distances();
  compare_sums();
}
