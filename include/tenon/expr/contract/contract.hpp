#pragma once

#include <tenon/core/rules/contraction.hpp>
#include <tenon/expr/map/mapped.hpp>
#include <tenon/expr/view/index_map.hpp>
#include <tenon/expr/view/stepped.hpp>

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

template <class E>
inline constexpr bool is_contract = false;
template <class A, class B, class Rule>
inline constexpr bool is_contract<Contract<A, B, Rule>> = true;

}  // namespace tenon::internal
