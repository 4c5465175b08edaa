#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/core/dtype.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/mutex.hpp>
#include <tenon/tensor/expression.hpp>
#include <tenon/tensor/memory.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::internal {

/// The cache of an expression over a contraction: its value, once it was computed through a name.
/// Empty until then; shared by copies; thread-safe; absent in constant evaluation, where g++ 12
/// rejects reading a mutable member.
class CachedValue {
 public:
  constexpr CachedValue() = default;
  constexpr CachedValue(CachedValue const& other) noexcept {
    if (!__builtin_is_constant_evaluated()) share(other.state_.load());
  }
  constexpr CachedValue& operator=(CachedValue const& other) {
    if (__builtin_is_constant_evaluated()) return *this;
    AnyState* const state = other.state_.load();
    if (state_.load() != state) {
      drop();
      adopt(state);
    }
    return *this;
  }
  constexpr ~CachedValue() {
    if (!__builtin_is_constant_evaluated()) leave();
  }

  /// Whether a value is cached; waits while another thread computes it.
  template <class Value>
  bool has() const {
    auto* const state = static_cast<State<Value>*>(state_.load());
    if (state == nullptr) return false;
    MutexLock const lock(state->mutex);
    return state->value.has_value();
  }

  template <class Value, class Make>
  Value const& get(Make const& make) const {
    auto& state = static_cast<State<Value>&>(shared<Value>());
    MutexLock const lock(state.mutex);
    if (!state.value) state.value.emplace(make());
    return *state.value;
  }

 private:
  struct AnyState {
    virtual ~AnyState() = default;
    OwnerCount owners;
    Mutex mutex;
  };
  template <class Value>
  struct State : AnyState {
    std::optional<Value> value;
  };

  /// Other threads may evaluate or copy at the same time: the first to store a state wins.
  template <class Value>
  AnyState& shared() const {
    AnyState* state = state_.load();
    if (state == nullptr) {
      auto* const made = new State<Value>;
      if (state_.compare_exchange(state, made)) return *made;
      delete made;
    }
    return *state;
  }

  /// Usually empty; checked by every copy of an expression.
  void share(AnyState* state) {
    if (state != nullptr) adopt(state);
  }
  void leave() {
    if (state_.load() != nullptr) drop();
  }
  [[gnu::noinline]] void adopt(AnyState* state) {
    if (state != nullptr) state->owners.add();
    state_.store(state);
  }
  [[gnu::noinline]] void drop() {
    AnyState* const state = state_.exchange(nullptr);
    if (state != nullptr && state->owners.remove()) delete state;
  }

  mutable Atomic<AnyState*> state_{nullptr};
};

/// Used where nothing is cached.
struct NoCachedValue {};

/// A C++ number in an expression: it takes on the dtype and the device of the tensors. (Beside a
/// 16-bit tensor it stays a `float`, as do all computed values there.)
template <class T>
struct ConstantNode : ExpressionNode<ConstantNode<T>> {
  using value_type = T;
  using device = AnyDevice;
  static constexpr Shape shape{};

  Computed<T> value{};

  constexpr ConstantNode() = default;
  constexpr explicit ConstantNode(Computed<T> number) : value(number) {}

  static constexpr Sizes sizes() { return unit_sizes(); }
};

template <class E>
inline constexpr bool is_constant = false;
template <class T>
inline constexpr bool is_constant<ConstantNode<T>> = true;

/// Types that may be combined with a tensor in an expression.
template <class X>
concept LiteralNumber = std::is_arithmetic_v<std::remove_cvref_t<X>> ||
                        (is_dtype<std::remove_cvref_t<X>> && !Expression<X>);

template <class X>
concept MapOperand = Operand<X> || LiteralNumber<X>;

/// The dtype of a literal without a tensor: its own type, but `float` for floating ones.
template <class X>
using LiteralType = std::conditional_t<std::same_as<X, double>, float, X>;

/// The dtype that literals take on: that of the last tensor, unless that is a mask beside numbers.
template <class... X>
struct WeakType;
template <class X>
struct WeakType<X> {
  using type = LiteralType<X>;
};
template <ExpressionType X>
struct WeakType<X> {
  using type = typename X::value_type;
};
template <class X, class... Rest>
struct WeakType<X, Rest...> {
  static constexpr bool rest_has_tensor = (ExpressionType<Rest> || ...);
  template <class E>
  static auto own() {
    if constexpr (ExpressionType<E>) return std::type_identity<typename E::value_type>{};
    else return std::type_identity<LiteralType<E>>{};
  }
  using last = typename WeakType<Rest...>::type;
  using type = std::conditional_t<rest_has_tensor || BoolType<typename decltype(own<X>())::type>,
                                  last, typename decltype(own<X>())::type>;
};

