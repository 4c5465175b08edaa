#pragma once

#include <tenon/backend/contract.hpp>
#include <tenon/backend/cpu/attention.hpp>
#include <tenon/backend/cpu/depthwise/depthwise.hpp>
#include <tenon/backend/cpu/inline_lanes.hpp>
#include <tenon/backend/cpu/linalg/factors.hpp>
#include <tenon/backend/cpu/machine.hpp>
#include <tenon/backend/cpu/matmul/products.hpp>
#include <tenon/backend/cpu/matmul/small_product.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/inline/backward_reduction.hpp>

namespace tenon::internal {

/// SIMD lanes on a thread pool; matmuls by a tiled kernel.
struct CpuBackend : BackendDefaults<Cpu> {
  using machine = CpuMachine;
  using factors = linalg::CpuFactors;

  template <class F>
  static void parallel_for(std::int64_t chunks, std::size_t scratch_bytes, F const& f) {
    tenon::internal::parallel_for(chunks, scratch_bytes, f);
  }

  /// One for a single thread, else up to 16 for each thread, for load balance.
  static std::int64_t parts(std::int64_t chunks) {
    int const workers = threads();
    return std::min<std::int64_t>(chunks, workers == 1 ? 1 : std::int64_t{16} * workers);
  }

  template <class... E>
  static void fill_together(OutputOf<E> const&... outputs) {
    run_outputs<CpuBackend>(outputs...);
  }

  template <class E>
  static consteval bool fills_inline() {
    if constexpr (is_inline_reduction<E>)
      return ReductionWalk<E>::Runs::run < 4 * CpuMachine::count;
    else return is_inline_expression<E> || is_small_product<E>;
  }
  template <class E>
  TENON_INLINE static void fill_inline(E const& e, typename E::value_type* to) {
    if constexpr (is_inline_reduction<E>) fill_inline_reduction<CpuMachine>(e, to);
    else if constexpr (is_small_product<E>) small_product(e, to);
    else fill_inline_map(e, to);
  }
  template <class E>
  static void backward_inline(E const& e, typename E::value_type const* from, Tape& tape) {
    if constexpr (is_inline_reduction<E>) backward_inline_reduction<CpuMachine>(e, from, tape);
    else if constexpr (is_small_product<E>) backward_small_product(e, from, tape);
    else backward_inline_map<CpuMachine>(e, from, tape);
  }

  static constexpr bool reduces_products = true;
  /// The epilogue runs on each part of the matmul while it is in cache.
  template <class P, class E>
  static void contract_with_epilogue(P const& product, typename P::value_type* value, E const& e,
                                     MemoryAccess const& out) {
    run_plan_with_epilogue<CpuBackend>(product, value, e, out);
  }

  template <bool reads_steps, class T>
  static void multiply(ProductPlan<T>& plan, AfterPart<T> const& after);
  template <class T>
  static constexpr bool multiplies_im2col = std::floating_point<T>;
  template <class T>
  static constexpr bool multiplies_winograd = std::floating_point<T>;
  template <class T>
  static void multiply_winograd(ProductPlan<T> const& plan) {
    CpuProducts<T>::multiply_winograd(plan);
  }

  /// Whether the machine multiplies bfloat16 natively.
  template <class T>
  static constexpr bool multiplies_halves = std::is_same_v<T, bfloat16> && simd::has_pairs;
  static bool takes_halves(MatrixProduct<bfloat16> const& p) {
    return CpuProducts<bfloat16>::takes(p);
  }

  template <class T>
  static constexpr bool attends = std::same_as<T, float> || std::same_as<T, double> || HalfType<T>;
  template <class T>
  static void attend(AttentionNumbers const& numbers, AttentionMemory<T> const& memory,
                     AttentionOptions const& options) {
    CpuAttention<T>::attend({numbers, options}, memory);
  }
  template <class T>
  static void backward_attention(AttentionNumbers const& numbers, AttentionMemory<T> const& memory,
                                 AttentionAdjoints<T> const& adjoints,
                                 AttentionOptions const& options) {
    CpuAttention<T>::backward({numbers, options}, memory, adjoints);
  }

  template <class T>
  static constexpr bool convolves_depthwise = std::same_as<T, float> || std::same_as<T, double>;
  template <class T>
  static void convolve_depthwise(DepthwiseNumbers const& numbers, T const* x, T const* weight,
                                 T* y) {
    CpuDepthwise<T>::convolve(numbers, x, weight, y);
  }
  template <class T>
  static void depthwise_operand_adjoint(DepthwiseNumbers const& numbers, T const* dy,
                                        T const* weight, T* dx) {
    CpuDepthwise<T>::operand_adjoint(numbers, dy, weight, dx);
  }
  template <class T>
  static void depthwise_weight_adjoint(DepthwiseNumbers const& numbers, T const* x, T const* dy,
                                       T* dweight) {
    CpuDepthwise<T>::weight_adjoint(numbers, x, dy, dweight);
  }

  template <class T>
  static void product(MatrixProduct<T> const& p, std::byte* scratch) {
    CpuProducts<T>::multiply(p, scratch);
  }
  template <class T>
  static std::size_t product_scratch(MatrixProduct<T> const& p) {
    return CpuProducts<T>::scratch(p);
  }
};

/// (Not in the class, where it would be inline: the file that uses it would compile what is
/// instantiated in `instances.hpp`.)
template <bool reads_steps, class T>
void CpuBackend::multiply(ProductPlan<T>& plan, AfterPart<T> const& after) {
  if constexpr (reads_steps && multiplies_im2col<T>) {
    if (plan.direct) return CpuProducts<T>::multiply_direct(plan, after);
    if (plan.scattered) return CpuProducts<T>::multiply_im2col(plan, after);
  }
  plan.cut = CpuProducts<T>::cut(plan);
  if (plan.cut.packed) return CpuProducts<T>::multiply_packed(plan, after);
  run_tasks<CpuBackend>(plan, after);
}

}  // namespace tenon::internal

namespace tenon {

template <>
struct BackendFor<Cpu> {
  using type = internal::CpuBackend;
};

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

#include <tenon/backend/cpu/matmul/bf16_dot_packed.hpp>
#include <tenon/backend/cpu/matmul/direct.hpp>
#include <tenon/backend/cpu/matmul/im2col.hpp>
#include <tenon/backend/cpu/matmul/winograd.hpp>

#if defined(TENON_IMPLEMENTATION)

#include <complex>

namespace tenon::internal {

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

}  // namespace tenon::internal

#endif

#endif
