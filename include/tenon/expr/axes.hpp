#pragma once

#include <cstdint>

#include <tenon/core/language/text.hpp>
#include <tenon/core/mistake.hpp>
#include <tenon/core/rules/choose.hpp>
#include <tenon/tensor/expression.hpp>

namespace tenon {

/// Axes as a template argument: `sum<"height width">`, `sum<-1>`, `sum` (all).
struct Axes {
  FixedText names{};
  int index = 0;
  bool by_index = false;

  constexpr Axes() = default;
  constexpr Axes(char const* text) : names(text) {}
  constexpr Axes(int axis) : index(axis), by_index(true) {}
};

/// All axes. (A name: g++ 12 cannot build the default of a template parameter in a lambda.)
inline constexpr Axes every{};

constexpr AxisChoice choose(Shape const& shape, Axes const& axes) {
  return axes.by_index ? choose_axis(shape, axes.index) : choose_axes(shape, axes.names.view());
}

/// The axes that `A` chooses in `E`.
template <Axes A, class E>
struct Chosen {
  static constexpr AxisChoice value = choose(E::shape, A);
  static constexpr bool ok = value.result == AxisSearch::ok;
  static constexpr FixedText text = value.culprit;
};

/// Can the axes be chosen in `X`?
template <Axes axes, class X>
concept HasAxes = Expression<X> && Chosen<axes, Unqualified<X>>::ok;

/// Names the axis that cannot be chosen; `Op` has a name.
template <class Op, Axes A, class E>
constexpr auto choice_mistake() {
  if constexpr (Chosen<A, E>::value.result == AxisSearch::ambiguous)
    return std::type_identity<
        error::name_is_ambiguous<spec_of_name<Op>, spec_of_text<Chosen<A, E>>, spec_of<E>>>{};
  else
    return std::type_identity<
        error::axis_is_not_found<spec_of_name<Op>, spec_of_text<Chosen<A, E>>, spec_of<E>>>{};
}

template <class Op, Axes A, class E>
using ChoiceMistake = typename decltype(choice_mistake<Op, A, E>())::type;

}  // namespace tenon
