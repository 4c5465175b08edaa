#pragma once

#include <utility>

/// Calls of a user's functions, as types. (std::invoke_result and std::invocable of libstdc++ 12
/// have the call in the return type of a function template. What clang 16 instantiates from there
/// loses the bodies of its virtual functions, and the program does not link.)
namespace tenon::internal {

/// Whether `f(x...)` is well-formed.
template <class F, class... X>
concept CallableWith = requires(F&& f, X&&... x) { std::forward<F>(f)(std::forward<X>(x)...); };

/// The type of `f(x...)`.
template <class F, class... X>
using CallResult = decltype(std::declval<F>()(std::declval<X>()...));

}  // namespace tenon::internal
