#pragma once

#include <tenon/backend/metal/device.hpp>
#include <tenon/backend/metal/dialect.hpp>
#include <tenon/backend/source/backend.hpp>

namespace tenon {

template <>
struct BackendFor<Mps> {
  using type = source::SourceBackend<Mps, dialect::MetalC>;
};

static_assert(Backend<BackendOf<Mps>>);

}  // namespace tenon
