#pragma once

#include <bit>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>

namespace tenon::internal::onnx {

/// The dtype of the initialiser that is a tensor, a number or a key: a number has no axes, a key
/// has two words.
template <class Leaf>
constexpr FileDtype const& dtype_of() {
  using T = safetensors::StoredWithComplex128<typename safetensors::Form<Leaf>::Element>;
  constexpr DataType code = data_type_for(dtype_name<T>);
  static_assert(code != DataType::undefined,
                "tenon::onnx: the dtype of a tensor has no code in ONNX");
  return *file_dtype_of(code);
}

/// Leaves in this format, for `TreeReader`.
struct Format : safetensors::PlainFormat {
  template <class Tree>
  static constexpr void check_tree() {
    static_assert(!Expression<Tree> || is_tensor<Tree>,
                  "tenon::onnx: an expression is not stored; evaluate it first, with eval");
    static_assert(safetensors::has_leaves<Tree>(),
                  "tenon::onnx: there is neither a tensor nor a number in this type");
  }
  template <class Leaf>
  static constexpr void check_storable() {
    static_assert(safetensors::is_storable<Leaf>,
                  "tenon::onnx: a leaf is neither a tensor nor a number");
  }
  template <class Leaf>
  static FileDtype const& dtype() {
    return dtype_of<Leaf>();
  }
};

/// Opens the initialisers of a model. Throws `FileError`.
std::shared_ptr<safetensors::TensorFile const> open_file(std::filesystem::path const& path);

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
  return safetensors::TreeReader<Format>(*open_file(path), std::move(options))
      .template read<Tree>();
}

/// The same with the structure of another tree, as `tenon::load`.
template <class Tree>
Tree load(std::filesystem::path const& path, Tree const& prototype, LoadOptions options = {}) {
  return safetensors::TreeReader<Format>(*open_file(path), std::move(options)).read(prototype);
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

#include <cstring>
#include <functional>

#include <tenon/io/onnx/decode.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>

namespace tenon::internal::onnx {

/// The initialisers of a model that was read.
class Initializers final : public safetensors::TensorFile {
 public:
  explicit Initializers(std::filesystem::path const& path)
      : TensorFile(path.string(), std::string(reading)), model_(onnx::read(path)) {
    index_.metadata = model_.metadata;
    for (TensorData const& x : model_.graph.initializers) {
      initializers_[x.name] = &x;
      index_.entries[x.name] = {file_dtype_of(x.dtype), x.dims};
    }
  }

  void read(std::string const& name, safetensors::StoredDtype const& dtype,
            void* to) const override {
    auto const bytes = initializers_.find(name)->second->bytes.view;
    if (bytes.empty()) return;
    if (dtype.dtype == "bool")
      safetensors::check_bools(name, bytes.data(), bytes.size(), this->name(), who());
    std::memcpy(to, bytes.data(), bytes.size());
  }

 private:
  Model model_;
  std::map<std::string, TensorData const*, std::less<>> initializers_{};
};

TENON_RUNTIME std::shared_ptr<safetensors::TensorFile const> open_file(
    std::filesystem::path const& path) {
  return std::make_shared<Initializers const>(path);
}

TENON_RUNTIME std::map<std::string, std::string> load_contents(std::filesystem::path const& path) {
  return safetensors::contents_of(open_file(path)->index());
}

}  // namespace tenon::internal::onnx

#endif
