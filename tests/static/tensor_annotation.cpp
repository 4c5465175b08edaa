// Annotations of tensors and expressions: what fits, overload resolution, and results.

#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace tensor_annotation {

using namespace tenon;
using namespace tenon::internal;

template <class A, class B>
using Sum = decltype(std::declval<A>() + std::declval<B>());

// A category of dtypes and axes; references and const are ignored.
static_assert(Float<Float32<"batch pixel=784">, "batch pixel=784">);
static_assert(Float<Float32<"batch pixel=784"> const&, "batch pixel=784">);
static_assert(Float<Float32<"batch pixel=784">&&, "batch pixel=784">);
static_assert(Float<Float64<"32 784">, "batch pixel=784">);
static_assert(Float<BFloat16<"32 784">, "batch pixel=784">);
static_assert(Float<Float32<"_ _", Reference>, "batch pixel=784">);
static_assert(!Float<Float32<"batch pixel=512">, "batch pixel=784">);
static_assert(!Float<Float32<"batch 512">, "batch pixel=784">);
static_assert(!Float<Float32<"row pixel=784">, "batch pixel=784">);
static_assert(!Float<Float32<"pixel=784">, "batch pixel=784">);
static_assert(!Float<Float32<"n batch pixel=784">, "batch pixel=784">);
static_assert(!Float<Int32<"batch pixel=784">, "batch pixel=784">);
static_assert(!Float<int, "...">);
static_assert(!Shaped<float, "">);

// Expressions as well.
using Image = Float32<"batch pixel=784">;
static_assert(Float<Sum<Image, Image>, "batch pixel=784">);
static_assert(Float<Sum<Image, Float32<"pixel=784">>, "batch pixel=784">);
static_assert(Float<Sum<Image, Float32<"batch=32 1">>, "batch=32 pixel=784">);
static_assert(!Float<Sum<Image, Image>, "batch pixel=512">);
static_assert(Bool<decltype(std::declval<Image>() < 1), "batch pixel=784">);

// The syntax elements of the language.
static_assert(Float<Float32<"3 4 5">, "...">);
static_assert(Float<Float32<"3 4 5">, "*batch 5">);
static_assert(Float<Float32<"3 4 5">, "+batch 4 5">);
static_assert(!Float<Float32<"5">, "+batch 5">);
static_assert(Float<Float32<"n n">, "n n">);
static_assert(Float<Float32<"3 3">, "n n">);
static_assert(!Float<Float32<"3 4">, "n n">);
static_assert(Float<Float32<"3 4">, "n n+1">);
static_assert(!Float<Float32<"3 5">, "n n+1">);
static_assert(Float<Float32<"1">, "#n">);
static_assert(Float<Float32<"">, "">);
static_assert(!Float<Float32<"1">, "">);
static_assert(Float<Float32<"64">, "batch=1..64">);
static_assert(!Float<Float32<"65">, "batch=1..64">);

// Sizes that are open until run time fit.
static_assert(Float<Float32<"_ _">, "n n">);
static_assert(Float<Float32<"batch">, "batch=32">);

// Every dtype in its categories.
template <class T>
concept InFloat = Shaped<Of<T, "n">, "n"> && Num<Of<T, "n">, "n"> && Real<Of<T, "n">, "n"> &&
                  Inexact<Of<T, "n">, "n"> && Float<Of<T, "n">, "n"> && !Integer<Of<T, "n">, "n"> &&
                  !Complex<Of<T, "n">, "n"> && !Bool<Of<T, "n">, "n">;
static_assert(InFloat<float> && InFloat<double> && InFloat<float16> && InFloat<bfloat16>);
template <class T>
concept InComplex = Shaped<Of<T, "n">, "n"> && Num<Of<T, "n">, "n"> && Inexact<Of<T, "n">, "n"> &&
                    Complex<Of<T, "n">, "n"> && !Real<Of<T, "n">, "n"> && !Float<Of<T, "n">, "n">;
static_assert(InComplex<std::complex<float>> && InComplex<std::complex<double>>);
template <class T>
concept InInt = Num<Of<T, "n">, "n"> && Real<Of<T, "n">, "n"> && Integer<Of<T, "n">, "n"> &&
                Int<Of<T, "n">, "n"> && !UInt<Of<T, "n">, "n"> && !Inexact<Of<T, "n">, "n">;
static_assert(InInt<std::int8_t> && InInt<std::int16_t> && InInt<std::int32_t> &&
              InInt<std::int64_t>);
template <class T>
concept InUInt = Num<Of<T, "n">, "n"> && Real<Of<T, "n">, "n"> && Integer<Of<T, "n">, "n"> &&
                 UInt<Of<T, "n">, "n"> && !Int<Of<T, "n">, "n"> && !Inexact<Of<T, "n">, "n">;
