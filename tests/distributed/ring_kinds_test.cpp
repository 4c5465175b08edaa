// Ring attention of other dtypes, and of compile-time sizes.

#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/context_parallel/ring_attention.hpp>

#include "ranks.hpp"

namespace ring_kinds_test {

using namespace ranks;

namespace {

/// Four positions on each rank, with a compile-time or a run-time size.
using KnownRows = Float64<"batch=1 query=4 head=1 feature=2">;
template <class T = double>
using Rows = Tensor<T, "batch query head feature">;

/// One tensor as queries, keys and values.
template <TensorType X>
auto on_one(X const& x) {
  auto const k = eval(rename<"query -> key">(x));
  return internal::attention_of<internal::MultiheadAttentionName, true>(x, k, k);
}
template <TensorType X>
auto on_all(X const& x, Group const& group) {
  auto const k = eval(rename<"query -> key">(x));
  return ring_attention(x, k, k, group, is_causal);
}

auto const squares_on_one = [](auto const& x) { return sum(square(on_one(x))); };
auto squares_on_all(Group const& group) {
  return [group](auto const& x) { return all_reduce(sum(square(on_all(x, group))), group); };
}

Rows<> rows_of_all(Group const& group) { return normal<Rows<>>(Key(5), 1, 4 * group.size(), 1, 2); }

template <Expression A, Expression B>
double distance(A const& a, B const& b) {
  return double(max(abs(a - b)).item());
}

/// The largest error of the gradient, with numbers rounded to `T`.
template <class T>
double worst_of(Group const& group) {
  Rows<T> const own = to<T>(part_of<1>(rows_of_all(group), group));
  Rows<T> const derivative = grad(squares_on_all(group))(own);
  Rows<> const all = all_gather<1>(to<double>(own), group);
  return distance(to<double>(derivative), part_of<1>(grad(squares_on_one)(all), group));
}

}  // namespace

TEST_CASE("float and 16-bit dtypes are within their rounding errors") {
  World const world;
  CHECK(worst_of<float>(world.group()) < 2e-5);
  CHECK(worst_of<bfloat16>(world.group()) < 0.2);
}

TEST_CASE("compile-time sizes") {
  World const world;
  Group const& group = world.group();
  Rows<> const all = rows_of_all(group);
  KnownRows const own = as<"batch=1 query=4 head=1 feature=2">(eval(part_of<1>(all, group)));
  CHECK(distance(on_all(own, group), part_of<1>(on_one(all), group)) < 1e-12);
  KnownRows const derivative = grad(squares_on_all(group))(own);
  CHECK(distance(derivative, part_of<1>(grad(squares_on_one)(all), group)) < 1e-12);
}

TEST_CASE("a gradient of a gradient throws on several ranks") {
  World const world;
  Group const& group = world.group();
  Rows<> const own = part_of<1>(rows_of_all(group), group);
  auto const derivative = [&](Rows<> const& x) {
    return sum(square(grad(squares_on_all(group))(x)));
  };
  if (group.size() == 1) CHECK_NOTHROW((void)grad(derivative)(own));
  else
    CHECK_THROWS_WITH_AS((void)grad(derivative)(own),
                         "tenon::ring_attention: expected a gradient, got a gradient of a gradient",
                         ValueError);
}

}  // namespace ring_kinds_test
