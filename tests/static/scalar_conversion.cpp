// A scalar converts to exactly its number; what was valid without the conversion still is.

#include <cmath>
#include <complex>
#include <optional>
#include <sstream>
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace scalar_conversion {

using namespace tenon;

template <class From, class To>
concept Converts = std::is_convertible_v<From, To>;

using Vector = Float32<"n">;
using Scalar = Float32<"">;
using Mean = decltype(mean(std::declval<Vector>()));
using Product = decltype(dot(std::declval<Vector>(), std::declval<Vector>()));
using Entry = decltype(std::declval<Vector>()[0]);
using Taken = decltype(take<0>(std::declval<Vector>(), std::declval<Int32<"">>()));
using Less = decltype(std::declval<Mean>() < 1.0f);

template <class X>
concept ConvertsToFloatOnly =
    Converts<X, float> && Converts<X, float const&> && Converts<X const&, float> &&
    !Converts<X, double> && !Converts<X, int> && !Converts<X, bool> && !Converts<X, long> &&
    !Converts<X, float16> && !std::is_constructible_v<bool, X> && !std::is_constructible_v<int, X>;
static_assert(ConvertsToFloatOnly<Scalar> && ConvertsToFloatOnly<Mean>);
static_assert(ConvertsToFloatOnly<Product> && ConvertsToFloatOnly<Entry>);
static_assert(ConvertsToFloatOnly<Taken> && ConvertsToFloatOnly<View<float, "">>);
static_assert(Converts<Less, bool> && !Converts<Less, int> && !Converts<Less, float>);
static_assert(Converts<Float16<"">, float16> && !Converts<Float16<"">, float>);
static_assert(Converts<Float64<"">, double> && !Converts<Float64<"">, float>);
static_assert(Converts<Complex64<"">, std::complex<float>> && !Converts<Complex64<"">, float>);
static_assert(Converts<decltype(argmax<0>(Vector())), std::int32_t>);

// Only scalars convert, and nothing grows.
static_assert(!Converts<Vector, float> && !Converts<Float32<"1">, float>);
static_assert(!Converts<decltype(Vector() + Vector()), float>);
static_assert(sizeof(Scalar) == sizeof(Float32<"1">));

// Constant evaluation.
constexpr Float32<"2"> pair{1, 3};
constexpr float middle = mean(pair);
static_assert(middle == 2 && mean(pair) < 2.5f && !(mean(pair) == 2.5f));

// A number and a scalar.
template <class N, class X>
concept Adds = requires(N number, X scalar) {
  { number += scalar } -> std::same_as<N&>;
  { number -= scalar } -> std::same_as<N&>;
  { number *= scalar } -> std::same_as<N&>;
  { number /= scalar } -> std::same_as<N&>;
};
static_assert(Adds<float, Mean> && Adds<double, Mean> && Adds<double, Scalar>);
static_assert(Adds<std::int64_t, Int32<"">> && Adds<std::int32_t, Int32<"">>);
static_assert(!Adds<int, Mean> && !Adds<float, Float64<"">> && !Adds<float, Vector>);

// What stays valid, with the same type.
template <class X>
concept Chosen = requires(X x, bool first) { first ? x : 0.0f; };
static_assert(Chosen<Mean> && !Chosen<Scalar>);  // a Float32<""> converts from 0.0f as well
static_assert(std::is_same_v<decltype(Scalar() * 2), decltype(Scalar() * 2.0f)>);
static_assert(ExpressionType<decltype(2 * Scalar())> && ExpressionType<decltype(-Scalar())>);
static_assert(ExpressionType<decltype(Scalar() == 0.5f)>);
static_assert(ExpressionType<decltype(std::declval<Less>() && true)>);
static_assert(ExpressionType<decltype(!std::declval<Less>())>);
static_assert(ExpressionType<decltype(maximum(std::declval<Mean>(), 0.0f))>);
static_assert(std::is_same_v<decltype(std::sqrt(std::declval<Mean>())), float>);

[[maybe_unused]] float number(float x) { return x; }
[[maybe_unused]] float scalar(Scalar const& x) { return x; }
[[maybe_unused]] float used(Vector const& x) {
  Scalar a = mean(x), b = a, c(mean(x)), d{mean(x)};
  a = mean(x), b = a, c = 0.5f, d = 1;
  std::ostringstream out;
  out << mean(x) << a;
  std::vector<float> losses{mean(x), a};
  losses.push_back(mean(x));
  std::vector<Scalar> scalars{mean(x), 0.5f};
  scalars.emplace_back(mean(x));
  std::optional<float> last = mean(x);
  Float32<"2"> const both{mean(x), mean(x)};
  if (a < *last || mean(x) > 3) last = (std::max<float>)(mean(x), a);
  return number(mean(x)) + number(a) + scalar(mean(x)) + scalar(0.5f) + both(0) +
         (true ? mean(x) : 0.0f);
}

}  // namespace scalar_conversion
