#pragma once

#include <type_traits>
#include <utility>

#include <tenon/eval/fallback.hpp>
#include <tenon/eval/move_tree.hpp>
#include <tenon/eval/view.hpp>
#include <tenon/expr/node.hpp>
#include <tenon/tensor/transfers.hpp>
#include <tenon/tensor/view.hpp>

/// An expression over other leaves: the same nodes over the results of `f` for every tensor and
/// view, from left to right.
namespace tenon::internal {

template <class E, class F>
auto with_leaves(E const& e, F const& f) {
  if constexpr (TensorType<E> || is_view<E>) return f(e);
  else if constexpr (is_constant<E>) return e;
  else return with_operands(e, [&](auto const& operand, auto) { return with_leaves(operand, f); });
}

}  // namespace tenon::internal

/// The fallback for operations without a kernel on a device with separate memory: a host device
/// computes them; the operands are copied out, the value is copied in.
namespace tenon::internal {

/// An operand of an op on the host device `H`; numbers have no device.
template <class H, class X>
auto operand_on(X const& x) {
  if constexpr (TensorType<X>) return to<H>(x);
  else return x;
}

/// `f` of the operands on the host device `H`, the result as an `R` on its device. The first
/// argument of `f` is the type of the result on `H`. Gradients take the same path.
template <class R, class H, class F, class... X>
R by_host(std::string_view device, std::string_view op, F const& f, X const&... x) {
  note_fallback(device, op);
  using Here = typename OtherKind<R, H>::type;
  return move_tree<R>(f(std::type_identity<Here>(), operand_on<H>(x)...));
}

/// Strided elements in a device's memory, as a tensor of the host device `H`.
template <class H, DeviceWithMemory D, class T, Spec S>
Tensor<T, S, H> copied_to_device(T const* from, Sizes const& sizes, Sizes const& strides) {
  auto result = Tensor<T, S, H>::uninitialised(sizes);
  constexpr int rank = Tensor<T, S, H>::rank;
  if (result.size() == 0) return result;
  Reached const around = reached(sizes, strides, rank);
  auto const number = static_cast<std::size_t>(around.first + around.last + 1);
  SharedBuffer const all(number * sizeof(T));
  copy_to_host<D>(all.data(), from - around.first, all.bytes());
  T* to = result.own_memory();
  ElementIndex index{};
  do *to++ = all.as<T>()[around.first + offset(strides, index, rank)];
  while (next(index, sizes, rank));
  return result;
}

/// Copies row-major elements of the host to their strided destination in a device's memory.
template <DeviceWithMemory D, class T>
void take_in(T const* from, Sizes const& sizes, int rank, MemoryAccess const& out) {
  T* const to = reinterpret_cast<T*>(out.gradient);
  std::int64_t const all = count(sizes, rank);
  if (all == 0) return;
  Sizes const packed = row_major(sizes, rank);
  int whole = rank;  // the last axes, whose elements are contiguous
  while (whole > 0 && at(out.stride, whole - 1) == at(packed, whole - 1)) --whole;
  std::int64_t const run = whole == 0 ? all : at(packed, whole - 1);
  ElementIndex index{};
  do {
    copy_from_host<D>(to + offset(out.stride, index, whole), from,
                      static_cast<std::size_t>(run) * sizeof(T));
    from += run;
  } while (next(index, sizes, whole));
}

/// A leaf of an expression on a host device, without its tape mark.
template <class H, class E>
auto leaf_on(E const& leaf) {
  using D = typename E::device;
  return copied_to_device<H, D, typename E::value_type, spec_of<E>>(
      stored_elements(leaf), leaf.sizes(), [&] {
        if constexpr (is_view<E>) return leaf.strides();
        else return row_major(leaf.sizes(), E::rank);
      }());
}

/// The access to row-major memory with the elements of an expression.
template <class T, class E>
MemoryAccess row_major_access(T const* memory, E const& e) {
  auto* const bytes = reinterpret_cast<std::byte*>(const_cast<T*>(memory));
  return access_out(bytes, row_major(e.sizes(), E::shape.rank), sizeof(T));
}

/// `fill`, or `contract`, by the host device `H`.
template <class H, class E>
void fill_by_host(E const& e, MemoryAccess const& out) {
  auto const here = with_leaves(e, [](auto const& leaf) { return leaf_on<H>(leaf); });
  using T = typename E::value_type;
  auto value = Tensor<T, spec_of<E>, H>::uninitialised(e.sizes());
  T* const to = value.own_memory();
  if constexpr (is_contract<E>) BackendOf<H>::contract(here, to);
  else BackendOf<H>::fill(here, access_to_result(value, to));
  take_in<typename E::device>(std::as_const(value).data(), e.sizes(), E::shape.rank, out);
}

}  // namespace tenon::internal
