#pragma once

#include <string_view>
#include <type_traits>

#include <tenon/expr/create/create.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/map/functions.hpp>

namespace tenon::internal {

struct OneHotName {
  static constexpr std::string_view name = "one_hot";
  static constexpr std::string_view form = "one_hot<\"digit=10\">(labels)";
};

/// Ids with a new last axis, along which they are repeated.
template <Spec axis, class Ids>
struct OneHotRule {
  static constexpr Parsed word = parse(axis.view());
  static constexpr bool one_axis = word.ok() && word.shape.rank == 1;
  static constexpr bool has_room = Ids::shape.rank < max_rank;
  static constexpr bool fits = one_axis && has_room;
  static constexpr Axis added = one_axis ? word.shape[0] : Axis{};
  static constexpr Shape shape = fits ? inserted(Ids::shape, Ids::shape.rank, added) : Shape{};
  static constexpr AxisMap order = same_order(Ids::shape.rank);
  static constexpr FixedText text = !word.ok()  ? "the new axis is malformed"
                                    : !one_axis ? "the new axis is one axis"
                                                : "a tensor has at most eight axes";
  /// The positions along the new axis, without a name.
  struct Places {
    static constexpr Shape shape = inserted(Shape{}, 0, added.is_static() ? added : Axis{});
  };
};

/// `void`, or the name of the reason why ids cannot be one-hot encoded along a new axis.
template <Spec axis, class Ids, class... I>
constexpr auto one_hot_mistake() {
  using Rule = OneHotRule<axis, Ids>;
  if constexpr (!IntegerType<typename Ids::value_type>) return dtype_mistake<OneHotName, Ids>();
  else if constexpr (!Rule::fits)
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<OneHotName>, spec_of_text<Rule>, axis, spec_of<Ids>>>{};
  else if constexpr (dynamic_axes(Rule::word.shape) != sizeof...(I))
    return std::type_identity<error::wrong_number_of_sizes<
        spec_of_name<OneHotName>, axis, dynamic_axes(Rule::word.shape), int{sizeof...(I)}>>{};
  else return std::type_identity<void>{};
}

template <Spec axis, Expression X, class... I>
using OneHotMistake = typename decltype(one_hot_mistake<axis, TensorOf<X>, I...>())::type;

/// Ones at the ids along a new last axis, zeros elsewhere: `one_hot<"digit=10">(labels)`, of
/// "batch" "batch digit=10"; as float32, or `one_hot<"digit=10", T>`. A size known at run time
/// follows: `one_hot<"digit">(labels, 10)`. Throws `IndexError`. PyTorch: `one_hot`.
template <Spec axis, class T = float, Expression X, std::integral... I>
  requires std::is_void_v<OneHotMistake<axis, X, I...>>
constexpr auto one_hot(X&& ids, I... size) {
  using Rule = OneHotRule<axis, TensorOf<X>>;
  using Places = Tensor<std::int32_t, spec_of<typename Rule::Places>, typename TensorOf<X>::device>;
  auto const places = iota<Places>(size...);
  auto const value = keep_value(std::forward<X>(ids));
  check_ids(OneHotName::name, value, places.size());
  Sizes sizes = value.sizes();
  at(sizes, Rule::shape.rank - 1) = places.size();
  return to<T>(index_map<Rule>(value, sizes) == places);
}
template <Spec axis, class T = float, Expression X, std::integral... I,
          class R = OneHotMistake<axis, X, I...>>
  requires(!std::is_void_v<R>)
auto one_hot(X&& ids, I... size) -> R;
template <Spec, class T = float, class... X, class R = Refused<OneHotName, X...>>
auto one_hot(X const&...) -> R;
template <class Name = OneHotName, class R = AxisForm<Name>>
auto one_hot(AnyExpression, NumberOrText = 0) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::one_hot;

}  // namespace tenon
