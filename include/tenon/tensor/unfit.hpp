#pragma once

#include <tenon/core/mistake.hpp>
#include <tenon/tensor/expression.hpp>

/// The error where a value cannot be stored in a declared tensor.
namespace tenon::internal {

struct AssignName {
  static constexpr std::string_view name = "assign";
};

/// Names the pair of axes in which a value does not fit its target.
template <class Name, class Rule, class V>
constexpr auto assignment_mistake() {
  constexpr int axis = [] {
    int i = 0;
    while (i < Rule::shape.rank && agree(Rule::shape[i], V::shape[i])) ++i;
    return i;
  }();
  if constexpr (Rule::shape.rank != V::shape.rank)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<Name>, spec_of<Rule>, spec_of<V>>>{};
  else
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<Name>, spec_of_axis<Rule, axis>, spec_of_axis<V, axis>,
                               spec_of<Rule>, spec_of<V>>>{};
}

/// Names the reason why a value of `From` cannot be stored in a `To`: another device, dtype or
/// axes.
template <class To, class From>
constexpr auto unfit_value() {
  using D = typename From::device;
  using T = typename To::value_type;
  using U = typename From::value_type;
  if constexpr (!std::same_as<D, AnyDevice> && !std::same_as<D, typename To::device>)
    return std::type_identity<error::devices_differ<
        spec_of_name<AssignName>, spec_of_name<typename To::device>, spec_of_name<D>>>{};
  else if constexpr (!std::same_as<T, U>)
    return std::type_identity<
        error::dtypes_differ<spec_of_name<AssignName>, spec_of_dtype<T>, spec_of_dtype<U>>>{};
  else return assignment_mistake<AssignName, To, From>();
}

/// That error as a type; none where the value fits.
template <class To, class From>
struct UnfitValue {};
template <class To, ExpressionType From>
  requires(!Assignable<To, From>)
struct UnfitValue<To, From> {
  using type = typename decltype(unfit_value<To, From>())::type;
};

}  // namespace tenon::internal
