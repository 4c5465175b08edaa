#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <tenon/core/error.hpp>
#include <tenon/core/language/text.hpp>
#include <tenon/core/mistake.hpp>
#include <tenon/core/rules/choose.hpp>
#include <tenon/expr/wrong_form.hpp>
#include <tenon/tensor/expression.hpp>

namespace tenon::internal {

/// Axes as a template argument: `sum<"height width">`, `sum<-1>`, `sum` (all).
struct Axes {
  FixedText names{};
  int index = 0;
  bool by_index = false;
  bool is_rest = false;  ///< All axes but these.

  constexpr Axes() = default;
  constexpr Axes(char const* text) : names(text) {}
  constexpr Axes(int axis) : index(axis), by_index(true) {}
  /// A spec of names, as a template has it for a parameter; the spaces at its end are dropped.
  template <std::size_t N>
  constexpr Axes(Spec<N> const& spec) : names(without_spaces_behind(spec.view())) {}
};

}  // namespace tenon::internal

namespace tenon::compile_error {

/// Positions are `int32`: the operation, the shape, and the largest number of elements.
template <Spec Operation, Spec Shape, std::int64_t Most>
struct too_many_positions;

}  // namespace tenon::compile_error

namespace tenon::internal {

/// All axes. (A named constant: g++ 12 cannot construct the default of a template parameter in a
/// lambda.)
inline constexpr Axes every{};

/// All axes but those of `names`.
constexpr Axes all_but(std::string_view names) {
  Axes result{};
  result.names = FixedText(names);
  result.is_rest = true;
  return result;
}

constexpr AxisChoice choose(Shape const& shape, Axes const& axes) {
  if (axes.by_index) return choose_axis(shape, axes.index);
  AxisChoice const chosen = choose_axes(shape, axes.names.view());
  return axes.is_rest && chosen.result == AxisSearch::ok ? others(shape, chosen) : chosen;
}

/// The axes of `E` that `A` selects.
template <Axes A, class E>
struct Chosen {
  static constexpr AxisChoice value = choose(E::shape, A);
  static constexpr bool ok = value.result == AxisSearch::ok;
  static constexpr FixedText text = value.culprit;
};

/// Whether `X` has the axes.
template <Axes axes, class X>
concept HasAxes = Expression<X> && Chosen<axes, Unqualified<X>>::ok;

/// Names the axis that cannot be selected; `Op` has a name.
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

/// The largest number of elements whose positions fit `int32`.
inline constexpr std::int64_t most_positions = (std::numeric_limits<std::int32_t>::max)();

/// Whether the positions along the chosen axes fit `int32`. Sizes known at run time count as 1.
constexpr bool has_positions(Sizes const& sizes, int rank, AxisChoice const& chosen) {
  std::int64_t number = 1;
  for (int i = 0; i < rank; ++i) {
    std::int64_t const size = chosen[i] ? sizes[static_cast<std::size_t>(i)] : 1;
    if (size == 0) return true;
    if (size == dynamic || number > most_positions) continue;
    number = size > most_positions ? size : number * size;
  }
  return number <= most_positions;
}
constexpr bool has_positions(Shape const& shape, AxisChoice const& chosen) {
  Sizes sizes = unit_sizes();
  for (int i = 0; i < shape.rank; ++i) sizes[static_cast<std::size_t>(i)] = shape[i].size;
  return has_positions(sizes, shape.rank, chosen);
}

template <class Name, class E>
using TooManyPositions = error::too_many_positions<spec_of_name<Name>, spec_of<E>, most_positions>;

/// Throws `ShapeError` where the positions along `A` do not fit `int32`.
template <class Name, Axes A, class E>
constexpr void check_positions(E const& x) {
  if (has_positions(x.sizes(), E::shape.rank, Chosen<A, E>::value)) return;
  std::string const most = "at most " + std::to_string(most_positions) + " elements";
  fail<ShapeError>({Name::name, {}, most, "more", A.names.view()});
}

}  // namespace tenon::internal
