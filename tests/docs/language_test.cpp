// The code of docs/language.md, and its statements about run time.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

auto normalised(Float<"... channel=3"> auto const& image) { return eval(image / 255); }

auto centred(Float<"#batch pixel"> auto const& image) {
  return eval(image - mean<"pixel">(image, keep));
}

template <class X, class Y>
  requires fits<"b n, n m", X, Y>
auto product(X const& x, Y const& y) {
  return eval(matmul(x, y));
}

struct Sizes {
  int embed = 8, hidden = 32;
  std::size_t layers = 2;
};

template <Sizes sizes>
struct Block {
  Float32<spec("embed={} hidden={}", sizes.embed, sizes.hidden)> in;
  Float32<spec("hidden={} embed={}", sizes.hidden, sizes.embed)> out;

  auto operator()(Float<spec("batch embed={}", sizes.embed)> auto const& x) const {
    return eval(x + matmul(relu(matmul(x, in)), out));
  }
};

template <Sizes sizes>
struct Network {
  std::array<Block<sizes>, sizes.layers> blocks;

  auto operator()(Float<spec("batch embed={}", sizes.embed)> auto const& x) const {
    auto h = eval(x);
    for (auto const& block : blocks) h = block(h);
    return h;
  }
};

template <Spec In, Spec Out, class T = float>
struct Gated {
  Of<T, spec("{} {}", In, Out)> value, gate;

  auto operator()(OfDtype<T, spec("... {}", In)> auto const& x) const {
    return eval(matmul(x, value) * sigmoid(matmul(x, gate)));
  }
};

template <Expression X>
auto beside_ones(X const& x) {
  static_assert(shape_of<X>.rank < 8 && is_dtype<value_type_of<X>>);
  using Wide = Of<value_type_of<X>, spec("side=2 {}", spec_of<X>)>;
  return Wide(stack<"side">(x, ones_like(x)));
}

template <class X>
concept Normalised = requires(X const& x) { normalised(x); };

template <class X, class Y>
concept Added = requires(X const& x, Y const& y) { x + y; };

}  // namespace

TEST_CASE("a type keeps names, sizes and bounds in canonical form") {
  static_assert(shape_of<Float32<"batch pixel=784">> == "batch pixel=784");
  static_assert(shape_of<Float32<"n  1+n">> == "n n+1");
  static_assert(shape_of<Float32<"n=3 n+1">> == "n=3 4");
  static_assert(shape_of<Float32<"">> == "");
}

TEST_CASE("each form of an annotation fits as documented") {
  static_assert(fits<"n 3", Float32<"7 3">> && !fits<"n 3", Float32<"7 4">>);
  static_assert(fits<"n n", Float32<"3 3">> && !fits<"n n", Float32<"3 4">>);
  static_assert(fits<"n=1..8", Float32<"8">> && !fits<"n=1..8", Float32<"9">>);
  static_assert(fits<"_ 3", Float32<"7 3">> && !fits<"_ 3", Float32<"3">>);
  static_assert(fits<"*b n", Float32<"3">> && !fits<"*b n", Float32<"">>);
  static_assert(fits<"+b n", Float32<"2 3">> && !fits<"+b n", Float32<"3">>);
  static_assert(fits<"... 3", Float32<"5 4 3">> && !fits<"... 3", Float32<"5 4">>);
  static_assert(fits<"n, #n", Float32<"3">, Float32<"1">>);
  static_assert(!fits<"n, #n", Float32<"3">, Float32<"2">>);
  static_assert(fits<"*b, *#b", Float32<"2 3">, Float32<"1 3">>);
  static_assert(fits<"n, n+1", Float32<"3">, Float32<"4">>);
  static_assert(!fits<"n, n+1", Float32<"3">, Float32<"5">>);
  static_assert(fits<"n, n//2, n%2", Float32<"7">, Float32<"3">, Float32<"1">>);
  static_assert(fits<"n, m, min(n,m)", Float32<"7">, Float32<"4">, Float32<"4">>);
}

