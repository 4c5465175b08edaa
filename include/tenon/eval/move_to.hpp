#pragma once

#include <algorithm>
#include <cstring>

#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/tape/leaves.hpp>
#include <tenon/tensor/transfers.hpp>

/// Transfer of values between devices.
namespace tenon::internal {

/// `R` on another device.
template <class R, Device D>
using OnDevice = Tensor<typename R::value_type, R::spec, D>;

/// A tensor's elements on another device: copied, or shared if they are there already.
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
    if constexpr (!From::is_host)
      copy_to_host<From>(result.own_memory(), stored_elements(x), bytes);
    else if constexpr (D::is_host) std::memcpy(result.own_memory(), stored_elements(x), bytes);
    else copy_from_host<D>(result.storage().buffer.data(), stored_elements(x), bytes);
    return result;
  }
}

/// A copy of elements in device memory as a tensor.
template <TensorType R>
R copied_from(std::byte const* memory, Sizes const& sizes) {
  using T = typename R::value_type;
  auto const elements = static_cast<std::size_t>(count(sizes, R::rank));
  if constexpr (!R::holds_elements) {
    return R::adopt(AdjointMemory<typename R::device>::copied(memory, elements * sizeof(T)), sizes);
  } else {
    R result = R::uninitialised(sizes);
    std::copy_n(reinterpret_cast<T const*>(memory), elements, result.own_memory());
    return result;
  }
}

/// The tape entry of a device transfer: the adjoint is transferred back.
template <TensorType X, Device D>
struct IndexMapStep {
  X value;

  void operator()(Tape& tape, std::byte const* adjoint) const {
    using There = Tensor<Computed<typename X::value_type>, X::spec, D>;
    auto const there = copied_from<There>(adjoint, value.sizes());
    seed(value, moved_to<typename X::device>(there), tape);
  }
};

/// Records a transfer of a recorded value.
template <Device D, TensorType X, TensorType R>
void record_index_map(X const& value, R& moved) {
  if (!depends_on_recording(value)) return;
  if (graph::is_open())
    return moved.set_mark({graph::Graph::current->serial, graph::id_of(value).number});
  Tape& tape = *Tape::current();
  TapeMark const mark = tape.new_slot();
  tape.record_made<IndexMapStep<X, D>>(mark, value);
  moved.set_mark(mark);
}

/// The value of `x` on the device `D`: `to<OpenCl>(x)`; no copy if it is there already. An
/// expression is first evaluated on its own device. Gradients are transferred back. PyTorch:
/// `x.to(device)`.
template <Device D, Expression X>
auto to(X&& x) {
  auto const value = eval(std::forward<X>(x));
  auto result = moved_to<D>(value);
  if (tracing::is_on()) return result.set_mark(value.mark()), result;
  using V = Unqualified<decltype(value)>;
  if constexpr (FloatType<typename V::value_type> && !std::same_as<D, typename V::device>)
    record_index_map<D>(value, result);
  return result;
}
template <Device D, Mistake X>
auto to(X const&) -> X;

}  // namespace tenon::internal

namespace tenon {

using internal::to;

}  // namespace tenon
