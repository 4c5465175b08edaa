#pragma once

#include <tenon/eval/assemble.hpp>
#include <tenon/tensor/view.hpp>

/// Evaluation of views: a leaf with arbitrary strides that is never recorded.
namespace tenon::internal {

template <class T, Spec S, class D>
constexpr T element(View<T, S, D> const& view, ElementIndex const& index) {
  return host_element<D>(view.data(), offset(view.strides(), index, view.rank));
}

template <class T, Spec S, class D>
bool depends_on_recording(View<T, S, D> const&) {
  return false;
}

/// The memory of a view, from its lowest element on.
template <class T, Spec S, class D>
MemoryAccess access_to_view(View<T, S, D> const& view) {
  return access_to_view(reinterpret_cast<std::byte const*>(view.data()), view.sizes(),
                        view.strides(), view.rank, sizeof(T));
}

template <class M, int inner, AxisBits row, class E>
  requires is_view<E>
struct FrameOfNode<M, inner, row, E> {
  using type = LeafFrame<M, typename E::value_type, reach_of(false, 0, inner)>;
};

/// True if a materialized expression reads any byte of the memory behind `to`. (On a device with
/// separate memory it is not determined; true is assumed.)
template <class E>
  requires(!E::device::is_host)
bool reads(E const&, MemoryAccess const&, MemoryAccess const&) {
  return true;
}
template <class E>
bool reads(E const& e, MemoryAccess const& out, MemoryAccess const& to) {
  using M = typename BackendOf<typename E::device>::machine;
  auto kernel = tenon::internal::bind<M>(e, out, nullptr);
  std::byte const* const end = to.data + to.count * to.element_bytes;
  return !kernel.accesses().all([&](MemoryAccess const& access) {
    std::byte const* const last = access.data + access.count * access.element_bytes;
    return &access == &kernel.out || access.data >= end || last <= to.data;
  });
}

/// Writes the value of an expression through a view; operands that overlap the view's memory are
/// copied first.
template <class T, Spec S, class D, class X>
void write_through(MutableView<T, S, D> const& to, X const& e) {
  if (depends_on_recording(e)) {
    fail({"assign", {}, "a constant", "a recorded value, whose gradient a view would lose", {}});
  }
  using Backend = BackendOf<D>;
  auto const part = as_part(e);
  MemoryAccess const out =
      access_out(reinterpret_cast<std::byte*>(to.mutable_data()), to.strides(), sizeof(T));
  if (reads(part, out, access_to_view(to))) {
    auto value = Tensor<T, S, D>::uninitialised(to.sizes());
    Backend::fill(part, access_to_result(value, value.own_memory()));
    Backend::fill(value, out);
    kernels_run += 2;
  } else {
    Backend::fill(part, out);
    ++kernels_run;
  }
}

}  // namespace tenon::internal
