#pragma once

#include <tenon/core/rules/contraction.hpp>
#include <tenon/core/rules/einsum.hpp>
#include <tenon/expr/map/mapped.hpp>
#include <tenon/expr/view/index_map.hpp>
#include <tenon/expr/view/stepped.hpp>
#include <tenon/expr/wrong_form.hpp>

namespace tenon::internal {

/// An operand that a contraction reads without a copy: a tensor, or a transposed or strided view of
/// one.
template <class E>
concept Strided =
    TensorType<E> || is_stepped<E> || (is_index_map<E> && TensorType<typename E::operand_type>);

/// How a contraction stores an operand: strided memory as it is, anything else evaluated.
template <class X>
struct ProductOperand {
  using type = TensorOf<X>;
};
template <class X>
  requires Strided<Unqualified<X>>
struct ProductOperand<X> {
  using type = Unqualified<X>;
};

template <class Kept, class X>
constexpr Kept keep_product_operand(X&& x) {
  if constexpr (std::same_as<Kept, Unqualified<X>>) return std::forward<X>(x);
  else if constexpr (std::is_lvalue_reference_v<X&&> && is_heavy<Unqualified<X>>) return cached(x);
  else return evaluate_expression(x);
}

/// A contraction of two evaluated tensors by `Rule::contraction`: matmul, einsum. It is evaluated
/// when its result is needed; as a temporary, together with the maps that follow it (its epilogue).
template <class A, class B, class Rule>
struct Contract : NodeBase<Contract<A, B, Rule>, Rule::contraction.shape.rank == 0> {
  using ExpressionNode<Contract>::operator=;
  using value_type = typename A::value_type;
  using device = typename CommonDevice<typename A::device, typename B::device>::type;
  static constexpr Contraction const& contraction = Rule::contraction;
  static constexpr Shape const& shape = contraction.shape;
  static constexpr bool knows_sizes = A::shape.is_static() && B::shape.is_static();
  static constexpr bool has_product = true;
  static constexpr bool is_heavy = true;
  static constexpr bool is_small = tenon::internal::is_small<A> && tenon::internal::is_small<B> &&
                                   is_inline(shape, sizeof(value_type));

  A a;
  B b;
  [[no_unique_address]] std::conditional_t<is_small, NoCachedValue, CachedValue> cached_value_{};

  constexpr Contract(A x, B y) : a(std::move(x)), b(std::move(y)) {
    if constexpr (!knows_sizes) (void)extents();  // throws where two run-time sizes disagree
  }

  /// The run-time extent of every label.
  constexpr LabelExtents extents() const {
    return label_sizes(Rule::name, contraction, A::shape, a.sizes(), B::shape, b.sizes());
  }

  /// (The constructor checked that the operands agree.)
  constexpr Sizes sizes() const {
    Sizes result = static_sizes_of<Contract>;
    if constexpr (!knows_sizes) {
      Sizes const left = a.sizes(), right = b.sizes();
      for (int i = 0; i < shape.rank; ++i) {
        int const in_left = left_axes[static_cast<std::size_t>(i)];
        int const in_right = right_axes[static_cast<std::size_t>(i)];
        if (!shape[i].is_static())
          at(result, i) = in_left >= 0 ? at(left, in_left) : at(right, in_right);
      }
    }
    return result;
  }

