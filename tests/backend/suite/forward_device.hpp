#pragma once

// A device that computes values and has no gradients: nothing is compiled that goes back through
// them.

#include <tenon/tenon.hpp>

namespace suite {

template <tenon::Device D>
struct Forward : D {};

/// The backend of `D`, of which nobody asks to go back. (`gradients` does, of `D` itself.)
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
