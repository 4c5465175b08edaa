#include "ranks.hpp"

#include <tenon/tensor/complex.hpp>

namespace reduce_test {

using namespace tenon::internal;

using namespace ranks;

namespace {

using Vector = Float64<"3">;

/// Different on each rank, except for the maximum of the last element, which two ranks have.
Vector own_vector(int rank) {
  return {0.8 + 0.1 * rank, 1.3 - 0.11 * rank, rank < 2 ? 1.6 : 0.7 + rank / 9.0};
}

template <class Fold>
double gradient_error(Group const& group) {
  Vector const x = own_vector(group.rank());
  auto const loss = [&](Vector const& v) {
    Vector const y = all_reduce<Fold>(v, group);
    return sum(y * y * y);
  };
  return worst_gradient(loss, x, group);
}

/// Reductions of memory; the functions above are independent of the dtype.
template <class T>
void check_dtype(Group const& group) {
  int const n = group.size();
  auto const number = [](int x) { return static_cast<T>(static_cast<float>(x)); };
  T own[2] = {number(group.rank()), number(group.rank() + 1)}, most[2] = {own[0], own[1]};
  auto const all = tenon::internal::mpi::room_for<T>(2 * n);
  tenon::internal::mpi::all_gather(own, all.get(), std::vector<std::int64_t>(std::size_t(n), 2),
                                   group);
  CHECK(all[std::size_t(2 * n - 1)] == number(n));
  tenon::internal::mpi::all_reduce<op::sum>(own, 2, group);
  CHECK(own[1] == number(n * (n + 1) / 2));
  if constexpr (RealType<T>) {
    tenon::internal::mpi::all_reduce<op::max>(most, 2, group);
    CHECK(most[0] == number(n - 1));
  }
}

}  // namespace

TEST_CASE("a reduction over ranks is that of their values") {
  World const world;
  double const n = world.size();
  Vector const x = own_vector(0) * 0.0 + double(world.rank() + 1);
  CHECK(all_reduce(x * 2.0, world.group())(2) == n * (n + 1));
  CHECK(all_reduce<op::mean>(x, world.group())(2) == (n + 1) / 2);
  CHECK(all_reduce<op::max>(x, world.group())(0) == n);
  CHECK(all_reduce<op::min>(x, world.group())(0) == 1);
  CHECK(all_reduce<op::prod>(x, world.group())(1) == std::tgamma(n + 1));
}

TEST_CASE("all dtypes") {
  World const world;
  Group const& group = world.group();
  check_dtype<float>(group);
  check_dtype<double>(group);
  check_dtype<float16>(group);
  check_dtype<bfloat16>(group);
  check_dtype<std::int8_t>(group);
  check_dtype<std::int16_t>(group);
  check_dtype<std::int32_t>(group);
  check_dtype<std::int64_t>(group);
  check_dtype<std::uint8_t>(group);
  check_dtype<std::uint16_t>(group);
  check_dtype<std::uint32_t>(group);
  check_dtype<std::uint64_t>(group);
  check_dtype<std::complex<float>>(group);
  check_dtype<std::complex<double>>(group);
  Tensor<bool, "2"> const is_last{group.rank() == group.size() - 1, true};
  CHECK(all_reduce<op::any>(is_last, group)(0));
  CHECK(all_reduce<op::all>(is_last, group)(0) == (group.size() == 1));
}

TEST_CASE("NaN propagates through extremes") {
  World const world;
  Float32<"2"> x{1.0f, 2.0f};
  if (world.rank() == 0) x(1) = std::nanf("");
  CHECK(std::isnan(all_reduce<op::max>(x, world.group())(1)));
  CHECK(all_reduce<op::min>(x, world.group())(0) == 1.0f);
  auto const derivative = grad([&](Float32<"2"> const& v) -> Float32<""> {
    return sum(all_reduce<op::max>(v, world.group()));
  })(x);
  CHECK(std::isnan(derivative(1)));
  CHECK(derivative(0) > 0.0f);
}

TEST_CASE("gradients of reductions are those of the loss of all ranks") {
  World const world;
  Group const& group = world.group();
  CHECK(gradient_error<op::sum>(group) < 1e-4);
  CHECK(gradient_error<op::mean>(group) < 1e-4);
  CHECK(gradient_error<op::max>(group) < 1e-4);  // ties: half of the derivative for each
  CHECK(gradient_error<op::min>(group) < 1e-4);
  CHECK(gradient_error<op::prod>(group) < 1e-4);
}

TEST_CASE("the adjoint of copy_to is the sum over ranks") {
  World const world;
  Group const& group = world.group();
  Vector const x = own_vector(1), factor = own_vector(group.rank());
  auto const loss = [&](Vector const& v) {
    Vector const y = copy_to(v, group) * factor;
    return all_reduce(sum(y * y * y), group);
  };
  CHECK(worst_gradient(loss, x, group, true) < 1e-4);
}

TEST_CASE("a pending reduction, in chunks") {
  World const world;
  Float32<"n"> const x = iota<Float32<"n">>(1000);
  std::int64_t const before = std::exchange(tenon::internal::mpi::largest_chunk(), 64);
  auto first = begin_all_reduce(x, world.group());
  auto second = begin_all_reduce<op::mean>(x * 2.0f, world.group());
  CHECK(second.wait()(999) == 1998.0f);
  CHECK(first.wait()(999) == 999.0f * float(world.size()));
  CHECK(all_reduce(x, world.group())(998) == 998.0f * float(world.size()));
  CHECK(all_gather<"n">(x, world.group())(1000 * (world.size() - 1) + 7) == 7.0f);
  auto const part = reduce_scatter<"n">(x, world.group());
  CHECK((world.rank() > 0 || part(5) == 5.0f * float(world.size())));
  tenon::internal::mpi::largest_chunk() = before;
}

TEST_CASE("a pending result may be moved") {
  World const world;
  std::vector<Pending<Float32<"n=3">>> all;
  for (float i = 1; i < 20; ++i)
    all.push_back(begin_all_reduce(Float32<"n=3">{i, 2 * i, 3 * i}, world.group()));
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(all[i].wait()(2) == 3.0f * static_cast<float>(i + 1) * static_cast<float>(world.size()));
}

TEST_CASE("a gradient of a gradient is reduced over ranks") {
  World const world;
  Group const& group = world.group();
  auto const loss = [&](Vector const& v) {
    Vector const y = all_reduce(v, group);
    return sum(y * y * y);
  };
  auto const derivatives = [&](Vector const& v) {
    Vector const derivative = grad(loss)(v);                 // 3 y^2, the same on all ranks
    return all_reduce(sum(derivative * derivative), group);  // each rank's derivative is its own
  };
  Vector const x = own_vector(world.rank()), y = all_reduce(x, group), found = grad(derivatives)(x);
  double const expected = 36 * y(0) * y(0) * y(0) * world.size();
  CHECK(std::abs(found(0) - expected) < 1e-6 * expected);
}

TEST_CASE("a moved tensor is reduced in its own memory, unless that is shared") {
  World const world;
  float const n = static_cast<float>(world.size());
  auto x = ones<Float32<"n">>(100);
  auto const* const memory = x.data();
  auto const shared = x;
  auto sum = all_reduce(std::move(x), world.group());
  CHECK(shared(99) == 1);
  CHECK(sum(99) == n);
  if (world.size() > 1) CHECK(sum.data() != memory);
  auto const* const own = sum.data();
  auto const mean = all_reduce<op::mean>(std::move(sum), world.group());
  CHECK(mean.data() == own);
  CHECK(mean(99) == n);
  auto const recorded = [&](Float32<"n"> const& w) {
    auto twice = eval(w * 2.0f);
    auto const all = all_reduce(std::move(twice), world.group());
    return tenon::sum(all * all);
  };
  CHECK(grad(recorded)(shared)(0) == 8 * n);
}

}  // namespace reduce_test
