#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <tenon/backend/codegen/launch/library.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/shape.hpp>

/// The functions of Metal and the Objective-C runtime, resolved at run time: a program runs on any
/// machine, and is built without Apple's headers and frameworks. Names, argument orders and numbers
/// follow Apple's documentation of Metal and of the Objective-C runtime. So far tested with a mock
/// only, not on Apple hardware.
namespace tenon::internal::metal {

struct ObjectOfRuntime;
struct SelectorOfRuntime;

/// `id` and `SEL`.
using Object = ObjectOfRuntime*;
using Selector = SelectorOfRuntime*;

using Natural = std::size_t;   ///< `NSUInteger`
using Whole = std::ptrdiff_t;  ///< `NSInteger`

/// `MTLSize`.
struct Extent {
  Natural width, height, depth;
};

inline constexpr Natural shared_storage = 0;   ///< `MTLResourceStorageModeShared`
inline constexpr Natural failed = 5;           ///< `MTLCommandBufferStatusError`
inline constexpr Whole safe_mathematics = 0;   ///< `MTLMathModeSafe`
inline constexpr Whole precise_functions = 1;  ///< `MTLMathFloatingPointFunctionsPrecise`

/// The functions of the runtime and of Metal, as far as this program can load them; missing ones
/// are null.
class Api {
  /// A command-line program without Core Graphics has no default device.
  codegen::Library library_ = codegen::Library::all(
      {"/usr/lib/libobjc.A.dylib", "/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics",
       "/System/Library/Frameworks/Metal.framework/Metal"});

 public:
  static Api const& instance() {
    static Api const api;
    return api;
  }

  void (*message)() = library_.find("objc_msgSend");  ///< Cast to the signature of the method.
  Object (*class_of)(char const*) = library_.find("objc_getClass");
  Selector (*selector)(char const*) = library_.find("sel_registerName");
  Object (*retain)(Object) = library_.find("objc_retain");
  void (*release)(Object) = library_.find("objc_release");
  void* (*push_pool)() = library_.find("objc_autoreleasePoolPush");
  void (*pop_pool)(void*) = library_.find("objc_autoreleasePoolPop");
  Object (*first_device)() = library_.find("MTLCreateSystemDefaultDevice");

  bool is_there() const { return message != nullptr && first_device != nullptr; }
};

/// Sends a message: `ask<"length", Natural>(buffer)`. The types have to match the method. The
/// caller owns the result if the name begins with `new`; otherwise it is autoreleased.
template <Spec name, class R = void, class... A>
R ask(Object whom, A... with) {
  static Selector const what = Api::instance().selector(name.text);
  auto const call = reinterpret_cast<R (*)(Object, Selector, A...)>(Api::instance().message);
  return call(whom, what, with...);
}

}  // namespace tenon::internal::metal

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

/// A buffer and an offset.
struct Spot {
  Object buffer;
  Natural offset;
  Natural bytes = 0;  ///< From the offset to the end of the buffer.
};

/// The live buffers, by address: a tensor stores only an address, which may be inside a buffer.
/// Thread-safe.
class Buffers {
 public:
  /// The address of a new buffer in shared memory, valid on host and device; null if allocation
  /// fails.
  void* add(Object device, std::size_t bytes) {
    Natural const length = bytes + spare(bytes);
    if (length > ask<"maxBufferLength", Natural>(device)) return nullptr;
    Owned buffer(ask<"newBufferWithLength:options:", Object>(device, length, shared_storage));
    if (!buffer) return nullptr;
    void* const address = ask<"contents", void*>(buffer.get());
    std::lock_guard const lock(mutex_);
    all_[number(address)] = {std::move(buffer), bytes};
    return address;
  }

  /// Pending commands retain it until they have run.
  void remove(void* address) {
    std::lock_guard const lock(mutex_);
    all_.erase(number(address));
  }

  /// Throws `DeviceError` if no buffer contains the address.
  Spot find(void const* address) {
    std::uintptr_t const wanted = number(address);
    std::lock_guard const lock(mutex_);
    auto const next = all_.upper_bound(wanted);
    if (next != all_.begin()) {
      auto const& [begin, found] = *std::prev(next);
      Natural const offset = wanted - begin;
      if (offset <= found.bytes)
        return {found.buffer.get(), offset, found.bytes + spare(found.bytes) - offset};
    }
    refuse("an argument of a kernel", "memory of the device", "another address");
  }

 private:
  struct Buffer {
    Owned buffer{};
    std::size_t bytes = 0;
  };
  /// Padding: a library that reads full rows reads past the last row of a submatrix.
  static Natural spare(std::size_t bytes) { return std::min<Natural>(bytes / 8, 16384); }
  static std::uintptr_t number(void const* address) {
    return reinterpret_cast<std::uintptr_t>(address);
  }

  std::mutex mutex_;
  std::map<std::uintptr_t, Buffer> all_;
};

}  // namespace tenon::internal::metal
