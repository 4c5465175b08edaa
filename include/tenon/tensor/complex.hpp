#pragma once

#include <complex>

#include <tenon/tensor/tensor.hpp>

/// Tensors of complex numbers; included by name.
namespace tenon {

/// A tensor of `std::complex<float>`. PyTorch: `torch.complex64`.
template <Spec S, class D = Cpu>
using Complex64 = Tensor<std::complex<float>, internal::ReadSpec<S>::canonical, D>;
/// A tensor of `std::complex<double>`. PyTorch: `torch.complex128`.
template <Spec S, class D = Cpu>
using Complex128 = Tensor<std::complex<double>, internal::ReadSpec<S>::canonical, D>;

}  // namespace tenon

namespace tenon::internal {

template <class X>
concept ComplexExpression = Expression<X> && ComplexType<typename Unqualified<X>::value_type>;

}  // namespace tenon::internal
