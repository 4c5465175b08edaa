#pragma once

#include <tenon/eval/contract/uncast.hpp>

/// Matmul epilogues that a library of the device computes before it stores the sums.
namespace tenon::internal::codegen {

/// An activation, applied after the bias is added.
enum class EpilogueFunction { none, relu, gelu_tanh };

/// The epilogue of a matmul: a bias, repeated along the rows of the result, is added, an activation
/// applied, and the value rounded to the dtype of the result.
struct MatmulEpilogue {
  EpilogueFunction function = EpilogueFunction::none;
  void const* bias = nullptr;  ///< Of the result's dtype; null: no bias.
  std::int64_t biases = 0;
};

/// Whether operand `k` of an elementwise op is a tensor broadcast along all but the last axes.
template <std::size_t k, class Node, class B>
constexpr bool lies_as_bias() {
  if constexpr (TensorType<B>) {
    AxisMap const& map = Node::types::maps[k];
    int const outer = Node::shape.rank - B::shape.rank;
    bool follows = outer > 0 && B::shape.rank > 0;
    for (int i = 0; i < B::shape.rank; ++i)
      follows = follows && map[static_cast<std::size_t>(i)] == outer + i;
    return follows;
  } else {
    return false;
  }
}

/// A bias of a 16-bit dtype is cast on read.
template <class E>
using BiasTensor = Unqualified<decltype(strided_of(std::declval<E const&>()))>;

/// The expressions over a matmul's value `P` that are epilogues, one per specialisation; `R` is the
/// dtype of the result, and `of(expression)` gives the run-time epilogue. Anything else is a
/// separate kernel.
template <class P, class R, class E>
struct MatmulEpilogueOf {
  static constexpr bool fits = false;
};

/// The matmul itself,
template <class P, class R>
struct MatmulEpilogueOf<P, R, P> {
  static constexpr bool fits = true, has_function = false;
  static MatmulEpilogue of(P const&) { return {}; }
};

/// with a bias, as either operand of the addition,
template <class P, class R, class A, class B>
struct MatmulEpilogueOf<P, R, Elementwise<op::Add, A, B>> {
  using Node = Elementwise<op::Add, A, B>;
  static constexpr bool is_second = std::same_as<A, P>;
  using Bias = BiasTensor<std::conditional_t<is_second, B, A>>;
  static constexpr bool fits =
      (is_second || std::same_as<B, P>)&&lies_as_bias<(is_second ? 1 : 0), Node, Bias>() &&
      std::same_as<typename Bias::value_type, R>;
  static constexpr bool has_function = false;
  static MatmulEpilogue of(Node const& e) {
    return with(strided_of(operand_at<(is_second ? 1 : 0)>(e)));
  }

 private:
  static MatmulEpilogue with(Bias const& bias) {
    return {EpilogueFunction::none, stored_elements(bias), bias.size()};
  }
};

/// then an activation,
template <class P, class R, class A, EpilogueFunction function>
struct FunctionEpilogue {
  static constexpr bool fits = false;
};
template <class P, class R, class A, EpilogueFunction function>
  requires(MatmulEpilogueOf<P, R, A>::fits && !MatmulEpilogueOf<P, R, A>::has_function)
struct FunctionEpilogue<P, R, A, function> {
  static constexpr bool fits = true, has_function = true;
  template <class E>
  static MatmulEpilogue of(E const& e) {
    MatmulEpilogue epilogue = MatmulEpilogueOf<P, R, A>::of(operand_at<0>(e));
    epilogue.function = function;
    return epilogue;
  }
};
template <class P, class R, class A>
struct MatmulEpilogueOf<P, R, Elementwise<op::Relu, A>>
    : FunctionEpilogue<P, R, A, EpilogueFunction::relu> {};
template <class P, class R, class A>
struct MatmulEpilogueOf<P, R, Elementwise<op::GeluTanh, A>>
    : FunctionEpilogue<P, R, A, EpilogueFunction::gelu_tanh> {};

/// and each of these, rounded to a 16-bit dtype.
template <class P, HalfType R, class A>
struct MatmulEpilogueOf<P, R, Elementwise<op::Cast<R>, A>> : MatmulEpilogueOf<P, R, A> {
  static MatmulEpilogue of(Elementwise<op::Cast<R>, A> const& e) {
    return MatmulEpilogueOf<P, R, A>::of(operand_at<0>(e));
  }
};

/// The epilogue for an expression over a matmul's value.
template <class P, class E>
using MatmulEpilogueOfExpression = MatmulEpilogueOf<P, typename E::value_type, E>;

}  // namespace tenon::internal::codegen
