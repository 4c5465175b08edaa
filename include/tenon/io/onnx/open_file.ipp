#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/open_file.hpp>
#include <tenon/io/onnx/read.hpp>

namespace tenon::internal::onnx {

TENON_RUNTIME OpenFile::OpenFile(std::filesystem::path const& path)
    : name_(path.string()), model_(onnx::read(path)) {
  index_.metadata = model_.metadata;
  for (TensorData const& x : model_.graph.initializers) {
    initializers_[x.name] = &x;
    index_.entries[x.name] = {file_dtype_of(x.dtype), x.dims};
  }
}

}  // namespace tenon::internal::onnx
