#pragma once

#include <cstddef>
#include <type_traits>

#include <tenon/io/dlpack.hpp>
#include <tenon/tensor/complex.hpp>

// The structs of DLPack have the layout of those in its own header, where one is installed (Debian:
// libdlpack-dev; PyTorch has a copy).
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#elif __has_include(<ATen/dlpack.h>)
#include <ATen/dlpack.h>
#endif

#if defined(DLPACK_DLPACK_H_)
namespace dlpack_structs {

namespace own = tenon::dlpack;

template <class A, class B>
constexpr bool same_size = sizeof(A) == sizeof(B) && alignof(A) == alignof(B);

static_assert(same_size<own::DLDevice, ::DLDevice> && same_size<own::DLDataType, ::DLDataType>);
static_assert(same_size<own::DLTensor, ::DLTensor>);
static_assert(offsetof(own::DLTensor, device) == offsetof(::DLTensor, device));
static_assert(offsetof(own::DLTensor, ndim) == offsetof(::DLTensor, ndim));
static_assert(offsetof(own::DLTensor, dtype) == offsetof(::DLTensor, dtype));
static_assert(offsetof(own::DLTensor, shape) == offsetof(::DLTensor, shape));
static_assert(offsetof(own::DLTensor, strides) == offsetof(::DLTensor, strides));
static_assert(offsetof(own::DLTensor, byte_offset) == offsetof(::DLTensor, byte_offset));
static_assert(offsetof(own::DLDataType, bits) == offsetof(::DLDataType, bits));
static_assert(offsetof(own::DLDataType, lanes) == offsetof(::DLDataType, lanes));

static_assert(same_size<own::DLManagedTensor, ::DLManagedTensor>);
static_assert(offsetof(own::DLManagedTensor, manager_ctx) ==
              offsetof(::DLManagedTensor, manager_ctx));
static_assert(offsetof(own::DLManagedTensor, deleter) == offsetof(::DLManagedTensor, deleter));

namespace values = tenon::internal::interchange;
static_assert(values::cpu == kDLCPU && values::cuda_host == 3 && values::cuda == 2);
static_assert(values::dtype_of<float>.code == kDLFloat && values::dtype_of<int>.code == kDLInt);
static_assert(values::dtype_of<std::uint8_t>.code == kDLUInt);
static_assert(values::dtype_of<tenon::bfloat16>.code == kDLBfloat);

#if defined(DLPACK_MAJOR_VERSION)
static_assert(values::cuda_managed == kDLCUDAManaged && values::rocm_host == kDLROCMHost);
static_assert(values::dtype_of<bool>.code == kDLBool);
static_assert(values::dtype_of<std::complex<float>>.code == kDLComplex);
static_assert(values::version.major == DLPACK_MAJOR_VERSION);
static_assert(values::read_only_flag == DLPACK_FLAG_BITMASK_READ_ONLY);
static_assert(values::is_copied_flag == DLPACK_FLAG_BITMASK_IS_COPIED);
using Own = own::DLManagedTensorVersioned;
using Theirs = ::DLManagedTensorVersioned;
static_assert(same_size<Own, Theirs> && same_size<own::DLPackVersion, ::DLPackVersion>);
static_assert(offsetof(Own, manager_ctx) == offsetof(Theirs, manager_ctx));
static_assert(offsetof(Own, deleter) == offsetof(Theirs, deleter));
static_assert(offsetof(Own, flags) == offsetof(Theirs, flags));
static_assert(offsetof(Own, dl_tensor) == offsetof(Theirs, dl_tensor));
#endif

}  // namespace dlpack_structs
#endif
