#pragma once

#include <cstdint>
#include <filesystem>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/model.hpp>

namespace tenon::internal::onnx {

struct WriteOptions {
  /// Elements of initialisers of more bytes in total are written to a second file. (The default:
  /// what a message of protobuf can hold, less 64 MiB for everything else.)
  std::uint64_t most_bytes_inside = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 26);
};

/// Initialisers of less bytes stay in the model, as in the package `onnx`.
inline constexpr std::size_t least_bytes_outside = 1024;

/// The alignment of tensors in the second file.
inline constexpr std::uint64_t external_alignment = 64;

/// Writes a model to a file, atomically. If its initialisers are larger than the limit, their
/// elements are in a second file beside it, `<name>.data`, which is replaced before the model is.
/// Elements are written from where they are. Throws `FileError`, and `ValueError` for a text that
/// is not UTF-8 or elements that do not fill their tensor.
void write(Model const& model, std::filesystem::path const& path, WriteOptions options = {});

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/write.ipp>
#endif
