#pragma once

#include <cstdint>
#include <vector>

#include <tenon/io/dlpack.hpp>

/// Tensors of another library, for tests.
namespace dlpack_tensors {

using namespace tenon;

/// What the producer of a tensor keeps, and how often its deleter was called.
template <class M, class T = float>
struct Producer {
  std::vector<T> numbers{T(1), T(2), T(3), T(4), T(5), T(6)};
  std::vector<std::int64_t> sizes{2, 3};
  std::vector<std::int64_t> strides{3, 1};
  int deleted = 0;
  M managed{};

  Producer() {
    auto& tensor = managed.dl_tensor;
    tensor.data = numbers.data();
    tensor.device.device_type = static_cast<decltype(tensor.device.device_type)>(1);
    tensor.dtype.code = internal::interchange::dtype_of<T>.code;
    tensor.dtype.bits = internal::interchange::dtype_of<T>.bits;
    tensor.dtype.lanes = 1;
    managed.manager_ctx = this;
    managed.deleter = [](M* self) { ++static_cast<Producer*>(self->manager_ctx)->deleted; };
    if constexpr (internal::VersionedTensor<M>) managed.version = {1, 3};
  }
  Producer(Producer const&) = delete;

  M* give() {
    managed.dl_tensor.ndim = static_cast<std::int32_t>(sizes.size());
    managed.dl_tensor.shape = sizes.data();
    managed.dl_tensor.strides = strides.empty() ? nullptr : strides.data();
    return &managed;
  }
};
using Versioned = Producer<dlpack::DLManagedTensorVersioned>;
using Old = Producer<dlpack::DLManagedTensor>;

}  // namespace dlpack_tensors
