#pragma once

#include <complex>

#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// A tensor of dtype `T` whose spec may be written in any form: `Of<float, " _x  n+1 ">`.
template <class T, Spec S, class D = Cpu>
using Of = Tensor<T, internal::ReadSpec<S>::canonical, D>;

template <Spec S, class D = Cpu>
using Float32 = Tensor<float, internal::ReadSpec<S>::canonical, D>;
template <Spec S, class D = Cpu>
using Float64 = Tensor<double, internal::ReadSpec<S>::canonical, D>;
/// 16 bits per element. An expression of such tensors is computed in `float`, numbers beside them
/// included, and rounded to nearest even where a value is stored: once per kernel, after sums and
/// matmuls. So are adjoints, which are rounded at the end.
template <Spec S, class D = Cpu>
using Float16 = Tensor<float16, internal::ReadSpec<S>::canonical, D>;
template <Spec S, class D = Cpu>
using BFloat16 = Tensor<bfloat16, internal::ReadSpec<S>::canonical, D>;
template <Spec S, class D = Cpu>
using Int8 = Tensor<std::int8_t, internal::ReadSpec<S>::canonical, D>;
template <Spec S, class D = Cpu>
using Int16 = Tensor<std::int16_t, internal::ReadSpec<S>::canonical, D>;
template <Spec S, class D = Cpu>
using Int32 = Tensor<std::int32_t, internal::ReadSpec<S>::canonical, D>;
template <Spec S, class D = Cpu>
using Int64 = Tensor<std::int64_t, internal::ReadSpec<S>::canonical, D>;
template <Spec S, class D = Cpu>
using UInt8 = Tensor<std::uint8_t, internal::ReadSpec<S>::canonical, D>;
template <Spec S, class D = Cpu>
using UInt16 = Tensor<std::uint16_t, internal::ReadSpec<S>::canonical, D>;
template <Spec S, class D = Cpu>
using UInt32 = Tensor<std::uint32_t, internal::ReadSpec<S>::canonical, D>;
template <Spec S, class D = Cpu>
using UInt64 = Tensor<std::uint64_t, internal::ReadSpec<S>::canonical, D>;
template <Spec S, class D = Cpu>
using Complex64 = Tensor<std::complex<float>, internal::ReadSpec<S>::canonical, D>;
template <Spec S, class D = Cpu>
using Complex128 = Tensor<std::complex<double>, internal::ReadSpec<S>::canonical, D>;
/// A tensor of truth values. (The concept over such tensors keeps jaxtyping's name, `Bool`.)
template <Spec S, class D = Cpu>
using Mask = Tensor<bool, internal::ReadSpec<S>::canonical, D>;

}  // namespace tenon