/// Whether a literal of type `X` may take on dtype `T`: a floating one requires a floating dtype.
template <class X, class T>
concept FollowsDtype = !std::floating_point<X> || !is_dtype<T> || InexactType<T>;

/// A number as one of dtype `T`.
template <class T, class X>
constexpr T number_as(X const& x) {
  if constexpr (ComplexType<T> && std::is_arithmetic_v<X>)
    return T(static_cast<typename T::value_type>(x));
  else return static_cast<T>(x);
}

/// Whether the number is an integer in the range of dtype `T`.
template <IntegerType T, class X>
constexpr bool is_in_range(X number) {
  if constexpr (std::floating_point<X>) {
    constexpr X limit = X(std::uint64_t{1} << (std::numeric_limits<T>::digits - 1)) * X(2);
    bool const within = number < limit && number >= (IntType<T> ? -limit : X(0));
    return within && static_cast<X>(static_cast<T>(number)) == number;
  } else {
    return std::in_range<T>(+number);  // promoted: std::in_range does not accept `bool` and `char`
  }
}

template <class T, class X>
[[noreturn, gnu::cold, gnu::noinline]] void number_is_outside(std::string_view who, X number) {
  std::string const expected = "a number that " + std::string(dtype_name<T>) + " holds";
  fail<ValueError>({who, {}, expected, std::to_string(number), {}});
}

/// Throws `ValueError` if a C++ number is outside the range of an integer dtype. NumPy raises
/// `OverflowError`.
template <class T, class X>
constexpr void check_number(std::string_view who, X const& number) {
  if constexpr (IntegerType<T> && std::is_arithmetic_v<X>)
    if (!is_in_range<T>(number)) number_is_outside<T>(who, number);
}

/// Whether evaluating `E` runs a contraction. Nodes over contractions define `has_product`.
template <class E>
inline constexpr bool has_product = requires { requires E::has_product; };

/// Whether evaluating one element of `E` takes a pass over many: a contraction or a reduction.
template <class E>
inline constexpr bool is_heavy = requires { requires E::is_heavy; };

/// Whether an expression and all its operands fit inline (static shapes up to 256 bytes). Computing
/// it again then costs less than caching it.
template <class E>
inline constexpr bool is_small = requires { requires E::is_small; };
template <TensorType E>
inline constexpr bool is_small<E> = E::holds_elements;
template <class T>
inline constexpr bool is_small<ConstantNode<T>> = true;

/// Whether the value of a named expression is cached once it is computed.
template <class E>
inline constexpr bool remembers = is_heavy<E> && !is_small<E>;

/// The tensor type of an expression's value. (Empty for types without a shape: clang substitutes
/// the return types of functions before it checks their constraints.)
template <class E>
struct TensorTypeOf {};
template <class E>
  requires(!TensorType<E>) && requires { E::shape; }
struct TensorTypeOf<E> {
  using type = Tensor<typename E::value_type, spec_of<E>, typename E::device>;
};
template <TensorType E>
struct TensorTypeOf<E> {
  using type = E;
};
template <class E>
using TensorOf = typename TensorTypeOf<std::remove_cvref_t<E>>::type;

/// How an operand is stored: by value; a named expression (an lvalue) over a contraction is
/// evaluated once, cached in its node, and stored as its value.
template <class X>
struct StoredAs {
  using type = std::remove_cvref_t<X>;
};
template <class X>
  requires std::is_lvalue_reference_v<X> && has_product<std::remove_cvref_t<X>>
struct StoredAs<X> {
  using type = TensorOf<X>;
};

template <class X>
using StoredOperand = typename StoredAs<X>::type;

template <class X>
TENON_INLINE constexpr StoredOperand<X&&> hold(X&& x) {
  if constexpr (std::same_as<StoredOperand<X&&>, Unqualified<X>>) return std::forward<X>(x);
  else return cached(x);
}

/// The constructor argument of a stored operand: the operand, or its value if that is stored.
template <class X>
TENON_INLINE constexpr decltype(auto) held(X&& x) {
  if constexpr (std::same_as<StoredOperand<X&&>, Unqualified<X>>) return static_cast<X&&>(x);
  else return hold(x);
}

}  // namespace tenon::internal
