#pragma once

#include <concepts>
#include <utility>

#include <tenon/distributed/sharding/propagation_rules.hpp>

/// Sharding propagation: the sharding of an expression over `AbstractOperand` operands, from its
/// type.
namespace tenon::internal {

/// The reduction over ranks that completes a local reduction; none for argmax and argmin.
template <class Op>
constexpr Reduction reduction_of() {
  Reduction found = Reduction::none;
  auto const look = [&]<Reduction... one>(std::integer_sequence<Reduction, one...>) {
    ((std::same_as<Op, typename ReductionFold<one>::type> ? void(found = one) : void()), ...);
  };
  using enum Reduction;
  look(std::integer_sequence<Reduction, sum, prod, max, min, any, all>());
  return found;
}

/// A node without a rule: valid only if no operand is sharded.
template <class E>
struct PropagateSharding {
  static constexpr PropagatedSharding of(PropagatedSharding const*) {
    return propagation_error(DivisionMistake::unknown, "recipe");
  }
};

template <int i, class T, Spec S, class D>
struct PropagateSharding<AbstractOperand<i, T, S, D>> {
  static constexpr PropagatedSharding of(PropagatedSharding const* operands) { return operands[i]; }
};

template <class T>
struct PropagateSharding<ConstantNode<T>> {
  static constexpr PropagatedSharding of(PropagatedSharding const*) { return {}; }
};

template <class Op, class... E>
struct PropagateSharding<Elementwise<Op, E...>> {
  static constexpr PropagatedSharding of(PropagatedSharding const* operands) {
    return propagate_elementwise<sizeof...(E)>(Op::name, MapAlignment<E...>::value, {&E::shape...},
                                               {PropagateSharding<E>::of(operands)...});
  }
};

template <class Op, class E, AxisBits axes, bool keeps>
struct PropagateSharding<ReductionNode<Op, E, axes, keeps>> {
  static constexpr PropagatedSharding of(PropagatedSharding const* operands) {
    return propagate_reduction(Op::name, reduction_of<Op>(), E::shape, axes, keeps,
                               PropagateSharding<E>::of(operands));
  }
};

template <class E, PackedMap order, Spec S>
struct PropagateSharding<IndexMap<E, order, S>> {
  static constexpr PropagatedSharding of(PropagatedSharding const* operands) {
    return propagate_view(E::shape, ShapeOf<S>::shape, unpacked(order),
                          PropagateSharding<E>::of(operands));
  }
};

template <class A, class B, class Rule>
struct PropagateSharding<Contract<A, B, Rule>> {
  static constexpr PropagatedSharding of(PropagatedSharding const* operands) {
    return propagate_contraction(Rule::name, Rule::contraction, A::shape,
                                 PropagateSharding<A>::of(operands), B::shape,
                                 PropagateSharding<B>::of(operands));
  }
};

}  // namespace tenon::internal
