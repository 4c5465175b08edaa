#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <tenon/core/mistake.hpp>
#include <tenon/core/rules/broadcast.hpp>
#include <tenon/core/rules/fit.hpp>
#include <tenon/expr/constant.hpp>
#include <tenon/expr/hold.hpp>

namespace tenon {

/// The device of several operands: numbers follow.
template <class... D>
struct CommonDevice;
template <class D>
struct CommonDevice<D> {
  using type = D;
};
template <class D, class... Rest>
struct CommonDevice<D, Rest...> {
  using rest = typename CommonDevice<Rest...>::type;
  using type = std::conditional_t<std::same_as<D, AnyDevice>, rest, D>;
};

/// How the operands of a map lie on its axes.
template <class... E>
struct MapAlignment {
  static constexpr auto value = broadcast(E::shape...);
};

/// Does an op take values of such dtypes?
template <class Op, class... T>
concept TakesValues = requires(T... x) { Op::f(x...); };

/// The one 16-bit dtype among some dtypes that are no other floating ones; else `void`.
template <class... T>
struct OneHalf;
template <>
struct OneHalf<> {
  using type = void;
};
template <class T, class... Rest>
struct OneHalf<T, Rest...> {
  using rest = typename OneHalf<Rest...>::type;
  using type = std::conditional_t<!FloatType<T> || std::same_as<T, rest>, rest,
                                  std::conditional_t<std::is_void_v<rest>, T, std::false_type>>;
};

/// The dtype of an op's value; no `type` where the op does not take such operands. The 16-bit
/// dtypes are computed with as `float`.
template <class Op, class... T>
struct MapValue {};
template <class Op, class... T>
  requires TakesValues<Op, T...>
struct MapValue<Op, T...> {
  using type = std::remove_cvref_t<decltype(Op::f(std::declval<T>()...))>;
};
template <class Op, class... T>
  requires(!TakesValues<Op, T...> && HalfType<typename OneHalf<T...>::type> &&
           TakesValues<Op, Computed<T>...>)
struct MapValue<Op, T...> {
  using of_float = std::remove_cvref_t<decltype(Op::f(std::declval<Computed<T>>()...))>;
  using type =
      std::conditional_t<std::same_as<of_float, float>, typename OneHalf<T...>::type, of_float>;
};

/// What an op makes of its operands' types; `E` are kept operands.
template <class Op, class... E>
struct MapTypes {
  using value_type = typename MapValue<Op, typename E::value_type...>::type;
  using device = typename CommonDevice<typename E::device...>::type;
  static constexpr auto const& aligned = MapAlignment<E...>::value;
  static constexpr auto maps = aligned.maps;  ///< Alone: what run time reads lies in the program.
  static constexpr bool has_product = (tenon::has_product<E> || ...);
  static constexpr bool is_heavy = (tenon::is_heavy<E> || ...);
};

[[noreturn, gnu::cold]] void sizes_differ(std::string_view operation, std::string_view spec,
                                          int axis, std::int64_t expected, std::int64_t got);
[[noreturn, gnu::cold]] void sizes_differ(std::string_view operation, Shape const& shape, int axis,
                                          std::int64_t expected, std::int64_t got);

/// The sizes of a result, `dynamic` where they are those of an operand.
constexpr Sizes sizes_to_join(Shape const& shape) {
  Sizes sizes = ones();
  for (int i = 0; i < shape.rank; ++i) at(sizes, i) = shape[i].size;
  return sizes;
}

/// Adds the run-time sizes of an operand, on axes that `map` names, to those of a result; the first
/// of its axes whose size is another, or -1.
template <std::size_t number>
constexpr int join_sizes(Sizes& sizes, Sizes const& own,
                         std::array<std::int8_t, number> const& axes, AxisMap const& map) {
  for (int const i : axes) {
    int const axis = map[static_cast<std::size_t>(i)];
    if (axis < 0) continue;
    if (at(sizes, axis) == dynamic) at(sizes, axis) = at(own, i);
    if (at(sizes, axis) != at(own, i)) return i;
  }
  return -1;
}

/// What all maps have in common.
template <class Derived, class Op, class... E>
struct MapNode : ExpressionNode<Derived> {
  using types = MapTypes<Op, E...>;
  using value_type = typename types::value_type;
  using device = typename types::device;
  using op = Op;
  static constexpr Shape const& shape = types::aligned.shape;
  static constexpr bool has_product = types::has_product;
  static constexpr bool is_heavy = types::is_heavy;
  static constexpr bool is_small =
      (tenon::is_small<E> && ...) && is_inline(shape, sizeof(value_type));

  [[gnu::always_inline]] constexpr explicit MapNode(E const&... operands) {
    if constexpr (!(E::shape.is_static() && ...)) {
      Sizes sizes = joined_sizes;
      auto map = types::maps.begin();
      (join(sizes, operands, *map++), ...);
      run_time_.keep(sizes, dynamic_axes_of<MapNode>);
    }
  }

  constexpr Sizes sizes() const {
    return run_time_.among(static_sizes_of<MapNode>, dynamic_axes_of<MapNode>);
  }

  [[no_unique_address]] RunTimeSizes<dynamic_axes(shape), MapNode> run_time_{};
  [[no_unique_address]] std::conditional_t<is_heavy && !is_small, Remembered, NoMemo> memo_{};

 private:
  static constexpr Sizes joined_sizes = sizes_to_join(shape);

  /// Adds the run-time sizes of an operand; throws `ShapeError` where they are others.
  template <class X>
  [[gnu::always_inline]] static constexpr void join(Sizes& sizes, X const& operand,
                                                    AxisMap const& map) {
    if constexpr (!X::shape.is_static()) {
      Sizes const own = operand.sizes();
      int const i = join_sizes(sizes, own, dynamic_axes_of<X>, map);
      if (i < 0) return;
      int const axis = map[static_cast<std::size_t>(i)];
      sizes_differ(Op::name, spec_of<MapNode>.view(), axis, at(sizes, axis), at(own, i));
    }
  }
};

/// An op applied to every element of its operands, broadcast against each other.
template <class Op, class... E>
struct Elementwise;

template <class Op, class A>
struct Elementwise<Op, A> : MapNode<Elementwise<Op, A>, Op, A> {
  using ExpressionNode<Elementwise>::operator=;
  A a;
  [[gnu::always_inline]] constexpr explicit Elementwise(A x)
      : MapNode<Elementwise, Op, A>(x), a(std::move(x)) {}
};

template <class Op, class A, class B>
struct Elementwise<Op, A, B> : MapNode<Elementwise<Op, A, B>, Op, A, B> {
  using ExpressionNode<Elementwise>::operator=;
  A a;
  B b;
  [[gnu::always_inline]] constexpr Elementwise(A x, B y)
      : MapNode<Elementwise, Op, A, B>(x, y), a(std::move(x)), b(std::move(y)) {}
};

template <class Op, class A, class B, class C>
struct Elementwise<Op, A, B, C> : MapNode<Elementwise<Op, A, B, C>, Op, A, B, C> {
  using ExpressionNode<Elementwise>::operator=;
  A a;
  B b;
  C c;
  [[gnu::always_inline]] constexpr Elementwise(A x, B y, C z)
      : MapNode<Elementwise, Op, A, B, C>(x, y, z),
        a(std::move(x)),
        b(std::move(y)),
        c(std::move(z)) {}
};

template <class E>
inline constexpr bool is_map = false;
template <class Op, class... E>
inline constexpr bool is_map<Elementwise<Op, E...>> = true;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/expr/map/map.ipp>
#endif
