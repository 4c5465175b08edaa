#pragma once

#include <bit>
#include <cstring>

#include <tenon/eval/tape/kept.hpp>
#include <tenon/eval/tape/tape.hpp>
#include <tenon/ir/node_name.hpp>

namespace tenon::internal {

/// Calls `f(mark)` for every tensor of an expression that may need an adjoint. What is behind
/// `stop_gradient` is a constant.
template <class F>
struct EachMark {
  F const& f;
  template <class E>
  TENON_INLINE constexpr void operator()(E const& e) const {
    if constexpr (TensorType<E>) f(e.mark());
    else if constexpr (!stops_gradient<E>) each_operand(e, *this);
  }
};

/// Whether a value depends on something that this thread records. Integers and masks never do.
template <TensorType E>
bool depends_on_recording(E const& tensor) {
  Tape::check(tensor.mark());
  return AdjointType<typename E::value_type> && is_recorded(tensor.mark());
}
template <class E>
bool depends_on_recording(E const& e) {
  return depends_on_recording(&e, expression_layout<E>);
}

/// Whether a value can depend on what is recorded. Random draws cannot: no backward is instantiated
/// for them.
template <class E>
inline constexpr bool may_be_recorded = !is_draw<E>;

/// (Also behind `stop_gradient`: a trace continues there.)
struct AllMarks {
  std::uint64_t& marks;
  template <class E>
  TENON_INLINE constexpr void operator()(E const& e) const {
    if constexpr (TensorType<E>) marks |= std::bit_cast<std::uint64_t>(e.mark());
    else each_operand(e, *this);
  }
};

/// Whether a small expression has a mark. (The marks are read as they are copied, as one 64-bit
/// load: otherwise g++ 12 splits the load and stalls store forwarding.)
template <class E>
TENON_INLINE constexpr bool is_marked(E const& e) {
  std::uint64_t marks = 0;
  AllMarks{marks}(e);
  return marks != 0;
}

/// The same elements under another shape of equal size: shared if they are in a buffer. The tape
/// mark remains: adjoints are stored flat.
template <TensorType R, TensorType E>
constexpr R reshaped(E const& tensor, Sizes const& sizes) {
  if constexpr (std::same_as<R, E>) return tensor;
  else if constexpr (!R::holds_elements && !E::holds_elements) {
    return R::adopt(tensor.storage().buffer, sizes, tensor.mark());
  } else {
    R result = R::uninitialised(sizes);
    auto* const to = result.own_memory();
    for (std::int64_t i = 0; i < tensor.size(); ++i) to[i] = stored_elements(tensor)[i];
    result.set_mark(tensor.mark());
    return result;
  }
}

/// The same with the same sizes: other names, or static sizes that are checked at run time.
template <TensorType R, TensorType E>
constexpr R relabelled(E const& tensor) {
  return reshaped<R>(tensor, tensor.sizes());
}

}  // namespace tenon::internal
