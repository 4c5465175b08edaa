#pragma once

#include <tenon/core/config.hpp>

#include <tenon/backend/codegen/backend.hpp>
#include <tenon/backend/cuda/device.hpp>
#include <tenon/backend/cuda/dialect.hpp>

namespace tenon {

template <>
struct BackendFor<Cuda> {
  using type = internal::codegen::SourceBackend<Cuda, internal::dialect::CudaC>;
};

}  // namespace tenon

namespace tenon::internal {

static_assert(Backend<BackendOf<Cuda>>);

}  // namespace tenon::internal
