#pragma once

#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// A tensor of dtype `T` whose spec may be written in any form: `Of<float, " _x  n+1 ">`.
template <class T, Spec S, class D = Cpu>
using Of = Tensor<T, internal::ReadSpec<S>::canonical, D>;

/// A tensor of `float`. The spec may be written in any form; the type holds its canonical one.
/// PyTorch: `torch.float32`.
template <Spec S, class D = Cpu>
using Float32 = Tensor<float, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `double`. PyTorch: `torch.float64`.
template <Spec S, class D = Cpu>
using Float64 = Tensor<double, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `float16`. An expression of such tensors is computed in `float`, numbers beside them
/// included, and rounded to nearest even where a value is stored: once per kernel, after sums and
/// matmuls. So are adjoints, which are rounded at the end. PyTorch: `torch.float16`.
template <Spec S, class D = Cpu>
using Float16 = Tensor<float16, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `bfloat16`, computed and rounded as `Float16` is. PyTorch: `torch.bfloat16`.
template <Spec S, class D = Cpu>
using BFloat16 = Tensor<bfloat16, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `float8_e4m3fn`, which `to<>` makes and converts; other operations refuse it.
/// PyTorch: `torch.float8_e4m3fn`.
template <Spec S, class D = Cpu>
using Float8E4M3FN = Tensor<float8_e4m3fn, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `float8_e5m2`, likewise. PyTorch: `torch.float8_e5m2`.
template <Spec S, class D = Cpu>
using Float8E5M2 = Tensor<float8_e5m2, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `std::int8_t`. PyTorch: `torch.int8`.
template <Spec S, class D = Cpu>
using Int8 = Tensor<std::int8_t, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `std::int16_t`. PyTorch: `torch.int16`.
template <Spec S, class D = Cpu>
using Int16 = Tensor<std::int16_t, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `std::int32_t`. PyTorch: `torch.int32`.
template <Spec S, class D = Cpu>
using Int32 = Tensor<std::int32_t, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `std::int64_t`. PyTorch: `torch.int64`.
template <Spec S, class D = Cpu>
using Int64 = Tensor<std::int64_t, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `std::uint8_t`. PyTorch: `torch.uint8`.
template <Spec S, class D = Cpu>
using UInt8 = Tensor<std::uint8_t, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `std::uint16_t`. PyTorch: `torch.uint16`.
template <Spec S, class D = Cpu>
using UInt16 = Tensor<std::uint16_t, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `std::uint32_t`. PyTorch: `torch.uint32`.
template <Spec S, class D = Cpu>
using UInt32 = Tensor<std::uint32_t, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `std::uint64_t`. PyTorch: `torch.uint64`.
template <Spec S, class D = Cpu>
using UInt64 = Tensor<std::uint64_t, internal::ReadSpec<S>::canonical, D>;
/// A tensor of truth values. (The concept over such tensors keeps jaxtyping's name, `Bool`.)
/// PyTorch: `torch.bool`.
template <Spec S, class D = Cpu>
using Mask = Tensor<bool, internal::ReadSpec<S>::canonical, D>;

}  // namespace tenon
