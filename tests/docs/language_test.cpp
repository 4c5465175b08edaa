// The code of docs/language.md, and its statements about run time.

#include <doctest/doctest.h>

#include <tenon/eval/print_bindings.hpp>
#include <tenon/tenon.hpp>

namespace language_test {

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

constexpr Spec image = "height width channel=3";

auto brightness(Float<"batch" + image> auto const& images) {
  return eval(mean<"height width">(images));
}

template <class X, Spec batch = "">
concept Image = Float<X, batch + image>;

auto inverted(Image<"*batch"> auto const& images) { return eval(1 - images); }

template <class X>
  requires Float<X, "batch pixel=784"> || Float<X, "pixel=784">
auto scaled(X const& x) {
  return eval(x / 255);
}
auto scaled(auto const& x) -> UnionMistake<decltype(x), "batch pixel=784", "pixel=784">;

struct Layer {
  Float32<"n k"> weight;
  Float32<"m k"> projection;
};

auto halved(tree::Float<"_ k"> auto const& model) {
  return tree::map([](auto const& leaf) { return eval(leaf / 2); }, model);
}

template <class X, class Y>
  requires tree::fits<"?n ?m, ?n", X, Y>
void check_rows(X const& matrices, Y const& vectors) {
  tree::check<"?n ?m, ?n">(matrices, vectors);
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
  static_assert(fits<"n, m, max(n,m)", Float32<"7">, Float32<"4">, Float32<"7">>);
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

  auto const row = ones<Float32<"i d=2">>(3);
  auto const column = ones<Float32<"j d=2">>(4);
  auto const pairs = rearrange<"i d -> i 1 d">(row) * column;
  static_assert(shape_of<decltype(pairs)> == "i j d=2");
}

TEST_CASE("results have the names of patterns") {
  auto const photo = ones<Float32<"batch height=4 width=6">>(2);
  auto const turned = rearrange<"batch height width -> batch width height">(photo);
  static_assert(shape_of<decltype(turned)> == "batch width=6 height=4");
  auto const flat = rearrange<"b h w -> b (h w)">(photo);
  static_assert(shape_of<decltype(flat)> == "b 24");
  Float32<"b pixel=24"> const pixels = flat;  // a declared type gives a merged axis its name
  CHECK(pixels(1, 23) == 1);
}

TEST_CASE("an operation that changes a size keeps the name of the axis") {
  auto const p = ones<Float32<"pixel=784">>();
  auto const t = ones<Float32<"t">>(8);
  static_assert(shape_of<decltype(slice<"pixel", 0, 10>(p))> == "pixel=10");
  static_assert(shape_of<decltype(slice<"pixel", 1, to_end>(p))> == "pixel=783");
  static_assert(shape_of<decltype(slice<"t", 0, 10>(t))> == "t=10");
  static_assert(shape_of<decltype(slice<"pixel", 0, to_end, 2>(p))> == "pixel=392");
  static_assert(shape_of<decltype(slice<"t", 0, to_end, 2>(t))> == "t=(t+1)//2");
  static_assert(shape_of<decltype(slice<"pixel">(p, 0, 9))> == "pixel=_");
  static_assert(shape_of<decltype(slice<"t">(t, 0, 8))> == "t=_");
  static_assert(shape_of<decltype(split<"pixel", 2>(p)[0])> == "pixel=392");
  static_assert(shape_of<decltype(split<"t", 2>(t)[0])> == "t=t//2");
  static_assert(shape_of<decltype(pad<"pixel", 1, 1>(p))> == "pixel=786");
  static_assert(shape_of<decltype(pad<"t", 1, 1>(t))> == "t=t+2");
  static_assert(shape_of<decltype(concat<"pixel">(p, p))> == "pixel=1568");
  static_assert(shape_of<decltype(concat<"t">(t, t))> == "t=_");
  static_assert(shape_of<decltype(concat<"t">(as<"t=n">(t), as<"t=m">(t)))> == "t=m+n");
  static_assert(shape_of<decltype(window<"pixel", 3>(p))> == "pixel=782 window=3");
  static_assert(shape_of<decltype(window<"t", 3>(t))> == "t=t-2 window=3");
  static_assert(shape_of<decltype(window<"pixel", 3, 2>(p))> == "pixel=391 window=3");
  static_assert(shape_of<decltype(window<"t", 3, 2>(t))> == "t=(t-1)//2 window=3");
  static_assert(shape_of<decltype(pad<"t", 1, 0>(slice<"t", 1, to_end>(t)))> == "t");
}

TEST_CASE("sizes known at run time are compared when two values meet") {
  auto const x = ones<Float32<"t">>(5);
  auto const next = slice<"t", 1, to_end>(x);  // t=t-1
  auto const steps = next - slice<"t", 0, -1>(x);
  static_assert(shape_of<decltype(steps)> == "t=t-1");
  Float32<"t"> const kept = steps;  // from here on its size is t
  CHECK(kept.size() == 4);
  CHECK_THROWS_WITH_AS(
      eval(x + next), "tenon::add: 't': expected 5, got 4 (\"t\" and \"t=t-1\": sizes differ by 1)",
      ShapeError);

  CHECK_THROWS_WITH_AS((Float32<"n k=n-1">(zeros<Float32<"_ _">>(3, 3))),
                       "tenon::Tensor: 'k': expected n-1 = 2, got 3 (\"n k=n-1\")", ShapeError);
  static_assert(!fits<"n n", Float32<"t t=t-1">> && fits<"n m", Float32<"t t=t-1">>);
  static_assert(
      shape_of<decltype(matmul(ones<Float32<"t d">>(2, 3), ones<Float32<"d k=t-1">>(3, 4)))> ==
      "t k=_");
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

TEST_CASE("concatenation of specs, and unions") {
  CHECK(brightness(ones<Float32<"batch height width channel=3">>(2, 4, 4))(1, 2) == 1);
  CHECK(inverted(ones<Float32<"4 4 3">>())(3, 3, 2) == 0);
  CHECK(inverted(ones<Float32<"5 6 4 4 3">>())(0, 0, 0, 0, 0) == 0);
  CHECK(scaled(ones<Float32<"pixel=784">>() * 255)(0) == 1);
  CHECK(scaled(ones<Float32<"2 784">>() * 255)(0, 0) == 1);
}

TEST_CASE("the bindings of a pattern") {
  auto const images = ones<Float32<"batch 28 channel=3">>(32);
  CHECK(bindings_text<"*b c, c d">(images, ones<Float32<"channel=3 10">>()) ==
        "c=3, d=10, *b=(32, 28)");
}

TEST_CASE("annotations of trees") {
  Layer const layer{ones<Float32<"n k">>(2, 3), ones<Float32<"m k">>(4, 3)};
  CHECK(halved(layer).projection(3, 2) == 0.5f);
  std::vector<Float32<"n">> const vectors{{1, 2}, {1, 2, 3, 4}};
  std::vector<Float32<"n m">> const matrices{ones<Float32<"n m">>(2, 3),
                                             ones<Float32<"n m">>(4, 1)};
  CHECK_NOTHROW(check_rows(matrices, vectors));
  CHECK_THROWS_AS(check_rows(std::vector{matrices[1], matrices[0]}, vectors), ShapeError);
}

}  // namespace language_test
