#pragma once

#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/onnx/wire.hpp>

namespace tenon::internal::onnx {

/// The operation in messages about a file that is written.
inline constexpr std::string_view writing = "onnx::save";

/// Writes the fields of a `ModelProto`, in the order of their numbers. Fields without a value are
/// left out. `where` is the file in messages. Throws `ValueError` for a text that is not UTF-8,
/// elements that do not fill their tensor, and an attribute without a value.
void encode(MessageWriter& to, Model const& model, std::string_view where);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/encode.ipp>
#endif
