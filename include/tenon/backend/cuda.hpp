#pragma once

#include <tenon/backend/cuda/device.hpp>
#include <tenon/backend/cuda/dialect.hpp>
#include <tenon/backend/source/backend.hpp>

namespace tenon {

template <>
struct BackendFor<Cuda> {
  using type = source::SourceBackend<Cuda, dialect::CudaC>;
};

static_assert(Backend<BackendOf<Cuda>>);

}  // namespace tenon
