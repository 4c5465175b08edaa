// Programs as they are first written: an axis is found by its name after slices, splits, pads,
// joins, convolutions and pooling.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <tuple>

#include <tenon/tenon.hpp>

namespace programs_of_names_test {

using namespace tenon;

namespace {

struct LeNet {
  Float32<"channel=6 height=5 width=5"> kernel;
  Float32<"feature=864 digit=10"> out;

  Float32<"batch digit=10"> operator()(Float<"batch height=28 width=28"> auto const& image) const {
    auto const h = eval(relu(convolve<"height width">(image, kernel)));
    auto const rows = eval(max<"window">(window<"height", 2, 2>(h)));
    auto const pooled = eval(max<"window">(window<"width", 2, 2>(rows)));
    return matmul(flatten<"channel height width -> feature">(pooled), out);
  }
};

TEST_CASE("a network of convolution and pooling has the names and sizes of its axes") {
  LeNet const model = init::normal<LeNet>(Key{1}, 0.1f);
  auto const image = normal<Float32<"batch height=28 width=28">>(Key{2}, 3);
  auto const h = convolve<"height width">(image, model.kernel);
  static_assert(shape_of<decltype(h)> == "batch channel=6 height=24 width=24");
  static_assert(shape_of<decltype(window<"height", 2, 2>(h))> ==
                "batch channel=6 height=12 width=24 window=2");
  auto const g = grad([&](LeNet const& m) { return sum(square(m(image))); })(model);
  CHECK(std::isfinite(sum(square(g.kernel)).item()));
  CHECK(size<"batch">(model(image)) == 3);
}

struct Gru {
  Float32<"input=3 gate=12"> in;
  Float32<"state=4 gate=12"> back;

