#pragma once

#include <complex>

#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// A tensor of dtype `T` whose spec may be written in any form: `Of<float, " _x  n+1 ">`.
template <class T, Spec S, class D = Cpu>
using Of = Tensor<T, canonical<S>, D>;

template <Spec S, class D = Cpu>
using Float32 = Of<float, S, D>;
template <Spec S, class D = Cpu>
using Float64 = Of<double, S, D>;
/// 16 bits an element. A formula of such tensors is computed in `float`, numbers beside them
/// included, and rounded to nearest even where a value is stored: once for all of a kernel, after
/// sums and products. So are adjoints, which are rounded at the end.
template <Spec S, class D = Cpu>
using Float16 = Of<float16, S, D>;
template <Spec S, class D = Cpu>
using BFloat16 = Of<bfloat16, S, D>;
template <Spec S, class D = Cpu>
using Int8 = Of<std::int8_t, S, D>;
template <Spec S, class D = Cpu>
using Int16 = Of<std::int16_t, S, D>;
template <Spec S, class D = Cpu>
using Int32 = Of<std::int32_t, S, D>;
template <Spec S, class D = Cpu>
using Int64 = Of<std::int64_t, S, D>;
template <Spec S, class D = Cpu>
using UInt8 = Of<std::uint8_t, S, D>;
template <Spec S, class D = Cpu>
using UInt16 = Of<std::uint16_t, S, D>;
template <Spec S, class D = Cpu>
using UInt32 = Of<std::uint32_t, S, D>;
template <Spec S, class D = Cpu>
using UInt64 = Of<std::uint64_t, S, D>;
template <Spec S, class D = Cpu>
using Complex64 = Of<std::complex<float>, S, D>;
template <Spec S, class D = Cpu>
using Complex128 = Of<std::complex<double>, S, D>;
/// A tensor of truth values. (The concept over such tensors keeps jaxtyping's name, `Bool`.)
template <Spec S, class D = Cpu>
using Mask = Of<bool, S, D>;

}  // namespace tenon
