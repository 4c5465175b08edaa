#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <tenon/backend/cpu/backend.hpp>
#include <tenon/core/config.hpp>
#include <tenon/eval/draw.hpp>
#include <tenon/eval/draw_integers.hpp>

/// Explicit instantiations in tenon::compiled, for the most common dtypes.
#if !TENON_DEFINES_RUNTIME

namespace tenon::internal {

extern template std::optional<ProductPlan<float>> plan_labels<CpuBackend, false>(
    LoopLabels const&, float const*, float const*, float*, bool, bool);
extern template void CpuBackend::multiply<false>(ProductPlan<float>&, AfterPart<float> const&);
extern template std::optional<ProductPlan<float>> plan_labels<CpuBackend, true>(LoopLabels const&,
                                                                                float const*,
                                                                                float const*,
                                                                                float*, bool, bool);
extern template void CpuBackend::multiply<true>(ProductPlan<float>&, AfterPart<float> const&);
extern template std::optional<ProductPlan<double>> plan_labels<CpuBackend, false>(
    LoopLabels const&, double const*, double const*, double*, bool, bool);
extern template void CpuBackend::multiply<false>(ProductPlan<double>&, AfterPart<double> const&);
extern template std::optional<ProductPlan<double>> plan_labels<CpuBackend, true>(
    LoopLabels const&, double const*, double const*, double*, bool, bool);
extern template void CpuBackend::multiply<true>(ProductPlan<double>&, AfterPart<double> const&);
extern template void draw_words<CpuBackend>(op::PhiloxKey, std::uint32_t, std::int64_t,
                                            std::uint32_t*, std::int64_t);
extern template void draw_integer_words<CpuBackend>(op::PhiloxKey, std::uint32_t, std::uint32_t*,
                                                    std::int64_t);
extern template void spread_block(float const*, float*, std::int64_t, std::int64_t);
extern template void store_runs(RowGroup const&, std::int64_t, std::int64_t, std::int64_t,
                                StoreRun<float>);
extern template void sweep_runs(RowGroup const&, std::int64_t, std::int64_t, SweepRun<float>);
extern template void add_elements<float>(std::byte*, std::byte const*, std::int64_t);
extern template Lanes<float> CpuMachine::reductions<op::SumReduction>(Lanes<float>*);
extern template Lanes<float> CpuMachine::reductions<op::MaxReduction>(Lanes<float>*);
extern template void spread_block(double const*, double*, std::int64_t, std::int64_t);
extern template void store_runs(RowGroup const&, std::int64_t, std::int64_t, std::int64_t,
                                StoreRun<double>);
extern template void sweep_runs(RowGroup const&, std::int64_t, std::int64_t, SweepRun<double>);
extern template void add_elements<double>(std::byte*, std::byte const*, std::int64_t);
extern template Lanes<double> CpuMachine::reductions<op::SumReduction>(Lanes<double>*);
extern template Lanes<double> CpuMachine::reductions<op::MaxReduction>(Lanes<double>*);

}  // namespace tenon::internal

namespace tenon::internal::graph {

extern template Elements elements_of<float>(ir::Node);
extern template Id id_of<Cpu, float>(ir::Node);
extern template Elements elements_of<double>(ir::Node);
extern template Id id_of<Cpu, double>(ir::Node);

}  // namespace tenon::internal::graph

namespace tenon::internal::linalg {

extern template std::int64_t cholesky_in_place(std::int64_t, float*);
extern template std::int64_t lu_in_place(std::int64_t, float*, std::int32_t*);
extern template void lu_solve(std::int64_t, std::int64_t, float const*, std::int32_t const*,
                              float*);
extern template void qr_factors(std::int64_t, std::int64_t, float const*, float*, float*);
extern template bool symmetric_eigen(std::int64_t, float*, float*);
extern template bool singular_values(std::int64_t, std::int64_t, float const*, float*, float*,
                                     float*);
extern template std::int64_t cholesky_in_place(std::int64_t, double*);
extern template std::int64_t lu_in_place(std::int64_t, double*, std::int32_t*);
extern template void lu_solve(std::int64_t, std::int64_t, double const*, std::int32_t const*,
                              double*);
extern template void qr_factors(std::int64_t, std::int64_t, double const*, double*, double*);
extern template bool symmetric_eigen(std::int64_t, double*, double*);
extern template bool singular_values(std::int64_t, std::int64_t, double const*, double*, double*,
                                     double*);

}  // namespace tenon::internal::linalg

