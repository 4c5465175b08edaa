#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/expr/gather/take_along.hpp>
#include <tenon/expr/view/slice.hpp>

/// Sorting along an axis. NaN is the largest, -0 equals 0; the sort is stable. Evaluated eagerly;
/// adjoints are scattered back to the original positions. Throws `ShapeError` where an axis has
/// more than 2^31 - 1 elements, the limit of int32 positions.
namespace tenon::internal {

struct ArgsortName {
  static constexpr std::string_view name = "argsort";
};
struct SortName {
  static constexpr std::string_view name = "sort";
};
struct TopkName {
  static constexpr std::string_view name = "topk";
  static constexpr std::string_view form = "topk<-1, 5>(x)";
};

/// Tag for descending order: `sort<"n">(x, descending)`.
struct Descending {};
/// An argument of `sort` and `argsort`: the largest first. PyTorch: `descending=True`.
inline constexpr Descending descending{};

/// Dtypes that can be sorted; the 16-bit dtypes are cast first.
template <class T>
concept SortableType = RealType<T> && !HalfType<T>;

/// `E` with an axis cut to `Sliced`: elements, or their positions.
template <class T, Axes axes, class E, class Sliced>
using OrderedAlong = Tensor<T, spec_of<SliceRule<axes, E, Sliced>>, typename E::device>;

/// The tensor of `T` that `Name` makes of `E`, or an undefined type that names the error.
template <class Name, class T, Axes axes, class E>
constexpr auto sort_type() {
  using axis = typename decltype(axes_mistake<Name, axes, 1, E>())::type;
  if constexpr (!std::is_void_v<axis>) return std::type_identity<axis>{};
  else if constexpr (!SortableType<typename E::value_type>) return dtype_mistake<Name, E>();
  else if constexpr (!has_positions(E::shape, Chosen<axes, E>::value))
    return std::type_identity<TooManyPositions<Name, E>>{};
  else return std::type_identity<Tensor<T, spec_of<E>, typename E::device>>{};
}

template <Axes axes, Expression X>
using Argsorted =
    typename decltype(sort_type<ArgsortName, std::int32_t, axes, Unqualified<X>>())::type;
template <Axes axes, Expression X>
using SortedTensor = typename decltype(sort_type<SortName, typename Unqualified<X>::value_type,
                                                 axes, Unqualified<X>>())::type;

/// The positions of the elements along one axis in ascending order, or `descending`, as int32.
/// NumPy: `argsort(kind="stable")`. PyTorch: `argsort(stable=True)`.
template <Axes axis, Expression X, std::same_as<Descending>... D, WellFormed R = Argsorted<axis, X>>
  requires(sizeof...(D) <= 1)
auto argsort(X&& x, D...) -> R {
  check_positions<ArgsortName, axis>(x);
  auto const value = keep_value(std::forward<X>(x));
  return ordered_places<R>(value, value.sizes(), Chosen<axis, R>::value.axis(), sizeof...(D) == 1);
}
template <Axes axis, Expression X, std::same_as<Descending>... D, IllFormed R = Argsorted<axis, X>>
auto argsort(X&& x, D...) -> R;
template <Axes, class... X, class R = Refused<ArgsortName, X...>>
auto argsort(X const&...) -> R;
template <class Name = ArgsortName, class R = AxisForm<Name>>
auto argsort(AnyExpression, NumberOrText = -1) -> R;

/// The elements along one axis in ascending order, or `descending`. PyTorch: `sort(stable=True)`.
template <Axes axis, Expression X, std::same_as<Descending>... D,
          WellFormed R = SortedTensor<axis, X>>
  requires(sizeof...(D) <= 1)
auto sort(X&& x, D... order) -> R {
  check_positions<SortName, axis>(x);
  auto const value = keep_value(std::forward<X>(x));
  return evaluate_expression(take_along<axis>(value, argsort<axis>(value, order...)));
}
template <Axes axis, Expression X, std::same_as<Descending>... D,
          IllFormed R = SortedTensor<axis, X>>
auto sort(X&& x, D...) -> R;
template <Axes, class... X, class R = Refused<SortName, X...>>
auto sort(X const&...) -> R;
template <class Name = SortName, class R = AxisForm<Name>>
auto sort(AnyExpression, NumberOrText = -1) -> R;

}  // namespace tenon::internal

namespace tenon {

/// The largest elements along an axis and their positions. PyTorch: `torch.return_types.topk`.
template <TensorType V, TensorType I>
struct Topk {
  V values;
  I indices;
};

}  // namespace tenon

namespace tenon::internal {

template <Axes axes, std::int64_t k, class E>
constexpr auto topk_type() {
  using Sliced = StaticLength<k>;
  using T = typename E::value_type;
  using sorted = typename decltype(sort_type<TopkName, T, axes, E>())::type;
  if constexpr (!TensorType<sorted>) return std::type_identity<sorted>{};
  else if constexpr (constexpr int axis = Chosen<axes, E>::value.axis();
                     !Sliced::possible(E::shape[axis]))
    return std::type_identity<error::range_is_outside<spec_of_name<TopkName>, spec_of_text<Sliced>,
                                                      spec_of_axis<E, axis>, spec_of<E>>>{};
  else
    return std::type_identity<
        Topk<OrderedAlong<T, axes, E, Sliced>, OrderedAlong<std::int32_t, axes, E, Sliced>>>{};
}

template <Axes axes, std::int64_t k, Expression X>
using TopkOf = typename decltype(topk_type<axes, k, Unqualified<X>>())::type;

/// The `k` largest elements along one axis, in descending order, and their positions, as int32: of
/// "batch n" two "batch 3". Throws `IndexError` for a run-time axis that is too short. PyTorch:
/// `topk`. JAX: `top_k`.
template <Axes axis, std::int64_t k, Expression X, class R = TopkOf<axis, k, X>>
  requires(!Mistake<R>)
auto topk(X&& x) -> R {
  check_positions<TopkName, axis>(x);
  using I = decltype(R::indices);
  constexpr int along = Chosen<axis, Unqualified<X>>::value.axis();
  auto const value = keep_value(std::forward<X>(x));
  Sizes sizes = value.sizes();
  check_range(value.shape, along, at(sizes, along), 0, k, TopkName::name);
  at(sizes, along) = k;
  auto const indices = ordered_places<I>(value, sizes, along, true);
  return {evaluate_expression(take_along<axis>(value, indices)), indices};
}
template <Axes axis, std::int64_t k, Expression X, Mistake R = TopkOf<axis, k, X>>
auto topk(X&& x) -> R;
template <Axes, std::int64_t, class... X, class R = Refused<TopkName, X...>>
auto topk(X const&...) -> R;
template <class Name = TopkName, class R = AxisForm<Name>>
auto topk(AnyExpression, NumberOrText, NumberOrText = -1) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::argsort;
using internal::descending;
using internal::sort;
using internal::topk;

}  // namespace tenon
