#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::internal::onnx {

/// The operation in messages about a file that is read.
inline constexpr std::string_view reading = "onnx::load";

/// The bytes of a file while they are decoded, and the memory that what is decoded may occupy. (A
/// message of two bytes can be a struct of several hundred.)
class Source {
 public:
  Source(std::string_view bytes, std::string name, std::uint64_t most_memory)
      : bytes_(bytes), name_(std::move(name)), memory_left_(most_memory) {}

  std::string_view bytes() const { return bytes_; }
  std::string const& name() const { return name_; }

  /// Counts memory. Throws `FileError` if it is more than allowed.
  void charge(std::uint64_t bytes);

  /// Throws `FileError` with the name of a tensor, `what`.
  [[noreturn]] void refuse(std::string_view what, std::string_view expected,
                           std::string_view got) const;

  /// The same with a position, a part of `bytes()`.
  [[noreturn]] void refuse_at(char const* at, std::string_view expected,
                              std::string_view got) const;

 private:
  std::string_view bytes_;
  std::string name_;
  std::uint64_t memory_left_;
};

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/source.ipp>
#endif
