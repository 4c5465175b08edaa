#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

namespace literals_test {

using namespace tenon;

namespace {

/// Checks that the message of what `f` throws contains the text.
template <class F>
void expect_refused(F const& f, std::string const& words) {
  try {
    f();
    FAIL_CHECK("nothing is thrown: " << words);
  } catch (ValueError const& error) {
    CHECK(std::string(error.what()) == words);
  }
}

using Bytes = Tensor<std::uint8_t, "n">;

}  // namespace

TEST_CASE("literals out of the range of an integer dtype throw") {
  Bytes x{1, 2, 200};
  Tensor<std::int8_t, "n"> const y{1, 2};
  expect_refused([&] { x + 300; }, "tenon::add: expected a number that uint8 holds, got 300");
  expect_refused([&] { -1 * x; }, "tenon::mul: expected a number that uint8 holds, got -1");
  expect_refused([&] { x += 256u; }, "tenon::add: expected a number that uint8 holds, got 256");
  expect_refused([&] { (void)(y < 128); },
                 "tenon::less: expected a number that int8 holds, got 128");
  expect_refused([&] { max(y, -129LL); },
                 "tenon::max: expected a number that int8 holds, got -129");
  expect_refused([&] { where(x > 1, x, 256); },
                 "tenon::where: expected a number that uint8 holds, got 256");
  Int64<"n"> const z{1};
  expect_refused([&] { z + ~std::uint64_t{0}; },
                 "tenon::add: expected a number that int64 holds, got 18446744073709551615");
}

TEST_CASE("literals at the limits of an integer dtype are accepted") {
  Bytes const x{1, 2, 200};
  CHECK(all((x + 255) == Bytes{0, 1, 199}).item());
  CHECK(eval(Tensor<std::int8_t, "n">{1} + -128)(0) == -127);
  CHECK(eval(Tensor<std::uint64_t, "n">{1} + ~std::uint64_t{0})(0) == 0);
  CHECK(eval(x + true)(0) == 2);
  CHECK(eval(Float32<"n">{1} + 300)(0) == 301);
  constexpr UInt8<"2"> small{3, 4};
  static_assert((small * 2)(1) == 8);
}

TEST_CASE("elements given as numbers must be in the range of their dtype") {
  Bytes const x{1, 2, 200};
  expect_refused([&] { full<Bytes>(300, 2); },
                 "tenon::full: expected a number that uint8 holds, got 300");
  expect_refused([&] { full<Int32<"2">>(2.5); },
                 "tenon::full: expected a number that int32 holds, got 2.500000");
  expect_refused([&] { full_like(x, -1); },
                 "tenon::full_like: expected a number that uint8 holds, got -1");
  expect_refused([&] { pad<"n", 1, 1>(x, 256); },
                 "tenon::pad: expected a number that uint8 holds, got 256");
  expect_refused([&] { set<"n">(x, 0, 256); },
                 "tenon::set: expected a number that uint8 holds, got 256");
  expect_refused([&] { full<Int64<"2">>(0x1p63); },
                 "tenon::full: expected a number that int64 holds, got 9223372036854775808.000000");
  expect_refused([&] { iota<Bytes>(257); },
                 "tenon::iota: expected a number that uint8 holds, got 256");
  CHECK(iota<Bytes>(256)(255) == 255);
  CHECK(full<Int32<"2">>(2.0)(1) == 2);
  CHECK(full<Int64<"2">>(-0x1p63)(1) == INT64_MIN);
}

}  // namespace literals_test
