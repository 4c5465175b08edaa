#pragma once

#include <string_view>

#include <tenon/core/language/pattern.hpp>
#include <tenon/core/rules/choose.hpp>
#include <tenon/expr/view/views.hpp>

namespace tenon::internal {

struct RenameName {
  static constexpr std::string_view name = "rename";
  static constexpr std::string_view form = "rename<\"t -> key\">(x)";
};

/// A shape under new names, or the error in them.
struct Renaming {
  Shape shape{};
  std::array<bool, max_rank> done{};
  AxisSearch choice = AxisSearch::ok;
  FixedText text{};  ///< The name that is not chosen, or the mistake.

  constexpr bool ok() const { return text.empty(); }

  constexpr void refuse(FixedText const& why, AxisSearch how = AxisSearch::ok) {
    if (!ok()) return;
    choice = how;
    text = why;
  }

  /// Reads one name, or `_` for none.
  constexpr PatternWord name(PatternReader& reader, bool may_be_any) {
    PatternWord const word = reader.next();
    bool const plain = is_name(word.text);
    if (word.mark != PatternMark::word) refuse(missing("a name", word));
    else if (!plain) refuse(mistake_text({word.text, ": write a name"}));
    else if (!may_be_any && word.token.kind != TokenKind::name) refuse("_ is no name");
    return word;
  }

  /// Gives the axis `from` of the operand another name.
  constexpr void rename(Shape const& operand, std::string_view from, PatternWord const& to) {
    AxisChoice const chosen = choose_axes(operand, from);
    if (chosen.result != AxisSearch::ok) return refuse(chosen.culprit, chosen.result);
    auto const axis = static_cast<std::size_t>(chosen.axis());
    if (done[axis]) return refuse(mistake_text({from, " is renamed twice"}));
    done[axis] = true;
    shape[chosen.axis()].name = FixedText(to.token.kind == TokenKind::name ? to.text : "");
  }

  constexpr PatternMark pair(Shape const& operand, PatternReader& reader) {
    PatternWord const from = name(reader, false);
    if (PatternWord const arrow = reader.next(); arrow.mark != PatternMark::arrow) {
      refuse(missing("an arrow", arrow));
    }
    PatternWord const to = name(reader, true);
    if (ok()) rename(operand, from.text, to);
    PatternWord const next = reader.next();
    if (next.mark != PatternMark::comma && next.mark != PatternMark::end)
      refuse(missing("a comma", next));
    return next.mark;
  }
};

/// Sizes under the new names of the axes that bind them: `n+1` becomes `t+1` by `n -> t`.
struct RenamedSizes : ExtentAlgebra {
  Shape const* before = nullptr;
  Shape const* after = nullptr;

  constexpr AxisExtent name(std::string_view name) const {
    for (int i = 0; i < before->rank; ++i) {
      if (!(*before)[i].binds() || !(*before)[i].name.is(name)) continue;
      FixedText const& other = (*after)[i].name;
      return other.empty() ? unknown_extent() : name_extent(other.view());
    }
    return is_bound_in(*after, name) ? unknown_extent() : name_extent(name);
  }

  static constexpr bool is_bound_in(Shape const& shape, std::string_view name) {
    for (Axis const& axis : shape) {
      if (axis.binds() && axis.name.is(name)) return true;
    }
    return false;
  }
};

/// The axes under new names, sizes in names included.
constexpr Shape with_new_sizes(Shape const& before, Shape const& after) {
  Shape result{};
  for (Axis const& axis : after) {
    ExpressionReader<RenamedSizes> reader{axis.expression.view(), {{}, &before, &after}};
    bool const unrelated = axis.is_unrelated() && axis.name.empty();
    result[result.rank++] = unrelated            ? Axis{}
                            : axis.is_computed() ? resized(axis, reader.whole())
                                                 : axis;
  }
  return result;
}

/// The shape with the names that pairs such as `t -> key, h -> head` give, all at once.
constexpr Renaming renaming(std::string_view pairs, Shape const& operand) {
  PatternReader reader(pairs);
  Renaming result{};
  for (Axis const& axis : operand) result.shape[result.shape.rank++] = axis;
  while (result.ok() && result.pair(operand, reader) == PatternMark::comma) {
  }
  ResolvedAxes const resolved_axes = resolve(with_new_sizes(operand, result.shape));
  if (!resolved_axes.mistake.empty()) result.refuse(resolved_axes.mistake);
  result.shape = resolved_axes.shape;
  return result;
}

template <Spec pairs, class E>
struct RenameRule {
  static constexpr Renaming value = renaming(pairs.view(), E::shape);
  static constexpr Shape const& shape = value.shape;
  static constexpr AxisMap order = same_order(shape.rank);
  static constexpr FixedText text = value.text;
};

template <Spec pairs, class E>
constexpr auto rename_mistake() {
  using Rule = RenameRule<pairs, E>;
  if constexpr (Rule::value.ok()) return std::type_identity<void>{};
  else if constexpr (Rule::value.choice == AxisSearch::not_found)
    return std::type_identity<
        error::axis_is_not_found<spec_of_name<RenameName>, spec_of_text<Rule>, spec_of<E>>>{};
  else if constexpr (Rule::value.choice == AxisSearch::ambiguous)
    return std::type_identity<
        error::name_is_ambiguous<spec_of_name<RenameName>, spec_of_text<Rule>, spec_of<E>>>{};
  else
    return std::type_identity<error::pattern_does_not_fit<spec_of_name<RenameName>,
                                                          spec_of_text<Rule>, pairs, spec_of<E>>>{};
}

/// The error in new names for the axes of `X`, or `void`.
template <Spec pairs, Expression X>
using RenameMistake = typename decltype(rename_mistake<pairs, StoredOperand<X>>())::type;

/// `x` with other names for some axes: `rename<"t -> key, h -> head">(x)`; `t -> _` removes a name.
/// A tensor shares its elements, an expression stays lazy. PyTorch: `rename`.
template <Spec pairs, Expression X>
  requires std::is_void_v<RenameMistake<pairs, X&&>>
constexpr auto rename(X&& x) {
  return relabel<RenameRule<pairs, StoredOperand<X&&>>>(std::forward<X>(x));
}
template <Spec pairs, Expression X, class R = RenameMistake<pairs, X&&>>
  requires(!std::is_void_v<R>)
auto rename(X&& x) -> R;
template <Spec pairs>
struct RenameCall : RenameName {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(rename<pairs>(std::forward<X>(x)...)) {
    return rename<pairs>(std::forward<X>(x)...);
  }
};
template <Spec pairs, class... X>
  requires Dispatches<RenameCall<pairs>, X&&...>
auto rename(X&&... x) {
  return Dispatch<RenameCall<pairs>, X&&...>::of(std::forward<X>(x)...);
}
template <Spec pairs, class... X, class R = Refused<RenameCall<pairs>, X...>>
auto rename(X const&...) -> R;
template <class Name = RenameName, class R = PatternForm<Name>>
auto rename(AnyExpression, NumberOrText) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::rename;

}  // namespace tenon
