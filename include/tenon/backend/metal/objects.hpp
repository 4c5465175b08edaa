#pragma once

#include <string>
#include <utility>

#include <tenon/backend/metal/api.hpp>
#include <tenon/core/error.hpp>

/// Objective-C objects and their ownership.
namespace tenon::internal::metal {

/// An autorelease pool.
class Pool {
 public:
  Pool() : pool_(Api::instance().push_pool()) {}
  Pool(Pool const&) = delete;
  Pool& operator=(Pool const&) = delete;
  ~Pool() { Api::instance().pop_pool(pool_); }

 private:
  void* pool_;
};

/// A retained object, released on destruction.
class Owned {
 public:
  Owned() = default;
  explicit Owned(Object object) : object_(object) {}
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owned() {
    if (object_ != nullptr) Api::instance().release(object_);
  }

  /// Retains an autoreleased object.
  static Owned shared(Object object) {
    return Owned(object == nullptr ? nullptr : Api::instance().retain(object));
  }

  Object get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

  /// Gives up ownership without release.
  Object kept() { return std::exchange(object_, nullptr); }

 private:
  Object object_ = nullptr;
};

/// The characters of an `NSString`.
inline std::string words(Object string) {
  char const* const text = string == nullptr ? nullptr : ask<"UTF8String", char const*>(string);
  return text == nullptr ? "nothing" : text;
}

/// An autoreleased `NSString`.
inline Object string_of(std::string const& text) {
  return ask<"stringWithUTF8String:", Object>(Api::instance().class_of("NSString"), text.c_str());
}

/// The description of an `NSError`.
inline std::string reason(Object error) {
  return error == nullptr ? "no reason" : words(ask<"localizedDescription", Object>(error));
}

[[noreturn]] inline void refuse(std::string_view what, std::string_view expected,
                                std::string const& got, std::string_view where = {}) {
  fail<DeviceError>({.who = "mps", .what = what, .expected = expected, .got = got, .where = where});
}

}  // namespace tenon::internal::metal
