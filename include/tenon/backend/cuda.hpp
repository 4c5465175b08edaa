#pragma once

#include <tenon/backend/codegen/backend.hpp>
#include <tenon/backend/cuda/device.hpp>
#include <tenon/backend/cuda/dialect.hpp>

namespace tenon {

template <>
struct BackendFor<Cuda> {
  using type = codegen::SourceBackend<Cuda, dialect::CudaC>;
};

static_assert(Backend<BackendOf<Cuda>>);

}  // namespace tenon
