// Which operands fit, tested by concepts.

#include <tenon/tenon.hpp>

namespace operators {

using namespace tenon;
using namespace tenon::internal;

template <class A, class B>
concept CanAdd = requires(A const& a, B const& b) { a + b; };
template <class A, class B>
concept CanMultiply = requires(A const& a, B const& b) { matmul(a, b); };
template <class A>
concept CanExp = requires(A const& a) { exp(a); };
template <class A, Axes axes>
concept CanSum = requires(A const& a) { sum<axes>(a); };

static_assert(CanAdd<Float32<"n m">, Float32<"m">>);
static_assert(CanAdd<Float32<"n m">, Float32<"1 m">>);
static_assert(CanAdd<Float32<"batch height=28">, Float32<"batch 28">>);
static_assert(CanAdd<Float32<"n">, float>);
static_assert(CanAdd<Int32<"n">, int>);
static_assert(!CanAdd<Float32<"height=28">, Float32<"width=28">>);
static_assert(!CanAdd<Float32<"3">, Float32<"4">>);
static_assert(!CanAdd<Float32<"n">, Float64<"n">>);
static_assert(!CanAdd<Int32<"n">, float>);
static_assert(!CanAdd<Float32<"n">, Float32<"n", Reference>>);
static_assert(!CanAdd<Mask<"n">, Mask<"n">>);
static_assert(CanAdd<Float16<"n">, Float16<"n">> && CanAdd<BFloat16<"n">, float>);
static_assert(!CanAdd<Float16<"n">, BFloat16<"n">> && !CanAdd<Float16<"n">, Float32<"n">>);

static_assert(CanMultiply<Float32<"n k">, Float32<"k m">>);
static_assert(CanMultiply<Float32<"batch n 3">, Float32<"3">>);
static_assert(!CanMultiply<Float32<"n 3">, Float32<"4 m">>);
static_assert(!CanMultiply<Float32<"n pixel=3">, Float32<"hidden=3 m">>);
static_assert(!CanMultiply<Float32<"">, Float32<"n m">>);
static_assert(!CanMultiply<Float32<"n m">, Float64<"m k">>);

static_assert(CanExp<Float64<"n">>);
static_assert(!CanExp<Int32<"n">>);
static_assert(!CanExp<Mask<"n">>);

static_assert(CanSum<Float32<"n m">, "n">);
static_assert(CanSum<Float32<"n m">, -1>);
static_assert(!CanSum<Float32<"n m">, "k">);
static_assert(!CanSum<Float32<"n m">, 2>);
static_assert(!CanSum<Mask<"n">, "n">);

// Shapes of results.
using X = Float32<"batch digit=10">;
static_assert(decltype(X() + X())::shape == "batch digit=10");
static_assert(decltype(X() * Float32<"digit=10">())::shape == "batch digit=10");
static_assert(decltype(X() - max<"digit">(X()))::shape == "batch digit=10");
static_assert(decltype(max<"digit">(X()))::shape == "batch");
static_assert(decltype(max<"digit">(X(), keep))::shape == "batch digit=1");
static_assert(decltype(sum(X()))::shape == "");
static_assert(decltype(softmax<"digit">(X()))::shape == "batch digit=10");
static_assert(decltype(matmul(X(), Float32<"digit=10 out=3">()))::shape == "batch out=3");
static_assert(std::same_as<decltype(argmax<"digit">(X()))::value_type, std::int32_t>);
static_assert(std::same_as<decltype(X() < X())::value_type, bool>);
static_assert(std::same_as<decltype(mean(X() < X()))::value_type, float>);
static_assert(std::same_as<decltype(to<double>(X()))::value_type, double>);

// Small tensors work at compile time.
constexpr auto m = Float32<"2 2">{{1, 2}, {3, 4}};
static_assert(matmul(m, m)(1, 1) == 22);
static_assert((m + 2.0f * m)(0, 1) == 6);
static_assert(Float32<"2 2">(relu(m - 2.5f))(1, 0) == 0.5f);
static_assert(sum(m)() == 10);

}  // namespace operators
