#pragma once

// Trees of tensors in safetensors files: `save`, `load`, `load_metadata`. Single tensors by name:
// `safetensors::File`, `safetensors::Writer`.
// The format: https://github.com/huggingface/safetensors#format

#include <tenon/core/config.hpp>

#include <tenon/io/safetensors/load.hpp>
#include <tenon/io/safetensors/save.hpp>