static_assert(InUInt<std::uint8_t> && InUInt<std::uint16_t> && InUInt<std::uint32_t> &&
              InUInt<std::uint64_t>);
static_assert(Shaped<Mask<"n">, "n"> && Bool<Mask<"n">, "n"> && !Num<Mask<"n">, "n">);

// Subsumption: the more constrained of two fitting annotations is preferred.
constexpr int chosen(Shaped<"n"> auto&&) { return 0; }
constexpr int chosen(Num<"n"> auto&&) { return 1; }
constexpr int chosen(Inexact<"n"> auto&&) { return 2; }
constexpr int chosen(Real<"n"> auto&&) { return 3; }
constexpr int chosen(Float<"n"> auto&&) { return 4; }
constexpr int chosen(Integer<"n"> auto&&) { return 5; }
constexpr int chosen(Int<"n"> auto&&) { return 6; }
static_assert(chosen(Mask<"2">()) == 0);
static_assert(chosen(Complex64<"2">()) == 2);
static_assert(chosen(Float32<"2">()) == 4);
static_assert(chosen(UInt8<"2">()) == 5);
static_assert(chosen(Int8<"2">()) == 6);

// One pattern over several arguments: a name is a variable.
using X = Float32<"batch pixel=784">;
using W = Float32<"pixel=784 hidden=128">;
static_assert(fits<"b n, n m", X, W>);
static_assert(fits<"b n, n m", X const&, W&&>);
static_assert(fits<"b n, n m", Float32<"batch 784">, Float32<"_ 128">>);
static_assert(!fits<"b n, n m", W, X>);
static_assert(!fits<"b n, n m", X, Float32<"row=784 hidden=128">>);
static_assert(!fits<"b n, n m", X, Float32<"hidden=128">>);
static_assert(fits<"b n, n m -> b m", X, W>);
static_assert(fits<"b n, n m -> b m", X, W, Float32<"batch hidden=128">>);
static_assert(!fits<"b n, n m -> b m", X, W, Float32<"batch hidden=64">>);
static_assert(fits<"*b n, *b n", Float32<"2 3 4">, Float32<"2 3 4">>);
static_assert(!fits<"*b n, *b n", Float32<"2 3 4">, Float32<"3 3 4">>);
static_assert(fits<"n, n+1", Float32<"3">, Float32<"4">>);
static_assert(!fits<"n, n+1", Float32<"3">, Float32<"3">>);
static_assert(fits<"n, n", Sum<Float32<"3">, Float32<"1">>, Float32<"3">>);
static_assert(!fits<"n, n", Float32<"n">, float>);

// `checked` keeps names, and is SFINAE-friendly.
constexpr auto product = [](auto const& x, auto const& y) { return matmul(x, y); };
template <Spec S, class F, class... A>
concept Accepts = requires(F const& f, A const&... a) { eval(checked<S>(f)(a...)); };
static_assert(Accepts<"*batch c, c d -> *batch d", decltype(product), X, W>);
static_assert(!Accepts<"*batch c, c d -> *batch c", decltype(product), X, W>);
static_assert(!Accepts<"*batch c, c c", decltype(product), X, W>);
static_assert(!Accepts<"*batch c, c d -> d", decltype(product), X, W>);
static_assert(shape_of<decltype(checked<"b c, c d -> b d">(product)(X(), W()))> ==
              "batch hidden=128");

// `as`: the given spec, unless it is impossible.
template <Spec S, class E>
concept Becomes = requires(E const& x) { as<S>(x); };
static_assert(Becomes<"batch=32 784", X> && Becomes<"_ _", X> && Becomes<"b=32 _", Float32<"_ 3">>);
static_assert(!Becomes<"batch=32 783", X> && !Becomes<"row pixel", X> && !Becomes<"784", X>);
static_assert(std::is_same_v<decltype(as<" batch=32  784">(X())), Float32<"batch=32 784">>);
static_assert(
    std::is_same_v<decltype(as<"n 2*n">(Int8<"_ _", Reference>())), Int8<"n 2*n", Reference>>);

// Shapes and sizes are constants.
static_assert(shape_of<X> == "batch pixel=784");
static_assert(shape_of<X const&>.rank == 2);
static_assert(shape_of<decltype(matmul(X(), W()))> == "batch hidden=128");
static_assert(size<"b">(Float32<"a=2 b=3">()) == 3);
static_assert(size<0>(Float32<"a=2 b=3">()) == 2);
static_assert(size<"a b">(Float32<"a=2 b=3">()) == 6);
template <Axes axes, class E>
concept HasSize = requires(E const& x) { size<axes>(x) + 1; };
static_assert(HasSize<"batch", X> && HasSize<-1, X> && !HasSize<"row", X> && !HasSize<2, X>);

}  // namespace tensor_annotation
