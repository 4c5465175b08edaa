#pragma once

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/mistake.hpp>
#include <tenon/core/rules/broadcast.hpp>
#include <tenon/core/rules/fit.hpp>
#include <tenon/expr/constant.hpp>
#include <tenon/expr/map/joined.hpp>
#include <tenon/expr/stored_operand.hpp>

namespace tenon::internal {

/// The device of several operands: numbers have none.
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

/// The alignment of the operands of a map with its axes.
template <class... E>
struct MapAlignment {
  static constexpr auto value = broadcast_shapes(E::shape...);
};

/// Whether an op accepts values of such dtypes.
template <class Op, class... T>
concept TakesValues = requires(T... x) { Op::f(x...); };

/// The single 16-bit dtype among dtypes without any other floating one; else `void`.
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

/// The dtype of an op's value; no `type` where the op does not accept such operands. The 16-bit
/// dtypes are computed as `float`.
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

/// The result type of an op for its operands' types; `E` are stored operands.
template <class Op, class... E>
struct MapTypes {
  using value_type = typename MapValue<Op, typename E::value_type...>::type;
  using device = typename CommonDevice<typename E::device...>::type;
  static constexpr auto const& aligned = MapAlignment<E...>::value;
  static constexpr auto maps = aligned.maps;  ///< A separate constant: the part that is read at run
                                              ///< time.
  static constexpr bool has_product = (tenon::internal::has_product<E> || ...);
  static constexpr bool is_heavy = (tenon::internal::is_heavy<E> || ...);
};

/// The tag of the constructors from operands.
struct FromOperands {};

/// The first run-time size of a node that was moved from.
inline constexpr std::int64_t gone = (std::numeric_limits<std::int64_t>::min)();

/// Throws `Error` if the first run-time size marks a node as moved from.
TENON_INLINE constexpr void check_not_gone(std::int64_t size) {
  if (size == gone) [[unlikely]]
    refuse_moved_from();
}
/// The same for any node.
template <class E>
TENON_INLINE constexpr void check_not_gone(E const& e) {
  if constexpr (requires { requires E::moves_as_bytes; }) check_not_gone(*e.run_time_.data());
}

/// The common base of all maps.
template <class Derived, class Op, class... E>
struct MapNode : NodeBase<Derived, MapTypes<Op, E...>::aligned.shape.rank == 0> {
  using types = MapTypes<Op, E...>;
  using value_type = typename types::value_type;
  using device = typename types::device;
  using op = Op;
  static constexpr Shape const& shape = types::aligned.shape;
  static constexpr bool has_product = types::has_product;
  static constexpr bool is_heavy = types::is_heavy;
  static constexpr bool is_small =
      (tenon::internal::is_small<E> && ...) && is_inline(shape, sizeof(value_type));

  template <class X>
  TENON_INLINE constexpr MapNode(FromOperands, X const& x) {
    if constexpr (!X::shape.is_static()) join<0>(x);
  }
  template <class X, class Y>
  TENON_INLINE constexpr MapNode(FromOperands, X const& x, Y const& y) {
    if constexpr (!X::shape.is_static()) join<0>(x);
    if constexpr (!Y::shape.is_static()) join<1>(y);
  }
  template <class X, class Y, class Z>
  TENON_INLINE constexpr MapNode(FromOperands, X const& x, Y const& y, Z const& z) {
    if constexpr (!X::shape.is_static()) join<0>(x);
    if constexpr (!Y::shape.is_static()) join<1>(y);
    if constexpr (!Z::shape.is_static()) join<2>(z);
  }

  TENON_INLINE constexpr Sizes sizes() const {
    check_not_gone(static_cast<Derived const&>(*this));
    if constexpr (shape.is_static()) return static_sizes_of<ShapeOf<spec_of<MapNode>>>;
    else return sizes_by_spec<spec_of<MapNode>>(run_time_);
  }

  [[no_unique_address]] RunTimeSizes<dynamic_axes(shape), MapNode> run_time_{};
  [[no_unique_address]] std::conditional_t<is_heavy && !is_small, CachedValue, NoCachedValue>
      cached_value_{};

 private:
  using Relations =
      std::conditional_t<(has_expressions(E::shape) || ...), RelationsOf<types, E...>, NoRelations>;

  /// Copies the run-time sizes of operand k; throws `ShapeError` where they differ from those of
  /// earlier operands.
  template <std::size_t k, class X>
  TENON_INLINE constexpr void join(X const& operand) {
    check_not_gone(operand);
    constexpr JoinedSizes joined =
        joined_sizes(shape, types::maps, std::array<Shape const*, sizeof...(E)>{&E::shape...}, k);
    auto const& own = run_time_sizes(operand);
    if constexpr (joined.whole) run_time_.value = own;
    else
      join_sizes(joined_shape<Op, spec_of<MapNode>, Relations>, joined, run_time_.data(),
                 own.data(), own.size());
  }
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void sizes_differ(std::string_view operation,
                                                                       std::string_view spec,
                                                                       int axis,
                                                                       std::int64_t expected,
                                                                       std::int64_t got) {
  fail<ShapeError>({operation, word_of(spec, axis), decimal(expected), decimal(got),
                    concatenate({"run-time sizes of \"", spec, "\""})});
}

[[noreturn, gnu::cold]] TENON_RUNTIME void sizes_differ(std::string_view operation,
                                                        Shape const& shape, int axis,
                                                        std::int64_t expected, std::int64_t got) {
  sizes_differ(operation, format(shape).view(), axis, expected, got);
}

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void joined_sizes_differ(
    JoinedShape const& shape, std::size_t place, std::int64_t expected, std::int64_t got) {
  int const axis = place < 8 ? shape.dynamic_axes[place] : static_cast<int>(place - 8);
  if (shape.relations != nullptr && shape.relations[axis].length > 0)
    fail<ShapeError>({shape.operation, word_of(shape.spec, axis), decimal(expected), decimal(got),
                      shape.relations[axis].view()});
  sizes_differ(shape.operation, shape.spec, axis, expected, got);
}

}  // namespace tenon::internal

#endif
