#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

// The forms of jaxtyping, in the order of the table in docs/language.md, with shapes of its tests.

namespace jaxtyping_forms {

using namespace tenon;

template <Spec S>
using F = Float32<S>;

template <class X, Spec... S>
concept One = (Float<X, S> && ...);

// An argument and its result.
constexpr auto same = [](auto const& x) { return eval(2 * x); };
template <Spec S, class G, class... X>
concept Runs = requires(G const& g, X const&... x) { checked<S>(g)(x...); };
static_assert(Runs<"b c -> b c", decltype(same), F<"3 4">>);
static_assert(!Runs<"b c -> c b", decltype(same), F<"3 4">>);
static_assert(Runs<"b c -> c b", decltype(same), F<"3 3">>);

// Two arguments with a word in common.
constexpr auto product = [](auto const& x, auto const& y) { return matmul(x, y); };
static_assert(Runs<"b c, c d", decltype(product), F<"3 4">, F<"4 5">>);
static_assert(!Runs<"b c, c d", decltype(product), F<"3 4">, F<"5 4">>);
static_assert(Runs<"b c, c d -> b d", decltype(product), F<"3 4">, F<"4 5">>);
static_assert(!Runs<"b c, c d -> d b", decltype(product), F<"3 4">, F<"4 5">>);

// Categories of dtypes.
static_assert(Shaped<F<"3 4">, "a b"> && Shaped<Mask<"3 4">, "a b"> && Shaped<Int8<"3 4">, "a b">);
static_assert(Shaped<Complex64<"3 4">, "a b"> && Shaped<BFloat16<"3 4">, "a b">);
static_assert(!Shaped<F<"1">, "a b">);
static_assert(Num<UInt16<"3">, "n"> && !Num<Mask<"3">, "n"> && Bool<Mask<"3">, "n">);
static_assert(Inexact<Complex64<"3">, "n"> && !Float<Complex64<"3">, "n">);
static_assert(Real<Int32<"3">, "n"> && Integer<Int32<"3">, "n"> && Int<Int32<"3">, "n"> &&
              !UInt<Int32<"3">, "n">);
static_assert(Shaped<Float8E4M3FN<"3">, "n"> && !Num<Float8E4M3FN<"3">, "n">);

// Sizes, any size.
static_assert(fits<"4 5 foo, foo", F<"4 5 2">, F<"2">> &&
              !fits<"4 5 foo, foo", F<"3 5 2">, F<"2">>);
static_assert(fits<"foo _, _", F<"3 4">, F<"5">> && fits<"foo _rows, _rows", F<"3 4">, F<"5">>);
static_assert(fits<"", F<"">> && !fits<"", F<"3">> && fits<"...", F<"">> && fits<"...", F<"3 4">>);

// Several axes, bound or not.
static_assert(fits<"*batch foo, *batch, foo", F<"5">, F<"">, F<"5">>);
static_assert(fits<"*batch foo, *batch, foo", F<"3 5">, F<"3">, F<"5">>);
static_assert(!fits<"*batch foo, *batch, foo", F<"5">, F<"3">, F<"5">>);
static_assert(!fits<"*batch foo, *batch, foo", F<"3 5">, F<"">, F<"5">>);
static_assert(fits<"foo *batch, foo *batch bar", F<"4">, F<"4 3">>);
static_assert(!fits<"foo *batch, foo *batch bar", F<"4">, F<"3 4">>);
static_assert(!fits<"foo *batch, foo *batch bar", F<"4 3">, F<"3 4">>);
static_assert(fits<"... foo, foo", F<"5">, F<"5">> && fits<"... foo, foo", F<"3 4 5">, F<"5">>);
static_assert(!fits<"... foo, foo", F<"5">, F<"1">> && !fits<"... foo, foo", F<"3 5">, F<"1">>);

// Axes that may be 1.
static_assert(One<F<"4">, "#4"> && One<F<"1">, "#4"> && !One<F<"3">, "#4">);
template <class X, class Y>
inline constexpr bool broadcast = fits<"#foo, #foo", X, Y>;
static_assert(broadcast<F<"3">, F<"3">> && broadcast<F<"1">, F<"1">> && broadcast<F<"3">, F<"1">> &&
              broadcast<F<"1">, F<"4">>);
static_assert(!broadcast<F<"3">, F<"4">> && !broadcast<F<"4">, F<"3">>);
template <class X, class Y>
inline constexpr bool several = fits<"*#foo, *#foo", X, Y> && fits<"#*foo, #*foo", X, Y>;
static_assert(several<F<"3">, F<"3">> && several<F<"5 6">, F<"5 6">> && several<F<"4">, F<"4 4">>);
static_assert(!several<F<"3">, F<"4">> && !several<F<"3">, F<"4 4">> && !several<F<"5 6">, F<"4">>);
static_assert(several<F<"5 6">, F<"1">> && several<F<"4">, F<"1 4">> &&
              several<F<"4 4">, F<"1 4">>);
static_assert(!several<F<"5 6">, F<"1 4">> && !several<F<"4 4">, F<"5 1">>);
static_assert(several<F<"5 6">, F<"5 1">> && several<F<"3">, F<"1 1">> &&
              several<F<"5 6">, F<"1 1">>);
static_assert(several<F<"3">, F<"2 1">> && several<F<"4">, F<"2 1">>);
static_assert(!several<F<"4 4">, F<"2 1">> && !several<F<"5 6">, F<"2 1">>);
static_assert(several<F<"1 6">, F<"5 6">> && !several<F<"1 6">, F<"4 4">> &&
              !several<F<"1 6">, F<"3">>);
static_assert(!fits<"*foo, #*foo", F<"3 4">, F<"5">> && fits<"*foo, #*foo", F<"7 3 2">, F<"1 2">>);
static_assert(!fits<"*#foo, *foo", F<"3 4">, F<"5">> && fits<"*#foo, *foo", F<"1 2">, F<"7 3 2">>);
static_assert(fits<"*B L D, *#B J d, *B L J", F<"2 7 3 2 2">, F<"2 7 1 2 2">, Mask<"2 7 3 2 2">>);

// The same of masks.
static_assert(Bool<Mask<"1">, "#n"> && Bool<Mask<"5">, "#n"> && Bool<Mask<"n">, "#n">);
static_assert(Bool<Mask<"1 key">, "#query key"> && Bool<Mask<"query=1 key">, "#query key">);
static_assert(!Bool<F<"1">, "#n"> && !Bool<Mask<"1 1">, "#n"> && !Bool<Mask<"row">, "#query">);
static_assert(fits<"*b q k, *#b #q k", F<"2 3 4 5">, Mask<"1 1 5">>);
static_assert(!fits<"*b q k, *#b #q k", F<"2 3 4 5">, Mask<"3 2 5">>);
static_assert(!fits<"*b q k, *#b #q k", F<"2 3 4 5">, Mask<"1 1 1">>);

// Names beside sizes, and expressions.
static_assert(One<F<"4">, "foo=4"> && !One<F<"5">, "foo=4"> && !One<F<"4 5">, "foo=4">);
static_assert(One<F<"2 3 5">, "bar qux foo=bar+qux"> && !One<F<"2 3 6">, "bar qux foo=bar+qux">);
static_assert(One<F<"3 3">, "bar #foo=bar"> && One<F<"3 1">, "bar #foo=bar"> &&
              !One<F<"3 4">, "bar #foo=bar">);
static_assert(fits<"dim -> dim-1", F<"5">, F<"4">> && !fits<"dim -> dim-1", F<"5">, F<"5">>);
static_assert(fits<"dim -> 2*dim", F<"5">, F<"10">> && !fits<"dim -> 2*dim", F<"5">, F<"15">>);
static_assert(!fits<"dim -> dim-1", F<"3 4">> && fits<"dim-1, dim", F<"4">, F<"5">>);
static_assert(One<F<"2 3 2">, "foo bar min(foo,bar)"> && One<F<"3 2 2">, "foo bar min(foo,bar)"> &&
              !One<F<"3 2 4">, "foo bar min(foo,bar)">);
static_assert(One<F<"2 3 3">, "foo bar max(foo,bar)"> && !One<F<"3 2 2">, "foo bar max(foo,bar)">);

// Annotations concatenated from other specs.
inline constexpr Spec x = "a b";
inline constexpr Spec row = "a";
static_assert(("c d" + x).view() == "c d a b");
static_assert(fits<row + ", b" + row, F<"4">, F<"3 4">> &&
              !fits<row + ", b" + row, F<"3">, F<"3 4">>);

// Unions.
template <class X>
concept Either = Float<X, ""> || Int<X, "">;
static_assert(Either<F<"">> && Either<Int32<"">> && !Either<Mask<"">> && !Either<F<"2">>);

// Trees.
static_assert(tree::Float<F<"">, "..."> && tree::Float<std::tuple<F<"">, F<"2">>, "...">);
static_assert(!tree::Float<Int32<"">, "..."> && !tree::Float<float, "...">);
using Equal = std::tuple<F<"3 4">, F<"3 4">>;
using Different = std::tuple<F<"3 4">, F<"1 1">>;
static_assert(tree::Float<Equal, "b c"> && !tree::Float<Different, "b c"> &&
              !tree::Float<F<"">, "b c">);
using Both = std::tuple<F<"4">, F<"5">>;
using Swapped = std::tuple<F<"5">, F<"4">>;
static_assert(tree::fits<"?foo, ?foo", F<"4">, F<"4">> && tree::fits<"?foo, ?foo", Both, Both>);
static_assert(!tree::fits<"?foo, ?foo", F<"4">, F<"5">> &&
              !tree::fits<"?foo, ?foo", Both, Swapped>);
using Ranks = std::tuple<F<"2 3">, F<"5">>;
static_assert(tree::fits<"*?foo, *?foo", Ranks, Ranks> && !tree::fits<"*?foo, *?foo", Ranks, Both>);
static_assert(!tree::fits<"..., ...", F<"">, std::tuple<F<"">>>);

}  // namespace jaxtyping_forms
