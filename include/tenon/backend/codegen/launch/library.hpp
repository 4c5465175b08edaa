#pragma once

#include <initializer_list>

#include <tenon/core/windows.hpp>

#if !defined(_WIN32)
#include <dlfcn.h>
#endif

/// Libraries opened at run time: the program also starts on machines without them.
namespace tenon::internal::codegen {

#if defined(_WIN32)

/// Null if it cannot be opened. (Its functions are found through it alone.)
inline void* open_library(char const* name, bool) { return ::LoadLibraryA(name); }
/// The program itself.
inline void* this_program() { return nullptr; }
inline void* function_in(void* library, char const* name) {
  auto const loaded = static_cast<::HINSTANCE__*>(library);
  return reinterpret_cast<void*>(::GetProcAddress(loaded, name));
}

#else

/// Null if it cannot be opened. The functions of a global one are found through the program.
inline void* open_library(char const* name, bool is_global) {
  return ::dlopen(name, RTLD_NOW | (is_global ? RTLD_GLOBAL : RTLD_LOCAL));
}
/// All libraries loaded in this program. (May be null.)
inline void* this_program() { return RTLD_DEFAULT; }
inline void* function_in(void* library, char const* name) { return ::dlsym(library, name); }

#endif

/// A library, or the functions of all libraries loaded in this program. Never closed.
class Library {
 public:
  /// The first of some library names that can be opened.
  explicit Library(std::initializer_list<char const*> names) {
    for (char const* const name : names)
      if (library_ == nullptr) library_ = open_library(name, false);
  }
  /// All libraries of the list that can be opened, and the program itself.
  static Library all(std::initializer_list<char const*> names) {
    for (char const* const name : names) open_library(name, true);
    Library everything;
    everything.library_ = this_program();
    everything.is_everything_ = true;
    return everything;
  }

  /// An address that converts to any function pointer.
  struct Address {
    void* symbol;

    template <class F>
    operator F() const {
      return reinterpret_cast<F>(symbol);
    }
  };
  /// Null without the library, or if it lacks the function.
  Address find(char const* name) const {
    bool const is_there = library_ != nullptr || is_everything_;
    return {is_there ? function_in(library_, name) : nullptr};
  }

 private:
  Library() = default;

  void* library_ = nullptr;
  bool is_everything_ = false;  ///< `this_program()` may be null.
};

}  // namespace tenon::internal::codegen
