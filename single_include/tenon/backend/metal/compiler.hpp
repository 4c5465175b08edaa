// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <tenon/backend/metal/queue.hpp>

namespace tenon::metal {

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

}  // namespace tenon::metal
