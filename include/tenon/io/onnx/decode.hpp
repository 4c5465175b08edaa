#pragma once

#include <memory>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/external.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/onnx/source.hpp>

namespace tenon::internal::onnx {

/// Messages may be nested this deep, as in the implementations of protobuf.
inline constexpr int most_depth = 100;

/// Decodes a `ModelProto`. Raw bytes of tensors remain in the source, which `owner` keeps in
/// memory. Fields that Tenon does not know are skipped. Throws `FileError`.
Model decode(Source& source, ExternalFiles& files, std::shared_ptr<void const> owner);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/decode.ipp>
#endif
