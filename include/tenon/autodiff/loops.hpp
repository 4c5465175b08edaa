#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/autodiff/scan.hpp>

namespace tenon::internal::sequence {

struct WhileLoopName {
  static constexpr std::string_view name = "while_loop";
};

/// The function of a loop as that of a scan, whose positions begin at 0.
template <class F, class Index>
struct FromLower {
  F f;
  Index lower;

  template <class Carry, class... P>
    requires CallableWith<F const&, Index, Carry const&, P const&...>
  auto operator()(Carry const& carry, Index step, P const&... parameters) const {
    return f(lower + step, carry, parameters...);
  }
};

/// Runs `f(i, carry, parameters...)` for i from `lower` to before `upper`, from the carry `start`;
/// the result is the last carry, any tree. Its gradient is that of `scan`: of `start` and
/// `parameters`, the carries are stored. JAX: `lax.fori_loop`.
template <std::integral Index, class F, class Start, class... P>
auto fori_loop(Index lower, std::type_identity_t<Index> upper, F f, Start const& start,
               P const&... parameters) {
  Index const steps = upper > lower ? upper - lower : Index(0);
  return scan<"step">(FromLower<F, Index>{std::move(f), lower}, start, steps, parameters...);
}

/// Whether the result of a body is the next carry.
template <class Body, class Carry>
concept LoopBody = CallableWith<Body const&, Carry const&> &&
                   std::convertible_to<CallResult<Body const&, Carry const&>, Carry>;

/// `carry = body(carry)` while `condition(carry)`, a bool or a scalar mask, is true; the result is
/// the last carry, any tree. The gradient is that of the steps that were made, each of which is
/// recorded, as in a loop of C++; none reaches the condition. JAX: `lax.while_loop`, which has no
/// gradient.
template <class Condition, class Body, class Carry>
  requires LoopBody<Body, Carry>
Carry while_loop(Condition const& condition, Body const& body, Carry carry) {
  auto const goes_on = [&] {
    Unrecorded const unrecorded;
    bool const is_true = condition(unmarked_leaves(carry));
    return is_true;
  };
  while (goes_on()) carry = body(std::as_const(carry));
  return carry;
}
template <class Condition, class Body, class Carry>
  requires(CallableWith<Body const&, Carry const&> && !LoopBody<Body, Carry>)
auto while_loop(Condition const&, Body const&, Carry) -> error::carry_has_another_type<
    spec_of_name<WhileLoopName>, Carry,
    typename decltype(result_type<CallResult<Body const&, Carry const&>>())::type>;

}  // namespace tenon::internal::sequence

namespace tenon {

using internal::sequence::fori_loop;
using internal::sequence::while_loop;

}  // namespace tenon
