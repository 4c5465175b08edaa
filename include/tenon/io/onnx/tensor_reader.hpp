#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/external.hpp>
#include <tenon/io/onnx/field_reader.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/onnx/typed_field.hpp>

namespace tenon::internal::onnx {

/// Reads a `TensorProto`, in whichever form its elements are: raw bytes remain where they are,
/// elements of another file are mapped, and numbers of a typed field are converted to bytes.
class TensorReader {
 public:
  /// `owner` keeps the message in memory.
  TensorReader(Values const& values, std::string_view message, ExternalFiles& files,
               std::shared_ptr<void const> owner)
      : values_(values), message_(message), files_(files), owner_(std::move(owner)) {}

  /// Throws `FileError`.
  TensorData read();

 private:
  void read_description(Field const& field);
  void note_typed(TypedField const& field);
  void add_dim(std::int64_t size);
  void read_external(std::string_view entry);
  std::uint64_t external_number(std::string_view text) const;

  void check_dtype();
  void check_forms() const;
  void read_elements();
  void read_strings();
  Bytes outside();
  Bytes typed() const;
  void check_size(std::uint64_t got, std::string const& unit) const;

  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const;
  [[noreturn]] void refuse_two(std::string_view a, std::string_view b) const;

  Values values_;
  std::string_view message_;
  ExternalFiles& files_;
  std::shared_ptr<void const> owner_;

  TensorData tensor_{};
  FileDtype const* dtype_ = nullptr;
  std::uint64_t wanted_ = 0;  ///< The bytes of all elements; the number of strings.
  std::string_view raw_{};
  bool is_outside_ = false;
  ExternalData outside_{};
  std::optional<std::uint64_t> outside_length_{};
  TypedField const* typed_ = nullptr;
};

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/tensor_reader.ipp>
#endif
