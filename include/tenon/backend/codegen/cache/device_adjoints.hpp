#pragma once

#include <utility>
#include <vector>

#include <tenon/backend/codegen/cache/kernel_instance.hpp>
#include <tenon/tensor/device_memory.hpp>

namespace tenon::internal::codegen {

/// Forward evaluation: there are none.
struct NoAdjoints {
  template <class Adjoint>
  void const* memory_of(Adjoint const&) const {
    return nullptr;
  }
};

/// The memory in which backward kernels accumulate: the adjoints of leaves on the tape, and the
/// partial sums of those to which several rows add.
template <DeviceWithMemory D>
class DeviceAdjoints {
 public:
  DeviceAdjoints(Tape& tape, KernelInstance const& own) : tape_(&tape), own_(&own) {}

  /// The memory of an adjoint argument.
  template <class Adjoint>
  void const* memory_of(Adjoint const& adjoint) {
    if (adjoint.is == Argument::Is::parts) return new_parts(adjoint);
    if (adjoint.is == Argument::Is::summed_parts) return parts_of(adjoint.mark);
    return tape_->gradient_of<D>(own_->marks[adjoint.mark], adjoint.elements,
                                 static_cast<std::size_t>(adjoint.element_bytes));
  }

 private:
  /// Zero-initialised partial sums of an adjoint.
  template <class Adjoint>
  void const* new_parts(Adjoint const& adjoint) {
    std::int64_t const bytes = adjoint.parts * adjoint.elements * adjoint.element_bytes;
    SharedBuffer buffer = DeviceBlocks<D>::instance().take(static_cast<std::size_t>(bytes));
    D::clear(buffer.data(), buffer.bytes());
    parts_.emplace_back(adjoint.mark, std::move(buffer));
    return parts_.back().second.data();
  }
  /// The most recent partial sums of a leaf.
  void const* parts_of(std::size_t mark) const {
    auto last = parts_.rbegin();
    while (last->first != mark) ++last;
    return last->second.data();
  }

  Tape* tape_;
  KernelInstance const* own_;
  std::vector<std::pair<std::size_t, SharedBuffer>> parts_;
};

}  // namespace tenon::internal::codegen
