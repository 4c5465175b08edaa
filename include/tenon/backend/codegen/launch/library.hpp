#pragma once

#include <dlfcn.h>

#include <initializer_list>

/// Libraries opened at run time (dlopen): the program also starts on machines without them.
namespace tenon::internal::codegen {

/// A library, or the functions of all libraries loaded in this program. Never closed.
class Library {
 public:
  /// The first of some library names that can be opened.
  explicit Library(std::initializer_list<char const*> names) {
    for (char const* const name : names)
      if (library_ == nullptr) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  /// All libraries of the list that can be opened, and the program itself.
  static Library all(std::initializer_list<char const*> names) {
    for (char const* const name : names) dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    Library everything;
    everything.library_ = RTLD_DEFAULT;
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
    return {is_there ? dlsym(library_, name) : nullptr};
  }

 private:
  Library() = default;

  void* library_ = nullptr;
  bool is_everything_ = false;  ///< `RTLD_DEFAULT` may be null.
};

}  // namespace tenon::internal::codegen
