#pragma once

/// All whose runtime tenon::compiled holds: what needs no further library. (The rest is beside it,
/// in train/config/load.ipp, toml.ipp and yaml.ipp, and train/run/spdlog_sink.ipp.)

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/backend/codegen/backend.hpp>
#include <tenon/eval/print_graph.hpp>
#include <tenon/fft.hpp>
#include <tenon/io/dlpack.hpp>
#include <tenon/io/npy.hpp>
#include <tenon/io/onnx.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/io/tokenizer.hpp>
#include <tenon/nn.hpp>
#include <tenon/optim.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train/checkpoints.hpp>
#include <tenon/train/config/documents.hpp>
#include <tenon/train/config/types.hpp>
#include <tenon/train/data.hpp>
#include <tenon/train/fit.hpp>
#include <tenon/train/inspect/finite_checks.hpp>
#include <tenon/train/inspect/memory.hpp>
#include <tenon/train/inspect/profiler.hpp>
#include <tenon/train/inspect/statistics.hpp>
#include <tenon/train/inspect/summary.hpp>
#include <tenon/train/lr_find.hpp>
#include <tenon/train/main.hpp>
#include <tenon/train/plot.hpp>
#include <tenon/train/run.hpp>
