#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/encode.hpp>
#include <tenon/io/onnx/model.hpp>

namespace tenon::internal::onnx {

/// The versions of the IR (`ir_version`) that are known: from the first with opset imports to that
/// of the package `onnx` 1.23.
inline constexpr std::int64_t first_ir_version = 3, last_ir_version = 14;

/// Checks the structure of a model as in section "Graphs" of IR.md: the IR version is known; every
/// domain of an operator is imported, once; a value is defined before it is used, once, also in
/// nested graphs (SSA); names of nodes, attributes and functions are unique; outputs are defined.
/// Operators themselves are not checked. `who` and `where` are the operation and the file in
/// messages. Throws `ValueError`. Python: `onnx.checker.check_model`.
void check(Model const& model, std::string_view where = {}, std::string_view who = writing);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/check.ipp>
#endif