 private:
  static constexpr AxisMap left_axes = axes_with_label(contraction.out, contraction.left);
  static constexpr AxisMap right_axes = axes_with_label(contraction.out, contraction.right);
};

/// The contraction of two operands by the labels of `Rule`.
template <class Rule, class A, class B>
constexpr auto contract_by(A a, B b) {
  return Contract<A, B, Rule>(std::move(a), std::move(b));
}

template <class E>
inline constexpr bool is_contract = false;
template <class A, class B, class Rule>
inline constexpr bool is_contract<Contract<A, B, Rule>> = true;

/// The labels of a matmul of two operands.
template <class A, class B>
struct MatmulRule {
  static constexpr std::string_view name = "matmul";
  static constexpr Contraction contraction = matmul_rule(A::shape, B::shape);
  static constexpr FixedText text = contraction.mistake;
};

/// The labels of an einsum pattern over two operands.
template <Spec pattern, class A, class B>
struct EinsumRule {
  static constexpr std::string_view name = "einsum";
  static constexpr Contraction contraction = einsum_rule(pattern.view(), A::shape, B::shape);
  static constexpr FixedText text = contraction.mistake;
};

/// The name of matmul in error types.
struct MatmulName {
  static constexpr std::string_view name = "matmul";
};
struct EinsumName {
  static constexpr std::string_view name = "einsum";
  static constexpr std::string_view form = "einsum<\"i j, j k -> i k\">(x, y)";
};

template <class A, class B>
concept SameDtype = std::same_as<typename A::value_type, typename B::value_type>;

/// Names the reason why two operands cannot be multiplied, whatever their shapes; else `void`.
template <class Name, class A, class B>
constexpr auto product_mistake() {
  using T = typename A::value_type;
  if constexpr (!DevicesMeet<A, B>) return device_mistake<Name, A, B>();
  else if constexpr (!SameDtype<A, B>) return dtype_mistake<Name, A, B>();
  else if constexpr (!NumType<T>) return dtype_mistake<Name, A>();
  else return std::type_identity<void>{};
}

/// Names the axes of a contraction that do not fit.
template <class Name, class Rule, class A, class B>
constexpr auto contraction_mistake() {
  return axes_differ<Name, A, Rule::contraction.left_axis, B, Rule::contraction.right_axis>();
}

template <class A, class B>
constexpr auto matmul_type() {
  using Rule = MatmulRule<A, B>;
  using other = typename decltype(product_mistake<MatmulName, A, B>())::type;
  if constexpr (!std::is_void_v<other>) return std::type_identity<other>{};
  else if constexpr (!Rule::contraction.fits) return contraction_mistake<MatmulName, Rule, A, B>();
  else return std::type_identity<Contract<A, B, Rule>>{};
}

template <Spec pattern, class A, class B>
constexpr auto einsum_type() {
  using Rule = EinsumRule<pattern, A, B>;
  using other = typename decltype(product_mistake<EinsumName, A, B>())::type;
  if constexpr (!std::is_void_v<other>) return std::type_identity<other>{};
  else if constexpr (Rule::contraction.fits) return std::type_identity<Contract<A, B, Rule>>{};
  else if constexpr (Rule::contraction.left_axis >= 0 && Rule::contraction.right_axis >= 0)
    return contraction_mistake<EinsumName, Rule, A, B>();
  else
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<EinsumName>, spec_of_text<Rule>, pattern, spec_of<A>, spec_of<B>>>{};
}

template <class X>
using StoredForContraction = typename ProductOperand<X>::type;

template <Expression X, Expression Y>
using Matmul =
    typename decltype(matmul_type<StoredForContraction<X>, StoredForContraction<Y>>())::type;

template <Spec pattern, Expression X, Expression Y>
using Einsum = typename decltype(einsum_type<pattern, StoredForContraction<X>,
                                             StoredForContraction<Y>>())::type;

/// The matrix product: "… m k" by "… k n" gives "… m n"; leading axes broadcast; an operand with
/// one axis is a vector, as in NumPy. The contracted axes must agree. Same dtype. PyTorch:
/// `torch.matmul`.
template <Expression X, Expression Y, WellFormed Result = Matmul<X&&, Y&&>>
constexpr auto matmul(X&& x, Y&& y) -> Result {
  return Result(keep_product_operand<StoredForContraction<X&&>>(std::forward<X>(x)),
                keep_product_operand<StoredForContraction<Y&&>>(std::forward<Y>(y)));
}
template <Expression X, Expression Y, IllFormed Result = Matmul<X&&, Y&&>>
auto matmul(X&& x, Y&& y) -> Result;
struct MatmulCall : MatmulName {
  template <class X, class Y>
  constexpr auto operator()(X&& x, Y&& y) const
      -> decltype(matmul(std::forward<X>(x), std::forward<Y>(y))) {
    return matmul(std::forward<X>(x), std::forward<Y>(y));
  }
};
template <class... X>
  requires Dispatches<MatmulCall, X&&...>
auto matmul(X&&... x) {
  return Dispatch<MatmulCall, X&&...>::of(std::forward<X>(x)...);
}
template <class... X, class R = Refused<MatmulCall, X...>>
auto matmul(X const&...) -> R;

/// Einstein summation over two operands: `einsum<"b h q d, b h k d -> b h q k">(q, k)`. The axes of
/// the result are named by the pattern. Same dtype. PyTorch: `torch.einsum`.
template <Spec pattern, Expression X, Expression Y, WellFormed Result = Einsum<pattern, X&&, Y&&>>
constexpr auto einsum(X&& x, Y&& y) -> Result {
  return Result(keep_product_operand<StoredForContraction<X&&>>(std::forward<X>(x)),
                keep_product_operand<StoredForContraction<Y&&>>(std::forward<Y>(y)));
}
template <Spec pattern, Expression X, Expression Y, IllFormed Result = Einsum<pattern, X&&, Y&&>>
auto einsum(X&& x, Y&& y) -> Result;
template <Spec pattern>
struct EinsumCall : EinsumName {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(einsum<pattern>(std::forward<X>(x)...)) {
    return einsum<pattern>(std::forward<X>(x)...);
  }
};
template <Spec pattern, class... X>
  requires Dispatches<EinsumCall<pattern>, X&&...>
auto einsum(X&&... x) {
  return Dispatch<EinsumCall<pattern>, X&&...>::of(std::forward<X>(x)...);
}
template <Spec pattern, class... X, class R = Refused<EinsumCall<pattern>, X...>>
auto einsum(X const&...) -> R;
template <class Name = EinsumName, class R = PatternForm<Name>>
auto einsum(NumberOrText, AnyExpression, AnyExpression) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::einsum;
using internal::matmul;

}  // namespace tenon