  Float32<"state=4"> operator()(Float32<"input=3"> const& x, Float32<"state=4"> const& h) const {
    auto const [r, z, n] = split<"gate", 3>(matmul(x, in));
    auto const [s, y, m] = split<"gate", 3>(matmul(h, back));
    auto const update = sigmoid(z + y);
    auto const fresh = tanh(n + sigmoid(r + s) * m);
    return rename<"gate -> state">(fresh) * (1 - rename<"gate -> state">(update)) +
           h * rename<"gate -> state">(update);
  }
};

TEST_CASE("the gates of a cell are parts of one axis") {
  Gru const cell = init::normal<Gru>(Key{3}, 0.5f);
  Float32<"state=4"> h{};
  for (int i = 0; i < 5; ++i) h = cell(Float32<"input=3">{1, 0, -1}, h);
  CHECK(max(abs(h)).item() < 1);
  static_assert(shape_of<decltype(split<"gate", 3>(Float32<"gate=12">{})[1])> == "gate=4");
}

TEST_CASE("a step of the heat equation pads and slices, and has the axis of before") {
  Float32<"x"> u = iota<Float32<"x">>(6);
  auto const whole = pad<"x", 1, 1>(u);
  u = u + 0.1f * (slice<"x", 0, -2>(whole) + slice<"x", 2, to_end>(whole) - 2 * u);
  auto const slope = slice<"x", 1, to_end>(u) - slice<"x", 0, -1>(u);
  static_assert(shape_of<decltype(whole)> == "x=x+2" && shape_of<decltype(slope)> == "x=x-1");
  CHECK(size<"x">(slope) == 5);
  CHECK(slope(1) == doctest::Approx(1));
}

TEST_CASE("pressure and velocity of a cavity meet on the inner points") {
  auto const p = normal<Float32<"row=8 column=8">>(Key{4});
  auto const inner = slice<"column", 1, -1>(slice<"row", 1, -1>(p));
  auto const above = slice<"column", 1, -1>(slice<"row", 0, -2>(p));
  auto const below = slice<"column", 1, -1>(slice<"row", 2, to_end>(p));
  Float32<"row=8 column=8"> const next = pad<"row column", 1, 1>(0.5f * (above + below) - inner);
  static_assert(shape_of<decltype(inner)> == "row=6 column=6");
  CHECK(next(0, 3) == 0);
  CHECK(next(3, 3) == doctest::Approx(0.5f * (p(2, 3) + p(4, 3)) - p(3, 3)));
}

TEST_CASE("a data set is divided into training and validation") {
  auto const all = normal<Float32<"sample pixel=784">>(Key{5}, 50);
  Float32<"sample pixel=784"> const train = slice<"sample", 10, to_end>(all);
  Float32<"sample=10 pixel=784"> const validation = slice<"sample", 0, 10>(all);
  auto const answer = argmax<"pixel">(slice<"pixel", 0, 10>(train));
  static_assert(shape_of<decltype(answer)> == "sample");
  CHECK((size<"sample">(train) == 40 && size<"sample">(validation) == 10));
}

TEST_CASE("a tensor grows in a loop") {
  Float32<"t d=8"> cache = zeros<Float32<"t d=8">>(0);
  for (int i = 0; i < 3; ++i)
    cache = concat<"t">(cache, full<Float32<"t=1 d=8">>(static_cast<float>(i)));
  auto const last = slice<"t", -1, to_end>(cache);
  static_assert(shape_of<decltype(last)> == "t=1 d=8");
  CHECK((size<"t">(cache) == 3 && last(0, 0) == 2));
}

float loss_of_next(Int32<"batch t"> const& text, Float32<"word=100 d=8"> const& table) {
  auto const in = slice<"t", 0, -1>(text), next = slice<"t", 1, to_end>(text);
  Float32<"batch t word=100"> const scores =
      einsum<"batch t d, word d -> batch t word">(take<"word">(table, in), table);
  return cross_entropy<"word">(scores, next).item();
}

TEST_CASE("a sequence is compared with itself shifted by one") {
  Int32<"batch t"> const text = iota<Int32<"batch t">>(2, 5);
  float const loss = loss_of_next(text, zeros<Float32<"word=100 d=8">>());
  CHECK(loss == doctest::Approx(std::log(100.0f)));
}

Float32<"batch t d=8"> residual(Float<"batch t d=8"> auto const& x) {
  Float32<"batch t d=8"> const h = 2 * x;
  return h + x;
}

TEST_CASE("a function of a bare axis takes a part of it") {
  auto const y = ones<Float32<"batch t d=8">>(2, 5);
  CHECK(size<"t">(residual(slice<"t", 1, to_end>(y))) == 4);
}

TEST_CASE("a crop, every second element and a run-time range keep their axes") {
  auto const x = normal<Float32<"batch height=32 width=32">>(Key{6}, 4);
  auto const crop = slice<"width", 2, 30>(slice<"height", 2, 30>(x));
  auto const half = slice<"width", 0, to_end, 2>(slice<"height", 0, to_end, 2>(crop));
  static_assert(shape_of<decltype(half)> == "batch height=14 width=14");
  auto const some = slice<"batch">(half, 1, 3);
  static_assert(shape_of<decltype(some)> == "batch=_ height=14 width=14");
  CHECK(size<"batch">(mean<"height width">(some)) == 2);
}

TEST_CASE("the last batch of an epoch is smaller") {
  auto const x = normal<Float32<"batch feature=4">>(Key{7}, 10);
  float total = 0;
  for (std::int64_t start = 0; start < 10; start += 4) {
    Float32<"batch feature=4"> const batch =
        slice<"batch">(x, start, start + 4 < 10 ? start + 4 : 10);
    total += sum(batch).item();
  }
  CHECK(total == doctest::Approx(sum(x).item()));
}

TEST_CASE("a crop of what a convolution reads is added to its result") {
  auto const x = normal<Float32<"t">>(Key{8}, 9);
  Float32<"t=3"> const kernel{0, 1, 0};
  Float32<"t"> const h = convolve<"t">(x, kernel);
  auto const joined = eval(convolve<"t">(h, kernel) + slice<"t", 2, -2>(x));
  static_assert(shape_of<decltype(joined)> == "t=t-2");
  CHECK(joined(0) == doctest::Approx(2 * x(2)));
}

}  // namespace

}  // namespace programs_of_names_test
