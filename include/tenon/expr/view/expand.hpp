#pragma once

#include <concepts>

#include <tenon/expr/create/create.hpp>
#include <tenon/expr/view/rearrange.hpp>
#include <tenon/expr/view/views.hpp>

/// Expanding, squeezing and unsqueezing of axes, without a copy.
namespace tenon::compile_error {

/// Only an axis of static size 1 can be dropped: the operation, the axis, the shape.
template <Spec Operation, Spec Axis, Spec Shape>
struct axis_is_not_one;

}  // namespace tenon::compile_error

namespace tenon::internal {

struct ExpandName {
  static constexpr std::string_view name = "expand";
  static constexpr std::string_view form = "expand<\"batch n\">(x, 4)";
};
struct SqueezeName {
  static constexpr std::string_view name = "squeeze";
};
struct UnsqueezeName {
  static constexpr std::string_view name = "unsqueeze";
};

/// The alignment of a shape with a larger one.
struct Expansion {
  Shape shape{};
  AxisMap order = no_axes();  ///< For each axis of the result that of the operand, or -1.
  int open = 0;               ///< Run-time axes that the operand does not have.
  FixedText mistake{};
};

constexpr Expansion expansion(std::string_view spec, Shape const& operand) {
  Expansion result{};
  Parsed const parsed = parse(spec);
  if (!parsed.ok()) result.mistake = mistake_text({parsed.culprit, ": ", parsed.mistake});
  else if (parsed.shape.rank < operand.rank) result.mistake = "fewer axes than there are";
  if (!result.mistake.empty()) return result;
  Broadcast<2> const aligned = broadcast_shapes(parsed.shape, operand);
  if (!aligned.fits || aligned.shape.rank != parsed.shape.rank) {
    result.mistake = "the axes do not align";
    return result;
  }
  for (int i = 0; i < parsed.shape.rank; ++i) {
    int const from = position_of(aligned.maps[1], i);
    result.order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(from);
    if (parsed.shape[i].is_one() && !aligned.shape[i].is_one()) result.mistake = "an axis shrinks";
    if (from < 0 && !aligned.shape[i].is_static()) ++result.open;
    result.shape[result.shape.rank++] = aligned.shape[i];
  }
  return result;
}

template <Spec spec, class E>
struct ExpandRule {
  static constexpr Expansion value = expansion(spec.view(), E::shape);
  static constexpr Shape const& shape = value.shape;
  static constexpr AxisMap order = value.order;
  static constexpr FixedText text =
      value.mistake.empty() ? FixedText("another number of new axes") : value.mistake;
};

template <Spec spec, int sizes, class E>
constexpr auto expand_mistake() {
  using Rule = ExpandRule<spec, E>;
  if constexpr (Rule::value.mistake.empty() && Rule::value.open == sizes)
    return std::type_identity<void>{};
  else
    return std::type_identity<error::pattern_does_not_fit<spec_of_name<ExpandName>,
                                                          spec_of_text<Rule>, spec, spec_of<E>>>{};
}
template <Spec spec, Expression X, class... I>
using ExpandMistake =
    typename decltype(expand_mistake<spec, int{sizeof...(I)}, StoredOperand<X>>())::type;

/// `x` repeated along new axes, and those of size 1, to the axes of a spec: `expand<"batch=4
/// n">(x)`. The sizes of new run-time axes are given in order. Nothing is copied. Throws
/// `ShapeError`. PyTorch: `expand`. NumPy: `broadcast_to`.
template <Spec spec, Expression X, std::integral... I>
  requires std::is_void_v<ExpandMistake<spec, X&&, I...>>
constexpr auto expand(X&& x, I... open) {
  using Rule = ExpandRule<spec, StoredOperand<X&&>>;
  std::array<std::int64_t, sizeof...(I) + 1> const given{static_cast<std::int64_t>(open)..., 0};
  Sizes const from = x.sizes();
  Sizes sizes = static_sizes(Rule::shape);
  std::size_t next = 0;
  for (int i = 0; i < Rule::shape.rank; ++i) {
    int const axis = Rule::order[static_cast<std::size_t>(i)];
    if (axis >= 0) at(sizes, i) = at(from, axis);
    else if (!Rule::shape[i].is_static()) at(sizes, i) = given[next++];
  }
  check_sizes(ExpandName::name, Rule::shape, sizes);
  return index_map<Rule>(std::forward<X>(x), sizes);
}
template <Spec spec, Expression X, std::integral... I, class R = ExpandMistake<spec, X&&, I...>>
  requires(!std::is_void_v<R>)
auto expand(X&& x, I... open) -> R;
template <Spec, class... X, class R = Refused<ExpandName, X...>>
auto expand(X const&...) -> R;
template <class Name = ExpandName, class R = PatternForm<Name>>
auto expand(AnyExpression, NumberOrText, NumberOrText = 0, NumberOrText = 0) -> R;

/// `E` with axes of size 1 added or removed: a tensor shares its elements, an expression stays
/// lazy.
template <class Rule, class X>
constexpr auto resized(X&& x) {
  using E = StoredOperand<X&&>;
  Sizes const sizes = view_sizes(x.sizes(), Rule::order, Rule::shape.rank);
  if constexpr (TensorType<E>) return reshaped<TensorBy<Rule, E>>(hold(std::forward<X>(x)), sizes);
  else return index_map<Rule>(std::forward<X>(x), sizes);
}

/// The axes to drop: those chosen, or all of size 1; and the first that is not of size 1.
template <Axes axes, class E>
struct SqueezeRule {
  static constexpr bool all = axes.names.empty() && !axes.by_index;
  static constexpr bool drops(int axis) {
    return all ? E::shape[axis].is_one() : Chosen<axes, E>::value[axis];
  }
  static constexpr int culprit = [] {
    for (int i = 0; i < E::shape.rank; ++i) {
      if (drops(i) && !E::shape[i].is_one()) return i;
    }
    return -1;
  }();
  static constexpr AxisMap order = [] {
    AxisMap map = no_axes();
    for (int i = 0, to = 0; i < E::shape.rank; ++i) {
      if (!drops(i)) map[static_cast<std::size_t>(to++)] = static_cast<std::int8_t>(i);
    }
    return map;
  }();
  static constexpr Shape shape = [] {
    Shape result{};
    for (int i = 0; i < E::shape.rank; ++i) {
      if (!drops(i)) result[result.rank++] = E::shape[i];
    }
    return result;
  }();
};

template <Axes axes, class E>
constexpr auto squeeze_mistake() {
  if constexpr (!Chosen<axes, E>::ok)
    return std::type_identity<ChoiceMistake<SqueezeName, axes, E>>{};
  else if constexpr (SqueezeRule<axes, E>::culprit < 0) return std::type_identity<void>{};
  else
    return std::type_identity<error::axis_is_not_one<
        spec_of_name<SqueezeName>, spec_of_axis<E, SqueezeRule<axes, E>::culprit>, spec_of<E>>>{};
}
template <Axes axes, Expression X>
using SqueezeMistake = typename decltype(squeeze_mistake<axes, StoredOperand<X>>())::type;

/// `x` without some axes, which are of static size 1; by default all such. PyTorch, NumPy:
/// `squeeze`.
template <Axes axes = every, Expression X>
  requires std::is_void_v<SqueezeMistake<axes, X&&>>
constexpr auto squeeze(X&& x) {
  return resized<SqueezeRule<axes, StoredOperand<X&&>>>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, class R = SqueezeMistake<axes, X&&>>
  requires(!std::is_void_v<R>)
auto squeeze(X&& x) -> R;
template <Axes axes>
struct SqueezeCall : SqueezeName {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(squeeze<axes>(std::forward<X>(x)...)) {
    return squeeze<axes>(std::forward<X>(x)...);
  }
};
template <Axes axes = every, class... X>
  requires Dispatches<SqueezeCall<axes>, X&&...>
auto squeeze(X&&... x) {
  return Dispatch<SqueezeCall<axes>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axes = every, class... X, class R = Refused<SqueezeCall<axes>, X...>>
auto squeeze(X const&...) -> R;
template <class Name = SqueezeName, class R = AxisForm<Name>>
auto squeeze(AnyExpression, NumberOrText) -> R;

/// A new axis: its name, "" for none, and its position.
template <Spec axis, int place, class E>
struct UnsqueezeRule {
  static constexpr int to = place < 0 ? place + E::shape.rank + 1 : place;
  static constexpr bool is_name = axis.view().empty() || tenon::internal::is_name(axis.view());
  static constexpr bool fits =
      is_name && E::shape.rank < max_rank && to >= 0 && to <= E::shape.rank;
  static constexpr Shape shape =
      fits ? inserted(E::shape, to, named_axis(axis.view(), 1)) : Shape{};
  static constexpr AxisMap order = [] {
    AxisMap map = no_axes();
    for (int i = 0; fits && i < E::shape.rank; ++i)
      map[static_cast<std::size_t>(i < to ? i : i + 1)] = static_cast<std::int8_t>(i);
    return map;
  }();
  static constexpr FixedText text = !is_name                    ? "the new axis is one name"
                                    : E::shape.rank == max_rank ? "a tensor has at most eight axes"
                                                                : "no place for a new axis";
};

template <Spec axis, int place, class E>
constexpr auto unsqueeze_mistake() {
  using Rule = UnsqueezeRule<axis, place, E>;
  if constexpr (Rule::fits) return std::type_identity<void>{};
  else
    return std::type_identity<error::pattern_does_not_fit<spec_of_name<UnsqueezeName>,
                                                          spec_of_text<Rule>, axis, spec_of<E>>>{};
}
template <Spec axis, int place, Expression X>
using UnsqueezeMistake =
    typename decltype(unsqueeze_mistake<axis, place, StoredOperand<X>>())::type;

/// `x` with a new axis of size 1 at a position, by default the first; a negative one counts from
/// the end: `unsqueeze<"batch">(x)`, `unsqueeze<"c", -1>(x)`, without a name `unsqueeze<-1>(x)`.
/// PyTorch: `unsqueeze`. NumPy: `expand_dims`, `x[:, None]`.
template <Spec axis, int place = 0, Expression X>
  requires std::is_void_v<UnsqueezeMistake<axis, place, X&&>>
constexpr auto unsqueeze(X&& x) {
  return resized<UnsqueezeRule<axis, place, StoredOperand<X&&>>>(std::forward<X>(x));
}
template <Spec axis, int place = 0, Expression X, class R = UnsqueezeMistake<axis, place, X&&>>
  requires(!std::is_void_v<R>)
auto unsqueeze(X&& x) -> R;
template <int place, Expression X>
constexpr auto unsqueeze(X&& x) -> decltype(unsqueeze<"", place>(std::forward<X>(x))) {
  return unsqueeze<"", place>(std::forward<X>(x));
}
template <Spec axis, int place>
struct UnsqueezeCall : UnsqueezeName {
  template <class... X>
  constexpr auto operator()(X&&... x) const
      -> decltype(unsqueeze<axis, place>(std::forward<X>(x)...)) {
    return unsqueeze<axis, place>(std::forward<X>(x)...);
  }
};
template <Spec axis, int place = 0, class... X>
  requires Dispatches<UnsqueezeCall<axis, place>, X&&...>
auto unsqueeze(X&&... x) {
  return Dispatch<UnsqueezeCall<axis, place>, X&&...>::of(std::forward<X>(x)...);
}
template <Spec axis, int place = 0, class... X, class R = Refused<UnsqueezeCall<axis, place>, X...>>
auto unsqueeze(X const&...) -> R;
template <class Name = UnsqueezeName, class R = AxisForm<Name>>
auto unsqueeze(AnyExpression, NumberOrText = 0) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::expand;
using internal::squeeze;
using internal::unsqueeze;

}  // namespace tenon
