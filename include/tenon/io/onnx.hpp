#pragma once

// Models of ONNX: `onnx::load`, `onnx::load_contents`.
// The format: https://github.com/onnx/onnx/blob/main/docs/IR.md

#include <tenon/core/config.hpp>

#include <tenon/io/onnx/check.hpp>
#include <tenon/io/onnx/initializer.hpp>
#include <tenon/io/onnx/load.hpp>
#include <tenon/io/onnx/read.hpp>
#include <tenon/io/onnx/write.hpp>
