#pragma once

#include <complex>
#include <tuple>
#include <type_traits>

#include <tenon/core/dtype.hpp>

namespace tenon::internal::mpi {

template <class... T>
auto gradient_dtypes(DtypeTable<T...> const&) -> decltype(std::tuple_cat(
    std::conditional_t<InexactType<T>, std::tuple<T>, std::tuple<>>()...));

/// The dtypes that gradients may have, as a tuple: the floating and complex ones.
using GradientDtypes = decltype(gradient_dtypes(dtypes));

}  // namespace tenon::internal::mpi
