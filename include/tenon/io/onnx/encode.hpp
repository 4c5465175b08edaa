#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/onnx/wire.hpp>

namespace tenon::internal::onnx {

/// Writes the fields of a `ModelProto`, in the order of their numbers. Fields without a value are
/// left out.
void encode(MessageWriter& to, Model const& model);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/encode.ipp>
#endif
