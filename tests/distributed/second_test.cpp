// Second derivatives over ranks, compared with central differences.
#include "ranks.hpp"

namespace second_test {

using namespace ranks;

namespace {

using Rows = Tensor<double, "n d=2">;

/// `f` maps rows to rows; with `one_in` or `one_out` the argument or the result is replicated.
template <class F>
double worst_second(F const& f, Rows const& x, bool one_in, bool one_out) {
  World const world;
  Group const group = world.group();
  auto const of_all = [&](Float64<""> const& own, bool is_one) {
    return is_one ? own : Float64<"">(all_reduce(own, group));
  };
  auto const loss = [&](Rows const& v) {
    Rows const y = f(v, group);
    return of_all(sum(y * y * y), one_out);
  };
  auto const derivatives = [&](Rows const& v) {
    Rows const derivative = grad(loss)(v);
    return of_all(sum(derivative * derivative), one_in);
  };
  return worst_gradient(derivatives, x, group, one_in);
}

}  // namespace

TEST_CASE("collectives are twice differentiable") {
  World const world;
  Rows const own = rows(world.rank(), world.rank() % 3) / 7, one = rows(1, 5) / 7;
  Rows const even = rows(world.rank(), world.size()) / 9;
  CHECK(worst_second([](auto const& v, auto const& g) { return all_gather<"n">(v, g); }, own, false,
                     true) < 1e-5);
  CHECK(worst_second([](auto const& v, auto const& g) { return part_of<"n">(v, g); }, one, true,
                     false) < 1e-5);
  CHECK(worst_second([](auto const& v, auto const& g) { return reduce_scatter<"n">(v, g); }, even,
                     false, false) < 1e-5);
  CHECK(worst_second([](auto const& v, auto const& g) { return shift(v, 1, g); }, even, false,
                     false) < 1e-5);
  CHECK(worst_second([](auto const& v, auto const& g) { return broadcast(v, 0, g); }, even, false,
                     true) < 1e-5);
  CHECK(worst_second([](auto const& v, auto const& g) { return copy_to(v, g) * (1.0 + g.rank()); },
                     one, true, false) < 1e-5);
  CHECK(worst_second([](auto const& v, auto const& g) { return all_reduce<op::mean>(v, g); }, even,
                     false, true) < 1e-5);
}

TEST_CASE("nonlinear collectives have no second derivative and throw") {
  World const world;
  Rows const x = rows(world.rank(), 2);
  CHECK_THROWS_WITH(
      worst_second([](auto const& v, auto const& g) { return all_reduce<op::max>(v, g); }, x, false,
                   true),
      "tenon::mpi: this collective has no gradient of a gradient");
}

}  // namespace second_test
