#pragma once

#include <cstddef>

#include <tenon/backend/codegen/launch/library.hpp>
#include <tenon/core/spec.hpp>

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
