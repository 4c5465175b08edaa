#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/mistake.hpp>
#include <tenon/core/rules/broadcast.hpp>
#include <tenon/core/rules/fit.hpp>
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

/// An op applied to every element of its operands, broadcast against each other.
template <class Op, class... E>
struct Elementwise;

/// Whether a move is a copy of the bytes, provided that no destructor of the source runs.
template <class E>
concept MovableAsBytes = TensorType<E> || std::derived_from<E, ExpressionNode<E>>;

/// Whether an expression owns a shared buffer: it is not usable in constant evaluation.
template <class E>
inline constexpr bool has_handle = requires { requires E::has_handle; };
template <TensorType E>
inline constexpr bool has_handle<E> = !E::holds_elements;
template <class E>
  requires requires { typename E::operand_type; }
inline constexpr bool has_handle<E> = has_handle<typename E::operand_type>;

/// A node with run-time sizes is moved as bytes; the run-time sizes of the source then mark it as
/// moved from. (Moving node by node and leaf by leaf, `a + b + c + ...` would move every leaf once
/// per term, in as many functions.)
template <class Op, class... E>
concept MovedAsBytes = !MapAlignment<E...>::value.shape.is_static() && (MovableAsBytes<E> && ...) &&
                       (has_handle<E> || ...);

/// Moves a node to uninitialised memory: its bytes up to `end`, after which another object may be
/// stored.
TENON_INLINE inline void move_bytes(void* to, void* from, void const* end, std::int64_t& size) {
  std::memcpy(
      to, from,
      static_cast<std::size_t>(static_cast<std::byte const*>(end) - static_cast<std::byte*>(from)));
  size = gone;
}

template <class Op, class A>
struct Elementwise<Op, A> : MapNode<Elementwise<Op, A>, Op, A> {
  using Node = MapNode<Elementwise, Op, A>;
  using ExpressionNode<Elementwise>::operator=;
  A a;

  template <class X>
    requires(!std::same_as<Unqualified<X>, Elementwise>)
  TENON_INLINE constexpr explicit Elementwise(X&& x)
      : Node(FromOperands(), x), a(static_cast<X&&>(x)) {}
};

template <class Op, class A, class B>
struct Elementwise<Op, A, B> : MapNode<Elementwise<Op, A, B>, Op, A, B> {
  using Node = MapNode<Elementwise, Op, A, B>;
  using ExpressionNode<Elementwise>::operator=;
  A a;
  B b;

  template <class X, class Y>
  TENON_INLINE constexpr Elementwise(X&& x, Y&& y)
      : Node(FromOperands(), x, y), a(static_cast<X&&>(x)), b(static_cast<Y&&>(y)) {}
};

template <class Op, class A, class B, class C>
struct Elementwise<Op, A, B, C> : MapNode<Elementwise<Op, A, B, C>, Op, A, B, C> {
  using Node = MapNode<Elementwise, Op, A, B, C>;
  using ExpressionNode<Elementwise>::operator=;
  A a;
  B b;
  C c;

  template <class X, class Y, class Z>
  TENON_INLINE constexpr Elementwise(X&& x, Y&& y, Z&& z)
      : Node(FromOperands(), x, y, z),
        a(static_cast<X&&>(x)),
        b(static_cast<Y&&>(y)),
        c(static_cast<Z&&>(z)) {}
};

template <class Op, class A>
  requires MovedAsBytes<Op, A>
struct Elementwise<Op, A> : MapNode<Elementwise<Op, A>, Op, A> {
  using Node = MapNode<Elementwise, Op, A>;
  using ExpressionNode<Elementwise>::operator=;
  static constexpr bool has_handle = true, moves_as_bytes = true;
  union {
    A a;
  };

