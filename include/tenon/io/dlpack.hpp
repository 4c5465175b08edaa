#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/eval/evaluate.hpp>
#include <tenon/io/dlpack/layout.hpp>
#include <tenon/tensor/borrowed.hpp>
#include <tenon/tensor/shared_view.hpp>
#include <tenon/tensor/storage.hpp>

namespace tenon::internal::interchange {

/// What an exported struct points to: the owner of the elements, and the sizes. The deleter frees
/// all.
template <class M, class Owner>
struct Exported {
  Owner owner;
  Sizes sizes;
  Sizes strides;
  M managed{};
};

/// Sets the fields of `dl_tensor`, of any header.
template <class X, class M, class Owner>
void describe(Exported<M, Owner>& all, typename X::value_type* data) {
  auto& tensor = all.managed.dl_tensor;
  constexpr dlpack::DLDevice device = device_of<typename X::device>;
  constexpr dlpack::DLDataType type = dtype_of<typename X::value_type>;
  tensor.data = count(all.sizes, X::rank) == 0 ? nullptr : data;
  tensor.device.device_type = static_cast<decltype(tensor.device.device_type)>(device.device_type);
  tensor.device.device_id = device.device_id;
  tensor.ndim = X::rank;
  tensor.dtype.code = type.code;
  tensor.dtype.bits = type.bits;
  tensor.dtype.lanes = type.lanes;
  tensor.shape = all.sizes.data();
  tensor.strides = all.strides.data();
}

/// A struct of DLPack for the elements of an `X`, which `owner` owns: at `data`, or in `owner` if
/// it is an `X`. The elements of a device are complete.
template <class M, class X, class Owner>
M* exported(Owner owner, Sizes const& sizes, std::uint64_t flags,
            typename X::value_type* data = nullptr) {
  using All = Exported<M, Owner>;
  if constexpr (requires { X::device::synchronise(); }) X::device::synchronise();
  auto all = std::make_unique<All>(All{std::move(owner), sizes, row_major(sizes, X::rank)});
  if constexpr (std::same_as<X, Owner>)
    data = const_cast<typename X::value_type*>(stored_elements(all->owner));
  describe<X>(*all, data);
  M& managed = all->managed;
  managed.deleter = [](M* self) { delete static_cast<All*>(self->manager_ctx); };
  if constexpr (VersionedTensor<M>) {
    managed.version.major = version.major;
    managed.version.minor = version.minor;
    managed.flags = flags;
  }
  managed.manager_ctx = all.release();
  return &managed;
}

}  // namespace tenon::internal::interchange

/// Interchange with PyTorch, JAX, NumPy, CuPy and others by DLPack, without copies and without
/// their headers.
namespace tenon::compile_error {

/// The operation and the device: its elements have no address in DLPack.
template <Spec Operation, Spec Device>
struct device_has_no_dlpack;

/// The operation, what to do instead, and the spec: elements inside the tensor, up to 256 bytes,
/// are not shared.
template <Spec Operation, Spec Advice, Spec Shape>
struct elements_are_inline;

}  // namespace tenon::compile_error

