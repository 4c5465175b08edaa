#pragma once

#include <cstdint>
#include <filesystem>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/model.hpp>

namespace tenon::internal::onnx {

struct ReadOptions {
  /// The memory of what is read may exceed the size of the file by this many bytes.
  std::uint64_t most_extra_memory = std::uint64_t{1} << 30;
};

/// Reads a model and the files with its external data. Elements of tensors remain in the mapped
/// files, except those of typed fields. Throws `FileError`.
Model read(std::filesystem::path const& path, ReadOptions options = {});

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/read.ipp>
#endif
