#pragma once

// ONNX files: `onnx::save` writes a function of tensors, `onnx::load` reads weights into a model.
// The format: https://github.com/onnx/onnx/blob/main/docs/IR.md

#include <tenon/core/config.hpp>

#include <tenon/io/onnx/load.hpp>
#include <tenon/io/onnx/save.hpp>
