#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/leaf.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/onnx/source.hpp>
#include <tenon/io/safetensors/axes.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>

namespace tenon::internal::onnx {

/// The initialisers of a model that was read, for `TreeReader`.
class OpenFile : public safetensors::PlainFile {
 public:
  explicit OpenFile(std::filesystem::path const& path);
  OpenFile(OpenFile const&) = delete;
  OpenFile& operator=(OpenFile const&) = delete;
  ~OpenFile() = default;

  safetensors::Header const& index() const { return index_; }
  std::string const& name() const { return name_; }
  std::string_view who() const { return reading; }

  template <class Tree>
  static constexpr void check_tree() {
    onnx::check_tree<Tree>();
  }
  template <class Leaf>
  static constexpr void check_storable() {
    onnx::check_storable<Leaf>();
  }
  template <class Leaf>
  static FileDtype const& dtype() {
    return dtype_of<Leaf>();
  }
  void check_dtype(std::string const&) const {}

  template <class T>
  void read(std::string const& name, T* to) const {
    auto const bytes = initializers_.find(name)->second->bytes.view;
    if (bytes.empty()) return;
    if constexpr (std::same_as<T, bool>)
      safetensors::check_bools(name, bytes.data(), bytes.size(), name_, reading);
    std::memcpy(to, bytes.data(), bytes.size());
  }

 private:
  std::string name_;
  Model model_;
  std::map<std::string, TensorData const*, std::less<>> initializers_{};
  safetensors::Header index_{};
};

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/open_file.ipp>
#endif
