#pragma once

#include <dlfcn.h>

#include <initializer_list>

namespace tenon::cuda {

/// A library that is opened when the program runs: the first of some names that is there.
class Library {
 public:
  explicit Library(std::initializer_list<char const*> names) {
    for (char const* const name : names)
      if (library_ == nullptr) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }

  bool is_there() const { return library_ != nullptr; }

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
    return {library_ == nullptr ? nullptr : dlsym(library_, name)};
  }

 private:
  void* library_ = nullptr;
};

}  // namespace tenon::cuda
