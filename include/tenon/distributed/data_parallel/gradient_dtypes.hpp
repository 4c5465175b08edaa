#pragma once

#include <tuple>
#include <type_traits>

#include <tenon/core/complex.hpp>
#include <tenon/core/dtype.hpp>

namespace tenon::internal::mpi {

template <class... T, class... Z>
auto gradient_dtypes(DtypeTable<T...> const&, DtypeTable<Z...> const&)
    -> decltype(std::tuple_cat(std::conditional_t<InexactType<T>, std::tuple<T>, std::tuple<>>()...,
                               std::tuple<Z...>()));

/// The dtypes that gradients may have, as a tuple: the floating and complex ones.
using GradientDtypes = decltype(gradient_dtypes(dtypes, complex_dtypes));

}  // namespace tenon::internal::mpi
