#pragma once

#include <tenon/backend/codegen/symbol/value.hpp>
#include <tenon/op/arithmetic.hpp>
#include <tenon/op/reduction.hpp>

namespace tenon::internal::codegen {

/// An op on elements of some dtypes.
struct MapOp {
  /// The contribution of an adjoint to an operand, in the operand's dtype; the partial derivative
  /// alone if `adjoint` is null. `x` are the operands and the result.
  using Share = Value (*)(Value const* x, Value const* adjoint);

  Value (*value)(Value const* x);
  bool has_derivative = false;
  std::array<Share, 3> shares{};  ///< Null where the derivative is zero.
  /// For an op that multiplies or divides by its second operand: the factor of the adjoint, and the
  /// product of both.
  Value (*factor)(Value const& second) = nullptr;
  Value (*scaled)(Value const& factor, Value const& adjoint) = nullptr;
};

template <class Op, class R, class... T>
concept HasSymbolDerivative =
    FloatType<R> && requires(Symbol<T>... x, Symbol<R> y) { Op::d(x..., y); };

/// The body of a partial derivative.
template <class Op, std::size_t k>
struct PartialOf {
  template <class... V>
  auto operator()(V const&... v) const {
    return op::partial_of<k>(Op::d(v...));
  }
};

template <class Op, std::size_t k, class... V>
struct DerivativeType {
  using type = decltype(op::partial_of<k>(Op::d(std::declval<V>()...)));
};

/// The partial derivative of an op for operand k: a function if it is long, as for the op.
template <class Op, std::size_t k, class... V>
auto derivative(V const&... x) {
  using P = typename DerivativeType<Op, k, V...>::type;
  if constexpr (!requires { typename P::value_type; }) return P{};
  else {
    std::string const name =
        std::string(Op::name).append("_derivative").append(k == 0 ? "" : "_of_");
    return called<typename P::value_type>(k == 0 ? name : name + parameter_text(k),
                                          PartialOf<Op, k>(), x...);
  }
}

/// Whether an adjoint propagates through a partial derivative `P` to an operand of dtype `X`.
template <class P, class X>
inline constexpr bool passes =
    std::floating_point<X> && !std::same_as<std::remove_const_t<P>, op::Zero>;

template <class Op, class R, class Indices, class... T>
struct MapBody;
template <class Op, class R, std::size_t... k, class... T>
struct MapBody<Op, R, std::index_sequence<k...>, T...> {
  static constexpr std::size_t count = sizeof...(T);

  static Value value(Value const* x) {
    return value_of(Symbol<R>(op_called<Op, R>(symbol_of<T>(x[k])...)));
  }

  template <std::size_t at, class X>
  static Value share(Value const* x, Value const* adjoint) {
    auto const partial = derivative<Op, at>(symbol_of<T>(x[k])..., symbol_of<R>(x[count]));
    if constexpr (passes<decltype(partial), X>)
      if (adjoint != nullptr)
        return value_of(convert<X>(op::backward_of(partial, symbol_of<Computed<R>>(*adjoint))));
    return {};
  }
  template <std::size_t at, class X>
  static constexpr MapOp::Share share_or_null() {
    using P = typename DerivativeType<Op, at, Symbol<T>..., Symbol<R>>::type;
    if constexpr (passes<P, X> || requires { typename P::value_type; }) return &share<at, X>;
    else return nullptr;
  }

  static Value factor(Value const& second) {
    Symbol<R> const none(R(0));
    return value_of(Symbol<R>(Op::d(none, symbol_of<R>(second), none).p0));
  }
  static Value scaled(Value const& factor, Value const& adjoint) {
    return value_of(op::backward_of(symbol_of<R>(factor), symbol_of<R>(adjoint)));
  }

