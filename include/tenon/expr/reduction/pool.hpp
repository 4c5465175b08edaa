#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/core/rules/pooling.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/view/slice.hpp>

namespace tenon {

/// The maxima of windows and their positions. PyTorch: the results of `max_pool2d` with
/// `return_indices=True`.
template <TensorType V, TensorType I>
struct MaxPooling {
  V values;
  I indices;
};

}  // namespace tenon

namespace tenon::internal {

struct MaxPoolName {
  static constexpr std::string_view name = "max_pool";
  static constexpr std::string_view form = "max_pool<\"height width\", 2>(x)";
};
struct MaxPoolIndicesName {
  static constexpr std::string_view name = "max_pool_with_indices";
  static constexpr std::string_view form = "max_pool_with_indices<\"height width\", 2>(x)";
};
struct AvgPoolName {
  static constexpr std::string_view name = "avg_pool";
  static constexpr std::string_view form = "avg_pool<\"height width\", 2>(x)";
};

/// The windows of pooling as a type: the axes, and `of(shape)`. Equal windows along axes:
template <Axes axes_, std::int64_t size, Sliding sliding>
struct EqualWindows {
  static constexpr Axes axes = axes_;
  static constexpr Pooling of(Shape const& x) { return {choose(x, axes_), size, sliding}; }
};
/// (A constant: g++ 12 crashes where it is a template argument in place.)
template <class Windows>
inline constexpr Axes pooled_axes = Windows::axes;

template <class Windows, class E>
struct PoolRule {
  static constexpr Pooling pooling = Windows::of(E::shape);
  static constexpr Shape shape = pooling.shape(E::shape);
};
template <class Rule>
struct PoolMistake {
  static constexpr FixedText text = Rule::pooling.mistake();
};
/// The range of the first window along an axis.
template <class Rule, int axis>
struct FirstWindow {
  static constexpr PooledWindows const& along = Rule::pooling[axis];
  static constexpr FixedText text =
      range_text(-along.sliding.padding, along.reach() - along.sliding.padding);
};

/// Whether `Name` pools elements of dtype `T`.
template <class Name, class T>
concept PooledDtype = FloatType<T> || (RealType<T> && !std::same_as<Name, AvgPoolName>);

/// Names the reason why windows do not fit; `void` where they do.
template <class Name, class Windows, class E>
constexpr auto pool_mistake() {
  constexpr Pooling pooling = Windows::of(E::shape);
  if constexpr (!Chosen<pooled_axes<Windows>, E>::ok)
    return choice_mistake<Name, pooled_axes<Windows>, E>();
  else if constexpr (!PooledDtype<Name, typename E::value_type>) return dtype_mistake<Name, E>();
  else if constexpr (!pooling.mistake().view().empty())
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<Name>, spec_of_text<PoolMistake<PoolRule<Windows, E>>>,
        spec_of_text<NamesOf<pooled_axes<Windows>>>, spec_of<E>>>{};
  else if constexpr (constexpr int axis = pooling.short_axis(E::shape); axis >= 0)
    return std::type_identity<error::range_is_outside<
        spec_of_name<Name>, spec_of_text<FirstWindow<PoolRule<Windows, E>, axis>>,
        spec_of_axis<E, axis>, spec_of<E>>>{};
  else if constexpr (!has_positions(E::shape, Chosen<pooled_axes<Windows>, E>::value))
    return std::type_identity<TooManyPositions<Name, E>>{};
  else return std::type_identity<void>{};
}

template <class T, class Windows, class E>
using PooledAs = Tensor<T, spec_of<PoolRule<Windows, E>>, typename E::device>;

/// The tensor that pooling returns, or an undefined type that names the error.
template <class Name, class Windows, class E>
constexpr auto pool_type() {
  using mistake = decltype(pool_mistake<Name, Windows, E>());
  using T = typename E::value_type;
  if constexpr (!std::is_void_v<typename mistake::type>) return mistake{};
  else if constexpr (std::same_as<Name, MaxPoolIndicesName>)
    return std::type_identity<
        MaxPooling<PooledAs<T, Windows, E>, PooledAs<std::int32_t, Windows, E>>>{};
  else return std::type_identity<PooledAs<T, Windows, E>>{};
}
template <class Name, class Windows, Expression X>
using PoolOf = typename decltype(pool_type<Name, Windows, Unqualified<X>>())::type;

/// The windows of a tensor. Throws `IndexError` where none fits an axis.
template <class Name, class Windows, class E>
Pooling pooling_of(E const& x) {
  constexpr Pooling pooling = Windows::of(E::shape);
  Sizes const sizes = x.sizes();
  for (int i = 0; i < E::shape.rank; ++i)
    if (pooling.axes[i])
      check_range(E::shape, i, at(sizes, i) + 2 * pooling[i].sliding.padding, 0, pooling[i].reach(),
                  Name::name);
  check_positions<Name, pooled_axes<Windows>>(x);
  return pooling;
}

/// The pooling `Name` of a tensor.
template <class Name, class Windows, class R, Expression X>
R pool_windows_of(X&& x) {
  auto const pooling = pooling_of<Name, Windows>(x);
  if constexpr (std::same_as<Name, MaxPoolIndicesName>)
    return evaluate_max_pool_with_indices<R>(keep_value(std::forward<X>(x)), pooling);
  else if constexpr (std::same_as<Name, AvgPoolName>)
    return evaluate_avg_pool<R>(keep_value(std::forward<X>(x)), pooling);
  else {
    using I = PooledAs<std::int32_t, Windows, Unqualified<X>>;
    return evaluate_max_pool<R, I>(keep_value(std::forward<X>(x)), pooling);
  }
}

/// The maximum of windows of `size` elements along named axes: "batch height=28 width=28" gives
/// "batch height=14 width=14" by `max_pool<"height width", 2>(x)`. `Sliding` has stride, padding
/// and dilation, as of a convolution; without it the stride is `size`, as in PyTorch. The axes keep
/// their names, and may be any; real dtypes. Padding is at most `size / 2` and never the maximum.
/// NaN is. With `ceil_mode` a last window may
/// end behind the padding. The gradient is that of the first of equal elements (that of `max` is
/// shared). Evaluated eagerly. Throws `IndexError` where an axis is shorter than a window. PyTorch:
/// `max_pool1d` to `max_pool3d`.
template <Axes axes, std::int64_t size, Sliding sliding = Sliding{.stride = size}, Expression X,
          WellFormed R = PoolOf<MaxPoolName, EqualWindows<axes, size, sliding>, X>>
auto max_pool(X&& x) -> R {
  return pool_windows_of<MaxPoolName, EqualWindows<axes, size, sliding>, R>(std::forward<X>(x));
}
template <Axes axes, std::int64_t size, Sliding sliding = Sliding{.stride = size}, Expression X,
          IllFormed R = PoolOf<MaxPoolName, EqualWindows<axes, size, sliding>, X>>
auto max_pool(X&& x) -> R;
template <Axes, std::int64_t, Sliding = Sliding{}, class... X, class R = Refused<MaxPoolName, X...>>
auto max_pool(X const&...) -> R;
template <class Name = MaxPoolName, class R = AxisForm<Name>>
auto max_pool(AnyExpression, NumberOrText, NumberOrText = 0) -> R;

/// `max_pool` and the positions of the maxima, as int32: an index into the pooled axes of `x`,
/// flattened in their order; that of the first of equal elements, or of the first NaN. (-1 in a
/// window of padding alone, which only a dilation leaves.) PyTorch: `return_indices=True`.
template <Axes axes, std::int64_t size, Sliding sliding = Sliding{.stride = size}, Expression X,
          class R = PoolOf<MaxPoolIndicesName, EqualWindows<axes, size, sliding>, X>>
  requires(!Mistake<R>)
auto max_pool_with_indices(X&& x) -> R {
  using Windows = EqualWindows<axes, size, sliding>;
  return pool_windows_of<MaxPoolIndicesName, Windows, R>(std::forward<X>(x));
}
template <Axes axes, std::int64_t size, Sliding sliding = Sliding{.stride = size}, Expression X,
          Mistake R = PoolOf<MaxPoolIndicesName, EqualWindows<axes, size, sliding>, X>>
auto max_pool_with_indices(X&& x) -> R;
template <Axes, std::int64_t, Sliding = Sliding{}, class... X,
          class R = Refused<MaxPoolIndicesName, X...>>
auto max_pool_with_indices(X const&...) -> R;
template <class Name = MaxPoolIndicesName, class R = AxisForm<Name>>
auto max_pool_with_indices(AnyExpression, NumberOrText, NumberOrText = 0) -> R;

/// The mean of windows of `size` elements along named axes, as `max_pool`: "batch t=8 channel"
/// gives "batch t=4 channel" by `avg_pool<"t", 2>(x)`. Floating dtypes. Padding is zeros that count
/// (PyTorch's `count_include_pad=True`), as what `ceil_mode` adds
/// (that of `AvgPool2d` does not count it, as in PyTorch). The mean of whole axes is `mean<"height
/// width">(x)`. PyTorch: `avg_pool1d` to `avg_pool3d`.
template <Axes axes, std::int64_t size, Sliding sliding = Sliding{.stride = size}, Expression X,
          WellFormed R = PoolOf<AvgPoolName, EqualWindows<axes, size, sliding>, X>>
auto avg_pool(X&& x) -> R {
  return pool_windows_of<AvgPoolName, EqualWindows<axes, size, sliding>, R>(std::forward<X>(x));
}
template <Axes axes, std::int64_t size, Sliding sliding = Sliding{.stride = size}, Expression X,
          IllFormed R = PoolOf<AvgPoolName, EqualWindows<axes, size, sliding>, X>>
auto avg_pool(X&& x) -> R;
template <Axes, std::int64_t, Sliding = Sliding{}, class... X, class R = Refused<AvgPoolName, X...>>
auto avg_pool(X const&...) -> R;
template <class Name = AvgPoolName, class R = AxisForm<Name>>
auto avg_pool(AnyExpression, NumberOrText, NumberOrText = 0) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::avg_pool;
using internal::max_pool;
using internal::max_pool_with_indices;

}  // namespace tenon
