#pragma once

// A device without gradients: no backward kernels are compiled.

#include <tenon/tenon.hpp>

namespace suite {

template <tenon::Device D>
struct Forward : D {};

/// The backend of `D` without gradients. (`gradients` tests those of `D` itself.)
template <class D>
struct ForwardBackend : tenon::BackendOf<D> {
  using device = Forward<D>;
  static constexpr bool differentiates = false;
};

}  // namespace suite

template <class D>
struct tenon::BackendFor<suite::Forward<D>> {
  using type = suite::ForwardBackend<D>;
};

static_assert(tenon::Backend<suite::ForwardBackend<tenon::Reference>>);