  static constexpr MapOp without_derivative{&value};
  static constexpr MapOp with_derivative() {
    MapOp op{&value};
    if constexpr (HasSymbolDerivative<Op, R, T...>) {
      op.has_derivative = true;
      op.shares = {share_or_null<k, Computed<T>>()...};
      if constexpr ((std::same_as<Op, op::Mul> ||
                     std::same_as<Op, op::Div>)&&std::floating_point<R>)
        op.factor = &factor, op.scaled = &scaled;
    }
    return op;
  }
};

/// An op on values of dtypes `T` with result `R`, with its derivative if `with_backward`.
template <bool with_backward, class Op, class R, class... T>
inline constexpr MapOp map_op =
    MapBody<Op, R, std::index_sequence_for<T...>, T...>::without_derivative;
template <class Op, class R, class... T>
inline constexpr MapOp map_op<true, Op, R, T...> =
    MapBody<Op, R, std::index_sequence_for<T...>, T...>::with_derivative();

struct ReductionOp;

/// A function of a value.
using OfValue = Callback<Value(Value const&)>;
/// Another reduction over the same values.
using OverReduction = Callback<Value(ReductionOp const&, OfValue const&)>;
/// Receives the function that maps each value to its contribution to an adjoint.
using PassReduction = Callback<void(OfValue const&)>;

/// A reduction op on elements of a dtype.
struct ReductionOp {
  std::string_view name;
  Dtype const* dtype;
  bool is_position;  ///< `f(a, b)` is then whether `a` is better than `b`.
  bool is_sum;
  bool rounds;  ///< Whether the result depends on the order of elements.
  std::string (*identity)(Dialect const& dialect);
  Value (*f)(Value const& a, Value const& b);
  /// Null if the op has no derivative.
  void (*backward)(Value const& adjoint, Value const& y, OverReduction const& over,
                   PassReduction const& pass);
};

template <class Op, class T>
struct ReductionOpOf;

/// `over` as passed to the bodies of reductions.
template <class T>
struct OverSymbols {
  OverReduction const& over;

  template <class Op, class Of>
  Symbol<T> operator()(Op, Of const& of) const {
    return symbol_of<T>(over(ReductionOpOf<Op, T>::value, [&](Value const& x) {
      return value_of(Symbol<T>(of(symbol_of<T>(x))));
    }));
  }
};

/// Which of two is better, as one type for all call sites.
template <class Op>
struct BetterOf {
  template <class T>
  auto operator()(T const& a, T const& b) const {
    return Op::better(a, b);
  }
};

template <class Op, class T>
struct ReductionOpOf {
  static constexpr bool is_position = op::PositionReduction<Op>;

  static std::string identity(Dialect const& dialect) {
    if constexpr (is_position) return literal(dialect, T(0));
    else return literal(dialect, Op::template identity<T>);
  }
  static Value f(Value const& a, Value const& b) {
    Symbol<T> const x = symbol_of<T>(a), y = symbol_of<T>(b);
    if constexpr (is_position) return value_of(called<bool>(Op::name, BetterOf<Op>(), x, y));
    else return value_of(called<T>(Op::name, BodyOf<Op>(), x, y));
  }
  static void backward(Value const& adjoint, Value const& result, OverReduction const& over,
                       PassReduction const& pass) {
    Symbol<T> const y = symbol_of<T>(result);
    auto const share = Op::share(symbol_of<T>(adjoint), y, OverSymbols<T>{over});
    pass([&](Value const& x) {
      return value_of(Symbol<T>(Op::backward(share, symbol_of<T>(x), y)));
    });
  }
  static constexpr auto backward_or_null() {
    if constexpr (op::SmoothReduction<Op> && std::floating_point<T>) return &backward;
    else return nullptr;
  }

  static constexpr ReductionOp value{Op::name,
                                     &dtype_of<T>,
                                     is_position,
                                     std::same_as<Op, op::SumReduction>,
                                     std::floating_point<T> && !std::derived_from<Op, op::Extreme>,
                                     &identity,
                                     &f,
                                     backward_or_null()};
};

/// The sum of elements of a differentiable compute dtype.
inline ReductionOp const& sum_of(Dtype const& dtype) {
  return dtype.bytes == sizeof(float) ? ReductionOpOf<op::SumReduction, float>::value
                                      : ReductionOpOf<op::SumReduction, double>::value;
}

}  // namespace tenon::internal::codegen
