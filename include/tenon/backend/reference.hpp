#pragma once

#include <tenon/backend/reference/factors.hpp>
#include <tenon/eval/contract/pull_product.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/machine.hpp>
#include <tenon/eval/sweep.hpp>

namespace tenon {

/// Naive loops, one element at a time: obviously right, and the judge of every other backend.
struct ReferenceBackend {
  using device = Reference;
  using machine = ScalarMachine;
  using factors = linalg::ReferenceFactors;

  template <class F>
  static void parallel_for(std::int64_t chunks, F const& f) {
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) f(chunk);
  }
  template <class F>
  static void parallel_for(std::int64_t chunks, std::size_t scratch_bytes, F const& f) {
    SharedBuffer const scratch(scratch_bytes);
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) f(chunk, scratch.as<std::byte>());
  }

  /// Each element from its meaning; folds inside are computed anew for every element.
  template <class E>
  static void fill(E const& e, MemoryAccess const& out) {
    using T = typename E::value_type;
    ElementIndex index{};
    Sizes const sizes = e.sizes();
    T* const to = reinterpret_cast<T*>(out.gradient);
    if (count(sizes, E::shape.rank) == 0) return;
    do {
      to[offset(out.stride, index, E::shape.rank)] = element(e, index);
    } while (next(index, sizes, E::shape.rank));
  }

  template <class E>
  static void pull(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    sweep<ReferenceBackend>(e, adjoint, tape);
  }

  template <class E>
  static void contract(E const& product, typename E::value_type* out) {
    ElementIndex index{};
    Sizes const sizes = product.sizes();
    if (count(sizes, E::shape.rank) == 0) return;
    do {
      *out++ = element(product, index);
    } while (next(index, sizes, E::shape.rank));
  }

  template <class E>
  static void pull_contract(E const& product, typename E::value_type const* adjoint, Tape& tape) {
    pull_product<ReferenceBackend>(product, adjoint, tape);
  }

  template <class T>
  static std::size_t product_scratch(MatrixProduct<T> const&) {
    return 0;
  }

  template <class T>
  static void product(MatrixProduct<T> const& p, std::byte*) {
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) {
        T sum = p.accumulate ? p.c[i * p.c_row + j] : T(0);
        for (std::int64_t l = 0; l < p.k; ++l)
          sum += p.a[i * p.a_row + l * p.a_column] * p.b[l * p.b_row + j * p.b_column];
        p.c[i * p.c_row + j] = sum;
      }
    }
  }
};

template <>
struct BackendFor<Reference> {
  using type = ReferenceBackend;
};

static_assert(DifferentiatingBackend<ReferenceBackend>);

}  // namespace tenon
