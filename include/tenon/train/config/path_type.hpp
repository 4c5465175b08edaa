#pragma once

#include <filesystem>
#include <string>

#include <tenon/train/config/scalars.hpp>

namespace tenon::internal::training {

/// A path; UTF-8 in files.
class PathType : public Type {
 public:
  std::string name() const override { return "path"; }
  void read(void* object, Value const& value, Reading const& reading) const override {
    auto const* text = text_in(value);
    if (!text) refuse_type(*this, value, reading);
    *static_cast<std::filesystem::path*>(object) = std::u8string(text->begin(), text->end());
  }
  Value write(void const* object) const override {
    auto const text = static_cast<std::filesystem::path const*>(object)->u8string();
    return {std::string(text.begin(), text.end())};
  }
};

}  // namespace tenon::internal::training
