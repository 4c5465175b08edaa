#include <doctest/doctest.h>

#include <tenon/tenon.hpp>
#include <utility>
#include <vector>

namespace assign_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

using Numbers = Float32<"n">;
using Matrix = Float32<"_ _">;

template <TensorType E>
E counted(auto... sizes) {
  E x = zeros<E>(sizes...);
  for (std::int64_t i = 0; i < x.size(); ++i) x.own_memory()[i] = static_cast<float>(i * 37 % 101);
  return x;
}

}  // namespace

TEST_CASE("an assignment reuses the tensor's memory unless another tensor shares it") {
  auto const a = counted<Numbers>(100);
  Numbers x = a + 1;
  float const* const place = x.data();
  x = a * 2;
  CHECK(x.data() == place);
  CHECK(x(3) == a(3) * 2);
  auto const kept = x;
  x = a * 3;
  CHECK(x.data() != place);
  CHECK(kept(3) == a(3) * 2);
  x = counted<Numbers>(40) * 1;
  CHECK(x.size() == 40);
}

TEST_CASE("an expression that reads the tensor it is assigned to reads the old value throughout") {
  auto const before = counted<Matrix>(40, 40);
  Matrix x = before;
  x = x + transpose(x);
  CHECK(x(3, 7) == before(3, 7) + before(7, 3));
  CHECK(x(7, 3) == x(3, 7));
  x = before;
  x = x - sum<0>(x) + slice<0, 39, 40>(x);
  CHECK(x(0, 5) == before(0, 5) - Float32<"_">(sum<0>(before))(5) + before(39, 5));
  CHECK(x(39, 5) == 2 * before(39, 5) - Float32<"_">(sum<0>(before))(5));
  Numbers y = counted<Numbers>(100);
  auto expression = y * 2;
  y = std::move(expression) + 1;
  CHECK(y(1) == 75.0f);
}

TEST_CASE("borrowed memory is read before an assignment to its owner, which does not write it") {
  auto const a = counted<Numbers>(100);
  Numbers x = a * 1;
  x = 2 * view<Numbers>(x.data() + 99, 100, ViewStrides(-1));
  CHECK(x(0) == 2 * a(99));
  CHECK(x(99) == 2 * a(0));
  std::vector<float> lent(100, 5.0f);
  x = Numbers::adopt(SharedBuffer::adopt(lent.data(), 400, 0), x.sizes());
  x = a * 2;
  CHECK(lent[3] == 5.0f);
}

TEST_CASE("a tensor keeps its value if the assigned expression does not fit or throws") {
  auto const a = counted<Numbers>(100);
  Float32<"n=..100"> x = a * 1;
  CHECK_THROWS_AS(x = counted<Numbers>(101) * 1, ShapeError);
  CHECK(x(3) == a(3));
  Int32<"n"> const wrong{0, 200};
  Numbers y = slice<0, 0, 2>(a) * 1;
  CHECK_THROWS_AS(y = take<"n">(a, wrong) * 2, IndexError);
  CHECK(y(1) == a(1));
}

TEST_CASE("an assignment does not overwrite what the tape needs") {
  auto const a = counted<Numbers>(100);
  auto const [value, derivative] = value_and_grad([&](Numbers const& p) {
    Numbers x = p * p, y = a * 1;
    x = x * x;
    y = p * y;
    Numbers const product = x * y;
    x = a * 2;
    y = a * 3;
    return sum(product + x * y);
  })(a);
  CHECK(derivative(2) == doctest::Approx(5 * 74.0 * 74 * 74 * 74 * 74).epsilon(1e-6));
}

}  // namespace assign_test
