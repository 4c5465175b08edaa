#pragma once

#include <string>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/tensor/tracing.hpp>

namespace tenon::internal::tracing {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse(std::string_view function) {
  throw Error("tenon::onnx::save: '" + std::string(function) +
              "' has no form in ONNX: compute it outside, and pass the result as an input");
}

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse_read() {
  throw Error(
      "tenon::onnx::save: a value that depends on an input is read as a number: control flow "
      "cannot "
      "depend on values; where(mask, a, b) chooses elements");
}

}  // namespace tenon::internal::tracing
