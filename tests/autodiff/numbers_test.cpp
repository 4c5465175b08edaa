// Reading a recorded value as a number throws: it would be a constant, and the gradient wrong.
#include <doctest/doctest.h>

#include <sstream>
#include <thread>

#include <tenon/tenon.hpp>

namespace numbers_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

char const* const no_number =
    "tenon::Tensor: a recorded value is read as a number, which has no gradient: x[i] is a tensor "
    "and has one; stop_gradient(x)(i), stop_gradient(x).item() are numbers";

/// True if the gradient of a sum of squares throws when the function also calls `read`.
template <class V, class F>
void check_refused(V const& v, F const& read) {
  auto const f = [&](V const& x) {
    V const twice = x * 2.0f;
    return sum(x * x) * static_cast<float>(read(x)) + sum(twice) * static_cast<float>(read(twice));
  };
  CHECK_THROWS_WITH_AS(grad(f)(v), no_number, Error);
  CHECK(read(v) == read(v));  // outside of a recording it is an ordinary element
}

template <class V>
void check_all_refused(V const& v) {
  check_refused(v, [](auto const& x) { return x(1); });
  check_refused(v, [](auto x) { return x(1); });
  check_refused(v, [](auto const& x) { return *x.data(); });
  check_refused(v, [](auto const& x) { return (x + 1.0f)(1); });
  check_refused(v, [](auto const& x) { return exp(x)(1); });
  check_refused(v, [](auto const& x) { return x[1].item(); });
  check_refused(v, [](auto const& x) { return sum(x).item(); });
  check_refused(v, [](auto const& x) { return eval(sum(x)).item(); });
  check_refused(v, [](auto const& x) { return eval(mean(square(x)))(); });
  check_refused(v, [](auto const& x) { return softmax<0>(x)(1); });
  check_refused(v, [](auto const& x) { return slice<0, 1, 2>(x)(0); });
}

}  // namespace

TEST_CASE("reading a number from a recorded tensor throws") {
  check_all_refused(Float32<"3">{1, 2, 3});
  check_all_refused(full<Float32<"200">>(0.5f));
  check_refused(full<Float32<"n">>(0.5f, 7), [](auto const& x) { return x(2); });
  check_refused(full<Float32<"n", Reference>>(0.5f, 7), [](auto const& x) { return x(2); });
  check_refused(full<Float32<"n m">>(0.5f, 7, 3),
                [](auto const& x) { return matmul(x, transpose(x))(0, 1); });
}

TEST_CASE("x[i] is a tensor with a gradient") {
  auto const f = [](auto const& v) {
    Float32<""> s = 0.0f;
    for (int i = 0; i < 3; ++i) s = s + v[i] * v[i];
    return s;
  };
  CHECK(to_string(grad(f)(Float32<"3">{1, 2, 3})) == "[2. 4. 6.]");
  CHECK(to_string(grad(f)(Float32<"n">{1, 2, 3})) == "[2. 4. 6.]");
}

TEST_CASE("stop_gradient gives values that can be read as numbers") {
  auto const f = [](auto const& v) {
    Unqualified<decltype(v)> const kept = stop_gradient(v);
    float const scale = stop_gradient(v)(1) + stop_gradient(sum(v)).item() + kept(0) + *kept.data();
    float const product = stop_gradient(v * 2.0f)(2) + eval(stop_gradient(v))(0);
    return sum(v * v) * (scale + product);
  };
  CHECK(to_string(grad(f)(Float32<"3">{1, 2, 3})) == "[ 34.  68. 102.]");
  CHECK(to_string(grad(f)(Float32<"n">{1, 2, 3})) == "[ 34.  68. 102.]");
}

TEST_CASE("values that do not depend on the recorded argument can be read in a recording") {
  Float32<"n"> const data{4, 5, 6};
  auto const f = [&](auto const& v) {
    int const best = argmax(v).item();
    bool const right = (v > 1.0f)(2) && all(isfinite(v)).item();
    return sum(v) * data(best) * (right ? 1.0f : 0.0f);
  };
  CHECK(to_string(grad(f)(Float32<"n">{1, 2, 3})) == "[6. 6. 6.]");
}

TEST_CASE("a recorded tensor can be printed") {
  std::ostringstream out;
  auto const f = [&](auto const& v) {
    out << v << " " << v * 2.0f << " " << eval(v * 3.0f) << " " << describe_tensor(v);
    return sum(v);
  };
  (void)grad(f)(Float32<"2">{1, 2});
  (void)grad(f)(Float32<"n">{1, 2});
  CHECK(out.str() ==
        "[1. 2.] [2. 4.] [3. 6.] float32 \"2\"[1. 2.] [2. 4.] [3. 6.] float32 \"n=2\"");
}

TEST_CASE("reading a number that an enclosing recording has recorded throws") {
  auto const f = [](Float32<"n"> const& v) {
    auto const inner = [&](Float32<"n"> const& w) { return sum(w) * v(0); };
    return sum(grad(inner)(v));
  };
  CHECK_THROWS_AS(grad(f)(Float32<"n">{1, 2}), Error);
  auto const again = [](Float32<"n"> const& v) {
    auto const part = checkpoint([&](Float32<"n"> const& w) { return Float32<"n">(w * v(0)); });
    return sum(part(v));
  };
  CHECK_THROWS_WITH_AS(grad(again)(Float32<"n">{1, 2}), no_number, Error);
  auto const elsewhere = [](Float32<"n"> const& v) {
    bool threw = false;
    std::thread([&] {
      try {
        (void)v(0);
      } catch (Error const&) {
        threw = true;
      }
    }).join();
    CHECK(threw);
    return sum(v);
  };
  (void)grad(elsewhere)(Float32<"n">{1, 2});
}

TEST_CASE("a value can be read after its recording has ended") {
  Float32<"n"> leaked;
  Float32<"2"> held;
  (void)grad([&](Float32<"n"> const& v) { return leaked = v * 2.0f, sum(v); })(Float32<"n">{1, 2});
  (void)grad([&](Float32<"2"> const& v) { return held = v * 2.0f, sum(v); })(Float32<"2">{1, 2});
  CHECK(leaked(1) == 4);
  CHECK(held(1) == 4);
  leaked(0) = 7;
  CHECK(leaked(0) == 7);
  CHECK(value_and_grad([](Float32<"2"> const& v) { return sum(v); })(held).first.item() == 6);
}

}  // namespace numbers_test
