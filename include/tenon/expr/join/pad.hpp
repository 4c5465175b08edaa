#pragma once

#include <tenon/core/rules/join.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/move/moves.hpp>

namespace tenon {

struct PadName {
  static constexpr std::string_view name = "pad";
};

template <Axes axes, std::int64_t before, std::int64_t after, class E>
struct PadRule {
  static constexpr int axis = Chosen<axes, E>::value.axis();
  static constexpr Shape shape = with_axis(E::shape, axis, plus(E::shape[axis], before + after));
};

template <Axes axes, std::int64_t before, std::int64_t after, class E>
constexpr auto pad_type() {
  static_assert(before >= 0 && after >= 0, "tenon::pad: a negative number; slice cuts");
  using T = typename E::value_type;
  using mistake = typename decltype(axes_mistake<PadName, axes, 1, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else
    return std::type_identity<
        Tensor<T, spec_of<PadRule<axes, before, after, E>>, typename E::device>>{};
}

/// The tensor that `pad` gives, or an undefined type that names the mistake.
template <Axes axes, std::int64_t before, std::int64_t after, Expression X>
using Padded = typename decltype(pad_type<axes, before, after, Held<X>>())::type;

/// `x` with `before` and `after` more entries at the ends of an axis, which are `value`: "t"
/// becomes "t+2" by `pad<"t", 1, 1>(x)`. PyTorch: `pad`.
template <Axes axis, std::int64_t before, std::int64_t after, Expression X,
          class V = typename Unqualified<X>::value_type>
  requires std::constructible_from<typename Unqualified<X>::value_type, V>
constexpr auto pad(X&& x, V value = {}) -> Padded<axis, before, after, X&&> {
  using R = Padded<axis, before, after, X&&>;
  using Rule = PadRule<axis, before, after, Held<X&&>>;
  using T = typename R::value_type;
  Sizes sizes = x.sizes();
  at(sizes, Rule::axis) += before + after;
  R result = R::uninitialised(sizes);
  std::fill_n(result.mutable_data(), result.size(), static_cast<T>(value));
  std::array<ElementIndex, 1> starts{};
  at(starts[0], Rule::axis) = before;
  return assembled(std::move(result), starts, 0, hold(std::forward<X>(x)));
}
template <Axes, std::int64_t, std::int64_t, class... X>
auto pad(X const&...) -> FirstMistake<X...>;

}  // namespace tenon
