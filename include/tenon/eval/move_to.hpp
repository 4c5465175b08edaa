#pragma once

#include <tenon/eval/evaluate.hpp>

/// Values from one device to another.
namespace tenon {

/// `R` on another device.
template <class R, Device D>
using OnDevice = Tensor<typename R::value_type, R::spec, D>;

/// A tensor's elements on another device: copied, or shared where they are there already.
template <Device D, TensorType X>
OnDevice<X, D> moved_to(X const& x) {
  using R = OnDevice<X, D>;
  using From = typename X::device;
  if constexpr (std::same_as<R, X>) return x;
  else if constexpr (D::is_host && From::is_host && !X::holds_elements)
    return R::adopt(x.storage().buffer, x.sizes());
  else {
    R result = R::uninitialised(x.sizes());
    std::size_t const bytes = sizeof(typename X::value_type) * static_cast<std::size_t>(x.size());
    if (bytes == 0) return result;
    if constexpr (!From::is_host) From::copy_out(result.mutable_data(), x.data(), bytes);
    else if constexpr (D::is_host) std::memcpy(result.mutable_data(), x.data(), bytes);
    else D::copy_in(result.storage().buffer.data(), x.data(), bytes);
    return result;
  }
}

/// The value of `x` on the device `D`: `to<OpenCl>(x)`; no copy if it is there already. A recipe is
/// evaluated where it is, first. PyTorch: `x.to(device)`.
template <Device D, Expression X>
auto to(X&& x) {
  return moved_to<D>(eval(std::forward<X>(x)));
}
template <Device D, Mistake X>
auto to(X const&) -> X;

}  // namespace tenon
