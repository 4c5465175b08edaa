#pragma once

#include <string_view>

#include <tenon/op/partials.hpp>

namespace tenon::op {

/// Whether values of dtype `From` can be cast to dtype `To`. Complex numbers do not cast to real
/// ones.
template <class To, class From>
concept CastsTo = ShapedType<To> && (ComplexType<To> || BoolType<To> || !ComplexType<From>);

/// The value in another dtype. Its partial is `One` between floating dtypes: the adjoint, a `To`,
/// passes unchanged and is converted where it is added to one of the argument's dtype.
template <class To>
struct Cast {
  static constexpr std::string_view name = "to";
  template <class V>
    requires CastsTo<To, scalar_of<V>>
  static constexpr auto f(V x) {
    return convert<To>(x);
  }
  template <class V, class W>
  static constexpr auto d(V, W) {
    if constexpr (HasAdjoint<V> && HasAdjoint<W>) return partials(One{});
    else return partials(Zero{});
  }
};

/// An adjoint in the dtype of an operand. Of a complex one the real part passes to a real operand.
template <class To, class V>
TENON_INLINE constexpr auto adjoint_as(V const& adjoint) {
  if constexpr (std::is_same_v<To, scalar_of<V>>) return adjoint;
  else if constexpr (ComplexValue<V> && !ComplexType<To>)
    return Cast<To>::f(by_element([](auto z) { return z.real(); }, adjoint));
  else return Cast<To>::f(adjoint);
}

/// The value as `float` after rounding to a 16-bit dtype.
template <class To>
struct RoundTo {
  static constexpr std::string_view name = "to";
  template <class V>
  static constexpr auto f(V x) {
    return convert<float>(convert<To>(x));
  }
  template <class V, class W>
  static constexpr auto d(V, W) {
    return partials(One{});
  }
};

}  // namespace tenon::op
