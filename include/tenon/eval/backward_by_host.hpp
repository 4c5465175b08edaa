#pragma once

#include <vector>

#include <tenon/eval/by_host.hpp>
#include <tenon/tensor/transfers.hpp>

/// The backward of `fill_by_host`: an expression's adjoint is passed back on a tape of the host.
namespace tenon::internal {

/// The marks of a leaf on the host's tape and on that of the device `D`.
template <class D>
struct LeafOnHost {
  TapeMark there, here;
  std::int64_t elements;
  std::size_t element_bytes;
  void (*add)(std::byte* to, std::byte const* from, std::int64_t count);
};

/// Adds adjoints of the host to those of the same leaves in a device's memory.
template <DeviceWithMemory D>
void add_from_host(std::vector<LeafOnHost<D>> const& leaves, Tape& host, Tape& tape) {
  for (LeafOnHost<D> const& leaf : leaves) {
    std::size_t const bytes = static_cast<std::size_t>(leaf.elements) * leaf.element_bytes;
    SharedBuffer const share = host.take_gradient(leaf.here, bytes);
    if (!share || bytes == 0) continue;
    std::byte* const to = tape.gradient_of<D>(leaf.there, leaf.elements, leaf.element_bytes);
    SharedBuffer const sum(bytes);
    copy_to_host<D>(sum.data(), to, bytes);
    leaf.add(sum.as<std::byte>(), share.as<std::byte>(), leaf.elements);
    copy_from_host<D>(to, sum.data(), bytes);
  }
}

/// The same expression on a host device, recorded there as it is on the device's tape.
template <class H, class E>
auto recorded_on_host(E const& e, Tape& host, Tape const& tape,
                      std::vector<LeafOnHost<typename E::device>>& leaves) {
  return with_leaves(e, [&]<class L>(L const& leaf) {
    auto own = leaf_on<H>(leaf);
    using T = Computed<typename L::value_type>;
    if constexpr (TensorType<L> && AdjointType<T>) {
      if (tape.is_wanted(leaf.mark())) {
        own.set_mark(host.new_slot());
        leaves.push_back({leaf.mark(), own.mark(), leaf.size(), sizeof(T), &add_elements<T>});
      }
    }
    return own;
  });
}

/// `backward`, or `backward_contract`, by the host device `H`.
template <class H, class E>
void backward_on_host(E const& e, MemoryAccess const& adjoint, Tape& tape) {
  using D = typename E::device;
  using T = typename E::value_type;
  Tape host;
  host.stop();
  std::vector<LeafOnHost<D>> leaves;
  auto const here = recorded_on_host<H>(e, host, tape, leaves);
  auto const own = copied_to_device<H, D, T, spec_of<E>>(reinterpret_cast<T const*>(adjoint.data),
                                                         e.sizes(), adjoint.stride);
  if constexpr (is_contract<E>) {
    BackendOf<H>::backward_contract(here, own.data(), host);
  } else {
    BackendOf<H>::backward(here, row_major_access(own.data(), e), host);
  }
  add_from_host<D>(leaves, host, tape);
}

}  // namespace tenon::internal
