#pragma once

#include <initializer_list>
#include <string>

#include <tenon/core/config.hpp>
#include <tenon/core/rules/reshape.hpp>
#include <tenon/expr/gather/gather.hpp>

/// The same elements in the same order under other axes. A tensor shares its elements; an
/// expression is evaluated.
namespace tenon::internal {

struct ReshapeName {
  static constexpr std::string_view name = "reshape";
  static constexpr std::string_view form = "reshape<\"row=3 column=2\">(x)";
};
struct FlattenName {
  static constexpr std::string_view name = "flatten";
  static constexpr std::string_view form = "flatten<\"height width\">(x)";
};

/// A tensor with the dtype and the device of `E` and the shape of a rule.
template <class Rule, class E>
using TensorUnder = Tensor<typename E::value_type, spec_of<Rule>, typename E::device>;

template <Spec spec, class E, int sizes_given>
struct ReshapeRule {
  static constexpr Reshaping value = reshaping(spec.view(), E::shape, sizes_given);
  static constexpr Shape const& shape = value.shape;
  static constexpr FixedText text = value.mistake;
};

template <Spec spec, class E, int sizes_given>
constexpr auto reshape_type() {
  using Rule = ReshapeRule<spec, E, sizes_given>;
  if constexpr (Rule::value.fits()) return std::type_identity<TensorUnder<Rule, E>>{};
  else
    return std::type_identity<error::pattern_does_not_fit<spec_of_name<ReshapeName>,
                                                          spec_of_text<Rule>, spec, spec_of<E>>>{};
}
template <Spec spec, Expression X, class... I>
using Reshaped = typename decltype(reshape_type<spec, TensorOf<X>, int{sizeof...(I)}>())::type;

[[noreturn]] void fail_elements(Shape const& shape, std::int64_t expected, std::int64_t got);

/// The sizes of a reshaped tensor of `sizes`. Throws `ShapeError` where the numbers of elements
/// differ.
constexpr Sizes reshaped_sizes(Reshaping const& rule, Sizes const& sizes, int rank,
                               std::initializer_list<std::int64_t> given) {
  Sizes result = static_sizes(rule.shape);
  for (int i = 0; i < rule.shape.rank; ++i) {
    int const from = rule.from[static_cast<std::size_t>(i)];
    if (from >= 0) at(result, i) = at(sizes, from);
  }
  int next = 0;
  for (std::int64_t const size : given)
    at(result, rule.open[static_cast<std::size_t>(next++)]) = size;
  std::int64_t left = 1, others = 1;
  for (int i = 0; i < rank; ++i) left *= rule.takes(i) ? 1 : at(sizes, i);
  for (int i = 0; i < rule.shape.rank; ++i) {
    bool const own = rule.from[static_cast<std::size_t>(i)] < 0;
    others *= own && (given.size() > 0 || i != rule.rest()) ? at(result, i) : 1;
  }
  if (given.size() == 0 && rule.rest() >= 0 && others != 0)
    at(result, rule.rest()) = left / others, others *= left / others;
  if (others != left) fail_elements(rule.shape, others, left);
  return result;
}

/// The same elements in row-major order under the axes of a spec: `reshape<"a=2 b=3">(x)`. An axis
/// without a size keeps that of x's axis of its name; one more may be inferred, like -1 in NumPy:
/// `reshape<"batch p">(x)`; or all unknown sizes are given, `reshape<"a b">(x, 2, n)`. Throws
/// `ShapeError` where the numbers of elements differ. NumPy, PyTorch: `reshape`, `view`.
template <Spec spec, Expression X, std::integral... I,
          WellFormed Result = Reshaped<spec, X&&, I...>>
constexpr auto reshape(X&& x, I... open) -> Result {
  using Rule = ReshapeRule<spec, TensorOf<X>, int{sizeof...(I)}>;
  Sizes const sizes = reshaped_sizes(Rule::value, x.sizes(), Unqualified<X>::shape.rank,
                                     {static_cast<std::int64_t>(open)...});
  return reshaped<Result>(keep_value(std::forward<X>(x)), sizes);
}
template <Spec spec, Expression X, std::integral... I, IllFormed Result = Reshaped<spec, X&&, I...>>
auto reshape(X&& x, I... open) -> Result;
template <Spec, class... X, class R = Refused<ReshapeName, X...>>
auto reshape(X const&...) -> R;
template <class Name = ReshapeName, class R = PatternForm<Name>>
auto reshape(AnyExpression, NumberOrText, NumberOrText = 0, NumberOrText = 0) -> R;
template <Spec..., class Name = ReshapeName, class R = PatternForm<Name>>
auto reshape(AnyExpression, std::initializer_list<std::int64_t>) -> R;

/// The axes to merge: those of `Axes`, or `h w -> p` with the name of the result.
struct Flattening {
  AxisChoice chosen{};
  FixedText name{};
  FixedText mistake{};
};

constexpr Flattening flattening(Shape const& shape, Axes const& axes) {
  Flattening result{};
  std::string_view names = axes.names.view();
  if (std::size_t const arrow = names.find("->"); arrow != names.npos) {
    std::string_view rest = names.substr(arrow + 2);
    std::string_view const name = next_word(rest);
    if (!is_name(name) || !next_word(rest).empty()) result.mistake = "one name after the arrow";
    else result.name = FixedText(name);
    names = names.substr(0, arrow);
  }
  result.chosen = axes.by_index ? choose_axis(shape, axes.index) : choose_axes(shape, names);
  if (result.chosen.result != AxisSearch::ok) return result;
  int const first = result.chosen.axis();
  for (int i = first; i >= 0 && i < first + result.chosen.count; ++i) {
    if (i >= shape.rank || !result.chosen[i]) result.mistake = "the axes are not neighbours";
  }
  return result;
}

/// The axis of the elements of several: a single one is unchanged.
constexpr Axis flat_axis(Shape const& shape, Flattening const& rule) {
  AxisExtent product = number_extent(1);
  for (int i = 0; i < shape.rank; ++i) {
    if (rule.chosen[i]) product = product * symbolic_extent(shape[i]);
  }
  Axis const axis = rule.chosen.count == 1 ? shape[rule.chosen.axis()] : axis_of(product);
  return rule.name.empty() ? axis : named_axis(rule.name.view(), axis.size);
}

constexpr Shape flattened_shape(Shape const& shape, Flattening const& rule) {
  Shape result{};
  AxisMap to = no_axes();
  int const first = rule.chosen.axis();
  if (first < 0) result[result.rank++] = flat_axis(shape, rule);
  for (int i = 0; i < shape.rank; ++i) {
    if (i == first) result[result.rank++] = flat_axis(shape, rule);
    if (rule.chosen[i]) continue;
    to[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(result.rank);
    result[result.rank++] = shape[i];
  }
  return resolve(without_captures(result, shape, to)).shape;
}

template <Axes axes, class E>
struct FlattenRule {
  static constexpr Flattening value = flattening(E::shape, axes);
  static constexpr bool ok = value.chosen.result == AxisSearch::ok && value.mistake.empty();
  static constexpr Shape shape = ok ? flattened_shape(E::shape, value) : Shape{};
  static constexpr FixedText text = value.mistake.empty() ? value.chosen.culprit : value.mistake;
};

template <Axes axes, class E>
constexpr auto flatten_type() {
  using Rule = FlattenRule<axes, E>;
  constexpr AxisSearch choice = Rule::value.chosen.result;
  if constexpr (Rule::ok) return std::type_identity<TensorUnder<Rule, E>>{};
  else if constexpr (choice == AxisSearch::ok)
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<FlattenName>, spec_of_text<Rule>, spec_of_text<NamesOf<axes>>, spec_of<E>>>{};
  else if constexpr (choice == AxisSearch::ambiguous)
    return std::type_identity<
        error::name_is_ambiguous<spec_of_name<FlattenName>, spec_of_text<Rule>, spec_of<E>>>{};
  else
    return std::type_identity<
        error::axis_is_not_found<spec_of_name<FlattenName>, spec_of_text<Rule>, spec_of<E>>>{};
}
template <Axes axes, Expression X>
using Flattened = typename decltype(flatten_type<axes, TensorOf<X>>())::type;

/// Adjacent axes merged: all, `flatten(x)`, or some, `flatten<"h w">(x)`, with a name if one is
/// given, `flatten<"h w -> p">(x)`; else the axis is "h*w", or its number. PyTorch: `flatten`.
/// NumPy: `ravel`.
template <Axes axes = every, Expression X, WellFormed Result = Flattened<axes, X&&>>
constexpr auto flatten(X&& x) -> Result {
  constexpr AxisChoice chosen = FlattenRule<axes, TensorOf<X>>::value.chosen;
  Sizes const from = x.sizes();
  Sizes sizes = unit_sizes();
  for (int i = 0, to = 0; i < Unqualified<X>::shape.rank; ++i) {
    bool const goes_on = chosen[i] && i > chosen.axis();
    to += i == 0 || goes_on ? 0 : 1;
    at(sizes, to) *= at(from, i);
  }
  return reshaped<Result>(keep_value(std::forward<X>(x)), sizes);
}
template <Axes axes = every, Expression X, IllFormed Result = Flattened<axes, X&&>>
auto flatten(X&& x) -> Result;
template <Axes = every, class X, class R = Refused<FlattenName, X>>
auto flatten(X const&) -> R;
template <class Name = FlattenName, class R = AxisForm<Name>>
auto flatten(AnyExpression, NumberOrText, NumberOrText = 0) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::flatten;
using internal::reshape;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

[[noreturn]] TENON_RUNTIME void fail_elements(Shape const& shape, std::int64_t expected,
                                              std::int64_t got) {
  fail<ShapeError>({ReshapeName::name,
                    {},
                    std::to_string(expected) + " elements",
                    std::to_string(got),
                    "\"" + std::string(format(shape).view()) + "\""});
}

}  // namespace tenon::internal

#endif
