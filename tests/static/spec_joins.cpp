#include <tenon/tenon.hpp>

// Concatenation of specs, and unions of annotations.

namespace spec_joins {

using namespace tenon;

inline constexpr Spec image = "height=28 width=28";
inline constexpr Spec scalar = "";

static_assert(("batch" + image).view() == "batch height=28 width=28");
static_assert((image + "channel=3").view() == "height=28 width=28 channel=3");
static_assert(("batch" + image + "channel=3").view() == "batch height=28 width=28 channel=3");
static_assert((image + "").view() == image.view() && ("" + image).view() == image.view());
static_assert(("" + scalar).view().empty() && scalar + image == image && image + scalar == image);
static_assert((Spec("n") + Spec("m")).view() == "n m");

static_assert(shape_of<Float32<"batch" + image>> == "batch height=28 width=28");
static_assert(shape_of<Float32<"n" + Spec("n+1") + "k=n//2">> == "n n+1 k=n//2");
static_assert(shape_of<Float32<"n=3" + Spec("n+1")>> == "n=3 4");
static_assert(std::is_same_v<Float32<image + "digit=10">, Float32<"height=28 width=28 digit=10">>);

// A prefix that the user of a concept chooses, and one for any spec.
template <class X, Spec batch = "">
concept Image = Float<X, batch + image>;
template <class X, Spec inner>
concept Batch = Float<X, "batch" + inner>;

static_assert(Image<Float32<"28 28">> && !Image<Float32<"5 28 28">>);
static_assert(Image<Float32<"5 28 28">, "batch"> && Image<Float32<"5 6 28 28">, "*batch">);
static_assert(Image<Float32<"1 28 28">, "#batch"> && !Image<Float32<"28 28">, "+batch">);
static_assert(Batch<Float32<"batch 28 28">, image> && !Batch<Float32<"row 28 28">, image>);
static_assert(Batch<Float32<"batch">, scalar> && !Batch<Int32<"batch">, scalar>);

auto doubled(Image<"batch"> auto const& x) { return eval(x * 2); }
auto tripled(Batch<image> auto const& x) { return eval(x * 3); }
auto halved(Float<"batch" + image> auto const& x) { return eval(x / 2); }
using Images = Float32<"batch height=28 width=28">;
static_assert(std::is_same_v<decltype(doubled(Images())), Images>);
static_assert(std::is_same_v<decltype(tripled(Images())), Images>);
static_assert(std::is_same_v<decltype(halved(Images())), Images>);

// Patterns and operations take them as well.
inline constexpr Spec matrix = "n m";
static_assert(fits<"b" + matrix, Float32<"2 3 4">> && !fits<"b" + matrix, Float32<"3 4">>);
static_assert(fits<"b" + matrix + ", m", Float32<"2 3 4">, Float32<"4">>);
static_assert(shape_of<decltype(rearrange<matrix + "-> m n">(Float32<"2 3">()))> == "m=3 n=2");

// A union of annotations is `||`.
template <class X>
concept Picture = Float<X, "height width"> || UInt<X, "height width channel=3">;
static_assert(Picture<Float32<"5 6">> && Picture<Tensor<std::uint8_t, "5 6 3">>);
static_assert(!Picture<Float32<"5 6 3">> && !Picture<Tensor<std::uint8_t, "5 6">>);
static_assert(!Picture<Tensor<std::uint8_t, "5 6 4">> && !Picture<Int32<"5 6 3">>);

auto pixels(Picture auto const& x) { return x.size(); }
auto pixels(auto const& x) -> UnionMistake<decltype(x), "height width", "height width channel=3">;
static_assert(requires { pixels(Float32<"5 6">()); });

// A narrower overload is preferred to a union that has it.
template <class X>
constexpr int chosen(X const&)
  requires Float<X, "n"> || Float<X, "b n">
{
  return 1;
}
template <class X>
constexpr int chosen(X const&)
  requires Float<X, "n">
{
  return 2;
}
static_assert(chosen(Float32<"3">{1, 2, 3}) == 2 && chosen(Float32<"1 1">{{1}}) == 1);

}  // namespace spec_joins