TEST_CASE("annotations take the axes that fit") {
  static_assert(Normalised<Float32<"28 28 channel=3">>);
  static_assert(Normalised<Float32<"channel=3">>);
  static_assert(!Normalised<Float32<"28 28 channel=4">>);
  CHECK(centred(Float32<"1 pixel=2">{{1, 3}})(0, 1) == 1);
}

TEST_CASE("the result keeps the name and the size of either operand") {
  auto const x = ones<Float32<"batch 10">>(2);
  auto const y = ones<Float32<"digit=10">>();
  static_assert(shape_of<decltype(x + y)> == "batch digit=10");
  static_assert(!Added<Float32<"height=28">, Float32<"width=28">>);
  static_assert(!Added<Float32<"n">, Float32<"n+1">>);

  auto const row = ones<Float32<"i d=2">>(3);
  auto const column = ones<Float32<"j d=2">>(4);
  auto const pairs = rearrange<"i d -> i 1 d">(row) * column;
  static_assert(shape_of<decltype(pairs)> == "i j d=2");
}

TEST_CASE("checked, as and rename") {
  auto const twice = checked<"*batch n -> *batch n">([](auto const& x) { return 2 * x; });
  CHECK(twice(ones<Float32<"a b">>(2, 3))(1, 2) == 2);

  auto const x = ones<Float32<"batch 784">>(32);
  auto const y = as<"batch=32 pixel=784">(x);  // compares 32 with the size of x
  static_assert(shape_of<decltype(y)> == "batch=32 pixel=784");
  auto const z = rename<"batch -> image">(x);
  static_assert(shape_of<decltype(z)> == "image 784");
  CHECK(product(x, ones<Float32<"784 digit=10">>())(31, 9) == 784);
}

TEST_CASE("sizes are constants") {
  constexpr int embed = 64, hidden = 4 * embed;
  using Hidden = Float32<spec("embed={} hidden={}", embed, hidden)>;
  static_assert(std::is_same_v<Hidden, Float32<"embed=64 hidden=256">>);
  static_assert(fits<spec("n, n+{}", 1), Float32<"3">, Float32<"4">>);
  auto const network = init::normal<Network<Sizes{.hidden = 16}>>(Key(1), 0.1f);
  auto const y = network(ones<Float32<"batch embed=8">>(3));
  static_assert(shape_of<decltype(y)> == "batch embed=8");
  CHECK(size<"batch">(y) == 3);
}

TEST_CASE("layers and functions for any shape and dtype") {
  Gated<"pixel=3", "hidden=2"> const layer;
  static_assert(shape_of<decltype(layer(ones<Float32<"batch pixel=3">>(4)))> == "batch hidden=2");
  static_assert(shape_of<decltype(beside_ones(ones<Float64<"row=3">>()))> == "side=2 row=3");
  CHECK(beside_ones(Float32<"row=2">{5, 6})(0, 1) == 6);
  CHECK(beside_ones(Float32<"row=2">{5, 6})(1, 1) == 1);
}

TEST_CASE("run-time sizes are compared once") {
  auto const two = ones<Float32<"n">>(2);
  auto const three = ones<Float32<"n">>(3);
  CHECK_THROWS_WITH_AS(eval(two + three),
                       "tenon::add: 'n': expected 2, got 3 (run-time sizes of \"n\")", ShapeError);
  CHECK_THROWS_WITH_AS(eval(as<"n=4">(three)), "tenon::as: 'n': expected 4, got 3 (\"n=4\")",
                       ShapeError);
  CHECK_THROWS_WITH_AS(eval(as<"n=4..8">(three)),
                       "tenon::as: 'n': expected 4..8, got 3 (\"n=4..8\")", ShapeError);
  CHECK_THROWS_WITH_AS((check<"n, n+1">(two, ones<Float32<"m">>(2))),
                       "tenon::check: 'n+1': expected 3, got m=2 (axis 0 of argument 2; n=2)",
                       ShapeError);
  CHECK_THROWS_WITH_AS((zeros<Float32<"batch=1..64">>(65)),
                       "tenon::Tensor: 'batch': expected 1..64, got 65 (\"batch=1..64\")",
                       ShapeError);
}
