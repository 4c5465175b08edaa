#pragma once

#include <tenon/distributed/sharding/eager_views.hpp>
#include <tenon/distributed/sharding/elementwise.hpp>
#include <tenon/expr/join/join.hpp>
#include <tenon/expr/join/pad.hpp>
#include <tenon/expr/view/expand.hpp>
#include <tenon/expr/view/flip.hpp>
#include <tenon/expr/view/row.hpp>
#include <tenon/expr/view/slice.hpp>
#include <tenon/expr/view/window.hpp>

/// Slicing, concatenation and flips of sharded tensors, computed by each rank on its shard: the
/// axes they work on may not be sharded, others keep their sharding. Use `reshard` otherwise.
namespace tenon::internal {

template <Axes axis, std::int64_t... numbers>
struct SliceCall : SliceName {
  template <class X, class... I>
  constexpr auto operator()(X&& x, I... at) const
      -> decltype(slice<axis, numbers...>(std::forward<X>(x), at...)) {
    return slice<axis, numbers...>(std::forward<X>(x), at...);
  }
};
/// A range of an axis, with the overloads of the version for tensors.
template <
    Axes axis, std::int64_t... numbers, AnyShard X, class... I,
    WellFormed R = RegroupedShard<Regrouping<SliceCall<axis, numbers...>, AllBut<axis>, I...>, X&&>>
auto slice(X&& x, I... at) -> R {
  return apply_to_shards<R>(Regrouping<SliceCall<axis, numbers...>, AllBut<axis>, I...>{{at...}},
                            std::forward<X>(x));
}
template <
    Axes axis, std::int64_t... numbers, AnyShard X, class... I,
    IllFormed R = RegroupedShard<Regrouping<SliceCall<axis, numbers...>, AllBut<axis>, I...>, X&&>>
auto slice(X&& x, I... at) -> R;

template <Axes axes>
struct FlipCall : FlipName {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(flip<axes>(std::forward<X>(x))) {
    return flip<axes>(std::forward<X>(x));
  }
};
/// Reverses some axes, or all.
template <Axes axes = every, AnyShard X,
          WellFormed R = RegroupedShard<Regrouping<FlipCall<axes>, AllBut<axes>>, X&&>>
auto flip(X&& x) -> R {
  return apply_to_shards<R>(Regrouping<FlipCall<axes>, AllBut<axes>>{{}}, std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = RegroupedShard<Regrouping<FlipCall<axes>, AllBut<axes>>, X&&>>
auto flip(X&& x) -> R;

template <Axes axis>
struct RollCall : RollName {
  template <class X, std::integral I>
  constexpr auto operator()(X&& x, I place) const
      -> decltype(roll<axis>(std::forward<X>(x), place)) {
    return roll<axis>(std::forward<X>(x), place);
  }
};
/// Rolls along an axis.
template <Axes axis, AnyShard X, std::integral I,
          WellFormed R = RegroupedShard<Regrouping<RollCall<axis>, AllBut<axis>, I>, X&&>>
auto roll(X&& x, I place) -> R {
  return apply_to_shards<R>(Regrouping<RollCall<axis>, AllBut<axis>, I>{{place}},
                            std::forward<X>(x));
}
template <Axes axis, AnyShard X, std::integral I,
          IllFormed R = RegroupedShard<Regrouping<RollCall<axis>, AllBut<axis>, I>, X&&>>
auto roll(X&& x, I place) -> R;

template <Axes axis, std::int64_t... numbers>
struct WindowCall : WindowName {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(window<axis, numbers...>(std::forward<X>(x))) {
    return window<axis, numbers...>(std::forward<X>(x));
  }
};
/// Sliding windows along an axis.
template <
    Axes axis, std::int64_t... numbers, AnyShard X,
    WellFormed R = RegroupedShard<Regrouping<WindowCall<axis, numbers...>, AllBut<axis>>, X&&>>
auto window(X&& x) -> R {
  return apply_to_shards<R>(Regrouping<WindowCall<axis, numbers...>, AllBut<axis>>{{}},
                            std::forward<X>(x));
}
template <Axes axis, std::int64_t... numbers, AnyShard X,
          IllFormed R = RegroupedShard<Regrouping<WindowCall<axis, numbers...>, AllBut<axis>>, X&&>>
auto window(X&& x) -> R;

template <Axes axes, std::int64_t before, std::int64_t after>
struct PadCall : PadName {
  template <class X, class... V>
  constexpr auto operator()(X&& x, V... value) const
      -> decltype(pad<axes, before, after>(std::forward<X>(x), value...)) {
    return pad<axes, before, after>(std::forward<X>(x), value...);
  }
};
/// Pads one or several axes.
template <Axes axes, std::int64_t before, std::int64_t after, AnyShard X, class... V,
          WellFormed R =
              RegroupedShard<Regrouping<PadCall<axes, before, after>, AllBut<axes>, V...>, X&&>>
auto pad(X&& x, V... value) -> R {
  return apply_to_shards<R>(
      Regrouping<PadCall<axes, before, after>, AllBut<axes>, V...>{{value...}}, std::forward<X>(x));
}
template <
    Axes axes, std::int64_t before, std::int64_t after, AnyShard X, class... V,
    IllFormed R = RegroupedShard<Regrouping<PadCall<axes, before, after>, AllBut<axes>, V...>, X&&>>
auto pad(X&& x, V... value) -> R;

template <Axes axis>
struct RowCall : TakeName {
  template <class X, std::integral I>
  constexpr auto operator()(X&& x, I place) const
      -> decltype(take<axis>(std::forward<X>(x), place)) {
    return take<axis>(std::forward<X>(x), place);
  }
};
/// (Constrained: g++ 12 substitutes default arguments before it checks whether `I` is a position.)
template <Axes axis, AnyShard X, std::integral I>
using RowShard = RegroupedShard<Regrouping<RowCall<axis>, Without<axis>, I>, X>;
/// The entry at one position of an axis, which is removed.
template <Axes axis, AnyShard X, std::integral I, WellFormed R = RowShard<axis, X&&, I>>
auto take(X&& x, I place) -> R {
  return apply_to_shards<R>(Regrouping<RowCall<axis>, Without<axis>, I>{{place}},
                            std::forward<X>(x));
}
template <Axes axis, AnyShard X, std::integral I, IllFormed R = RowShard<axis, X&&, I>>
auto take(X&& x, I place) -> R;

template <Axes axis>
struct ConcatCall : ConcatName {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(concat<axis>(std::forward<X>(x)...)) {
    return concat<axis>(std::forward<X>(x)...);
  }
};
/// Concatenation along an axis. Other axes are sharded alike in all operands.
template <Axes axis, AnyShard... X,
          WellFormed R = RegroupedShard<Regrouping<ConcatCall<axis>, AllBut<axis>>, X&&...>>
auto concat(X&&... x) -> R {
  return apply_to_shards<R>(Regrouping<ConcatCall<axis>, AllBut<axis>>(), std::forward<X>(x)...);
}
template <Axes axis, AnyShard... X,
          IllFormed R = RegroupedShard<Regrouping<ConcatCall<axis>, AllBut<axis>>, X&&...>>
auto concat(X&&... x) -> R;
template <Axes axis, class... X, class R = OnNoMesh<ConcatName, X...>>
auto concat(X&&... x) -> R;

template <Spec axis>
struct StackCall : StackName {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(stack<axis>(std::forward<X>(x)...)) {
    return stack<axis>(std::forward<X>(x)...);
  }
};
/// Stacks along a new leading axis, which is not sharded.
template <Spec axis, AnyShard... X,
          WellFormed R = RegroupedShard<Regrouping<StackCall<axis>, AfterNew>, X&&...>>
auto stack(X&&... x) -> R {
  return apply_to_shards<R>(Regrouping<StackCall<axis>, AfterNew>(), std::forward<X>(x)...);
}
template <Spec axis, AnyShard... X,
          IllFormed R = RegroupedShard<Regrouping<StackCall<axis>, AfterNew>, X&&...>>
auto stack(X&&... x) -> R;
template <Spec axis, class... X, class R = OnNoMesh<StackName, X...>>
auto stack(X&&... x) -> R;

template <Axes axes>
struct SqueezeCall {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(squeeze<axes>(std::forward<X>(x))) {
    return squeeze<axes>(std::forward<X>(x));
  }
};
/// Removes axes of size 1.
template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedResult<SqueezeName, SqueezeCall<axes>, X&&>>
auto squeeze(X&& x) -> R {
  return over_shards<R>(SqueezeCall<axes>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedResult<SqueezeName, SqueezeCall<axes>, X&&>>
auto squeeze(X&& x) -> R;

template <Spec axis, int place>
struct UnsqueezeCall {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(unsqueeze<axis, place>(std::forward<X>(x))) {
    return unsqueeze<axis, place>(std::forward<X>(x));
  }
};
/// Adds an axis of size 1.
template <Spec axis, int place = 0, AnyShard X,
          WellFormed R = ShardedResult<UnsqueezeName, UnsqueezeCall<axis, place>, X&&>>
auto unsqueeze(X&& x) -> R {
  return over_shards<R>(UnsqueezeCall<axis, place>(), std::forward<X>(x));
}
template <Spec axis, int place = 0, AnyShard X,
          IllFormed R = ShardedResult<UnsqueezeName, UnsqueezeCall<axis, place>, X&&>>
auto unsqueeze(X&& x) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::concat;
using internal::flip;
using internal::pad;
using internal::roll;
using internal::slice;
using internal::squeeze;
using internal::stack;
using internal::take;
using internal::unsqueeze;
using internal::window;

}  // namespace tenon
