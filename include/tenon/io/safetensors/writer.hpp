#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tenon/eval/evaluate.hpp>
#include <tenon/io/safetensors/save.hpp>

namespace tenon::safetensors {

/// Tensors by name, to be saved in one safetensors file: `Writer().add("fc1.weight",
/// w).save(path)`. Python: `safetensors.numpy.save_file`.
class Writer {
 public:
  /// Adds a tensor, the value of an expression, a number or a `Key`; a tensor is not copied.
  template <class X>
  Writer& add(std::string name, X const& x) {
    if constexpr (Expression<X> && !TensorType<X>) {
      return add(std::move(name), eval(x));
    } else {
      internal::safetensors::check_storable<X>();
      auto kept = std::make_shared<X const>(x);
      items_.push_back(internal::safetensors::item_of(std::move(name), *kept));
      kept_.push_back(std::move(kept));
      return *this;
    }
  }

  /// Writes the file atomically, as `save` does. Throws `FileError`, and `ValueError` where a name
  /// stands twice or a text is not UTF-8.
  void save(std::filesystem::path const& path, Metadata metadata = {}) const;

 private:
  std::vector<internal::safetensors::Item> items_{};
  std::vector<std::shared_ptr<void const>> kept_{};
};

}  // namespace tenon::safetensors

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/writer.ipp>
#endif
