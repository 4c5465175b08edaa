#pragma once

#include <tenon/core/config.hpp>

#include <tenon/backend/codegen/backend.hpp>
#include <tenon/backend/opencl/device.hpp>
#include <tenon/backend/opencl/dialect.hpp>

namespace tenon {

template <>
struct BackendFor<OpenCl> {
  using type = internal::codegen::SourceBackend<OpenCl, internal::dialect::OpenClC>;
};

}  // namespace tenon

namespace tenon::internal {

static_assert(Backend<BackendOf<OpenCl>>);

}  // namespace tenon::internal