  template <class X>
    requires(!std::same_as<Unqualified<X>, Elementwise>)
  constexpr explicit Elementwise(X&& x) : Node(FromOperands(), x), a(static_cast<X&&>(x)) {}
  Elementwise(Elementwise const& other)
      : Node((check_not_gone(*other.run_time_.data()), static_cast<Node const&>(other))),
        a(other.a) {}
  Elementwise(Elementwise&& other) noexcept : Node(static_cast<Node const&>(other)) {
    move_bytes(this, &other, &other.a + 1, *other.run_time_.data());
  }
  Elementwise& operator=(Elementwise other) noexcept {
    this->~Elementwise();
    return *new (this) Elementwise(std::move(other));
  }
  [[gnu::noinline]] ~Elementwise() {
    if (*this->run_time_.data() != gone) a.~A();
  }
};

template <class Op, class A, class B>
  requires MovedAsBytes<Op, A, B>
struct Elementwise<Op, A, B> : MapNode<Elementwise<Op, A, B>, Op, A, B> {
  using Node = MapNode<Elementwise, Op, A, B>;
  using ExpressionNode<Elementwise>::operator=;
  static constexpr bool has_handle = true, moves_as_bytes = true;
  union {
    A a;
  };
  union {
    B b;
  };

  template <class X, class Y>
  constexpr Elementwise(X&& x, Y&& y)
      : Node(FromOperands(), x, y), a(static_cast<X&&>(x)), b(static_cast<Y&&>(y)) {}
  Elementwise(Elementwise const& other)
      : Node((check_not_gone(*other.run_time_.data()), static_cast<Node const&>(other))),
        a(other.a),
        b(other.b) {}
  Elementwise(Elementwise&& other) noexcept : Node(static_cast<Node const&>(other)) {
    move_bytes(this, &other, &other.b + 1, *other.run_time_.data());
  }
  Elementwise& operator=(Elementwise other) noexcept {
    this->~Elementwise();
    return *new (this) Elementwise(std::move(other));
  }
  [[gnu::noinline]] ~Elementwise() {
    if (*this->run_time_.data() != gone) b.~B(), a.~A();
  }
};

template <class Op, class A, class B, class C>
  requires MovedAsBytes<Op, A, B, C>
struct Elementwise<Op, A, B, C> : MapNode<Elementwise<Op, A, B, C>, Op, A, B, C> {
  using Node = MapNode<Elementwise, Op, A, B, C>;
  using ExpressionNode<Elementwise>::operator=;
  static constexpr bool has_handle = true, moves_as_bytes = true;
  union {
    A a;
  };
  union {
    B b;
  };
  union {
    C c;
  };

  template <class X, class Y, class Z>
  constexpr Elementwise(X&& x, Y&& y, Z&& z)
      : Node(FromOperands(), x, y, z),
        a(static_cast<X&&>(x)),
        b(static_cast<Y&&>(y)),
        c(static_cast<Z&&>(z)) {}
  Elementwise(Elementwise const& other)
      : Node((check_not_gone(*other.run_time_.data()), static_cast<Node const&>(other))),
        a(other.a),
        b(other.b),
        c(other.c) {}
  Elementwise(Elementwise&& other) noexcept : Node(static_cast<Node const&>(other)) {
    move_bytes(this, &other, &other.c + 1, *other.run_time_.data());
  }
  Elementwise& operator=(Elementwise other) noexcept {
    this->~Elementwise();
    return *new (this) Elementwise(std::move(other));
  }
  [[gnu::noinline]] ~Elementwise() {
    if (*this->run_time_.data() != gone) c.~C(), b.~B(), a.~A();
  }
};

/// Operand k of a map of one or two operands, to be moved from.
template <std::size_t k, class Op, class... E>
TENON_INLINE constexpr auto&& moved_operand(Elementwise<Op, E...>& node) {
  if constexpr (k == 0) return std::move(node.a);
  else return std::move(node.b);
}

template <class E>
inline constexpr bool is_map = false;
template <class Op, class... E>
inline constexpr bool is_map<Elementwise<Op, E...>> = true;

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
