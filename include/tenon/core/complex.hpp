#pragma once

#include <complex>
#include <type_traits>

#include <tenon/core/dtype.hpp>

/// Complex numbers as dtypes. They are not part of `tenon.hpp`, because `<complex>` includes
/// streams and locales: programs that use them include this header or `tensor/complex.hpp`.
namespace tenon::internal {

inline constexpr DtypeTable complex_dtypes{
    Dtype<std::complex<float>>{"complex64", DtypeCategory::complex, "cfloat"},
    Dtype<std::complex<double>>{"complex128", DtypeCategory::complex, "cdouble"},
};

template <class T>
inline constexpr bool is_dtype<std::complex<T>> =
    std::is_base_of_v<Dtype<std::complex<T>>, decltype(complex_dtypes)>;

template <class T>
inline constexpr Dtype<std::complex<T>> const& dtype<std::complex<T>> = complex_dtypes;

}  // namespace tenon::internal
