// Specs with sizes and names that are constants: in types, annotations, patterns and layers.

#include <string_view>

#include <tenon/tenon.hpp>

namespace sizes_said_once {

using namespace tenon;

constexpr int hidden = 128;
constexpr std::size_t embed = 64;
constexpr char const* name = "hidden";
constexpr std::string_view view = "embed";
constexpr Spec axis = "layer";

// The tensor type is the one with the numbers.
template <class A, class B>
concept Same = std::is_same_v<A, B>;
static_assert(Same<Float32<spec("n={}", 3)>, Float32<"n=3">>);
static_assert(
    Same<Float32<spec("hidden={} embed={}", hidden, embed)>, Float32<"hidden=128 embed=64">>);
static_assert(Same<Float32<spec("{}={}", name, hidden)>, Float32<"hidden=128">>);
static_assert(Same<Float32<spec("{}={}", view, embed)>, Float32<"embed=64">>);
static_assert(Same<Float32<spec("{}={}", axis, 2)>, Float32<"layer=2">>);
static_assert(Same<Float32<spec("{}={}", "x", 2)>, Float32<"x=2">>);
static_assert(Same<Int32<spec("{} {}", short{3}, 4u)>, Int32<"3 4">>);
static_assert(Same<Float32<spec("{} n=1..{}", hidden / 2, hidden)>, Float32<"64 n=1..128">>);
static_assert(Same<Float32<spec("n n+{}", 1 + 1)>, Float32<"n n+2">>);
static_assert(Same<Float32<spec("a b")>, Float32<"a b">>);
static_assert(Same<Float32<spec("")>, Float32<"">>);
static_assert(
    Same<Float32<spec("{}", std::numeric_limits<std::int32_t>::max())>, Float32<"2147483647">>);
static_assert(
    Same<Float32<spec("{}", std::uint64_t{9007199254740992})>, Float32<"9007199254740992">>);
static_assert(Same<Of<double, spec("n={}", 3)>, Float64<"n=3">>);

// Two specs are joined.
template <Spec In, Spec Out>
using Weight = Float32<spec("{} {}", In, Out)>;
static_assert(Same<Weight<"embed=64", "hidden=128">, Float32<"embed=64 hidden=128">>);
static_assert(Same<Weight<"", "hidden=128">, Float32<"hidden=128">>);
static_assert(Same<Weight<"t=3", "t+1">, Float32<"t=3 4">>);
static_assert(Same<Weight<spec("n={}", 3), spec("m={}", 4)>, Float32<"n=3 m=4">>);

// Annotations, patterns, axes.
using Image = Float32<"batch pixel=784">;
static_assert(Float<Image, spec("batch pixel={}", 28 * 28)>);
static_assert(!Float<Image, spec("batch pixel={}", 28)>);
static_assert(fits<spec("n, n+{}", 1), Float32<"3">, Float32<"4">>);
static_assert(!fits<spec("n, n+{}", 1), Float32<"3">, Float32<"5">>);
auto halves(Float<spec("batch pixel={}", 28 * 28)> auto const& x) {
  return rearrange<spec("b (half={} p) -> b half p", 2)>(x);
}
static_assert(shape_of<decltype(halves(std::declval<Image>()))> == "b half=2 p=392");
template <Spec Axis, class X>
using SumOf = decltype(sum<Axis>(std::declval<X>()));
static_assert(shape_of<SumOf<"pixel", Image>> == "batch");
static_assert(Same<SumOf<spec("{}", "pixel"), Image>, decltype(sum<"pixel">(Image()))>);

// Layers, and a settings struct as the template argument of a model.
using Layer = Linear<spec("embed={}", embed), spec("hidden={}", hidden)>;
static_assert(Same<decltype(Layer::weight), Float32<"embed=64 hidden=128">>);
struct Settings {
  int embed = 64, hidden = 128;
};
template <Settings settings>
struct Model {
  static constexpr int embed = settings.embed, hidden = settings.hidden;
  Float32<spec("embed={} hidden={}", embed, hidden)> weight;
  Linear<spec("hidden={}", hidden), spec("embed={}", settings.embed)> out;

  auto operator()(Float<spec("batch embed={}", settings.embed)> auto const& x) const {
    return eval(out(matmul(x, weight)));
  }
};
static_assert(Same<decltype(Model<Settings{.hidden = 8}>::weight), Float32<"embed=64 hidden=8">>);
using Applied = decltype(std::declval<Model<Settings{2, 3}>>()(ones<Float32<"batch embed=2">>(1)));
static_assert(Same<Applied, Float32<"batch embed=2">>);

// A local constant needs no capture.
constexpr bool has_local_size() {
  constexpr int n = 3;
  return [] { return Same<Float32<spec("n={}", n)>, Float32<"n=3">>; }();
}
static_assert(has_local_size());

// What is refused: tests/fail/spec has the words.
template <auto text>
concept Valid = internal::ValidSpec<text>;
static_assert(!Valid<spec("n={} {}", 3)> && !Valid<spec("n=3", 4)>);
static_assert(!Valid<spec("n={}", -3)> && !Valid<spec("{}", -1)> && !Valid<spec("n={}", "x y=")>);
template <class... V>
concept Formats = requires(V... values) {
  { spec("{}", values...) } -> std::convertible_to<std::string_view>;
};
static_assert(Formats<int> && Formats<char const*> && Formats<Spec<3>> && !Formats<float>);
static_assert(!Formats<bool> && !Formats<char> && !Formats<int, double>);

}  // namespace sizes_said_once
