#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/autodiff/grad.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/tensor/memory.hpp>

/// Storage of a recording on another device than that which computes.
namespace tenon::internal {

/// Where a recording stores the arguments of `checkpoint`.
template <Device D>
struct Offload {};

/// Stores recorded arguments of `checkpoint` on the device `D` until the backward, where they are
/// on another one: `checkpoint(f, offload<Cpu>)`.
template <Device D>
inline constexpr Offload<D> offload{};

/// Whether an argument is offloaded: a tensor, or a container of the standard library with tensors.
/// The structs of a program are parameters, which stay on their device in any case.
template <class X>
inline constexpr bool is_offloaded = TensorType<X>;
template <class X>
  requires(tree::is_tuple<X> || tree::is_array<X> || tree::is_vector<X> || tree::is_optional<X>)
inline constexpr bool is_offloaded<X> = true;

/// A tree without the elements of its recorded tensors, and these in the memory of another device.
template <class X>
struct Offloaded {
  X outline;
  std::vector<SharedBuffer> elements{};
};

/// A tensor of the same sizes and mark, without elements.
template <TensorType X>
X without_elements(X const& x) {
  return X::adopt({}, x.sizes(), x.mark());
}

/// Arguments of a function on the device `D`, and nothing of the result but its sizes.
template <Device D>
struct StoredOn {
  template <class X>
  static X const& argument(X const& x) {
    return x;
  }
  template <class X>
    requires is_offloaded<X>
  static Offloaded<X> argument(X const& x) {
    Offloaded<X> stored{x};
    move_each(stored.outline, [&](auto& leaf) {
      stored.elements.push_back(moved_to<D>(unmarked(leaf)).storage().buffer);
      leaf = without_elements(leaf);
    });
    return stored;
  }

  template <class X>
  static X const& restored(X const& x) {
    return x;
  }
  template <class X>
  static X restored(Offloaded<X> const& stored) {
    X result = stored.outline;
    std::size_t next = 0;
    move_each(result, [&]<class E>(E& leaf) {
      auto const there = OnDevice<E, D>::adopt(stored.elements[next++], leaf.sizes());
      E back = moved_to<typename E::device>(there);
      back.set_mark(leaf.mark());
      leaf = std::move(back);
    });
    return result;
  }

  template <class Y>
  static Y result(Y y) {
    tree::for_each(
        []<class E>(E& leaf) {
          if constexpr (TensorType<E>)
            if constexpr (!E::holds_elements) leaf = without_elements(leaf);
        },
        y);
    return y;
  }

 private:
  /// Calls `f` for each recorded tensor that is on another device. (A tensor that contains its
  /// elements on the host is too small.)
  template <class X, class F>
  static void move_each(X& x, F const& f) {
    tree::for_each(
        [&]<class E>(E& leaf) {
          if constexpr (TensorType<E>)
            if constexpr (!std::same_as<typename E::device, D> && !OnDevice<E, D>::holds_elements)
              if (leaf.mark().tape != 0) f(leaf);
        },
        x);
  }
};

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
      auto const shares =
          differentiate(again, std::tuple<A...>(x...), [&](auto const&) { return adjoint; }).second;
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
