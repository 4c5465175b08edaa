#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <vector>

#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

namespace new_adjoints_test {

using namespace tenon;

namespace {

using Matrix = Float32<"i j">;
using Row = Float32<"j">;
struct Model {
  Matrix x;
  Row b;
};

/// Fills memory that is then freed and reused.
void leave_behind(float number, Model const& like) {
  std::vector<Matrix> matrices(6, Matrix());
  std::vector<Row> rows(6, Row());
  for (Matrix& m : matrices) m = full<Matrix>(number, like.x.sizes()[0], like.x.sizes()[1]);
  for (Row& r : rows) r = full<Row>(number, like.b.sizes()[0]);
}

template <class A>
bool same_bits(A const& a, A const& b) {
  auto const bytes = static_cast<std::size_t>(a.size()) * sizeof(float);
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), bytes) == 0;
}

/// True if the gradients are independent of the previous contents of their memory. The sizes are
/// large enough for several chunks, of 16384 elements.
template <class F>
bool is_set(F const& f, std::int64_t rows, std::int64_t columns) {
  Model const at{normal<Matrix>(Key{1}, rows, columns), normal<Row>(Key{2}, columns)};
  leave_behind(0, at);
  Model const expected = grad(f)(at);
  leave_behind(std::numeric_limits<float>::quiet_NaN(), at);
  Model const got = grad(f)(at);
  return same_bits(got.x, expected.x) && same_bits(got.b, expected.b);
}
template <class F>
bool is_set(F const& f) {
  return is_set(f, 190, 190) && is_set(f, 3, 17000) && is_set(f, 17000, 3);
}

}  // namespace

TEST_CASE("new adjoints are independent of the previous contents of their memory") {
  CHECK(is_set([](Model const& m) { return sum(square(m.x)); }));
  CHECK(is_set([](Model const& m) { return sum(exp(m.x) * m.x + m.b); }));
  CHECK(is_set([](Model const& m) { return sum(square(softmax<"j">(m.x * m.b))); }));
  CHECK(is_set([](Model const& m) { return sum(square(sum<"i">(m.x) - m.b)); }));
  CHECK(is_set([](Model const& m) { return sum(square(sum<"j">(m.x * m.x))); }));
  CHECK(is_set([](Model const& m) { return sum(square(slice<"i", 1, 3>(m.x) + m.b)); }));
  CHECK(is_set([](Model const& m) { return sum(square(flip<"j">(m.x)) * m.x); }));
  CHECK(is_set([](Model const& m) { return max(m.x) + sum(concat<"i">(m.x, m.x)); }));
  CHECK(is_set([](Model const& m) { return sum(square(matmul(m.x, m.b))); }));
  CHECK(is_set([](Model const& m) { return sum(square(matmul(slice<"i", 1, 3>(m.x), m.b))); }));
  CHECK(is_set([](Model const& m) { return sum(square(m.x - rearrange<"j i -> i j">(m.x))); }, 190,
               190));
  CHECK(is_set([](Model const& m) { return sum(matmul(m.x, rearrange<"j k -> j k">(m.x))); }, 190,
               190));
}

TEST_CASE(
    "new adjoints that are read both directly and through a gather are initialised completely") {
  Int32<"i"> const ids = zeros<Int32<"i">>(1);
  Model const at{normal<Matrix>(Key{1}, 1, 40000), ones<Row>(40000)};
  leave_behind(7, at);
  auto const derivative =
      grad([&](Matrix const& x) { return sum(at.b * eval(x * x + take<"i">(x, ids))); })(at.x);
  CHECK(same_bits(derivative, Matrix(2 * at.x + 1)));
}

TEST_CASE("an adjoint that two values share is not modified in place") {
  using Pair = std::pair<Row, Row>;
  Pair const at{normal<Row>(Key{1}, 1000), normal<Row>(Key{2}, 1000)};
  auto const weight = normal<Row>(Key{3}, 1000);
  auto const plus = custom_vjp([](Row const& a, Row const& b) { return a + b; },
                               [](Row const& dy, auto const&...) { return std::tuple(dy, dy); });
  auto const [a, b] = grad([&](Pair const& x) {
    auto const squares = sum(square(x.first));  // its adjoint comes after those of the sum
    return sum(weight * plus(x.first, x.second)) + squares;
  })(at);
  CHECK(same_bits(a, Row(weight + 2 * at.first)));
  CHECK(same_bits(b, weight));
}

}  // namespace new_adjoints_test
