#pragma once

#include <dlfcn.h>

#include <initializer_list>

/// Libraries that are opened when the program runs: a program that was built with what uses them
/// starts on a machine without them.
namespace tenon::source {

/// A library, or the functions of all that this program has opened. Never closed.
class Library {
 public:
  /// The first of some names that is there.
  explicit Library(std::initializer_list<char const*> names) {
    for (char const* const name : names)
      if (library_ == nullptr) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  /// All of some names that are there, and whatever else this program has.
  static Library all(std::initializer_list<char const*> names) {
    for (char const* const name : names) dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    Library everything;
    everything.library_ = RTLD_DEFAULT;
    everything.is_everything_ = true;
    return everything;
  }

  /// An address that becomes whatever function it is given to.
  struct Address {
    void* symbol;

    template <class F>
    operator F() const {
      return reinterpret_cast<F>(symbol);
    }
  };
  /// Null without the library, or where it has no such function.
  Address find(char const* name) const {
    bool const is_there = library_ != nullptr || is_everything_;
    return {is_there ? dlsym(library_, name) : nullptr};
  }

 private:
  Library() = default;

  void* library_ = nullptr;
  bool is_everything_ = false;  ///< `RTLD_DEFAULT` may be null.
};

}  // namespace tenon::source
