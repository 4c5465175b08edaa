// Transpose, slice, rename and rearrange: the resulting shapes, and the ill-formed calls.

#include <tenon/tenon.hpp>

namespace tensor_views {

using namespace tenon;
using namespace tenon::internal;

using X = Float32<"batch t=9 c=2">;
using Square = Float32<"n n">;

template <class E>
E const& given();

// transpose
template <Axes axes, class E>
concept Transposes = requires { transpose<axes>(given<E>()).sizes(); };
static_assert(shape_of<decltype(transpose(given<X>()))> == "batch c=2 t=9");
static_assert(shape_of<decltype(transpose<"c batch">(given<X>()))> == "c=2 t=9 batch");
static_assert(shape_of<decltype(transpose(given<Square>()))> == "n n");
static_assert(shape_of<decltype(transpose(given<Float32<"n n+1">>()))> == "n+1 n");
static_assert(Transposes<"batch t", X> && Transposes<"", X> && Transposes<"", Square>);
static_assert(!Transposes<"batch", X> && !Transposes<"batch row", X> && !Transposes<"n n", Square>);
static_assert(!Transposes<"batch t c", X> && !Transposes<"", Float32<"n">>);
static_assert(!Transposes<"", Float32<"">> && !Transposes<0, X>);
// A view of a view is a single view.
static_assert(std::is_same_v<decltype(transpose(given<X>()))::operand_type, X>);
static_assert(
    std::is_same_v<decltype(transpose(slice<"t", 1, 9>(transpose(given<X>()))))::operand_type, X>);

// slice
template <Axes axis, std::int64_t begin, std::int64_t end, class E>
concept SlicesRange = requires { slice<axis, begin, end>(given<E>()).sizes(); };
template <Axes axis, std::int64_t length, class E>
concept SlicesLength = requires { slice<axis, length>(given<E>(), 0).sizes(); };
template <Axes axis, class E>
concept SlicesAny = requires { slice<axis>(given<E>(), 0, 0).sizes(); };
static_assert(shape_of<decltype(slice<"t", 1, 9>(given<X>()))> == "batch t=8 c=2");
static_assert(shape_of<decltype(slice<"t", 0, 9>(given<X>()))> == "batch t=9 c=2");
static_assert(shape_of<decltype(slice<"t", 0, -1>(given<X>()))> == "batch t=8 c=2");
static_assert(shape_of<decltype(slice<"t", 3, to_end>(given<X>()))> == "batch t=6 c=2");
static_assert(shape_of<decltype(slice<"t", -3, to_end>(given<X>()))> == "batch t=3 c=2");
static_assert(shape_of<decltype(slice<"t", -3, 8>(given<X>()))> == "batch t=2 c=2");
static_assert(shape_of<decltype(slice<"batch", 2, 5>(given<X>()))> == "batch=3 t=9 c=2");
static_assert(shape_of<decltype(slice<"batch", 1, to_end>(given<X>()))> == "batch=batch-1 t=9 c=2");
static_assert(shape_of<decltype(slice<"batch", 1, -2>(given<X>()))> == "batch=batch-3 t=9 c=2");
static_assert(shape_of<decltype(slice<"batch", -2, 8>(given<X>()))> == "batch=_ t=9 c=2");
static_assert(shape_of<decltype(slice<0, 1, to_end>(given<Float32<"n+1">>()))> == "n");
static_assert(shape_of<decltype(slice<"batch", 4>(given<X>(), 1))> == "batch=4 t=9 c=2");
static_assert(shape_of<decltype(slice<"c", 2>(given<X>(), 0))> == "batch t=9 c=2");
static_assert(shape_of<decltype(slice<-1>(given<X>(), 0, 1))> == "batch t=9 c=_");
static_assert(SlicesRange<"t", 0, 9, X> && SlicesRange<"t", 9, 9, X> &&
              SlicesRange<"t", -9, -1, X>);
static_assert(!SlicesRange<"t", 0, 10, X> && !SlicesRange<"t", 5, 4, X>);
static_assert(!SlicesRange<"t", -10, -1, X> && !SlicesRange<"t", 10, to_end, X>);
static_assert(!SlicesRange<"batch", 5, 4, X> && SlicesRange<"batch", 0, 1000, X>);
static_assert(!SlicesRange<0, 0, 65, Float32<"n=1..64">> &&
              SlicesRange<0, 0, 64, Float32<"n=1..64">>);
static_assert(!SlicesRange<0, 40, -30, Float32<"n=1..64">>);
static_assert(!SlicesRange<"row", 0, 1, X> && !SlicesRange<"n", 0, 1, Square>);
static_assert(!SlicesRange<"batch t", 0, 1, X> && !SlicesRange<3, 0, 1, X>);
static_assert(SlicesLength<"t", 9, X> && !SlicesLength<"t", 10, X> && !SlicesLength<"t", -1, X>);
static_assert(!SlicesLength<"row", 1, X> && SlicesAny<"t", X> && !SlicesAny<"row", X>);
static_assert(!SlicesAny<"", X>);

// rename
template <Spec pairs, class E>
concept Renames = requires { rename<pairs>(given<E>()).sizes(); };
static_assert(std::is_same_v<decltype(rename<"t -> key">(given<X>())), Float32<"batch key=9 c=2">>);
static_assert(std::is_same_v<decltype(rename<"t->c,c->t">(given<X>())), Float32<"batch c=9 t=2">>);
static_assert(std::is_same_v<decltype(rename<"t -> _">(given<X>())), Float32<"batch 9 c=2">>);
static_assert(
    std::is_same_v<decltype(rename<"batch -> _">(given<Float32<"batch=1..4">>())), Float32<"_">>);
static_assert(std::is_same_v<decltype(rename<"m -> n">(given<Float32<"n m">>())), Square>);
static_assert(shape_of<decltype(rename<"t -> key">(given<X>() + 1))> == "batch key=9 c=2");
static_assert(!Renames<"key -> t", X> && !Renames<"n -> m", Square> && !Renames<"t", X>);
static_assert(!Renames<"t -> ", X> && !Renames<"t -> 3", X> && !Renames<"t=9 -> u", X>);
static_assert(!Renames<"t -> a, t -> b", X> && !Renames<"t -> a b", X> && !Renames<"_ -> a", X>);
static_assert(std::is_same_v<decltype(rename<"t -> c">(given<X>())), Float32<"batch c=9 c=2">>);
static_assert(shape_of<decltype(rename<"n -> t">(given<Float32<"n k=n+1">>()))> == "t k=t+1");
static_assert(shape_of<decltype(rename<"t -> s">(given<Float32<"t=t-1">>()))> == "s=t-1");
static_assert(shape_of<decltype(rename<"n -> t">(given<Float32<"n k=t+1">>()))> == "t k=_");
static_assert(shape_of<decltype(rename<"n -> _">(given<Float32<"n k=n+1">>()))> == "_ k=_");

// rearrange, reduce, repeat
template <Spec pattern, class E>
concept Rearranges = requires { rearrange<pattern>(given<E>()).sizes(); };
template <Spec pattern, class Op, class E>
concept Reducible = requires { reduce<pattern, Op>(given<E>()).sizes(); };
template <Spec pattern, class E>
concept Repeats = requires { repeat<pattern>(given<E>()).sizes(); };
using Tokens = Float32<"batch t embed=512">;
static_assert(shape_of<decltype(rearrange<"b t (h=8 d) -> b h t d">(given<Tokens>()))> ==
              "b h=8 t d=64");
static_assert(
    std::is_same_v<decltype(rearrange<"b t d -> (b t) d">(given<Tokens>())), Float32<"b*t d=512">>);
static_assert(std::is_same_v<decltype(rearrange<"b t d -> (b t) d">(given<Tokens>() + 1)),
                             Float32<"b*t d=512">>);
static_assert(shape_of<decltype(rearrange<"... d -> d ...">(given<Tokens>()))> == "d=512 batch t");
static_assert(shape_of<decltype(rearrange<"i d -> i 1 d">(given<Float32<"n m">>()))> == "i 1 d");
static_assert(!Rearranges<"b t (h=7 d) -> b h t d", Tokens> && !Rearranges<"b t -> t b", Tokens>);
static_assert(!Rearranges<"b t d -> b t", Tokens> && !Rearranges<"b t d -> b t d e", Tokens>);
static_assert(
    shape_of<decltype(reduce<"b h w c -> b c", op::mean>(given<Float32<"b 28 28 3">>()))> ==
    "b c=3");
static_assert(shape_of<decltype(reduce<"b (h=4 d) -> d", op::max>(given<Int32<"b 12">>()))> ==
              "d=3");
static_assert(
    std::is_same_v<decltype(reduce<"n -> ", op::mean>(given<Int32<"n">>()))::value_type, float>);
static_assert(std::is_same_v<decltype(reduce<"n -> ", op::sum>(given<Int32<"n">>()))::value_type,
                             std::int64_t>);
static_assert(is_reduction<decltype(reduce<"n -> ", op::sum>(given<Float32<"n">>()))>);
static_assert(
    std::is_same_v<decltype(rearrange<"a b -> a b">(given<Float32<"a b=2">>())), Float32<"a b=2">>);
static_assert(Reducible<"b t d -> d", op::min, Tokens> && !Reducible<"b t -> t", op::min, Tokens>);
static_assert(!Reducible<"b t d -> d", op::none, Tokens> &&
              !Reducible<"n -> ", op::sum, Mask<"n">>);
static_assert(shape_of<decltype(repeat<"h w -> h w c=3">(given<Float32<"n 28">>()))> ==
              "h w=28 c=3");
static_assert(shape_of<decltype(repeat<"w -> (w c=3)">(given<Float32<"28">>()))> == "84");
static_assert(!Repeats<"h w -> h w c", Float32<"n 28">> &&
              !Repeats<"h w -> h c=3", Float32<"n 28">>);

}  // namespace tensor_views
