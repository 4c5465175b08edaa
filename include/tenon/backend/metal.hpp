#pragma once

#include <tenon/core/config.hpp>

#include <tenon/backend/codegen/backend.hpp>
#include <tenon/backend/metal/device.hpp>
#include <tenon/backend/metal/dialect.hpp>

namespace tenon {

template <>
struct BackendFor<Mps> {
  using type = internal::codegen::SourceBackend<Mps, internal::dialect::MetalC>;
};

}  // namespace tenon

namespace tenon::internal {

static_assert(Backend<BackendOf<Mps>>);

}  // namespace tenon::internal
