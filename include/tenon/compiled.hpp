#pragma once

/// All whose runtime tenon::compiled holds: what needs no further library.

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/backend/codegen/backend.hpp>
#include <tenon/eval/print_graph.hpp>
#include <tenon/io/dlpack.hpp>
#include <tenon/io/npy.hpp>
#include <tenon/io/onnx.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>
