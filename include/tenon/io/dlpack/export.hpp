#pragma once

#include <array>
#include <memory>
#include <utility>

#include <tenon/io/dlpack/layout.hpp>
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
