#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <tenon/expr/map/map.hpp>

namespace tenon::internal {

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
