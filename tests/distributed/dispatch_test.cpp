// A function with no line in distributed/ works over shards, or is refused under its name.

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/sharding/reshard.hpp>
#include <tenon/distributed/sharding/sharded.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

namespace dispatch_test {

using namespace tenon;
using internal::Dispatch;
using internal::Dispatches;
using internal::Refused;

namespace {

/// Of the kind of `softmax`: an expression of its operand.
template <internal::Axes axes>
struct CentreCall {
  static constexpr std::string_view name = "centre";

  template <Expression X>
  constexpr auto operator()(X const& x) const {
    return x - mean<axes>(x, keep);
  }
};
template <internal::Axes axes, Expression X>
auto centre(X const& x) {
  return CentreCall<axes>()(x);
}
template <internal::Axes axes, class... X>
  requires Dispatches<CentreCall<axes>, X&&...>
auto centre(X&&... x) {
  return Dispatch<CentreCall<axes>, X&&...>::of(std::forward<X>(x)...);
}
template <internal::Axes axes, class... X, class R = Refused<CentreCall<axes>, X...>>
auto centre(X const&...) -> R;

/// Of the kind of `concat`: it evaluates its operand, and keeps the axes that it does not work on.
template <internal::Axes axes>
struct TwiceCall : internal::AllBut<axes> {
  static constexpr std::string_view name = "twice";

  template <Expression X>
  auto operator()(X const& x) const {
    return concat<axes>(x, x);
  }
};
template <internal::Axes axes, class... X>
  requires Dispatches<TwiceCall<axes>, X&&...>
auto twice(X&&... x) {
  return Dispatch<TwiceCall<axes>, X&&...>::of(std::forward<X>(x)...);
}
template <internal::Axes axes, class... X, class R = Refused<TwiceCall<axes>, X...>>
auto twice(X const&...) -> R;

/// Of the kind of `cumsum`: no more than its name.
struct MedianName {
  static constexpr std::string_view name = "median";
};
template <class... X, class R = Refused<MedianName, X...>>
auto median(X const&...) -> R;

using Rows = Sharded<float, "batch@dp n=4">;
using Columns = Sharded<float, "batch n=4@dp">;
template <class X>
X const& an();

static_assert(sharding_of<decltype(centre<"n">(an<Rows>()))> == "batch@dp n=4");
static_assert(sharding_of<decltype(twice<"n">(an<Rows>()))> == "batch@dp n=8");
static_assert(
    std::same_as<decltype(centre<"n">(an<Columns>())),
                 compile_error::axis_is_divided_reshard_first<"centre", "dp", Columns::spec>>);
static_assert(
    std::same_as<decltype(twice<"n">(an<Columns>())),
                 compile_error::axis_is_divided_reshard_first<"twice", "n=4@dp", Columns::spec>>);
static_assert(std::same_as<decltype(median(an<Rows>())),
                           compile_error::is_not_known_over_shards<"median", Rows::spec>>);

}  // namespace

TEST_CASE("functions of the test are computed on shards as on the whole tensor") {
  World const world;
  Mesh<"dp"> const mesh(world);
  Float32<"batch=6 n=4"> whole;
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 4; ++k) whole(i, k) = static_cast<float>(i * i + 3 * k);
  auto const x = shard<"batch@dp n=4">(mesh, whole);
  CHECK(allclose(unshard(centre<"n">(x)), centre<"n">(whole)));
  CHECK(allclose(unshard(twice<"n">(x)), concat<"n">(whole, whole)));
}

}  // namespace dispatch_test