#endif

#if TENON_DEFINES_RUNTIME

#if defined(TENON_IMPLEMENTATION)

namespace tenon::internal {

template std::optional<ProductPlan<float>> plan_labels<CpuBackend, false>(LoopLabels const&,
                                                                          float const*,
                                                                          float const*, float*,
                                                                          bool, bool);
template void CpuBackend::multiply<false>(ProductPlan<float>&, AfterPart<float> const&);
template std::optional<ProductPlan<float>> plan_labels<CpuBackend, true>(LoopLabels const&,
                                                                         float const*, float const*,
                                                                         float*, bool, bool);
template void CpuBackend::multiply<true>(ProductPlan<float>&, AfterPart<float> const&);
template std::optional<ProductPlan<double>> plan_labels<CpuBackend, false>(LoopLabels const&,
                                                                           double const*,
                                                                           double const*, double*,
                                                                           bool, bool);
template void CpuBackend::multiply<false>(ProductPlan<double>&, AfterPart<double> const&);
template std::optional<ProductPlan<double>> plan_labels<CpuBackend, true>(LoopLabels const&,
                                                                          double const*,
                                                                          double const*, double*,
                                                                          bool, bool);
template void CpuBackend::multiply<true>(ProductPlan<double>&, AfterPart<double> const&);
template void draw_words<CpuBackend>(op::PhiloxKey, std::uint32_t, std::int64_t, std::uint32_t*,
                                     std::int64_t);
template void draw_integer_words<CpuBackend>(op::PhiloxKey, std::uint32_t, std::uint32_t*,
                                             std::int64_t);
template void spread_block(float const*, float*, std::int64_t, std::int64_t);
template void store_runs(RowGroup const&, std::int64_t, std::int64_t, std::int64_t,
                         StoreRun<float>);
template void sweep_runs(RowGroup const&, std::int64_t, std::int64_t, SweepRun<float>);
template void add_elements<float>(std::byte*, std::byte const*, std::int64_t);
template Lanes<float> CpuMachine::reductions<op::SumReduction>(Lanes<float>*);
template Lanes<float> CpuMachine::reductions<op::MaxReduction>(Lanes<float>*);
template void spread_block(double const*, double*, std::int64_t, std::int64_t);
template void store_runs(RowGroup const&, std::int64_t, std::int64_t, std::int64_t,
                         StoreRun<double>);
template void sweep_runs(RowGroup const&, std::int64_t, std::int64_t, SweepRun<double>);
template void add_elements<double>(std::byte*, std::byte const*, std::int64_t);
template Lanes<double> CpuMachine::reductions<op::SumReduction>(Lanes<double>*);
template Lanes<double> CpuMachine::reductions<op::MaxReduction>(Lanes<double>*);

}  // namespace tenon::internal

namespace tenon::internal::graph {

template Elements elements_of<float>(ir::Node);
template Id id_of<Cpu, float>(ir::Node);
template Elements elements_of<double>(ir::Node);
template Id id_of<Cpu, double>(ir::Node);

}  // namespace tenon::internal::graph

namespace tenon::internal::linalg {

template std::int64_t cholesky_in_place(std::int64_t, float*);
template std::int64_t lu_in_place(std::int64_t, float*, std::int32_t*);
template void lu_solve(std::int64_t, std::int64_t, float const*, std::int32_t const*, float*);
template void qr_factors(std::int64_t, std::int64_t, float const*, float*, float*);
template bool symmetric_eigen(std::int64_t, float*, float*);
template bool singular_values(std::int64_t, std::int64_t, float const*, float*, float*, float*);
template std::int64_t cholesky_in_place(std::int64_t, double*);
template std::int64_t lu_in_place(std::int64_t, double*, std::int32_t*);
template void lu_solve(std::int64_t, std::int64_t, double const*, std::int32_t const*, double*);
template void qr_factors(std::int64_t, std::int64_t, double const*, double*, double*);
template bool symmetric_eigen(std::int64_t, double*, double*);
template bool singular_values(std::int64_t, std::int64_t, double const*, double*, double*, double*);

}  // namespace tenon::internal::linalg

#endif

#endif
