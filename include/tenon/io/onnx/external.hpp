#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/mapped_file.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/onnx/source.hpp>

namespace tenon::internal::onnx {

/// The files beside a model with elements of its tensors, each opened and mapped once.
class ExternalFiles {
 public:
  explicit ExternalFiles(std::filesystem::path model) : model_(std::move(model)) {}

  /// The elements of a tensor. Only files in the folder of the model and below it are opened, also
  /// where their names are symbolic links. Throws `FileError`.
  Bytes bytes(Source const& source, std::string_view tensor, ExternalData const& data);

 private:
  struct File {
    explicit File(std::filesystem::path const& path) : file(path, reading), mapped(file) {}
    InputFile file;
    MappedFile mapped;
  };

  std::shared_ptr<File const> open(std::string const& location);

  std::filesystem::path model_;
  std::map<std::string, std::shared_ptr<File const>> files_{};
};

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/external.ipp>
#endif
