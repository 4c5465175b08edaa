#pragma once

#include <concepts>
#include <cstddef>

#include <tenon/backend/cpu/matmul/bf16_dot_machine.hpp>
#include <tenon/core/config.hpp>
#include <tenon/eval/contract/product.hpp>

/// CPU matmuls, declared for every dtype and defined in `products.ipp`.
namespace tenon::internal {

template <class T>
struct CpuProducts {
  /// Determined by the sizes only.
  static ProductCut cut(ProductPlan<T> const& plan);
  /// Bytes of scratch memory for a matmul of these sizes.
  static std::size_t scratch(MatrixProduct<T> const& p);
  /// A matmul on one thread.
  static void multiply(MatrixProduct<T> const& p, std::byte* scratch);
  /// A plan by blocks of the right matrix, which all threads share.
  static void multiply_packed(ProductPlan<T> const& plan, AfterPart<T> const& after);
  /// The same for scattered operands (implicit im2col).
  static void multiply_im2col(ProductPlan<T> const& plan, AfterPart<T> const& after)
    requires std::floating_point<T>;
  /// The loops of a direct contraction.
  static void multiply_direct(ProductPlan<T> const& plan, AfterPart<T> const& after)
    requires std::floating_point<T>;
};

/// Matmuls of unconverted bfloat16, if the machine has dot product instructions.
template <>
struct CpuProducts<bfloat16> {
  /// Whether these are faster than copies as floats.
  static bool takes(MatrixProduct<bfloat16> const& p);
  static ProductCut cut(ProductPlan<bfloat16> const& plan);
  static std::size_t scratch(MatrixProduct<bfloat16> const& p);
  static void multiply(MatrixProduct<bfloat16> const& p, std::byte* scratch);
  static void multiply_packed(ProductPlan<bfloat16> const& plan, AfterPart<bfloat16> const& after);
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <cstdint>
#include <type_traits>

#include <tenon/backend/cpu/matmul/bf16_dot_packed.hpp>
#include <tenon/backend/cpu/matmul/direct.hpp>
#include <tenon/backend/cpu/matmul/im2col.hpp>
#include <tenon/backend/cpu/matmul/product.hpp>

#if defined(TENON_IMPLEMENTATION)
#include <complex>
#endif

namespace tenon::internal {

template <class T>
ProductCut CpuProducts<T>::cut(ProductPlan<T> const& plan) {
  return cpu_product_cut(plan);
}
template <class T>
std::size_t CpuProducts<T>::scratch(MatrixProduct<T> const& p) {
  return takes_loops<T>(p.m, p.n, p.k) ? 0 : ProductScratch<T>::bytes(p.n, p.k);
}
template <class T>
void CpuProducts<T>::multiply(MatrixProduct<T> const& p, std::byte* scratch) {
  product<T>(p.m, p.n, p.k, {p.a, p.a_row, p.a_column}, {p.b, p.b_row, p.b_column},
             {p.c, p.c_row, 1}, p.accumulate, scratch);
}
template <class T>
void CpuProducts<T>::multiply_packed([[maybe_unused]] ProductPlan<T> const& plan,
                                     [[maybe_unused]] AfterPart<T> const& after) {
  if constexpr (std::is_floating_point_v<T>) tenon::internal::multiply_packed(plan, after);
}
template <class T>
void CpuProducts<T>::multiply_im2col(ProductPlan<T> const& plan, AfterPart<T> const& after)
  requires std::floating_point<T>
{
  Im2colProduct<T>(plan, after).run();
}
template <class T>
void CpuProducts<T>::multiply_direct(ProductPlan<T> const& plan, AfterPart<T> const& after)
  requires std::floating_point<T>
{
  tenon::internal::multiply_direct(plan, after);
}

TENON_RUNTIME bool CpuProducts<bfloat16>::takes(MatrixProduct<bfloat16> const& p) {
  return pairs_are_faster(p.m, p.n, p.k) && simd::multiplies_pairs();
}
TENON_RUNTIME ProductCut CpuProducts<bfloat16>::cut(ProductPlan<bfloat16> const& plan) {
  return pairs_cut(plan);
}
TENON_RUNTIME std::size_t CpuProducts<bfloat16>::scratch(MatrixProduct<bfloat16> const& p) {
  return pairs_scratch(p);
}
TENON_RUNTIME void CpuProducts<bfloat16>::multiply(MatrixProduct<bfloat16> const& p,
                                                   std::byte* scratch) {
  multiply_pairs(p, scratch);
}
TENON_RUNTIME void CpuProducts<bfloat16>::multiply_packed(ProductPlan<bfloat16> const& plan,
                                                          AfterPart<bfloat16> const& after) {
  multiply_packed_pairs(plan, after);
}

#if defined(TENON_IMPLEMENTATION)
template struct CpuProducts<float>;
template struct CpuProducts<double>;
template struct CpuProducts<std::complex<float>>;
template struct CpuProducts<std::complex<double>>;
template struct CpuProducts<std::int8_t>;
template struct CpuProducts<std::int16_t>;
template struct CpuProducts<std::int32_t>;
template struct CpuProducts<std::int64_t>;
template struct CpuProducts<std::uint8_t>;
template struct CpuProducts<std::uint16_t>;
template struct CpuProducts<std::uint32_t>;
template struct CpuProducts<std::uint64_t>;
#endif

}  // namespace tenon::internal

#endif
