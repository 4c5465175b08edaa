#pragma once

#include <bit>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/open_file.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>

namespace tenon::internal::onnx {

static_assert(std::endian::native == std::endian::little,
              "tenon::onnx: files hold little-endian numbers, and so must the machine");

/// Loads the weights of a model of ONNX, of any origin, into a tree of a type: the paths of its
/// fields, `blocks.0.query.weight`, are the names of the initialisers of the graph. Run-time sizes
/// are those of the file, and vectors and optionals that `Tree()` leaves empty get the elements
/// that the names imply. Initialisers that are not weights need `.ignore_extra`. Raw bytes, numbers
/// in typed fields and external data beside the file are read; the nodes of the graph are decoded
/// and not interpreted. Checked before anything is copied, as by `tenon::load`. Throws `FileError`,
/// `ShapeError` for axes that do not fit, `ValueError` for the option `cast`. Python:
/// `onnx.numpy_helper.to_array`.
template <class Tree>
Tree load(std::filesystem::path const& path, LoadOptions options = {}) {
  OpenFile const file(path);
  return safetensors::TreeReader(file, std::move(options)).template read<Tree>();
}

/// The same with the structure of another tree, as `tenon::load`.
template <class Tree>
Tree load(std::filesystem::path const& path, Tree const& prototype, LoadOptions options = {}) {
  OpenFile const file(path);
  return safetensors::TreeReader(file, std::move(options)).read(prototype);
}

/// The initialisers of a model: names, each with its dtype and axes as `float32 "784 10"`. Throws
/// `FileError`.
std::map<std::string, std::string> load_contents(std::filesystem::path const& path);

}  // namespace tenon::internal::onnx

namespace tenon::onnx {

using internal::onnx::load;
using internal::onnx::load_contents;

}  // namespace tenon::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/load.ipp>
#endif
