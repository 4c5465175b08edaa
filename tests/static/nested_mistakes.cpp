// An ill-formed call inside another call is detectable: it is never a hard error.
#include <tenon/tenon.hpp>

namespace nested_mistakes {

using namespace tenon;
using namespace tenon::internal;

using X = Float32<"batch pixel=784">;
using W = Float32<"hidden=128 digit=10">;
using V = Float32<"pixel=784 digit=10">;
using Norm = LayerNorm<"pixel=32">;
using Head = Linear<"pixel=784", "digit=10">;

struct Layer {
  auto operator()(Float<"batch digit=10"> auto const& x) const { return exp(x); }
};

template <class A, class B>
concept TakesExp = requires(A const& a, B const& b) { exp(matmul(a, b)); };
template <class A, class B>
concept TakesSoftmax = requires(A const& a, B const& b) { softmax<"digit">(matmul(a, b)); };
template <class A, class B>
concept TakesSum = requires(A const& a, B const& b) { sum<"digit">(matmul(a, b) + 1.0f, keep); };
template <class A, class B>
concept TakesOwn = requires(A const& a, B const& b) { Layer()(matmul(a, b)); };
template <class A, class B>
concept TakesValue = requires(A const& a, B const& b) { Float32<"batch digit=10">(matmul(a, b)); };
template <class A, class N>
concept TakesHead = requires(A const& a, N const& norm, Head const& head) { head(norm(a)); };
template <class A, class B>
concept TakesLoss = requires(A const& a, B const& b, Int32<"batch"> const& labels) {
  cross_entropy<"digit">(matmul(a, b), labels);
};

static_assert(TakesExp<X, V> && !TakesExp<X, W>);
static_assert(TakesSoftmax<X, V> && !TakesSoftmax<X, W>);
static_assert(TakesSum<X, V> && !TakesSum<X, W>);
static_assert(TakesOwn<X, V> && !TakesOwn<X, W>);
static_assert(TakesValue<X, V> && !TakesValue<X, W>);
static_assert(TakesHead<X, LayerNorm<"pixel=784">> && !TakesHead<X, Norm>);
static_assert(TakesLoss<X, V> && !TakesLoss<X, W>);

// All error types are in namespace `compile_error`, and nothing else is.
using AxesMistake = compile_error::axes_do_not_fit<"add", "a=1", "a=2", "a=1", "a=2">;
static_assert(Mistake<AxesMistake> && Mistake<AxesMistake const&>);
static_assert(Mistake<compile_error::dtype_is_not_supported<"exp", "bool">>);
static_assert(!Mistake<X> && !Mistake<X const&> && !Mistake<int> && !Mistake<int*>);
static_assert(!Mistake<Layer> && !Mistake<Norm> && !Mistake<Axes>);
static_assert(std::same_as<FirstMistake<int, X, AxesMistake, X>, AxesMistake>);

// An error type fits every annotation, whatever the category.
static_assert(Shaped<AxesMistake, "n"> && Bool<AxesMistake, "n"> && Num<AxesMistake, "n">);
static_assert(Real<AxesMistake, "n"> && Inexact<AxesMistake, "n"> && Float<AxesMistake, "n">);
static_assert(Complex<AxesMistake, "n"> && Integer<AxesMistake, "n"> && Int<AxesMistake, "n">);
static_assert(UInt<AxesMistake const&, "n"> && fits<"n, n", X, AxesMistake>);

}  // namespace nested_mistakes
