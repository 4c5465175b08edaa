#pragma once

#include <tuple>
#include <utility>

#include <tenon/autodiff/differentiate.hpp>
#include <tenon/autodiff/offload.hpp>
#include <tenon/eval/custom.hpp>

namespace tenon::internal {

/// A function of which a recording stores only the arguments; its backward recomputes the rest.
template <class F, class Storage = StoredAsIs>
struct Checkpointed {
  F f;

  template <class... X>
  auto operator()(X&&... x) const {
    return of_values(as_value(std::forward<X>(x))...);
  }

 private:
  template <class... A>
  auto of_values(A const&... arguments) const {
    auto const forward = [f = f](A const&... x) { return f(x...); };
    auto const backward = [f = f](auto const& adjoint, auto const&, A const&... x) {
      auto const again = [&](std::tuple<A...> const& leaves) { return std::apply(f, leaves); };
      auto const shares = differentiated(again, std::tuple<A...>(x...), [&](auto const&) {
                            return adjoint;
                          }).second;
      if constexpr (sizeof...(A) == 1) return std::get<0>(shares);
      else return shares;
    };
    return CustomVjp<decltype(forward), decltype(backward), Storage>{forward,
                                                                     backward}(arguments...);
  }
};

/// The same function with gradient checkpointing: a recording stores its arguments only, and the
/// backward runs it again, which trades time for memory. Parameters must be passed as an argument,
/// any tree: `checkpoint([](Block const& block, auto const& x) { return block(x); })(block, x)`;
/// throws `Error` where a recorded value is captured. JAX, PyTorch: `checkpoint`.
template <class F>
Checkpointed<F> checkpoint(F f) {
  return {std::move(f)};
}

/// The same, with recorded arguments stored on another device: `checkpoint(f, offload<Cpu>)(block,
/// x)` copies x, a tensor or a container of the standard library with tensors, to the host after
/// the forward and back before the backward. Structs, such as the parameters in `block`, and
/// constants stay where they are. JAX: `checkpoint` with a policy that offloads. PyTorch:
/// `checkpoint` under `save_on_cpu`.
template <class F, Device D>
Checkpointed<F, StoredOn<D>> checkpoint(F f, Offload<D>) {
  return {std::move(f)};
}

}  // namespace tenon::internal

namespace tenon {

using internal::checkpoint;
using internal::offload;

}  // namespace tenon
