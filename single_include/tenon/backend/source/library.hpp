// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <dlfcn.h>

#include <initializer_list>

/// Libraries opened at run time (dlopen): the program also starts on machines without them.
namespace tenon::source {

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

}  // namespace tenon::source