namespace tenon::internal {

struct FromDlpackName {
  static constexpr std::string_view name = "from_dlpack";
};

/// (A function: g++ 12 substitutes it before the constraints of its overload.)
template <class Name, class D>
constexpr auto dlpack_device_mistake() {
  return std::type_identity<error::device_has_no_dlpack<spec_of_name<Name>, spec_of_name<D>>>{};
}
template <class Name, class D>
using DlpackDeviceMistake = typename decltype(dlpack_device_mistake<Name, D>())::type;

template <TensorType R>
inline constexpr interchange::Wanted wanted_of_dlpack{R::spec.view(),
                                                      R::rank,
                                                      interchange::dtype_of<typename R::value_type>,
                                                      dtype_name<typename R::value_type>,
                                                      R::device::name,
                                                      R::device::is_host,
                                                      alignof(typename R::value_type)};

/// The layout of an `R` in a struct of DLPack, after all checks.
template <TensorType R, ManagedTensor M, class D>
interchange::Layout checked_dlpack(DlpackOwner<M, D> const& owner) {
  if (!owner) fail<ValueError>({.who = "from_dlpack", .expected = "a tensor", .got = "null"});
  if constexpr (VersionedTensor<M>)
    interchange::check_version(owner->version.major, owner->version.minor);
  interchange::Layout const layout =
      interchange::layout_of(interchange::described(*owner.operator->()), wanted_of_dlpack<R>);
  check_sizes_of<R>("from_dlpack", R::spec.view(), layout.sizes);
  return layout;
}

/// A view of the memory of a DLPack tensor, without a copy: `from_dlpack<Float32<"row column">>(m)`
/// of a `DLManagedTensorVersioned*` or `DLManagedTensor*`, of `tenon::dlpack` or of any header with
/// these structs. Takes ownership: the deleter is called once, when the last copy of the view is
/// gone, or if this throws. Any strides, read-only memory too; for `Cpu` also pinned memory, for
/// `Cuda` device 0. Throws `ValueError` for another dtype or device, lanes, null and a misaligned
/// address, `ShapeError` for sizes that the spec does not allow. PyTorch: `from_dlpack`.
template <TensorType R, ManagedTensor M>
  requires interchange::SharesMemory<typename R::device>
auto from_dlpack(M* managed) {
  using D = typename R::device;
  using T = typename R::value_type;
  DlpackOwner<M, D> owner(managed);
  interchange::Layout const layout = checked_dlpack<R>(owner);
  return SharedView<T, R::spec, D>(static_cast<T const*>(layout.data), layout.sizes, layout.strides,
                                   SharedBuffer::adopt(layout.data, 0, std::move(owner)));
}

/// The same as a view that `assign` may write. Throws `ValueError` for a tensor with the read-only
/// flag. (A `DLManagedTensor` has no flags: its producer must allow writing.)
template <TensorType R, ManagedTensor M>
  requires interchange::SharesMemory<typename R::device>
auto mutable_from_dlpack(M* managed) {
  using D = typename R::device;
  using T = typename R::value_type;
  DlpackOwner<M, D> owner(managed);
  interchange::Layout const layout = checked_dlpack<R>(owner);
  if constexpr (VersionedTensor<M>)
    if ((owner->flags & interchange::read_only_flag) != 0)
      interchange::refuse_read_only(R::spec.view());
  return MutableSharedView<T, R::spec, D>(static_cast<T*>(layout.data), layout.sizes,
                                          layout.strides,
                                          SharedBuffer::adopt(layout.data, 0, std::move(owner)));
}
template <TensorType R, ManagedTensor M>
  requires(!interchange::SharesMemory<typename R::device>)
auto from_dlpack(M*) -> DlpackDeviceMistake<FromDlpackName, typename R::device>;
template <TensorType R, ManagedTensor M>
  requires(!interchange::SharesMemory<typename R::device>)
auto mutable_from_dlpack(M*) -> DlpackDeviceMistake<FromDlpackName, typename R::device>;

struct ToDlpackName {
  static constexpr std::string_view name = "to_dlpack";
};
struct ToMutableDlpackName {
  static constexpr std::string_view name = "to_mutable_dlpack";
};

/// Whether only this tensor can read or write its elements.
template <TensorType X>
bool owns_alone(X const& x) {
  if constexpr (X::holds_elements) return true;
  else return x.storage().buffer.unique() && !x.storage().buffer.is_exposed();
}

/// A tensor, an expression or a view as a DLPack tensor, which the consumer frees by its deleter:
/// of type `M`, by default `dlpack::DLManagedTensorVersioned`. Row-major. A tensor shares its
/// elements, without a copy: `to_dlpack(x)` is read-only, and a later write to `x` copies first;
/// `to_dlpack(std::move(x))` may be written, unless other tensors share the elements. Copied are
/// views, tensors up to 256 bytes, and shared elements for an `M` without flags, since its consumer
/// may write. Throws `Error` for a recorded tensor. PyTorch: `to_dlpack`.
template <ManagedTensor M = dlpack::DLManagedTensorVersioned, Expression E>
  requires interchange::SharesMemory<typename Unqualified<E>::device>
M* to_dlpack(E&& x) {
  using X = Unqualified<E>;
  if constexpr (!TensorType<X>) return to_dlpack<M>(eval(std::forward<E>(x)));
  else {
    refuse_recorded(ToDlpackName::name, x.mark());
    std::uint64_t flags = X::holds_elements ? interchange::is_copied_flag : 0;
    X own = owns_alone(x) ? X(std::forward<E>(x)) : X(std::as_const(x));
    if constexpr (!VersionedTensor<M>) (void)own.own_memory();
    else if (!owns_alone(own)) flags |= interchange::read_only_flag;
    Sizes const sizes = own.sizes();
    return interchange::exported<M, X, X>(std::move(own), sizes, flags);
  }
}
template <ManagedTensor M = dlpack::DLManagedTensorVersioned, Expression E>
  requires(!interchange::SharesMemory<typename Unqualified<E>::device>)
auto to_dlpack(E&&) -> DlpackDeviceMistake<ToDlpackName, typename Unqualified<E>::device>;

/// Names the reason why a tensor's elements cannot be shared with a writer; `void` if they can.
template <class E, class X = Unqualified<E>>
constexpr auto mutable_dlpack_mistake() {
  constexpr auto who = spec_of_name<ToMutableDlpackName>;
  constexpr auto advice = Spec("use to_dlpack");
  if constexpr (!interchange::SharesMemory<typename X::device>)
    return std::type_identity<DlpackDeviceMistake<ToMutableDlpackName, typename X::device>>{};
  else if constexpr (!TensorType<X>)
    return std::type_identity<error::expression_has_no_elements<who, advice>>{};
  else if constexpr (std::is_const_v<std::remove_reference_t<E>>)
    return std::type_identity<error::elements_are_constant<who, advice>>{};
  else if constexpr (!std::is_lvalue_reference_v<E>)
    return std::type_identity<error::temporary_has_no_lasting_elements<who, advice>>{};
  else if constexpr (X::holds_elements)
    return std::type_identity<error::elements_are_inline<who, advice, X::spec>>{};
  else return std::type_identity<void>{};
}
template <class E>
using MutableDlpackMistake = typename decltype(mutable_dlpack_mistake<E>())::type;

/// The elements of a tensor as a DLPack tensor that its consumer may write: both see what the other
/// writes, until the tensor is assigned to. Shared elements are copied first, and copies of the
/// tensor copy the elements while the consumer has them. Throws `Error` for a recorded tensor.
template <ManagedTensor M = dlpack::DLManagedTensorVersioned, Expression E>
  requires std::is_void_v<MutableDlpackMistake<E>>
M* to_mutable_dlpack(E&& x) {
  refuse_recorded(ToMutableDlpackName::name, x.mark());
  auto* const data = x.own_memory();
  return interchange::exported<M, Unqualified<E>>(BufferWriter(x.storage().buffer), x.sizes(), 0,
                                                  data);
}
template <ManagedTensor M = dlpack::DLManagedTensorVersioned, Expression E>
  requires(!std::is_void_v<MutableDlpackMistake<E>>)
auto to_mutable_dlpack(E&&) -> MutableDlpackMistake<E>;

}  // namespace tenon::internal

namespace tenon {

using internal::from_dlpack;
using internal::mutable_from_dlpack;
using internal::to_dlpack;
using internal::to_mutable_dlpack;

}  // namespace tenon
