#pragma once

#include <concepts>

#include <tenon/eval/custom.hpp>
#include <tenon/eval/move_to.hpp>

/// Storage of a recording on another device than that which computes.
namespace tenon::internal {

/// Where a recording stores the arguments of `checkpoint`.
template <Device D>
struct Offload {};

/// Stores the tensors among the arguments of `checkpoint` on the device `D` until the backward,
/// where a tensor is on another one: `checkpoint(f, offload<Cpu>)`.
template <Device D>
inline constexpr Offload<D> offload{};

/// A tensor in the memory of `D` that is to be restored on its own device.
template <TensorType X, Device D>
struct Offloaded {
  OnDevice<X, D> elements;
  TapeMark mark;
};

/// A tensor of the same sizes and mark, without elements. (Tensors of static size that contain
/// their elements are copied.)
template <TensorType X>
X without_elements(X const& x) {
  if constexpr (X::holds_elements) return x;
  else return X::adopt({}, x.sizes(), x.mark());
}

/// The arguments of a function on the device `D`, and nothing of the result but its sizes.
template <Device D>
struct StoredOn {
  template <class X>
  static X const& argument(X const& x) {
    return x;
  }
  template <TensorType X>
    requires(!std::same_as<typename X::device, D>)
  static Offloaded<X, D> argument(X const& x) {
    return {moved_to<D>(unmarked(x)), x.mark()};
  }

  template <class X>
  static X const& restored(X const& x) {
    return x;
  }
  template <TensorType X>
  static X restored(Offloaded<X, D> const& x) {
    X result = moved_to<typename X::device>(x.elements);
    result.set_mark(x.mark);
    return result;
  }

  template <class Y>
  static Y result(Y const& y) {
    return tree::map([](auto const& leaf) { return without_elements(leaf); }, y);
  }
};

}  // namespace tenon::internal
