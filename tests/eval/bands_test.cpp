// sanitize: thread
#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

namespace bands_test {

using namespace tenon;

namespace {

using Matrix = Float64<"b d">;

/// Enough rows for several chunks.
Matrix wave(std::int64_t rows, std::int64_t width) {
  Matrix x = zeros<Matrix>(rows, width);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = 0.01 * static_cast<double>(i * 37 % 101);
  return x;
}

template <class F>
Matrix derivative(F const& f, Matrix const& x) {
  return std::get<1>(value_and_grad(f)(x));
}

bool close(Matrix const& a, Matrix const& b) { return max(abs(a - b)).item() < 1e-12; }

}  // namespace

TEST_CASE("the gradient of a row that is reduced, read directly and indexed by a label") {
  auto const x = wave(300, 200);
  auto labels = zeros<Int32<"b">>(300);
  for (std::int64_t i = 0; i < 300; ++i) labels(i) = static_cast<std::int32_t>(i * 7 % 200);
  auto const got = derivative(
      [&](Matrix const& p) {
        return sum(log(sum<"d">(exp(p))) - pick<"d">(p, labels) + mean<"d">(p));
      },
      x);
  Matrix expected = exp(x) / sum<"d">(exp(x)) + 1.0 / 200;
  for (std::int64_t i = 0; i < 300; ++i) expected(i, labels(i)) -= 1;
  CHECK(close(got, expected));
}

TEST_CASE("gradients of overlapping rows add up: neighbours, columns, and rows gathered by ids") {
  auto const x = wave(401, 100);
  auto const neighbours = derivative(
      [](Matrix const& p) { return sum(slice<"b", 1, to_end>(p) * slice<"b", 0, -1>(p)); }, x);
  Matrix expected = zeros<Matrix>(401, 100);
  for (std::int64_t i = 0; i < 401; ++i)
    for (std::int64_t j = 0; j < 100; ++j)
      expected(i, j) = (i > 0 ? x(i - 1, j) : 0.0) + (i < 400 ? x(i + 1, j) : 0.0);
  CHECK(close(neighbours, expected));
  auto const both = derivative([](Matrix const& p) { return sum(square(p - mean<"b">(p))); }, x);
  CHECK(close(both, 2.0 * (x - mean<"b">(x))));
  auto ids = zeros<Int32<"c">>(401);
  for (std::int64_t i = 0; i < 401; ++i) ids(i) = static_cast<std::int32_t>(i % 3);
  auto const taken = derivative(
      [&](Matrix const& p) { return sum(sum<"d">(square(take<"b">(p, ids)))) + sum(p); }, x);
  CHECK(taken(2, 5) == doctest::Approx(1 + 133 * 2 * x(2, 5)));
  CHECK(taken(3, 5) == 1);
}

TEST_CASE("columns of one tensor read with two strides add up for any number of threads") {
  constexpr std::int64_t n = 256;
  Float64<"all"> x = zeros<Float64<"all">>(n * (n + 1));
  for (std::int64_t i = 0; i < x.size(); ++i) x(i) = 0.01 * static_cast<double>(i * 37 % 101);
  auto const wide = [](auto const& p) { return slice<1, 0, 256>(reshape<"256 257">(p)); };
  auto const narrow = [](auto const& p) { return slice<0, 0, 256>(reshape<"257 256">(p)); };
  auto const f = [&](Float64<"all"> const& p) {
    Float64<"256"> const columns = sum<0>(wide(p) * narrow(p));
    return sum(square(columns));
  };
  Float64<"256"> const columns = sum<0>(wide(x) * narrow(x));
  Float64<"all"> expected = zeros<Float64<"all">>(n * (n + 1));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      expected((n + 1) * i + j) += 2 * columns(j) * x(n * i + j);
      expected(n * i + j) += 2 * columns(j) * x((n + 1) * i + j);
    }
  auto const was = threads();
  for (int const number : {1, 2, 3}) {
    set_threads(number);
    CHECK(allclose(grad(f)(x), expected));
  }
  set_threads(was);
}

}  // namespace bands_test
