#pragma once

#include <tenon/backend/codegen/node/node.hpp>
#include <tenon/ir/leaf_access.hpp>

/// What the description of a node says for the text of kernels: the bodies of its op and, if
/// `with_backward`, of its derivative.
namespace tenon::internal::codegen {

template <class T>
Value cast_to_index(Value const& id) {
  return value_of(convert<std::int64_t>(symbol_of<T>(id)));
}
template <class T>
Value multiplied(Value const& a, Value const& b) {
  return value_of(symbol_of<T>(a) * symbol_of<T>(b));
}

template <class T>
inline constexpr NodeText text_of_value{&dtype_of<T>};
template <bool with_backward, class Op, class R, class... T>
inline constexpr NodeText text_of_map{&dtype_of<R>, &map_op<with_backward, Op, R, T...>};
template <class Op, class R, class T>
inline constexpr NodeText text_of_reduction{&dtype_of<R>, nullptr, &ReductionOpOf<Op, T>::value};
template <class T, class Id>
inline constexpr NodeText text_of_gather{&dtype_of<T>, nullptr, nullptr, &cast_to_index<Id>};
template <class T>
inline constexpr NodeText text_of_product{
    &dtype_of<T>, nullptr, &ReductionOpOf<op::SumReduction, T>::value, nullptr, &multiplied<T>};

/// The columns of the text of kernels (see `ir/describe.hpp`).
template <bool with_backward>
struct Columns : ir::PlanColumns {
  template <class Op, class R, class... T>
  static constexpr void map(NodeType& type) {
    type.text = &text_of_map<with_backward, Op, R, T...>;
  }
  template <class Op, class R, class T>
  static constexpr void reduction(NodeType& type) {
    type.text = &text_of_reduction<Op, R, T>;
  }
  template <class, class T>
  static constexpr void contraction(NodeType& type) {
    type.text = &text_of_product<T>;
  }
  template <class T, class Id>
  static constexpr void gather(NodeType& type) {
    type.text = &text_of_gather<T, Id>;
  }
  template <class E>
  static constexpr void node(NodeType& type) {
    using T = typename E::value_type;
    ir::PlanColumns::node<E>(type);
    if constexpr (is_constant<E>) type.text = &text_of_value<Computed<T>>;
    else if (type.text == nullptr) type.text = &text_of_value<T>;
  }
};

/// An expression, described with or without the derivatives of its ops.
template <bool with_backward = true, class E>
Node node_with_text(E const& e) {
  return ir::described<Columns<with_backward>>(e);
}

}  // namespace tenon::internal::codegen
