#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>

namespace tenon::internal::training {

/// A mapped file, which all datasets of it share.
class SharedText {
 public:
  explicit SharedText(std::filesystem::path const& path);
  std::string_view view() const { return text_; }

 private:
  std::shared_ptr<void const> memory_{};
  std::string_view text_{};
};

}  // namespace tenon::internal::training

namespace tenon::training {

/// Parts of one length of a text, from `TextFile::windows`. Elements refer to the memory of the
/// file: they are valid while the dataset, a copy or the `TextFile` is.
class TextWindows {
 public:
  /// Throws `ValueError` for a length or a stride less than 1.
  TextWindows(internal::training::SharedText text, std::int64_t length, std::int64_t stride);
  std::size_t size() const;
  std::string_view operator[](std::size_t index) const {
    return text_.view().substr(index * stride_, length_);
  }

 private:
  internal::training::SharedText text_;
  std::size_t length_, stride_;
};

/// Parts of a text as bytes, from `TextFile::byte_windows`.
template <std::size_t length>
class ByteWindows {
 public:
  explicit ByteWindows(TextWindows windows) : windows_(std::move(windows)) {}
  std::size_t size() const { return windows_.size(); }
  std::array<std::uint8_t, length> operator[](std::size_t index) const {
    std::array<std::uint8_t, length> bytes{};
    std::string_view const text = windows_[index];
    std::transform(text.begin(), text.end(), bytes.begin(),
                   [](char c) { return static_cast<std::uint8_t>(c); });
    return bytes;
  }

 private:
  TextWindows windows_;
};

/// The lines of a text without their ends, LF or CR LF, from `TextFile::lines`. Elements are valid
/// as those of `TextWindows`. Eight bytes of memory a line.
class TextLines {
 public:
  explicit TextLines(internal::training::SharedText text);
  std::size_t size() const { return begins_->size() - 1; }
  std::string_view operator[](std::size_t index) const;

 private:
  internal::training::SharedText text_;
  std::shared_ptr<std::vector<std::size_t> const> begins_{};
};

/// A text file in memory without a copy, which the system reads where it is used; copies and
/// datasets share it. The file may be replaced meanwhile, but not shortened. Any bytes are a text.
/// Throws `FileError`. PyTorch: `datasets.load_dataset("text")`.
class TextFile {
 public:
  explicit TextFile(std::filesystem::path const& path) : text_(path) {}

  std::string_view text() const { return text_.view(); }

  /// The parts of `length` bytes that begin every `stride` bytes; what is left at the end is in
  /// none. Throws `ValueError` for numbers less than 1.
  TextWindows windows(std::int64_t length, std::int64_t stride) const {
    return {text_, length, stride};
  }

  /// The same as `std::array<std::uint8_t, length>`, of which a loader makes `UInt8<"batch 65">`.
  template <std::size_t length>
    requires(length > 0)
  ByteWindows<length> byte_windows(std::int64_t stride) const {
    return ByteWindows<length>({text_, std::int64_t{length}, stride});
  }

  /// The lines, empty ones too.
  TextLines lines() const { return TextLines(text_); }

 private:
  internal::training::SharedText text_;
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <string>

#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>

namespace tenon::internal::training {

TENON_RUNTIME SharedText::SharedText(std::filesystem::path const& path) {
  InputFile const file(path, "TextFile");
  auto const memory = std::make_shared<MappedFile const>(file);
  std::size_t const bytes = file.size();
  text_ = {reinterpret_cast<char const*>(memory->data()), bytes};
  memory_ = memory;
}

inline std::size_t at_least_one(std::string_view what, std::int64_t value) {
  if (value >= 1) return static_cast<std::size_t>(value);
  std::string const got = std::to_string(value);
  fail<ValueError>({"TextFile", what, "at least 1", got, {}});
}

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME TextWindows::TextWindows(internal::training::SharedText text, std::int64_t length,
                                       std::int64_t stride)
    : text_(std::move(text)),
      length_(internal::training::at_least_one("length", length)),
      stride_(internal::training::at_least_one("stride", stride)) {}

TENON_RUNTIME std::size_t TextWindows::size() const {
  std::size_t const bytes = text_.view().size();
  return bytes < length_ ? 0 : (bytes - length_) / stride_ + 1;
}

TENON_RUNTIME TextLines::TextLines(internal::training::SharedText text) : text_(std::move(text)) {
  std::string_view const all = text_.view();
  auto begins = std::make_shared<std::vector<std::size_t>>();
  for (std::size_t at = 0; at < all.size();) {
    begins->push_back(at);
    at = (std::min)(all.find('\n', at), all.size() - 1) + 1;
  }
  begins->push_back(all.size());
  begins_ = begins;
}

TENON_RUNTIME std::string_view TextLines::operator[](std::size_t index) const {
  std::size_t const begin = (*begins_)[index];
  std::string_view line = text_.view().substr(begin, (*begins_)[index + 1] - begin);
  if (line.ends_with('\n')) line.remove_suffix(line.ends_with("\r\n") ? 2 : 1);
  return line;
}

}  // namespace tenon::training

#endif
