#pragma once

#include <tenon/backend/metal/queue.hpp>

namespace tenon::internal::metal {

/// Compiler options without fast math: no reordering or contraction.
inline Owned safe_options() {
  Owned options(ask<"new", Object>(Api::instance().class_of("MTLCompileOptions")));
  static Selector const set_mode = Api::instance().selector("setMathMode:");  // macOS 15
  if (ask<"respondsToSelector:", bool>(options.get(), set_mode)) {
    ask<"setMathMode:">(options.get(), safe_mathematics);
    ask<"setMathFloatingPointFunctions:">(options.get(), precise_functions);
  } else {
    ask<"setFastMathEnabled:">(options.get(), false);
  }
  return options;
}

/// Compiles a kernel. Throws `DeviceError` with the compiler log and the text.
inline Pipeline compiled(Object device, std::string const& name, std::string const& text) {
  Pool const pool;
  Object error = nullptr;
  auto const check = [&](Owned const& made) {
    if (!made) refuse(name, "a kernel that compiles", reason(error), text);
  };
  Owned const options = safe_options();
  Owned const library(ask<"newLibraryWithSource:options:error:", Object>(device, string_of(text),
                                                                         options.get(), &error));
  check(library);
  Owned const function(ask<"newFunctionWithName:", Object>(library.get(), string_of(name)));
  check(function);
  Owned state(
      ask<"newComputePipelineStateWithFunction:error:", Object>(device, function.get(), &error));
  check(state);
  auto const most = ask<"maxTotalThreadsPerThreadgroup", Natural>(state.get());
  return {state.kept(), most, name};
}

}  // namespace tenon::internal::metal
