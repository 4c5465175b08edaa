#pragma once

#include <tenon/backend/contract.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/inline/element.hpp>

namespace tenon::internal {

/// The reference implementation for tests of other backends: naive loops, one element at a time.
/// Everything else is the default.
struct ReferenceBackend : BackendDefaults<Reference> {
  /// Each element by definition; inner reductions are recomputed for every element.
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
  static void contract(E const& product, typename E::value_type* to) {
    ElementIndex index{};
    Sizes const sizes = product.sizes();
    if (count(sizes, E::shape.rank) == 0) return;
    do {
      *to++ = element(product, index);
    } while (next(index, sizes, E::shape.rank));
  }
};

}  // namespace tenon::internal

namespace tenon {

template <>
struct BackendFor<Reference> {
  using type = internal::ReferenceBackend;
};

}  // namespace tenon
