#pragma once

#include <tenon/expr/map/mapped.hpp>
#include <tenon/op/compare.hpp>
#include <tenon/op/integer.hpp>

/// Operators on integers and masks, elementwise and broadcasting. `& | ^ ~` accept both, as in
/// NumPy; on masks they are `&& || != !`. A shift by the bit width or more gives 0, or the sign.
namespace tenon::internal {

template <class A, WellFormed R = MapOf<op::BitNot, A>>
constexpr auto operator~(A&& a) -> R {
  return map<op::BitNot>(std::forward<A>(a));
}
template <class A, IllFormed R = MapOf<op::BitNot, A>>
auto operator~(A&& a) -> R;

template <class A, class B, WellFormed R = MapOf<op::Mod, A, B>>
constexpr auto operator%(A&& a, B&& b) -> R {
  return map<op::Mod>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, IllFormed R = MapOf<op::Mod, A, B>>
auto operator%(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::BitAnd, A, B>>
constexpr auto operator&(A&& a, B&& b) -> R {
  return map<op::BitAnd>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, IllFormed R = MapOf<op::BitAnd, A, B>>
auto operator&(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::BitOr, A, B>>
constexpr auto operator|(A&& a, B&& b) -> R {
  return map<op::BitOr>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, IllFormed R = MapOf<op::BitOr, A, B>>
auto operator|(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::BitXor, A, B>>
constexpr auto operator^(A&& a, B&& b) -> R {
  return map<op::BitXor>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, IllFormed R = MapOf<op::BitXor, A, B>>
auto operator^(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::ShiftLeft, A, B>>
constexpr auto operator<<(A&& a, B&& b) -> R {
  return map<op::ShiftLeft>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, IllFormed R = MapOf<op::ShiftLeft, A, B>>
auto operator<<(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::ShiftRight, A, B>>
constexpr auto operator>>(A&& a, B&& b) -> R {
  return map<op::ShiftRight>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, IllFormed R = MapOf<op::ShiftRight, A, B>>
auto operator>>(A&& a, B&& b) -> R;

/// Elementwise logical and of masks. For numbers write `x != 0`. PyTorch: `logical_and`.
template <class A, class B, WellFormed R = MapOf<op::And, A, B>>
constexpr auto logical_and(A&& a, B&& b) -> R {
  return map<op::And>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, IllFormed R = MapOf<op::And, A, B>>
auto logical_and(A&& a, B&& b) -> R;

/// Elementwise logical or of masks. PyTorch: `logical_or`.
template <class A, class B, WellFormed R = MapOf<op::Or, A, B>>
constexpr auto logical_or(A&& a, B&& b) -> R {
  return map<op::Or>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, IllFormed R = MapOf<op::Or, A, B>>
auto logical_or(A&& a, B&& b) -> R;

/// Elementwise exclusive or of masks. PyTorch: `logical_xor`.
template <class A, class B, WellFormed R = MapOf<op::Xor, A, B>>
constexpr auto logical_xor(A&& a, B&& b) -> R {
  return map<op::Xor>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, IllFormed R = MapOf<op::Xor, A, B>>
auto logical_xor(A&& a, B&& b) -> R;

/// Elementwise logical not of a mask. PyTorch: `logical_not`.
template <class A, WellFormed R = MapOf<op::Not, A>>
constexpr auto logical_not(A&& a) -> R {
  return map<op::Not>(std::forward<A>(a));
}
template <class A, IllFormed R = MapOf<op::Not, A>>
auto logical_not(A&& a) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::logical_and;
using internal::logical_not;
using internal::logical_or;
using internal::logical_xor;
using internal::operator%;
using internal::operator&;
using internal::operator<<;
using internal::operator>>;
using internal::operator^;
using internal::operator|;
using internal::operator~;

}  // namespace tenon
