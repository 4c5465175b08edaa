#pragma once

#include <array>

#include <tenon/backend/cpu/backend.hpp>
#include <tenon/core/config.hpp>
#include <tenon/optim/adamw.hpp>
#include <tenon/tensor/aliases.hpp>

/// Explicit instantiations in tenon::compiled: the step of AdamW over leaves of float32, which most
/// programs have.
namespace tenon::internal::optim {

#if !TENON_DEFINES_RUNTIME
extern template void Step::update_rows<Float32<"n">>(AdamW const&, AdamScalars<double> const&,
                                                     LeafOptions const&,
                                                     std::array<LeafRef, 5> const&);
#elif defined(TENON_IMPLEMENTATION)
template void Step::update_rows<Float32<"n">>(AdamW const&, AdamScalars<double> const&,
                                              LeafOptions const&, std::array<LeafRef, 5> const&);
#endif

}  // namespace tenon::internal::optim
