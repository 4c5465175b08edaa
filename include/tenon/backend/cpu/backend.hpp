#pragma once

#include <tenon/backend/cpu/factor/factors.hpp>
#include <tenon/backend/cpu/held_lanes.hpp>
#include <tenon/backend/cpu/machine.hpp>
#include <tenon/backend/cpu/products.hpp>
#include <tenon/backend/cpu/small_product.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/eval/contract/pull_product.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/held/pull_fold.hpp>
#include <tenon/eval/sweep.hpp>

namespace tenon {

/// SIMD lanes on a pool of threads; products by a kernel.
struct CpuBackend {
  using device = Cpu;
  using machine = CpuMachine;
  using factors = linalg::CpuFactors;

  template <class F>
  static void parallel_for(std::int64_t chunks, F const& f) {
    tenon::parallel_for(chunks, f);
  }
  template <class F>
  static void parallel_for(std::int64_t chunks, std::size_t scratch_bytes, F const& f) {
    tenon::parallel_for(chunks, scratch_bytes, f);
  }

  /// The number of parts into which `chunks` chunks are divided, each with a copy of the kernel:
  /// one for a single thread, else up to 16 for each thread, for load balance.
  static std::int64_t parts(std::int64_t chunks) {
    int const workers = threads();
    return std::min<std::int64_t>(chunks, workers == 1 ? 1 : std::int64_t{16} * workers);
  }

  template <class E>
  TENON_INLINE static void fill(E const& e, MemoryAccess const& out) {
    run<CpuBackend>(e, out);
  }

  template <class E>
    requires is_held<E>
  TENON_INLINE static void fill_held(E const& e, typename E::value_type* out) {
    fill_held_map(e, out);
  }
  template <class E>
    requires(is_held_fold<E> && FoldWalk<E>::Runs::run < 4 * CpuMachine::count)
  TENON_INLINE static void fill_held(E const& e, typename E::value_type* out) {
    fill_held_fold<CpuMachine>(e, out);
  }
  template <class E>
    requires is_small_product<E>
  TENON_INLINE static void fill_held(E const& e, typename E::value_type* out) {
    small_product(e, out);
  }

  template <class E>
    requires is_held<E>
  static void pull_held(E const& e, typename E::value_type const* adjoint, Tape& tape) {
    tenon::pull_held<CpuMachine>(e, adjoint, tape);
  }
  template <class E>
    requires is_held_fold<E>
  static void pull_held(E const& e, typename E::value_type const* adjoint, Tape& tape) {
    pull_held_fold<CpuMachine>(e, adjoint, tape);
  }
  template <class E>
    requires is_small_product<E>
  static void pull_held(E const& e, typename E::value_type const* adjoint, Tape& tape) {
    pull_small_product(e, adjoint, tape);
  }

  template <class E>
  TENON_INLINE static void pull(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    sweep<CpuBackend>(e, adjoint, tape);
  }

  template <class E>
  static void contract(E const& product, typename E::value_type* out) {
    tenon::contract<CpuBackend>(product, out);
  }

  template <class P, class E>
  static void contract_with_epilogue(P const& product, typename P::value_type* value, E const& e,
                                     MemoryAccess const& out) {
    tenon::contract_with_epilogue<CpuBackend>(product, value, e, out);
  }

  template <class E>
  static void pull_contract(E const& product, typename E::value_type const* adjoint, Tape& tape) {
    pull_product<CpuBackend>(product, adjoint, tape);
  }

  template <class T>
  static ProductCut product_cut(ProductPlan<T> const& plan) {
    return CpuProducts<T>::cut(plan);
  }
  template <class T>
  static void multiply_packed(ProductPlan<T> const& plan, AfterPart<T> const& after) {
    CpuProducts<T>::multiply_packed(plan, after);
  }
  template <std::floating_point T>
  static void multiply_scattered(ProductPlan<T> const& plan, AfterPart<T> const& after) {
    CpuProducts<T>::multiply_scattered(plan, after);
  }

  /// Where the machine multiplies bfloat16 by itself.
  template <class T>
  static constexpr bool multiplies_halves = std::is_same_v<T, bfloat16> && simd::has_pairs;
  static bool takes_halves(MatrixProduct<bfloat16> const& p) {
    return CpuProducts<bfloat16>::takes(p);
  }

  /// Bytes of working memory for a product of such sizes.
  template <class T>
  static std::size_t product_scratch(MatrixProduct<T> const& p) {
    return CpuProducts<T>::scratch(p);
  }
  template <class T>
  static void product(MatrixProduct<T> const& p, std::byte* scratch) {
    CpuProducts<T>::multiply(p, scratch);
  }
};

template <>
struct BackendFor<Cpu> {
  using type = CpuBackend;
};

static_assert(DifferentiatingBackend<CpuBackend>);

}  // namespace tenon
