#pragma once

#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/mistake.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/create/create.hpp>

/// The shapes of queries, keys and values of attention: axes are identified by position, "batch
/// query head feature" and twice "batch key head feature", with any names.
namespace tenon::internal {

struct CausalAttentionName {
  static constexpr std::string_view name = "causal_attention";
};
struct FullAttentionName {
  static constexpr std::string_view name = "full_attention";
};

/// The same sizes under the names that attention uses internally.
template <class X, Spec SetPosition>
struct AttentionAxes {
  static constexpr Shape shape = [] {
    Shape result{};
    for (std::string_view const name : {std::string_view("batch"), SetPosition.view(),
                                        std::string_view("head"), std::string_view("feature")}) {
      Axis const& own = X::shape[result.rank];
      result[result.rank++] = own.is_static() ? named_axis(name, own.size) : named_axis(name);
    }
    return result;
  }();
};
template <TensorType X, Spec SetPosition>
using AttentionRows =
    Tensor<typename X::value_type, spec_of<AttentionAxes<X, SetPosition>>, typename X::device>;

/// The first axis, besides that of the positions, in which two of them differ; -1: none.
constexpr int attention_axis_apart(Shape const& a, Shape const& b) {
  for (int i : {0, 2, 3})
    if (!agree(a[i], b[i])) return i;
  return -1;
}

/// Names the error of one of the operands; `void` for none.
template <class Name, class X>
constexpr auto attention_operand_mistake() {
  if constexpr (X::shape.rank != 4)
    return std::type_identity<
        error::wrong_number_of_axes<spec_of_name<Name>, spec_of<X>, 4, X::shape.rank>>{};
  else if constexpr (!FloatType<typename X::value_type>) return dtype_mistake<Name, X>();
  else return std::type_identity<void>{};
}

/// The same for two of them; `positions`: whether their lengths must be equal.
template <class Name, bool positions, class A, class B>
constexpr auto attention_pair_mistake() {
  using own = typename decltype(attention_operand_mistake<Name, B>())::type;
  if constexpr (!std::is_void_v<own>) return std::type_identity<own>{};
  else if constexpr (!DevicesMeet<A, B>) return device_mistake<Name, A, B>();
  else if constexpr (!std::same_as<typename A::value_type, typename B::value_type>)
    return dtype_mistake<Name, A, B>();
  else {
    constexpr int apart = attention_axis_apart(A::shape, B::shape);
    constexpr bool as_long = !positions || sizes_agree(A::shape[1], B::shape[1]);
    constexpr int axis = apart >= 0 ? apart : as_long ? -1 : 1;
    if constexpr (axis < 0) return std::type_identity<void>{};
    else
      return std::type_identity<
          error::axes_do_not_fit<spec_of_name<Name>, spec_of_axis<A, axis>, spec_of_axis<B, axis>,
                                 spec_of<A>, spec_of<B>>>{};
  }
}

/// The same for all three.
template <class Name, bool is_causal, class Q, class K, class V>
constexpr auto attention_operands_mistake() {
  using own = typename decltype(attention_operand_mistake<Name, Q>())::type;
  if constexpr (!std::is_void_v<own>) return std::type_identity<own>{};
  else {
    using keys = typename decltype(attention_pair_mistake<Name, is_causal, Q, K>())::type;
    if constexpr (!std::is_void_v<keys>) return std::type_identity<keys>{};
    else return attention_pair_mistake<Name, true, K, V>();
  }
}

template <class Name, bool is_causal, Expression Q, Expression K, Expression V>
using AttentionOperandsMistake =
    typename decltype(attention_operands_mistake<Name, is_causal, Unqualified<Q>, Unqualified<K>,
                                                 Unqualified<V>>())::type;

/// Throws `ShapeError` where the number of keys or values is wrong.
void check_positions(std::int64_t wanted, std::int64_t others, std::string_view what,
                     std::string_view who, std::string_view as_many = "queries");

/// Throws `ShapeError` where run-time sizes of the other axes differ.
template <TensorType A, TensorType B>
void check_attention_axes(std::string_view who, A const& a, B const& b) {
  for (int i : {0, 2, 3})
    if (at(a.sizes(), i) != at(b.sizes(), i))
      sizes_differ(who, B::shape, i, at(a.sizes(), i), at(b.sizes(), i));
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <string>

namespace tenon::internal {

TENON_RUNTIME void check_positions(std::int64_t wanted, std::int64_t others, std::string_view what,
                                   std::string_view who, std::string_view as_many) {
  if (wanted == others) return;
  fail<ShapeError>(
      {.who = who,
       .what = what,
       .expected = std::to_string(wanted) + " positions, as many as " + std::string(as_many),
       .got = std::to_string(others)});
}

}  // namespace tenon::internal

#endif
